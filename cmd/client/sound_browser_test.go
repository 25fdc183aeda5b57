//go:build external && unix

package main

import (
	"testing"

	"github.com/hindcast/hindcast/luabind"
)

// TestBrowserPlaysSounds: a cue is heard once, however often it moves, and only
// when the page may be heard.
func TestBrowserPlaysSounds(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	tone := []luabind.Effect{{Kind: "sound", Wave: "noise", Freq: 800, MS: 3000, Volume: 0.2}, {Kind: "sound", Wave: "sine", Freq: 440, MS: 3000, Volume: 0.2}}
	p.cue(pageCue{T: "cue", What: "fired", Key: "0.a.b.0", Effects: tone})
	b.WaitFor("window.hindcast.effects.taken === 1 && window.hindcast.effects.sounds.heard === 0")
	b.Press("ArrowUp")
	b.WaitFor("window.hindcast.effects.sounds.context?.state === 'running'")
	p.cue(pageCue{T: "cue", What: "fired", Key: "1.a.b.0", Effects: tone})
	b.WaitFor("window.hindcast.effects.sounds.heard === 2")
	p.cue(pageCue{T: "cue", What: "moved", Key: "2.a.b.0", Was: "1.a.b.0", Effects: tone})
	p.cue(pageCue{T: "cue", What: "cancelled", Key: "2.a.b.0"})
	b.WaitFor("window.hindcast.effects.taken === 4 && window.hindcast.effects.sounds.heard === 2")
}

// TestBrowserMutesWhatPlays: the volume counts for sounds that play already, all sounds of a cue end when it is cancelled,
// and a sound that comes late ends when it would have.
func TestBrowserMutesWhatPlays(t *testing.T) {
	takeTurn(t)
	p := newTestPage(t)
	feedFake(t, p)
	b := startBrowser(t)
	b.Open(p.URL())
	b.WaitFor("window.hindcast.view")
	b.Press("ArrowUp")
	b.Release("ArrowUp")
	const sounds = "window.hindcast.effects.sounds"
	b.WaitFor(sounds + ".context?.state === 'running'")
	tone := func(ms float64) luabind.Effect {
		return luabind.Effect{Kind: "sound", Wave: "sine", Freq: 440, MS: ms, Volume: 0.2}
	}
	p.cue(pageCue{T: "cue", What: "fired", Key: "1.a.b.0", Effects: []luabind.Effect{tone(50), tone(6e5)}})
	b.WaitFor(sounds + ".heard === 2 && " + sounds + ".count === 1")
	b.Eval(`(() => { document.getElementById("muted").click(); return 1; })()`, new(int))
	b.WaitFor(sounds + ".master.gain.value < 0.001 && " + sounds + ".count === 1")
	p.cue(pageCue{T: "cue", What: "cancelled", Key: "1.a.b.0"})
	b.WaitFor(sounds + ".playing.size === 0")
	b.Eval(`(() => { document.getElementById("muted").click(); return 1; })()`, new(int))
	b.WaitFor(sounds + ".master.gain.value > 0.9")
	p.cue(pageCue{T: "cue", What: "fired", Key: "2.a.b.0", Age: 6e5 - 200, Effects: []luabind.Effect{tone(6e5)}})
	b.WaitFor(sounds + ".heard === 3 && " + sounds + ".playing.size === 0")
}
