package gamewatch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// edit is a game folder that a test edits, looked at each tenth of a second of its own time.
type edit struct {
	t      *testing.T
	dir    string
	folder *Folder
	now    time.Duration
}

func newEdit(t *testing.T) *edit {
	t.Helper()
	e := &edit{t: t, dir: filepath.Join(t.TempDir(), "game")}
	e.copy(e.dir, "1")
	folder, err := Open(e.dir)
	if err != nil {
		t.Fatal(err)
	}
	e.folder = folder
	return e
}

// must fails the test.
func (e *edit) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// copy writes a game whose script has one line.
func (e *edit) copy(dir, line string) {
	e.t.Helper()
	e.must(os.MkdirAll(dir, 0o755))
	e.must(os.WriteFile(filepath.Join(dir, "game.toml"), []byte(`name = "mine"`), 0o644))
	e.must(os.WriteFile(filepath.Join(dir, "game.lua"), []byte("-- "+line), 0o644))
}

// after looks at the folder until d has passed, and returns what it found, once each.
func (e *edit) after(d time.Duration) (news []News) {
	for end := e.now + d; e.now < end; {
		e.now += 100 * time.Millisecond
		if n := e.folder.Look(e.now); n != nothing && !slices.Contains(news, n) {
			news = append(news, n)
		}
	}
	return news
}

// finds checks what happens within a second and a half, and which line the script has then.
func (e *edit) finds(what, line string, want ...News) {
	e.t.Helper()
	if got := e.after(1500 * time.Millisecond); !slices.Equal(got, want) {
		e.t.Errorf("%s: found %v, want %v", what, got, want)
	}
	game, err := e.folder.Game()
	e.must(err)
	if got := game.Bundle.Files[0].Text; got != "-- "+line {
		e.t.Errorf("%s: the script is %q", what, got)
	}
	e.folder.Accept()
}

// TestReplacedFolders: a folder is watched by its path, whatever takes its place.
func TestReplacedFolders(t *testing.T) {
	e := newEdit(t)
	e.finds("no edit", "1")

	e.copy(e.dir, "2")
	e.finds("saved", "2", Changed)

	e.must(os.Rename(e.dir, e.dir+".old"))
	e.copy(e.dir, "3")
	e.finds("another folder of the name", "3", Changed)

	e.must(os.RemoveAll(e.dir))
	e.copy(e.dir, "4")
	e.finds("removed and copied", "4", Changed)
	e.copy(e.dir, "5")
	e.finds("saved in the copy", "5", Changed)

	e.copy(e.dir+".new", "6")
	e.must(os.RemoveAll(e.dir))
	e.must(os.Symlink(e.dir+".new", e.dir))
	e.finds("a link", "6", Changed)
	e.must(os.Remove(e.dir))
	e.must(os.Symlink(e.dir+".old", e.dir))
	e.finds("the link leads elsewhere", "2", Changed)
}

// TestGoneAndBack: a folder that is missing for a second is gone, and comes back.
func TestGoneAndBack(t *testing.T) {
	e := newEdit(t)
	away := e.dir + ".away"
	e.must(os.Rename(e.dir, away))
	if got := e.after(900 * time.Millisecond); got != nil {
		t.Errorf("missing for less than a second: found %v", got)
	}
	e.finds("missing", "1", Gone)
	e.finds("still missing", "1")
	e.must(os.Rename(away, e.dir))
	e.finds("the same again", "1", Back)
	e.must(os.Rename(e.dir, away))
	e.finds("missing again", "1", Gone)
	e.copy(e.dir, "2")
	e.finds("another one", "2", Back, Changed)
}

// TestSameSizeAndTime: an edit is found although the file has the size and the time that it had, as
// on a file system that rounds times.
func TestSameSizeAndTime(t *testing.T) {
	e := newEdit(t)
	long := time.Unix(1e9, 0)
	age := func() {
		for _, name := range []string{"game.lua", "game.toml"} {
			e.must(os.Chtimes(filepath.Join(e.dir, name), long, long))
		}
	}
	age()
	e.finds("older", "1")
	e.copy(e.dir, "2")
	age()
	if got := e.after(200 * time.Millisecond); got != nil {
		t.Errorf("found %v at once: the sizes or times differ", got)
	}
	e.after(time.Second)
	e.finds("with the old time", "2", Changed)
}

// TestSteady: a content is steady when it has been the same for a second, and a change that is
// taken back in time is none.
func TestSteady(t *testing.T) {
	e := newEdit(t)
	e.copy(e.dir, "2")
	if got := e.after(300 * time.Millisecond); !slices.Equal(got, []News{Changed}) || e.folder.Steady(e.now) {
		t.Errorf("found %v, steady: %v", got, e.folder.Steady(e.now))
	}
	e.must(os.Remove(filepath.Join(e.dir, "game.toml")))
	e.after(900 * time.Millisecond)
	if _, err := e.folder.Game(); err == nil || e.folder.Steady(e.now) {
		t.Errorf("without game.toml: %v, steady: %v", err, e.folder.Steady(e.now))
	}
	e.after(300 * time.Millisecond)
	if !e.folder.Steady(e.now) {
		t.Error("not steady after a second")
	}
	e.copy(e.dir, "1")
	e.finds("as it was", "1")
}

// TestRelativePath: the working directory may be what is replaced.
func TestRelativePath(t *testing.T) {
	e := newEdit(t)
	t.Chdir(e.dir)
	folder, err := Open(".")
	e.must(err)
	e.folder = folder
	e.must(os.Rename(e.dir, e.dir+".old"))
	e.copy(e.dir, "2")
	e.finds("another working directory", "2", Changed)
	if _, err := Open("nowhere"); err == nil {
		t.Error("a folder that is not there is opened")
	}
}
