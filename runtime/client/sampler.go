package client

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Controls decides a player's input: keys, a bot. Input is called once per tick for each object
// that the player owns, before that tick is simulated. Controls merge everything that a player
// does within a tick (world.Merger), unless they are FrameControls: then the Client does.
type Controls interface {
	// Input returns the input of the object in slot of r.State() for the coming tick. r
	// is valid during the call. The result is clamped to its range (world.Conform).
	Input(r world.Reader, slot int) world.Input
}

// ControlsFunc is a function as Controls.
type ControlsFunc func(r world.Reader, slot int) world.Input

// Input calls f.
func (f ControlsFunc) Input(r world.Reader, slot int) world.Input { return f(r, slot) }

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

// sampler asks the controls for the inputs of a player's objects, and counts the presses in them.
type sampler struct {
	controls Controls      // may be nil
	frames   []framesOf    // by object
	last     time.Duration // the time of the last frame
	displays bool          // the program displays a frame
}

// display notes that the program displays a frame.
func (p *sampler) display() { p.displays = true }

// takeDisplayed reports whether display was called since the last time.
func (p *sampler) takeDisplayed() (displays bool) {
	displays, p.displays = p.displays, false
	return displays
}

// framesOf merges the inputs of an object since the last tick. It is kept as long as the object
// exists: the counts of presses continue if the object comes back to the player.
type framesOf struct {
	object world.ObjectID
	bundle uint32 // the bundle whose declaration its inputs follow
	fields world.InputFields
	merger world.Merger
	asked  bool // in this frame
}

// sample asks the controls for the inputs of a coming tick, and adds them to sent. w is at the present.
// A player steers at most wire.MaxRuns objects, the first ones in the order in which hooks run.
func (p *sampler) sample(w *world.World, player world.PlayerID, sent *sentInputs, t world.Tick) {
	r := w.Reader()
	s := r.State()
	sent.begin(t)
	for _, at := range s.Run {
		o, class := &s.Objects[at], r.Class(int(at))
		if o.Owner != player || !class.Hooks.Has(world.ApplyInput) || len(sent.of(t)) == wire.MaxRuns {
			continue
		}
		sent.add(t, ownInput{
			object:   o.ID,
			bundle:   s.Bundle,
			input:    p.played(r, int(at)),
			unshared: class.LOD != world.Predict,
		})
	}
}

// played returns the present input of an object of this player, in the form in which it
// is sent.
func (p *sampler) played(r world.Reader, slot int) world.Input {
	of := p.of(r, slot)
	switch controls := p.controls.(type) {
	case nil:
		of.merger.Add(&world.Input{}, 1)
	case FrameControls: // gather has added the frames
	default:
		in := controls.Input(r, slot)
		of.merger.Add(&in, 1)
	}
	return of.take()
}

// gatherAt returns when FrameControls are to be called next; link.Never if there are
// none.
func (p *sampler) gatherAt(c *clock) time.Duration {
	if _, ok := p.controls.(FrameControls); !ok || !c.ticking() {
		return link.Never
	}
	return p.last + c.tickLength()/framesATick
}

// gather asks FrameControls for the inputs of this frame. The client is at its present, w.
func (p *sampler) gather(now time.Duration, c *clock, w *world.World, player world.PlayerID) {
	controls, ok := p.controls.(FrameControls)
	if !ok || !c.ticking() {
		return
	}
	length := (now - p.last).Seconds()
	p.last = now
	r := w.Reader()
	s := r.State()
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == player && r.Class(int(slot)).Steered() {
			in := controls.FrameInput(r, int(slot))
			of := p.of(r, int(slot))
			of.merger.Add(&in, length)
			of.asked = true
		}
	}
	for i := range p.frames {
		if o := &p.frames[i]; !o.asked {
			o.rebind(o.bundle, o.fields)
		}
		p.frames[i].asked = false
	}
}

// of returns the merged input so far of the object in a slot. Its counts begin with those on which
// the object acted last.
func (p *sampler) of(r world.Reader, slot int) *framesOf {
	s, class := r.State(), r.Class(slot)
	id := s.Objects[slot].ID
	i, ok := p.find(id)
	if !ok {
		p.frames = slices.DeleteFunc(p.frames, func(o framesOf) bool { _, exists := s.Find(o.object); return !exists })
		i, _ = p.find(id)
		p.frames = slices.Insert(p.frames, i, framesOf{object: id, bundle: s.Bundle, fields: class.Inputs})
		p.frames[i].merger.Count(world.EdgesOf(class, s.Row(slot)))
	}
	o := &p.frames[i]
	if o.bundle != s.Bundle { // the new declaration may have other buttons
		o.rebind(s.Bundle, class.Inputs)
	}
	return o
}

func (p *sampler) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(
		p.frames,
		id,
		func(o framesOf, id world.ObjectID) int { return cmp.Compare(o.object, id) },
	)
}

// rebind drops the frames and continues under another declaration.
func (o *framesOf) rebind(bundle uint32, fields world.InputFields) {
	o.merger.Rebind(o.fields, fields)
	o.bundle, o.fields = bundle, fields
}

// take returns the input of the tick, in the form in which it is sent.
func (o *framesOf) take() world.Input { return world.Conform(o.fields, o.merger.Take(o.fields)) }
