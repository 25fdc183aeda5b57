package timeline

import (
	"errors"

	"github.com/hindcast/hindcast/world"
)

// hooks calls the hooks of scripts.
type hooks struct {
	args world.Args
	stop func() bool // asked before each hook; nil: never
	over bool        // stop has said so: what is simulated is good for nothing
	work workMeter
}

// ErrInterrupted says that the simulation was given up within a tick (Options.Stop).
var ErrInterrupted = errors.New("interrupted within a tick")

// ErrSuspended is the error of a call of a function of game.lua whose hooks are suspended.
var ErrSuspended = errors.New("game.lua is suspended: its hooks were too much work for the room")

// call runs a hook without arguments.
func (h *hooks) call(w *world.World, script world.Script, hook world.Hook, slot int) {
	h.args = world.Args{}
	h.run(w, script, hook, slot)
}

// callWith runs a hook with arguments, and reports whether it succeeded.
func (h *hooks) callWith(w *world.World, script world.Script, hook world.Hook, slot int, args world.Args) bool {
	h.args = args
	return h.run(w, script, hook, slot)
}

// steer runs a hook that gets an input, with its presses and sight, and the length of a frame; 0: none. An
// object of a class without the hook acts on no input: its counts stay, because a rewind in part
// does not steer it.
func (h *hooks) steer(
	w *world.World,
	script world.Script,
	hook world.Hook,
	slot int,
	in *world.Input,
	sight world.Sight,
	dt uint16,
) {
	if w.Class(slot).Hooks.Has(hook) {
		presses := w.TakeEdges(slot, in)
		h.args = world.Args{}
		h.args.Input, h.args.Sight, h.args.Presses, h.args.DT = *in, sight, presses, dt
		h.run(w, script, hook, slot)
	}
}

// run runs a hook if the class has it and it is neither paused nor suspended. The
// tick continues even if the hook fails.
func (h *hooks) run(w *world.World, script world.Script, hook world.Hook, slot int) (well bool) {
	if !w.Class(slot).Hooks.Has(hook) || !w.Runs(slot, hook) {
		return false
	}
	if hook != world.OnSpawn && w.Proxy(slot) == world.Interpolate {
		return true // an interpolated proxy runs no hooks
	}
	if err := h.act(w, script, hook, slot); err != nil {
		w.Fault(slot, hook, err)
		return false
	}
	w.Healed(slot, hook)
	return true
}

// act calls a hook of the object in a slot, which is the acting object meanwhile.
func (h *hooks) act(w *world.World, script world.Script, hook world.Hook, slot int) error {
	if h.over = h.over || h.stop != nil && h.stop(); h.over {
		panic(ErrInterrupted)
	}
	if h.work.on {
		if h.work.check(); h.work.leavesOut() {
			return nil
		}
	}
	before := w.Act(slot)
	err := script.Call(w.Actor(), hook, slot, &h.args)
	w.Act(before)
	if h.work.on {
		h.work.hook(w, script, hook, slot)
	}
	return err
}

// spawned returns a function that calls onSpawn of an object of the level.
func (h *hooks) spawned(w *world.World, script world.Script) func(slot int, e *world.Event) {
	return func(slot int, e *world.Event) {
		h.callWith(w, script, world.OnSpawn, slot, world.Args{Event: e})
	}
}

// start calls onStart of game.lua, which sees the level.
func (h *hooks) start(w *world.World, script world.Script) {
	w.BeginOrder()
	if game, ok := w.Match(); ok {
		h.call(w, script, world.OnStart, game)
	}
	w.EndOrder()
}

// callFunction calls a function of game.lua for the host program. Scripts that no longer declare
// it, or with other parameters, fail, and so does a call while game.lua is suspended. A failure is never counted
// against the function.
func (h *hooks) callFunction(w *world.World, script world.Script, game int, e *world.Event) {
	err := e.Check(w.Schema())
	if err == nil && w.Suspended(game, world.HostEvent) {
		err = ErrSuspended
	}
	if err == nil {
		h.args = world.Args{Event: e}
		err = h.act(w, script, world.HostEvent, game)
	}
	if err != nil {
		w.HostFault(game, err)
	}
}

// timers runs the functions of an object's timers that are due. Those of a proxy run where the object is simulated. A
// timer that is paused waits.
func (h *hooks) timers(w *world.World, script world.Script, slot int) {
	for w.TimersRun(slot) {
		i, ok := w.DueTimer(slot)
		if !ok {
			return
		}
		h.args = world.Args{Timer: i}
		if err := h.act(w, script, world.OnTimer, slot); err != nil {
			w.TimerFault(slot, i, err)
		} else {
			w.TimerHealed(slot, i)
		}
	}
}

// think asks the think hook of an object for an input; it is neutral if the hook fails.
func (h *hooks) think(w *world.World, script world.Script, slot int) world.Input {
	h.call(w, script, world.Think, slot)
	return h.args.Input
}

// judge checks an owner pose against the rules of the object's class, and then by its
// hook.
func (h *hooks) judge(w *world.World, script world.Script, slot int, p *world.Placement) world.Verdict {
	before := w.Act(slot)
	v := w.JudgeOwnerPose(p)
	w.Act(before)
	if v.Why == world.NotRefused && w.Class(slot).Hooks.Has(world.Verify) {
		if !h.callWith(w, script, world.Verify, slot, world.Args{Claimed: *p}) || !h.args.OK {
			v.Why = world.NotVerified
		}
	}
	return v
}

// contacts calls the hooks of both objects of each contact, and then of each joint that
// ended. For a joint, the object with the lower id comes first.
func (h *hooks) contacts(w *world.World, script world.Script) {
	w.BeginBlock(w.Schema().ContactBlock())
	for _, c := range w.Contacts() {
		h.contact(w, script, c.A, c.B, c)
		h.contact(w, script, c.B, c.A, c)
	}
	for _, b := range w.JointBreaks() {
		h.jointBreak(w, script, min(b.A, b.B), max(b.A, b.B), b)
		h.jointBreak(w, script, max(b.A, b.B), min(b.A, b.B), b)
	}
	w.EndOrder()
}

// contactHooks are the hooks that contacts and ends of joints call.
const contactHooks = 1<<world.OnContact | 1<<world.OnContactEnd | 1<<world.OnTrigger | 1<<world.OnJointBreak

// contactsOf does what contacts does, for one object.
func (h *hooks) contactsOf(w *world.World, script world.Script, slot int) {
	if w.Class(slot).Hooks&contactHooks == 0 {
		return
	}
	id := w.Now.Objects[slot].ID
	for _, c := range w.Contacts() {
		switch id {
		case c.A:
			h.contact(w, script, c.A, c.B, c)
		case c.B:
			h.contact(w, script, c.B, c.A, c)
		}
	}
	for _, b := range w.JointBreaks() {
		switch id {
		case b.A:
			h.jointBreak(w, script, b.A, b.B, b)
		case b.B:
			h.jointBreak(w, script, b.B, b.A, b)
		}
	}
}

// contact calls the hook of one object of a contact.
func (h *hooks) contact(w *world.World, script world.Script, self, other world.ObjectID, c world.Contact) {
	hook := world.OnContact
	switch {
	case c.Sensor && c.Ended:
		return
	case c.Sensor:
		hook = world.OnTrigger
	case c.Ended:
		hook = world.OnContactEnd
	}
	if self == c.B {
		c.NormalX, c.NormalY = -c.NormalX, -c.NormalY
	}
	if slot, ok := w.Find(self); ok {
		h.callWith(w, script, hook, slot, world.Args{Other: other, Contact: c})
	}
}

// jointBreak calls the hook of one object of a joint that ended. The world itself, as an end
// of a joint, has none.
func (h *hooks) jointBreak(w *world.World, script world.Script, self, other world.ObjectID, b world.JointBreak) {
	if slot, ok := w.Find(self); ok {
		h.callWith(w, script, world.OnJointBreak, slot, world.Args{Other: other, JointBreak: b})
	}
}
