package client

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// carrying draws carried objects at their holders. The two may be drawn at different times: a holder
// that is interpolated is shown in the past, and what it carries perhaps in the present. So a
// carried object is drawn where its holder is drawn, not where it is itself. The zero value is ready
// for use.
type carrying struct {
	glide      view.Glide // from one holder, or none, to another
	last, next map[world.ObjectID]carried
	state      []carryState // by index in View.Bodies
}

// carried is how an object that can be carried was drawn in a frame.
type carried struct {
	at    physics.Pose
	by    world.Hold
	since time.Duration // when something else carried it
}

// carryState is how far draw has come with a body.
type carryState uint8

const (
	asItIs carryState = iota
	beingDrawn
	drawn
)

// draw moves the carried bodies of a view to their holders, as those are drawn. hold returns by what
// a Carried body is carried.
func (k *carrying) draw(v *room.View, now time.Duration, hold func(*room.ViewBody) world.Hold) {
	k.glide.Advance(now)
	if k.last == nil {
		k.last, k.next = map[world.ObjectID]carried{}, map[world.ObjectID]carried{}
	}
	clear(k.next)
	k.state = append(k.state[:0], make([]carryState, len(v.Bodies))...)
	for i := range v.Bodies {
		k.drawBody(v, i, now, hold)
	}
	k.last, k.next = k.next, k.last
}

// carried reports whether an object was carried in the last frame.
func (k *carrying) carried(id world.ObjectID) bool { return k.last[id].by.Holder != 0 }

// drawBody draws one body, after its holder. An object that carries itself, by way of others, is
// drawn as it is.
func (k *carrying) drawBody(v *room.View, i int, now time.Duration, hold func(*room.ViewBody) world.Hold) {
	b := &v.Bodies[i]
	if body := b.Declaration().Body; body == nil || !body.Carried || k.state[i] != asItIs {
		return
	}
	k.state[i] = beingDrawn
	was, seen := k.last[b.ID]
	by := hold(b)
	if was.stays(by, now) {
		by = was.by
	}
	if j := indexOf(v, by.Holder); by.Holder != 0 && j >= 0 && k.state[j] != beingDrawn {
		k.drawBody(v, j, now, hold)
		b.Pose = by.At(v.Bodies[j].Pose)
		b.Velocity = velocityAt(&v.Bodies[j], &b.Pose)
	} else {
		by = world.Hold{}
	}
	next := carried{by: by, since: was.since}
	if seen && was.by.Holder != by.Holder { // it continues from where it was drawn
		k.glide.Begin(b.ID, view.Offset(b.Pose, was.at))
		next.since = now
	}
	_, rate := k.glide.At(b.ID)
	b.Holder, b.Pose = by.Holder, k.glide.Apply(b.ID, b.Pose)
	b.VX, b.VY, b.W = b.VX+rate.VX, b.VY+rate.VY, b.W+rate.W
	next.at = b.Pose
	k.next[b.ID] = next
	k.state[i] = drawn
}

// stays reports whether the holder of the last frame still carries the object, though another hold is in
// force: that came too soon after the last one.
func (c *carried) stays(by world.Hold, now time.Duration) bool {
	return c.by.Holder != 0 && c.by.Holder != by.Holder && now-c.since < view.LeastStay
}

// holdOf returns by what an interpolated body is carried at the moment that is shown.
func holdOf(b *room.ViewBody) world.Hold { return world.HoldOf(b.Declaration(), b.Row()) }

// velocityAt returns the velocity of what a body carries at a pose.
func velocityAt(b *room.ViewBody, at *physics.Pose) physics.Velocity {
	return physics.Velocity{VX: b.VX - float64(b.W*(at.Y-b.Y)), VY: b.VY + float64(b.W*(at.X-b.X)), W: b.W}
}

// showCarried draws the carried objects of a view of the present, which completes the frame. An interpolated holder
// carries what it carried at the moment that is shown; all others carry what they carry in the present. A culled
// object, and its holder, are drawn at one moment.
func (p *presentation) showCarried(v *room.View, tl *timeline.Timeline, t frameTime, culled func(world.ObjectID) bool) {
	now := tl.At(tl.Now())
	p.carrying.draw(v, t.now, func(b *room.ViewBody) world.Hold {
		if culled(b.ID) {
			return holdOf(b)
		}
		h := holdNow(now, b.ID)
		if _, past := p.blend.WasInterpolated(b.ID); !past {
			return h
		}
		if _, past := p.blend.WasInterpolated(h.Holder); h.Holder != 0 && !past {
			return h
		}
		then := holdOf(b)
		if _, past := p.blend.WasInterpolated(then.Holder); past {
			return then
		}
		return world.Hold{}
	})
	p.frame.keep(v, t.now)
}

// holdNow returns by what an object is carried in a state.
func holdNow(s *world.State, id world.ObjectID) world.Hold {
	j, ok := s.Physics.FindJoint(uint64(id))
	if !ok || s.Physics.Joints[j].Gone() {
		return world.Hold{}
	}
	at := &s.Physics.Joints[j]
	return world.Hold{
		Holder: world.ObjectID(at.KeyA),
		Pose:   physics.Pose{X: at.AnchorA.X, Y: at.AnchorA.Y, Angle: at.Angle},
	}
}

// indexOf returns the index of an object in the bodies of a view, or -1.
func indexOf(v *room.View, id world.ObjectID) int {
	for i := range v.Bodies {
		if v.Bodies[i].ID == id {
			return i
		}
	}
	return -1
}
