package host_test

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

func TestClaimBeforeReadyIsNotJudgedAfterIt(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 1, memlink.LAN())
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	claim := wire.Claim{Object: roomtest.OwnShip(t, sim, 1), Tick: sim.Host.Now() + 40, KnownSeq: math.MaxUint32, X: 1000}
	line.Change = func(m *wire.InputPacket) { m.Claim = &claim }
	sim.Run(100 * time.Millisecond)
	line.Silent = true
	line.Say(wire.AppendReady(nil, &wire.Ready{}))
	sim.Run(2 * time.Second) // the host judged a claim for which it no longer had a relay
	if sim.Host.Players() != 1 {
		t.Errorf("%d players", sim.Host.Players())
	}
}

// future replaces the inputs of an InputPacket by ones that steer an object for 48
// ticks from a tick on.
func future(object world.ObjectID, from world.Tick) func(*wire.InputPacket) {
	return func(m *wire.InputPacket) {
		m.Runs = m.Runs[:0]
		for k := range world.Tick(3) {
			in := make([]world.Input, 16)
			for i := range in {
				in[i].Buttons = stub.Accel
			}
			m.Runs = append(m.Runs, wire.InputRun{Object: object, Bundle: 1, First: from + 16*k, Inputs: in})
		}
	}
}

func TestOldOwnersInputsAheadEndWithTheOwnership(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 2, memlink.LAN())
	o.Controls = nil // the new owner presses no key
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	ship := roomtest.OwnShip(t, sim, 1)
	line.Change = future(ship, sim.Host.Now()+8)
	sim.Run(60 * time.Millisecond)
	line.Change = nil
	before := sim.Host.Report(sim.Now).Inputs
	if err := sim.Host.SetOwner(ship, 2); err != nil {
		t.Fatal(err)
	}
	from, steered := sim.Host.Now()+1, 0
	for sim.Host.Now() < from+50 {
		sim.Run(simtest.PollEvery)
		s := sim.Host.State()
		slot, _ := s.Find(ship)
		if b := s.Body(slot); s.Tick > from && (b.FX != 0 || b.FY != 0) {
			steered++
		}
	}
	if steered > 0 {
		t.Errorf("the old owner's thrust was on at %d polls after the change", steered)
	}
	after := sim.Host.Report(sim.Now).Inputs
	if n := after.OnTime + after.LateRewound - before.OnTime - before.LateRewound; n < 2*45 {
		t.Errorf("%d inputs of the new owner's two ships were applied in 50 ticks: %+v, then %+v", n, before, after)
	}
}

// TestInputsOutOfRangeAreRefusedWithANotice tests that inputs that are not numbers or
// out of range are refused, and the player is notified. Each is counted once, although
// the client repeats it until the host's acknowledgement arrives. Later inputs are
// accepted.
func TestInputsOutOfRangeAreRefusedWithANotice(t *testing.T) {
	t.Parallel()
	bad := map[string]world.Input{
		"NaN":               {Axes: [world.MaxAxes]float64{math.NaN()}},
		"an undeclared key": {Buttons: 1 << 20},
		"too many parts":    {Buttons: stub.Accel, Held: [world.MaxButtons]uint8{1: 9}},
	}
	for name, in := range bad {
		t.Run(name, func(t *testing.T) {
			o := roomtest.Options(4, 1, memlink.Average())
			line := roomtest.Tampered(&o)
			sim := simtest.New(t, o)
			sim.Run(3 * time.Second)
			before, sent := sim.Host.Report(sim.Now).Inputs, map[world.Tick]bool{}
			line.Change = func(m *wire.InputPacket) {
				for _, run := range m.Runs {
					for i := range run.Inputs {
						if t := run.First + world.Tick(i); sent[t] || len(sent) < 10 {
							run.Inputs[i], sent[t] = in, true
						}
					}
				}
			}
			sim.Run(3 * time.Second)
			after, client := sim.Host.Report(sim.Now).Inputs, sim.Report(0).Inputs
			if refused := after.Refused - before.Refused; refused < 3 || refused > 10 { // the first ones had arrived before they were changed
				t.Errorf("%d inputs refused of %d that were bad", refused, len(sent))
			}
			if client.Refused != after.Refused {
				t.Errorf("the player was notified of %d refused inputs, not %d", client.Refused, after.Refused)
			}
			if good := after.OnTime + after.EarlyHeld + after.LateRewound - before.OnTime - before.EarlyHeld - before.LateRewound; good < 150 {
				t.Errorf("%d good inputs were taken", good)
			}
			sim.Drain()
			sim.AgreeOnHashes()
		})
	}
}

func TestNonFinitePosesAreRefused(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, roomtest.Options(6, 2, memlink.LAN()))
	sim.Run(2 * time.Second)
	for _, x := range []float64{math.NaN(), math.Inf(1), 1e300} {
		if _, err := sim.Host.Spawn("Crate", world.Placement{Pose: physics.Pose{X: x}}, nil); err == nil {
			t.Errorf("a crate at x = %v", x)
		}
	}
	sim.Run(2 * time.Second)
	sim.Drain()
	sim.AgreeOnHashes()
}

// TestStatesOfBeforeASwitchCanBeAskedFor tests that any client can request such states,
// whether its hash differs or not. The host answers with the scripts of that time as
// long as it keeps such states, and later with the oldest state that it keeps.
func TestStatesOfBeforeASwitchCanBeAskedFor(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(6, 2, memlink.LAN())
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	var answers []uint32 // the bundle of each answer
	line.Heard = func(b []byte) {
		if m, err := wire.ParseStateReply(b); err == nil {
			bundle, err := world.BundleOf(m.State)
			if err != nil {
				t.Error(err)
			}
			answers = append(answers, bundle)
		}
	}
	at := roomtest.SwitchTo(t, sim, "next")
	for now := at + 90; now < at+220; now += 10 { // no tick from before the switch can be run again, and old scripts have been removed
		roomtest.RunTo(sim, now)
		if s := sim.Host.StateAt(sim.Host.Committed()); s.Bundle != 2 {
			t.Fatalf("bundle %d may still be run at tick %d", s.Bundle, now)
		}
		line.Say(wire.AppendStateWant(nil, &wire.StateWant{Tick: at - 2}))
	}
	sim.Drain()
	sim.AgreeOnHashes()
	roomtest.CheckHost(t, sim, false)
	if i := slices.Index(answers, 2); len(answers) != 13 || i < 4 || sim.Host.Players() != 2 {
		t.Errorf("13 questions, answers by bundles %v; %d players", answers, sim.Host.Players())
	}
}

// TestFloodOfInputsCostsLittle tests a client that sends as many refused inputs as a
// datagram holds, in every poll. The host decodes, and counts, one packet per tick.
func TestFloodOfInputsCostsLittle(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 2, memlink.Off())
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(2 * time.Second)
	before := sim.Host.Report(sim.Now).Inputs
	m := wire.InputPacket{Seq: 1 << 20}
	for range wire.MaxRuns {
		m.Runs = append(m.Runs, wire.InputRun{Object: 77, Bundle: 1, Inputs: make([]world.Input, wire.MaxInputs)})
	}
	const seconds = 2
	for range 250 * seconds {
		m.Seq++
		for i := range m.Runs {
			m.Runs[i].First = sim.Host.Now()
		}
		_ = line.Link.SendDatagram(line.Now, line.Host, wire.AppendInputPacket(nil, &m))
		sim.Run(simtest.PollEvery)
	}
	after := sim.Host.Report(sim.Now).Inputs
	perTick := (after.Received - before.Received) / (60 * seconds)
	if most := wire.MaxRuns*wire.MaxInputs + 20; perTick > most || after.Refused == before.Refused {
		t.Errorf("%d inputs a tick were looked at, want at most %d: %+v", perTick, most, after)
	}
	roomtest.CheckHost(t, sim, false)
	sim.Leave(0)
	sim.Run(time.Second)
	if !sim.Clients[1].Playing() || sim.Report(1).Held > 0 {
		t.Errorf("the other client: %s, held %d ticks", sim.Clients[1].Status(), sim.Report(1).Held)
	}
}

func TestClientThatCannotCompileLeavesTheRoom(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(1, 2, memlink.LAN())
	o.Client = func(i int, c *client.Config) {
		if i == 0 {
			c.Compile = compileOnce()
		}
	}
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	roomtest.SwitchTo(t, sim, "next")
	sim.Run(5 * time.Second)
	if sim.Host.Players() != 1 || sim.Clients[0].Err() == nil {
		t.Errorf("%d players; the one without scripts: %v", sim.Host.Players(), sim.Clients[0].Err())
	}
}

// compileOnce compiles the first bundle and no other.
func compileOnce() world.Compile {
	n := 0
	return func(files []world.Source, setup world.Setup) (world.Script, error) {
		if n++; n > 1 {
			return nil, errors.New("cannot compile")
		}
		return stub.Compile(files, setup)
	}
}
