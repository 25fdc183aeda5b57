package kcplink

import "github.com/hindcast/hindcast/net/link"

// check panics if an invariant of the roster or of a peer does not hold. It runs at the
// end of every poll with Options.Check.
func (r *roster) check(open int) {
	found := 0
	for _, e := range r.all {
		assert(r.byName[e.name] == e.peer && r.byID[e.id] == e.peer, "every peer is found by its name and its id")
		assert(e.id != 0 && e.name != 0, "every peer has a name and an id")
		if e.peer.is(peerOpen) {
			found++
		}
		e.peer.check()
	}
	assert(len(r.byName) == len(r.all) && len(r.byID) == len(r.all), "names and ids are those of the peers")
	assert(found == open, "the open peers were counted")
}

func (p *peer) check() {
	assert(p.farewell.goodbyes() <= byeCount, "no peer gets more than byeCount goodbyes")
	p.streams.check()
}

func (t *streamSet) check() {
	for i, s := range t.streams {
		assert(s.name == link.Stream(i), "every stream is in its place")
		s.check()
	}
	w := t.pace.limit()
	assert(w >= windowLeast && w <= sendWindow, "the window of bulk is within its bounds")
}

func (s *stream) check() {
	queued := -s.offset
	for i := range s.queue {
		queued += s.queue[i].size()
	}
	assert(queued == s.queued, "the bytes in the queue were counted")
	assert(len(s.flight.segments) == s.kcp.WaitSnd(), "every segment in transit is known")
	assert(s.in.withinLimit(), "a message has no more bytes than its length, which is within the limit")
}

// assert panics unless an invariant of this package holds. It is never about input from
// outside.
func assert(holds bool, invariant string) {
	if !holds {
		panic("kcplink: violated: " + invariant)
	}
}
