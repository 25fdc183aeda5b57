package runtime

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// presentation is what a client remembers of how objects were drawn.
type presentation struct {
	used  bool         // somebody asks for Views
	decay view.Decay   // of the objects drawn at the present
	drawn []view.Drawn // before a Rewind
	blend view.Blend
}

// part is the part of the present tick that has passed, 0 to 1.
func (c *Client) part() float64 {
	if !c.clock.Synced() {
		return 1
	}
	past := c.clock.Present(c.now) - c.tickLength()*time.Duration(c.tl.Now())
	return min(max(float64(past)/float64(c.tickLength()), 0), 1)
}

// showPresent moves the bodies of a view of the present to where they are drawn now:
// between the last two ticks.
func (c *Client) showPresent(v *View) {
	c.screen.used = true
	c.screen.decay.Advance(c.now)
	part := c.part()
	v.Part = part
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if at, ok := c.between(b.ID, part); ok {
			b.Pose = c.screen.decay.Apply(b.ID, at)
		}
		c.fieldsBetween(b, part)
	}
}

// fieldsBetween sets the fields of a body to what is shown of them after a part of the
// present tick.
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

// between returns the pose of an object after a part of the present tick.
func (c *Client) between(id world.ObjectID, part float64) (at physics.Pose, ok bool) {
	b := view.BodyOf(c.tl.At(c.tl.Now()), id)
	if b == nil {
		return physics.Pose{}, false
	}
	return view.Between(view.BodyOf(c.tl.At(c.tl.Now()-1), id), b, part, 1/float64(c.rate())), true
}

// noteDrawn remembers, before a Rewind, where everything would be drawn.
func (c *Client) noteDrawn() {
	c.screen.drawn = c.screen.drawn[:0]
	if !c.screen.used {
		return
	}
	part, s := c.part(), c.tl.At(c.tl.Now())
	for _, slot := range s.Run {
		id := s.Objects[slot].ID
		if at, ok := c.between(id, part); ok {
			c.screen.drawn = append(c.screen.drawn, view.Drawn{ID: id, At: at})
		}
	}
}

// hideJumps makes the objects that a Rewind has moved continue from where they were drawn.
func (c *Client) hideJumps() {
	c.screen.decay.Advance(c.now)
	part := c.part()
	for _, d := range c.screen.drawn {
		if at, ok := c.between(d.ID, part); ok {
			c.screen.decay.Displace(d.ID, view.Offset(at, d.At))
		}
	}
}
