package goscript

import (
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// stage is the world as the running hook can see and change it, on behalf of the acting
// object, within a budget.
type stage struct {
	w       world.Actor
	acting  acting
	budget  budget
	seeing  bool      // within AsSeen
	asking  *question // within Relevant and Predicted; otherwise nil
	tracer  *tracer
	classes []*declaration // by index in the schema; nil for joints and walls
}

// acting is the object whose hook runs. Its zero value is none.
type acting struct {
	ID      world.ObjectID
	Slot    int
	Hook    world.Hook
	Seen    *world.ViewTime // of the input of ApplyInput and Simulate; otherwise nil
	Sight   world.Sight     // that goes with the input
	Presses *world.Presses  // of the input of ApplyInput and Simulate; otherwise nil
}

// enter begins a hook that is called from outside, with a budget. asked is what
// Relevant or Predicted is asked; nil in hooks.
func (st *stage) enter(w world.Actor, left int64, asked *question) {
	st.w, st.asking = w, asked
	st.budget.begin(left)
}

// leave ends it and returns how much of the budget was used.
func (st *stage) leave(left int64) int64 {
	st.w, st.asking = world.Actor{}, nil
	return st.budget.used(left)
}

// act makes an object the acting one and returns the one before.
func (st *stage) act(a acting) (before acting) {
	before, st.acting = st.acting, a
	return before
}

// catch is deferred around a hook. It recovers from a panic and notes it.
func (st *stage) catch(p *problem) {
	r := recover()
	if spent, at := st.budget.spent(); spent {
		p.exceeded(at)
	} else if r != nil {
		p.panicked(r)
	}
}

// pressesOn returns the presses of the input of the hook that runs, nil if it has none. It fails
// outside of hooks.
func pressesOn(st *stage) *world.Presses {
	st.world()
	return st.acting.Presses
}

// world returns the world. It fails outside of hooks.
func (st *stage) world() world.Actor {
	if st == nil {
		fail("this is no object")
	}
	if st.acting.ID == 0 {
		fail("an Actor or an Object is valid while its hook runs: keep none, and no state, in variables of your own")
	}
	return st.w
}

// class returns the declaration of a class of the schema.
func (st *stage) class(i uint16) *declaration { return st.classes[i] }

// object returns the object with an id, which may have been removed; no object for 0.
func (st *stage) object(id world.ObjectID) Object {
	if id == 0 {
		return Object{}
	}
	return Object{st, id}
}

// acted returns the declaration of the class of the acting object.
func (st *stage) acted() *declaration {
	return st.class(st.world().State().Objects[st.acting.Slot].Class)
}

// self returns the acting object.
func (st *stage) self() Object { return Object{st, st.acting.ID} }

// see returns the state and the slot in which the acting object sees an object.
func (st *stage) see(id world.ObjectID) (s *world.State, slot int, ok bool) {
	w := st.world()
	st.pay(1)
	switch {
	case id == st.acting.ID:
		return w.State(), st.acting.Slot, true
	case st.asking != nil:
		slot, ok = w.Find(id)
		return w.State(), slot, ok
	}
	st.alone()
	return w.See(id)
}

// seeJoint returns the joint of an object, as the acting object sees it.
func (st *stage) seeJoint(id world.ObjectID) (j physics.Joint, ok bool) {
	w := st.world()
	st.pay(1)
	if st.asking == nil {
		return w.SeeJoint(id)
	}
	p := &w.State().Physics
	i, ok := p.FindJoint(uint64(id))
	if ok {
		j = p.Joints[i]
	}
	return j, ok
}

// seesPast reports whether AsSeen runs.
func (st *stage) seesPast() bool { return st.seeing }

// asSeen runs f while others are where the player's screen showed them.
func (st *stage) asSeen(f func()) {
	w := st.world()
	switch {
	case st.asking != nil || st.acting.Seen == nil:
		fail("AsSeen can only be called in ApplyInput and Simulate, because the view time is part of the input")
	case st.seeing:
		fail("AsSeen within AsSeen")
	}
	st.pay(queryCost)
	w.BeginAsSeen(*st.acting.Seen, st.acting.Sight)
	st.seeing = true
	defer func() { // f may panic
		w.EndAsSeen()
		st.seeing = false
	}()
	f()
}

// query returns the queries of the world, ready for use, and pays for one.
func (st *stage) query() world.Queries {
	w := st.world()
	st.alone()
	st.pay(queryCost)
	return w.Queries()
}

// random returns the next number of the acting object's stream.
func (st *stage) random() float64 {
	w := st.world()
	st.pay(1)
	if st.asking != nil {
		return st.asking.random(w)
	}
	return w.Random()
}

// change returns the world for a change of more than the acting object, and pays
// for it.
func (st *stage) change(cost int) world.Actor {
	w := st.mayChange()
	st.alone()
	st.pay(cost)
	return w
}

// mayChange fails where the world can only be looked at.
func (st *stage) mayChange() world.Actor {
	w := st.world()
	switch {
	case st.asking != nil:
		fail("Relevant and Predicted may look at the world, not change it")
	case st.seeing:
		fail("nothing can be changed within AsSeen: it looks at the past")
	}
	return w
}

// alone fails in Migrate.
func (st *stage) alone() {
	if st.asking == nil && st.acting.Hook == world.OnMigrate {
		fail("Migrate sees and changes its own object only: it makes new fields of old ones")
	}
}

// do carries out a change; on other objects it takes effect when the order ends.
func (st *stage) do(op world.Op) {
	w := st.mayChange()
	if op.Target != st.acting.ID {
		st.alone()
	}
	st.pay(1)
	st.traced(w.Settled(op), "")
	if err := w.Do(op); err != nil {
		failBecause(err, op.Target)
	}
}

// traced reports a change to a trace. spawned is the class of a new object.
func (st *stage) traced(op world.Op, spawned string) { st.tracer.change(st.acting, op, spawned) }

// pay charges the budget for the work that a function is about to do.
func (st *stage) pay(n int) { st.budget.charge(n) }

// question has the arguments of Relevant or Predicted.
type question struct {
	about world.ObjectID
	drawn uint32 // random numbers
}

// random returns the next number in [0, 1), of a stream that no hook draws from.
func (q *question) random(w world.Actor) float64 {
	q.drawn++
	return w.Calls().RandomAbout(q.about, q.drawn)
}
