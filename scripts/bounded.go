package scripts

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// MaxEntries is how many files and folders the folder of a game may have, with all folders in it.
const MaxEntries = 4096

// MaxDepth is how deep folders may be within each other in the folder of a game.
const MaxDepth = 32

var (
	// ErrNoFile is wrapped by the error for what can be opened and is no file: a folder, a pipe or a device.
	ErrNoFile = errors.New("is not a file")
	// ErrTooLong is wrapped by the error for a file with more bytes than its reader takes.
	ErrTooLong = errors.New("is too long")
	// ErrManyFiles is wrapped by the error for a folder with more than MaxEntries files and folders.
	ErrManyFiles = errors.New("there are too many files")
	// ErrDeep is wrapped by the error for a folder with folders more than MaxDepth deep.
	ErrDeep = errors.New("there are folders too deep within each other")
)

// ReadFile returns the content of a file of the file system, of at most most bytes. It opens regular files
// alone, because a pipe or a device may block for ever or never end. The error is a *fs.PathError.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f, path, most)
}

// Open opens a file of the file system for reading, if it is a regular one. The error is a *fs.PathError.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path) // before opening, because that can have an effect on a device
	if err == nil {
		err = checkFile(info, path)
	}
	if err != nil {
		return nil, err
	}
	return openFile(path)
}

// openFile is Open for what was a regular file a moment ago, and may be a pipe by now.
func openFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	if err := checkOpen(f, path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ReadFileFS is ReadFile in a file system. That of a folder is FS, or a pipe could block it that takes the place of a
// file at the wrong moment.
func ReadFileFS(fsys fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err == nil {
		err = checkFile(info, name)
	}
	if err != nil {
		return nil, err
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := checkOpen(f, name); err != nil {
		return nil, err
	}
	return readBounded(f, name, most)
}

// FS returns the file system of a folder. Its Open does not wait for the writer of a pipe, and its ReadDir returns
// MaxEntries + 1 entries at most.
func FS(root *os.Root) fs.FS { return rootFS{root.FS().(folderFS), root} }

type folderFS interface { // what root.FS offers
	fs.StatFS
	fs.ReadDirFS
	fs.ReadLinkFS
}

type rootFS struct {
	folderFS
	root *os.Root
}

// Open implements fs.FS.
func (f rootFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err // not file, which is nil and would be an fs.File
	}
	return file, nil
}

// ReadDir implements fs.ReadDirFS.
func (f rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	dir, err := f.root.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return readDir(dir)
}

// ReadDir returns the entries of a folder of the file system by name, MaxEntries + 1 of them at most.
func ReadDir(path string) ([]fs.DirEntry, error) {
	dir, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return readDir(dir)
}

func readDir(dir *os.File) ([]fs.DirEntry, error) {
	entries, err := dir.ReadDir(MaxEntries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

func checkOpen(f fs.File, name string) error {
	info, err := f.Stat()
	if err == nil {
		err = checkFile(info, name)
	}
	return err
}

func checkFile(info fs.FileInfo, name string) error {
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "read", Path: name, Err: ErrNoFile}
	}
	return nil
}

// readBounded reads no more than it may return: a sparse file can be larger than the memory.
func readBounded(r io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w: more than %d bytes", ErrTooLong, most)}
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Walk is fs.WalkDir of at most MaxEntries files and folders, beyond which its error wraps ErrManyFiles, and of folders
// at most MaxDepth deep, beyond which it wraps ErrDeep.
func Walk(fsys fs.FS, root string, visit fs.WalkDirFunc) error {
	entries := 0
	return fs.WalkDir(fsys, root, func(name string, e fs.DirEntry, err error) error {
		if entries++; entries > MaxEntries {
			return fmt.Errorf("%s: %w: more than %d", root, ErrManyFiles, MaxEntries)
		}
		if e != nil && e.IsDir() && strings.Count(name, "/") >= MaxDepth {
			return fmt.Errorf("%s: %w: more than %d", root, ErrDeep, MaxDepth)
		}
		return visit(name, e, err)
	})
}
