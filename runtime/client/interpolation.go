package client

import (
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// showInterpolated adds the interpolated objects to a player's view of the present, and
// removes their proxies.
func (p *presentation) showInterpolated(v *room.View, tl *timeline.Timeline, r *replica, t frameTime) {
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
	r.eachInterpolated(tl.Scripts().Partial(now), v, t, func(o *view.Object, at physics.Pose) { p.interpolate(v, now, r, o, at) })
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
func (p *presentation) interpolate(v *room.View, now *world.State, r *replica, o *view.Object, at physics.Pose) {
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
				at = r.drawFrom(o, b.Pose, at)
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
	if at, ok := poseBetween(tl, b.ID, t.alpha); ok {
		b.Pose = p.decay.Apply(b.ID, at)
	}
}

// interpolated reports whether clients interpolate objects of the class of b that they do not own.
func interpolated(b *room.ViewBody) bool { return b.Declaration().LOD == world.Interpolate }
