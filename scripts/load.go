package scripts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hindcast/hindcast/runtime/asset"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Limits of a game folder.
const (
	MaxFileBytes = 128 << 10 // of one file
	MaxFiles     = 200       // scripts of a game
	MaxBytes     = 1 << 20   // of all scripts together
)

const (
	gameTOML = "game.toml"
	gameLua  = "game.lua"
	testEnd  = "_test.lua"
	botEnd   = "_bot.lua"
)

// Game is the content of a game folder.
type Game struct {
	Bundle *bundle.Bundle
	// Tests are the *_test.lua files, by name. They are not part of the bundle.
	Tests []world.Source
	// Bots are the *_bot.lua files, by name. They are not part of the bundle.
	Bots []world.Source
	// Assets are the files of the folder assets. They are not part of the bundle.
	Assets *asset.Set
	// Port (UDP) and HTTP are the ports that the game would like its host to
	// listen on; 0: it names none. They are not part of the bundle.
	Port, HTTP int

	dir        string         // as errors name it
	settings   map[string]any // of game.toml, as it is written
	lines      lines          // of all keys in game.toml
	layerLines []int          // and for each of Bundle.Rules.Snapshots.Layers
}

// Load reads a game folder: game.toml, the scripts at its top level, and those in subfolders, which others require.
// Errors call
// the folder name; "" leaves it out. The error joins a *Problem for each mistake.
func Load(fsys fs.FS, name string) (*Game, error) {
	if fsys == nil {
		return nil, errors.New("scripts: no fs.FS to load a game from")
	}
	r := folder{fsys: fsys, dir: name}
	g := r.config()
	sources, tests, bots, assets := r.scripts(), r.named(testEnd), r.named(botEnd), r.assets()
	if len(r.problems) > 0 {
		return nil, join(r.problems)
	}
	g.dir = name
	g.Bundle.Files, g.Tests, g.Bots, g.Assets = sources, tests, bots, assets
	if n := len(g.Bundle.Encode()); n > bundle.MaxSize {
		r.fail(gameTOML, 1, "the game has %d bytes as it is sent; at most %d", n, bundle.MaxSize)
		return nil, join(r.problems)
	}
	return g, nil
}

// LoadDir is Load for a folder of the file system. Errors call the folder path.
func LoadDir(path string) (*Game, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w: there is no such folder", path, fs.ErrNotExist)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s: %w: a game is a folder with %s and *.lua files", path, errNotFolder, gameTOML)
	}
	return LoadAt(path, path)
}

// LoadAt is LoadDir with errors that call the folder name. What a link out of the folder leads to is not read: a
// game that is shared must not send files of the machine that hosts it to everybody.
func LoadAt(path, name string) (*Game, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return Load(FS(root), name)
}

// Sources reads the scripts, the test files and the bots of a game folder, even if Load fails,
// so that more mistakes can be found at once. It leaves out files that cannot be
// read.
func Sources(fsys fs.FS) (scripts, tests, bots []world.Source) {
	if fsys == nil {
		return nil, nil, nil
	}
	r := folder{fsys: fsys}
	return r.scripts(), r.named(testEnd), r.named(botEnd)
}

var errNotFolder = errors.New("not a folder")

// folder reads the files of a game and collects the mistakes in them.
type folder struct {
	fsys     fs.FS
	dir      string
	problems []*Problem
}

func (r *folder) fail(file string, line int, format string, args ...any) {
	r.problems = append(r.problems,
		&Problem{File: world.InFolder(r.dir, file), Line: max(line, 1), Message: fmt.Sprintf(format, args...)})
}

// scripts reads the files of the bundle, by name, game.lua last.
func (r *folder) scripts() (out []world.Source) {
	entries, err := fs.ReadDir(r.fsys, ".")
	if err != nil {
		r.fail(gameTOML, 1, "the folder cannot be read: %v", reason(err))
		return nil
	}
	if len(entries) > MaxEntries {
		r.fail(gameTOML, 1, "the folder cannot be read: %v: more than %d", ErrManyFiles, MaxEntries)
		return nil
	}
	var names []string
	for _, e := range entries {
		n := e.Name()
		switch {
		case bundled(n) && e.IsDir():
			r.fail(n, 1, "is a folder, and a script is a file: give the folder a name without .lua")
		case bundled(n) && n != gameLua:
			names = append(names, n)
		}
		if end := filepath.Ext(n); strings.EqualFold(end, ".lua") && end != ".lua" && !e.IsDir() {
			r.fail(n, 1, "a script whose name ends in %s is not loaded: rename it to %s.lua", end,
				strings.TrimSuffix(n, end))
		}
	}
	names = append(names, r.modules()...)
	slices.Sort(names)
	for _, e := range entries {
		if e.Name() == gameLua && !e.IsDir() {
			names = append(names, gameLua)
		}
	}
	switch {
	case len(names) == 0 && len(r.problems) == 0:
		r.fail(gameTOML, 1, "there is no *.lua file beside it: a game needs a script")
	case len(names) > MaxFiles:
		r.fail(gameTOML, 1, "%d *.lua files beside it: at most %d", len(names), MaxFiles)
		return nil
	}
	return r.readAll(names)
}

// modules returns the names of the scripts in subfolders, which others require: lib/vector.lua.
func (r *folder) modules() (names []string) {
	err := Walk(r.fsys, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // it is gone, or is read by others
		case e.IsDir() && (name == AssetFolder || name != "." && strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case !e.IsDir() && strings.Contains(name, "/") && isModule(name):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		r.fail(gameTOML, 1, "the folder cannot be read: %v", reason(err))
	}
	return names
}

// isModule reports whether a path leads to a script in a subfolder, on every system.
func isModule(name string) bool {
	parts := strings.Split(name, "/")
	hidden := func(part string) bool { return strings.HasPrefix(part, ".") }
	return fs.ValidPath(name) && len(parts) > 1 && len(parts) <= maxDepth && parts[0] != AssetFolder &&
		!slices.ContainsFunc(parts, hidden) && bundled(parts[len(parts)-1])
}

// maxDepth is how many folders, and a file, a script may be in.
const maxDepth = 8

// named reads the files whose names have an end, by name.
func (r *folder) named(end string) []world.Source {
	names, _ := fs.Glob(r.fsys, "*"+end) // fails for a bad pattern only
	names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, ".") })
	return r.readAll(names)
}

// bundled reports whether a file belongs to the bundle: scripts and view.lua do;
// tests, bots and the backup files of editors do not.
func bundled(name string) bool {
	return strings.HasSuffix(name, ".lua") && !strings.HasPrefix(name, ".") &&
		!strings.HasSuffix(name, testEnd) && !strings.HasSuffix(name, botEnd)
}

func (r *folder) readAll(names []string) (out []world.Source) {
	total := 0
	for _, n := range names {
		text, ok := r.read(n)
		if !ok {
			continue
		}
		if total += len(text); total > MaxBytes {
			r.fail(n, 1, "the scripts have more than %d bytes together", MaxBytes)
			return nil
		}
		out = append(out, world.Source{Name: n, Text: text})
	}
	return out
}

// read returns a file's text without its byte order mark.
func (r *folder) read(name string) (text string, ok bool) {
	data, ok := r.content(name, MaxFileBytes)
	if !ok {
		return "", false
	}
	return r.text(name, data)
}

// content returns the bytes of a file, at most most.
func (r *folder) content(name string, most int64) ([]byte, bool) {
	data, err := ReadFileFS(r.fsys, name, most)
	switch {
	case err == nil:
		return data, true
	case errors.Is(err, fs.ErrNotExist) && !r.isLink(name):
		r.fail(name, 1, "not found: a game is a folder with %s and *.lua files", gameTOML)
	case errors.Is(err, ErrNoFile):
		r.fail(name, 1, "%v", ErrNoFile)
	case errors.Is(err, ErrTooLong):
		advice := ""
		if most == MaxFileBytes {
			advice = ": split it"
		}
		r.fail(name, 1, "more than %d bytes%s", most, advice)
	case r.isLink(name):
		r.fail(name, 1, "is a link that leads to no file of this folder: let it lead to one, or copy the file (%v)",
			reason(err))
	default:
		r.fail(name, 1, "cannot be read: %v", reason(err))
	}
	return nil, false
}

func (r *folder) isLink(name string) bool {
	info, err := fs.Lstat(r.fsys, name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// text checks that a file is UTF-8: JSON would change other bytes on the way to
// clients.
func (r *folder) text(name string, data []byte) (string, bool) {
	if len(data) > MaxFileBytes {
		r.fail(name, 1, "more than %d bytes: split it", MaxFileBytes)
		return "", false
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if at := invalid(text); at >= 0 {
		r.fail(name, 1+strings.Count(text[:at], "\n"), "not UTF-8: byte %#x", text[at])
		return "", false
	}
	return text, true
}

// invalid returns the position of the first byte that is not UTF-8, or -1.
func invalid(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, c := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); c == utf8.RuneError && size == 1 {
			return i
		}
	}
	return -1
}

// reason returns an error without its path, which the Problem names.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
