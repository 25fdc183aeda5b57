package host_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// TestFirstInputOfATickCounts tests that a client that changes an input when it repeats it
// changes nothing, on its own side or elsewhere: a tick has one input, the first that
// arrived. All others count as duplicates.
func TestFirstInputOfATickCounts(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(3, 2, memlink.Profile{Delay: 60 * time.Millisecond})
	line := roomtest.Tampered(&o)
	sent := map[world.Tick]world.Input{}
	changed := 0
	line.Change = func(m *wire.InputPacket) {
		for i := range m.Runs {
			run := &m.Runs[i]
			for j := range run.Inputs {
				tick := run.First + world.Tick(j)
				if _, before := sent[tick]; before {
					run.Inputs[j].Buttons ^= 7
					changed++
					continue
				}
				sent[tick] = run.Inputs[j]
			}
		}
	}
	sim := simtest.New(t, o)
	sim.Run(6 * time.Second)
	line.Change = nil
	sim.Drain()
	sim.AgreeOnHashes()
	host := sim.Host.Report(sim.Now)
	if changed < 500 || host.Inputs.Duplicate < changed || host.Corrections.Count > 0 || host.Inputs.Refused+host.Inputs.DroppedOld > 0 {
		t.Errorf("%d inputs were changed; %+v, %d corrections", changed, host.Inputs, host.Corrections.Count)
	}
}

// rough returns a line that loses, duplicates and reorders packets.
func rough() memlink.Profile {
	return memlink.Profile{Delay: 60 * time.Millisecond, Jitter: 40 * time.Millisecond, Loss: 0.1, Duplicate: 0.2, Reorder: 0.2}
}

// flown returns how far the ship of client 0 has moved on the host, in metres.
func flown(t *testing.T, sim *simtest.Sim, x, y float64) float64 {
	t.Helper()
	s := sim.Host.State()
	slot, _ := s.Find(roomtest.OwnShip(t, sim, sim.Clients[0].Player()))
	b := s.Body(slot)
	return math.Hypot(b.X-x, b.Y-y)
}

// TestNewestInputOfATickCounts tests a room with again = "newest". A client that adds a
// key press to an input when it repeats it moves its ship.
func TestNewestInputOfATickCounts(t *testing.T) {
	t.Parallel()
	for _, newest := range []bool{false, true} {
		o := roomtest.Options(5, 3, memlink.Profile{Delay: 60 * time.Millisecond, Duplicate: 0.2})
		o.Bundle.Rules.Newest = newest
		o.Controls = func(i int) client.Controls {
			if i == 0 {
				return nil
			}
			return &stub.Wanderer{Seed: uint64(i)}
		}
		line := roomtest.Tampered(&o)
		sim := simtest.New(t, o)
		sim.Run(3 * time.Second)
		x, y := place(t, sim)
		sent := map[world.Tick]bool{}
		line.Change = func(m *wire.InputPacket) {
			for i := range m.Runs {
				run := &m.Runs[i]
				for j := range run.Inputs {
					if tick := run.First + world.Tick(j); sent[tick] {
						run.Inputs[j].Buttons = stub.Accel
					} else {
						sent[tick] = true
					}
				}
			}
		}
		sim.Run(4 * time.Second)
		line.Change = nil
		way := flown(t, sim, x, y)
		sim.Drain()
		sim.AgreeOnHashes()
		in := sim.Host.Report(sim.Now).Inputs
		t.Logf("newest %v: it flew %.1f m; %+v", newest, way, in)
		if newest != (way > 3) || newest != (in.Revised > 100) || !newest && in.Revised != 0 {
			t.Errorf("newest %v: it flew %.2f m; %+v", newest, way, in)
		}
		if sum := in.OnTime + in.EarlyHeld + in.LateRewound + in.Duplicate + in.DroppedOld + in.Refused; sum != in.Received {
			t.Errorf("inputs don't add up: %+v", in)
		}
	}
}

// place returns where the ship of client 0 is on the host.
func place(t *testing.T, sim *simtest.Sim) (x, y float64) {
	t.Helper()
	s := sim.Host.State()
	slot, _ := s.Find(roomtest.OwnShip(t, sim, sim.Clients[0].Player()))
	return s.Body(slot).X, s.Body(slot).Y
}

// TestRevise tests a program that finds out some ticks later which input its player
// meant.
func TestRevise(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(6, 2, rough())
	o.Controls = nil
	first := simtest.New(t, o)
	first.Run(3 * time.Second)
	c := first.Clients[0]
	if err := c.Revise(c.Now(), roomtest.OwnShip(t, first, c.Player()), world.Input{}); err == nil || !strings.Contains(err.Error(), "the first one counts") {
		t.Errorf("where the first counts: %v", err)
	}
	first.Drain()

	o = roomtest.Options(9, 2, rough())
	o.Controls, o.Bundle.Rules.Newest = nil, true
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	c = sim.Clients[0]
	ship := roomtest.OwnShip(t, sim, c.Player())
	for _, bad := range []struct {
		tick   world.Tick
		object world.ObjectID
	}{{c.Now() - 15, ship}, {c.Now() + 1, ship}, {c.Now(), 1}} {
		if err := c.Revise(bad.tick, bad.object, world.Input{Buttons: stub.Accel}); err == nil || !strings.Contains(err.Error(), "none of those of the last 15 ticks") {
			t.Errorf("tick %d at %d: %v", bad.tick, c.Now(), err)
		}
	}
	x, y := place(t, sim)
	for end := sim.Now + 3*time.Second; sim.Now < end; {
		sim.Run(sim.Host.TickLength())
		if err := c.Revise(c.Now()-2, ship, world.Input{Buttons: stub.Accel}); err != nil {
			t.Fatal(err)
		}
	}
	mine, _ := c.State().Find(ship)
	b := c.State().Body(mine)
	if way, own := flown(t, sim, x, y), math.Hypot(b.X-x, b.Y-y); way < 3 || own < way {
		t.Errorf("on the host it flew %.1f m, here %.1f", way, own)
	}
	sim.Drain()
	sim.AgreeOnHashes()
	r := sim.Host.Report(sim.Now)
	if r.Inputs.Revised < 100 || r.Corrections.Count > 0 {
		t.Errorf("%+v; corrections %+v", r.Inputs, r.Corrections)
	}
}

// TestInputRevisionsAreBounded tests a client that revises all coming inputs in every
// tick. The host relays a limited share of the revisions to the others, and notifies the
// client why not all.
func TestInputRevisionsAreBounded(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(7, 2, memlink.LAN())
	o.Bundle.Rules.Newest = true
	line := roomtest.Tampered(&o)
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	ship, frames := roomtest.OwnShip(t, sim, sim.Clients[0].Player()), 0
	line.Change = func(m *wire.InputPacket) {
		frames++
		m.Runs = nil
		for first := sim.Host.Now() + 2; first < sim.Host.Now()+50; first += wire.MaxInputs {
			run := wire.InputRun{Object: ship, Bundle: 1, First: first, Inputs: make([]world.Input, wire.MaxInputs)}
			for i := range run.Inputs {
				run.Inputs[i].Buttons = uint32(frames) % 3
			}
			m.Runs = append(m.Runs, run)
		}
	}
	sim.Run(4 * time.Second)
	line.Change = nil
	sim.Drain()
	sim.AgreeOnHashes()
	in := sim.Host.Report(sim.Now).Inputs
	if most := 32 * frames; in.Revised > most || in.Revised < most/2 || in.Refused < 5*frames {
		t.Errorf("in %d frames %+v", frames, in)
	}
}
