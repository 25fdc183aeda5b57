package memlink

import "time"

// Check switches checks of the network's own invariants on or off: with them, every Poll
// panics if one is violated. Tests switch them on.
func (n *Network) Check(on bool) {
	n.checked = on
	n.host.checked = on
	for i := range n.lines {
		n.lines[i].client.checked = on
	}
}

// check panics if an invariant does not hold.
func (e *End) check() {
	for _, c := range e.conns {
		named := e.io.find(c.name()) == c
		assert(named == c.is(stateOpen), "a connection is open exactly while it has a name")
		c.check()
	}
}

func (c *conn) check() {
	c.in.check()
	if c.state == stateOpen || c.state == stateLeaving {
		c.streams.check(c.state == stateOpen)
	}
}

func (s *streamSet) check(receiving bool) {
	for i := range s.senders {
		s.senders[i].check()
		if receiving {
			s.receivers[i].check()
		}
	}
	s.pace.check()
}

func (p *pacer) check() {
	assert(p.gap >= time.Second/paceFastest && p.gap <= time.Second/paceSlowest, "the pace is within its bounds")
}

func (s *sender) check() {
	assert(len(s.flight) <= windowSize, "the segments in transit fit the window")
	assert(len(s.flight) == 0 || !s.flight[0].acknowledged, "acknowledged segments are dropped from the front")
	queued := -s.offset
	for _, m := range s.queue {
		queued += len(m)
	}
	assert(queued == s.queued, "the bytes in the queue were counted")
	transit := 0
	for i := range s.flight {
		if !s.flight[i].acknowledged {
			transit += len(s.flight[i].data)
		}
	}
	assert(transit == s.transit, "the bytes in transit were counted")
}

func (r *receiver) check() {
	assert(r.early == nil || !r.early[r.next%windowSize].filled, "no segment waits whose turn has come")
}

func (s *Shaper) check() {
	for i := 1; i < len(s.flight); i++ {
		assert(!s.flight[i].before(s.flight[(i-1)/2]), "no packet in the heap is due before its parent")
	}
	used := len(s.flight) + len(s.free)
	if s.lent >= 0 {
		used++
	}
	assert(used == len(s.slots), "every slot is used or free")
}

// assert panics unless an invariant of this package holds. It is never about input from
// outside.
func assert(holds bool, invariant string) {
	if !holds {
		panic("memlink: violated: " + invariant)
	}
}
