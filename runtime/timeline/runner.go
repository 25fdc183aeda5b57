package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// runner carries a world through one tick, in the order that host and client
// share: events; think and applyInput; tick; physics; contacts; removals. It
// reads the Timeline's log and changes nothing but the world.
type runner struct {
	tl    *Timeline
	slots []int32 // the objects whose hooks run, before they spawn more
	args  world.Args
}

// run simulates the tick after the world's present one.
func (r *runner) run(w *world.World) {
	r.simulate(w)
	r.replace(w, w.Now.Tick)
}

// runKnown simulates the next tick of a known part: nothing stands in for it.
func (r *runner) runKnown(w *world.World) {
	r.simulate(w)
	if f := &r.tl.fault; f.Tick == w.Now.Tick && f.Object != 0 {
		w.FlipBitOf(f.id) // or clients were given it, and would not notice
	}
}

func (r *runner) simulate(w *world.World) {
	w.Begin()
	t := w.Now.Tick
	if t == 1 {
		r.found(w)
	}
	script := r.happen(w, t)
	r.eachOrder(w, w.Schema().SteerBlock, func(slot int) { r.steer(w, script, slot, t) })
	r.eachOrder(w, w.Schema().TickBlock, func(slot int) { r.tick(w, script, slot) })
	w.Step()
	r.contacts(w, script)
	r.depart(w, script)
	w.End()
}

// found makes the level and lets game.lua start.
func (r *runner) found(w *world.World) {
	script := r.tl.scripts[w.Now.Bundle]
	w.BeginOrder()
	w.SpawnLevel(func(slot int) { r.call(w, script, world.OnSpawn, slot) })
	if game, ok := w.Game(); ok {
		r.call(w, script, world.OnStart, game)
	}
	w.EndOrder()
}

// happen carries out the events of tick t and gives the script in force.
func (r *runner) happen(w *world.World, t world.Tick) world.Script {
	script := r.tl.scripts[w.Now.Bundle]
	i, _ := slices.BinarySearchFunc(r.tl.events, t, func(e world.Event, t world.Tick) int { return cmp.Compare(e.Tick, t) })
	for ; i < len(r.tl.events) && r.tl.events[i].Tick == t; i++ {
		e := &r.tl.events[i]
		if e.Kind == world.BundleEvent {
			if e.Bundle > w.Now.Bundle { // numbers only rise
				from := w.Schema()
				script = r.tl.scripts[e.Bundle]
				before := w.Migrate(script.Schema(), e.Bundle)
				r.migrate(w, script, from, &before)
			}
			continue
		}
		w.BeginOrder()
		r.event(w, script, e)
		w.EndOrder()
	}
	for {
		p, ok := w.Expired()
		if !ok {
			return script
		}
		w.BeginOrder()
		r.forget(w, script, p)
		w.EndOrder()
	}
}

func (r *runner) event(w *world.World, script world.Script, e *world.Event) {
	game, _ := w.Game()
	switch e.Kind {
	case world.JoinEvent:
		if w.Join(e.Player) {
			r.args = world.Args{Player: e.Player}
			r.callWith(w, script, world.OnJoin, game)
		}
	case world.LeaveEvent:
		w.Leave(e.Player)
	case world.OwnershipEvent:
		w.SetOwner(e.Object, e.Player)
	case world.SpawnEvent:
		before := w.Act(game)
		slot, err := w.Spawn(e.Class, e.Place)
		if err != nil {
			w.Fault(game, world.OnSpawn, err)
		} else {
			r.call(w, script, world.OnSpawn, slot)
		}
		w.Act(before)
	}
}

// forget ends a leaver's grace time: game.lua decides about his objects;
// without its onLeave, or when that fails, they go.
func (r *runner) forget(w *world.World, script world.Script, p world.PlayerID) {
	game, _ := w.Game()
	r.args = world.Args{Player: p}
	handled := r.callWith(w, script, world.OnLeave, game)
	w.RemovePlayer(p, !handled)
}

// again runs, of a tick that has been run, what can come out otherwise.
func (r *runner) again(p *world.PartialRerun, t world.Tick) {
	w := r.tl.world
	script, schema := r.tl.scripts[w.Now.Bundle], w.Schema()
	for _, order := range schema.Orders() {
		p.BeginBlock(schema.SteerBlock(order))
		r.tl.staleInputs(t, func(id world.ObjectID) {
			if slot, ok := w.Find(id); ok && w.Now.Objects[slot].Order == order {
				p.WantInput(slot)
			}
		})
		r.finish(p, func(slot int) {
			if w.Now.Objects[slot].Order == order {
				r.steer(w, script, slot, t)
			}
		})
	}
	for _, order := range schema.Orders() {
		p.BeginBlock(schema.TickBlock(order))
		r.finish(p, func(slot int) {
			if w.Now.Objects[slot].Order == order {
				r.tick(w, script, slot)
			}
		})
	}
	p.Step()
	p.BeginBlock(schema.ContactBlock())
	r.finish(p, func(slot int) { r.contactsOf(w, script, slot) })
	p.BeginBlock(schema.RemovalBlock())
	r.finish(p, func(slot int) {
		if w.Now.Objects[slot].Removed {
			r.call(w, script, world.OnRemove, slot)
		}
	})
	p.End()
}

// finish runs f for all who are to be run again in the block that has begun.
func (r *runner) finish(p *world.PartialRerun, f func(slot int)) {
	for slot, ok := p.Next(); ok; slot, ok = p.Next() {
		f(slot)
	}
	p.EndBlock()
}

// eachOrder runs f for every object, order by order. What objects do to each
// other takes effect between orders.
func (r *runner) eachOrder(w *world.World, block func(order int32) int, f func(slot int)) {
	r.slots = append(r.slots[:0], w.Now.Run...)
	for i := 0; i < len(r.slots); {
		order := w.Now.Objects[r.slots[i]].Order
		w.BeginBlock(block(order))
		for ; i < len(r.slots) && w.Now.Objects[r.slots[i]].Order == order; i++ {
			f(int(r.slots[i]))
		}
		w.EndOrder()
	}
}

// steer gives an object its input of this tick: a player's, or its own thought.
func (r *runner) steer(w *world.World, script world.Script, slot int, t world.Tick) {
	o, class := &w.Now.Objects[slot], w.Class(slot)
	if class.Moves != nil && o.Owner != 0 {
		r.move(w, script, slot, t)
	}
	switch {
	case class.Independent:
		r.runFrames(w, script, slot, t)
		return
	case w.Proxy(slot) != world.Predict || w.SharedOnly && class.LOD != world.Predict:
		if o.Owner == 0 && !class.Hooks.Has(world.Think) {
			return
		}
		r.args = world.Args{} // nobody knows of an input
	case o.Owner != 0:
		e, _ := r.tl.inputs.seek(steering{o.ID, o.Owner}, t, w.SharedOnly)
		if e.bundle != 0 && e.bundle != w.Now.Bundle {
			e.input = r.tl.TranslateInput(e.input, e.bundle, class)
		}
		r.args = world.Args{Input: e.input}
	case class.Hooks.Has(world.Think):
		r.call(w, script, world.Think, slot)
	default:
		return
	}
	r.callWith(w, script, world.ApplyInput, slot)
}

// TranslateInput reads an input made under another bundle by its field names, as class declares them.
// The neutral input is the same in all.
func (tl *Timeline) TranslateInput(in world.Input, bundle uint32, class *world.Class) world.Input {
	from, ok := tl.scripts[bundle]
	if !ok || in == (world.Input{}) {
		return world.Input{}
	}
	i, ok := from.Schema().ClassByName(class.Name)
	if !ok {
		return world.Input{}
	}
	return world.RemapInput(from.Schema().Classes[i].Inputs, class.Inputs, in)
}

func (r *runner) tick(w *world.World, script world.Script, slot int) {
	h := world.OnTick
	if w.Now.Objects[slot].ID == world.GameID {
		h = world.OnGameTick
	}
	r.call(w, script, h, slot)
}

// contacts tells both objects of each contact, and then of each joint that
// ended, the lower id first.
func (r *runner) contacts(w *world.World, script world.Script) {
	w.BeginBlock(w.Schema().ContactBlock())
	for _, c := range w.Contacts() {
		r.met(w, script, c.A, c.B, c)
		r.met(w, script, c.B, c.A, c)
	}
	for _, p := range w.JointBreaks() {
		r.parted(w, script, min(p.A, p.B), max(p.A, p.B), p)
		r.parted(w, script, max(p.A, p.B), min(p.A, p.B), p)
	}
	w.EndOrder()
}

// contactHooks are those that are told who met, or parted.
const contactHooks = 1<<world.OnContact | 1<<world.OnContactEnd | 1<<world.OnTrigger | 1<<world.OnJointBreak

// contactsOf tells one object of its contacts and of its joints that ended.
func (r *runner) contactsOf(w *world.World, script world.Script, slot int) {
	if w.Class(slot).Hooks&contactHooks == 0 {
		return
	}
	id := w.Now.Objects[slot].ID
	for _, c := range w.Contacts() {
		switch id {
		case c.A:
			r.met(w, script, c.A, c.B, c)
		case c.B:
			r.met(w, script, c.B, c.A, c)
		}
	}
	for _, p := range w.JointBreaks() {
		switch id {
		case p.A:
			r.parted(w, script, p.A, p.B, p)
		case p.B:
			r.parted(w, script, p.B, p.A, p)
		}
	}
}

// parted tells an object that a joint between it and another ended; the world
// is nobody.
func (r *runner) parted(w *world.World, script world.Script, self, other world.ObjectID, p world.JointBreak) {
	if slot, ok := w.Find(self); ok {
		r.args = world.Args{Other: other, JointBreak: p}
		r.callWith(w, script, world.OnJointBreak, slot)
	}
}

// met tells an object of its contact with another.
func (r *runner) met(w *world.World, script world.Script, self, other world.ObjectID, c world.Contact) {
	h := world.OnContact
	switch {
	case c.Sensor && c.Ended:
		return
	case c.Sensor:
		h = world.OnTrigger
	case c.Ended:
		h = world.OnContactEnd
	}
	if self == c.B {
		c.NormalX, c.NormalY = -c.NormalX, -c.NormalY
	}
	if slot, ok := w.Find(self); ok {
		r.args = world.Args{Other: other, Contact: c}
		r.callWith(w, script, h, slot)
	}
}

// depart lets objects that go at the end of this tick say so.
func (r *runner) depart(w *world.World, script world.Script) {
	r.slots = w.Removals(r.slots[:0])
	w.BeginBlock(w.Schema().RemovalBlock())
	for _, slot := range r.slots {
		r.call(w, script, world.OnRemove, int(slot))
	}
	w.EndOrder()
}

// replace puts what stands in for the simulation in its place: on a client
// corrections, what it was told and what is final; the flipped bit of a test.
func (r *runner) replace(w *world.World, t world.Tick) {
	for i := range r.tl.guesses {
		if g := &r.tl.guesses[i]; g.tick == t {
			w.ApplyCorrection(g.part)
		}
	}
	if r.tl.fault.Tick == t && t != 0 {
		id, hit := w.FlipBit(r.tl.fault.Object)
		r.tl.fault.id, r.tl.fault.missed = id, !hit
	}
	if w.Client == 0 {
		return
	}
	r.tl.places.at(t, func(p *world.ProxyUpdate) { w.ApplyProxy(p) })
	if x := r.tl.exact; x != nil && x.state.Tick == t {
		w.ApplyCommitted(&x.state, &x.before)
	}
}

// call runs a hook without arguments.
func (r *runner) call(w *world.World, script world.Script, h world.Hook, slot int) {
	r.args = world.Args{}
	r.callWith(w, script, h, slot)
}

// callWith runs a hook with r.args, if the class has it and this object's has
// not failed too often, and reports whether it ended well. The tick goes on
// whatever it does.
func (r *runner) callWith(w *world.World, script world.Script, h world.Hook, slot int) (well bool) {
	o := &w.Now.Objects[slot]
	if !w.Class(slot).Hooks.Has(h) || o.Faults[h] >= world.FaultLimit {
		return false
	}
	if h != world.OnSpawn && w.Proxy(slot) == world.Interpolate {
		return true // it is shown, not simulated
	}
	if err := script.Call(w, h, slot, &r.args); err != nil {
		w.Fault(slot, h, err)
		return false
	}
	w.Healed(slot, h)
	return true
}
