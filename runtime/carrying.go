package runtime

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// carrying draws carried objects at their holders. The two may be drawn at different times: a holder
// that is interpolated is shown in the past, and what it carries perhaps in the present. So a
// carried object is drawn where its holder is drawn, not where it is itself. The zero value is ready
// for use.
type carrying struct {
	decay      view.Decay // of the change from one holder, or none, to another
	last, next map[world.ObjectID]carried
	state      []carryState // by index in View.Bodies
}

// changeSpeed is how fast an object is drawn to move to another holder, in m/s, besides the motion of
// its holder.
const changeSpeed = 5

// carried is where an object that can be carried was drawn in a frame.
type carried struct {
	at physics.Pose
	by world.ObjectID // 0: nothing carried it
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
func (k *carrying) draw(v *View, now time.Duration, hold func(*ViewBody) world.Hold) {
	k.decay.MaxSpeed = changeSpeed
	k.decay.Advance(now)
	if k.last == nil {
		k.last, k.next = map[world.ObjectID]carried{}, map[world.ObjectID]carried{}
	}
	clear(k.next)
	k.state = append(k.state[:0], make([]carryState, len(v.Bodies))...)
	for i := range v.Bodies {
		k.drawBody(v, i, hold)
	}
	k.last, k.next = k.next, k.last
}

// carried reports whether an object was carried in the last frame.
func (k *carrying) carried(id world.ObjectID) bool { return k.last[id].by != 0 }

// drawBody draws one body, after its holder. An object that carries itself, by way of others, is
// drawn as it is.
func (k *carrying) drawBody(v *View, i int, hold func(*ViewBody) world.Hold) {
	b := &v.Bodies[i]
	if b.class.Body == nil || !b.class.Body.Carried || k.state[i] != asItIs {
		return
	}
	k.state[i] = beingDrawn
	var by world.ObjectID
	if h := hold(b); h.Holder != 0 {
		if j := v.find(h.Holder); j >= 0 && k.state[j] != beingDrawn {
			k.drawBody(v, j, hold)
			b.Pose, by = h.At(v.Bodies[j].Pose), h.Holder
			b.Velocity = v.Bodies[j].velocityAt(&b.Pose)
		}
	}
	b.Holder = by
	b.Pose = k.smooth(b.ID, b.Pose, by)
	k.next[b.ID] = carried{b.Pose, by}
	k.state[i] = drawn
}

// smooth returns where an object at a pose is drawn, which continues from the last frame if
// something else carries it now.
func (k *carrying) smooth(id world.ObjectID, at physics.Pose, by world.ObjectID) physics.Pose {
	if was, seen := k.last[id]; seen && was.by != by {
		k.decay.Displace(id, view.Offset(k.decay.Apply(id, at), was.at))
	}
	return k.decay.Apply(id, at)
}

// hold returns by what an interpolated body is carried at the moment that is shown.
func (b *ViewBody) hold() world.Hold { return world.HoldOf(b.class, b.row) }

// velocityAt returns the velocity of what the body carries at a pose.
func (b *ViewBody) velocityAt(at *physics.Pose) physics.Velocity {
	return physics.Velocity{VX: b.VX - float64(b.W*(at.Y-b.Y)), VY: b.VY + float64(b.W*(at.X-b.X)), W: b.W}
}

// find returns the index of an object in Bodies, or -1.
func (v *View) find(id world.ObjectID) int {
	for i := range v.Bodies {
		if v.Bodies[i].ID == id {
			return i
		}
	}
	return -1
}

// showCarried draws the carried objects of a view of the present. An interpolated holder carries
// what it carried at the moment that is shown; all others carry what they carry in the present.
func (p *presentation) showCarried(v *View, tl *timeline.Timeline, t frameTime) {
	now := tl.At(tl.Now())
	p.carrying.draw(v, t.now, func(b *ViewBody) world.Hold {
		h := holdNow(now, b.ID)
		if _, past := p.blend.WasInterpolated(b.ID); !past {
			return h
		}
		if _, past := p.blend.WasInterpolated(h.Holder); h.Holder != 0 && !past {
			return h
		}
		then := b.hold()
		if _, past := p.blend.WasInterpolated(then.Holder); past {
			return then
		}
		return world.Hold{}
	})
}

// holdNow returns by what an object is carried in a state.
func holdNow(s *world.State, id world.ObjectID) world.Hold {
	j, ok := s.Physics.FindJoint(uint64(id))
	if !ok || s.Physics.Joints[j].Gone() {
		return world.Hold{}
	}
	at := &s.Physics.Joints[j]
	return world.Hold{Holder: world.ObjectID(at.KeyA), Pose: physics.Pose{X: at.AnchorA.X, Y: at.AnchorA.Y, Angle: at.Angle}}
}
