package view

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

const someone world.ObjectID = 7

// newBuffer returns an empty buffer at 60 Hz.
// standard are the limits of a game that does not set any.
var standard = Limits{First: 100 * time.Millisecond, Most: 600 * time.Millisecond, Extrapolate: 500 * time.Millisecond}

func newBuffer(t *testing.T) *Buffer {
	t.Helper()
	schema, err := world.NewSchema([]world.Class{{Name: "Ball"}}, bundle.DefaultSetup())
	if err != nil {
		t.Fatal(err)
	}
	return NewBuffer(schema, standard, true)
}

// sampled adds a snapshot of one object that moves along x, in metres and m/s.
func (b *Buffer) sampled(tick world.Tick, x, v float64, age time.Duration) {
	b.Add(tick, []Sample{{Tick: tick, ProxyUpdate: world.ProxyUpdate{Object: someone, Pose: physics.Pose{X: x}, Velocity: physics.Velocity{VX: v}}}}, age)
}

// where returns x of the object at a moment in ticks, and whether it is there.
func where(p *Buffer, moment float64) (float64, bool) {
	p.moment = moment
	x, there := 0.0, false
	p.Each(func(_ *Object, at physics.Pose) { x, there = at.X, true })
	return x, there
}

func TestShownBetweenTheTwoRightSnapshots(t *testing.T) {
	p := newBuffer(t)
	for _, tick := range []world.Tick{10, 20, 40, 30} { // the last two out of order
		p.sampled(tick, float64(tick)/20, 3, -1)
	}
	for _, c := range []struct{ moment, x float64 }{
		{5, 0.5}, {10, 0.5}, {15, 0.75}, {20, 1}, {22.5, 1.125}, {35, 1.75}, {40, 2}, // seen from the first on; between
		{46, 2.3}, {70, 3.5}, {1000, 3.5}, // by its speed, for half a second
	} {
		if x, there := where(p, c.moment); !there || math.Abs(x-c.x) > 1.0/512 {
			t.Errorf("at tick %v it is shown at %v (%v), not %v", c.moment, x, there, c.x)
		}
	}
}

// TestVelocityIsThatOfTheWay tests that an object which bounces or is moved between two samples has the velocity that
// takes it from one to the other.
func TestVelocityIsThatOfTheWay(t *testing.T) {
	p := newBuffer(t)
	p.sampled(10, 0, 12, -1)
	p.sampled(13, 0.3, -12, -1) // it was at a wall meanwhile
	p.sampled(16, -0.3, -12, -1)
	for _, c := range []struct{ moment, v float64 }{{10, 6}, {12, 6}, {14, -12}, {17, -12}} {
		p.moment = c.moment
		if v := p.Velocity(&p.objects[0]); math.Abs(v.VX-c.v) > 1e-9 {
			t.Errorf("at tick %v its velocity is %v m/s, not %v", c.moment, v.VX, c.v)
		}
	}
}

// An object without a velocity that hooks move goes on at its pace where snapshots are missing, and does not
// leap. One that is put elsewhere leaps.
func TestPaceWithoutVelocity(t *testing.T) {
	p := newBuffer(t)
	for _, tick := range []world.Tick{10, 13, 40, 16, 43} { // at 5 m/s; those in between were lost, and one was late
		p.sampled(tick, float64(tick)/12, 0, -1)
	}
	p.sampled(46, 20, 0, -1)
	p.sampled(49, 20.25, 0, -1)
	p.sampled(73, 22.25, 0, -1)
	for _, c := range []struct{ moment, x float64 }{{13, 13. / 12}, {28, 28. / 12}, {40, 40. / 12}, {45, 43. / 12}, {46, 20}, {47.5, 20.125}, {61, 21.25}} {
		if x, there := where(p, c.moment); !there || math.Abs(x-c.x) > 1e-9 {
			t.Errorf("at tick %v it is shown at %v (%v), not %v", c.moment, x, there, c.x)
		}
	}
}

// An object stays on its path until the sample in which another one carries it: attach puts it elsewhere, at a time
// between the samples.
func TestAttachedBetweenSamples(t *testing.T) {
	schema, err := world.NewSchema([]world.Class{{Name: "Ball", Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.2), Density: 1}, Carried: true}}}, bundle.DefaultSetup())
	if err != nil {
		t.Fatal(err)
	}
	p := NewBuffer(schema, standard, true)
	ball, _ := schema.ClassByName("Ball")
	class := &schema.Classes[ball]
	for i, holder := range []uint64{0, 99, 99} {
		tick, row := world.Tick(10+6*i), world.NewRow(class, make([]uint64, class.Words()))
		for j := range class.Fields {
			if f := &class.Fields[j]; f.Kind == world.Ref {
				row.SetWord(f, holder)
			}
		}
		p.Add(tick, []Sample{{Tick: tick, ProxyUpdate: world.ProxyUpdate{Object: someone, Class: uint16(ball), Pose: physics.Pose{X: float64(i)}, Velocity: physics.Velocity{VX: 6}, Fields: row}}}, -1)
	}
	for moment, want := range map[float64]float64{10: 0, 13: 0.3, 16: 1, 19: 1.5} {
		if x, there := where(p, moment); !there || math.Abs(x-want) > 1e-9 {
			t.Errorf("at tick %v it is shown at %v (%v), not %v", moment, x, there, want)
		}
	}
}

func TestEnteringLeavingAndLeaps(t *testing.T) {
	p := newBuffer(t)
	p.Add(10, nil, -1)
	p.sampled(20, 1, 0, -1)
	if _, there := where(p, 15); there {
		t.Error("shown before it came")
	}
	p.sampled(30, 50, 0, -1) // put elsewhere: it does not fly there
	for moment, want := range map[float64]float64{20: 1, 29.9: 1, 30: 50} {
		if x, there := where(p, moment); !there || x != want {
			t.Errorf("at tick %v it is shown at %v, not %v", moment, x, want)
		}
	}
	p.Add(40, nil, -1)
	p.sampled(35, 50, 0, -1) // late: it was still there then
	if _, there := where(p, 39); !there {
		t.Error("gone before it left")
	}
	p.Show(0, 0, false)
	if _, there := where(p, 40); there || len(p.objects) != 0 {
		t.Error("still there after it left")
	}
}

func TestAngleTakesTheShorterArc(t *testing.T) {
	p := newBuffer(t)
	for i, angle := range []float64{math.Pi - 0.06, 0.06 - math.Pi} {
		tick := world.Tick(10 + 10*i)
		p.Add(tick, []Sample{{Tick: tick, ProxyUpdate: world.ProxyUpdate{Object: someone, Pose: physics.Pose{Angle: angle}}}}, -1)
	}
	p.moment = 15
	p.Each(func(_ *Object, at physics.Pose) {
		if math.Abs(math.Abs(at.Angle)-math.Pi) > 1e-9 {
			t.Errorf("half way from 180 degrees less a bit to 180 and a bit: %v", at.Angle)
		}
	})
}

// TestNewestSnapshotIsShownUntilTheClockIsSynced: after that, time never goes back.
func TestNewestSnapshotIsShownUntilTheClockIsSynced(t *testing.T) {
	p := newBuffer(t)
	p.sampled(600, 6, 0, -1)
	p.Show(time.Second, 0, false)
	if p.moment != 600 {
		t.Errorf("tick %v is shown", p.moment)
	}
	p.Show(time.Second, 10*time.Second, true) // tick 600 less the delay
	if p.moment != 600 {
		t.Errorf("it went back to tick %v", p.moment)
	}
	p.Show(1200*time.Millisecond, 10200*time.Millisecond, true)
	if p.moment < 605 || p.moment > 607 {
		t.Errorf("100 ms later tick %v is shown, not about 606", p.moment)
	}
}

// playLine is how snapshots arrive in TestDelayFollowsTheLine.
type playLine struct {
	name        string
	least, most time.Duration // trip
	loss        float64
	low, high   time.Duration // of the delay in the end
}

// A body moves to and fro. On each line the delay settles so that the body is shown where
// it was, and does not jump.
func TestDelayFollowsTheLine(t *testing.T) {
	for _, line := range []playLine{
		{"lan", time.Millisecond, 2 * time.Millisecond, 0, 50 * time.Millisecond, 70 * time.Millisecond},
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
	p := newBuffer(t)
	var wrong, jump values
	last, shown := 0.0, 0.0
	for ms := range 60_000 {
		if ms%50 == 0 && r.Float64() >= l.loss {
			trip := l.least + time.Duration(r.Float64()*float64(l.most-l.least))
			at := ms + int(trip/time.Millisecond)
			due[at] = append(due[at], world.Tick(ms*60/1000))
		}
		now := time.Duration(ms) * time.Millisecond
		for _, tick := range due[ms] {
			p.sampled(tick, x(float64(tick)), v(float64(tick)), now-time.Duration(tick)*time.Second/60)
		}
		if ms%16 != 0 || ms < 1000 {
			continue
		}
		p.Show(now, now, true)
		at, there := where(p, p.moment)
		if !there {
			t.Fatal("it is not there")
		}
		if ms > 10_000 {
			wrong = append(wrong, math.Abs(at-x(p.moment)))
			jump = append(jump, math.Abs(at-last-v(p.moment)*(p.moment-shown)/60))
		}
		last, shown = at, p.moment
	}
	t.Logf("delay %v; wrong by %+v m, jumps of %+v m", p.delay, wrong.top(), jump.top())
	if p.delay < l.low || p.delay > l.high {
		t.Errorf("the delay is %v, not %v to %v", p.delay, l.low, l.high)
	}
	if wrong.top() > 0.03 || jump.top() > 0.02 {
		t.Errorf("wrong by %+v m, jumps of %+v m", wrong.top(), jump.top())
	}
}

// values are those of a whole run.
type values []float64

// top returns the 99th percentile of some values.
func (v values) top() float64 {
	sorted := slices.Sorted(slices.Values(v))
	return sorted[len(sorted)*99/100]
}

// TestCheckFindsAViolation: samples out of order are noticed with the next snapshot, and a
// moment outside of its samples when it is shown; without check mode neither is.
func TestCheckFindsAViolation(t *testing.T) {
	for _, checked := range []bool{false, true} {
		p := newBuffer(t)
		p.checked = checked
		for tick := world.Tick(10); tick <= 30; tick += 10 {
			p.sampled(tick, 0, 0, -1)
		}
		caught := func(f func()) (text string) {
			defer func() {
				if r := recover(); r != nil {
					text = fmt.Sprint(r)
				}
			}()
			f()
			return ""
		}
		o := &p.objects[0]
		p.moment = 5
		if got := caught(func() { p.between(o, &o.samples[0], &o.samples[1]) }); (got != "") != checked || checked && got != "view: the moment 5 is -0.5 of the way from tick 10 to tick 20" {
			t.Errorf("checked: %v, it panicked with %q", checked, got)
		}
		o.samples[0].tick, o.samples[1].tick = 20, 10
		if got := caught(func() { p.sampled(40, 0, 0, -1) }); (got != "") != checked || checked && !strings.Contains(got, "the sample of tick 20 is followed by one of tick 10") {
			t.Errorf("checked: %v, it panicked with %q", checked, got)
		}
	}
}
