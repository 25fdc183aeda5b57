//go:build external && unix

package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestBrowserShows2000Bodies measures the script that a displayed frame takes with 2,000 bodies that all
// move, and how many bytes it takes to say so. docs/benchmarks.md has the figures.
func TestBrowserShows2000Bodies(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		shapes, v := newFakeShapes(), room.View{}
		ticker := time.NewTicker(time.Second / 60)
		defer ticker.Stop()
		for tick := 1; ; tick++ {
			shapes.view(&v, tick)
			v.Width, v.Height = 300, 200
			for i := len(v.Bodies); i < 2000; i++ {
				shapes.add(&v, room.ViewBody{Class: "Crate", Owner: world.PlayerID(i%7 + 3), Pose: physics.Pose{X: float64(i%60)*4 - 118, Y: float64(i/60)*5 - 90, Angle: float64(tick) / 20}, Shape: &shapes.crate})
			}
			p.Publish(&v)
			select {
			case <-done:
				return
			case <-ticker.C:
			}
		}
	}()
	t.Cleanup(func() { close(done); <-ended })
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.drawn.length === 2000")
	b.Eval("(() => { window.hindcast.costs.length = 0; return 1; })()", new(int))
	b.WaitFor("window.hindcast.costs.length >= 30")
	var median float64
	b.Eval("window.hindcast.costs.toSorted((a, b) => a - b)[Math.floor(window.hindcast.costs.length / 2)]", &median)
	var seen gamepage.Seen
	var frame []byte
	for frame == nil || binary.LittleEndian.Uint32(frame[gamepage.FrameHead-4:]) == 1 { // the first one is whole
		p.mu.Lock()
		if _, next := p.feed.room.News(&seen); next != nil {
			frame = next
		}
		p.mu.Unlock()
	}
	if len(frame) > 32<<10 {
		t.Errorf("%d bytes for a frame, want at most 32 kB", len(frame))
	}
	// Without camera() in view.lua, the camera follows the player's ship, which would be too small to see otherwise.
	b.WaitFor(`(() => {
		const { camera } = window.hindcast.arena, own = window.hindcast.drawn.find((d) => d.owner === window.hindcast.room.player && d.class === 'Ship');
		const px = Math.hypot(camera.left(own.x) - camera.cx, camera.top(own.y) - camera.cy);
		return own.kind.radius * camera.scale >= 11.9 && camera.fit * own.kind.radius < 3 && px < 4;
	})()`)
	t.Logf("%.1f ms of script in a displayed frame, %d bytes for it", median, len(frame)) // the goal is 2 ms on a machine that does nothing else
	if keep := os.Getenv("SCREENSHOTS"); keep != "" {
		b.Screenshot(filepath.Join(keep, "scale.png"))
	}
}
