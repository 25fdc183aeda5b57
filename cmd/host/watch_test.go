package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/cmd/host/gamewatch"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/scripts"
)

// lockedLines is a log that two goroutines write.
type lockedLines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// take returns the lines since it was last called, without times, levels and what else a line has.
func (l *lockedLines) take() (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		_, line, _ = strings.Cut(strings.TrimSpace(line), "msg=")
		lines = append(lines, strings.ReplaceAll(strings.Trim(line, `"`), `\"`, `"`))
	}
	l.text.Reset()
	return lines
}

// edited is a room whose game a test edits, looked at each tenth of a second of the test's own time.
type edited struct {
	t        *testing.T
	dir      string
	r        *reloader
	log      lockedLines
	now      time.Duration
	replaced []string // the settings because of which another room is to take the place of this one
	moved    []string // the addresses at which the inspector is to be
}

// editedRoom opens a room with a game of these files.
func editedRoom(t *testing.T, files map[string]string) *edited {
	t.Helper()
	t.Chdir(t.TempDir())
	e := &edited{t: t, dir: "mine"}
	if err := os.Mkdir(e.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(e.dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		e.save(name, text)
	}
	game, err := scripts.LoadDir(e.dir)
	if err != nil {
		t.Fatal(err)
	}
	folder, err := gamewatch.Open(e.dir)
	if err != nil {
		t.Fatal(err)
	}
	logger := slog.New(slog.NewTextHandler(&e.log, nil))
	h, err := host.New(host.Config{Bundle: game.Bundle, Compile: luabind.Compile, Link: memlink.New(1).Host(), Folder: e.dir, Log: logger})
	if err != nil {
		t.Fatal(err)
	}
	driver, over := room.NewDriver(), make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { defer close(over); _ = driver.Run(ctx, h) }()
	t.Cleanup(func() { cancel(); <-over })
	e.r = &reloader{folder: folder, host: h, driver: driver, log: logger, inForce: game,
		problems: &problems{folder: e.dir},
		replace: func(by *scripts.Game, why string, notes []string) {
			e.replaced = append(append(e.replaced, fmt.Sprintf("%s: seed %d", why, by.Bundle.Setup.Seed)), notes...)
		},
		port: 7003, move: func(port int) error { e.moved = append(e.moved, fmt.Sprint(port)); return nil }}
	return e
}

// save writes a file of the game; "": it is removed.
func (e *edited) save(name, text string) {
	e.t.Helper()
	path := filepath.Join(e.dir, name)
	err := os.WriteFile(path, []byte(text), 0o644)
	if text == "" {
		err = os.Remove(path)
	}
	if err != nil {
		e.t.Fatal(err)
	}
}

// after looks at the folder until d has passed, and checks what has been logged.
func (e *edited) after(d time.Duration, want ...string) {
	e.t.Helper()
	for end := e.now + d; e.now < end; {
		e.now += lookEvery
		e.r.look(e.now)
	}
	got := e.log.take()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		e.t.Errorf("logged\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// told returns what the host tells its clients.
func (e *edited) told() (text string) {
	e.t.Helper()
	if err := e.r.onHost(func() { text = strings.Join(e.r.host.Problems().Refused, "\n") }); err != nil {
		e.t.Fatal(err)
	}
	return text
}

// warns checks the likely mistakes of which the host tells its clients.
func (e *edited) warns(want string) {
	e.t.Helper()
	var got string
	if err := e.r.onHost(func() { got = strings.Join(e.r.host.Problems().Warned, "\n") }); err != nil {
		e.t.Fatal(err)
	}
	if got != want {
		e.t.Errorf("clients are warned of %q, want %q", got, want)
	}
}

// tells checks it.
func (e *edited) tells(want string) {
	e.t.Helper()
	if got := e.told(); got != want {
		e.t.Errorf("clients are told %q, want %q", got, want)
	}
}

const (
	shipFile = "Ship = object \"Ship\" { state = { n = 0 }, body = { shape = { circle = 0.5 } } }\n"
	rockFile = "Rock = object \"Rock\" { body = { shape = { circle = 0.5 } } }\n"
	crabFile = "Crab = object \"Crab\" { body = { shape = { circle = 0.5 } } }\n"
	second   = time.Second
)

func crabGame() map[string]string {
	return map[string]string{
		"game.toml": "name = \"mine\"\n[[spawn]]\nclass = \"Rock\"\n", "ship.lua": shipFile, "rock.lua": rockFile, "crab.lua": crabFile,
		"game.lua": "function onJoin(p) spawn(\"Ship\", { owner = p }) end\nfunction onLeave() if #objects(\"Crab\") > 0 then\n  spawn(\"Crab\") end end\n",
	}
}

// TestHalfSavedFiles: what may be half of a file is warned of, on the pages, too. There is an all-clear when it is whole
// again within its second; else what is removed comes first, and what follows from it is counted.
func TestHalfSavedFiles(t *testing.T) {
	e := editedRoom(t, crabGame())
	e.save("ship.lua", " ")
	e.after(second/2, "mine/ship.lua is empty: if that lasts for a second, what it declared is removed")
	e.tells("ship.lua is empty: if that lasts for a second, what it declared is removed")
	e.save("ship.lua", shipFile)
	e.after(2*second, "the files are whole again: nothing is removed")
	e.tells("")

	e.save("ship.lua", " ")
	e.after(2*second, "mine/ship.lua is empty: if", "changed: class Ship removed",
		"mine/ship.lua:1:1: the file is empty; save it whole, or remove it", "scripts reloaded")
	e.tells("")
	e.save("ship.lua", shipFile)
	e.after(2*second, "changed: class Ship added", "scripts reloaded")

	e.save("crab.lua", "")
	e.after(2*second, "mine/crab.lua is gone: if", "changed: class Crab removed",
		"mine/crab.lua is gone, and mine/game.lua:2 names what was in it", "scripts reloaded")
	e.save("crab.lua", crabFile)
	e.after(2*second, "changed: class Crab added", "scripts reloaded")

	// A class that is removed on purpose: the lines that still name it come after that.
	e.save("crab.lua", "-- "+crabFile)
	e.after(2*second, "mine/crab.lua: class Crab is not declared any more: if that lasts for a second", "changed: class Crab removed",
		"mine/game.lua:2:33: objects: there is no class Crab; the scripts declare Rock and Ship (also at game.lua:3)", "scripts reloaded")
}

// TestEndOfWarnings: a reload says how many warnings hold, if there are some or were before.
func TestEndOfWarnings(t *testing.T) {
	e := editedRoom(t, crabGame())
	reload := func(name, text string) string {
		e.save(name, text)
		for range 20 {
			e.now += lookEvery
			e.r.look(e.now)
		}
		got := e.log.take()
		return got[len(got)-1]
	}
	for i, c := range []struct{ text, want string }{
		{"Go = object \"Go\" { input = { Go = \"bool\" } }\n", " warnings=1"}, {"Go = object \"Go\" {}\n", " warnings=0"}, {"Gone = object \"Go\" { state = { n = 1 } }\n", ""},
	} {
		got := reload("go.lua", c.text)
		if !strings.HasPrefix(got, "scripts reloaded") || strings.Contains(got, "warnings") != (c.want != "") || !strings.HasSuffix(got, c.want) {
			t.Errorf("reload %d is logged as %q, want warnings %q", i, got, c.want)
		}
	}
}

// TestFollowUpsAreNew: what was found before a file was gone does not follow from that.
func TestFollowUpsAreNew(t *testing.T) {
	files := crabGame()
	files["old.lua"] = "Old = object \"Old\" { input = { Go = \"bool\" } }\n"
	e := editedRoom(t, files)
	e.save("crab.lua", "")
	e.after(2*second, "mine/crab.lua is gone: if", "changed: class Crab removed", "mine/crab.lua is gone, and mine/game.lua:2 names what was in it",
		"mine/old.lua:1:32: Old declares the input Go and has no applyInput", "scripts reloaded")
}

// TestEditedHooksThatRunLater: whoever changes what runs when a player joins, say, is told that nothing changes at once.
func TestEditedHooksThatRunLater(t *testing.T) {
	e := editedRoom(t, crabGame())
	e.save("game.lua", strings.Replace(crabGame()["game.lua"], "owner = p", "x = 3, owner = p", 1))
	const later = "game: hook onJoin changed, which runs for who joins from now on"
	e.after(2*second, "changed: "+later, "scripts reloaded")
	e.warns("changed: " + later)
	// Another save takes nothing back of that.
	e.save("ship.lua", strings.Replace(shipFile, "0.5", "0.75", 1))
	e.after(2*second, "changed: Ship.body changed", "scripts reloaded")
	e.warns("changed: " + later)
	// Among many changes it comes first.
	e.save("game.lua", crabGame()["game.lua"])
	text, want := "", []string{"changed: " + later}
	for i := range 20 {
		text += fmt.Sprintf("C%d = object \"C%d\" {}\n", i, i)
		want = append(want, "changed: ")
	}
	e.save("many.lua", text)
	e.after(2*second, append(want[:13], "scripts reloaded")...)
	e.save("game.lua", strings.Replace(crabGame()["game.lua"], "owner = p", "x = 3, owner = p", 1))
	e.save("game.toml", strings.Replace(crabGame()["game.toml"], "\n", "\nseed = 9\n", 1))
	e.after(2*second, "changed: game.toml: seed added (9)", "changed: game: hook onJoin changed", "the room starts again")
}

// TestNotesLast: players are told of a note for half a minute, unless the same thing changes again.
func TestNotesLast(t *testing.T) {
	const hook, port = "game: hook onJoin changed, which runs for who joins from now on", "game.toml: net.port was 1, is 2" + anew
	var n notes
	for _, c := range []struct {
		at      time.Duration
		changes []string
		want    int
	}{
		{0, []string{hook, "Ship.body changed"}, 1}, {9 * second, []string{port}, 2}, {10 * second, nil, 2},
		{20 * second, []string{"game.toml: net.port was 2, is 1"}, 1}, {30 * second, nil, 0},
	} {
		if got := n.with(c.at, c.changes); len(got) != c.want {
			t.Errorf("at %v: %q, want %d", c.at, got, c.want)
		}
	}
}

// TestSmallerArenas: whoever makes the arena smaller is told what is outside now: no wall moves it in.
func TestSmallerArenas(t *testing.T) {
	files := crabGame()
	const toml = "name = \"mine\"\n[arena]\nwidth = 40\n[[spawn]]\nclass = \"Rock\"\n[[spawn]]\nclass = \"Rock\"\nx = 15\n"
	files["game.toml"] = toml
	e := editedRoom(t, files)
	e.save("game.toml", strings.Replace(toml, "= 40", "= 38", 1))
	e.after(2*second, "changed: game.toml: arena.width was 40, is 38", "scripts reloaded")
	e.warns("")
	e.save("game.toml", strings.Replace(toml, "= 40", "= 20", 1))
	const left = "changed: game.toml: arena.width was 38, is 20; an object is outside now; walls move nothing"
	e.after(2*second, left, "scripts reloaded")
	e.warns(left)
	e.save("game.toml", strings.Replace(toml, "= 40", "= 18", 1))
	e.after(2*second, "changed: game.toml: arena.width was 20, is 18", "scripts reloaded")
	e.warns("")
}

// TestMistakeOfAModuleOfBoth: what is wrong in a module that view.lua requires as well is logged once, and so is that it is
// mended.
func TestMistakeOfAModuleOfBoth(t *testing.T) {
	files := crabGame()
	files["lib/names.lua"] = "return {}\n"
	files["view.lua"] = "local N = require(\"lib.names\")\n"
	files["rock.lua"] = "local N = require(\"lib.names\")\n" + rockFile
	e := editedRoom(t, files)
	e.save("lib/names.lua", "return { 1 2 }\n")
	e.after(2*second, "saved files are not in force, the old ones stay: mine/lib/names.lua:1: syntax error")
	e.save("lib/names.lua", "return {}\n")
	e.after(2*second, "mine/lib/names.lua:1: syntax error near \"2\"; is a comma missing in the { of line 1?: mended", "the saved files are in force already")
}

// TestNewTestsBesideAFileThatIsGone: what is wrong with a test or a bot that is new does not follow from that.
func TestNewTestsBesideAFileThatIsGone(t *testing.T) {
	files := crabGame()
	files["lib/unused.lua"] = "return {}\n"
	e := editedRoom(t, files)
	e.save("lib/unused.lua", "")
	e.save("x_test.lua", "test(\"a\" function(t) end)\n")
	e.save("x_bot.lua", "x = = 3\n")
	e.after(2*second, "mine/lib/unused.lua is gone: if", "mine/x_test.lua:1:10: syntax error", "mine/x_bot.lua:1:3: syntax error",
		"scripts reloaded", "tests saved: ", "bots saved: ")
}

// TestMistakesOfAllFiles: each mistake of each file is said, those beside broken settings included, and which of them are
// mended when others are left. A long list is cut for clients.
func TestMistakesOfAllFiles(t *testing.T) {
	const refused = "saved files are not in force, the old ones stay: "
	e := editedRoom(t, crabGame())
	e.save("ship.lua", shipFile+"local a = missing\n")
	e.save("rock.lua", rockFile+"local a = vanishing\n")
	e.after(2*second, refused+"mine/rock.lua:2: vanishing", refused+"mine/ship.lua:2: missing")
	e.tells("rock.lua:2: vanishing is not defined\nship.lua:2: missing is not defined")
	e.save("ship.lua", "-- moved\n"+shipFile+"local a = missing\n")
	e.save("rock.lua", rockFile)
	e.after(2*second, "mine/rock.lua:2: vanishing is not defined: mended", refused+"mine/ship.lua:3: missing")
	e.tells("ship.lua:3: missing is not defined")
	e.save("ship.lua", shipFile+"local a = = missing\n")
	e.after(2*second, "mine/ship.lua:3: missing is not defined: mended, or hidden by another mistake", refused+"mine/ship.lua:2: syntax")
	e.save("ship.lua", shipFile)
	e.after(2*second, "mine/ship.lua:2: syntax error near \"=\": mended", "the saved files are in force already")
	e.tells("")

	toml := crabGame()["game.toml"]
	e.save("game.toml", toml+"[players]\nmost = 3\n")
	e.save("ship.lua", shipFile+"local a = missing\n")
	e.after(2*second, refused+"mine/game.toml:5: ", refused+"mine/ship.lua:2: missing")
	e.save("ship.lua", shipFile)
	e.after(2*second, "mine/ship.lua:2: missing is not defined: mended", refused+"mine/game.toml:5: ")
	e.save("game.toml", toml)
	e.after(2*second, "mine/game.toml:5: players.most is unknown: there are grace, max: mended", "the saved files are in force already")

	var many strings.Builder
	for i := range 12 {
		fmt.Fprintf(&many, "local a%d = missing%d\n", i, i)
	}
	e.save("crab.lua", crabFile+many.String())
	e.after(2*second, slices.Repeat([]string{refused + "mine/crab.lua:"}, 12)...)
	if got := strings.Split(e.told(), "\n"); len(got) != 8 || got[7] != "and 5 more mistakes; host check names all" {
		t.Errorf("clients are told %q", got)
	}
}

// TestMissingFileIsTheCause: what does not load because a file is gone is said after that.
func TestMissingFileIsTheCause(t *testing.T) {
	e := editedRoom(t, crabGame())
	e.save("rock.lua", "")
	e.after(2*second, "mine/rock.lua is gone, without which the game does not load: if that lasts for a second, it is refused",
		"saved files are not in force, the old ones stay: mine/rock.lua is gone, and so: mine/game.toml:3: spawn[1].class = \"Rock\"")
	if got := e.told(); !strings.HasPrefix(got, "rock.lua is gone, and so: game.toml:3: spawn[1]") {
		t.Errorf("clients are told %q", got)
	}
	e.save("rock.lua", rockFile)
	e.after(2*second, "mine/rock.lua is gone, and so: mine/game.toml:3: spawn[1].class = \"Rock\": no script declares it; there are Crab and Ship: mended", "the saved files are in force already")
	e.tells("")
	e.save("ship.lua", "Ship =")
	// A cut file that does not load removes nothing: its line is said at once.
	e.after(second/4, "saved files are not in force, the old ones stay: mine/ship.lua:1: syntax error")
	e.after(2 * second)
	e.save("ship.lua", shipFile)
	e.after(2*second, "mine/ship.lua:1: syntax error: the file ends too early; is an 'end' or a bracket missing?: mended", "the saved files are in force already")
	e.save("game.toml", "name = \"mine\"\n[players\n")
	e.after(2*second, "saved files are not in force, the old ones stay: mine/game.toml:2: ")
}

// TestMistakesBesideAMissingFile: a mistake in a file that was edited does not follow from another file that is gone, and
// is said at once.
func TestMistakesBesideAMissingFile(t *testing.T) {
	const refused = "saved files are not in force, the old ones stay: "
	e := editedRoom(t, crabGame())
	e.save("ship.lua", shipFile+"local a = missing\n")
	e.after(second/2, refused+"mine/ship.lua:2: missing is not defined")
	e.save("crab.lua", " ")
	e.after(second/2, refused+"mine/ship.lua:2: missing is not defined", refused+"mine/crab.lua is empty")
	e.after(2 * second)
	e.save("ship.lua", shipFile)
	e.after(second/2, "mine/crab.lua is empty: if that lasts for a second, what it declared is removed")
	e.save("crab.lua", crabFile)
	e.after(2*second, "mine/ship.lua:2: missing is not defined: mended", "the saved files are in force already")
	e.tells("")

	// One that does is said after that.
	e.save("rock.lua", "-- "+rockFile)
	e.after(second/2, refused+"mine/game.toml:3: spawn[1].class = \"Rock\"")
	e.save("rock.lua", rockFile+"RADIUS = 3\n")
	e.save("ship.lua", shipFile+"local a = RADIUS\n")
	e.after(2*second, "mine/game.toml:3: spawn[1].class = \"Rock\": no script declares it; there are Crab and Ship: mended", "nothing keeps", "scripts reloaded")
	e.save("rock.lua", rockFile)
	e.save("ship.lua", shipFile+"local b = RADIUS\nlocal c = missing\n")
	e.after(second/2, refused+"mine/rock.lua has lost its end, and so: mine/ship.lua:2: RADIUS is not defined", refused+"mine/ship.lua:3: missing")
	e.save("ship.lua", shipFile+"local b = RADIUS\n")
	e.save("rock.lua", "")
	e.after(2*second, "mine/rock.lua is gone, without which the game does not load", "mine/ship.lua:3: missing is not defined: mended",
		refused+"mine/rock.lua is gone, and so: mine/ship.lua:2: RADIUS")
}

// TestFolderComesBackMended: what was wrong before the folder was gone is said again if it is so, and only then.
func TestFolderComesBackMended(t *testing.T) {
	const refused = "saved files are not in force, the old ones stay: mine/ship.lua:2: missing is not defined"
	e := editedRoom(t, crabGame())
	e.save("ship.lua", shipFile+"local a = missing\n")
	e.after(second/2, refused)
	away := func(and func()) {
		t.Helper()
		if err := os.Rename("mine", "away"); err != nil {
			t.Fatal(err)
		}
		e.after(2*second, folderGone)
		e.tells(folderGone)
		and()
		if err := os.Rename("away", "mine"); err != nil {
			t.Fatal(err)
		}
	}
	away(func() {})
	e.after(2*second, "the folder of the game is back", refused)
	away(func() {
		if err := os.WriteFile("away/ship.lua", []byte(shipFile), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	e.after(2*second, "the folder of the game is back", "mine/ship.lua:2: missing is not defined: mended", "the saved files are in force already")
	e.tells("")
	away(func() {})
	e.after(2*second, "the folder of the game is back")
	e.tells("")
}

// TestNothingIsRemoved: a file that is gone and declared nothing does not threaten what others declare.
func TestNothingIsRemoved(t *testing.T) {
	files := crabGame()
	files["sub/note.lua"] = "Note = object \"Note\" {}\n" // nothing loads it
	files["view.lua"] = "local function f()\n  return 1\nend\nhud(function() f() end)\n"
	e := editedRoom(t, files)
	e.save("sub/note.lua", "")
	e.after(second/2, "mine/sub/note.lua is gone: if that lasts for a second, the game goes on without it")
	e.after(2*second, "scripts reloaded")
	e.save("view.lua", "local function f()\n  return 1\n")
	e.after(second/4, "saved files are not in force, the old ones stay: mine/view.lua:")
	if got := e.told(); !strings.HasPrefix(got, "view.lua:") {
		t.Errorf("clients are told %q", got)
	}
	e.save("view.lua", "local function f()\n  return 1\nend\n")
	e.after(second/2, "mine/view.lua has lost its end: if that lasts for a second, it is in force as it is")
	e.after(second, "mine/view.lua:1: syntax error", "nothing keeps", "view.lua reloaded: clients show it at once")
}

// TestEntryIsNoDeletedHook: a game that begins to ask its players still has its onJoin.
func TestEntryIsNoDeletedHook(t *testing.T) {
	e := editedRoom(t, crabGame())
	e.save("game.lua", "entry { kit = { \"Scout\", \"Tank\" } }\n"+crabGame()["game.lua"])
	e.after(second/2, "changed: entry: players are asked before they join; who plays already is not asked", "scripts reloaded")
	e.save("game.lua", crabGame()["game.lua"])
	e.after(2*second, "changed: entry: players are asked nothing any more; who had not answered joins, and onJoin gets no answers", "scripts reloaded")
}

// TestDeletedHook: a hook that was deleted at the end of a file is named, and not the end; so is a class.
func TestDeletedHook(t *testing.T) {
	files := crabGame()
	files["ship.lua"] = shipFile + "function Ship:tick() self.n = 1 end\nWreck = object \"Wreck\" {}\n"
	e := editedRoom(t, files)
	e.save("ship.lua", shipFile+"function Ship:tick() self.n = 1 end\n")
	e.after(second/2, "mine/ship.lua: class Wreck is not declared any more: if that lasts for a second")
	e.after(2*second, "changed: class Wreck removed", "scripts reloaded")
	e.save("ship.lua", shipFile)
	e.after(second/2, "mine/ship.lua: Ship:tick is not there any more: if that lasts for a second, it is removed")
	e.tells("ship.lua: Ship:tick is not there any more: if that lasts for a second, it is removed")
	e.after(2*second, "changed: Ship: hook tick removed", "scripts reloaded")
}

// TestMendedWithOtherEdits: after a refusal it is said that the saved files are in force, also if the save that mends them
// changes settings, pictures or tests.
func TestMendedWithOtherEdits(t *testing.T) {
	e := editedRoom(t, crabGame())
	for _, more := range [][2]string{{"game.toml", crabGame()["game.toml"] + "[net]\nhttp = 7790\n"}, {"a_test.lua", "test(\"a\", function() end)\n"}} {
		e.save("ship.lua", shipFile+"=")
		e.after(2*second, "saved files are not in force, the old ones stay: mine/ship.lua:2: ")
		e.save("ship.lua", shipFile)
		e.save(more[0], more[1])
		for range 20 {
			e.now += lookEvery
			e.r.look(e.now)
		}
		if got := e.log.take(); len(got) < 2 || got[len(got)-1] != "the saved files are in force already" {
			t.Errorf("%s was saved with the mended file, and the log ends with %q", more[0], got)
		}
		e.tells("")
	}
}

// TestAllThatIsLostIsNamed: an edit that loses several hooks or classes is warned of with all of them and their files, up
// to a bound.
func TestAllThatIsLostIsNamed(t *testing.T) {
	files := crabGame()
	hooks := "function Ship:tick() self.n = 1 end\nfunction Ship:onContact() self.n = 2 end\n"
	files["ship.lua"] = shipFile + hooks + "function Ship:onRemove() end\n"
	files["rock.lua"] = rockFile + "function Rock:tick() end\n"
	e := editedRoom(t, files)
	e.save("ship.lua", strings.ReplaceAll(files["ship.lua"], "Ship:", "Rock:"))
	e.save("rock.lua", rockFile)
	e.after(second/2, "mine/ship.lua: Ship:tick, Ship:onContact, Ship:onRemove are not there any more: if that lasts for a second, they are removed")
	e.save("ship.lua", strings.Replace(shipFile, "Ship", "Boat", 2)+rockFile)
	e.save("rock.lua", "-- empty")
	e.after(second/2, "mine/rock.lua: Rock:tick; mine/ship.lua: class Ship are not there any more: if that lasts for a second, they "+
		"and the objects of these classes are removed")
	e.save("ship.lua", files["ship.lua"])
	e.save("rock.lua", files["rock.lua"])
	e.after(2*second, "the files are whole again: nothing is removed")

	many := strings.Builder{}
	for i := range maxLost + 2 {
		fmt.Fprintf(&many, "C%d = object \"C%d\" { body = { shape = { circle = 0.5 } } }\n", i, i)
	}
	e.save("many.lua", many.String())
	e.after(second/2, "changed: class C0 added", "changed: class C1 added", "changed: class C2 added", "changed: class C3 added",
		"changed: class C4 added", "changed: class C5 added", "changed: class C6 added", "changed: class C7 added", "scripts reloaded")
	e.save("many.lua", "-- none of them\n")
	e.after(second/2, "mine/many.lua: class C0, class C1, class C2, class C3, class C4, class C5 and 2 more are not there any more: if")
}

// botsNote is what clients are told of saved bots.
const botsNote = wire.Note + "bots: clients that start from now on play as they say"

// TestEditedTests: what is wrong with a test file is said when it is saved, although nothing changes in the room.
func TestEditedTests(t *testing.T) {
	e := editedRoom(t, crabGame())
	e.save("a_test.lua", "test(\"a\", function(t) t:worl() end)\n")
	e.after(2*second, "mine/a_test.lua:1:25: a test has no method worl; did you mean world?",
		"tests saved: nothing changes in the room; host test mine runs them\" warnings=1")
	e.warns("a_test.lua:1:25: a test has no method worl; did you mean world?")
	e.save("a_test.lua", "test(\"a\", function(t) t:world() end)\n")
	e.after(2*second, "tests saved: nothing changes in the room; host test mine runs them\" warnings=0")
	e.warns("")
	e.save("a_bot.lua", "x = = 3\n")
	e.after(2*second, "mine/a_bot.lua:1:3: syntax error near", "bots saved: nothing changes in the room; clients that start from now on play as they say\" warnings=1")
	e.warns("a_bot.lua:1:3: syntax error near \"=\"; look before it for a missing 'then', 'do', 'end', comma or bracket\n" + botsNote)
	e.save("a_bot.lua", "function bot(me, world) return {} end\n")
	e.after(2*second, "bots saved: nothing changes in the room; clients that start from now on play as they say\" warnings=0")
	e.warns(botsNote)
	e.save("ship.lua", strings.Replace(shipFile, "0.5", "0.75", 1))
	e.after(2*second, "changed: Ship.body changed", "scripts reloaded")
	e.warns("")

	// The same with scripts that are saved together with them.
	e.save("a_test.lua", "test(\"b\", function(t) t:world() end)\n")
	e.save("a_bot.lua", "function bot(me, world) return nil end\n")
	e.save("ship.lua", shipFile)
	e.after(2*second, "changed: Ship.body changed", "scripts reloaded", "tests saved: host test mine runs them",
		"bots saved: clients that start from now on play as they say")
	e.warns(botsNote)
}

// TestMistakesBesideRefusedScripts: a test or a bot that does not load is named while the scripts or the settings do not
// load, once, and again when they do.
func TestMistakesBesideRefusedScripts(t *testing.T) {
	const refused = "saved files are not in force, the old ones stay: "
	e := editedRoom(t, crabGame())
	e.save("ship.lua", shipFile+"local a = missing\n")
	e.save("a_bot.lua", "x = = 3\n")
	e.after(2*second, refused+"mine/ship.lua:2: missing", "mine/a_bot.lua:1: syntax error near")
	e.warns("a_bot.lua:1: syntax error near \"=\"")
	e.save("a_test.lua", "test(\n")
	e.after(2*second, refused+"mine/ship.lua:2: missing", "mine/a_test.lua:1: syntax error")
	toml := crabGame()["game.toml"]
	e.save("game.toml", toml+"[players]\nmost = 3\n")
	e.after(2*second, refused+"mine/game.toml:5: ", refused+"mine/ship.lua:2: missing")
	e.save("b_bot.lua", "y = = 3\n")
	e.after(2*second, refused+"mine/game.toml:5: ", refused+"mine/ship.lua:2: missing", "mine/b_bot.lua:1: syntax error near")
	e.save("b_bot.lua", "")
	e.save("a_test.lua", "")
	e.save("game.toml", toml)
	e.after(2*second, "mine/game.toml:5: players.most is unknown: there are grace, max: mended", refused+"mine/ship.lua:2: missing",
		"mine/a_test.lua:1: syntax error: the file ends too early; the ( of line 1 is not closed: mended",
		"mine/b_bot.lua:1: syntax error near \"=\": mended")
	e.warns("a_bot.lua:1: syntax error near \"=\"")
	e.save("ship.lua", shipFile)
	e.after(2*second, "mine/ship.lua:2: missing is not defined: mended", "mine/a_bot.lua:1:3: syntax error near", "bots saved",
		"the saved files are in force already")
}

// TestEditedSettings: each setting is in force, or it is said why it is not. A new seed restarts the room, and a new port of
// the inspector moves that.
func TestEditedSettings(t *testing.T) {
	e := editedRoom(t, crabGame())
	toml := crabGame()["game.toml"]
	e.save("game.toml", strings.Replace(toml, "\n", "\nseed = 9\n", 1))
	e.after(2*second, "changed: game.toml: seed added (9)", "the room starts again, and its players return")
	if !slices.Equal(e.replaced, []string{"seed has changed, so the room starts again: seed 9"}) {
		t.Errorf("replaced because of %q", e.replaced)
	}
	e = editedRoom(t, crabGame())
	e.save("game.toml", strings.Replace(toml, "\n", "\nseed = 9\ntick_rate = 30\n", 1))
	e.after(2*second, "changed: game.toml: seed added (9)", "changed: game.toml: tick_rate added (30)",
		"the room starts again, and its players return\" changed=\"seed and tick_rate")
	if !slices.Equal(e.replaced, []string{"seed and tick_rate have changed, so the room starts again: seed 9"}) {
		t.Errorf("replaced because of %q", e.replaced)
	}

	// What the restart does not put in force either is handed to the next room, which tells its players.
	e = editedRoom(t, crabGame())
	e.r.flags = map[string]string{"net.http": "-http"}
	e.save("game.toml", strings.Replace(toml, "\n", "\nseed = 9\n", 1)+"[net]\nport = 7003\nhttp = 7001\n[players]\nmax = 4\n")
	e.after(2*second, "changed: game.toml: net.http added (7001); -http has precedence", "changed: game.toml: net.port added (7003)",
		"changed: game.toml: players.max", "changed: game.toml: seed added (9)", "the room starts again, and its players return")
	if want := []string{"seed has changed, so the room starts again: seed 9",
		wire.Note + "game.toml: net.http added (7001); -http has precedence"}; !slices.Equal(e.replaced, want) {
		t.Errorf("replaced because of %q, want %q", e.replaced, want)
	}

	e = editedRoom(t, crabGame())
	e.save("game.toml", strings.Replace(toml, "Rock", "Rok", 1))
	e.after(2*second, "saved files are not in force, the old ones stay: mine/game.toml:3")
	e.save("game.toml", strings.Replace(toml, "\n", "\nseed = 9\n", 1))
	e.after(2*second, "mine/game.toml:3: spawn[1].class = \"Rok\": no script declares it; did you mean Rock?: mended",
		"changed: game.toml: seed added (9)", "the room starts again, and its players return")

	e = editedRoom(t, crabGame())
	e.save("game.toml", toml+"[net]\nport = 7003\n")
	e.after(2*second, "changed: game.toml: net.port added (7003)")
	e.save("game.toml", toml+"[net]\nport = 7000\n")
	e.after(2*second, "changed: game.toml: net.port was 7003, is 7000; in force when the host starts again: players return to the address "+
		"that they know")
	e.warns("changed: game.toml: net.port was 7003, is 7000; in force when the host starts again: players return to the address that they know")
	e.save("game.toml", toml+"[net]\nport = 7000\nhttp = 7001\n")
	e.after(2*second, "changed: game.toml: net.http added (7001)")
	if !slices.Equal(e.moved, []string{"7001"}) || e.replaced != nil {
		t.Errorf("moved to %q, replaced because of %q", e.moved, e.replaced)
	}

	e = editedRoom(t, crabGame())
	e.r.flags = map[string]string{"seed": "-seed", "net.port": "-listen", "net.http": "-http"}
	e.save("game.toml", strings.Replace(toml, "\n", "\nseed = 9\n", 1)+"[net]\nport = 7000\nhttp = 7001\n")
	e.after(2*second, "changed: game.toml: net.http added (7001); -http has precedence",
		"changed: game.toml: net.port added (7000); -listen has precedence", "changed: game.toml: seed added (9); -seed has precedence")
	if e.moved != nil || e.replaced != nil {
		t.Errorf("moved to %q, replaced because of %q", e.moved, e.replaced)
	}

	// Scripts and settings that change together are both named.
	e = editedRoom(t, crabGame())
	e.save("ship.lua", strings.Replace(shipFile, "0.5", "0.75", 1))
	e.save("game.toml", toml+"[players]\nmax = 4\n")
	e.after(2*second, "changed: game.toml: players.max added (4)", "changed: Ship.body changed", `scripts reloaded" changed="ship.lua game.toml"`)
}

// TestEverySettingApplies: an edit of any key of game.toml is in force for those who play, or restarts the room.
func TestEverySettingApplies(t *testing.T) {
	restarts := []string{"tick_rate", "seed", "history.max_rewind", "history.max_seen", "input.repeat", "input.max_ahead", "input.lead"}
	for _, key := range []string{"name = \"other\"", "tick_rate = 30", "seed = 2", "history.max_rewind = 300", "history.rewind_work = 4",
		"history.max_seen = 500", "input.repeat = 100", "input.max_ahead = 500", "input.redundancy = 8", "input.again = \"newest\"",
		"input.lead = 2", "players.max = 3", "players.grace = 1000", "limits.objects = 100", "limits.catch_up = 500", "physics.substeps = 2",
		"physics.gravity = [0, -9]", "physics.sleep = false", "arena.width = 30", "arena.height = 20", "arena.walls = true",
		"arena.wall_friction = 0.5", "arena.wall_restitution = 0.5", "correct.position = 0.1", "correct.angle = 0.1", "correct.velocity = 0.5",
		"correct.angular_velocity = 0.5", "snapshots.rate = 10", "snapshots.bytes = 500", "snapshots.range = 10", "snapshots.layers.wall = 5",
		"prediction.range = 10", "prediction.layers.wall = 5", "interpolation.first = 50", "interpolation.least = 10", "interpolation.most = 500",
		"interpolation.extrapolate = 100"} {
		e := editedRoom(t, crabGame())
		rest := crabGame()["game.toml"]
		if strings.HasPrefix(key, "name") {
			_, rest, _ = strings.Cut(rest, "\n")
		}
		e.save("game.toml", key+"\n"+rest)
		for range 20 {
			e.now += lookEvery
			e.r.look(e.now)
		}
		name, _, _ := strings.Cut(key, " ")
		got := strings.Join(e.log.take(), "\n") + "\n"
		last := "scripts reloaded"
		if strings.HasPrefix(name, "arena.wall_") { // there are no walls that it may change
			last = ""
		}
		if slices.Contains(restarts, name) {
			last = "the room starts again"
		}
		// A busy machine has the room say before that it is slow.
		if !strings.Contains("\n"+got, "\nchanged: game.toml: "+name+" ") || !strings.Contains(got, "\n"+last) {
			t.Errorf("%s: logged\n%s", key, got)
		}
	}
}
