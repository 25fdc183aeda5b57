package simtest

import (
	"strconv"

	"github.com/hindcast/hindcast/runtime"
)

// tally counts what a match has simulated, by its host, its clients and the
// check of its replay.
type tally struct {
	ticks   int // again in a rewind, and again in check mode, included
	rewinds int
}

func (n *tally) add(r *runtime.Report) {
	n.ticks += r.Rewinds.TicksRun + r.VerifiedTicks
	n.rewinds += r.Rewinds.Count
}

// verified adds the check of the match's replay.
func (n *tally) verified(done *runtime.Verified) {
	n.ticks += done.Ticks
	n.rewinds += done.Rewinds
}

// attributes is what a testing.T has for facts about a test, which "go test -v"
// prints.
type attributes interface{ Attr(key, value string) }

// publish ends the tally and makes it attributes of the test. .ci/run sums them
// up over all tests.
func (n *tally) publish(s *Sim) {
	to, ok := s.tb.(attributes)
	if !ok || s.Host == nil {
		return
	}
	r := s.Host.Report(s.Now)
	n.add(&r)
	for i := range s.Clients {
		r := s.Report(i)
		n.add(&r)
	}
	for _, confirmed := range s.hashes {
		n.ticks += len(confirmed)
	}
	to.Attr("ticks", strconv.Itoa(n.ticks))
	to.Attr("rewinds", strconv.Itoa(n.rewinds))
}
