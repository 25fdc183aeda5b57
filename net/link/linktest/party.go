package linktest

import (
	"fmt"
	"strings"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// patience bounds every wait, in time of the network. It is longer than the time-outs of
// links.
const patience = 20 * time.Second

// party is the ends of one case, in the order in which they are polled: the host and its
// clients.
type party struct {
	watch  *watch
	host   *end
	net    Network
	now    time.Duration
	always bool // every end is polled in every step, not only when it is due or ready
	ends   []*end
}

// newParty returns the host. always has every end polled in every step.
func newParty(n Network, w *watch, always bool) *party {
	p := &party{watch: w, net: n, always: always, host: newEnd(w, hostName, n.Host), now: n.Step()}
	p.host.Advance(p.now)
	p.ends = []*end{p.host}
	return p
}

// Errorf notes a failure of the case.
func (p *party) Errorf(format string, args ...any) { p.watch.Errorf(format, args...) }

// Fatalf is Errorf, and ends the case.
func (p *party) Fatalf(format string, args ...any) { p.watch.Fatalf(format, args...) }

// Host returns the end of the host.
func (p *party) Host() *end { return p.host }

// Net returns the network.
func (p *party) Net() Network { return p.net }

// Now returns the time.
func (p *party) Now() time.Duration { return p.now }

// Dial adds a client, which dials with its first poll.
func (p *party) Dial() *end { return p.add(p.net.Dial) }

func (p *party) add(dial func() link.Link) *end {
	e := newEnd(p.watch, fmt.Sprintf("client %d", len(p.ends)), dial())
	e.Advance(p.now)
	p.ends = append(p.ends, e)
	return e
}

// Open adds a client and waits until both ends are open.
func (p *party) Open() *end { return p.opened(p.Dial()) }

// OpenBad is Open with a bad line.
func (p *party) OpenBad() *end { return p.opened(p.add(p.net.DialBad)) }

func (p *party) opened(c *end) *end {
	before := len(p.host.Seen().Of(link.Opened))
	p.Until(c.Name()+" and the host have Opened of each other", func() bool {
		return len(p.host.Seen().Of(link.Opened)) > before && c.Seen().Saw(link.Opened, link.HostPeer)
	})
	c.opened(p.host.Seen().Of(link.Opened)[before].Peer)
	return c
}

// Step lets time pass and polls the ends that ask for it.
func (p *party) Step() {
	now := p.net.Step()
	if now < p.now {
		p.Fatalf("Network.Step returned %v after %v: the time never goes back", now, p.now)
	}
	p.now = now
	for _, e := range p.ends {
		if e.Advance(now); e.Wants(p.always) {
			e.Poll(now)
		}
	}
}

// mostSteps bounds the steps of one wait, for a Step that does not let time pass.
const mostSteps = 100_000

// Until steps until a condition holds. The case fails if it does not within patience.
func (p *party) Until(what string, holds func() bool) {
	switch {
	case p.stepUntil(holds):
	case p.missesPolls(holds):
		p.Fatalf("waited %v in vain until %s; %s", patience, what, missedPolls)
	default:
		p.Fatalf("waited %v in vain until %s; %s", patience, what, p.summary())
	}
}

// stepUntil steps until a condition holds, and reports whether it does within patience.
func (p *party) stepUntil(holds func() bool) bool {
	end := p.now + patience
	for n := 0; !holds(); n++ {
		if p.now > end || n > mostSteps {
			return false
		}
		p.Step()
	}
	return true
}

// missedPolls is what is wrong when missesPolls reports true.
const missedPolls = "with a poll of every end in every step it came: Due and Ready do not ask for " +
	"all polls that the link needs"

// missesPolls reports whether a condition for which stepUntil waited in vain holds when
// the ends are polled even if they do not ask for it.
func (p *party) missesPolls(holds func() bool) bool {
	if p.always {
		return false
	}
	p.always = true
	return p.stepUntil(holds)
}

// Run steps for a while.
func (p *party) Run(d time.Duration) {
	end := p.now + d
	for n := 0; p.now < end && n < mostSteps; n++ {
		p.Step()
	}
}

// linger is how long a case goes on after what it waited for, for events that should not
// come.
const linger = 30 * time.Millisecond

// Must ends the case if err is not nil.
func (p *party) Must(what string, err error) {
	if err != nil {
		p.Fatalf("%s: %v; %s", what, err, p.summary())
	}
}

// ShutDown shuts all ends down, the clients first.
func (p *party) ShutDown() {
	for i := range p.ends {
		p.ends[len(p.ends)-1-i].Shutdown("the case is over")
	}
}

// summary says what each end saw.
func (p *party) summary() string {
	var all []string
	for _, e := range p.ends {
		all = append(all, e.summary())
	}
	return strings.Join(all, "; ")
}
