package runtime_test

import (
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/simtest"
)

// slowWorld is a line on which the world takes a second when it is asked for again, and
// what the client sent shortly before comes to the host after that.
type slowWorld struct {
	link.Link
	late   bool          // InputPackets do not leave yet
	under  [][]byte      // those
	asked  time.Duration // when the world was asked for again; 0: not yet
	held   *link.Event   // the keyframe under way
	frames int           // HostPackets that came between 100 ms after that and the keyframe
	came   bool          // the keyframe has
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
	case l.asked != 0 && !l.came: // the client waits
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

// TestLogWaitsForTheKeyframe: what a client sent before it asked for the
// world again does not start the log for it. On a thin line that would be sent again and
// again, as nobody acknowledges it, and leave no room for the world.
func TestLogWaitsForTheKeyframe(t *testing.T) {
	t.Parallel()
	slow := &slowWorld{}
	o := room(5, 2, memlink.LAN())
	o.Client = func(i int, c *runtime.ClientConfig) {
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
