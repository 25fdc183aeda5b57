package link

import (
	"errors"
	"math"
	"net/netip"
	"strconv"
	"time"
)

// The limits of every Link, in bytes of payload.
const (
	MaxDatagram = 1100      // of a datagram: fits into one packet on any usual path
	MaxControl  = 256 << 10 // of a message on Control
	MaxBulk     = 64 << 20  // of a message on Bulk
	MaxReason   = 200       // of the reason of a Closed
)

// Never is what Due returns if nothing is planned.
const Never time.Duration = math.MaxInt64

// The errors of sending. They are wrapped: use errors.Is.
var (
	// ErrNoPeer is the error of a peer that is not open: it never was, or it is closed.
	ErrNoPeer = errors.New("link: no such peer")
	// ErrTooLarge is the error of more bytes than MaxDatagram, or than the stream takes.
	ErrTooLarge = errors.New("link: too large")
	// ErrEmpty is the error of a datagram or a message without bytes.
	ErrEmpty = errors.New("link: empty")
	// ErrBacklog is the error of a message for which too many bytes of earlier ones wait to
	// be sent. Nothing of it was queued. Wait, or close the peer.
	ErrBacklog = errors.New("link: backlog full")
	// ErrShutdown is the error of a link that was shut down.
	ErrShutdown = errors.New("link: shut down")
)

// Peer names one connection of one Link. 0 is none. A Link never uses a Peer for another
// connection. The host of a client is HostPeer.
type Peer uint64

// HostPeer is the name that a client's Link has for its host.
const HostPeer Peer = 1

// Stream names one of the reliable streams of a peer. Messages are in order within a
// stream; the streams do not wait for each other.
type Stream uint8

const (
	Control Stream = 0 // for small, urgent messages: sent as soon as possible
	Bulk    Stream = 1 // for scripts and states: paced, so that nothing waits behind them
	Streams        = 2 // the number of streams
)

// String returns the name that logs use.
func (s Stream) String() string {
	switch s {
	case Control:
		return "control"
	case Bulk:
		return "bulk"
	}
	return "stream " + strconv.Itoa(int(s))
}

// MaxMessage returns the largest message of the stream, in bytes; 0 if there is no such
// stream.
func (s Stream) MaxMessage() int {
	switch s {
	case Control:
		return MaxControl
	case Bulk:
		return MaxBulk
	}
	return 0
}

// EventKind is what happened. 0 is nothing.
type EventKind uint8

const (
	Opened   EventKind = iota + 1 // the peer can be sent to
	Datagram                      // Data arrived, once, perhaps out of order
	Message                       // Data arrived, in order within Stream
	Closed                        // the connection ended; the last event of the peer
)

// String returns the name that logs use.
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
	Data   []byte // of a Datagram or a Message; valid only during the call of deliver
	Reason string // of a Closed: one line for people
}

// Link is one end of the network: a host's, with many peers, or a client's, with one.
//
// A Link belongs to one goroutine; only Ready may be called from others. The clock is the
// caller's: now counts from any moment and never goes back.
type Link interface {
	// Poll handles the packets that have arrived, drives retransmission, keepalive and
	// timeouts, and calls deliver for each event, in order, before it returns. It does
	// not wait. deliver may call any method but Poll, which does nothing then.
	Poll(now time.Duration, deliver func(ev Event))

	// SendDatagram sends b, at most MaxDatagram bytes, at once and once, as one packet.
	// It may be lost and overtaken; the other end drops duplicates. The caller may reuse
	// b.
	SendDatagram(now time.Duration, p Peer, b []byte) error

	// SendMessage sends b, at most s.MaxMessage() bytes, reliably and in order within
	// the stream, from the next Poll on or earlier. The link keeps b until it has arrived and
	// does not change it, and neither may the caller: a message for many peers is one slice,
	// whose memory they share. If there is an error, nothing was kept. A link closes a peer
	// that acknowledges nothing for 5 s while more than 64 KB wait for it on a stream.
	SendMessage(now time.Duration, p Peer, s Stream, b []byte) error

	// Queued returns how many bytes of the messages for p on a stream have not been sent even once, about: 0 if p is
	// not open. Before a large message that can wait, ask it: a peer can take what waits for it as slowly as one
	// packet in 5 s.
	Queued(p Peer, s Stream) int

	// Close ends the connection to p and tells it the reason. No further event of p is
	// delivered, not even Closed. Messages that were sent before have a short time to
	// arrive, if the link is still polled. Close of a peer that is not open does
	// nothing.
	Close(now time.Duration, p Peer, reason string)

	// Due returns the time at which the next Poll is needed: to send what is queued, to
	// send again, for a keepalive or for a timeout. It is at or before now if there is
	// something to do at once, as before the first Poll of a client and, where Poll sends
	// the messages, after SendMessage. It is Never if nothing is planned. It changes with every call of
	// another method, so ask again after those. It does not show packets that arrive:
	// Ready does. If Ready returns nil, Due shows both.
	Due(now time.Duration) time.Duration

	// Ready returns a channel that receives when a packet waits for a Poll, and
	// perhaps once more. Timeouts do not show there: Due does. It returns nil if the link
	// knows beforehand when packets arrive.
	Ready() <-chan struct{}

	// Shutdown tells every peer the reason and frees the link at once: its socket and its
	// goroutines are gone when it returns. After it, sends fail with ErrShutdown, polls do
	// nothing and Due returns Never. A second call does nothing. The program that made the
	// link calls it, unless it gave the link to something that does, such as a
	// room.Driver. The error is that of closing a socket or a listener; the link is freed
	// all the same.
	Shutdown(reason string) error
}

// Counted is a Link that counts what it drops and refuses.
type Counted interface {
	// Dropped calls count for each reason, which is a word of lower case letters and underscores, with how often
	// something was dropped or refused for it. It belongs to the goroutine of the Link.
	Dropped(count func(reason string, n uint64))
}

// Located is a Link that knows where its peers are.
type Located interface {
	// Address returns the address of an open peer, unmapped and without a zone; ok is false if it is not known. It
	// belongs to the goroutine of the Link.
	Address(p Peer) (addr netip.Addr, ok bool)
}
