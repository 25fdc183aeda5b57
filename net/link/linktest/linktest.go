package linktest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Network makes the links of one test, all on one clock.
type Network struct {
	Host link.Link
	Dial func() link.Link     // a new client of Host
	Step func() time.Duration // lets a little time pass, and returns the time
}

// patience bounds every wait, in time of the network.
const patience = 20 * time.Second

// Run runs all tests, each on Networks of its own: once with a Poll of every link in every
// step, and once with a Poll only where Due or Ready asks for one. The tests run in parallel.
// Run shuts the links down.
func Run(t *testing.T, open func(t *testing.T) Network) {
	for _, c := range []struct {
		name string
		test func(p *party)
	}{
		{"both ends open", bothEndsOpen},
		{"datagrams arrive both ways", datagramsArrive},
		{"messages arrive in order", messagesArriveInOrder},
		{"sends that are refused", sendsThatAreRefused},
		{"close lets messages arrive", closeLetsMessagesArrive},
		{"deliver may close", func(p *party) { deliverMayEnd(p, false) }},
		{"deliver may shut down", func(p *party) { deliverMayEnd(p, true) }},
		{"names are not used again", namesAreNotUsedAgain},
		{"shutdown ends everything", shutdownEndsEverything},
		{"what is queued is due", whatIsQueuedIsDue},
		{"an idle link is seldom due", anIdleLinkIsSeldomDue},
	} {
		for _, whenDue := range []bool{false, true} {
			name := c.name
			if whenDue {
				name += ", polled when due"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				c.test(newParty(t, open(t), whenDue))
			})
		}
	}
}

// newParty returns a host and a client that are open.
func newParty(t *testing.T, n Network, whenDue bool) *party {
	p := &party{T: t, net: n, whenDue: whenDue}
	p.host = p.add(p.net.Host)
	p.client = p.add(p.net.Dial())
	t.Cleanup(p.shutDown)
	p.until("both ends are open", func() bool { return len(p.host.events)+len(p.client.events) == 2 })
	return p
}

// party is a host and its clients with what they saw.
type party struct {
	*testing.T
	net          Network
	whenDue      bool // a link is polled only if it is due or ready
	now          time.Duration
	ends         []*end
	host, client *end
}

// end is a link and the events that it delivered, copied.
type end struct {
	link.Link
	events []link.Event
	polls  int                 // in which the link was due or ready
	react  func(ev link.Event) // called for each event, unless nil
}

func (p *party) add(l link.Link) *end {
	e := &end{Link: l}
	p.ends = append(p.ends, e)
	return e
}

func (p *party) shutDown() {
	for _, e := range p.ends {
		if err := e.Shutdown("the test is over"); err != nil {
			p.Errorf("shutdown: %v", err)
		}
	}
}

// needsPoll reports whether the link is due, or ready.
func (e *end) needsPoll(now time.Duration) bool {
	select {
	case <-e.Ready():
		return true
	default:
		return e.Due(now) <= now
	}
}

// step lets time pass and polls the ends.
func (p *party) step() {
	p.now = p.net.Step()
	for _, e := range p.ends {
		switch {
		case e.needsPoll(p.now):
			e.polls++
		case p.whenDue:
			continue
		}
		e.Poll(p.now, func(ev link.Event) {
			ev.Data = slices.Clone(ev.Data)
			e.events = append(e.events, ev)
			if e.react != nil {
				e.react(ev)
			}
		})
	}
}

func (p *party) until(what string, holds func() bool) {
	p.Helper()
	for end := p.now + patience; !holds(); p.step() {
		if p.now > end {
			p.Fatalf("not after %v: %s; the host saw %v, the client %v", patience, what, p.host.kinds(), p.client.kinds())
		}
	}
}

// run lets some time pass.
func (p *party) run(d time.Duration) {
	for end := p.now + d; p.now < end; {
		p.step()
	}
}

func (p *party) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (e *end) kinds() (all []link.EventKind) {
	for _, ev := range e.events {
		all = append(all, ev.Kind)
	}
	return all
}

func (e *end) of(k link.EventKind) (all []link.Event) {
	for _, ev := range e.events {
		if ev.Kind == k {
			all = append(all, ev)
		}
	}
	return all
}

// peer is the name that the host has for its first client.
func (p *party) peer() link.Peer { return p.host.events[0].Peer }

func bothEndsOpen(p *party) {
	if p.host.events[0].Kind != link.Opened || p.peer() == 0 {
		p.Errorf("the host saw %+v", p.host.events[0])
	}
	if ev := p.client.events[0]; ev.Kind != link.Opened || ev.Peer != 1 {
		p.Errorf("the client saw %+v", ev)
	}
}

func datagramsArrive(p *party) {
	b := bytes.Repeat([]byte{7}, link.MaxDatagram)
	p.must(p.client.SendDatagram(p.now, 1, b))
	p.must(p.host.SendDatagram(p.now, p.peer(), b[:1]))
	clear(b) // the caller may use it again
	p.until("datagrams arrive", func() bool {
		return len(p.host.of(link.Datagram)) == 1 && len(p.client.of(link.Datagram)) == 1
	})
	if got := p.host.of(link.Datagram)[0]; got.Peer != p.peer() || !bytes.Equal(got.Data, bytes.Repeat([]byte{7}, link.MaxDatagram)) {
		p.Errorf("the host got %d bytes from peer %d", len(got.Data), got.Peer)
	}
	if got := p.client.of(link.Datagram)[0]; got.Peer != 1 || !bytes.Equal(got.Data, []byte{7}) {
		p.Errorf("the client got %v from peer %d", got.Data, got.Peer)
	}
}

// message returns the n-th message of a stream, from 1 byte to the most that control
// takes.
func message(s link.Stream, n int) []byte {
	sizes := [...]int{1, 2, 1099, 1100, 1101, 5000, link.MaxControl}
	return bytes.Repeat([]byte{byte(n), byte(s), 0xa5}, sizes[n%len(sizes)])[:sizes[n%len(sizes)]]
}

func messagesArriveInOrder(p *party) {
	const count = 14
	for n := range count {
		for s := range link.Stream(link.Streams) {
			b := message(s, n)
			p.must(p.client.SendMessage(p.now, 1, s, b))
			p.must(p.host.SendMessage(p.now, p.peer(), s, b))
			clear(b)
		}
		p.step()
	}
	p.until("messages arrive", func() bool {
		return len(p.host.of(link.Message)) >= 2*count && len(p.client.of(link.Message)) >= 2*count
	})
	for _, e := range []*end{p.host, p.client} {
		var next [link.Streams]int
		for _, ev := range e.of(link.Message) {
			if want := message(ev.Stream, next[ev.Stream]); !bytes.Equal(ev.Data, want) {
				p.Fatalf("message %d on %v has %d bytes, want %d", next[ev.Stream], ev.Stream, len(ev.Data), len(want))
			}
			next[ev.Stream]++
		}
		if next != [link.Streams]int{count, count} {
			p.Errorf("%v messages arrived", next)
		}
	}
}

func sendsThatAreRefused(p *party) {
	for _, c := range []struct {
		what string
		got  error
		want error
	}{
		{"datagram to a stranger", p.host.SendDatagram(p.now, p.peer()+100, []byte("x")), link.ErrNoPeer},
		{"message to a stranger", p.host.SendMessage(p.now, p.peer()+100, link.Control, []byte("x")), link.ErrNoPeer},
		{"empty datagram", p.client.SendDatagram(p.now, 1, nil), link.ErrEmpty},
		{"empty message", p.client.SendMessage(p.now, 1, link.Bulk, nil), link.ErrEmpty},
		{"large datagram", p.client.SendDatagram(p.now, 1, make([]byte, link.MaxDatagram+1)), link.ErrTooLarge},
		{"large message", p.client.SendMessage(p.now, 1, link.Control, make([]byte, link.MaxControl+1)), link.ErrTooLarge},
		{"no such stream", p.client.SendMessage(p.now, 1, link.Streams, []byte("x")), link.ErrTooLarge},
	} {
		if !errors.Is(c.got, c.want) {
			p.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	var err error
	for range 1000 {
		if err = p.client.SendMessage(p.now, 1, link.Control, make([]byte, link.MaxControl)); err != nil {
			break
		}
	}
	if !errors.Is(err, link.ErrBacklog) {
		p.Errorf("many messages without a poll: %v, want %v", err, link.ErrBacklog)
	}
}

func closeLetsMessagesArrive(p *party) {
	seen := len(p.host.events)
	p.must(p.host.SendMessage(p.now, p.peer(), link.Control, []byte("last")))
	p.host.Close(p.now, p.peer(), "enough")
	if err := p.host.SendDatagram(p.now, p.peer(), []byte("x")); !errors.Is(err, link.ErrNoPeer) {
		p.Errorf("a datagram to a closed peer: %v, want %v", err, link.ErrNoPeer)
	}
	p.host.Close(p.now, p.peer(), "again") // does nothing
	p.until("the client is closed", func() bool { return len(p.client.of(link.Closed)) == 1 })
	if got := p.client.of(link.Message); len(got) != 1 || string(got[0].Data) != "last" {
		p.Errorf("the client got %v", got)
	}
	if got := p.client.of(link.Closed)[0]; got.Reason != "enough" || got.Peer != 1 {
		p.Errorf("the client saw %+v", got)
	}
	p.run(time.Second)
	if len(p.host.events) != seen {
		p.Errorf("the host saw %v after Close", p.host.events[seen:])
	}
}

// deliverMayEnd: in the event of the first of many messages the host ends the
// connection. It sees no other event, and a poll within a poll does nothing.
func deliverMayEnd(p *party, shutdown bool) {
	p.host.react = func(ev link.Event) {
		p.host.Poll(p.now, func(link.Event) { p.Error("a poll within a poll delivered an event") })
		if shutdown {
			p.must(p.host.Shutdown("rude"))
		} else {
			p.host.Close(p.now, ev.Peer, "rude")
		}
	}
	for range 5 {
		p.must(p.client.SendMessage(p.now, 1, link.Control, []byte("m")))
		p.must(p.client.SendDatagram(p.now, 1, []byte("d")))
	}
	p.until("the client is closed", func() bool { return len(p.client.of(link.Closed)) == 1 })
	if got := p.client.of(link.Closed)[0].Reason; got != "rude" {
		p.Errorf("the reason is %q", got)
	}
	if len(p.host.events) != 2 {
		p.Errorf("the host saw %v", p.host.kinds())
	}
}

func namesAreNotUsedAgain(p *party) {
	first := p.peer()
	p.host.Close(p.now, first, "next, please")
	second := p.add(p.net.Dial())
	p.until("the second client is open", func() bool { return len(second.of(link.Opened)) == 1 && len(p.host.of(link.Opened)) == 2 })
	if got := p.host.of(link.Opened)[1].Peer; got == first || got == 0 {
		p.Errorf("the second client is peer %d, as the first was", got)
	}
}

func shutdownEndsEverything(p *party) {
	seen := fmt.Sprint(p.client.kinds())
	p.must(p.client.Shutdown("going home"))
	p.must(p.client.Shutdown("again")) // does nothing
	p.until("the host sees the end", func() bool { return len(p.host.of(link.Closed)) == 1 })
	if got := p.host.of(link.Closed)[0]; got.Reason != "going home" || got.Peer != p.peer() {
		p.Errorf("the host saw %+v", got)
	}
	for _, err := range []error{p.client.SendDatagram(p.now, 1, []byte("x")), p.client.SendMessage(p.now, 1, link.Bulk, []byte("x"))} {
		if !errors.Is(err, link.ErrShutdown) {
			p.Errorf("a send after Shutdown: %v, want %v", err, link.ErrShutdown)
		}
	}
	p.client.Close(p.now, 1, "nobody is there") // does nothing
	if got := fmt.Sprint(p.client.kinds()); got != seen {
		p.Errorf("the client saw %s after %s", got, seen)
	}
}

func whatIsQueuedIsDue(p *party) {
	p.must(p.client.SendMessage(p.now, 1, link.Control, []byte("now")))
	if due := p.client.Due(p.now); due > p.now {
		p.Errorf("a link with a queued message is due in %v", due-p.now)
	}
	p.must(p.client.Shutdown("going home"))
	if due := p.client.Due(p.now); due != link.Never {
		p.Errorf("a link that is shut down is due in %v", due-p.now)
	}
}

// anIdleLinkIsSeldomDue: in a second in which nothing is sent, links of one connection
// are due or ready only for keepalives and the answers to them, not for each step.
func anIdleLinkIsSeldomDue(p *party) {
	p.run(500 * time.Millisecond)
	before := [...]int{p.host.polls, p.client.polls}
	p.run(time.Second)
	const most = 12
	for i, e := range []*end{p.host, p.client} {
		if n := e.polls - before[i]; n > most {
			p.Errorf("link %d of 2 was due or ready %d times in a second without traffic, want at most %d", i+1, n, most)
		}
		if len(e.of(link.Closed)) > 0 {
			p.Errorf("link %d of 2 was closed: %v", i+1, e.of(link.Closed))
		}
	}
}
