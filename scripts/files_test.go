package scripts_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// again loads a bundle from the files of scripts.Files.
func again(t *testing.T, b *bundle.Bundle) *bundle.Bundle {
	t.Helper()
	files, err := scripts.Files(b)
	if err != nil {
		t.Fatal(err)
	}
	dir := fstest.MapFS{}
	for _, f := range files {
		dir[f.Name] = &fstest.MapFile{Data: []byte(f.Text)}
	}
	g, err := scripts.Load(dir, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, files[0].Text)
	}
	if got, want := g.Bundle.Encode(), b.Encode(); string(got) != string(want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	return g.Bundle
}

// TestFilesMakeTheBundleAgain: of the built-in games, of a game with every key of game.toml, and of one with fields
// of every kind.
func TestFilesMakeTheBundleAgain(t *testing.T) {
	games := map[string]fstest.MapFS{
		"everything": folder(everything),
		"fields": withChest(`
[[spawn]]
class = "Chest"
[spawn.fields]
hp = -0.1
open = true
name = "a \"b\""
hits = [4, 5]
slot = { kind = "gold", marks = [8] }
packs = [{ big = true }, {}, { n = 9.5 }]
`),
		"levels": withChest(`
[arena]
width = 30
walls = true
[[spawn]]
class = "Chest"
[level.cave]
height = 12
wall_friction = 0.5
[[level.cave.wall]]
w = 1
h = 1
[[level.cave.wall]]
w = 2
h = 1
angle = 0.5
friction = 0
[[level.cave.spawn]]
class = "Chest"
count = 2
fields = { hp = 3, packs = [{ n = 1 }] }
[level.roof]
walls = true
`),
		"walls": withChest(`
[arena]
walls = true
wall_friction = 0.5
[[wall]]
w = 1
h = 1
friction = 0
`),
	}
	for name, files := range games {
		t.Run(name, func(t *testing.T) {
			g, err := scripts.Load(files, "")
			if err != nil {
				t.Fatal(err)
			}
			again(t, g.Bundle)
		})
	}
	for _, name := range scripts.Games() {
		t.Run(name, func(t *testing.T) {
			fsys, _ := scripts.Builtin(name)
			g, err := scripts.Load(fsys, "")
			if err != nil {
				t.Fatal(err)
			}
			again(t, g.Bundle)
		})
	}
}

// TestFilesLeaveOutDefaults: game.toml is as short as one that a person would write.
func TestFilesLeaveOutDefaults(t *testing.T) {
	files, err := scripts.Files(bundle.New("plain", world.Source{Name: "game.lua"}))
	if err != nil {
		t.Fatal(err)
	}
	if got := files[0].Text; got != "api = 1\nname = \"plain\"\n" {
		t.Errorf("%q", got)
	}
}

// TestFilesInFolders: scripts in subfolders stay there.
func TestFilesInFolders(t *testing.T) {
	files, err := scripts.Files(bundle.New("g", world.Source{Name: "a.lua"}, world.Source{Name: "lib/v.lua", Text: "return 1"}, world.Source{Name: "game.lua"}))
	if err != nil || len(files) != 4 || files[2].Name != "lib/v.lua" {
		t.Errorf("%v, %v", files, err)
	}
}

// TestFilesRefuse: what a hostile host may send, and what only a Go program can say.
func TestFilesRefuse(t *testing.T) {
	for _, name := range []string{"../ship.lua", "/tmp/ship.lua", "a/../ship.lua", "a//ship.lua", "a/./ship.lua", "assets/ship.lua", ".git/ship.lua", "a/.b/ship.lua", `a\ship.lua`, "a/ship_test.lua", "1/2/3/4/5/6/7/8/ship.lua", `..\ship.lua`, "c:ship.lua", "ship.lua\x00", ".ship.lua", "", "game.toml", "ship_test.lua", "run.sh"} {
		if _, err := scripts.Files(bundle.New("g", world.Source{Name: name})); !errors.Is(err, scripts.ErrNoFolder) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for what, change := range map[string]func(b *bundle.Bundle){
		"half a millisecond": func(b *bundle.Bundle) { b.Rules.Lead = 1500 * time.Microsecond },
		"another order":      func(b *bundle.Bundle) { b.Files[0], b.Files[1] = b.Files[1], b.Files[0] },
		"one name twice":     func(b *bundle.Bundle) { b.Files = append(b.Files, b.Files[1]) },
		"too large":          func(b *bundle.Bundle) { b.Files[0].Text = strings.Repeat("-", scripts.MaxFileBytes+1) },
		"not UTF-8":          func(b *bundle.Bundle) { b.Files[0].Text = "-- \xff" },
		"a strange leaf": func(b *bundle.Bundle) {
			b.Setup.Spawns = []world.Spawn{{Class: "A", Count: 1, Fields: []world.NamedValue{{Name: "a[9].b", Value: world.NumberValue(1)}}}}
		},
	} {
		b := bundle.New("g", world.Source{Name: "a.lua"}, world.Source{Name: "game.lua"})
		if _, err := scripts.Files(b); err != nil {
			t.Fatal(err)
		}
		change(b)
		if _, err := scripts.Files(b); !errors.Is(err, scripts.ErrNoFolder) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := scripts.Files(nil); !errors.Is(err, scripts.ErrNoFolder) {
		t.Error(err)
	}
}
