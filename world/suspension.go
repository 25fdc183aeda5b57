package world

import (
	"cmp"
	"slices"
)

// A Suspension keeps hooks from running for some time, because they are too much work for the room. Bodies, owners
// and fields stay. A SuspendEvent begins it. Nothing but the state decides how long it lasts, so that all who have the
// event agree.
type Suspension struct {
	Class uint16    // index in the Schema's Classes; EveryClass: all of them
	Owner PlayerID  // only the objects of this player; 0: all objects
	Hooks HookGroup // which hooks
	Times uint8     // how many suspensions there have been in a row, without a calm minute between two
	Since Tick      // the first tick in which the hooks do not run
	Until Tick      // the tick in which they run again
}

// EveryClass stands for all classes in a Suspension.
const EveryClass = 1<<16 - 1

// HookGroup is a part of the hooks of a class that can be suspended by itself.
type HookGroup uint8

// The groups of hooks.
const (
	OtherHooks HookGroup = iota // all but InputHooks; of EveryClass, all but these and the hooks of game.lua
	InputHooks                  // what applies players' inputs and poses to their objects
	AllHooks                    // of EveryClass only: every hook
	hookGroups
)

// String returns the name of the group, as events and logs have it.
func (g HookGroup) String() string {
	return [...]string{"hooks", "inputs", "everything"}[min(g, hookGroups-1)]
}

// GroupOf returns the group of a hook of an object with an owner; 0: it has none.
func GroupOf(h Hook, owner PlayerID) HookGroup {
	if owner != 0 && (h == ApplyInput || h == Simulate || h == Verify) {
		return InputHooks
	}
	return OtherHooks
}

const (
	suspendFirst = 2   // seconds of the first suspension; each one after it lasts twice as long
	suspendMost  = 120 // seconds of the longest
	suspendCalm  = 60  // seconds without a suspension after which the next one is short again
	maxTimes     = 7   // the largest value of Suspension.Times, at which a suspension would last 128 s
)

// covers reports whether a suspension concerns the hooks of a group of an object.
func (s *Suspension) covers(o *Object, g HookGroup) bool {
	switch {
	case s.Class == EveryClass && s.Hooks == AllHooks:
		return true
	case s.Class == EveryClass:
		return s.Hooks == g && o.ID != MatchID
	}
	return s.Class == o.Class && s.Hooks == g && (s.Owner == 0 || s.Owner == o.Owner)
}

// same reports whether two suspensions concern the same hooks.
func (s *Suspension) same(t *Suspension) bool {
	return s.Class == t.Class && s.Owner == t.Owner && s.Hooks == t.Hooks
}

// compareSuspensions is the order of State.Suspended.
func compareSuspensions(a, b Suspension) int {
	return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Hooks, b.Hooks))
}

// again makes s the suspension that begins in tick t, after the one that it was.
func (s *Suspension) again(t Tick, rate int) {
	if s.Times == 0 || t-min(t, s.Until) >= Tick(suspendCalm*rate) {
		s.Times = 0
	}
	s.Times = min(s.Times+1, maxTimes)
	s.Since, s.Until = t, t+Tick(min(suspendFirst<<(s.Times-1), suspendMost)*rate)
}

// Suspend carries out a SuspendEvent: the hooks do not run in this tick and for some time after it. It has no effect if
// the schema in force does not have the class, or if it has been carried out in this tick. Nobody needs to know
// suspensions that ended more than a minute ago, and it drops them.
func (w *World) Suspend(e *Event) {
	w.rec.onlyWhole()
	t, rate := w.Now.Tick, w.Schema().Setup.TickRate
	s := Suspension{Class: EveryClass, Owner: e.Player, Hooks: e.Hooks}
	if e.Class != "" {
		class, ok := w.Schema().ClassByName(e.Class)
		if !ok {
			return
		}
		s.Class = uint16(class)
	}
	w.Now.Suspended = slices.DeleteFunc(w.Now.Suspended, func(old Suspension) bool {
		return t-min(t, old.Until) >= Tick(suspendCalm*rate)
	})
	i, had := slices.BinarySearchFunc(w.Now.Suspended, s, compareSuspensions)
	if !had {
		w.Now.Suspended = slices.Insert(w.Now.Suspended, i, s)
	}
	if at := &w.Now.Suspended[i]; at.Since != t {
		at.again(t, rate)
	}
}

// Suspended reports whether a hook of the object in a slot does not run because of a Suspension.
func (w *World) Suspended(slot int, h Hook) bool {
	if len(w.Now.Suspended) == 0 { // nearly always
		return false
	}
	o := &w.Now.Objects[slot]
	g, t := GroupOf(h, o.Owner), w.Now.Tick
	for i := range w.Now.Suspended {
		if s := &w.Now.Suspended[i]; t < s.Until && s.covers(o, g) {
			return true
		}
	}
	return false
}

// Runs reports whether hook h of the object in a slot may run in the present tick: it is neither paused because it
// failed nor suspended because it is too much work.
func (w *World) Runs(slot int, h Hook) bool {
	return w.unpaused(slot, int(h)) && !w.Suspended(slot, h)
}

// SuspendedBy returns the suspension that a SuspendEvent has begun; ok is false if the state has none. schema is the
// one in force.
func (s *State) SuspendedBy(e *Event, schema *Schema) (by Suspension, ok bool) {
	want := Suspension{Class: EveryClass, Owner: e.Player, Hooks: e.Hooks}
	if e.Class != "" {
		class, declared := schema.ClassByName(e.Class)
		if !declared {
			return by, false
		}
		want.Class = uint16(class)
	}
	i := slices.IndexFunc(s.Suspended, func(had Suspension) bool { return had.same(&want) })
	if i < 0 {
		return by, false
	}
	return s.Suspended[i], true
}

// hash returns the share of a suspension in State.Hash.
func (s *Suspension) hash() uint64 {
	return mix(mix(uint64(s.Class)<<32|uint64(s.Owner)<<16|uint64(s.Hooks)<<8|uint64(s.Times)) ^
		uint64(s.Since)<<32 ^ uint64(s.Until))
}
