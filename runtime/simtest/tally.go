package simtest

import (
	"strconv"

	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/room"
)

// tally counts the ticks and rewinds that a match has simulated: by its host, its
// clients and the verification of its replay.
type tally struct {
	ticks   int // those simulated again in rewinds and in check mode included
	rewinds int
}

func (n *tally) add(r *room.Report) {
	n.ticks += r.Rewinds.TicksRun + r.VerifiedTicks
	n.rewinds += r.Rewinds.Count
}

// confirmed adds ticks that a client or the host confirmed.
func (n *tally) confirmed(ticks int) { n.ticks += ticks }

// verified adds the verification of the match's replay.
func (n *tally) verified(done *replay.Verified) {
	n.ticks += done.Ticks
	n.rewinds += done.Rewinds
}

// attributes is the method of testing.T for facts about a test, which "go test -v"
// prints.
type attributes interface{ Attr(key, value string) }

// publish reports the tally as attributes of the test. .ci/run and .ci/deep print the sum over all
// tests.
func (n *tally) publish(to attributes) {
	to.Attr("ticks", strconv.Itoa(n.ticks))
	to.Attr("rewinds", strconv.Itoa(n.rewinds))
}
