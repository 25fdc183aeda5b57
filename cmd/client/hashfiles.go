package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// hashFiles keeps what a host has sent in a folder, each in a file named by the hash of its content. If it
// fails, the client asks the host instead.
type hashFiles struct {
	dir     string
	largest int64 // bytes of a file
	most    int64 // bytes of all files
	log     *slog.Logger
}

// openCache returns the user's folder of a name: hindcast/NAME under XDG_CACHE_HOME, or in the system's
// folder for caches. It returns nil if there is no such folder.
func openCache(name string, largest, most int64, log *slog.Logger) *hashFiles {
	base := os.Getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(base) { // as the XDG specification wants it
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			log.Debug(name+" are not kept", "error", err)
			return nil
		}
	}
	return &hashFiles{dir: filepath.Join(base, "hindcast", name), largest: largest, most: most, log: log}
}

func (b *hashFiles) path(h [sha256.Size]byte) string {
	return filepath.Join(b.dir, hex.EncodeToString(h[:]))
}

// load reads a file. It sets a file aside whose content does not match its name.
func (b *hashFiles) load(h [sha256.Size]byte) []byte {
	path := b.path(h)
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	var data []byte
	if info.Size() <= b.largest {
		if data, err = os.ReadFile(path); err != nil {
			b.log.Debug("a cached file cannot be read", "error", err)
			return nil
		}
	}
	if sha256.Sum256(data) != h {
		b.setAside(path)
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // used: to be removed last
	return data
}

// setAside gives a damaged file a name under which it is not found again. It is removed when there is no room for it.
func (b *hashFiles) setAside(path string) {
	as := filepath.Join(b.dir, "damaged-"+filepath.Base(path))
	if err := os.Rename(path, as); err != nil {
		as = ""
		_ = os.Remove(path) // or it would be found damaged again
	}
	b.log.Warn("a cached file is damaged: asking the host", "file", path, "kept", as)
}

// store writes a file, as a whole or not at all, and removes others if there is
// no room for it.
func (b *hashFiles) store(h [sha256.Size]byte, encoded []byte) {
	if err := b.write(h, encoded); err != nil {
		b.log.Debug("a file is not kept", "error", err)
		return
	}
	b.prune()
}

// newest returns the file that was used last; nil if none is kept.
func (b *hashFiles) newest() []byte {
	for _, f := range slices.Backward(b.byAge()) {
		var h [sha256.Size]byte
		name, err := hex.DecodeString(f.Name())
		if err != nil || len(name) != len(h) {
			continue
		}
		copy(h[:], name)
		if data := b.load(h); data != nil {
			return data
		}
	}
	return nil
}

func (b *hashFiles) write(h [sha256.Size]byte, encoded []byte) error {
	if err := os.MkdirAll(b.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(b.dir, "new-*")
	if err != nil {
		return err
	}
	return keep(f, encoded, b.path(h))
}

// tempFile is a new file that has no name of its own yet.
type tempFile interface {
	io.WriteCloser
	Name() string
}

// keep writes a file and then names it, or removes it. A program that is killed meanwhile, or a full disk, leaves
// nothing under the name. After a loss of power there may be less, which the hash tells.
func keep(f tempFile, data []byte, name string) error {
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the first error is the one to return
	}
	return err
}

// prune removes the files that were not used for longest, until the others fit.
func (b *hashFiles) prune() {
	files := b.byAge()
	total := int64(0)
	for _, f := range files {
		total += f.Size()
	}
	for _, f := range files {
		if total <= b.most {
			return
		}
		if os.Remove(filepath.Join(b.dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}

// byAge returns the files of the folder, that which was not used for longest first.
func (b *hashFiles) byAge() (files []fs.FileInfo) {
	entries, err := os.ReadDir(b.dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	return files
}
