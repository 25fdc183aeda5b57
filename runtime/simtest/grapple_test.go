package simtest_test

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// roundTrip200 returns a line with a round trip of 200 ms and 5 % loss each way.
func roundTrip200() memlink.Profile {
	return memlink.Profile{Delay: 100 * time.Millisecond, Jitter: 5 * time.Millisecond, Loss: 0.05}
}

// A swinger presses Fire for two thirds of a second, aiming up to one side, releases
// it, and does the same to the other side. It notes the tick in which it pressed.
type swinger struct {
	pressed world.Tick
	down    bool
	shots   int
}

func (s *swinger) Input(r world.Reader, slot int) world.Input {
	var in world.Input
	tick := int(r.Tick())
	down := tick%60 < 45
	if down && !s.down {
		s.pressed, s.shots = r.Tick()+1, s.shots+1
	}
	s.down = down
	for _, f := range r.Class(slot).Inputs {
		switch f.Name {
		case "Fire":
			if down {
				in.Buttons |= 1 << f.Index
			}
		case "aim":
			in.Axes[f.Index] = math.Pi/2 + 0.5*float64(tick/60%3-1)
		case "Right":
			if tick/60%2 == 0 {
				in.Buttons |= 1 << f.Index
			}
		}
	}
	return in
}

// A hookView follows the hooks and ropes that their owner's client shows.
type hookView struct {
	t      *testing.T
	hand   *swinger
	view   room.View
	client *client.Client
	hooks  int
	ropes  int // hooks whose rope was shown
	early  int // ropes that were shown before the host had them
	gone   map[world.ObjectID]bool
	last   map[world.ObjectID]room.ViewBody
	roped  map[world.ObjectID]bool
	jump   stats.Series
	shown  float64
	tick   world.Tick
	born   map[world.ObjectID]world.Tick
	onHost func(id world.ObjectID) bool // reports whether the host has the object
}

func (s *hookView) look() {
	s.client.View(&s.view)
	now := map[world.ObjectID]room.ViewBody{}
	at := float64(s.view.Tick) - 1 + s.view.Alpha
	for _, b := range s.view.Bodies {
		if b.Class != "Hook" || b.Owner != s.client.Player() {
			continue
		}
		if _, twice := now[b.ID]; twice {
			s.t.Errorf("tick %d: hook %v is shown twice", s.view.Tick, b.ID)
		}
		now[b.ID] = b
		if s.gone[b.ID] {
			s.t.Errorf("tick %d: hook %v is back", s.view.Tick, b.ID)
		}
		was, known := s.last[b.ID]
		if !known {
			s.first(b.ID)
			continue
		}
		seconds := (at - s.shown) / 60
		// The hook flies. In its first tick it is where it began; at a wall it stops.
		if was.VX == b.VX && was.VY == b.VY && math.Hypot(b.VX, b.VY) > 39 && s.born[b.ID] < s.tick {
			s.jump.Add(math.Hypot(b.X-was.X-b.VX*seconds, b.Y-was.Y-b.VY*seconds))
		}
	}
	// order: each object is noted by itself
	for id := range s.last {
		if _, there := now[id]; !there {
			s.gone[id] = true
		}
	}
	for _, l := range s.view.Lines {
		if _, is := now[l.B]; is && !s.roped[l.B] {
			s.roped[l.B] = true
			s.ropes++
			if !s.onHost(l.B) {
				s.early++
			}
		}
	}
	s.last, s.shown, s.tick = now, at, s.view.Tick
}

// first notes that a hook is shown for the first time. This must be in the tick of the
// key.
func (s *hookView) first(id world.ObjectID) {
	s.born[id] = s.view.Tick
	if s.last == nil {
		return // it existed before the first look
	}
	if s.hooks++; s.view.Tick != s.hand.pressed {
		s.t.Errorf("hook %v is shown at tick %d, and was shot at %d", id, s.view.Tick, s.hand.pressed)
	}
}

// TestRopeGame tests the game grapple with a round trip of 200 ms and 5 % loss. A
// runner's hook is shown to its owner in the tick of the key. It never appears twice,
// nor again after it was removed. It sticks to walls and pulls before the host knows of
// it. The owner's client is never corrected.
func TestRopeGame(t *testing.T) {
	t.Parallel()
	play := 20 * time.Second
	hands := []*swinger{{}, {}}
	sim := simtest.New(t, simtest.Options{Seed: 71, Clients: 2, Profile: roundTrip200(), Bundle: simtest.Game(t, "grapple").Bundle, Compile: compile,
		Controls: func(i int) client.Controls { return hands[i] }})
	sim.RunUntil(10*time.Second, "both play", func() bool { return sim.Clients[0].Playing() && sim.Clients[1].Playing() })
	onHost := func(id world.ObjectID) bool { _, ok := sim.Host.State().Find(id); return ok }
	s := &hookView{t: t, hand: hands[0], client: sim.Clients[0], onHost: onHost,
		gone: map[world.ObjectID]bool{}, roped: map[world.ObjectID]bool{}, born: map[world.ObjectID]world.Tick{}}
	begun := hands[0].shots
	for end := sim.Now + play; sim.Now < end; {
		sim.Run(simtest.PollEvery)
		s.look()
	}
	if shots := hands[0].shots - begun; s.hooks < shots-1 || shots < 15 {
		t.Errorf("%d shots, %d hooks were seen", shots, s.hooks)
	}
	report := sim.Report(0)
	t.Logf("%d hooks, %d with ropes, %d of them before the host had the hook; hooks in flight jump %+v m; %d corrections, %d repredictions of %+v m",
		s.hooks, s.ropes, s.early, s.jump.Spread(), report.Corrections.Count, report.Repredictions.Count, report.Repredictions.Distance)
	if s.ropes < 10 || s.early < 5 {
		t.Errorf("%d ropes were seen, %d of them before the host had the hook", s.ropes, s.early)
	}
	if s.jump.Quantile(0.99) > 0.05 {
		t.Errorf("hooks jump by %+v m", s.jump.Spread())
	}
	if report.Corrections.Count > 0 || sim.Host.Report(sim.Now).Corrections.Count > 0 {
		t.Errorf("%d corrections", report.Corrections.Count)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}
