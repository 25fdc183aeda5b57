//go:build external && unix

package main

import (
	"testing"

	"github.com/hindcast/hindcast/luabind"
)

// TestBrowserShowsCues: a ring is drawn where the cue says, moves, and is removed when
// the cue is cancelled.
func TestBrowserShowsCues(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Sharp(1280, 800, 1)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	ring := func(x float64) []luabind.Effect {
		return []luabind.Effect{{Kind: "flash", X: x, Size: 8, MS: 1e6, Color: "#ff00ff"}, {Kind: "text", X: x, Y: 3, Size: 1, MS: 1e6, Color: "#ff00ff", Text: "boom"}}
	}
	const drawn = `(() => {
		const d = (` + pixels + `).data;
		let left = 0, right = 0;
		for (let i = 0; i < d.length; i += 4)
			if (d[i] > d[i + 1] + 60 && d[i + 2] > d[i + 1] + 60) (i / 4 % innerWidth < innerWidth / 2 ? left++ : right++);
		return (left > 20 ? 'left' : '') + (right > 20 ? 'right' : '');
	})()`
	b.WaitFor(drawn + " === ''")
	p.cue(pageCue{T: "cue", What: "fired", Key: "1.a.b.0", Effects: ring(-10)})
	b.WaitFor(drawn + " === 'left'")
	p.cue(pageCue{T: "cue", What: "moved", Key: "2.a.b.0", Was: "1.a.b.0", Effects: ring(10)})
	b.WaitFor(drawn + " === 'right'")
	p.cue(pageCue{T: "cue", What: "cancelled", Key: "2.a.b.0"})
	b.WaitFor(drawn + " === '' && window.hindcast.effects.cues.size === 0 && window.hindcast.effects.taken === 3")
}

// TestBrowserShowsTheRestOfAnEffect: effects of a cue that is late begin with the part that is left, and those that are
// over are not shown.
func TestBrowserShowsTheRestOfAnEffect(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	flash := func(ms float64) []luabind.Effect {
		return []luabind.Effect{{Kind: "flash", Size: 8, MS: ms, Color: "#ff00ff"}, {Kind: "sound", Wave: "sine", Freq: 440, MS: ms, Volume: 0.2}}
	}
	p.cue(pageCue{T: "cue", What: "fired", Key: "1.a.b.0", Age: 1e6, Effects: flash(2e6)})
	p.cue(pageCue{T: "cue", What: "fired", Key: "2.a.b.0", Effects: flash(2e6)})
	p.cue(pageCue{T: "cue", What: "fired", Key: "3.a.b.0", Age: 2e6, Effects: flash(2e6)})
	b.WaitFor("hindcast.effects.taken === 3 && !hindcast.effects.cues.has('3.a.b.0')")
	var parts [2]float64
	b.Eval("['1.a.b.0', '2.a.b.0'].map((k) => { const c = hindcast.effects.cues.get(k); return (performance.now() - c.start) / c.effects[0].ms; })", &parts)
	if parts[0] < 0.5 || parts[0] > 0.6 || parts[1] < 0 || parts[1] > 0.1 {
		t.Errorf("%.3f of the late effect have passed, and %.3f of the other", parts[0], parts[1])
	}
	p.cue(pageCue{T: "cue", What: "moved", Key: "4.a.b.0", Was: "1.a.b.0", Age: 5, Effects: flash(2e6)})
	b.WaitFor("hindcast.effects.taken === 4")
	b.Eval("['4.a.b.0', '2.a.b.0'].map((k) => { const c = hindcast.effects.cues.get(k); return (performance.now() - c.start) / c.effects[0].ms; })", &parts)
	if parts[0] < 0.5 || parts[0] > 0.6 {
		t.Errorf("%.3f of the effect have passed after it moved", parts[0])
	}
}

// TestBrowserShowsParticlesAndShakes: particles are drawn where the cue is, and the camera shakes, and is
// where it was afterwards.
func TestBrowserShowsParticlesAndShakes(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	p.cue(pageCue{T: "cue", What: "fired", Key: "1.a.b.0", Effects: []luabind.Effect{{Kind: "burst", Size: 6, MS: 30000, Count: 60, Color: "#ff00ff"}, {Kind: "shake", Size: 1, MS: 1e6}, {Kind: "rumble", MS: 50, Volume: 1}}})
	const violet = `(() => {
		const d = (` + pixels + `).data;
		let n = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] > 120 && d[i + 1] < 80 && d[i + 2] > 120) n++;
		return n;
	})()`
	b.WaitFor("Math.hypot(window.hindcast.arena.camera.shaken.x, window.hindcast.arena.camera.shaken.y) > 0.2")
	b.WaitFor(violet + " > 100")
	// In each eighth of the circle there are particles near the middle and far from it.
	b.WaitFor(`(() => {
		const near = new Set(), far = new Set(), { scene } = window.hindcast.arena;
		window.hindcast.effects.drawOne({ ...window.hindcast.arena, camera: window.hindcast.arena.camera, scene: { dot(x, y) {
			(Math.hypot(x, y) < 0.65 ? near : far).add(Math.floor((Math.atan2(y, x) + Math.PI) / (Math.PI / 4)));
		} } }, { kind: 'burst', x: 0, y: 0, n: 80, size: 1 }, 1 - 1e-9);
		return scene && near.size === 8 && far.size === 8;
	})()`)
	shot(b, "burst.png")
	p.cue(pageCue{T: "cue", What: "cancelled", Key: "1.a.b.0"})
	b.WaitFor("window.hindcast.arena.camera.shaken.x === 0 && window.hindcast.arena.camera.shaken.y === 0")
}
