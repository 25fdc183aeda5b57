package client

import (
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// A predictor has proxies of replicated objects: bodies that other bodies bump into. A
// proxy moves to the pose of its object in a snapshot, and continues with its velocity.
// Own objects of replicated classes are simulated with the player's inputs, and
// corrected where a snapshot disagrees; see below for those that are not.

// snapshot makes proxy updates from a snapshot, for the objects in it and for those
// that are missing.
func (p *predictor) snapshot(r *replica, l *library, clock *clock, m *wire.Snapshot) {
	p.cues.settled(m)
	if newest, _ := r.acked(); m.Seq != newest || m.Tick <= p.tl.Oldest() {
		return
	}
	s := p.tl.At(m.Tick) // nil: not simulated yet
	if s != nil && (s.Bundle != m.Bundle || !p.tl.Scripts().Partial(s)) {
		return // its objects may be of other classes
	}
	if p.uninformed++; m.Behind == 0 {
		p.uninformed = 0
	}
	if p.begun.bundle != m.Bundle {
		p.begun = begunSnapshots{m.Bundle, m.Tick}
	}
	for i := range m.Entities {
		p.updateProxy(r, l, clock, m, &m.Entities[i], s)
	}
	if s == nil { // present objects that are not in the snapshot are removed when its tick is simulated
		if s = p.tl.At(p.tl.Now()); s.Bundle != m.Bundle {
			return
		}
	}
	schema := p.tl.Scripts().SchemaOf(s)
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if s.Shared(schema, int(slot)) {
			continue
		}
		if _, here := m.Find(o.ID); !here && !p.mayNotFit(r, clock, m, o) {
			p.tl.ApplyProxy(m.Tick, world.ProxyUpdate{Object: o.ID, Gone: true})
		}
	}
}

// begunSnapshots is the first snapshot under a bundle. From there on, the host sends all objects anew.
type begunSnapshots struct {
	bundle uint32
	tick   world.Tick
}

// longestUnsent is for how long a snapshot may leave out an object that has not fitted into any. After that, the client
// removes the object: the host may have refused it, and may not get to all the others for as long as more are spawned
// than the line carries.
const longestUnsent = 4 * time.Second

// mayNotFit reports whether an object that is missing in a snapshot may be one of this player's that did not fit, as of
// many that were spawned at once. The client has it already, by its own hooks or from its keyframe.
func (p *predictor) mayNotFit(r *replica, clock *clock, m *wire.Snapshot, o *world.Object) bool {
	return o.Owner == p.tl.World().Client && o.Spawned+m.Lacks > m.Tick && !r.had(o.ID) &&
		m.Tick <= max(o.Spawned, p.begun.tick)+clock.ticks(longestUnsent)
}

// updateProxy makes a proxy update of one object, unless the history agrees with the
// snapshot. s is the state of the snapshot's tick; nil if it is not simulated yet.
func (p *predictor) updateProxy(
	r *replica,
	l *library,
	clock *clock,
	m *wire.Snapshot,
	e *wire.Entity,
	s *world.State,
) {
	class := &r.schema().Classes[e.Class]
	if class.LOD == world.Predict {
		return // a joint: the snapshot only says that it exists
	}
	own := e.Owner == p.tl.World().Client
	slot, here := -1, false
	if s != nil {
		if slot, here = s.Find(e.ID); here && s.Objects[slot].Class != e.Class {
			here = false
		}
	}
	if here && e.Tick != m.Tick {
		return // nothing new
	}
	if !own && class.LOD == world.Interpolate {
		p.tl.ExtendProxy(e.ID, m.Tick, clock.ticks(l.bundle(m.Bundle).Rules.Snapshots.Interpolation.Extrapolate))
	}
	if e.FieldsTick == 0 && !here {
		return // it appears with its fields
	}
	if own && p.outdated(m, e) {
		return
	}
	if s == nil && own && keepsOwn(p.tl, class, e) {
		return // this client has yet to simulate the tick
	}
	u := r.proxyUpdate(m, e)
	if s == nil && (own || class.LOD == world.Extrapolate) && p.hasFields(r, m, e) {
		u.Fields = world.Row{}
	}
	if here {
		then := s
		if e.FieldsTick != m.Tick && (e.FieldsTick == 0 || own || class.LOD == world.Extrapolate) {
			then = stateOf(p.tl, e.FieldsTick, m.Bundle) // the hooks of the object have run here since
		}
		switch owned := own && s.Objects[slot].Owner == e.Owner; {
		case owned && class.Independent:
			p.motion.updateFramed(p.tl, &p.displaced, r, &l.bundle(m.Bundle).Rules, ownEntity{m, e, class})
			return
		case owned && class.Moves != nil:
			p.motion.updateMoved(p.tl, &p.displaced, r, ownEntity{m, e, class}, s, slot, then)
			return
		}
		if r.refine(&u, m, e, s, slot, then, false) && !world.HoldDiffers(s, class, slot) {
			return
		}
		if own {
			p.displaced.adjustOwn(&l.bundle(s.Bundle).Rules, m.Tick, s, slot, p.tl.Scripts().SchemaOf(s), &u)
		}
	}
	p.tl.ApplyProxy(m.Tick, u)
}

// hasFields reports whether this client, which has yet to simulate the tick of a snapshot, has simulated the tick of an
// object's fields, and had the same ones. The hooks of the object have run here since.
func (p *predictor) hasFields(r *replica, m *wire.Snapshot, e *wire.Entity) bool {
	now := p.tl.At(p.tl.Now())
	slot, here := now.Find(e.ID)
	if !here || now.Objects[slot].Class != e.Class || e.FieldsTick == m.Tick || e.FieldsTick > now.Tick {
		return false
	}
	then := stateOf(p.tl, e.FieldsTick, m.Bundle)
	return then != nil && r.fieldsAgree(m, e, then)
}

// mostUninformed is how many snapshots in a row a client does not believe about its own objects, at most, if the host
// always lacks its newest inputs.
const mostUninformed = 20

// outdated reports whether the host made a snapshot before it had the inputs that this client has used for an object
// of its player: it applies them late, and then the object is elsewhere and has other fields. If the client took
// over what was before that, the object would do again in the next tick what it has done, and show its cues twice.
func (p *predictor) outdated(m *wire.Snapshot, e *wire.Entity) bool {
	s := p.tl.At(p.tl.Now())
	slot, here := s.Find(e.ID)
	return here && s.Objects[slot].Owner == e.Owner && p.uninformed <= mostUninformed &&
		p.tl.Log().Steers(e.ID, e.Owner, m.Tick-min(world.Tick(m.Behind), m.Tick), m.Tick)
}

// stateOf returns the state of a tick if it is in the history and of a bundle, else nil.
func stateOf(tl *timeline.Timeline, t world.Tick, bundle uint32) *world.State {
	if t <= tl.Oldest() {
		return nil
	}
	s := tl.At(t)
	if s == nil || s.Bundle != bundle || !tl.Scripts().Partial(s) {
		return nil
	}
	return s
}

// An object of a replicated class may be moved by its owner, or tick independently in its owner's frames. Its
// owner's client receives it in snapshots, too. A snapshot has the pose of the host's simulation, which may lack
// owner poses that are still on their way, and which runs the frames in other ticks. So the client ignores the
// pose in the snapshot, with two exceptions: the host has refused an owner pose, or the pose after the same frame
// differs.

// ownEntity is the entity of such an object in a snapshot.
type ownEntity struct {
	from  *wire.Snapshot
	at    *wire.Entity
	class *world.Class
}

// correctedPoses is up to which tick the owner poses of an object no longer count, because a correction
// replaced what they began from.
type correctedPoses struct {
	object world.ObjectID
	upTo   world.Tick
}

// keepsOwn reports whether the object of an entity is at the present an object of the player who owns it
// in the snapshot, who moves it, or in whose frames it runs.
func keepsOwn(tl *timeline.Timeline, class *world.Class, e *wire.Entity) bool {
	s := tl.At(tl.Now())
	slot, here := s.Find(e.ID)
	return here && s.Objects[slot].Owner == e.Owner && (class.Moves != nil || class.Independent)
}

// updateMoved makes a proxy update of an object that this player moves, which the state s of the
// snapshot's tick has in a slot: its fields, and its pose if the host has refused an owner pose.
func (m *motion) updateMoved(
	tl *timeline.Timeline,
	d *displacements,
	from *replica,
	e ownEntity,
	s *world.State,
	slot int,
	then *world.State,
) {
	u := from.proxyUpdate(e.from, e.at)
	m.applyMoved(tl, d, from, e, &u, s, slot, then)
}

// applyMoved applies a proxy update of an object that this player moves, to state s.
func (m *motion) applyMoved(
	tl *timeline.Timeline,
	d *displacements,
	from *replica,
	e ownEntity,
	u *world.ProxyUpdate,
	s *world.State,
	slot int,
	then *world.State,
) {
	r, refused := m.refusal(tl, e, u.Fields)
	same := from.refine(u, e.from, e.at, s, slot, then, !refused) && !world.HoldDiffers(s, e.class, slot)
	if refused {
		b := s.Body(slot)
		d.refuse(r, math.Hypot(b.X-u.X, b.Y-u.Y))
		m.correct(e.at.ID, tl)
	}
	switch {
	case same:
	case refused:
		tl.CorrectPoses(s.Tick, *u, r.Player)
	default:
		tl.ApplyProxy(s.Tick, *u)
	}
}

// refusal returns the owner pose of this client that the host refused last, if an entity is the first to
// say so. fields are those of the entity.
func (m *motion) refusal(tl *timeline.Timeline, e ownEntity, fields world.Row) (r timeline.RefusedPose, refused bool) {
	at, why := world.LastRefusal(e.class, fields)
	if at == 0 ||
		slices.ContainsFunc(m.corrected, func(c correctedPoses) bool { return c.object == e.at.ID && at <= c.upTo }) {
		return r, false
	}
	pose, sent := tl.Log().GuessedPose(e.at.ID, e.at.Owner, at)
	if !sent { // on a short line, the answer may come before the tick
		pose, sent = m.poseOf(at, e.at.ID)
	}
	return timeline.RefusedPose{
		Object: e.at.ID,
		Player: e.at.Owner,
		Tick:   at,
		Pose:   pose,
		Why:    why,
		Class:  e.class.Name,
	}, sent
}

// correct makes the owner poses of an object that were sent up to now not count any more.
func (m *motion) correct(id world.ObjectID, tl *timeline.Timeline) {
	sent := max(tl.Now(), m.newestPose(tl.Now(), id))
	for i := range m.poses {
		m.poses[i].poses = slices.DeleteFunc(m.poses[i].poses, func(p sentPose) bool { return p.object == id })
	}
	m.framed.drop(id)
	m.corrected = slices.DeleteFunc(
		m.corrected,
		func(c correctedPoses) bool { return c.object == id || c.upTo <= tl.Oldest() },
	)
	m.corrected = append(m.corrected, correctedPoses{id, sent})
}

// updateFramed makes a proxy update of an object of this player that ticks independently, in the tick in
// which this client has run the last frame that the host had run. If the player also moves it, its pose counts
// only if the host has refused an owner pose.
func (m *motion) updateFramed(
	tl *timeline.Timeline,
	d *displacements,
	from *replica,
	rules *bundle.Rules,
	e ownEntity,
) {
	if e.at.FieldsTick != e.from.Tick {
		return // the number of the frame is that of another tick
	}
	u := from.proxyUpdate(e.from, e.at)
	number := world.LastFrame(e.class, u.Fields)
	m.ran(e.at.ID, number)
	s, slot := afterFrame(tl, e, number)
	if s == nil {
		return
	}
	then := stateOf(tl, e.from.Tick, e.from.Bundle) // as which those fields may be that change with the ticks
	if then == nil {
		then = s
	}
	if e.class.Moves != nil {
		m.applyMoved(tl, d, from, e, &u, s, slot, then)
		return
	}
	if from.refine(&u, e.from, e.at, s, slot, then, false) && !world.HoldDiffers(s, e.class, slot) {
		return
	}
	d.adjustOwn(rules, e.from.Tick, s, slot, tl.Scripts().SchemaOf(s), &u)
	tl.ApplyProxy(s.Tick, u)
}

// ran notes that the host has run the frames of an object up to a number: they are not sent again.
func (m *motion) ran(id world.ObjectID, number uint32) {
	m.frames = slices.DeleteFunc(m.frames, func(f ownFrame) bool { return f.object == id && f.number <= number })
}

// afterFrame returns the newest state in which the last frame of an object is the given one, with the
// slot of the object; nil if there is none.
func afterFrame(tl *timeline.Timeline, e ownEntity, number uint32) (s *world.State, slot int) {
	for t := tl.Now(); t > tl.Oldest(); t-- {
		s := tl.At(t)
		slot, here := s.Find(e.at.ID)
		if s.Bundle != e.from.Bundle || !here || s.Objects[slot].Class != e.at.Class ||
			s.Objects[slot].Owner != e.at.Owner {
			return nil, 0
		}
		switch ran := world.LastFrame(e.class, s.Row(slot)); {
		case ran == number:
			return s, slot
		case ran < number:
			return nil, 0
		}
	}
	return nil, 0
}
