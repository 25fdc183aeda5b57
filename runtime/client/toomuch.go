package client

import (
	"time"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// tooMuch is the predicted tick that was too much work and was given up. The client waits with it until the host has
// simulated it: then it knows which hooks are suspended. If the tick still is too much, because what the host has sent
// is lost, the client waits longer and longer.
type tooMuch struct {
	tick    world.Tick    // 0: none
	host    world.Tick    // the tick of the host for which it waits
	again   world.Tick    // how many ticks it waits if that does not help
	givenUp int           // how often a tick was given up
	most    time.Duration // the most work of a frame
	allowed time.Duration // how much work a tick may be, in the last frame
}

// restart forgets the tick.
func (m *tooMuch) restart() { *m = tooMuch{givenUp: m.givenUp, most: m.most, allowed: m.allowed} }

// note notes that a tick was given up, when the host was known to be at a tick.
func (m *tooMuch) note(t, host world.Tick) {
	m.givenUp++
	if t != m.tick {
		m.tick, m.host, m.again = t, t, 2
		return
	}
	m.host, m.again = max(m.host, host)+m.again, 2*m.again
}

// waits reports whether a tick has to wait while the host is known to be at a tick.
func (m *tooMuch) waits(t, host world.Tick) bool { return t == m.tick && host < m.host }

// frame notes the work of a frame, of its rewind and its ticks, and how much one tick may be.
func (m *tooMuch) frame(work, allowed time.Duration) { m.most, m.allowed = max(m.most, work), allowed }

// report fills in what was counted, if a frame was more work than a tick may be.
func (m *tooMuch) report(r *room.Report) {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	if m.givenUp > 0 || m.most > m.allowed {
		r.Work = &room.WorkCounts{AllowanceMS: ms(m.allowed), MostMS: ms(m.most), GivenUp: m.givenUp}
	}
}
