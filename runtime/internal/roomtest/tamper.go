package roomtest

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// Tamper changes or drops the InputPackets of the client whose link it wraps, and
// sends packets in the client's place.
type Tamper struct {
	link.Link
	Change func(*wire.InputPacket) // nil: no change
	Silent bool                    // InputPackets are dropped
	Heard  func(b []byte)          // called for every message that arrives; may be nil
	Now    time.Duration
	Host   link.Peer
}

// Tampered puts a tamper between client 0 and its link.
func Tampered(o *simtest.Options) *Tamper {
	l := &Tamper{}
	o.Client = func(i int, c *client.Config) {
		if i == 0 {
			l.Link, c.Link = c.Link, l
		}
	}
	return l
}

// SendDatagram drops or changes an InputPacket, and sends all else.
func (l *Tamper) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	l.Now, l.Host = now, p
	var m wire.InputPacket
	if wire.KindOf(b) != wire.KindInputPacket || l.Change == nil && !l.Silent {
		return l.Link.SendDatagram(now, p, b)
	}
	if l.Silent {
		return nil
	}
	if wire.ParseInputPacket(b, &m) == nil {
		l.Change(&m)
		b = wire.AppendInputPacket(nil, &m)
	}
	return l.Link.SendDatagram(now, p, b)
}

// Poll passes on what arrives, and messages to Heard, too.
func (l *Tamper) Poll(now time.Duration, deliver func(ev link.Event)) {
	l.Link.Poll(now, func(ev link.Event) {
		if ev.Kind == link.Message && l.Heard != nil {
			l.Heard(ev.Data)
		}
		deliver(ev)
	})
}

// Say sends a message in the place of the client.
func (l *Tamper) Say(b []byte) { _ = l.Link.SendMessage(l.Now, l.Host, link.Control, b) }

// Liar changes what its client claims.
type Liar struct {
	link.Link
	Lie  func(*wire.Claim)
	Sent int
}

// SendDatagram changes the claim of an InputPacket.
func (l *Liar) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	var m wire.InputPacket
	if wire.KindOf(b) == wire.KindInputPacket && wire.ParseInputPacket(b, &m) == nil && m.Claim != nil {
		l.Lie(m.Claim)
		l.Sent++
		b = wire.AppendInputPacket(nil, &m)
	}
	return l.Link.SendDatagram(now, p, b)
}
