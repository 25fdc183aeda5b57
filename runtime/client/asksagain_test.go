package client_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// slowWorld is a link on which the keyframe takes a second when the client asks for one
// again. Packets that the client sent shortly before arrive at the host after the
// request.
type slowWorld struct {
	link.Link
	late   bool          // InputPackets are held back
	under  [][]byte      // the InputPackets held back
	asked  time.Duration // when the client asked for a new keyframe; 0: not yet
	held   *link.Event   // the keyframe that is held back
	frames int           // HostPackets that arrived later than 100 ms after the request and before the keyframe
	came   bool          // the keyframe has arrived
	now    time.Duration // on the client's clock
	host   link.Peer
}

func (l *slowWorld) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	l.host = p
	switch {
	case wire.KindOf(b) != wire.KindInputPacket:
	case l.late:
		l.under = append(l.under, slices.Clone(b))
		return nil
	case l.asked != 0 && !l.came: // the client waits for the keyframe
		if len(l.under) == 0 {
			return nil
		}
		b, l.under = l.under[0], l.under[1:]
	}
	return l.Link.SendDatagram(now, p, b)
}

const worldTakes = time.Second

func (l *slowWorld) Poll(now time.Duration, deliver func(ev link.Event)) {
	l.now = now
	l.Link.Poll(now, func(ev link.Event) {
		again := l.asked != 0 && !l.came
		switch {
		case again && ev.Kind == link.Message && wire.KindOf(ev.Data) == wire.KindKeyframe:
			ev.Data = slices.Clone(ev.Data)
			l.held = &ev
			return
		case again && ev.Kind == link.Datagram && wire.KindOf(ev.Data) == wire.KindHostPacket && now > l.asked+100*time.Millisecond:
			l.frames++
		}
		deliver(ev)
	})
	if l.held != nil && now > l.asked+worldTakes {
		l.came = true
		deliver(*l.held)
		l.held = nil
	}
}

func (l *slowWorld) ask() {
	l.asked, l.late = l.now, false
	seq, _ := wire.InputPacketSeq(l.under[len(l.under)-1])
	_ = l.Link.SendMessage(l.now, l.host, link.Control, wire.AppendReady(nil, &wire.Ready{LastInputSeq: seq}))
}

// TestLogWaitsForTheKeyframe tests that packets which a client sent before it asked for
// a new keyframe do not make the host send the log. On a line of little bandwidth, the
// host would repeat the log, because the client does not acknowledge it, and leave no
// bandwidth for the keyframe.
func TestLogWaitsForTheKeyframe(t *testing.T) {
	t.Parallel()
	slow := &slowWorld{}
	o := roomtest.Options(5, 2, memlink.LAN())
	o.Client = func(i int, c *client.Config) {
		if i == 1 {
			slow.Link, c.Link = c.Link, slow
		}
	}
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	slow.late = true
	sim.Run(200 * time.Millisecond)
	before := sim.Clients[1].Confirmed()
	slow.ask()
	sim.Run(4 * time.Second)
	if !slow.came || slow.frames > 0 {
		t.Errorf("the world came: %v; %d HostPackets came before it", slow.came, slow.frames)
	}
	if c := sim.Clients[1]; !c.Playing() || c.Confirmed() < before+180 || c.Desync() != nil {
		t.Errorf("%s, confirmed %d, before %d: %v", c.Status(), c.Confirmed(), before, c.Desync())
	}
}
