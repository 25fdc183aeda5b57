package host_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestNonsenseMessagesDoNotAffectTheHost sends well-formed messages that make no sense.
// They must neither stop the host nor change the room for other clients.
func TestNonsenseMessagesDoNotAffectTheHost(t *testing.T) {
	t.Parallel()
	for _, seed := range chaosSeeds(3) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { sayAnything(t, seed) })
	}
}

func sayAnything(t *testing.T, seed uint64) {
	o := roomtest.Options(seed, 3, memlink.Average())
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(time.Second)
	g := &gibberish{rng: rand.New(rand.NewPCG(seed, 7)), sim: sim}
	line.Change = g.frame
	for range 12 {
		sim.Run(500 * time.Millisecond)
		if line.Host != 0 && sim.Clients[0].Err() == nil {
			line.Say(g.message())
		}
	}
	for i, c := range sim.Clients[1:] {
		lag := int(sim.Host.Now()) - int(c.Confirmed())
		if r := sim.Report(i + 1); c.Desync() != nil || !c.Playing() || lag > 120 || r.Corrections.Count > 0 || r.Resyncs > 0 {
			t.Errorf("client %d (%s, %v): %d ticks late, %v, %d corrections", i+1, c.Status(), c.Err(), lag, c.Desync(), r.Corrections.Count)
		}
	}
	roomtest.CheckHost(t, sim, false)
}

// gibberish draws messages that a client may send.
type gibberish struct {
	rng *rand.Rand
	sim *simtest.Sim
}

// tick draws a tick near the host's present, or any tick.
func (g *gibberish) tick() world.Tick {
	if g.rng.IntN(8) == 0 {
		return world.Tick(g.rng.Uint32())
	}
	return g.sim.Host.Now() + world.Tick(g.rng.IntN(80)) - min(g.sim.Host.Now(), 40)
}

// object draws an object of the room, or an id that does not exist.
func (g *gibberish) object() world.ObjectID {
	s := g.sim.Host.State()
	if g.rng.IntN(8) == 0 || len(s.Run) == 0 {
		return world.ObjectID(g.rng.Uint64())
	}
	return s.Objects[s.Run[g.rng.IntN(len(s.Run))]].ID
}

func (g *gibberish) frame(m *wire.InputPacket) {
	switch g.rng.IntN(4) {
	case 0:
		m.Ack = wire.Ack{Newest: g.rng.Uint32() >> g.rng.IntN(32), Mask: g.rng.Uint64()}
	case 1:
		m.Claim = &wire.Claim{Object: g.object(), Tick: g.tick(), KnownSeq: g.rng.Uint32() >> g.rng.IntN(32), X: float32(g.rng.NormFloat64()), VX: math.MaxFloat32}
	case 2:
		for range 1 + g.rng.IntN(4) {
			m.Runs = append(m.Runs, g.run())
		}
	}
}

func (g *gibberish) run() wire.InputRun {
	run := wire.InputRun{Object: g.object(), Bundle: uint32(g.rng.IntN(3)), First: min(g.tick(), math.MaxUint32-wire.MaxInputs)}
	for range 1 + g.rng.IntN(wire.MaxInputs) {
		in := world.Input{Buttons: uint32(g.rng.IntN(16))}
		if g.rng.IntN(4) == 0 {
			in.Axes[g.rng.IntN(world.MaxAxes)] = []float64{math.NaN(), math.Inf(-1), 1}[g.rng.IntN(3)]
		}
		run.Inputs = append(run.Inputs, in)
	}
	return run
}

func (g *gibberish) message() []byte {
	switch g.rng.IntN(8) {
	case 7:
		return wire.AppendEnter(nil, &wire.Enter{})
	case 5, 6:
		return wire.AppendAssetWant(nil, &wire.AssetWant{Hash: [32]byte{byte(g.rng.IntN(2))}, Offset: g.rng.Uint32()})
	case 0:
		return wire.AppendStateWant(nil, &wire.StateWant{Tick: g.tick(), Hash: g.rng.Uint64()})
	case 1:
		return wire.AppendChat(nil, &wire.Chat{Player: 77, Text: "nonsense"})
	default:
		return wire.AppendReady(nil, &wire.Ready{})
	}
}

// TestBytesThatAreNoMessage tests that a client that sends invalid bytes on any stream
// is disconnected.
func TestBytesThatAreNoMessage(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		o := roomtest.Options(1, 1, memlink.LAN())
		o.Bundle.Setup.Spawns = nil
		o.Client = func(_ int, c *client.Config) { c.Kind = client.InputOnly }
		sim := simtest.New(t, o)
		bad := sim.Net.Dial(memlink.LAN(), memlink.LAN())
		closed := false
		for range 100 {
			bad.Poll(sim.Now, func(ev link.Event) {
				b := make([]byte, 1+rng.IntN(40))
				for i := range b {
					b[i] = byte(rng.IntN(256) >> rng.IntN(8))
				}
				_ = bad.SendDatagram(sim.Now, ev.Peer, b)
				_ = bad.SendMessage(sim.Now, ev.Peer, link.Stream(rng.IntN(link.Streams)), b)
				closed = closed || ev.Kind == link.Closed
			})
			sim.Run(simtest.PollEvery)
		}
		if !closed {
			t.Fatal("who sends no message is still there")
		}
	}
}
