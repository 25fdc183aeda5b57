package scripts_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hindcast/hindcast/scripts"
)

// documented returns the game.toml of the package comment.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range strings.Split(string(text), "\n") {
		if in := len(out) > 0 || strings.HasPrefix(l, "//\tname ="); in && (strings.HasPrefix(l, "//\t") || l == "//") {
			out = append(out, strings.TrimLeft(l, "/\t"))
		} else if in {
			break
		}
	}
	return strings.Join(out, "\n")
}

func lua(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

func TestWhichFilesAreScripts(t *testing.T) {
	g, err := scripts.Load(fstest.MapFS{"game.toml": lua("name = 'a'"), "game.lua": lua("g"), "ship.lua": lua("\ufeffs"), "a.lua": lua("a\r\n"),
		"zoo.lua": lua("z"), "Big.lua": lua("b"), "view.lua": lua("v"), "ship_test.lua": lua("t"), "hunter_bot.lua": lua("h"), ".#ship.lua": lua("e"),
		"README.md": lua("r"), "sub/x.lua": lua("x"),
		"sub/deep/y.lua": lua("d"), "sub/x_test.lua": lua("t"), ".git/x.lua": lua("x"), "a/.b/x.lua": lua("x")}, "")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range g.Bundle.Files {
		got = append(got, fmt.Sprintf("%s=%q", f.Name, f.Text))
	}
	want := []string{`Big.lua="b"`, `a.lua="a\r\n"`, `ship.lua="s"`, `sub/deep/y.lua="d"`, `sub/x.lua="x"`, `view.lua="v"`, `zoo.lua="z"`, `game.lua="g"`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestFoldersWithNamesOfScripts: a folder is no script, and not silently none.
func TestFoldersWithNamesOfScripts(t *testing.T) {
	_, err := scripts.Load(fstest.MapFS{"game.toml": lua("name = 'a'"), "game.lua": lua("g"), "dir.lua/x.lua": lua("y")}, "")
	const want = "dir.lua:1: is a folder, and a script is a file: give the folder a name without .lua"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func many(n, size int) fstest.MapFS {
	m := fstest.MapFS{"game.toml": lua("name = 'a'")}
	for i := range n {
		m[fmt.Sprintf("s%03d.lua", i)] = lua(strings.Repeat("-", size))
	}
	return m
}

func TestFolderErrors(t *testing.T) {
	toml := lua("name = 'a'")
	for _, c := range []struct {
		files fstest.MapFS
		want  []string
	}{
		{fstest.MapFS{}, []string{"g/game.toml:1: not found: a game is a folder with game.toml and *.lua files"}},
		{fstest.MapFS{"game.toml": toml}, []string{"g/game.toml:1: there is no *.lua file beside it: a game needs a script"}},
		{fstest.MapFS{"game.toml/x": toml, "game.lua": lua("")}, []string{"g/game.toml:1: is not a file"}},
		{fstest.MapFS{"game.toml": toml, "game.lua": {Mode: fs.ModeNamedPipe}}, []string{"g/game.lua:1: is not a file"}},
		{fstest.MapFS{"game.toml": toml, "game.lua": lua("-- \xc3\xa9\n\n-- \xe9\n")}, []string{"g/game.lua:3: not UTF-8: byte 0xe9"}},
		{fstest.MapFS{"game.toml": toml, "game.lua": lua(strings.Repeat("x", scripts.MaxFileBytes+1))}, []string{"g/game.lua:1: more than 131072 bytes: split it"}},
		{many(scripts.MaxFiles+1, 1), []string{"g/game.toml:1: 201 *.lua files beside it: at most 200"}},
		{many(9, scripts.MaxFileBytes), []string{"g/s008.lua:1: the scripts have more than 1048576 bytes together"}},
		{fstest.MapFS{"game.toml": lua("name = 'a'\nseed = 'x'"), "b.lua": lua("\xff"), "a.lua": lua("\n\xff")},
			[]string{"g/a.lua:2: not UTF-8", "g/b.lua:1: not UTF-8", "g/game.toml:2: seed"}},
	} {
		_, err := scripts.Load(c.files, "g")
		got := complaints(err)
		if len(got) != len(c.want) || !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

func TestCapsAreInclusive(t *testing.T) {
	for _, files := range []fstest.MapFS{many(scripts.MaxFiles, 1), many(8, scripts.MaxFileBytes)} {
		if _, err := scripts.Load(files, "g"); err != nil {
			t.Error(err)
		}
	}
}

// TestTooBigToSend: JSON spells some bytes with six.
func TestTooBigToSend(t *testing.T) {
	files := many(8, 0)
	for n := range files {
		if n != "game.toml" {
			files[n] = lua(strings.Repeat("<", scripts.MaxFileBytes))
		}
	}
	_, err := scripts.Load(files, "g")
	if got := complaints(err); len(got) != 1 || !strings.HasPrefix(got[0], "g/game.toml:1: the game has 6") {
		t.Errorf("%q", got)
	}
}

func TestLoadDirNamesTheOriginalPath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("my game", 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join("my game", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("game.toml", "name = 'a'\nfoo = 1\n")
	write("game.lua", "")
	for path, want := range map[string]string{"my game": "my game/game.toml:2: ", "./my game/": "./my game/game.toml:2: ", dir + "/my game": dir + "/my game/game.toml:2: "} {
		if _, err := scripts.LoadDir(path); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := scripts.LoadDir("nowhere"); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "nowhere: ") {
		t.Errorf("%v", err)
	}
	if _, err := scripts.LoadDir("my game/game.lua"); err == nil || !strings.HasPrefix(err.Error(), "my game/game.lua: not a folder") {
		t.Errorf("%v", err)
	}
	write("game.toml", "name = 'a'\n")
	if g, err := scripts.LoadDir("my game"); err != nil || g.Bundle.Game != "a" {
		t.Errorf("%v", err)
	}
}

func TestBuiltins(t *testing.T) {
	if names := scripts.Games(); len(names) == 0 || names[0] != "arena" || slices.Contains(names, "bots") {
		t.Errorf("games %v", names)
	}
	for _, n := range scripts.Games() {
		fsys, ok := scripts.Builtin(n)
		if !ok {
			t.Fatalf("no game %s", n)
		}
		if _, err := scripts.Load(fsys, n); err != nil {
			t.Error(err)
		}
	}
	for _, n := range []string{"", "bots", "nothing", "arena/..", "."} {
		if _, ok := scripts.Builtin(n); ok {
			t.Errorf("there is a game %q", n)
		}
	}
	if names := scripts.Bots(); !slices.Equal(names, []string{"chase", "circle", "idle", "random"}) {
		t.Errorf("bots %v", names)
	}
	for _, n := range scripts.Bots() {
		if text, ok := scripts.Bot(n); !ok || !strings.Contains(text, "function bot(me, world)") {
			t.Errorf("bot %s: %q", n, text)
		}
	}
	if _, ok := scripts.Bot("../arena/ship"); ok {
		t.Error("a bot outside bots")
	}
}
