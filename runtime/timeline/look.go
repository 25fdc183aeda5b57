package timeline

import "github.com/hindcast/hindcast/world"

// mostLookedAhead is through how many ticks after the present Look runs the hooks of an object. An input delay
// is shorter. Inputs further ahead are those of a client that waits for the host.
const mostLookedAhead = 64

// Look returns the sight that goes with an input or an independent frame of this client's player: where the
// last frame drew what asSeen asks for. It runs the hook that gets the input, on a copy of the present, since
// the input is sent before its tick is simulated. Before that, it runs the hooks of the object through its
// inputs and frames that are not simulated yet, because a gun whose cooldown has not expired at the present
// may shoot in the input's tick. The hook of that tick can do something else. Then it finds
// what it looks for in the sight all the same if it looks nearby, and otherwise where the tick has it.
func (tl *Timeline) Look(e *world.Event, drawn world.DrawnAt) world.Sight {
	s := tl.At(tl.Now())
	schema := tl.scripts.SchemaOf(s)
	slot, ok := s.Find(e.Object)
	hook := world.ApplyInput
	if e.Kind == world.FrameEvent {
		hook = world.Simulate
	}
	if !ok || !schema.HasSeen() || e.Bundle != s.Bundle || !schema.Classes[s.Objects[slot].Class].Hooks.Has(hook) {
		return nil
	}
	w := tl.looker
	if w == nil {
		w = world.New()
		w.Rerun, w.Check = true, tl.check
		tl.looker = w
	}
	w.Load(s, schema)
	w.Now.Tick = max(s.Tick, e.Tick-min(e.Tick, mostLookedAhead))
	tl.runner.look(w, hook, slot, e, drawn)
	return w.TakeSight()
}

// look runs the hook of an object that gets the input or frame of an event. First it brings the object there: it runs
// the hooks of that object only, moves its body as if it were alone, and drops what they do to other objects.
func (r *runner) look(w *world.World, hook world.Hook, slot int, e *world.Event, drawn world.DrawnAt) {
	script := unwrapped(r.scripts.Of(w.Now.Bundle))
	w.Drawn = nil
	for w.Now.Tick+1 < e.Tick {
		w.Begin()
		w.BeginOrder()
		r.steer(w, script, slot, w.Now.Tick)
		w.BeginOrder()
		r.tick(w, script, slot)
		w.StepAlone(slot)
	}
	w.Begin()
	w.BeginOrder()
	if w.Class(slot).Independent {
		r.runFrames(w, script, slot, e.Tick)
	}
	w.Drawn = drawn
	r.hooks.steer(w, script, hook, slot, &e.Input, nil, e.DT)
}
