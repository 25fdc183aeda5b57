//go:build external && unix

package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// loopGame is a game whose files a test edits: a ship of a colour, and a class that only the host simulates, which is
// broken.
func loopGame(color, extra string) map[string]string {
	return map[string]string{
		"game.toml": "name = \"loop\"\n[arena]\nwidth = 30\nheight = 18\n",
		"ship.lua": "Ship = object \"Ship\" {\n  input = { Left = \"bool\" },\n  body = { shape = { circle = 2 } },\n" +
			"  look = { color = \"" + color + "\" },\n}\n" + extra +
			// without a likely mistake, which pages show for half a minute
			"function Ship:applyInput(i) if i.Left then self:setAngularVelocity(1) end end\n",
		"game.lua": `function onJoin(p) spawn("Ship", { owner = p, x = 4 * p - 8 }) end`,
	}
}

const (
	red   = "r > 200 && g < 60 && b < 60"
	green = "g > 200 && r < 60 && b < 60"
	panel = "document.getElementById('errors')"
)

// mark notes in the page that it is this one, and who plays.
func (b *browser) mark() {
	b.t.Helper()
	b.WaitFor("window.hindcast.view?.player > 0 && " + ownBody + " !== undefined")
	b.Eval("(() => { window.same = true; window.player = window.hindcast.view.player; return 1; })()", new(int))
}

// same is that the page was not loaded again, and its player is the one before.
const same = "window.same && window.hindcast.view.player === window.player && " + ownBody + " !== undefined && document.getElementById('notice').hidden"

// TestBrowserSaysWhatIsWrongWithTheScripts: a script that does not load is on the page that is played and on that of a
// spectator, with file and line, until it is mended; the panel can be closed. So is a hook that fails in a class that
// only the host simulates.
func TestBrowserSaysWhatIsWrongWithTheScripts(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write(t, dir, loopGame("#f00", ""))
	addr := startHost(t, dir)
	player, spectator := startBrowser(t), startBrowser(t)
	player.Open(startClient(t, addr))
	spectator.Open(startClient(t, "-watch", addr))
	both := func(js string) {
		t.Helper()
		player.WaitFor(js)
		spectator.WaitFor(js)
	}
	player.mark()
	both(count(red) + " > 1000")

	write(t, dir, loopGame("#0f0", "local = 3\n"))
	both("!" + panel + ".hidden && /ship.lua:6.*syntax error.*not in force/.test(" + panel + ".innerText)")
	both("!" + panel + ".innerText.includes('" + filepath.Base(dir) + "')") // where the folder is concerns nobody
	shot(player, "refused.png")
	player.Size(390, 844, 2)
	shot(player, "refused-phone.png")
	player.Size(1280, 800, 1)
	player.Click("close-errors")
	player.WaitFor(panel + ".hidden && " + count(red) + " > 1000")
	write(t, dir, loopGame("#0f0", "\nlocal = 3\n"))
	player.WaitFor("!" + panel + ".hidden && " + panel + ".innerText.includes('ship.lua:7')")
	// Mistakes in two files: there is a line for each, and then for the one that is left.
	write(t, dir, map[string]string{"zone.lua": "local z = nowhere"})
	both(panel + ".querySelectorAll('p').length === 2 && " + panel + ".innerText.includes('ship.lua:7') && " + panel + ".innerText.includes('zone.lua:1')")
	shot(player, "refused-both.png")
	write(t, dir, loopGame("#0f0", ""))
	both(panel + ".querySelectorAll('p').length === 1 && " + panel + ".innerText.includes('zone.lua:1')")
	write(t, dir, map[string]string{"zone.lua": "-- nothing"})
	both(panel + ".hidden && " + count(green) + " > 1000")

	write(t, dir, map[string]string{"zone.lua": `Far = object "Far" { body = { shape = { circle = 1 } }, lod = "interpolate" }

function Far:tick() self.near.far = 1 end
function Ship:tick() if #objects("Far") == 0 then for i = 1, 3 do spawn("Far", { y = i * 3 }) end end end`})
	both("/zone.lua:3 Far has no field or method near.*Far:tick, object [0-9a-f]+ and 2 others, tick \\d+, paused until tick \\d+ .for \\d+ s/.test(" + panel + ".innerText.replaceAll('\\n', ' '))")
	shot(player, "failed.png")
	player.Size(390, 844, 2)
	shot(player, "failed-phone.png")
	player.Size(1280, 800, 1)
	write(t, dir, map[string]string{"zone.lua": "-- nothing"})
	both(panel + ".hidden")
	player.WaitFor(same)

	// A function that shows a field runs on the pages only: in that of the player, who needs it for other objects or at
	// another tick rate, too.
	write(t, dir, map[string]string{"zone.lua": `Mark = object "Mark" { body = { shape = { circle = 1 } },
  look = { label = "{bumps}" }, state = { bumps = { "number", show = function(a, b, f) return a.x + b end } } }
function Mark:tick() self.bumps = self.bumps + 1 end
function Ship:tick() if #objects("Mark") == 0 then spawn("Mark", { y = 5 }) end end`})
	both("!" + panel + ".hidden && /zone.lua:2 Mark.bumps: attempt to index a number value.*show$/.test(" + panel +
		".innerText.replaceAll('\\n', ' ').trim().replace(/ ×$/, ''))")
	shot(player, "show.png")
	write(t, dir, map[string]string{"zone.lua": "-- nothing"})
	both(panel + ".hidden")
	player.WaitFor(same)

	// view.lua runs on the pages only.
	write(t, dir, map[string]string{"view.lua": "hud(function(v)\n  local x = v.none.y\nend)"})
	both("!" + panel + ".hidden && " + panel + ".innerText.includes('view.lua:2')")
	shot(player, "view.png")
	write(t, dir, map[string]string{"view.lua": "-- nothing"})
	both(panel + ".hidden")

	// A file that is emptied: the page warns before what is in it is removed, and closes the panel by itself.
	player.Eval(`(() => { window.said = ''; new MutationObserver(() => { window.said += document.getElementById('error-list').innerText; })
		.observe(document.getElementById('error-list'), { childList: true, subtree: true }); return 1; })()`, new(int))
	write(t, dir, map[string]string{"ship.lua": ""})
	player.WaitFor("/ship.lua is empty: if that lasts for a second/.test(window.said.replaceAll('\\n', ' ')) && " + ownBody + " === undefined")
	// What was lost is said until there is a ship again.
	lost := "/the class Ship is not declared any more: its objects were removed in tick \\d+ .1 of them, yours too/.test(" + panel + ".innerText)"
	player.WaitFor("!" + panel + ".hidden && " + lost)
	shot(player, "lost.png")
	player.Size(390, 844, 2)
	shot(player, "lost-phone.png")
	again := loopGame("#0f0", "")
	again["game.toml"] = "seed = 2\n" + again["game.toml"]
	write(t, dir, again)
	player.WaitFor(panel + ".hidden && " + ownBody + " !== undefined")
}

// TestBrowserShowsTheReplacedFolder: the folder of the game is moved away, and another one takes its place; it is
// removed, which the page says, and copied. Each time the page shows the next edit.
func TestBrowserShowsTheReplacedFolder(t *testing.T) {
	takeTurn(t)
	dir := filepath.Join(t.TempDir(), "game")
	write(t, dir, loopGame("#f00", ""))
	b := startBrowser(t)
	b.Open(startClient(t, startHost(t, dir)))
	b.mark()
	b.WaitFor(count(red) + " > 1000")
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	write(t, dir, loopGame("#f00", "-- the same colour\n"))
	write(t, dir, loopGame("#0f0", ""))
	b.WaitFor(count(green) + " > 1000")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	b.WaitFor("!" + panel + ".hidden && " + panel + ".innerText.includes('the folder of the game is gone')")
	write(t, dir, loopGame("#f00", ""))
	b.WaitFor(panel + ".hidden && " + count(red) + " > 1000")
	b.WaitFor(same)
}

// TestBrowserReturnsToAHostThatIsBack: the host is interrupted, and killed, and started again at the same address. The
// page says why it waits, with a button to leave, and goes on with the same player.
func TestBrowserReturnsToAHostThatIsBack(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write(t, dir, loopGame("#f00", ""))
	addr, end := startHostAt(t, "127.0.0.1:0", dir)
	t.Cleanup(func() { end(os.Interrupt) })                           // after that of the client
	page, leave := startProgram(t, t.TempDir(), "-name", "eve", addr) // who is the first player, and leaves
	first := startBrowser(t)
	first.Open(page)
	first.mark()
	b := startBrowser(t)
	b.Open(startClient(t, addr))
	b.mark()
	if err := leave(os.Interrupt); err != nil {
		t.Errorf("the first client: %v", err)
	}
	b.WaitFor("window.player === 2")
	for _, how := range []struct {
		signal os.Signal
		says   string
	}{{os.Interrupt, "the host was interrupted"}, {syscall.SIGTERM, "told to end (SIGTERM)"}, {syscall.SIGKILL, "no packet"}} {
		end(how.signal)
		b.WaitFor("document.getElementById('notice').innerText.includes('Waiting for the host')")
		b.WaitFor("document.getElementById('notice').innerText.includes('" + how.says + "')")
		b.WaitFor("!document.getElementById('notice-leave').hidden")
		shot(b, "waiting.png")
		b.Size(390, 844, 2)
		shot(b, "waiting-phone.png")
		b.Size(1280, 800, 1)
		_, end = startHostAt(t, addr, dir)
		b.WaitFor(same + " && document.getElementById('notice-leave').hidden && " + count(red) + " > 1000")
	}
	shot(b, "back.png")
}

// TestBrowserLeavesAHostThatIsGone: who does not want to wait leaves, and the program ends without an error.
func TestBrowserLeavesAHostThatIsGone(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	write(t, dir, loopGame("#f00", ""))
	addr, end := startHostAt(t, "127.0.0.1:0", dir)
	t.Cleanup(func() { end(os.Interrupt) }) // after that of the client
	b := startBrowser(t)
	b.Open(startClient(t, addr))
	b.mark()
	end(os.Interrupt)
	b.WaitFor("!document.getElementById('notice-leave').hidden")
	b.Click("leave")
	b.WaitFor("document.getElementById('notice').innerText.includes('You have left')")
	shot(b, "left.png")
}

// TestBrowserInspectorSaysWhatIsWrong: the page of the host has what is wrong with the scripts as a text, with file, line,
// object and for how long a hook is paused, and what keeps saved files from being in force; and not what is mended. After
// an edit of net.http it is elsewhere.
func TestBrowserInspectorSaysWhatIsWrong(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	const ship = "Ship = object \"Ship\" { body = { shape = { circle = 2 } } }\n"
	write(t, dir, map[string]string{"game.toml": "name = \"loop\"\n", "game.lua": `function onStart() spawn("Ship") end`,
		"ship.lua": ship + "function Ship:tick() self.shield = 1 end\n"})
	cmd := exec.Command(filepath.Join(buildHost(t), "host"), "-listen", "127.0.0.1:0", dir)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	inspector := func() string {
		for lines.Scan() {
			if at, ok := strings.CutPrefix(lines.Text(), "inspector at "); ok {
				return at
			}
		}
		t.Fatal("the host does not say where the inspector is")
		return ""
	}
	b := startBrowser(t)
	b.Open(inspector())
	const table = "document.getElementById('problems')"
	says := func(text string) {
		t.Helper()
		b.WaitFor("/" + text + "/.test(" + table + ".innerText.replaceAll(/\\s+/g, ' '))")
	}
	says("error \\S*ship.lua:2: Ship has no field shield: declare a field in state Ship:tick, object [0-9a-f]+, tick \\d+, paused until tick \\d+ .for \\d+ s")
	write(t, dir, map[string]string{"ship.lua": "Ship ="})
	says("refused \\S*ship.lua:1: ")
	shot(b, "inspector.png")
	write(t, dir, map[string]string{"ship.lua": ship})
	b.WaitFor(table + ".hidden")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	b.Open("about:blank") // or the page asks where nobody answers any more
	write(t, dir, map[string]string{"game.toml": fmt.Sprintf("name = \"loop\"\n[net]\nhttp = %d\n", port)})
	b.Open(inspector())
	b.WaitFor("/objects/.test(document.getElementById('status').textContent)")
}
