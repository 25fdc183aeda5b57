package linktest

import (
	"errors"

	"github.com/hindcast/hindcast/net/link"
)

var backlogCases = []testCase{
	{"messages without a poll fill the backlog", needsNothing, backlogWithoutPoll, false},
	{"a peer that never polls fills the backlog", needsNothing, peerThatNeverPolls, false},
}

// mostBacklog is how many messages of MaxControl bytes a link may take for a peer that
// takes none: 64 MB.
const mostBacklog = 256

// fill has an end send messages of MaxControl bytes on Control until one is refused, and
// returns the error. between is called after each of them.
func (t *talk) fill(between func()) (err error) {
	control := &t.messages[link.Control]
	for range mostBacklog {
		if err = t.from.Message(t.toPeer, link.Control, control.Peek(link.MaxControl)); err != nil {
			return err
		}
		control.Next(link.MaxControl)
		between()
	}
	return nil
}

// backlogWithoutPoll: a message that is refused leaves no trace, and the others arrive.
func backlogWithoutPoll(p *party) {
	c := p.Open()
	up, _ := talksWith(p, c)
	err := up.fill(func() {})
	if !errors.Is(err, link.ErrBacklog) {
		p.Fatalf(
			"%d messages of %d bytes on control without a poll: the error is %v, want one that is %q by errors.Is",
			mostBacklog, link.MaxControl, err, link.ErrBacklog)
	}
	if up.messages[link.Control].Sent() == 0 {
		p.Fatalf(
			"the first message of %d bytes on control was refused: %v; where nothing waits, the "+
				"largest message is taken",
			link.MaxControl,
			err,
		)
	}
	queued := func(s link.Stream) int { return up.from.Link().Queued(up.toPeer, s) }
	if n := queued(link.Control); n < link.MaxControl {
		p.Fatalf("%d bytes are queued on control after ErrBacklog, want those that wait", n)
	}
	if n := queued(link.Bulk); n != 0 {
		p.Fatalf("%d bytes are queued on bulk, to which nothing was sent", n)
	}
	up.Throw(100) // which the backlog does not hold up
	arrive(p, up)
	if n := queued(link.Control); n != 0 {
		p.Fatalf("%d bytes are queued on control although all has arrived", n)
	}
	up.Say(link.Control, 100)
	arrive(p, up)
}

// peerThatNeverPolls: what waits for it has a bound. The host is not held up by it, and
// other peers do not notice. A link may close such a peer.
func peerThatNeverPolls(p *party) {
	lazy, other := p.Open(), p.Open()
	_, toLazy := talksWith(p, lazy)
	_, toOther := talksWith(p, other)
	lazy.Sleep(true)
	err := toLazy.fill(p.Step)
	switch {
	case err == nil:
		p.Fatalf(
			"%d messages of %d bytes for a peer that does not poll were taken, without ErrBacklog: "+
				"what waits for a peer has a bound",
			mostBacklog,
			link.MaxControl,
		)
	case !errors.Is(err, link.ErrBacklog) && !p.Host().Seen().Saw(link.Closed, lazy.Peer()):
		p.Fatalf("the host sends to a peer that does not poll: %v, want no error, or one that is %q by errors.Is",
			err, link.ErrBacklog)
	}
	for range 3000 {
		if err := p.Host().
			Datagram(lazy.Peer(), make([]byte, link.MaxDatagram)); err != nil &&
			!errors.Is(err, link.ErrNoPeer) {
			p.Fatalf("a datagram for a peer that does not poll: %v; such datagrams are lost, which is no error", err)
		}
	}
	for range 5 {
		toOther.Say(link.Control, 5000)
		toOther.Throw(500)
		p.Step()
	}
	arrive(p, toOther)
	lazy.Sleep(false)
	over := func() bool {
		return p.Host().Seen().Saw(link.Closed, lazy.Peer()) || lazy.Seen().Saw(link.Closed, link.HostPeer)
	}
	p.Until(
		"the messages for the peer that polls again have arrived, or it is closed",
		func() bool { return toLazy.Arrived() || over() },
	)
	if over() {
		toLazy.CheckPrefix()
		return
	}
	toLazy.CheckMessages()
}
