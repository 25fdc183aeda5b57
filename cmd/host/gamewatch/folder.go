package gamewatch

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// News is what a look at a folder found.
type News int

// What a look can find.
const (
	nothing News = iota
	Changed      // the content differs from the accepted one, and has not changed for a moment
	Gone         // the folder has not been there for a second
	Back         // it is there again
)

const (
	// quiet is how long a content must stay the same before it counts: editors save in several
	// steps.
	quiet = 100 * time.Millisecond
	// steady is how long a content must stay the same if it may be half of one.
	steady = time.Second
	// reread is how long files whose sizes and times stay the same are not read again. Some file
	// systems round times to two seconds.
	reread = 2 * time.Second
)

// Folder is the folder of a game that is being edited.
type Folder struct {
	path string // absolute: the working directory may be what is replaced
	name string // as the user named it
	game *scripts.Game
	err  error // why there is no game
	// if what is wrong is beside the scripts
	scripts, tests, bots []world.Source

	entries  [sha256.Size]byte // names, sizes and times of the files
	read     time.Duration     // when the files were read
	content  [sha256.Size]byte // what was read
	since    time.Duration     // since when the content has been the same
	accepted [sha256.Size]byte // the content that is in use, or was refused

	missing      bool          // the folder is not there
	missingSince time.Duration // since when
	gone         bool          // and Look said so
}

// Open returns a folder whose present content is accepted.
func Open(dir string) (*Folder, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", dir, err)
	}
	f := &Folder{path: path, name: dir}
	entries, err := f.list()
	if err != nil {
		return nil, fmt.Errorf("watching %s: %w", dir, err)
	}
	f.entries = entries
	f.load(0)
	f.Accept()
	return f, nil
}

// Look looks at the folder.
func (f *Folder) Look(now time.Duration) News {
	entries, err := f.list()
	if err != nil {
		return f.lost(now)
	}
	f.missing = false
	if entries != f.entries || now-f.read >= reread {
		f.entries = entries
		f.load(now)
	}
	switch {
	case f.gone:
		f.gone = false
		return Back
	case f.content != f.accepted && now-f.since >= quiet:
		return Changed
	}
	return nothing
}

// lost notes that the folder is not there.
func (f *Folder) lost(now time.Duration) News {
	if !f.missing {
		f.missing, f.missingSince = true, now
	}
	f.since, f.entries = now, [sha256.Size]byte{} // what comes back is new, whatever its times
	if f.gone || now-f.missingSince < steady {
		return nothing
	}
	f.gone = true
	return Gone
}

// Game returns the game in the folder, as the last look found it. The error is that of
// scripts.LoadDir.
func (f *Folder) Game() (*scripts.Game, error) { return f.game, f.err }

// Sources returns the scripts, tests and bots of a folder without a game because of what is wrong beside them, as in
// game.toml.
func (f *Folder) Sources() (scripts, tests, bots []world.Source) { return f.scripts, f.tests, f.bots }

// Steady reports whether the content has been the same for a second: nobody is in the middle of
// saving it.
func (f *Folder) Steady(now time.Duration) bool { return now-f.since >= steady }

// Accepted reports whether the folder is there and has the content that was accepted.
func (f *Folder) Accepted() bool { return !f.missing && f.content == f.accepted }

// Accept makes Look report Changed only when the content differs from the present one.
func (f *Folder) Accept() { f.accepted = f.content }

// list returns the hash of the names, sizes and times of the files.
func (f *Folder) list() (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	if err := listTo(h, f.path); err != nil {
		return sum, err
	}
	_ = scripts.Walk(os.DirFS(f.path), ".", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || !e.IsDir() || path == ".":
		case strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		default:
			return listTo(h, filepath.Join(f.path, filepath.FromSlash(path)))
		}
		return nil // or the next look finds them
	})
	return [sha256.Size]byte(h.Sum(nil)), nil
}

// listTo writes the names, sizes and times of the files of one folder.
func listTo(h io.Writer, dir string) error {
	entries, err := scripts.ReadDir(dir)
	for _, e := range entries {
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil { // what a link leads to
			fmt.Fprintf(h, "%q %d %d %v\n", e.Name(), info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
	}
	return err
}

// readable returns all scripts, tests and bots, if what is wrong is beside them.
func (f *Folder) readable() (files, tests, bots []world.Source) {
	root, err := os.OpenRoot(f.path)
	if err != nil || !scripts.BesideScripts(f.err) {
		return nil, nil, nil
	}
	defer root.Close()
	return scripts.Sources(scripts.FS(root))
}

// load reads the game.
func (f *Folder) load(now time.Duration) {
	f.game, f.err = scripts.LoadAt(f.path, f.name)
	var content [sha256.Size]byte
	f.scripts, f.tests, f.bots = nil, nil, nil
	if f.err != nil {
		f.scripts, f.tests, f.bots = f.readable()
		content = sha256.Sum256(fmt.Appendf(nil, "%v %q %q %q", f.err, f.scripts, f.tests, f.bots))
	} else {
		g := f.game
		// Settings without effect, too: it is said that they have changed.
		content = sha256.Sum256(fmt.Appendf(g.Bundle.Encode(), "%q %v %q %q", g.Settings(), g.Assets.Hash(), g.Tests,
			g.Bots))
	}
	if f.read = now; content != f.content {
		f.content, f.since = content, now
	}
}
