package runtime

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/world"
)

// FrameControls are Controls that are called in each Update of the Client, not once per
// tick. The inputs of all frames of a tick are merged into its one input, as each input's
// declaration says (world.InputField.Merge). So everything that a player does between two
// ticks counts, and the input says for how long each button was down.
type FrameControls interface {
	// Input is not called.
	Controls
	// FrameInput returns the input of the object in slot of r.State() as of this Update: which
	// buttons are down and where the axes are. For an axis that is merged as a sum, it is the
	// change since the previous Update. Client.Due asks for eight Updates per tick. r is valid
	// during the call.
	FrameInput(r world.Reader, slot int) world.Input
}

// framed gathers the frames of the coming tick, by object.
type framed struct {
	list []framesOf
	last time.Duration // the time of the last frame
}

type framesOf struct {
	object world.ObjectID
	bundle uint32 // the bundle whose declaration its inputs follow
	merger world.Merger
	asked  bool // in this frame
}

func (f *framed) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(f.list, id, func(o framesOf, id world.ObjectID) int { return cmp.Compare(o.object, id) })
}

// of returns the merged input of an object so far.
func (f *framed) of(id world.ObjectID, bundle uint32) *framesOf {
	i, ok := f.find(id)
	if !ok {
		f.list = slices.Insert(f.list, i, framesOf{object: id, bundle: bundle})
	}
	o := &f.list[i]
	if o.bundle != bundle { // the new declaration may have other buttons
		o.bundle, o.merger = bundle, world.Merger{}
	}
	return o
}

// gatherAt returns when FrameControls are to be called next; link.Never if there are
// none.
func (c *endpoint) gatherAt() time.Duration {
	if _, ok := c.Cfg.Controls.(FrameControls); !ok || c.Session.Leaving {
		return link.Never
	}
	return c.framed.last + c.tickLength()/framesATick
}

// gather asks FrameControls for the inputs of this frame. The client is at its present.
func (c *endpoint) gather(now time.Duration, w *world.World) {
	controls, ok := c.Cfg.Controls.(FrameControls)
	if !ok || c.Session.Leaving {
		return
	}
	f := &c.framed
	length := (now - f.last).Seconds()
	f.last = now
	r := w.Reader()
	s := r.State()
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == c.Session.Player && r.Class(int(slot)).Steered() {
			in := controls.FrameInput(r, int(slot))
			of := f.of(o.ID, s.Bundle)
			of.merger.Add(&in, length)
			of.asked = true
		}
	}
	f.list = slices.DeleteFunc(f.list, func(o framesOf) bool { return !o.asked })
	for i := range f.list {
		f.list[i].asked = false
	}
}

// played returns the present input of an object of this player, in the form in which it
// is sent.
func (c *endpoint) played(r world.Reader, slot int) world.Input {
	fields := r.Class(slot).Inputs
	switch c.Cfg.Controls.(type) {
	case nil:
		return world.Input{}
	case FrameControls:
		of := c.framed.of(r.State().Objects[slot].ID, r.State().Bundle)
		return world.Conform(fields, of.merger.Take(fields))
	}
	return world.Conform(fields, c.Cfg.Controls.Input(r, slot))
}
