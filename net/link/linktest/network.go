package linktest

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
)

// Network is what one case runs on: a host without clients, and functions that add
// clients and let time pass. The case shuts down the links that it got. What else the
// Network has, such as a listener, is for t.Cleanup.
type Network struct {
	// Host is the link of the host.
	Host link.Link
	// Dial returns the link of a new client of Host. The line between them is good: it
	// may lose a datagram now and then, but no more.
	Dial func() link.Link
	// Step lets a few milliseconds pass and returns the time, which is the same for all
	// links. A network in real time sleeps.
	Step func() time.Duration

	// The fields below are optional. A case that needs one that is not set is skipped.

	// DialBad is Dial with a bad line, in both directions: about a tenth of the packets
	// is lost, some arrive twice, and the delay differs by tens of milliseconds, so that
	// packets overtake each other. It is nil if a network does not do such things to the
	// link, as TCP does not.
	DialBad func() link.Link
	// Cut cuts the line of a client: from now on no packet arrives at either end, and
	// neither end is told.
	Cut func(client link.Link)
	// Apart is whether each link may be used by a goroutine of its own. If so, several
	// goroutines call Step at the same time.
	Apart bool
}

// need is a part of a Network that only some cases need.
type need uint8

const (
	needsNothing need = iota
	needsBadLines
	needsCuts
	needsApart
)

// lacks says why a case that needs something cannot run on n; "" if it can.
func (n *Network) lacks(what need) string {
	switch {
	case what == needsBadLines && n.DialBad == nil:
		return "Network.DialBad is not set: the case needs a line that loses packets"
	case what == needsCuts && n.Cut == nil:
		return "Network.Cut is not set: the case needs a line that can be cut"
	case what == needsApart && !n.Apart:
		return "Network.Apart is not set: the case needs links that may be used by goroutines of their own"
	}
	return ""
}
