package runtime

import (
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// showInterpolated adds the interpolated objects to a view of the present, and removes
// their proxies.
func (c *Client) showInterpolated(v *View) {
	now, blend := c.tl.At(c.tl.Now()), &c.screen.blend
	if _, bundle := blend.Last(); bundle != now.Bundle {
		blend.Hold(c.drawnAtPresent(now))
	}
	buffer := c.replica.buffer
	if buffer != nil && c.tl.Partial(now) {
		c.showBuffer()
		v.Moment = buffer.Moment()
		buffer.Each(func(o *view.Object, at physics.Pose) { c.interpolate(v, o, at) })
	} else if buffer != nil {
		buffer.Clear() // no snapshots come: what it has grows old
	}
	bodies := v.Bodies[:0]
	for i := range v.Bodies {
		if b := &v.Bodies[i]; !c.isProxy(b) || blend.Stays(b.ID) {
			c.blendToPresent(b)
			bodies = append(bodies, *b)
		}
	}
	v.Bodies = bodies
	if buffer != nil {
		c.addInterpolated(v, buffer)
	}
	blend.End(now.Tick, now.Bundle)
}

// isProxy reports whether a body of a view stands in for an interpolated object.
func (c *Client) isProxy(b *ViewBody) bool {
	return b.class.LOD == world.Interpolate && b.Owner != c.player
}

// drawnAtPresent returns the objects that were drawn at the present under the scripts that
// were in force in the last frame, and are still here.
func (c *Client) drawnAtPresent(now *world.State) (ids []world.ObjectID) {
	tick, bundle := c.screen.blend.Last()
	before := c.tl.At(tick)
	if before == nil || before.Bundle != bundle {
		return nil
	}
	classes := c.tl.Schema(tick).Classes
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

// interpolate decides where an object of the interpolation buffer is drawn. If it was
// drawn at the present in the last frame, it continues from there.
func (c *Client) interpolate(v *View, o *view.Object, at physics.Pose) {
	buffer, blend := c.replica.buffer, &c.screen.blend
	class := &buffer.Schema().Classes[o.Class]
	if class.LOD != world.Interpolate || o.Owner == c.player || class.Body == nil {
		return
	}
	if blend.WasAtPresent(o.ID) {
		for i := range v.Bodies {
			if b := &v.Bodies[i]; b.ID == o.ID {
				at = buffer.DrawFrom(o, b.Pose, at)
				break
			}
		}
	}
	blend.Interpolate(o.ID, at)
}

// blendToPresent makes a body that is drawn at the present continue from where it was
// drawn if it was interpolated in the last frame.
func (c *Client) blendToPresent(b *ViewBody) {
	blend := &c.screen.blend
	if b.class.LOD == world.Interpolate {
		blend.AtPresent(b.ID)
	}
	from, was := blend.WasInterpolated(b.ID)
	if !was {
		return
	}
	c.screen.decay.Displace(b.ID, view.Offset(b.Pose, from))
	if raw, ok := c.between(b.ID, c.part()); ok {
		b.Pose = c.screen.decay.Apply(b.ID, raw)
	}
}

// addInterpolated adds the interpolated objects of this frame to a view.
func (c *Client) addInterpolated(v *View, buffer *view.Buffer) {
	buffer.EachNewest(func(o *view.Object, _ physics.Pose) {
		if at, ok := c.screen.blend.Interpolated(o.ID); ok {
			class := &buffer.Schema().Classes[o.Class]
			v.showReplicated(buffer, o, at, class, &class.Body.Def.Shape)
		}
	})
}
