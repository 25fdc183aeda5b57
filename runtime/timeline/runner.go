package timeline

import "github.com/hindcast/hindcast/world"

// runner simulates a tick of a world, in the order that host and client share: events; think
// and applyInput; tick; physics; contacts; removals. It reads the logs and changes only the
// world.
type runner struct {
	scripts *Scripts
	events  *eventLog
	inputs  *inputLog
	sights  *sightLog
	poses   *ownerPoseLog
	frames  *independentLog
	pulls   *pullLog
	hooks   hooks
	slots   []int32 // the objects whose hooks run, before they spawn more
	acting  []bool  // by class: its objects may act in the present step of the tick
}

// run simulates the tick after the world's present one.
func (r *runner) run(w *world.World) {
	w.Begin()
	t := w.Now.Tick
	if t == 1 {
		r.spawnLevel(w)
	}
	script := r.applyEvents(w, t, r.applyEvent)
	r.eachOrder(w, w.Schema().SteerBlock, r.steers(), func(slot int) { r.steer(w, script, slot, t) })
	r.eachOrder(w, w.Schema().TickBlock, ticks, func(slot int) { r.tick(w, script, slot) })
	r.hooks.work.beforeStep()
	w.Step()
	r.hooks.work.step(w)
	r.contacts(w, script)
	r.removals(w, script)
	w.End()
	if w.LevelToCome() {
		r.changeLevel(w, script)
	}
	r.hooks.work.atEnd()
}

// spawnLevel spawns the objects of the main level, and calls onStart of game.lua.
func (r *runner) spawnLevel(w *world.World) {
	script := r.scripts.Of(w.Now.Bundle)
	w.BeginOrder()
	w.SpawnLevel(r.hooks.spawned(w, script))
	w.EndOrder()
	r.hooks.start(w, script)
}

// changeLevel begins the level that a hook has asked for in the tick, when the tick has ended.
func (r *runner) changeLevel(w *world.World, script world.Script) {
	w.BeginLevel(r.hooks.spawned(w, script))
	r.hooks.start(w, script)
	w.BeginOrder()
	r.removed(w, script) // by onStart
	w.EndOrder()
	w.End()
}

// applyEvents carries out the events of tick t, each but a bundle switch with apply, and returns the
// script in force.
func (r *runner) applyEvents(
	w *world.World,
	t world.Tick,
	apply func(w *world.World, script world.Script, e *world.Event),
) world.Script {
	script := r.scripts.Of(w.Now.Bundle)
	events := r.events.in(t)
	for i := range events {
		if !events[i].in(w) {
			continue
		}
		e := events[i].what()
		if e.Kind == world.SuspendEvent {
			w.Suspend(e)
			continue
		}
		if e.Kind == world.BundleEvent {
			if e.Bundle > w.Now.Bundle { // numbers only rise
				from := w.Schema()
				script = r.scripts.Of(e.Bundle)
				before := w.Migrate(script.Schema(), e.Bundle)
				suspend(w, events) // what the new scripts do in this tick
				r.migrate(w, script, from, &before)
			}
			continue
		}
		w.BeginOrder()
		apply(w, script, e)
		w.EndOrder()
	}
	for {
		p, ok := w.Expired()
		if !ok {
			return script
		}
		w.BeginOrder()
		r.expire(w, script, p)
		w.EndOrder()
	}
}

// suspend carries out the suspensions among the events of a tick, which come first.
func suspend(w *world.World, events []loggedEvent) {
	for i := range events {
		if e := events[i].what(); e.Kind == world.SuspendEvent {
			w.Suspend(e)
		}
	}
}

func (r *runner) applyEvent(w *world.World, script world.Script, e *world.Event) {
	game, _ := w.Match()
	switch e.Kind {
	case world.JoinEvent:
		if w.Join(e.Player) {
			r.hooks.callWith(w, script, world.OnJoin, game, world.Args{Player: e.Player})
		}
	case world.LeaveEvent:
		if !w.Leave(e.Player) {
			r.expire(w, script, e.Player) // a second leave: others need the room
		}
	case world.OwnershipEvent:
		w.SetOwner(e.Object, e.Player)
	case world.SpawnEvent:
		if slot, err := w.ApplySpawn(e); err != nil {
			w.HostFault(game, err)
		} else {
			r.hooks.callWith(w, script, world.OnSpawn, slot, world.Args{Event: e})
		}
	case world.SetEvent, world.RemoveEvent:
		r.applyChange(w, game, e)
	case world.CallEvent:
		r.hooks.callFunction(w, script, game, e)
	}
}

// applyChange carries out an event by which the host program changes an object.
func (r *runner) applyChange(w *world.World, game int, e *world.Event) {
	defer w.Act(w.Act(game))
	apply := w.ApplySet
	if e.Kind == world.RemoveEvent {
		apply = w.ApplyRemove
	}
	if err := apply(e); err != nil {
		w.HostFault(game, err)
	}
}

// expire ends the grace time of a player who left. game.lua decides about the player's
// objects. They are removed if it has no onLeave, or if that fails.
func (r *runner) expire(w *world.World, script world.Script, p world.PlayerID) {
	game, _ := w.Match()
	handled := r.hooks.callWith(w, script, world.OnLeave, game, world.Args{Player: p})
	w.RemovePlayer(p, !handled)
}

// migrate spawns what a bundle switch has changed in the level, and then calls the migrate hooks of objects. They get
// the fields that the object had before. Each object sees only itself. Players who had not answered an entry form that
// is gone join.
func (r *runner) migrate(w *world.World, script world.Script, from *world.Schema, before *world.State) {
	w.BeginOrder()
	lost := w.MigrateLevel(from, before, r.hooks.spawned(w, script))
	w.EndOrder()
	if lost {
		r.hooks.start(w, script)
	}
	r.slots = append(r.slots[:0], w.Now.Run...)
	w.BeginOrder()
	w.SpawnPlayers()
	waiting := w.MigrateEntry(from, before)
	for _, slot := range r.slots {
		if !w.Class(int(slot)).Hooks.Has(world.OnMigrate) {
			continue
		}
		at, ok := before.Find(w.Now.Objects[slot].ID)
		if !ok {
			continue
		}
		args := world.Args{From: &from.Classes[before.Objects[at].Class], Old: before.Row(at)}
		r.hooks.callWith(w, script, world.OnMigrate, int(slot), args)
	}
	w.EndOrder()
	for _, p := range waiting {
		w.BeginOrder()
		w.Admit(p)
		game, _ := w.Match()
		r.hooks.callWith(w, script, world.OnJoin, game, world.Args{Player: p})
		w.EndOrder()
	}
}

// rerun simulates the part of tick t that can come out differently. p has the tick and
// decides which objects run; dirty has the objects whose input may have changed.
func (r *runner) rerun(w *world.World, p *world.PartialRerun, t world.Tick, dirty *dirtySpans) {
	script, schema := r.scripts.Of(w.Now.Bundle), w.Schema()
	for _, order := range schema.Orders() {
		b := p.BeginBlock(schema.SteerBlock(order))
		dirty.inputs(t, func(id world.ObjectID) {
			if slot, ok := w.Find(id); ok && w.Now.Objects[slot].Order == order {
				b.WantInput(slot)
			}
		})
		r.pulls.each(t, func(id world.ObjectID) { // it may have had no body in the history, and so no pull
			if slot, ok := w.Find(id); ok && w.Now.Objects[slot].Order == order {
				b.WantIfDirty(slot)
			}
		})
		endBlock(b, func(slot int) {
			if w.Now.Objects[slot].Order == order {
				r.steer(w, script, slot, t)
			}
		})
	}
	for _, order := range schema.Orders() {
		endBlock(p.BeginBlock(schema.TickBlock(order)), func(slot int) {
			if w.Now.Objects[slot].Order == order {
				r.tick(w, script, slot)
			}
		})
	}
	p.Step()
	r.hooks.work.stepped(p.Solved)
	endBlock(p.BeginBlock(schema.ContactBlock()), func(slot int) { r.hooks.contactsOf(w, script, slot) })
	endBlock(p.BeginBlock(schema.RemovalBlock()), func(slot int) {
		if w.Now.Objects[slot].Removed {
			r.hooks.call(w, script, world.OnRemove, slot)
		}
	})
	p.End()
}

// endBlock runs f for all objects that run again in a block that has begun, and ends it.
func endBlock(b *world.RerunBlock, f func(slot int)) {
	for slot, ok := b.Next(); ok; slot, ok = b.Next() {
		f(slot)
	}
	b.End()
}

// eachOrder runs f for every object whose class acts, order by order. Effects on other objects
// happen between orders. The classes are asked once, because most objects of a large room are
// loose bodies, which do nothing: calls for 1,000 of them took a fifteenth of a tick.
func (r *runner) eachOrder(
	w *world.World,
	block func(order int32) int,
	hasHook func(*world.Class) bool,
	f func(slot int),
) {
	classes := w.Schema().Classes
	r.acting = r.acting[:0]
	for i := range classes {
		r.acting = append(r.acting, hasHook(&classes[i]))
	}
	r.slots = append(r.slots[:0], w.Now.Run...)
	for i := 0; i < len(r.slots); {
		order := w.Now.Objects[r.slots[i]].Order
		w.BeginBlock(block(order))
		for ; i < len(r.slots); i++ {
			o := &w.Now.Objects[r.slots[i]]
			if o.Order != order {
				break
			}
			if r.acting[o.Class] {
				f(int(r.slots[i]))
			}
		}
		w.EndOrder()
	}
}

// steers returns a function that reports whether steer can do anything for objects of a class.
func (r *runner) steers() func(c *world.Class) bool {
	pulls := r.pulls.any()
	return func(c *world.Class) bool {
		return pulls || c.Steered() || c.Moves != nil || c.Hooks.Has(world.Think)
	}
}

// ticks reports whether tick can do anything for objects of a class.
func ticks(c *world.Class) bool {
	return c.Hooks&(1<<world.OnTick|1<<world.OnGameTick|1<<world.OnTimer) != 0
}

// steer applies an object's input of tick t: its owner's, or that of its think hook.
func (r *runner) steer(w *world.World, script world.Script, slot int, t world.Tick) {
	o, class := &w.Now.Objects[slot], w.Class(slot)
	if o.Culled {
		return
	}
	if !w.SharedOnly && class.LOD == world.Predict && r.pulls.any() {
		w.Pull(slot, r.pulls.in(t, o.ID))
	}
	pose := r.ownerPose(w, slot, t)
	framed := pose != nil && pose.Number != 0 && class.Independent // it is where the frames have put the object
	if pose != nil && !framed {
		r.applyOwnerPose(w, script, slot, pose)
	}
	var in boundInput
	var sight world.Sight
	switch {
	case class.Independent:
		r.runFrames(w, script, slot, t)
		if framed {
			r.applyOwnerPose(w, script, slot, pose)
		}
		return
	case w.Proxy(slot) != world.Predict || w.SharedOnly && class.LOD != world.Predict:
		if o.Owner == 0 && !class.Hooks.Has(world.Think) {
			return
		}
		// an extrapolated proxy: neutral
	case o.Owner != 0:
		of := trackKey{o.ID, o.Owner}
		r.inputs.effective(of, t, w.SharedOnly, &in)
		if in.Bundle != 0 && in.Age == 0 {
			saw := r.sights.at(of, t)
			sight = saw.in(w)
		}
	case class.Hooks.Has(world.Think):
		in.Input = r.hooks.think(w, script, slot)
		world.FollowEdges(class, w.Now.Row(slot), &in.Input)
	default:
		return
	}
	r.scripts.bind(&in, w, class)
	r.applyInput(w, script, slot, &in.Input, sight)
}

func (r *runner) applyInput(w *world.World, script world.Script, slot int, in *world.Input, sight world.Sight) {
	r.hooks.steer(w, script, world.ApplyInput, slot, in, sight, 0)
}

// ownerPose returns the pose that the owner of an object has for it in tick t, nil if there is none.
func (r *runner) ownerPose(w *world.World, slot int, t world.Tick) *poseEntry {
	o := &w.Now.Objects[slot]
	if w.Class(slot).Moves == nil || o.Owner == 0 {
		return nil
	}
	return r.poses.at(trackKey{o.ID, o.Owner}, t, w.SharedOnly)
}

// applyOwnerPose applies an owner pose, if it differs from the simulated one and is allowed.
func (r *runner) applyOwnerPose(w *world.World, script world.Script, slot int, pose *poseEntry) {
	p := &pose.Payload
	if w.Now.Body(slot).Key == 0 || w.IgnoresOwnerPose(slot, p) {
		return
	}
	w.ApplyOwnerPose(slot, p, pose.made(), r.judge(w, script, slot, p).Why)
}

// judge checks an owner pose against the rules of the object's class and its script.
func (r *runner) judge(w *world.World, script world.Script, slot int, p *world.Placement) world.Verdict {
	return r.hooks.judge(w, script, slot, p)
}

// tick runs the timers of an object that are due, and then its tick hook.
func (r *runner) tick(w *world.World, script world.Script, slot int) {
	r.hooks.timers(w, script, slot)
	h := world.OnTick
	if w.Now.Objects[slot].ID == world.MatchID {
		h = world.OnGameTick
	}
	r.hooks.call(w, script, h, slot)
}

// contacts calls the hooks of contacts and of joints that ended.
func (r *runner) contacts(w *world.World, script world.Script) { r.hooks.contacts(w, script) }

// removals calls the hooks of the objects that are removed at the end of the tick.
func (r *runner) removals(w *world.World, script world.Script) {
	w.BeginBlock(w.Schema().RemovalBlock())
	r.removed(w, script)
	w.EndOrder()
}

func (r *runner) removed(w *world.World, script world.Script) {
	r.slots = w.Removals(r.slots[:0])
	for _, slot := range r.slots {
		r.hooks.call(w, script, world.OnRemove, int(slot))
	}
}
