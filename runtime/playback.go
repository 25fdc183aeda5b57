package runtime

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// playback shows objects that are told of in snapshots, as they were a little
// while ago: at a moment of which, nearly always, what was before and what came
// after is known. That while, the back-time, follows how late snapshots come.
//
// The moment shown never goes back. Where what comes after is late, an object
// goes on by its speed for at most maxExtrapolation, then it stays; the error
// that turns out dies away.
type playback struct {
	rate   float64 // ticks a second
	actors []actor // by id
	newest world.Tick
	ages   ages
	delay  time.Duration // the back-time
	moment float64       // the one shown last, in ticks
	asked  time.Duration // when
	easing easing
	layout *wire.SnapshotLayout // of the snapshots that come; nil: their fields are not looked at
	schema *world.Schema        // likewise
}

// actor is what is known of one object.
type actor struct {
	id      world.ObjectID
	class   uint16
	owner   world.PlayerID
	samples []sample   // by tick
	gone    world.Tick // the first snapshot without it; 0: it is here
}

// sample is how an object was at the end of a tick.
type sample struct {
	tick    world.Tick
	at      physics.Pose
	speed   physics.Velocity
	row     []uint64 // its fields; nil: those of other scripts
	entered bool     // it was not there just before
}

// Limits of a playback.
const (
	firstDelay       = 100 * time.Millisecond
	maxDelay         = 600 * time.Millisecond
	delaySlew        = 0.15 // how much slower or faster than time the picture may run to change the back-time
	maxExtrapolation = 500 * time.Millisecond
	maxSamples       = 64 // of one object
)

func newPlayback(rate int) *playback {
	return &playback{rate: float64(rate), delay: firstDelay}
}

// take adds a snapshot. age is how long ago its tick was, by the host's clock;
// below 0: that is not known.
func (p *playback) take(s *wire.Snapshot, age time.Duration) {
	fresh, first := s.Tick > p.newest, p.newest == 0
	if age >= 0 && fresh {
		p.ages.add(age, float64(s.Tick-p.newest)/p.rate, first)
	}
	for i := range s.Entities {
		p.learn(s, &s.Entities[i], first)
	}
	if !fresh {
		return
	}
	p.newest = s.Tick
	for i := range p.actors {
		a := &p.actors[i]
		if _, here := s.Find(a.id); !here && a.gone == 0 {
			a.gone = s.Tick
		}
	}
}

// learn adds what a snapshot tells of one object. One that is in the first
// snapshot has been there all the time.
func (p *playback) learn(s *wire.Snapshot, e *wire.Entity, first bool) {
	i, known := slices.BinarySearchFunc(p.actors, e.ID, func(a actor, id world.ObjectID) int { return cmp.Compare(a.id, id) })
	if !known {
		p.actors = slices.Insert(p.actors, i, actor{id: e.ID})
	}
	a := &p.actors[i]
	back := a.gone != 0 && e.Tick >= a.gone
	if back {
		a.gone = 0
	}
	a.class, a.owner = e.Class, e.Owner
	was, shown := p.at(a)
	if !a.add(e, p.rowOf(s, e), !first && (!known || back)) {
		return
	}
	if now, still := p.at(a); known && shown && still {
		p.easing.moved(a.id, offset(now, was))
	}
}

// add puts a sample in its place, and reports whether it is new.
func (a *actor) add(e *wire.Entity, row []uint64, entered bool) bool {
	i, known := slices.BinarySearchFunc(a.samples, e.Tick, func(s sample, t world.Tick) int { return cmp.Compare(s.tick, t) })
	if known {
		return false
	}
	s := sample{tick: e.Tick, row: row, entered: entered}
	s.at, s.speed = e.Pose.Dequantize(), e.Velocity.Dequantize()
	a.samples = slices.Insert(a.samples, i, s)
	if len(a.samples) > maxSamples {
		a.samples = slices.Delete(a.samples, 0, 1)
	}
	return true
}

// show sets the moment that is shown now. host is the host's time, if known;
// before that the newest is shown.
func (p *playback) show(now, host time.Duration, known bool) {
	passed := now - p.asked
	p.asked = now
	p.easing.to(now)
	moment := float64(p.newest)
	if known {
		most := time.Duration(delaySlew * float64(passed))
		p.delay += min(max(p.ages.delay()-p.delay, -most), most)
		moment = (host - p.delay).Seconds() * p.rate
	}
	p.moment = max(p.moment, moment)
	p.forget()
}

// forget drops what no moment to come needs.
func (p *playback) forget() {
	p.actors = slices.DeleteFunc(p.actors, func(a actor) bool { return a.gone != 0 && p.moment >= float64(a.gone) })
	for i := range p.actors {
		a := &p.actors[i]
		n := 0
		for n+1 < len(a.samples) && float64(a.samples[n+1].tick) <= p.moment {
			n++
		}
		a.samples = slices.Delete(a.samples, 0, n)
	}
}

// rename gives classes their new numbers; objects of a class that has none go.
// What is known of their fields means nothing any more.
func (p *playback) rename(of func(class uint16) (uint16, bool)) {
	p.actors = slices.DeleteFunc(p.actors, func(a actor) bool { _, ok := of(a.class); return !ok })
	for i := range p.actors {
		a := &p.actors[i]
		a.class, _ = of(a.class)
		for j := range a.samples {
			a.samples[j].row = nil
		}
	}
}

// rowOf is what a snapshot tells of an object's fields, nil if that is nothing.
func (p *playback) rowOf(s *wire.Snapshot, e *wire.Entity) []uint64 {
	if p.layout == nil || p.schema.Classes[e.Class].Words() == 0 {
		return nil
	}
	row := make([]uint64, p.schema.Classes[e.Class].Words())
	p.layout.PutFields(row, e.Class, s.Fields(e, p.layout))
	return row
}

// fields writes into row what is shown of an object's fields at the moment
// shown, and reports whether that is known.
func (p *playback) fields(a *actor, row []uint64) bool {
	n := 0
	for n < len(a.samples) && float64(a.samples[n].tick) <= p.moment {
		n++
	}
	last := max(n-1, 0)
	from := a.samples[last].row
	if from == nil || p.schema == nil {
		return false
	}
	copy(row, from)
	if n == 0 || n == len(a.samples) || a.samples[n].row == nil {
		return true
	}
	to := &a.samples[n]
	began := float64(a.samples[last].tick)
	p.schema.Classes[a.class].Between(row, from, to.row, (p.moment-began)/(float64(to.tick)-began))
	return true
}

// at is where an object was at the moment shown, and whether it was there yet.
func (p *playback) at(a *actor) (physics.Pose, bool) {
	n := 0
	for n < len(a.samples) && float64(a.samples[n].tick) <= p.moment {
		n++
	}
	switch {
	case n == 0:
		there := len(a.samples) > 0 && !a.samples[0].entered
		if there {
			return a.samples[0].at, true
		}
		return physics.Pose{}, false
	case n == len(a.samples):
		return a.samples[n-1].after((p.moment - float64(a.samples[n-1].tick)) / p.rate), true
	}
	return p.between(&a.samples[n-1], &a.samples[n]), true
}

// after is where an object is some seconds after a sample, by its speed.
func (s *sample) after(seconds float64) physics.Pose {
	return ahead(s.at, s.speed, min(seconds, maxExtrapolation.Seconds()))
}

func (p *playback) between(from, to *sample) physics.Pose {
	ticks := float64(to.tick - from.tick)
	far := leapt(offset(from.at, to.at), speed(from.speed), speed(to.speed), ticks/p.rate)
	return towards(from.at, to.at, (p.moment-float64(from.tick))/ticks, to.entered || far)
}

// each gives every object that is there at the moment shown, and where it is
// drawn.
func (p *playback) each(f func(a *actor, at physics.Pose)) {
	for i := range p.actors {
		if at, there := p.at(&p.actors[i]); there {
			f(&p.actors[i], p.easing.drawn(p.actors[i].id, at))
		}
	}
}

// ages are how old the last snapshots were when they came.
type ages struct {
	last  [64]time.Duration
	count int
	gap   float64 // seconds between snapshots, smoothed
}

// ageCount is how many ages are wanted before they say anything.
const ageCount = 8

func (a *ages) add(age time.Duration, gap float64, first bool) {
	a.last[a.count%len(a.last)] = age
	a.count++
	if first || a.count == 1 {
		return
	}
	if gap = min(gap, 1); a.gap == 0 {
		a.gap = gap
	}
	a.gap += float64((gap - a.gap) / 16)
}

// delay is how far back everything, nearly always, has come: the age of all but
// one snapshot in twenty, and the time until the next one.
func (a *ages) delay() time.Duration {
	if a.count < ageCount {
		return firstDelay
	}
	sorted := a.last
	n := min(a.count, len(sorted))
	slices.Sort(sorted[:n])
	return min(sorted[n-1-n/20]+time.Duration(1.25*a.gap*float64(time.Second)), maxDelay)
}
