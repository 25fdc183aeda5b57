package view

import (
	"cmp"
	"math"
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
//
// Source: "How I synchronized a simple rigidbody across network players with UE4" (Gamieon, 2014),
// which draws a ball 100 ms in the past and extrapolates it for at most 500 ms.
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
	late    func(id world.ObjectID, off physics.Pose) // see HideLate; nil: decay hides it
	checked bool
}

// Sample is an object as it was at the end of a tick.
type Sample struct {
	Tick       world.Tick
	FieldsTick world.Tick // of the fields, at most Tick; 0: Tick
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
	row      world.Row // its fields; not known if it has none, or they have not come yet
	rowTick  world.Tick
	entered  bool    // the previous snapshot did not have it
	pace     float64 // m/s, of the last seconds: hooks move some objects that have no velocity
}

const (
	delaySlew  = 0.15 // how much slower or faster than time the moment may run to change the delay
	maxSamples = 64   // of one object
)

// NewBuffer returns an empty buffer of objects with the classes of a schema. check
// switches the assertions of its invariants on.
func NewBuffer(schema *world.Schema, limits Limits, check bool) *Buffer {
	return &Buffer{
		schema:  schema,
		rate:    float64(schema.Setup.TickRate),
		limits:  limits,
		delay:   limits.bound(limits.First),
		checked: check,
	}
}

// HideLate makes f hide the errors that late samples reveal, instead of the Buffer. off is the offset from where an
// object is at the moment shown, as is known now, to where Each had it.
func (b *Buffer) HideLate(f func(id world.ObjectID, off physics.Pose)) { b.late = f }

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
// that it lacks are removed. Fields carry over as in a switch of the match.
func (b *Buffer) Use(schema *world.Schema) {
	if schema == b.schema {
		return
	}
	kept := b.objects[:0]
	carry := make([]func(world.Row) world.Row, len(schema.Classes))
	for _, o := range b.objects {
		was := &b.schema.Classes[o.Class]
		class, ok := schema.ClassByName(was.Name)
		if !ok {
			continue
		}
		if carry[class] == nil {
			carry[class] = world.CarryRows(was, &schema.Classes[class])
		}
		o.Class = uint16(class)
		var last, carried world.Row
		for i := range o.samples {
			row := &o.samples[i].row
			if !row.Known() {
				continue
			}
			if last.Len() == 0 || !row.Equal(last) { // most samples have the fields of the one before
				last, carried = *row, carry[class](*row)
			}
			*row = carried
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
		_, there := slices.BinarySearchFunc(
			samples,
			o.ID,
			func(s Sample, id world.ObjectID) int { return cmp.Compare(s.Object, id) },
		)
		if !there && o.gone == 0 {
			o.gone = t
		}
	}
}

// learn adds a sample. Objects of the first snapshot count as having existed before. An object
// appears with its fields.
func (b *Buffer) learn(s *Sample, first bool) {
	i, known := slices.BinarySearchFunc(
		b.objects,
		s.Object,
		func(o Object, id world.ObjectID) int { return cmp.Compare(o.ID, id) },
	)
	if !known && s.Fields.Len() == 0 && b.schema.Classes[s.Class].Words() > 0 {
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
	at, added := o.add(s, !first && (!known || back))
	if !added {
		return
	}
	o.notePace(at, b.rate)
	o.notePace(at+1, b.rate)
	if now, still := b.at(o); known && shown && still {
		if b.late != nil {
			b.late(o.ID, Offset(now, was))
			return
		}
		b.decay.Displace(o.ID, Offset(now, was))
	}
}

// add inserts a sample, and returns its index and whether it is new.
func (o *Object) add(s *Sample, entered bool) (at int, added bool) {
	i, known := slices.BinarySearchFunc(
		o.samples,
		s.Tick,
		func(s sample, t world.Tick) int { return cmp.Compare(s.tick, t) },
	)
	if known {
		return i, false
	}
	fresh := sample{tick: s.Tick, at: s.Pose, velocity: s.Velocity, entered: entered}
	if s.Fields.Len() > 0 {
		if fresh.row, fresh.rowTick = s.Fields, s.FieldsTick; s.FieldsTick == 0 {
			fresh.rowTick = s.Tick
		}
	}
	o.samples = slices.Insert(o.samples, i, fresh)
	o.shareFields(i)
	if len(o.samples) > maxSamples {
		o.samples = slices.Delete(o.samples, 0, 1)
		i = max(i-1, 0)
	}
	return i, true
}

// shareFields gives the fields of a new sample to those samples that have older ones although they are not before the
// tick of these fields; or the other way round. A sample that overtakes a row has older fields than one that comes
// after the row and yet is of an earlier tick.
func (o *Object) shareFields(at int) {
	fresh := &o.samples[at]
	if at > 0 && o.samples[at-1].rowTick > fresh.rowTick {
		fresh.row, fresh.rowTick = o.samples[at-1].row, o.samples[at-1].rowTick
	}
	for i := range o.samples {
		if s := &o.samples[i]; s.tick >= fresh.rowTick && s.rowTick < fresh.rowTick {
			s.row, s.rowTick = fresh.row, fresh.rowTick
		}
	}
}

// notePace notes how fast an object has moved up to a sample, at most. After a second without movement, half of that
// is left. One that was teleported did not move.
func (o *Object) notePace(at int, rate float64) {
	if at == 0 || at >= len(o.samples) {
		return
	}
	from, to := &o.samples[at-1], &o.samples[at]
	seconds := float64(to.tick-from.tick) / rate
	to.pace = float64(from.pace * math.Exp2(-seconds))
	if !to.entered && !from.teleports(to, rate) {
		to.pace = max(to.pace, distance(Offset(from.at, to.at))/seconds)
	}
}

// teleports reports whether the object was moved to another place before the next sample.
func (s *sample) teleports(to *sample, rate float64) bool {
	return teleported(Offset(s.at, to.at), max(speed(s.velocity), s.pace), speed(to.velocity),
		float64(to.tick-s.tick)/rate)
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
			if before, of := o.samples[j-1].rowTick, o.samples[j].rowTick; before > of {
				violated("object %s: the fields of tick %d are followed by those of tick %d", o.ID, before, of)
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

// EachSample calls f for every sample of the object from the shown moment on, by tick. newest is whether it is the
// last.
func (o *Object) EachSample(f func(t world.Tick, at physics.Pose, newest bool)) {
	for i := range o.samples {
		f(o.samples[i].tick, o.samples[i].at, i == len(o.samples)-1)
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

// exactGap is how many seconds lie at most between two samples if the way between them counts as known.
const exactGap = 0.1

// Exact reports whether an object of a buffer is drawn where it was at the moment shown, as far as samples tell: it
// is neither extrapolated nor drawn with an error, and no sample between two others is missing.
func (o *Object) Exact(b *Buffer) bool {
	n := o.until(b.moment)
	_, off := b.decay.find(o.ID)
	return !off && n > 0 && n < len(o.samples) && float64(o.samples[n].tick-o.samples[n-1].tick) <= exactGap*b.rate
}

// Newest reports whether a pose is that of the newest sample of an object.
func (o *Object) Newest(at physics.Pose) bool {
	return len(o.samples) > 0 && o.samples[len(o.samples)-1].at == at
}

// Has reports whether there is a sample of an object.
func (b *Buffer) Has(id world.ObjectID) bool {
	_, known := slices.BinarySearchFunc(
		b.objects,
		id,
		func(o Object, id world.ObjectID) int { return cmp.Compare(o.ID, id) },
	)
	return known
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
// words as its class. show calls the functions of scripts that show fields. Fields reports whether the
// fields are known.
func (b *Buffer) Fields(o *Object, row world.Row, show world.FieldShower) bool {
	n := o.until(b.moment)
	last := max(n-1, 0)
	from := o.samples[last].row
	if !from.Known() {
		return false
	}
	row.Set(from)
	if n == 0 || n == len(o.samples) || !o.samples[n].row.Known() {
		return true
	}
	to := &o.samples[n]
	b.schema.Classes[o.Class].Between(row, from, to.row, b.alpha(&o.samples[last], to), show)
	return true
}

// FieldsMoment returns of which moment the fields of an object are that Fields writes; the zero value if it is unknown.
// It is before the moment shown where fields are sent later than poses, and beyond the last sample.
func (b *Buffer) FieldsMoment(id world.ObjectID) FieldMoment {
	i, known := slices.BinarySearchFunc(
		b.objects,
		id,
		func(o Object, id world.ObjectID) int { return cmp.Compare(o.ID, id) },
	)
	if !known || len(b.objects[i].samples) == 0 {
		return FieldMoment{}
	}
	o := &b.objects[i]
	n := o.until(b.moment)
	from := &o.samples[max(n-1, 0)]
	if n == 0 || n == len(o.samples) || !o.samples[n].row.Known() {
		return MomentBetween(from.rowTick, from.rowTick, 0)
	}
	return MomentBetween(from.rowTick, o.samples[n].rowTick, b.alpha(from, &o.samples[n]))
}

// Velocity returns the velocity of an object at the moment shown. Between two samples that is the one which takes it
// from one to the other: it may bounce off a wall meanwhile, or a hook moves it.
func (b *Buffer) Velocity(o *Object) physics.Velocity {
	n := o.until(b.moment)
	if n == 0 || n == len(o.samples) || !b.onTheWay(o, &o.samples[n-1], &o.samples[n]) {
		return o.samples[max(n-1, 0)].velocity
	}
	from, to := &o.samples[n-1], &o.samples[n]
	way, seconds := Offset(from.at, to.at), float64(to.tick-from.tick)/b.rate
	return physics.Velocity{VX: way.X / seconds, VY: way.Y / seconds, W: from.velocity.W}
}

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
	return b.between(o, &o.samples[n-1], &o.samples[n]), true
}

// after extrapolates a sample by some seconds, at most by most.
func (s *sample) after(seconds float64, most time.Duration) physics.Pose {
	return ahead(s.at, s.velocity, min(seconds, most.Seconds()))
}

// between returns the pose of an object between two samples. An object that is attached meanwhile leaves its
// path at once, at a time that no sample has. Until the second one it is on its path.
func (b *Buffer) between(o *Object, from, to *sample) physics.Pose {
	if b.changesHold(o, from, to) {
		return ahead(from.at, from.velocity, (b.moment-float64(from.tick))/b.rate)
	}
	return towards(from.at, to.at, b.alpha(from, to), to.entered || from.teleports(to, b.rate))
}

// changesHold reports whether another object carries an object in the second of two samples, or none does.
func (b *Buffer) changesHold(o *Object, from, to *sample) bool {
	class := &b.schema.Classes[o.Class]
	return world.HoldOf(class, from.row).Holder != world.HoldOf(class, to.row).Holder
}

// onTheWay reports whether an object moves from one sample to the next.
func (b *Buffer) onTheWay(o *Object, from, to *sample) bool {
	return !to.entered && !b.changesHold(o, from, to) && !from.teleports(to, b.rate)
}

// alpha returns how far the moment shown is between two samples, 0 to 1.
func (b *Buffer) alpha(from, to *sample) float64 {
	alpha := (b.moment - float64(from.tick)) / float64(to.tick-from.tick)
	if b.checked {
		assert(alpha >= 0 && alpha <= 1, "the moment %v is %v of the way from tick %d to tick %d", b.moment, alpha,
			from.tick, to.tick)
	}
	return alpha
}
