package replicate

import "fmt"

// assert panics if an invariant of this package does not hold. That is a mistake in this
// code or in what drives it, never bad input from outside. Callers test their check field
// before they compute what it gets.
func assert(ok bool, format string, args ...any) {
	if !ok {
		panic("replicate: " + fmt.Sprintf(format, args...))
	}
}

// check asserts the invariants after a snapshot of at most limit bytes was encoded.
// full reports that it has objects, so that fewer would have made it shorter.
func (s *Sender) check(limit int, full bool) {
	m := &s.made
	assert(m.Seq == s.seq, "snapshot %d was made in the place of snapshot %d", m.Seq, s.seq)
	assert(s.base.Seq < s.seq, "the baseline is snapshot %d, and the newest one sent is %d", s.base.Seq, s.seq)
	assert(s.base.Tick <= m.Tick, "the baseline is of tick %d, and the snapshot of tick %d", s.base.Tick, m.Tick)
	assert(s.base.Bundle == m.Bundle, "the baseline is of bundle %d, and the snapshot of bundle %d", s.base.Bundle,
		m.Bundle)
	assert(len(s.buf) <= limit || !full, "a snapshot has %d bytes, of at most %d", len(s.buf), limit)
}

// checkBaseline asserts, after a snapshot was acknowledged, that it was sent.
func (s *Sender) checkBaseline() {
	assert(s.base.Seq <= s.seq, "the baseline is snapshot %d, and the newest one sent is %d", s.base.Seq, s.seq)
}

// check asserts that the snapshots kept are in order, within their limit, and have the
// one that the client acknowledges and the newest baseline.
func (r *Receiver) check() {
	n := len(r.kept)
	for i := 1; i < n; i++ {
		assert(r.kept[i-1].Seq < r.kept[i].Seq, "snapshot %d is kept after snapshot %d", r.kept[i].Seq, r.kept[i-1].Seq)
	}
	assert(n <= maxKept, "%d snapshots are kept", n)
	assert(n > 0 && r.kept[n-1].Seq == r.newest, "snapshot %d is acknowledged and not kept", r.newest)
	assert(r.newestBase == 0 || r.find(r.newestBase) != nil, "snapshot %d was a baseline and is not kept", r.newestBase)
}
