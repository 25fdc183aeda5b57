package client

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// Prediction is how far ahead of what it knows a client simulates. The zero value is a good choice.
type Prediction struct {
	// InputDelay is for how many ticks later than the next one each input is, at most MaxInputDelay. The
	// client stays behind by as many ticks, so it guesses and rewinds less, and its own objects react that
	// much later. Objects of the player with authority = "owner" or ticking = "independent" tolerate no
	// delay: while the player has any, there is none.
	InputDelay int
	// Window is how many ticks the client simulates beyond the newest tick of the host that it has heard
	// of, at most MaxWindow. Then it waits, which its Stage says. It continues to sample and send inputs.
	// 0: as many as the line takes, and half a second more.
	Window int
}

// Limits of Prediction, in ticks.
const (
	MaxInputDelay = 60
	MaxWindow     = 1000
)

// Check returns an error that names a setting which is out of range.
func (p Prediction) Check() error {
	switch {
	case p.InputDelay < 0 || p.InputDelay > MaxInputDelay:
		return fmt.Errorf("input delay %d: must be 0 to %d ticks", p.InputDelay, MaxInputDelay)
	case p.Window < 0 || p.Window > MaxWindow:
		return fmt.Errorf("window %d: must be 1 to %d ticks, or 0 for the default", p.Window, MaxWindow)
	}
	return nil
}

// defaultWindow is the prediction window of a client that does not set Prediction.Window, in addition to the
// latency of its line.
const defaultWindow = 500 * time.Millisecond

// lookahead decides how far a predictor simulates ahead, and which ticks its inputs are for.
type lookahead struct {
	delay   world.Tick // InputDelay in force
	waiting bool       // for the host
	since   time.Duration
	counts  room.WaitCounts
}

// start begins with the configured input delay.
func (l *lookahead) start(p *Prediction, c *clock) {
	*l = lookahead{delay: world.Tick(p.InputDelay), counts: l.counts}
	c.setInputDelay(l.delay)
}

// begin sets the input delay of a frame. It is 0 if the player has an object that tolerates no delay. While the
// player has no object, the delay stays as it is.
func (l *lookahead) begin(p *Prediction, c *clock, w *world.World, player world.PlayerID) {
	delay, own := world.Tick(p.InputDelay), false
	for _, slot := range w.Now.Run {
		if w.Now.Objects[slot].Owner == player {
			class := w.Class(int(slot))
			own = true
			if class.Moves != nil || class.Independent {
				delay = 0
			}
		}
	}
	if own && delay != l.delay {
		l.delay = delay
		c.setInputDelay(delay)
	}
}

// exceeds reports whether a tick is beyond what the client may predict. host is the newest tick of the host that
// the client knows. After a keyframe it is 0 until the first packet arrives, and no tick is beyond.
func (l *lookahead) exceeds(t, host world.Tick, p *Prediction, c *clock) bool {
	window := world.Tick(p.Window)
	if window == 0 {
		window = c.ticks(c.smoothedRTT()/2+defaultWindow) + world.Tick(max(c.leadTicks(), 0))
	}
	return host != 0 && t > host+window
}

// wait notes that the client waits at tick t.
func (l *lookahead) wait(now time.Duration, c *clock, t world.Tick) {
	c.wait(now, t)
	if l.waiting {
		l.counts.MS += float64(now-l.since) / float64(time.Millisecond)
	} else {
		l.counts.Count++
	}
	l.waiting, l.since = true, now
}

// goOn notes that the client does not wait.
func (l *lookahead) goOn() { l.waiting = false }

// sampledTo returns up to which tick inputs are sampled when a tick is due.
func (l *lookahead) sampledTo(t world.Tick) world.Tick { return t + l.delay }

// waits reports whether the client waits for the host.
func (l *lookahead) waits() bool { return l.waiting }

// report fills in what was counted.
func (l *lookahead) report(r *room.Report) { r.InputDelay, r.Waits = int(l.delay), &l.counts }

// inputDelay returns the input delay in force, in ticks.
func (l *lookahead) inputDelay() int { return int(l.delay) }
