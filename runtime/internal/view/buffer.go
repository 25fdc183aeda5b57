package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Buffer is the interpolation buffer. It shows replicated objects with the
// interpolation delay, so that for nearly all of them a sample before and one after the
// shown moment have arrived. The delay follows the ages of snapshots at their arrival.
//
// The moment shown never goes back. If the sample after it is late, an object is
// extrapolated with its velocity for at most Limits.Extrapolate and then stands still. The
// error that the late sample reveals decays.
type Buffer struct {
	schema  *world.Schema
	rate    float64  // ticks a second
	objects []Object // by id
	newest  world.Tick
	ages    ages
	limits  Limits
	delay   time.Duration // the interpolation delay
	moment  float64       // the moment shown, in ticks
	shownAt time.Duration
	decay   Decay
	checked bool
}

// Sample is an object as it was at the end of a tick.
type Sample struct {
	Tick world.Tick
	world.ProxyUpdate
}

// Object is a replicated object.
type Object struct {
	ID      world.ObjectID
	Class   uint16 // its number in the schema of the buffer
	Owner   world.PlayerID
	samples []sample   // by tick
	gone    world.Tick // the first snapshot without it; 0: none
}

type sample struct {
	tick     world.Tick
	at       physics.Pose
	velocity physics.Velocity
	row      []uint64 // its fields; nil: none, or of another schema
	entered  bool     // the previous snapshot did not have it
}

const (
	delaySlew  = 0.15 // how much slower or faster than time the moment may run to change the delay
	maxSamples = 64   // of one object
)

// NewBuffer returns an empty buffer of objects with the classes of a schema. check
// switches the assertions of its invariants on.
func NewBuffer(schema *world.Schema, limits Limits, check bool) *Buffer {
	return &Buffer{schema: schema, rate: float64(schema.Setup.TickRate), limits: limits, delay: limits.bound(limits.First), checked: check}
}

// Limit replaces the limits, as another bundle has them. The delay moves into them.
func (b *Buffer) Limit(l Limits) { b.limits = l }

// Schema returns the schema of the objects.
func (b *Buffer) Schema() *world.Schema { return b.schema }

// Moment returns the moment that Show chose, in ticks.
func (b *Buffer) Moment() float64 { return b.moment }

// Newest returns the tick of the newest snapshot, 0 before there is any.
func (b *Buffer) Newest() world.Tick { return b.newest }

// ShownAt returns the time of the last Show.
func (b *Buffer) ShownAt() time.Duration { return b.shownAt }

// Clear removes all objects.
func (b *Buffer) Clear() { b.objects = b.objects[:0] }

// Use makes the following samples have the classes of another schema. Objects of a class
// that it lacks are removed. Fields of the old schema are dropped.
func (b *Buffer) Use(schema *world.Schema) {
	if schema == b.schema {
		return
	}
	kept := b.objects[:0]
	for _, o := range b.objects {
		class, ok := schema.ClassByName(b.schema.Classes[o.Class].Name)
		if !ok {
			continue
		}
		o.Class = uint16(class)
		for i := range o.samples {
			o.samples[i].row = nil
		}
		kept = append(kept, o)
	}
	clear(b.objects[len(kept):])
	b.objects, b.schema = kept, schema
}

// Add adds the snapshot of tick t, with a sample of each object in it, by id. A sample may
// be older than the snapshot. age is how long before now the tick was, by the clock of
// the host; below 0: unknown.
func (b *Buffer) Add(t world.Tick, samples []Sample, age time.Duration) {
	fresh, first := t > b.newest, b.newest == 0
	if age >= 0 && fresh {
		b.ages.add(age, float64(t-b.newest)/b.rate, first)
	}
	for i := range samples {
		b.learn(&samples[i], first)
	}
	if b.checked {
		b.check()
	}
	if !fresh {
		return
	}
	b.newest = t
	for i := range b.objects {
		o := &b.objects[i]
		_, there := slices.BinarySearchFunc(samples, o.ID, func(s Sample, id world.ObjectID) int { return cmp.Compare(s.Object, id) })
		if !there && o.gone == 0 {
			o.gone = t
		}
	}
}

// learn adds a sample. Objects of the first snapshot count as having existed before. An object
// appears with its fields.
func (b *Buffer) learn(s *Sample, first bool) {
	i, known := slices.BinarySearchFunc(b.objects, s.Object, func(o Object, id world.ObjectID) int { return cmp.Compare(o.ID, id) })
	if !known && len(s.Fields) < b.schema.Classes[s.Class].Words() {
		return // they are on their way
	}
	if !known {
		b.objects = slices.Insert(b.objects, i, Object{ID: s.Object})
	}
	o := &b.objects[i]
	back := o.gone != 0 && s.Tick >= o.gone
	if back {
		o.gone = 0
	}
	o.Class, o.Owner = s.Class, s.Owner
	was, shown := b.at(o)
	if !o.add(s, !first && (!known || back)) {
		return
	}
	if now, still := b.at(o); known && shown && still {
		b.decay.Displace(o.ID, Offset(now, was))
	}
}

// add inserts a sample and reports whether it is new.
func (o *Object) add(s *Sample, entered bool) bool {
	i, known := slices.BinarySearchFunc(o.samples, s.Tick, func(s sample, t world.Tick) int { return cmp.Compare(s.tick, t) })
	if known {
		return false
	}
	added := sample{tick: s.Tick, at: s.Pose, velocity: s.Velocity, entered: entered}
	if len(s.Fields) > 0 {
		added.row = s.Fields
	}
	o.samples = slices.Insert(o.samples, i, added)
	if len(o.samples) > maxSamples {
		o.samples = slices.Delete(o.samples, 0, 1)
	}
	return true
}

// check asserts that objects are sorted by id, without duplicates, and the same of the
// samples of each by tick.
func (b *Buffer) check() {
	for i := range b.objects {
		o := &b.objects[i]
		if i > 0 && b.objects[i-1].ID >= o.ID {
			violated("object %s is not in order", o.ID)
		}
		if len(o.samples) == 0 || len(o.samples) > maxSamples {
			violated("object %s has %d samples", o.ID, len(o.samples))
		}
		for j := 1; j < len(o.samples); j++ {
			if before, tick := o.samples[j-1].tick, o.samples[j].tick; before >= tick {
				violated("object %s: the sample of tick %d is followed by one of tick %d", o.ID, before, tick)
			}
		}
	}
}

// Show chooses the moment to show at now. host is the time of the host; synced is false
// if that is not known yet, and then the newest snapshot is shown.
func (b *Buffer) Show(now, host time.Duration, synced bool) {
	passed := now - b.shownAt
	b.shownAt = now
	b.decay.Advance(now)
	moment := float64(b.newest)
	if synced {
		most := time.Duration(delaySlew * float64(passed))
		b.delay += min(max(b.ages.delay(&b.limits)-b.delay, -most), most)
		moment = (host - b.delay).Seconds() * b.rate
	}
	b.moment = max(b.moment, moment)
	b.prune()
}

// prune drops samples and objects that no later moment needs.
func (b *Buffer) prune() {
	b.objects = slices.DeleteFunc(b.objects, func(o Object) bool { return o.gone != 0 && b.moment >= float64(o.gone) })
	for i := range b.objects {
		o := &b.objects[i]
		n := 0
		for n+1 < len(o.samples) && float64(o.samples[n+1].tick) <= b.moment {
			n++
		}
		o.samples = slices.Delete(o.samples, 0, n)
	}
}

// Each calls f for every object that exists at the moment shown, by id, with the pose at
// which it is drawn.
func (b *Buffer) Each(f func(o *Object, at physics.Pose)) {
	for i := range b.objects {
		if at, there := b.at(&b.objects[i]); there {
			f(&b.objects[i], b.decay.Apply(b.objects[i].ID, at))
		}
	}
}

// EachNewest calls f for every object, by id, with its newest pose.
func (b *Buffer) EachNewest(f func(o *Object, at physics.Pose)) {
	for i := range b.objects {
		if o := &b.objects[i]; len(o.samples) > 0 {
			f(o, o.samples[len(o.samples)-1].at)
		}
	}
}

// DrawFrom makes an object that is drawn elsewhere continue from there. at is its pose
// from Each. It returns the pose at which the object is drawn now.
func (b *Buffer) DrawFrom(o *Object, elsewhere, at physics.Pose) physics.Pose {
	b.decay.Displace(o.ID, Offset(at, elsewhere))
	if raw, there := b.at(o); there {
		return b.decay.Apply(o.ID, raw)
	}
	return at
}

// Fields writes the fields of an object at the moment shown into row, which has as many
// words as its class. It reports whether they are known.
func (b *Buffer) Fields(o *Object, row []uint64) bool {
	n := o.until(b.moment)
	last := max(n-1, 0)
	from := o.samples[last].row
	if from == nil {
		return false
	}
	copy(row, from)
	if n == 0 || n == len(o.samples) || o.samples[n].row == nil {
		return true
	}
	to := &o.samples[n]
	b.schema.Classes[o.Class].Between(row, from, to.row, b.alpha(&o.samples[last], to))
	return true
}

// Velocity returns the velocity of an object in the last sample before the moment shown.
func (o *Object) Velocity() physics.Velocity { return o.samples[0].velocity }

// until returns the number of samples up to a moment.
func (o *Object) until(moment float64) int {
	n := 0
	for n < len(o.samples) && float64(o.samples[n].tick) <= moment {
		n++
	}
	return n
}

// at returns the pose of an object at the moment shown, without its error, and whether
// the object existed.
func (b *Buffer) at(o *Object) (physics.Pose, bool) {
	n := o.until(b.moment)
	switch {
	case n == 0:
		if len(o.samples) > 0 && !o.samples[0].entered {
			return o.samples[0].at, true
		}
		return physics.Pose{}, false
	case n == len(o.samples):
		return o.samples[n-1].after((b.moment-float64(o.samples[n-1].tick))/b.rate, b.limits.Extrapolate), true
	}
	return b.between(&o.samples[n-1], &o.samples[n]), true
}

// after extrapolates a sample by some seconds, at most by most.
func (s *sample) after(seconds float64, most time.Duration) physics.Pose {
	return ahead(s.at, s.velocity, min(seconds, most.Seconds()))
}

func (b *Buffer) between(from, to *sample) physics.Pose {
	ticks := float64(to.tick - from.tick)
	far := teleported(Offset(from.at, to.at), speed(from.velocity), speed(to.velocity), ticks/b.rate)
	return towards(from.at, to.at, b.alpha(from, to), to.entered || far)
}

// alpha returns how far the moment shown is between two samples, 0 to 1.
func (b *Buffer) alpha(from, to *sample) float64 {
	alpha := (b.moment - float64(from.tick)) / float64(to.tick-from.tick)
	if b.checked {
		assert(alpha >= 0 && alpha <= 1, "the moment %v is %v of the way from tick %d to tick %d", b.moment, alpha, from.tick, to.tick)
	}
	return alpha
}
