package link

import (
	"errors"
	"strconv"
	"time"
)

// Limits every Link keeps, in bytes of payload.
const (
	MaxDatagram = 1100      // one datagram: fits one packet on any usual path
	MaxControl  = 256 << 10 // one message on Control
	MaxBulk     = 64 << 20  // one message on Bulk
)

// What a send can fail with. They are wrapped: compare with errors.Is.
var (
	// ErrNoPeer: the peer never opened, is closed, or was closed by us.
	ErrNoPeer = errors.New("link: no such peer")
	// ErrTooLarge: more bytes than the limit of that kind of send.
	ErrTooLarge = errors.New("link: too large")
	// ErrEmpty: nothing to send. Neither datagrams nor messages may be empty.
	ErrEmpty = errors.New("link: empty")
	// ErrBacklog: the peer does not take what was sent before. Nothing of this
	// message was queued; wait, or close the peer.
	ErrBacklog = errors.New("link: backlog full")
	// ErrShutdown: the link was shut down.
	ErrShutdown = errors.New("link: shut down")
)

// Peer names one connection of one Link. Zero is none. A Peer is never used
// again for another connection. To a client its host is peer 1.
type Peer uint64

// Stream is a reliable channel. Messages are in order within a stream; the
// streams do not wait for each other.
type Stream uint8

const (
	Control Stream = 0 // small and urgent; sent as soon as possible
	Bulk    Stream = 1 // scripts and states; paced so that nothing waits behind it
	Streams        = 2 // how many streams there are
)

// String gives the name that logs use.
func (s Stream) String() string {
	switch s {
	case Control:
		return "control"
	case Bulk:
		return "bulk"
	}
	return "stream " + strconv.Itoa(int(s))
}

// MaxMessage is the longest message in bytes that the stream carries, 0 for a
// stream that does not exist.
func (s Stream) MaxMessage() int {
	switch s {
	case Control:
		return MaxControl
	case Bulk:
		return MaxBulk
	}
	return 0
}

// EventKind says what an Event is. Zero is none.
type EventKind uint8

const (
	Opened   EventKind = iota + 1 // a peer is there, and can be sent to
	Datagram                      // Data came, once, perhaps out of order
	Message                       // Data came, in order within Stream
	Closed                        // the peer is gone, Reason says why; its last event
)

// String gives the name that logs use.
func (k EventKind) String() string {
	switch k {
	case Opened:
		return "opened"
	case Datagram:
		return "datagram"
	case Message:
		return "message"
	case Closed:
		return "closed"
	}
	return "event " + strconv.Itoa(int(k))
}

// Event is one thing that happened on a Link.
type Event struct {
	Kind   EventKind
	Peer   Peer
	Stream Stream // of a Message
	Data   []byte // of a Datagram or Message; valid only during the call of deliver
	Reason string // of a Closed: one line for a person
}

// Link is one end of the network: a host's, with many peers, or a client's,
// with one.
//
// A Link belongs to one goroutine. Only Ready may be used from another. The
// clock is the caller's: now counts from a moment of its choice, and never
// goes back.
type Link interface {
	// Poll takes in what arrived, drives retransmission, keepalive and timeouts,
	// and calls deliver for each event, in order, before it returns. It does not
	// wait for anything. deliver may send and close, but not poll.
	Poll(now time.Duration, deliver func(ev Event))

	// SendDatagram sends b once, as one packet, at once: it may be lost,
	// repeated packets are dropped by the other end, order is not kept. At most
	// MaxDatagram bytes. b is free again when it returns.
	SendDatagram(now time.Duration, p Peer, b []byte) error

	// SendMessage sends b reliably, in order within the stream, at most
	// s.MaxMessage() bytes. It leaves with the next Poll. b is free again when it
	// returns.
	SendMessage(now time.Duration, p Peer, s Stream, b []byte) error

	// Close says goodbye to p with the reason, and forgets it: no further event
	// of p is delivered, not even Closed. Messages sent before get a short
	// chance to arrive, if the link goes on being polled. Closing a peer that is
	// gone does nothing.
	Close(now time.Duration, p Peer, reason string)

	// Ready receives when something is waiting to be polled. It may receive once
	// too often. Time passes too: poll also without it.
	Ready() <-chan struct{}

	// Shutdown says goodbye to every peer with the reason and frees the link at
	// once. Sends after it fail, polls do nothing.
	Shutdown(reason string) error
}
