package timeline_test

import (
	"slices"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// withheld reports whether the host does not relay an event to part and whole: what the owner of a replicated object
// sends.
func (tr *trial) withheld(e *world.Event) bool {
	if !tr.client || !tr.mixed || e.Kind != world.InputEvent && e.Kind != world.OwnerPoseEvent && e.Kind != world.FrameEvent {
		return false
	}
	s := tr.prompt.At(tr.prompt.Now())
	slot, ok := s.Find(e.Object)
	return ok && !s.Shared(tr.prompt.Schema(tr.prompt.Now()), slot)
}

// guess does what only a client does: it guesses its inputs, gets corrections, and learns up to
// which tick the log is complete.
func (tr *trial) guess(tick world.Tick) {
	both := []*timeline.Timeline{tr.part, tr.whole}
	s, schema := tr.part.At(tick-1), tr.part.Schema(tick-1)
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		class := &schema.Classes[o.Class]
		if o.Owner != 1 || world.HoldsState(class.Name) {
			continue
		}
		if tr.one(2) {
			e := tr.drawInput(schema, tick, o)
			if tr.one(2) {
				e.Sight = tr.look(&e)
			}
			for _, tl := range both {
				tl.Guess(e, class.LOD != world.Predict)
			}
		}
		for _, e := range tr.drawOwn(schema, tick, s, int(slot)) {
			for _, tl := range both {
				tl.Guess(e, class.LOD != world.Predict)
			}
		}
	}
	if tick > tr.window+2 {
		complete := tick - tr.window - 1
		for _, tl := range both {
			tl.Complete(complete, timeline.Origin{})
		}
		if tr.one(8) {
			tr.correct(complete + world.Tick(rapid.IntRange(1, int(tr.window)).Draw(tr.t, "correct")))
		}
	}
}

// cull culls an object of another player's to where it is when nothing is late, moves its proxy, or restores it.
func (tr *trial) cull() {
	exact := tr.prompt.At(tr.prompt.Now())
	s := tr.part.At(tr.part.Now())
	if len(exact.Run) == 0 || exact.Bundle != s.Bundle || !tr.one(2) {
		return
	}
	at := exact.Run[rapid.IntRange(0, len(exact.Run)-1).Draw(tr.t, "culled")]
	o, b := &exact.Objects[at], exact.Body(int(at))
	if b.Key == 0 || o.Owner == 1 {
		return
	}
	restore := tr.part.Culling().Has(o.ID) && tr.one(2)
	for _, tl := range []*timeline.Timeline{tr.part, tr.whole} {
		if restore {
			tl.Culling().Restore(o.ID)
			continue
		}
		tl.Culling().Cull(world.ProxyUpdate{Object: o.ID, Bundle: exact.Bundle, Class: o.Class, Owner: o.Owner, Pose: b.Pose, Velocity: b.Velocity, Fields: exact.Row(int(at)).Clone()})
	}
	if restore {
		tr.rolls.restored++
	} else {
		tr.rolls.culled++
	}
}

// replicate moves some proxies to where their objects are when nothing is late, as a snapshot of an earlier tick
// does, and removes those of objects that do not exist any more.
func (tr *trial) replicate() {
	now := tr.part.Now()
	tick := now - min(now, world.Tick(rapid.IntRange(0, int(tr.window)).Draw(tr.t, "snapshot")))
	exact, s := tr.prompt.At(tick), tr.part.At(tick)
	if exact == nil || s == nil || exact.Bundle != s.Bundle || tick <= tr.part.Oldest() || !tr.one(2) {
		return
	}
	schema := tr.prompt.Schema(tick)
	var updates []world.ProxyUpdate
	for _, slot := range exact.Run {
		o, b := &exact.Objects[slot], exact.Body(int(slot))
		if o.Owner == 1 && schema.Classes[o.Class].Moves != nil {
			continue // a snapshot does not replace what the client keeps of its owner poses
		}
		if b.Key != 0 && !exact.Shared(schema, int(slot)) && tr.one(2) {
			updates = append(updates, world.ProxyUpdate{Object: o.ID, Bundle: exact.Bundle, Class: o.Class, Owner: o.Owner, Pose: b.Pose, Velocity: b.Velocity, Fields: exact.Row(int(slot)).Clone()})
		}
	}
	for _, slot := range s.Run {
		if _, exists := exact.Find(s.Objects[slot].ID); !exists && !s.Shared(schema, int(slot)) {
			updates = append(updates, world.ProxyUpdate{Object: s.Objects[slot].ID, Gone: true})
		}
	}
	for _, u := range updates {
		extended := world.Tick(rapid.IntRange(1, 8).Draw(tr.t, "extended"))
		for _, tl := range []*timeline.Timeline{tr.part, tr.whole} {
			tl.ApplyProxy(tick, u)
			if schema.Classes[u.Class].LOD == world.Interpolate && u.Owner != 1 && !u.Gone {
				tl.ExtendProxy(u.Object, tick, extended)
			}
		}
	}
	tr.rolls.replicated += len(updates)
}

// correct corrects some objects to what they are when nothing is late.
func (tr *trial) correct(tick world.Tick) {
	s := tr.prompt.At(tick)
	if s == nil || tr.part.At(tick).Bundle != s.Bundle {
		return
	}
	var slots []int32
	for _, slot := range s.Run {
		if tr.one(3) {
			slots = append(slots, slot)
		}
	}
	for i := range s.Physics.Joints { // a host corrects an island with the objects that stand for its joints
		at, ok := s.Find(world.ObjectID(s.Physics.Joints[i].Key))
		if ok && !slices.Contains(slots, int32(at)) {
			slots = append(slots, int32(at))
		}
	}
	b := world.AppendObjects(nil, s, tr.prompt.Schema(tick), slots)
	for _, tl := range []*timeline.Timeline{tr.part, tr.whole} {
		part, err := world.ParseState(b, tr.prompt.Schema(tick))
		if err != nil {
			tr.t.Fatal(err)
		}
		tl.Correct(part)
	}
	tr.rolls.corrections++
}
