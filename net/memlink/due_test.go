package memlink

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// A Poll that Due does not ask for does nothing: ends that are polled every millisecond
// and ends that are polled in the same milliseconds, but only when they are due, see the
// same events at the same times.
func TestPollsThatAreNotDueDoNothing(t *testing.T) {
	always, alwaysPolls := playForDue(1, false)
	due, duePolls := playForDue(1, true)
	if !slices.Equal(always, due) {
		for i := range min(len(always), len(due)) {
			if always[i] != due[i] {
				t.Fatalf("event %d of %d and %d: %q when polled always, %q when due", i, len(always), len(due), always[i], due[i])
			}
		}
		t.Fatalf("%d events when polled always, %d when due", len(always), len(due))
	}
	if duePolls*5 > alwaysPolls {
		t.Errorf("%d of %d polls were due, want at most a fifth", duePolls, alwaysPolls)
	}
	t.Logf("%d events, %d of %d polls were due", len(due), duePolls, alwaysPolls)
}

// playForDue has clients join, send, lose their line, dial in vain and leave with messages
// on their way.
func playForDue(seed uint64, whenDue bool) (events []string, polls int) {
	n := New(seed)
	n.Check(true)
	dead := Off()
	ends := []*End{n.Host(), n.Dial(Bad(), Bad()), n.Dial(Awful(), Awful()), n.Dial(LAN(), LAN()), n.Dial(dead, dead)}
	n.Cut(3, true)
	for now := time.Duration(0); now < 20*time.Second; now += ms {
		for i, e := range ends {
			if whenDue && e.Due(now) > now {
				continue
			}
			polls++
			e.Poll(now, func(ev link.Event) {
				events = append(events, fmt.Sprintf("%v end %d %v %d %d bytes %s", now, i, ev.Kind, ev.Peer, len(ev.Data), ev.Reason))
			})
		}
		switch {
		case now == 2*time.Second:
			for p := range link.Peer(3) {
				_ = n.Host().SendMessage(now, p+1, link.Bulk, make([]byte, 50_000)) // a peer may not be open yet
				_ = n.Host().SendMessage(now, p+1, link.Control, make([]byte, 3000))
			}
		case now == 5*time.Second:
			n.Cut(2, true) // times out
			_ = ends[1].SendMessage(now, 1, link.Control, make([]byte, 20_000))
			ends[1].Close(now, 1, "leaving")
		case now == 6*time.Second:
			n.Cut(1, true)
			_ = ends[2].SendMessage(now, 1, link.Control, make([]byte, 20_000))
			ends[2].Close(now, 1, "leaving in vain")
		}
	}
	return events, polls
}
