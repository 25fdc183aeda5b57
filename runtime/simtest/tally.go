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

// attributes is what a testing.T has for facts about a test, which "go test -v"
// prints.
type attributes interface{ Attr(key, value string) }

// publish ends the tally and makes it attributes of the test. .ci/run sums them
// up over all tests.
func (s *Sim) publish() {
	to, ok := s.tb.(attributes)
	if !ok || s.Host == nil {
		return
	}
	r := s.Host.Report(s.Now)
	s.tally.add(&r)
	for i := range s.Clients {
		r := s.Report(i)
		s.tally.add(&r)
	}
	for _, confirmed := range s.hashes {
		s.tally.ticks += len(confirmed)
	}
	to.Attr("ticks", strconv.Itoa(s.tally.ticks))
	to.Attr("rewinds", strconv.Itoa(s.tally.rewinds))
}
