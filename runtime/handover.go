package runtime

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Interpolated objects are drawn as they were a moment ago, all others at the client's
// present. When an object goes from one to the other, because scripts that were switched
// change its level, or it changes hands, the picture goes on from where it was drawn.

// handover is who is drawn how.
type handover struct {
	told   []drawn          // from snapshots, in the last view; by id
	here   []world.ObjectID // at the present, though told of or to be; by id
	next   []drawn          // scratch
	tick   world.Tick       // of the last view
	bundle uint32
}

func findDrawn(list []drawn, id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(d drawn, id world.ObjectID) int { return cmp.Compare(d.id, id) })
}

// drawTold puts the interpolated objects into a view, as they were a back-time ago.
func (c *Client) drawTold(v *View) {
	h, now := &c.handover, c.tl.At(c.tl.Now())
	if h.bundle != now.Bundle {
		c.relevel(now)
	}
	told := h.next[:0]
	if play := c.watch.play; play != nil && c.tl.Partial(now) {
		play.show(c.now, c.clock.HostTime(c.now), c.clock.Synced())
		v.Moment = play.moment
		told = c.placeTold(v, told)
	} else if play != nil {
		play.actors = play.actors[:0] // nothing is told of: what was known grows stale
	}
	here := h.here
	h.here = nil
	bodies := v.Bodies[:0]
	for i := range v.Bodies {
		if b := &v.Bodies[i]; !c.isStandIn(b) || stays(b.ID, here, told) {
			c.drawHere(b)
			bodies = append(bodies, *b)
		}
	}
	v.Bodies = bodies
	slices.Sort(h.here)
	c.showTold(v, told)
	h.told, h.next = told, h.told
	h.tick, h.bundle = now.Tick, now.Bundle
}

// stays reports whether a stand-in is drawn where it is: it was before, and no snapshot
// has told of it yet.
func stays(id world.ObjectID, here []world.ObjectID, told []drawn) bool {
	_, was := slices.BinarySearch(here, id)
	_, isTold := findDrawn(told, id)
	return was && !isTold
}

// isStandIn reports whether a body of a view stands in for one that is told of, and
// shown otherwise.
func (c *Client) isStandIn(b *ViewBody) bool {
	return b.class.LOD == world.Interpolate && b.Owner != c.player
}

// relevel notes, when other scripts have come in force, who was drawn at the present:
// until snapshots tell of them, those stay there who are told of from now on.
func (c *Client) relevel(now *world.State) {
	h := &c.handover
	before := c.tl.At(h.tick)
	if before == nil || before.Bundle != h.bundle {
		return
	}
	classes := c.tl.Schema(h.tick).Classes
	for _, slot := range before.Run {
		o := &before.Objects[slot]
		if classes[o.Class].LOD == world.Interpolate || before.Body(int(slot)).Key == 0 {
			continue
		}
		if _, still := now.Find(o.ID); still {
			h.here = append(h.here, o.ID)
		}
	}
	slices.Sort(h.here)
}

// placeTold finds where those are to be drawn whom snapshots tell of.
func (c *Client) placeTold(v *View, told []drawn) []drawn {
	w := &c.watch
	w.play.each(func(a *actor, at physics.Pose) {
		class := &w.schema.Classes[a.class]
		if class.LOD != world.Interpolate || a.owner == c.player || class.Body == nil {
			return
		}
		if _, was := slices.BinarySearch(c.handover.here, a.id); was {
			at = c.fromHere(v, a, at)
		}
		told = append(told, drawn{a.id, at})
	})
	return told
}

// fromHere lets one that is told of from now on begin where it is drawn at the present.
func (c *Client) fromHere(v *View, a *actor, at physics.Pose) physics.Pose {
	play := c.watch.play
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if b.ID != a.id {
			continue
		}
		play.easing.moved(a.id, offset(at, b.Pose))
		if raw, there := play.at(a); there {
			return play.easing.drawn(a.id, raw)
		}
	}
	return at
}

// drawHere lets a body that is drawn at the present begin where it was drawn as it was
// told of.
func (c *Client) drawHere(b *ViewBody) {
	h := &c.handover
	if b.class.LOD == world.Interpolate {
		h.here = append(h.here, b.ID)
	}
	i, was := findDrawn(h.told, b.ID)
	if !was {
		return
	}
	c.easing.moved(b.ID, offset(b.Pose, h.told[i].at))
	if raw, ok := c.between(b.ID, c.part()); ok {
		at := c.easing.drawn(b.ID, raw)
		b.Pose = at
	}
}

// showTold adds those to a view whom snapshots tell of.
func (c *Client) showTold(v *View, told []drawn) {
	w := &c.watch
	if len(told) == 0 {
		return
	}
	for i := range w.play.actors {
		a := &w.play.actors[i]
		if j, ok := findDrawn(told, a.id); ok {
			class := &w.schema.Classes[a.class]
			v.showActor(w.play, a, told[j].at, class, &class.Body.Def.Shape)
		}
	}
}
