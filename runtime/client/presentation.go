package client

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// presentation is the state that a predictor needs to draw objects without jumps.
type presentation struct {
	used     bool         // the program calls View
	decay    view.Decay   // of the objects drawn at the present
	drawn    []view.Drawn // the drawn poses before a Rewind
	blend    view.Blend
	carrying carrying
	fields   view.FieldHold
	frame    lastFrame
	// starts returns where a tick begins for an object that its player moves in frames. The tick before ends there on
	// the screen, also once the log says that the host has run these frames in an earlier tick, where they move
	// nothing.
	starts func(t world.Tick, id world.ObjectID) (at physics.Pose, ok bool)
}

// A frameTime is when a frame is drawn.
type frameTime struct {
	now    time.Duration
	host   time.Duration // the time of the host
	synced bool          // host is valid
	alpha  float64       // the part of the present tick that has passed, 0 to 1
}

// showPresent moves the bodies of a view of the present to their drawn poses between the
// last two ticks.
func (p *presentation) showPresent(v *room.View, tl *timeline.Timeline, t frameTime) {
	p.used = true
	p.decay.Advance(t.now)
	v.Alpha = t.alpha
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if at, ok := p.poseBetween(tl, b.ID, t.alpha); ok {
			b.Pose, b.Velocity = p.decay.Apply(b.ID, at), velocityBetween(tl, b.ID, t.alpha)
		}
	}
	v.Blend(tl, t.alpha)
}

// velocityBetween returns the velocity of an object that has a body after a part of the present tick.
func velocityBetween(tl *timeline.Timeline, id world.ObjectID, alpha float64) physics.Velocity {
	before, now := view.BodyOf(tl.At(tl.Now()-1), id), view.BodyOf(tl.At(tl.Now()), id)
	return view.VelocityBetween(before, now, alpha, 1/float64(tl.World().Schema().Setup.TickRate))
}

// poseBetween returns the pose of an object after a part of the present tick.
func (p *presentation) poseBetween(
	tl *timeline.Timeline,
	id world.ObjectID,
	alpha float64,
) (at physics.Pose, ok bool) {
	from, moved := p.starts(tl.Now(), id)
	b := view.BodyOf(tl.At(tl.Now()), id)
	if !moved || b == nil {
		return poseBetween(tl, id, alpha)
	}
	before := *b
	before.Pose = from
	return view.Between(&before, b, alpha, 1/float64(tl.World().Schema().Setup.TickRate)), true
}

// poseBetween is that of an object that its player does not move in frames.
func poseBetween(tl *timeline.Timeline, id world.ObjectID, alpha float64) (at physics.Pose, ok bool) {
	b := view.BodyOf(tl.At(tl.Now()), id)
	if b == nil {
		return physics.Pose{}, false
	}
	tickSeconds := 1 / float64(tl.World().Schema().Setup.TickRate)
	return view.Between(view.BodyOf(tl.At(tl.Now()-1), id), b, alpha, tickSeconds), true
}

// noteDrawn saves, before a Rewind, where every object would be drawn, except carried ones, which are
// drawn at their holders, and culled ones.
func (p *presentation) noteDrawn(tl *timeline.Timeline, t frameTime) {
	p.drawn = p.drawn[:0]
	if !p.used {
		return
	}
	s := tl.At(tl.Now())
	for _, slot := range s.Run {
		id := s.Objects[slot].ID
		if s.Objects[slot].Culled {
			continue
		}
		if at, ok := p.poseBetween(tl, id, t.alpha); ok && !p.carrying.carried(id) {
			p.drawn = append(p.drawn, view.Drawn{ID: id, At: at})
		}
	}
}

// limit bounds errors from now on. Where objects are culled, others meet proxies that they cannot push: what that makes
// of their prediction may be metres, and does not jump either.
func (p *presentation) limit(culls bool) {
	p.decay.MaxSpeed, p.decay.MaxError = 0, 0
	if culls {
		p.decay.MaxSpeed, p.decay.MaxError = changeSpeed, mostBlended
	}
}

// hideJumps makes objects that a Rewind has moved continue from where they were drawn.
func (p *presentation) hideJumps(tl *timeline.Timeline, t frameTime) {
	p.decay.Advance(t.now)
	for _, d := range p.drawn {
		if at, ok := p.poseBetween(tl, d.ID, t.alpha); ok {
			p.decay.Displace(d.ID, view.Offset(at, d.At))
		}
	}
}

// holdFields makes the fields that a view shows never go back in time, which completes it.
func (p *presentation) holdFields(v *room.View, tl *timeline.Timeline, r *replica, culled *culledView, t frameTime) {
	present := view.MomentBetween(tl.Now()-1, tl.Now(), t.alpha)
	p.fields.Begin(t.now, v.TickRate)
	v.EachFields(func(id world.ObjectID, class *world.Class, row world.Row, b *room.ViewBody) world.Row {
		source, at := view.FromPresent, present
		switch how := culled.howDrawn(id); {
		case b == nil:
		case how == byComplete:
			source, at = view.FromCompleteTick, culled.buffer.FieldsMoment(id)
		case how == byProxy:
			source = view.FromProxy
		default:
			if _, past := p.blend.WasInterpolated(id); past {
				source, at = view.FromSnapshots, r.buffer.FieldsMoment(id)
			} else if interpolated(b) && b.Owner != v.Player {
				source = view.FromProxy
			}
		}
		return p.fields.Show(id, class, row, source, at)
	})
	p.fields.End()
}

// lastFrame remembers where the last frame drew the objects that asSeen can ask for.
type lastFrame struct {
	at    time.Duration
	drawn []view.Drawn // by id
}

// keep notes a frame.
func (f *lastFrame) keep(v *room.View, now time.Duration) {
	f.at, f.drawn = now, f.drawn[:0]
	for i := range v.Bodies {
		if b := &v.Bodies[i]; b.Declaration().Seen != nil {
			f.drawn = append(f.drawn, view.Drawn{ID: b.ID, At: b.Pose})
		}
	}
	slices.SortFunc(f.drawn, func(a, b view.Drawn) int { return cmp.Compare(a.ID, b.ID) })
}

// fresh reports whether there is a frame, and it is not old.
func (f *lastFrame) fresh(now time.Duration) bool { return f != nil && now-f.at <= staleFrame }

// find returns where an object was drawn.
func (f *lastFrame) find(id world.ObjectID) (at physics.Pose, ok bool) {
	i, ok := slices.BinarySearchFunc(
		f.drawn,
		id,
		func(d view.Drawn, id world.ObjectID) int { return cmp.Compare(d.ID, id) },
	)
	if !ok {
		return physics.Pose{}, false
	}
	return f.drawn[i].At, true
}

// drawnAt returns where an object was drawn: in the last frame. A player without one, or with an old
// one, sees the present. It is nil if no script asks for it.
func (p *presentation) drawnAt(tl *timeline.Timeline, now time.Duration) world.DrawnAt {
	if !tl.World().Schema().HasSeen() {
		return nil
	}
	if p.used && p.frame.fresh(now) {
		return p.frame.find
	}
	s := tl.At(tl.Now())
	return func(id world.ObjectID) (physics.Pose, bool) {
		b := view.BodyOf(s, id)
		if b == nil {
			return physics.Pose{}, false
		}
		return b.Pose, true
	}
}

// showInterpolated adds the interpolated objects to a player's view of the present, and
// removes their proxies. drawn returns where the last frame had a culled object.
func (p *presentation) showInterpolated(
	v *room.View,
	tl *timeline.Timeline,
	r *replica,
	t frameTime,
	drawn func(world.ObjectID) (physics.Pose, bool),
) {
	now := tl.At(tl.Now())
	if _, bundle := p.blend.Last(); bundle != now.Bundle {
		p.blend.Hold(p.lastAtPresent(tl, now))
	}
	p.blend.Begin(t.now)
	for i := range v.Bodies {
		if b := &v.Bodies[i]; interpolated(b) {
			p.blend.Own(b.ID, b.Owner == v.Player)
		}
	}
	r.eachInterpolated(
		tl.Scripts().Partial(now),
		v,
		t,
		func(o *view.Object, at physics.Pose) {
			// Snapshots may have the level that the class had before a bundle switch.
			if slot, here := now.Find(o.ID); !here || tl.World().Class(slot).LOD == world.Interpolate {
				p.interpolate(v, now, r, o, at, drawn)
			}
		},
	)
	bodies := v.Bodies[:0]
	for i := range v.Bodies {
		if b := &v.Bodies[i]; !interpolated(b) || p.blend.IsOwn(b.ID) || p.blend.Stays(b.ID) {
			p.blendToPresent(b, tl, t)
			bodies = append(bodies, *b)
		}
	}
	v.Bodies = bodies
	r.addDrawn(v, p.blend.Interpolated)
	p.blend.End(now.Tick, now.Bundle)
}

// lastAtPresent returns the objects that were drawn at the present in the last frame,
// according to the scripts in force then, and still exist.
func (p *presentation) lastAtPresent(tl *timeline.Timeline, now *world.State) (ids []world.ObjectID) {
	tick, bundle := p.blend.Last()
	before := tl.At(tick)
	if before == nil || before.Bundle != bundle {
		return nil
	}
	classes := tl.Schema(tick).Classes
	for _, slot := range before.Run {
		o := &before.Objects[slot]
		if classes[o.Class].LOD == world.Interpolate || before.Body(int(slot)).Key == 0 {
			continue
		}
		if _, still := now.Find(o.ID); still {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// interpolate decides where an object of the buffer is drawn. If it was drawn at the
// present in the last frame, it continues from there.
// Who owns it at the present decides, if it is there: snapshots are older.
func (p *presentation) interpolate(
	v *room.View,
	now *world.State,
	r *replica,
	o *view.Object,
	at physics.Pose,
	drawn func(world.ObjectID) (physics.Pose, bool),
) {
	class := r.classOf(o)
	if class.LOD != world.Interpolate || class.Body == nil || p.blend.IsOwn(o.ID) {
		return
	}
	if _, here := now.Find(o.ID); !here && o.Owner == v.Player {
		return
	}
	if p.blend.WasAtPresent(o.ID) {
		for i := range v.Bodies {
			if b := &v.Bodies[i]; b.ID == o.ID {
				from, culled := drawn(o.ID)
				if !culled {
					from = b.Pose
				}
				at = r.drawFrom(o, from, at)
				break
			}
		}
	}
	p.blend.Interpolate(o.ID, at)
}

// blendToPresent makes a body that is drawn at the present continue from where it was
// drawn if it was interpolated in the last frame.
func (p *presentation) blendToPresent(b *room.ViewBody, tl *timeline.Timeline, t frameTime) {
	if interpolated(b) {
		p.blend.AtPresent(b.ID)
	}
	from, was := p.blend.WasInterpolated(b.ID)
	if !was {
		return
	}
	p.decay.Displace(b.ID, view.Offset(b.Pose, from))
	if at, ok := p.poseBetween(tl, b.ID, t.alpha); ok {
		b.Pose = p.decay.Apply(b.ID, at)
	}
}

// interpolated reports whether clients interpolate objects of the class of b that they do not own.
func interpolated(b *room.ViewBody) bool { return b.Declaration().LOD == world.Interpolate }
