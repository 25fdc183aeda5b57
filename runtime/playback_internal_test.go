package runtime

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// told is a snapshot of one object on its way along x, in metres and m/s.
func told(tick world.Tick, x, v float64) *wire.Snapshot {
	s := &wire.Snapshot{Seq: uint32(tick), Tick: tick}
	s.Add(wire.Entity{ID: someone, Tick: tick, Pose: wire.Pose{int32(x * wire.PositionUnits), 0, 0}, Velocity: wire.Velocity{int32(v * wire.VelocityUnits)}}, nil)
	return s
}

// where is x of the object at a moment in ticks, and whether it is there.
func where(p *playback, moment float64) (float64, bool) {
	p.moment = moment
	x, there := 0.0, false
	p.each(func(_ *actor, at physics.Pose) { x, there = at.X, true })
	return x, there
}

func TestShownBetweenTheTwoRightSnapshots(t *testing.T) {
	p := newPlayback(60)
	for _, tick := range []world.Tick{10, 20, 40, 30} { // the last two out of order
		p.take(told(tick, float64(tick)/20, 3), -1)
	}
	for _, c := range []struct{ moment, x float64 }{
		{5, 0.5}, {10, 0.5}, {15, 0.75}, {20, 1}, {22.5, 1.125}, {35, 1.75}, {40, 2}, // seen from the first on; between
		{46, 2.3}, {70, 3.5}, {1000, 3.5}, // by its speed, for half a second
	} {
		if x, there := where(p, c.moment); !there || math.Abs(x-c.x) > 1.0/wire.PositionUnits {
			t.Errorf("at tick %v it is shown at %v (%v), not %v", c.moment, x, there, c.x)
		}
	}
}

func TestEnteringLeavingAndLeaps(t *testing.T) {
	p := newPlayback(60)
	p.take(&wire.Snapshot{Tick: 10}, -1)
	p.take(told(20, 1, 0), -1)
	if _, there := where(p, 15); there {
		t.Error("shown before it came")
	}
	p.take(told(30, 50, 0), -1) // put elsewhere: it does not fly there
	for moment, want := range map[float64]float64{20: 1, 29.9: 1, 30: 50} {
		if x, there := where(p, moment); !there || x != want {
			t.Errorf("at tick %v it is shown at %v, not %v", moment, x, want)
		}
	}
	p.take(&wire.Snapshot{Tick: 40}, -1)
	p.take(told(35, 50, 0), -1) // late: it was still there then
	if _, there := where(p, 39); !there {
		t.Error("gone before it left")
	}
	p.show(0, 0, false)
	if _, there := where(p, 40); there || len(p.actors) != 0 {
		t.Error("still there after it left")
	}
}

func TestAngleTakesTheShorterArc(t *testing.T) {
	p := newPlayback(60)
	for i, units := range []int32{wire.TurnUnits/2 - 10, wire.TurnUnits/2 + 10} {
		s := &wire.Snapshot{Tick: world.Tick(10 + 10*i)}
		s.Add(wire.Entity{ID: someone, Tick: s.Tick, Pose: wire.Pose{0, 0, units}}, nil)
		p.take(s, -1)
	}
	p.moment = 15
	p.each(func(_ *actor, at physics.Pose) {
		if math.Abs(math.Abs(at.Angle)-math.Pi) > 1e-9 {
			t.Errorf("half way from 180 degrees less a bit to 180 and a bit: %v", at.Angle)
		}
	})
}

// TestNewestIsShownBeforeTheClockIsKnown, and from then on time only goes
// forward.
func TestNewestIsShownBeforeTheClockIsKnown(t *testing.T) {
	p := newPlayback(60)
	p.take(told(600, 6, 0), -1)
	p.show(time.Second, 0, false)
	if p.moment != 600 {
		t.Errorf("tick %v is shown", p.moment)
	}
	p.show(time.Second, 10*time.Second, true) // tick 600 less the back-time
	if p.moment != 600 {
		t.Errorf("it went back to tick %v", p.moment)
	}
	p.show(1200*time.Millisecond, 10200*time.Millisecond, true)
	if p.moment < 605 || p.moment > 607 {
		t.Errorf("100 ms later tick %v is shown, not about 606", p.moment)
	}
}

// line is how snapshots come to a playback in TestBackTimeFollowsTheLine.
type playLine struct {
	name        string
	least, most time.Duration // trip
	loss        float64
	low, high   time.Duration // of the back-time in the end
}

// A body goes to and fro. On each line the back-time settles so that it is
// shown where it was, and no picture jumps.
func TestBackTimeFollowsTheLine(t *testing.T) {
	for _, line := range []playLine{
		{"lan", time.Millisecond, 2 * time.Millisecond, 0, 55 * time.Millisecond, 75 * time.Millisecond},
		{"average", 30 * time.Millisecond, 60 * time.Millisecond, 0.01, 100 * time.Millisecond, 140 * time.Millisecond},
		{"bad", 100 * time.Millisecond, 200 * time.Millisecond, 0.05, 220 * time.Millisecond, 290 * time.Millisecond},
	} {
		t.Run(line.name, func(t *testing.T) { line.play(t) })
	}
}

func (l *playLine) play(t *testing.T) {
	x := func(tick float64) float64 { return 5 * math.Sin(tick/60) }
	v := func(tick float64) float64 { return 5 * math.Cos(tick/60) }
	r := rand.New(rand.NewPCG(1, 2))
	due := map[int][]world.Tick{} // by the millisecond in which they come
	p := newPlayback(60)
	var wrong, jump Series
	last, shown := 0.0, 0.0
	for ms := range 60_000 {
		if ms%50 == 0 && r.Float64() >= l.loss {
			trip := l.least + time.Duration(r.Float64()*float64(l.most-l.least))
			at := ms + int(trip/time.Millisecond)
			due[at] = append(due[at], world.Tick(ms*60/1000))
		}
		now := time.Duration(ms) * time.Millisecond
		for _, tick := range due[ms] {
			p.take(told(tick, x(float64(tick)), v(float64(tick))), now-time.Duration(tick)*time.Second/60)
		}
		if ms%16 != 0 || ms < 1000 {
			continue
		}
		p.show(now, now, true)
		at, there := where(p, p.moment)
		if !there {
			t.Fatal("it is not there")
		}
		if ms > 10_000 {
			wrong.Add(math.Abs(at - x(p.moment)))
			jump.Add(math.Abs(at - last - v(p.moment)*(p.moment-shown)/60))
		}
		last, shown = at, p.moment
	}
	t.Logf("back-time %v; wrong by %+v m, jumps of %+v m", p.delay, wrong.Spread(), jump.Spread())
	if p.delay < l.low || p.delay > l.high {
		t.Errorf("the back-time is %v, not %v to %v", p.delay, l.low, l.high)
	}
	if wrong.Quantile(0.99) > 0.03 || jump.Quantile(0.99) > 0.02 {
		t.Errorf("wrong by %+v m, jumps of %+v m", wrong.Spread(), jump.Spread())
	}
}
