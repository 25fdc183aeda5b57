package host_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// tightRoom returns the options of a room with a small late-input budget, and the costs
// of its rewinds.
func tightRoom(seed uint64, clients int) (o simtest.Options, cost *[]int) {
	o = roomtest.Options(seed, clients, memlink.LAN())
	o.Bundle.Rules.RewindWork = 1
	cost = new([]int)
	o.Host = func(c *host.Config) {
		c.Rewound = func(r timeline.Rewound) { *cost = append(*cost, r.Objects) }
	}
	return o, cost
}

func sum(list []int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}

// TestLatenessCannotSlowOthers tests a player whose inputs all arrive as late as
// possible, and whose client ignores the host's requests. After a short time the player
// costs the room nothing, and no other player loses an input.
func TestLatenessCannotSlowOthers(t *testing.T) {
	t.Parallel()
	o, cost := tightRoom(3, 4)
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	before := sim.Host.Report(sim.Now).Inputs.LateRewound
	ship, n := roomtest.OwnShip(t, sim, 1), uint32(0)
	line.Change = func(m *wire.InputPacket) {
		n++
		m.Runs = []wire.InputRun{{Object: ship, Bundle: 1, First: sim.Host.Now() - 20, Inputs: []world.Input{{Buttons: n & 3}}}}
	}
	*cost = nil
	sim.Run(3 * time.Second)
	early := sum(*cost)
	*cost = nil
	sim.Run(10 * time.Second)
	r := sim.Host.Report(sim.Now)
	if l := r.Lateness; l.LeadAsked == 0 || l.Reduced < 2 || l.TooLate < 300 || r.Inputs.LateRewound == before {
		t.Errorf("%+v, %+v", l, r.Inputs)
	}
	if late := sum(*cost); early < 500 || late > early {
		t.Errorf("%d object-ticks run again in 3 s, %d in the 10 s after that", early, late)
	}
	if work := sim.Host.State().Len(); r.Lateness.MostObjects > 4*work {
		t.Errorf("%d object-ticks run again in one tick, in a room of %d", r.Lateness.MostObjects, work)
	}
	for i := 1; i < 4; i++ {
		if c := sim.Report(i); c.Inputs.DroppedOld+c.Inputs.Refused+c.Corrections.Count != 0 || !sim.Clients[i].Playing() {
			t.Errorf("client %d: %+v, %d corrections", i, c.Inputs, c.Corrections.Count)
		}
	}
	roomtest.CheckHost(t, sim, false)
}

// slowUp is a link that delays a client's InputPackets and nothing else, so that its
// clock cannot notice.
type slowUp struct {
	link.Link
	by    time.Duration
	queue []slowFrame
}

type slowFrame struct {
	due time.Duration
	to  link.Peer
	b   []byte
}

func (l *slowUp) SendDatagram(now time.Duration, p link.Peer, b []byte) error {
	if wire.KindOf(b) != wire.KindInputPacket {
		return l.Link.SendDatagram(now, p, b)
	}
	l.queue = append(l.queue, slowFrame{now + l.by, p, bytes.Clone(b)})
	return nil
}

func (l *slowUp) Poll(now time.Duration, f func(link.Event)) {
	for len(l.queue) > 0 && l.queue[0].due <= now {
		_ = l.Link.SendDatagram(now, l.queue[0].to, l.queue[0].b)
		l.queue = l.queue[1:]
	}
	l.Link.Poll(now, f)
}

// fidget presses different keys in every tick.
type fidget struct{}

func (fidget) Input(r world.Reader, _ int) world.Input {
	return world.Input{Buttons: uint32(r.Tick()) & 3}
}

// TestLeadIsFollowed tests a client whose inputs are late because its line is slower
// than its clock believes. When the host asks for more lead, the client runs further
// ahead, and its inputs are on time again.
func TestLeadIsFollowed(t *testing.T) {
	t.Parallel()
	o, cost := tightRoom(4, 3)
	o.Client = func(i int, c *client.Config) {
		if i == 0 {
			c.Link = &slowUp{Link: c.Link, by: 300 * time.Millisecond}
		}
	}
	o.Controls = func(int) client.Controls { return fidget{} }
	sim := simtest.New(t, o)
	sim.Run(draws.Pick(5*time.Second, 8*time.Second))
	r := sim.Host.Report(sim.Now)
	if l := r.Lateness; l.LeadAsked == 0 || l.Reduced != 0 || r.Inputs.LateRewound < 30 {
		t.Errorf("%+v, %+v", l, r.Inputs)
	}
	*cost = nil
	sim.Run(draws.Pick(3*time.Second, 5*time.Second))
	if after := sim.Host.Report(sim.Now).Inputs; after.LateRewound-r.Inputs.LateRewound > 30 || after.DroppedOld != 0 {
		t.Errorf("%+v, then %+v", r.Inputs, after)
	}
	roomtest.CheckHost(t, sim, false)
}
