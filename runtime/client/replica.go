package client

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// replica has the replicated objects of a client: the received snapshots and the
// interpolation buffer.
type replica struct {
	receiver replicate.Receiver
	buffer   *view.Buffer // nil before the first snapshot
	limits   view.Limits  // of the bundle of the newest snapshot
	maxSeen  int64        // the same, in world.ViewParts
	samples  []view.Sample
	check    bool
}

// newReplica returns an empty replica; check is check mode.
func newReplica(check bool) replica {
	return replica{receiver: replicate.NewReceiver(check), check: check}
}

// acked returns the numbers of the snapshot and of the row to acknowledge, 0: none.
func (r *replica) acked() (snapshot, row uint32) { return r.receiver.Newest(), r.receiver.NewestRow() }

// has reports whether snapshots show an object.
func (r *replica) has(id world.ObjectID) bool { return r.buffer != nil && r.buffer.Has(id) }

// row takes in a row, to which snapshots can refer.
func (r *replica) row(m wire.Row) error { return r.receiver.Row(m) }

// follow draws by the rules of a bundle from now on.
func (r *replica) follow(b *bundle.Bundle) {
	rules := &b.Rules.Snapshots.Interpolation
	r.limits = view.Limits{First: rules.First, Least: rules.Least, Most: rules.Most, Extrapolate: rules.Extrapolate}
	r.maxSeen = int64(b.Ticks(b.Rules.MaxSeen)) * world.ViewParts
	if r.buffer != nil {
		r.buffer.Limit(r.limits)
	}
}

// begin takes the state of a keyframe, which is snapshot number seq.
func (r *replica) begin(s *world.State, schema *world.Schema, seq uint32) {
	r.add(r.receiver.Restart(schema, s, seq), -1)
}

// add adds a snapshot to the interpolation buffer. age is the time since its tick by the
// clock of the host; below 0: unknown.
func (r *replica) add(m *wire.Snapshot, age time.Duration) {
	if r.buffer == nil {
		r.buffer = view.NewBuffer(r.receiver.Schema(), r.limits, r.check)
	}
	r.buffer.Use(r.receiver.Schema())
	r.samples = r.samples[:0]
	for i := range m.Entities {
		e := &m.Entities[i]
		r.samples = append(r.samples, view.Sample{
			Tick: e.Tick, FieldsTick: e.FieldsTick, ProxyUpdate: r.receiver.Update(m, e)})
	}
	r.buffer.Add(m.Tick, r.samples, age)
}

// moment returns the moment that the last frame showed, in ticks, and whether a snapshot has arrived.
func (r *replica) moment() (at float64, begun bool) {
	if r.buffer == nil {
		return 0, false
	}
	return r.buffer.Moment(), true
}

// show chooses the moment that a frame shows.
func (r *replica) show(t frameTime) { r.buffer.Show(t.now, t.host, t.synced) }

// staleFrame is how old the last frame may be to count as what the player sees. If it is
// older, the moment that a frame would show now counts.
const staleFrame = 100 * time.Millisecond

// viewTime returns the moment that the view shows, for the view times of inputs; 0 if no script asks
// for it. all says that it shows all objects with the interpolation delay.
func (r *replica) viewTime(t frameTime, all bool) shownMoment {
	b := r.buffer
	if b == nil || b.Newest() == 0 || !b.Schema().HasSeen() {
		return shownMoment{}
	}
	if t.now-b.ShownAt() > staleFrame {
		r.show(t)
	}
	return shownMoment{
		at:     int64(math.Floor(b.Moment() * world.ViewParts)),
		latest: int64(b.Newest()) * world.ViewParts,
		most:   r.maxSeen,
		all:    all,
		buffer: b,
	}
}

// eachInterpolated calls f for each object of a frame of the buffer, if objects are
// replicated.
func (r *replica) eachInterpolated(partial bool, v *room.View, t frameTime, f func(o *view.Object, at physics.Pose)) {
	switch {
	case r.buffer == nil:
	case partial:
		r.show(t)
		v.Moment = r.buffer.Moment()
		r.buffer.Each(f)
	default:
		r.buffer.Clear() // no snapshots arrive: its samples become too old
	}
}

// proxyUpdate returns the proxy update of an entity of the last snapshot.
func (r *replica) proxyUpdate(m *wire.Snapshot, e *wire.Entity) world.ProxyUpdate {
	return r.receiver.UpdateNow(m, e, r.limits.Extrapolate)
}

// had reports whether the host has sent an object for certain before the newest snapshot.
func (r *replica) had(id world.ObjectID) bool { return r.receiver.Had(id) }

// fieldsAgree reports whether a state of the tick of an entity's fields has the same ones.
func (r *replica) fieldsAgree(m *wire.Snapshot, e *wire.Entity, then *world.State) bool {
	return r.receiver.FieldsAgree(m, e, then)
}

// refine reports whether a state agrees with an entity. If not, it makes the update more exact; see replicate.Receiver.
func (r *replica) refine(
	u *world.ProxyUpdate,
	m *wire.Snapshot,
	e *wire.Entity,
	s *world.State,
	slot int,
	then *world.State,
	kept bool,
) (same bool) {
	return r.receiver.Refine(u, m, e, s, slot, then, kept)
}

// classOf returns the class of an object of the buffer.
func (r *replica) classOf(o *view.Object) *world.Class { return &r.buffer.Schema().Classes[o.Class] }

// drawFrom makes an object of the buffer continue from elsewhere; see view.Buffer.
func (r *replica) drawFrom(o *view.Object, elsewhere, at physics.Pose) physics.Pose {
	return r.buffer.DrawFrom(o, elsewhere, at)
}

// addDrawn adds the objects of the buffer to a view for which drawn knows a pose.
func (r *replica) addDrawn(v *room.View, drawn func(world.ObjectID) (physics.Pose, bool)) {
	if r.buffer == nil {
		return
	}
	r.buffer.EachNewest(func(o *view.Object, _ physics.Pose) {
		if at, ok := drawn(o.ID); ok {
			class := r.classOf(o)
			v.AddReplicated(r.buffer, o, at, class, nil)
		}
	})
}

// showSpectated fills the view of a spectator. keyframe has the walls, whose shapes are
// not in snapshots.
func (r *replica) showSpectated(v *room.View, keyframe *world.World, t frameTime) {
	b := r.buffer
	if b == nil {
		return
	}
	r.show(t)
	v.Moment = b.Moment()
	v.Tick = world.Tick(math.Floor(v.Moment)) + 1
	v.Alpha = v.Moment - math.Floor(v.Moment)
	v.ShowLevel(b.Schema())
	b.Each(func(o *view.Object, at physics.Pose) {
		class := r.classOf(o)
		if world.HoldsState(class.Name) {
			if row := v.ReplicatedRow(b, o, class); row.Known() {
				v.ShowState(b.Schema(), o.ID, o.Owner, class, row)
			}
			return
		}
		v.AddReplicated(b, o, at, class, r.defOf(keyframe, o.ID))
	})
}

// defOf returns the Def of an object's body in a keyframe; nil if it is not there. Walls have shapes of their own,
// which a spectator knows from the keyframe before their fields arrive.
func (r *replica) defOf(keyframe *world.World, id world.ObjectID) *physics.Def {
	if b := view.BodyOf(keyframe.Now, id); b != nil {
		return &keyframe.Schema().Defs[b.Def]
	}
	return nil
}

// placeOwn moves a player's objects in w to their newest poses, from which the controls
// aim.
func (r *replica) placeOwn(w *world.World, player world.PlayerID) {
	if r.buffer == nil {
		return
	}
	r.buffer.EachNewest(func(o *view.Object, at physics.Pose) {
		if b := view.BodyOf(w.Now, o.ID); b != nil && o.Owner == player {
			b.Pose = at
		}
	})
}

// read decodes a snapshot; schema returns the schema of a bundle.
func (r *replica) read(data []byte, schema func(bundle uint32) *world.Schema) (*wire.Snapshot, error) {
	return r.receiver.Read(data, schema)
}

// schema returns the schema of the newest snapshot.
func (r *replica) schema() *world.Schema { return r.receiver.Schema() }
