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
	b.Size(1280, 800, 1)
	b.Open(startClient(t, "arena"))
	flyAround(t, b)
	path := filepath.Join(t.TempDir(), "arena.png")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		path = filepath.Join(keep, "arena.png")
	}
	b.Screenshot(path)
	t.Logf("screenshot: %s", path)
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
	b.Size(1280, 800, 1)
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
