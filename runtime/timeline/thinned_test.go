package timeline_test

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// thinned is a match of which one Timeline keeps all states, and another one only what a host keeps.
type thinned struct {
	t                       *testing.T
	full, thin              *timeline.Timeline
	exact, between, leftOut int
}

const thinnedOldest, thinnedPoses = 120, 50

// newThinned plays balls, whose class asSeen moves, and rocks, which it does not. Some of both are
// spawned and removed in between.
func newThinned(t *testing.T) *thinned {
	play := func() *timeline.Timeline {
		tl := timeline.New(newShooting(t), timeline.Options{States: 200, PoseHistory: thinnedPoses, Check: true})
		for tick := world.Tick(1); tick <= 150; tick++ {
			for n, class := range []string{"Ball", "Rock"} {
				if tick%5 == 0 {
					place := world.Placement{Pose: physics.Pose{X: float64(tick%11) - 5, Y: float64(n)}, Velocity: physics.Velocity{VX: 3, VY: float64(tick%7) - 3, W: 5}}
					insert(t, tl, world.Event{Tick: tick, Kind: world.SpawnEvent, Class: class, Number: uint32(tick)*2 + uint32(n), Place: place})
				}
				if tick%5 == 3 && tick > 30 {
					born := world.Event{Tick: tick/5*5 - 20, Kind: world.SpawnEvent, Number: uint32(tick/5*5-20)*2 + uint32(n)}
					insert(t, tl, world.Event{Tick: tick, Kind: world.RemoveEvent, Number: 1000 + uint32(tick)*2 + uint32(n), Object: born.Spawned()})
				}
			}
			tl.Step()
		}
		return tl
	}
	m := &thinned{t: t, full: play(), thin: play()}
	m.thin.Release(thinnedOldest)
	return m
}

func insert(t *testing.T, tl *timeline.Timeline, e world.Event) {
	if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
		t.Fatal(err)
	}
}

// compare compares a moment as both Timelines read it.
func (m *thinned) compare(tick world.Tick, part int64) {
	check := func(truth, r world.Reader) {
		before, after := tick-1, tick
		for m.thin.At(before) == nil {
			before--
		}
		for m.thin.At(after) == nil {
			after++
		}
		if r.Tick() != tick {
			m.t.Errorf("tick %d is read as tick %d", tick, r.Tick())
		}
		next := m.full.At(after)
		for _, slot := range next.Run {
			m.object(moment{tick, part, before, after}, truth, r, next, int(slot))
		}
		if r.State().Len() > next.Len() {
			m.t.Errorf("tick %d has %d objects, and the next state that is kept %d", tick, r.State().Len(), next.Len())
		}
	}
	err := m.full.Past().ReadBetween(tick, part, func(truth world.Reader) {
		if err := m.thin.Past().ReadBetween(tick, part, func(r world.Reader) { check(truth, r) }); err != nil {
			m.t.Error(err)
		}
	})
	if err != nil {
		m.t.Error(err)
	}
}

// moment is a part of a tick, between two states that are kept.
type moment struct {
	tick          world.Tick
	part          int64
	before, after world.Tick
}

// object compares an object of the next state that is kept.
func (m *thinned) object(at moment, truth, r world.Reader, next *world.State, slot int) {
	o, class := &next.Objects[slot], r.Schema().Classes[next.Objects[slot].Class].Name
	mine, ok := r.Find(o.ID)
	if ok != (o.Spawned <= at.tick) {
		m.t.Errorf("tick %d: %s of tick %d is there: %v", at.tick, class, o.Spawned, ok)
	}
	if !ok {
		m.leftOut++
		return
	}
	b := *r.State().Body(mine)
	was, known := truth.Find(o.ID)
	if !known || b.Velocity != next.Body(slot).Velocity || r.State().Objects[mine].Owner != o.Owner {
		m.t.Errorf("tick %d: %s of tick %d is not as after tick %d", at.tick, class, o.Spawned, at.after)
		return
	}
	first := world.Tick(thinnedOldest - thinnedPoses - 2) // whose poses are kept
	if at.part == world.ViewParts {
		first--
	}
	kept := at.tick == at.after && at.before == at.tick-1
	if real := truth.State().Body(was).Pose; kept || class == "Ball" && at.tick > first {
		if m.exact++; b.Pose != real {
			m.t.Errorf("tick %d, part %d: %s is at %v, and was at %v", at.tick, at.part, class, b.Pose, real)
		}
		return
	}
	from, there := m.full.At(at.before).Find(o.ID)
	if b.Key == 0 || !there {
		return
	}
	// On the line between the two states that are kept.
	start, end := m.full.At(at.before).Body(from).Pose, next.Body(slot).Pose
	f := (float64(at.tick-at.before-1) + float64(at.part)/world.ViewParts) / float64(at.after-at.before)
	x, y := start.X+(end.X-start.X)*f, start.Y+(end.Y-start.Y)*f
	if m.between++; math.Hypot(b.X-x, b.Y-y) > 1e-3 {
		m.t.Errorf("tick %d, part %d: %s is at %v, which is not between %v and %v", at.tick, at.part, class, b.Pose, start, end)
	}
}

// TestReadBetweenThinned: where states are not kept, balls stand where asSeen shows them, rocks on a
// line between states that are kept, and everything else is as in the later one of these.
func TestReadBetweenThinned(t *testing.T) {
	m := newThinned(t)
	for tick := world.Tick(5); tick <= m.thin.Now(); tick++ {
		for _, part := range []int64{0, 1, 31, world.ViewParts} {
			m.compare(tick, part)
		}
	}
	if m.exact < 5000 || m.between < 5000 || m.leftOut < 200 {
		t.Errorf("%d bodies were exact, %d between two states, %d left out", m.exact, m.between, m.leftOut)
	}
}
