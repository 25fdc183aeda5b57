package runtime

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/world"
)

// FrameControls are Controls that are asked in each Update of the Client, not once a
// tick. What they say in the frames of a tick is merged into its one input, as each
// input's declaration has it (world.InputField.Merge): so nothing is lost of what
// a player does between two ticks, and of buttons it is known for how long they were down.
type FrameControls interface {
	// Input is not asked.
	Controls
	// FrameInput is what the object in slot of r.State() is to do, as of this Update, of which
	// Client.Due asks for eight a tick:
	// which buttons are down, where the axes are; of axes that are merged as a sum
	// what came since the Update before. r is valid during the call.
	FrameInput(r world.Reader, slot int) world.Input
}

// framed gathers the frames of the coming tick, by object.
type framed struct {
	list []framesOf
	last time.Duration // when there was one
}

type framesOf struct {
	object world.ObjectID
	bundle uint32 // by whose declaration its inputs are
	merger world.Merger
	asked  bool // in this frame
}

func (f *framed) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(f.list, id, func(o framesOf, id world.ObjectID) int { return cmp.Compare(o.object, id) })
}

// of returns what is gathered of an object.
func (f *framed) of(id world.ObjectID, bundle uint32) *framesOf {
	i, ok := f.find(id)
	if !ok {
		f.list = slices.Insert(f.list, i, framesOf{object: id, bundle: bundle})
	}
	o := &f.list[i]
	if o.bundle != bundle { // other buttons have its places now
		o.bundle, o.merger = bundle, world.Merger{}
	}
	return o
}

// gatherAt returns when FrameControls are to be asked next; never if there are none.
func (c *endpoint) gatherAt() time.Duration {
	if _, ok := c.Cfg.Controls.(FrameControls); !ok || c.Session.Leaving {
		return link.Never
	}
	return c.framed.last + c.tickLength()/framesATick
}

// gather asks FrameControls what is played in this frame. The client is at its present.
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

// played returns what an object of this player's is to do now, in the form in which it is
// sent.
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
