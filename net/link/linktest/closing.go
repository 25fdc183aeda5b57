package linktest

import (
	"fmt"

	"github.com/hindcast/hindcast/net/link"
)

// closingCases: in an event of each kind, either end closes the peer, or shuts down. It has
// no further event, although there are some in the same poll, and the other end is told.
func closingCases() (all []testCase) {
	for _, byHost := range []bool{true, false} {
		for kind := link.Opened; kind <= link.Closed; kind++ {
			for _, shutdown := range []bool{false, true} {
				c := closing{byHost, kind, shutdown}
				all = append(all, testCase{c.name(), needsNothing, c.test, false})
			}
		}
	}
	return all
}

// closing is one of closingCases.
type closing struct {
	byHost   bool
	kind     link.EventKind
	shutdown bool
}

func (c closing) name() string {
	who, does := "the client", "closes"
	if c.byHost {
		who = hostName
	}
	if c.shutdown {
		does = "shuts down"
	}
	return fmt.Sprintf("%s %s in %v", who, does, c.kind)
}

// because is the reason that the other end is to read.
const because = "ended in deliver"

func (c closing) test(p *party) {
	client := p.Dial()
	ender, other := client, p.Host()
	if c.byHost {
		ender, other = p.Host(), client
	}
	ended := link.Peer(0) // the peer whose connection was ended
	ender.React(func(ev link.Event) {
		ender.Link().Poll(p.Now(), func(ev link.Event) {
			p.Errorf("%s: a poll in deliver delivered %s: it does nothing", ender.Name(), describe(ev))
		})
		if ev.Kind != c.kind || ended != 0 {
			return
		}
		ended = ev.Peer
		if c.kind != link.Closed { // a message in the queue, which must not come into ev.Data
			p.Must("a message in deliver", ender.Message(ev.Peer, link.Control, make([]byte, 3000)))
		}
		if c.shutdown {
			ender.Shutdown(because)
		} else {
			ender.Close(ev.Peer, because)
		}
		c.refused(p, ender, ev.Peer)
	})
	if c.kind == link.Opened {
		c.inOpened(p, client, other)
		return
	}
	p.opened(client)
	otherPeer := client.Peer() // as the other end names it
	if c.byHost {
		otherPeer = link.HostPeer
	}
	c.provoke(p, other, otherPeer)
	p.Until(ender.Name()+" has ended the connection", func() bool { return ended != 0 })
	if c.kind != link.Closed {
		wantReason(p, other, otherPeer, because)
	}
	p.Run(linger)
}

// refused: in the same call of deliver nothing can be sent any more.
func (c closing) refused(p *party, ender *end, peer link.Peer) {
	if c.shutdown {
		wantDown(ender, peer)
		return
	}
	wantClosed(ender, "in the deliver in which it was closed", peer)
}

// inOpened: the other end may not have got so far as to open.
func (c closing) inOpened(p *party, client, other *end) {
	p.Until("the end that ends the connection has Opened", func() bool {
		return p.Host().Seen().Saw(link.Opened, 0) ||
			len(p.Host().Seen().Of(link.Opened))+len(client.Seen().Of(link.Opened)) > 0
	})
	if c.byHost {
		wantReason(p, client, link.HostPeer, because)
		return
	}
	p.Until("the host has Closed of each client that it has Opened of", func() bool {
		return client.Seen().Saw(link.Opened, link.HostPeer) &&
			len(other.Seen().Of(link.Opened)) == len(other.Seen().Of(link.Closed))
	})
	p.Run(linger)
}

// provoke has the other end send what is delivered as an event of the kind, with more
// behind it, all in one poll if the link does that.
func (c closing) provoke(p *party, other *end, peer link.Peer) {
	if c.kind == link.Closed {
		other.Close(peer, "the other end closes")
		return
	}
	for range 5 {
		for s := range link.Stream(link.Streams) {
			p.Must("a message", other.Message(peer, s, []byte("message")))
		}
		p.Must("a datagram", other.Datagram(peer, []byte("datagram")))
	}
}
