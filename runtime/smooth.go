package runtime

import (
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// A picture is drawn when a screen wants one, not when a tick is due: it shows
// what lies between the last two ticks, own objects included. And when a rewind
// moves an object, the picture goes on from where the object was drawn.

// drawn is where an object would be drawn, errors aside.
type drawn struct {
	id world.ObjectID
	at physics.Pose
}

// part is how much of the way from the tick before to the present one is to be
// drawn: 0 to 1.
func (c *Client) part() float64 {
	if !c.clock.Synced() {
		return 1
	}
	past := c.clock.Present(c.now) - c.tickLength()*time.Duration(c.tl.Now())
	return min(max(float64(past)/float64(c.tickLength()), 0), 1)
}

// drawSmoothly moves the bodies of a view of the present to where they are to
// be drawn now.
func (c *Client) drawSmoothly(v *View) {
	c.watched = true
	c.easing.to(c.now)
	part := c.part()
	v.Part = part
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if at, ok := c.between(b.ID, part); ok {
			at = c.easing.drawn(b.ID, at)
			b.Pose = at
		}
		c.fieldsBetween(b, part)
	}
}

// fieldsBetween sets the fields of a body to what is shown of them after a part
// of the present tick.
func (c *Client) fieldsBetween(b *ViewBody, part float64) {
	before, now := c.tl.At(c.tl.Now()-1), c.tl.At(c.tl.Now())
	if before == nil || before.Bundle != now.Bundle || len(b.row) == 0 {
		return
	}
	from, ok := before.Find(b.ID)
	to, still := now.Find(b.ID)
	if ok && still {
		b.class.Between(b.row, before.Row(from)[:len(b.row)], now.Row(to)[:len(b.row)], part)
	}
}

// between is where a body is after a part of the present tick; an object that
// came with it is where it came.
func (c *Client) between(id world.ObjectID, part float64) (at physics.Pose, ok bool) {
	b := bodyOf(c.tl.At(c.tl.Now()), id)
	if b == nil {
		return physics.Pose{}, false
	}
	to := b.Pose
	was := bodyOf(c.tl.At(c.tl.Now()-1), id)
	if was == nil || was.Pose == to {
		return to, true
	}
	from := was.Pose
	return towards(from, to, part, leapt(offset(from, to), speed(was.Velocity), speed(b.Velocity), 1/float64(c.rate()))), true
}

// noteDrawn remembers, before a Rewind, where everything would be drawn.
func (c *Client) noteDrawn() {
	c.drawn = c.drawn[:0]
	if !c.watched {
		return
	}
	part, s := c.part(), c.tl.At(c.tl.Now())
	for _, slot := range s.Run {
		id := s.Objects[slot].ID
		if at, ok := c.between(id, part); ok {
			c.drawn = append(c.drawn, drawn{id, at})
		}
	}
}

// easeFromDrawn sees to it, after a Rewind, that nothing is drawn elsewhere at
// once.
func (c *Client) easeFromDrawn() {
	c.easing.to(c.now)
	part := c.part()
	for _, d := range c.drawn {
		if at, ok := c.between(d.id, part); ok {
			c.easing.moved(d.id, offset(at, d.at))
		}
	}
}
