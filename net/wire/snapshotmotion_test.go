package wire

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// costOf returns how many bytes a snapshot takes in which objects that were at rest at the
// origin have these poses and velocities.
func costOf(e Entity) int {
	l, base, m := sampleLayout(), &Snapshot{Seq: 1, Bundle: 1, Tick: 100}, &Snapshot{Seq: 2, Bundle: 1, Tick: 136}
	for i := range 20 {
		e.ID, e.Tick = ship+world.ObjectID(i), m.Tick
		base.Add(Entity{ID: e.ID, Tick: base.Tick}, nil)
		m.Add(e, nil)
	}
	return len(AppendSnapshot(nil, l, nil, base, m))
}

// A knock moves an object along the change of its velocity, whenever it happened. So one of x
// and y determines the other.
func TestKnockCostsOneNumber(t *testing.T) {
	knocked := func(ticks, aside int32) Entity { // so long ago, 3 and 1.5 m/s
		return Entity{Velocity: Velocity{768, 384}, Pose: Pose{768 * 2 * ticks / 60, 384*2*ticks/60 + aside}}
	}
	for _, ticks := range []int32{0, 5, 10, 30, 36} {
		if straight, aside := costOf(knocked(ticks, 0)), costOf(knocked(ticks, 90)); straight+5 > aside {
			t.Errorf("%d ticks after the knock it costs %d bytes, %d if it is where no knock takes it", ticks, straight, aside)
		}
	}
}

// Undisturbed objects are where the receiver expects them, nearly always to the unit, although
// the rounding of their velocities adds up.
func TestUndisturbedObjectsCostNothing(t *testing.T) {
	l, base, bytes := sampleLayout(), &Snapshot{}, 0
	const objects, counted = 20, 10
	for seq := range uint32(60) {
		m := &Snapshot{Seq: seq + 1, Bundle: 1, Tick: base.Tick + 36, Settled: base.Tick + 10}
		for i := range objects {
			vx, vy := 101+float64(i)*0.37, -55-float64(i)*0.61 // units a second
			seconds := float64(m.Tick) / 60
			m.Add(Entity{ID: ship + world.ObjectID(i), Tick: m.Tick, Velocity: Velocity{inUnits(vx, 1, maxVelocity), inUnits(vy, 1, maxVelocity)},
				Pose: Pose{inUnits(2*vx*seconds, 1, maxPosition), inUnits(2*vy*seconds, 1, maxPosition)}}, nil)
		}
		if b := AppendSnapshot(nil, l, nil, base, m); seq >= 60-counted {
			bytes += len(b) - 8 // the head
		}
		base = m
	}
	if each := float64(bytes) / objects / counted; each > 0.2 {
		t.Errorf("%.2f bytes an object", each)
	}
}

// The example of motion in PROTOCOL.md is what the code computes: a body that a constant force
// accelerates.
func TestMotionExample(t *testing.T) {
	page, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	says := func(text string) {
		t.Helper()
		if !strings.Contains(string(page), text) {
			t.Errorf("PROTOCOL.md does not say\n%s", text)
		}
	}
	d := newDamper(0, &world.Setup{TickRate: 60, Substeps: 4})
	g := d.over(3)
	says(fmt.Sprintf("in which first is %s and last %s (in 2^-24 s", thousands(g.first), thousands(g.last)))
	base := &Snapshot{}
	for i, at := range []Entity{{Velocity: Velocity{256}, Pose: Pose{1000}}, {Velocity: Velocity{320}, Pose: Pose{1029}}, {Velocity: Velocity{384}, Pose: Pose{1065}}} {
		m := &Snapshot{Seq: uint32(i) + 1, Bundle: 1, Tick: 100 + 3*world.Tick(i)}
		at.ID, at.Tick = ship, m.Tick
		m.Add(at, nil)
		AppendSnapshot(nil, sampleLayout(), nil, base, m)
		e, velocity, place := &m.Entities[0], int64(0), int64(0)
		note := ""
		if i > 0 {
			old := &base.Entities[0]
			velocity = int64(old.Velocity[0]) + int64(old.acceleration[0])*3/accelerationUnits
			place = old.finePose(0) + g.way(old.fineVelocity(0), e.fineVelocity(0), PositionUnits/VelocityUnits)
		} else {
			note = " (1 m/s)"
		}
		says(fmt.Sprintf("| %d | %d%s | %d | %d | %d | %d | %d | %d | %d |", m.Tick, e.Velocity[0], note, velocity, int64(e.Velocity[0])-velocity,
			e.acceleration[0], e.Pose[0], place, int64(e.Pose[0])-divide(place, fineUnits), e.fine.pose[0]))
		base = m
	}
}

// thousands writes a number below a million with a comma.
func thousands(n int64) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }
