package client

import (
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// tooMuch is the predicted tick that was too much work and was given up. The client waits with it until the host has
// simulated it: then it knows which hooks are suspended. If the tick still is too much, because what the host has sent
// is lost, the client waits longer and longer.
type tooMuch struct {
	tick    world.Tick // 0: none
	host    world.Tick // the tick of the host for which it waits
	again   world.Tick // how many ticks it waits if that does not help
	givenUp int        // how often a tick was given up
}

// restart forgets the tick.
func (m *tooMuch) restart() { *m = tooMuch{givenUp: m.givenUp} }

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

// report fills in what was counted.
func (m *tooMuch) report(r *room.Report) {
	if m.givenUp > 0 {
		r.Work = &room.WorkCounts{GivenUp: m.givenUp}
	}
}
