package linktest

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

var dueCases = []testCase{
	{"what is to be done is due", needsNothing, whatIsToBeDoneIsDue, false},
	{"what arrives wakes", needsNothing, whatArrivesWakes, false},
	{"an idle link is seldom due", needsNothing, idleIsSeldomDue, false},
}

// wantDue fails unless an end asks for a poll at once.
func wantDue(p *party, e *end, what string) {
	if due := e.Due(); due > p.Now() {
		e.Errorf("Due is %v after now %s, want now or earlier", due-p.Now(), what)
	}
}

func whatIsToBeDoneIsDue(p *party) {
	c := p.Dial()
	wantDue(p, c, "before the first poll of a client")
	p.opened(c)
	c.Shutdown("leaves")
	if due := c.Due(); due != link.Never {
		p.Errorf("%s: Due is %v after now when the link is shut down, want link.Never", c.Name(), due-p.Now())
	}
}

// whatArrivesWakes: an end that is not polled says that a datagram, a message or the end of
// the connection waits for it.
func whatArrivesWakes(p *party) {
	c := p.Open()
	up, _ := talksWith(p, c)
	for _, what := range []struct {
		name string
		do   func()
	}{
		{"a datagram", func() { up.Throw(100) }},
		{"a message on control", func() { up.Say(link.Control, 100) }},
		{"a message on bulk", func() { up.Say(link.Bulk, 100) }},
		{"the end of the connection", func() { c.Close(link.HostPeer, "leaves") }},
	} {
		p.Run(5 * linger)
		seen := p.Host().Seen().Count()
		what.do()
		p.Until("the host is due or ready, since "+what.name+" came, and its poll delivers that", func() bool {
			return p.Host().Seen().Count() > seen
		})
	}
}

// mostIdlePolls is how often an end may ask for a poll in a second in which nothing is
// sent: for keepalives and the answers to them.
const mostIdlePolls = 20

func idleIsSeldomDue(p *party) {
	c := p.Open()
	p.Run(500 * time.Millisecond)
	before := map[*end]int{p.Host(): p.Host().Asked(), c: c.Asked()}
	p.Run(time.Second)
	for _, e := range []*end{p.Host(), c} {
		if n := e.Asked() - before[e]; n > mostIdlePolls {
			p.Errorf("%s: it was due or ready %d times in a second in which nothing was sent, want at most %d",
				e.Name(), n, mostIdlePolls)
		}
	}
	if c.Seen().Saw(link.Closed, link.HostPeer) {
		p.Errorf("%s: an idle connection was closed: %s", c.Name(), c.Seen().Of(link.Closed)[0].Reason)
	}
}
