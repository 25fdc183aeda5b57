package linktest

import (
	"strings"

	"github.com/hindcast/hindcast/net/link"
)

var endingCases = []testCase{
	{"close lets messages arrive", needsNothing, closeLetsMessagesArrive, false},
	{"close of a peer that is not open does nothing", needsNothing, closeOfNobody, false},
	{"close while dialing", needsNothing, closeWhileDialing, false},
	{"both ends close", needsNothing, bothEndsClose, false},
	{"close, then shut down", needsNothing, closeThenShutDown, false},
	{"shutdown tells all peers", needsNothing, shutdownTellsAll, false},
	{"shutdown before the first poll", needsNothing, shutdownBeforePoll, false},
	{"a closed peer can be sent nothing", needsNothing, closedPeerIsRefused, false},
	{"reasons are one short line", needsNothing, reasonsAreOneLine, false},
	{"a cut line closes both ends", needsCuts, cutClosesBothEnds, false},
}

// untilClosed waits for the Closed of a peer and returns its reason.
func untilClosed(p *party, e *end, peer link.Peer) string {
	p.Until(e.Name()+" has Closed", func() bool { return e.Seen().Saw(link.Closed, peer) })
	p.Run(linger)
	for _, ev := range e.Seen().Of(link.Closed) {
		if ev.Peer == peer {
			return ev.Reason
		}
	}
	return ""
}

func wantReason(p *party, e *end, peer link.Peer, want string) {
	if got := untilClosed(p, e, peer); got != want {
		p.Errorf("%s: the reason of Closed is %q, want %q", e.Name(), got, want)
	}
}

func closeLetsMessagesArrive(p *party) {
	for _, byHost := range []bool{true, false} {
		c := p.Open()
		up, down := talksWith(p, c)
		said := down
		if !byHost {
			said = up
		}
		said.Say(link.Control, 100)
		said.Say(link.Control, 5000)
		said.Say(link.Bulk, 300)
		closer, other := said.Ends()
		from, to := said.Peers()
		closer.Close(to, "enough")
		wantClosed(closer, "to a peer that it closed", to)
		closer.Close(to, "again") // does nothing
		wantReason(p, other, from, "enough")
		said.Check()
	}
}

func closeOfNobody(p *party) {
	c := p.Open()
	p.Host().Close(0, "nobody")
	p.Host().Close(1<<40, "nobody")
	c.Close(link.HostPeer+1, "nobody")
	up, down := talksWith(p, c)
	up.Say(link.Control, 10)
	down.Say(link.Control, 10)
	arrive(p, up, down)
}

// closeWhileDialing: after any number of polls. The host has nothing of the client, or
// Opened and Closed.
func closeWhileDialing(p *party) {
	for polls := range 4 {
		c := p.Dial()
		for range polls {
			p.Step()
		}
		c.Close(link.HostPeer, "changed its mind")
		wantClosed(c, "after Close", link.HostPeer)
		p.Run(linger)
	}
	p.Until("the host has Closed of each client that it has Opened of", func() bool {
		return len(p.Host().Seen().Of(link.Opened)) == len(p.Host().Seen().Of(link.Closed))
	})
	p.Open()
}

func bothEndsClose(p *party) {
	c := p.Open()
	up, down := talksWith(p, c)
	up.Say(link.Control, 100)
	down.Say(link.Control, 100)
	p.Host().Close(c.Peer(), "the host closes")
	c.Close(link.HostPeer, "the client closes")
	p.Run(5 * linger) // conduct fails for any event
	p.Open()
}

func closeThenShutDown(p *party) {
	c, other := p.Open(), p.Open()
	p.Must("a message before Close", c.Message(link.HostPeer, link.Control, []byte("last words")))
	c.Close(link.HostPeer, "leaves")
	c.Shutdown("leaves")
	untilClosed(p, p.Host(), c.Peer())
	up, _ := talksWith(p, other)
	up.Say(link.Control, 10)
	arrive(p, up)
}

func shutdownTellsAll(p *party) {
	a, b := p.Open(), p.Open()
	ready := p.Host().Link().Ready()
	p.Host().Shutdown("the room closes")
	p.Host().Shutdown("again") // does nothing
	wantReason(p, a, link.HostPeer, "the room closes")
	wantReason(p, b, link.HostPeer, "the room closes")
	wantDown(p.Host(), a.Peer())
	p.Host().Close(a.Peer(), "nobody is there") // does nothing
	if p.Host().Link().Ready() != ready {
		p.Errorf("the host: Ready returns another channel after Shutdown")
	}
}

// wantDown fails unless all sends of an end are refused because it was shut down.
func wantDown(e *end, peer link.Peer) {
	wantError(e, "a datagram after Shutdown", e.Datagram(peer, []byte("x")), link.ErrShutdown)
	wantError(e, "a message after Shutdown", e.Message(peer, link.Control, []byte("x")), link.ErrShutdown)
}

func shutdownBeforePoll(p *party) {
	never := p.Dial()
	never.Shutdown("never mind")
	wantDown(never, link.HostPeer)
	dialing := p.Dial()
	p.Step()
	dialing.Shutdown("changed its mind")
	wantDown(dialing, link.HostPeer)
	p.Until("the host has Closed of each client that it has Opened of", func() bool {
		return len(p.Host().Seen().Of(link.Opened)) == len(p.Host().Seen().Of(link.Closed))
	})
	p.Open()
}

func closedPeerIsRefused(p *party) {
	c := p.Open()
	p.Host().React(func(ev link.Event) {
		if ev.Kind == link.Closed {
			wantClosed(p.Host(), "in the deliver of Closed", ev.Peer)
			p.Host().Close(ev.Peer, "does nothing")
		}
	})
	c.Close(link.HostPeer, "leaves")
	wantReason(p, p.Host(), c.Peer(), "leaves")
	wantClosed(p.Host(), "after Closed", c.Peer())
}

// reasonsAreOneLine: conduct fails for a reason that is not clean.
func reasonsAreOneLine(p *party) {
	for _, reason := range []string{"two\nlines\x1b[31m", strings.Repeat("long ", 100), "héllo"} {
		c := p.Open()
		c.Close(link.HostPeer, reason)
		wantReason(p, p.Host(), c.Peer(), link.CleanReason(reason))
	}
}

func cutClosesBothEnds(p *party) {
	c, other := p.Open(), p.Open()
	p.Net().Cut(c.Link())
	p.Must("a message into a cut line", c.Message(link.HostPeer, link.Control, []byte("x")))
	p.Must("a message into a cut line", p.Host().Message(c.Peer(), link.Control, []byte("x")))
	if untilClosed(p, c, link.HostPeer) == "" || untilClosed(p, p.Host(), c.Peer()) == "" {
		p.Errorf("a line was cut, and Closed has no reason")
	}
	wantClosed(p.Host(), "after Closed", c.Peer())
	wantClosed(c, "after Closed", link.HostPeer)
	up, down := talksWith(p, other)
	up.Say(link.Control, 10)
	down.Say(link.Control, 10)
	arrive(p, up, down)
}
