package linktest

import (
	"errors"

	"github.com/hindcast/hindcast/net/link"
)

var openingCases = []testCase{
	{"both ends open", needsNothing, bothEndsOpen, false},
	{"names are not used again", needsNothing, namesAreNotUsedAgain, false},
	{"a dial that is not answered ends", needsCuts, dialEnds, false},
}

// wantError fails unless a send was refused for the right reason.
func wantError(e *end, what string, got, want error) {
	switch {
	case got == nil:
		e.Errorf("%s: no error, want one that is %q by errors.Is", what, want)
	case !errors.Is(got, want):
		e.Errorf("%s: the error is %q, want one that is %q by errors.Is", what, got, want)
	}
}

// wantClosed fails unless a peer is refused as one that is not open.
func wantClosed(e *end, when string, peer link.Peer) {
	wantError(e, "a datagram "+when, e.Datagram(peer, []byte("x")), link.ErrNoPeer)
	for s := range link.Stream(link.Streams) {
		wantError(e, "a message on "+s.String()+" "+when, e.Message(peer, s, []byte("x")), link.ErrNoPeer)
	}
}

// bothEndsOpen: a client dials with its first poll, and can be sent to from Opened on.
func bothEndsOpen(p *party) {
	c := p.Dial()
	wantClosed(c, "before Opened", link.HostPeer)
	wantClosed(p.Host(), "to peer 0", 0)
	wantClosed(p.Host(), "to a peer that never was", 1<<40)
	p.opened(c)
	up, down := talksWith(p, c)
	up.Say(link.Control, 10)
	down.Say(link.Control, 10)
	arrive(p, up, down)
}

// namesAreNotUsedAgain: conduct fails if the host hears of a name a second time.
func namesAreNotUsedAgain(p *party) {
	for range 3 {
		c := p.Open()
		p.Host().Close(c.Peer(), "next, please")
		p.Until(
			c.Name()+" learns that the connection has ended",
			func() bool { return c.Seen().Saw(link.Closed, link.HostPeer) },
		)
		wantClosed(p.Host(), "to a peer that the host closed", c.Peer())
	}
	p.Open()
}

func dialEnds(p *party) {
	c := p.Dial()
	p.Net().Cut(c.Link())
	p.Until(
		c.Name()+", which nobody answers, has Closed",
		func() bool { return c.Seen().Saw(link.Closed, link.HostPeer) },
	)
	if c.Seen().Of(link.Closed)[0].Reason == "" {
		p.Errorf("%s: Closed of a dial that nobody answered has no reason", c.Name())
	}
	p.Run(linger)
	wantClosed(c, "after Closed", link.HostPeer)
	if c.Seen().Saw(link.Opened, link.HostPeer) || p.Host().Seen().Count() > 0 {
		p.Errorf("a line that was cut before the first poll carried a handshake; %s", p.summary())
	}
}
