//go:build external && unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// shownShip is this player's ship as the page shows it.
const shownShip = `(() => {
	const v = window.hindcast.view;
	return v.bodies.find((b) => b.owner === v.player && b.class === "Ship");
})()`

type ship struct{ X, Y, Angle float64 }

// TestBrowserFliesAShip plays as a person would: the client with a room of its
// own, the page in a browser, the keys held down.
func TestBrowserFliesAShip(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startClient(t, "arena"))
	flyAround(t, b)
	path := filepath.Join(t.TempDir(), "arena.png")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		path = filepath.Join(keep, "arena.png")
	}
	b.Screenshot(path)
	t.Logf("screenshot: %s", path)
}

// TestBrowserWinsTheArena: the start screen says what the point is, in words. A ship that rams a drone gets a point,
// which is in the HUD, the feed and the table of six columns. Who has the last one wins, and the next round begins.
func TestBrowserWinsTheArena(t *testing.T) {
	takeTurn(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../scripts/arena")); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "ship.lua"), "win = 10", "win = 1")
	edit(t, filepath.Join(dir, "drone.lua"), "function Drone:think()", "function Drone:think()\n  do return {} end")
	edit(t, filepath.Join(dir, "game.lua"), "local x, y = freePlace()\n  spawn(\"Ship\", { x = x, y = y, angle = (random() - 0.5) * 2 * math.pi, owner = player })",
		"local x, y = objects(\"Drone\")[1]:getPosition()\n  local side = x < 0 and 1 or -1\n"+
			"  spawn(\"Ship\", { x = x + 3 * side, y = y, angle = side > 0 and math.pi or 0, owner = player })")
	b := startBrowser(t)
	b.Open(startAsking(t, startHost(t, dir)))
	b.WaitFor("document.getElementById('start-note').innerText.includes('Ram drones with your nose')")
	b.WaitFor("['turn left', 'turn right', 'thrust', 'reverse'].every((words) => document.getElementById('help').innerText.includes(words))")
	shot(b, "arena-start.png")
	b.Play()
	b.WaitFor("/^0\\n[0-2]:[0-9]{2}$/.test(document.querySelector('.place.top .row')?.innerText.trim())")
	b.WaitFor("document.querySelector('.place.top').innerText.includes('Ram the red drones')")
	shot(b, "arena-first.png")
	b.Press("Tab")
	b.WaitFor("[...document.querySelectorAll('#players tr:first-child th')].map((e) => e.innerText).join() === 'name,points,rams,hurt,wins,ping'")
	b.Release("Tab")
	b.Press("ArrowUp")
	b.WaitFor("/ wins$/m.test(document.querySelector('.banner')?.innerText)")
	b.Release("ArrowUp")
	b.WaitFor("/ rams a drone$/.test(document.querySelector('.place.topRight .lines').innerText.trim())")
	shot(b, "arena-won.png")
	b.Press("Tab")
	b.WaitFor("[...document.querySelectorAll('#players .you td')].slice(1, 5).map((e) => e.innerText).join() === '1,1,0,1'")
	b.Release("Tab")
	b.WaitFor("/^0\\n[0-2]:[0-9]{2}$/.test(document.querySelector('.place.top .row')?.innerText.trim())")
	b.Size(390, 844, 2)
	b.WaitFor("window.hindcast.arena.camera.width === 390")
	shot(b, "arena-phone.png")
	b.Size(844, 390, 2)
	b.WaitFor("window.hindcast.arena.camera.width === 844")
	shot(b, "arena-wide.png")
}

// TestBrowserShowsASpark: flying into something gives a cue, which the page
// shows as the arena's view.lua says.
func TestBrowserShowsASpark(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startClient(t, "arena"))
	b.WaitFor("window.hindcast.view?.tick > 60 && " + shownShip + " !== undefined")
	b.Eval("window.shown = []; window.hindcast.effects.drawOne = (arena, e) => window.shown.push(e)", nil)
	b.Press("ArrowUp")
	b.WaitFor("window.shown.some((e) => e.kind === 'flash' && e.ms === 280 && e.color === '#ffd596')")
	b.Release("ArrowUp")
}

// TestBrowserWatches: a spectator sees others play, is not asked to play, and has no ship. Keys do nothing.
func TestBrowserWatches(t *testing.T) {
	takeTurn(t)
	host := startHost(t, "arena")
	startClient(t, "-bot", "circle", host)
	b := startBrowser(t)
	b.Open(startClient(t, "-watch", host))
	b.WaitFor("window.hindcast.view?.tick > 60 && " + anyShip + " !== undefined")
	var before ship
	b.Eval(anyShip, &before)
	b.Press("ArrowUp")
	b.WaitFor("Math.hypot(" + anyShip + ".x - (" + number(before.X) + "), " + anyShip + ".y - (" + number(before.Y) + ")) > 0.5")
	b.Release("ArrowUp")
	var ships int
	var hidden bool
	b.Eval("window.hindcast.view.bodies.filter((b) => b.class === 'Ship').length", &ships)
	b.Eval("document.getElementById('start').hidden", &hidden)
	if ships != 1 || !hidden {
		t.Errorf("%d ships, want the one of the bot; the start screen is hidden: %v", ships, hidden)
	}
}

// anyShip is the ship of any player.
const anyShip = "window.hindcast.view.bodies.find((b) => b.class === 'Ship')"

func flyAround(t *testing.T, b *browser) {
	t.Helper()
	b.WaitFor("window.hindcast.view?.tick > 60 && " + shownShip + " !== undefined")
	b.Press("F3")
	b.Release("F3")
	var before ship
	b.Eval(shownShip, &before)
	b.Press("ArrowLeft")
	b.WaitFor("Math.abs(" + shownShip + ".angle - (" + number(before.Angle) + ")) > 0.5")
	b.Release("ArrowLeft")
	b.Press("ArrowUp")
	b.WaitFor("Math.hypot(" + shownShip + ".x - (" + number(before.X) + "), " + shownShip + ".y - (" + number(before.Y) + ")) > 0.5")
	b.Release("ArrowUp")
	for _, id := range []string{"hud-tick", "hud-rtt", "hud-lead", "hud-rewinds", "hud-corrections", "hud-repredictions"} {
		if text := b.Text(id); !strings.ContainsAny(text, "0123456789") {
			t.Errorf("%s reads %q", id, text)
		}
	}
}

// number returns v as JavaScript reads it.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// startClient is startAsking without the start screen.
func startClient(t *testing.T, args ...string) string {
	t.Helper()
	return startAsking(t, append([]string{"-name", "ada"}, args...)...)
}

// startAsking runs the client with a room of its own until the test ends, and
// gives the address of its page.
func startAsking(t *testing.T, args ...string) string {
	t.Helper()
	return startAskingAt(t, t.TempDir(), args...)
}

// startAskingAt is startAsking with the settings, the tickets and the cache in a folder: the same one is the same user.
func startAskingAt(t *testing.T, home string, args ...string) string {
	t.Helper()
	url, end := startProgram(t, home, args...)
	t.Cleanup(func() {
		if err := end(os.Interrupt); err != nil {
			t.Errorf("the client: %v", err)
		}
	})
	return url
}

// startProgram runs the client until it ends or end sends it a signal. end waits for it, and returns how it ended.
func startProgram(t *testing.T, home string, args ...string) (url string, end func(os.Signal) error) {
	t.Helper()
	cmd := exec.Command("client", append([]string{"-open=false", "-http", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, lines)
	}()
	end = func(s os.Signal) error {
		_ = cmd.Process.Signal(s)
		<-drained
		return cmd.Wait()
	}
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "play at ")
	if err != nil || !ok {
		t.Fatalf("the client says %q, %v, %v", line, err, end(os.Interrupt))
	}
	return url, end
}
