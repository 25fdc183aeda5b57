package linktest

import (
	"fmt"

	"github.com/hindcast/hindcast/net/link"
)

// stage is how far a connection has got, as the events of one end show.
type stage uint8

const (
	stageNew    stage = iota // no event yet
	stageOpen                // Opened was delivered
	stageLost                // Closed was delivered
	stageClosed              // the end itself closed it
)

// conduct holds what every link keeps to in every case: which events may follow which.
type conduct struct {
	client bool
	down   bool // Shutdown was called
	stages map[link.Peer]stage
}

func newConduct(client bool) conduct {
	return conduct{client: client, stages: make(map[link.Peer]stage)}
}

// Close notes that the end closes a connection.
func (c *conduct) Close(p link.Peer) {
	if c.stages[p] == stageOpen || c.client && p == link.HostPeer {
		c.stages[p] = stageClosed
	}
}

// Shutdown notes that the end shuts down.
func (c *conduct) Shutdown() { c.down = true }

// Judge returns what is wrong with an event; "" if nothing is.
func (c *conduct) Judge(ev link.Event) string {
	at := c.stages[ev.Peer]
	switch {
	case c.down:
		return "was delivered after Shutdown: polls do nothing then"
	case c.client && ev.Peer != link.HostPeer:
		return fmt.Sprintf("was delivered for peer %d: the host of a client is peer %d", ev.Peer, link.HostPeer)
	case ev.Peer == 0:
		return "was delivered for peer 0, which is no name"
	case at == stageClosed:
		return "was delivered after the end had closed the peer: no event follows a Close"
	case at == stageLost && ev.Kind == link.Opened:
		return "was delivered for a peer that was closed: a link never uses a name again"
	case at == stageLost:
		return "was delivered after Closed, which is the last event of a peer"
	case at == stageOpen && ev.Kind == link.Opened:
		return "was delivered twice for one peer"
	case at == stageNew && ev.Kind != link.Opened && !(c.client && ev.Kind == link.Closed):
		return "was delivered before Opened, which is the first event of a peer"
	}
	switch ev.Kind {
	case link.Opened:
		c.stages[ev.Peer] = stageOpen
	case link.Closed:
		c.stages[ev.Peer] = stageLost
	}
	return wrongContent(ev)
}

// wrongContent returns what is wrong with the fields of an event.
func wrongContent(ev link.Event) string {
	switch ev.Kind {
	case link.Opened, link.Closed:
		if len(ev.Data) > 0 {
			return "has data, which only datagrams and messages have"
		}
		if ev.Reason != link.CleanReason(ev.Reason) {
			return fmt.Sprintf(
				"has the reason %q, which is not what link.CleanReason makes of it: one printable "+
					"line of at most %d bytes",
				ev.Reason,
				link.MaxReason,
			)
		}
	case link.Datagram:
		return wrongSize(len(ev.Data), link.MaxDatagram)
	case link.Message:
		if ev.Stream >= link.Streams {
			return fmt.Sprintf("is of %v, which does not exist", ev.Stream)
		}
		return wrongSize(len(ev.Data), ev.Stream.MaxMessage())
	default:
		return "is of a kind that does not exist"
	}
	return ""
}

func wrongSize(n, most int) string {
	if n < 1 || n > most {
		return fmt.Sprintf("has %d bytes; 1 to %d are allowed", n, most)
	}
	return ""
}
