//go:build external && unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// startHost runs the host on a game until the test ends, and returns its address.
func startHost(t *testing.T, game string) string {
	t.Helper()
	addr, end := startHostAt(t, "127.0.0.1:0", game)
	t.Cleanup(func() { end(os.Interrupt) })
	return addr
}

// startHostAt runs a host at an address until end is called with a signal, which may be called again.
func startHostAt(t *testing.T, at, game string) (addr string, end func(os.Signal)) {
	t.Helper()
	cmd := exec.Command(filepath.Join(buildHost(t), "host"), "-listen", at, "-http", "", game)
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	end = func(s os.Signal) {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Signal(s)
			_ = cmd.Wait()
		}
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	addr, ok := strings.CutPrefix(strings.TrimSpace(line), "listening on ")
	if err != nil || !ok {
		t.Fatalf("the host says %q, %v", line, err)
	}
	return addr, end
}

// TestBrowserShowsARope: the pointer is at a beam (8, 5) of the hall; with the space bar down a hook flies, sticks, and the rope is
// drawn from the runner to it; when the bar is let go both are gone. The line is a bad one.
func TestBrowserShowsARope(t *testing.T) {
	takeTurn(t)
	b := startBrowser(t)
	b.Open(startClient(t, "-net", "delay=100ms,loss=5%", startHost(t, "grapple")))
	const runner = `(() => { const v = window.hindcast.view; return v?.bodies.find((b) => b.owner === v.player && b.class === "Runner"); })()`
	b.WaitFor(runner + " !== undefined && window.hindcast.view.tick > 30")
	b.Eval(`(() => { const c = document.getElementById("arena");
		c.dispatchEvent(new PointerEvent("pointermove", { clientX: 896, clientY: 242, bubbles: true })); return 1; })()`, new(int))
	b.Press(" ")
	b.WaitFor("window.hindcast.view.ropes.length === 1 && window.hindcast.arena.roped === 1")
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "grapple.png"))
	}
	b.Release(" ")
	b.WaitFor(`window.hindcast.view.ropes.length === 0 && !window.hindcast.view.bodies.some((b) => b.class === "Hook")`)
}
