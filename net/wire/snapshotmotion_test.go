package wire

import (
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
		m := &Snapshot{Seq: seq + 1, Bundle: 1, Tick: base.Tick + 36}
		for i := range objects {
			vx, vy := 101+float64(i)*0.37, -55-float64(i)*0.61 // units a second
			seconds := float64(m.Tick) / 60
			m.Add(Entity{ID: ship + world.ObjectID(i), Tick: m.Tick, Velocity: Velocity{inUnits(vx, 1, maxVelocity), inUnits(vy, 1, maxVelocity)},
				Pose: Pose{inUnits(2*vx*seconds, 1, maxPosition), inUnits(2*vy*seconds, 1, maxPosition)}}, nil)
		}
		if b := AppendSnapshot(nil, l, nil, base, m); seq >= 60-counted {
			bytes += len(b) - 6 // the head
		}
		base = m
	}
	if each := float64(bytes) / objects / counted; each > 0.2 {
		t.Errorf("%.2f bytes an object", each)
	}
}
