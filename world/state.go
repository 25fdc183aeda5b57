package world

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// State is everything that a rewind restores, in slices that are saved and restored with
// copy. Their only pointers are those of Rows to versions of aux fields, which never change. An
// object has one slot: the same index in Objects, in Bodies and in Rows. It keeps its slot in all
// states of one history (see Slots). Slots appear in no order, hash or message.
//
// A joint belongs to the object whose id is its key: an object of JointClass, or one
// that is attached to another.
//
// A State does not hold data that each tick creates anew (deferred operations, spawn
// counters, random counters, contact events: those are in World), nor data that never
// changes (Schema).
type State struct {
	Tick    Tick
	Bundle  uint32 // number of the script bundle in force, from 1
	Seed    uint64 // of random numbers: the Setup's
	Objects []Object
	Rows    Rows // script fields
	Physics physics.State
	Players []Player // by ID
	// Suspended are hooks that do not run for some time, and those of which it matters that they did not, in order
	Suspended []Suspension

	Run  []int32 // slots in the order in which hooks run: (order, spawn tick, id)
	ByID []int32 // slots by ObjectID
}

// Object is the part of an object's state that the runtime itself uses. ID 0 is a free
// slot.
type Object struct {
	ID      ObjectID
	Spawned Tick
	Order   int32  // of its class
	Class   uint16 // index in the Schema's Classes
	Owner   PlayerID
	Nth     uint16      // which spawn of its spawner in the tick Spawned; ID, which is hashed, follows from it
	Removed bool        // to be removed at the end of this tick
	Culled  bool        // on a client: a proxy, whose object is simulated in complete ticks only
	Faults  FaultCounts // errors in a row of each hook and timer; see FaultLimit
	Paused  Tick        // when the pause of hooks and timers that fail began; 0: none is paused
	Pauses  uint8       // how many pauses there have been in a row
}

// Memory returns roughly how many bytes s takes.
func (s *State) Memory() int {
	return 80*len(s.Objects) + s.Rows.memory() + s.Physics.Memory() + 8*len(s.Run)
}

// CopyFrom makes s equal to src, reusing the memory of s.
func (s *State) CopyFrom(src *State) {
	s.Tick, s.Bundle, s.Seed = src.Tick, src.Bundle, src.Seed
	s.Objects = append(s.Objects[:0], src.Objects...)
	s.Rows.copyFrom(&src.Rows)
	s.Physics.CopyFrom(&src.Physics)
	s.Players = append(s.Players[:0], src.Players...)
	s.Suspended = append(s.Suspended[:0], src.Suspended...)
	s.Run = append(s.Run[:0], src.Run...)
	s.ByID = append(s.ByID[:0], src.ByID...)
}

// Find returns the slot of an object.
func (s *State) Find(id ObjectID) (slot int, ok bool) {
	i, ok := searchID(s, id)
	if !ok {
		return 0, false
	}
	return int(s.ByID[i]), true
}

func searchID(s *State, id ObjectID) (int, bool) {
	return slices.BinarySearchFunc(s.ByID, id, func(slot int32, id ObjectID) int {
		return cmp.Compare(s.Objects[slot].ID, id)
	})
}

// idAt returns the object in a slot, or 0.
func idAt(s *State, slot int) ObjectID {
	if slot >= len(s.Objects) {
		return 0
	}
	return s.Objects[slot].ID
}

// Row returns the fields of a slot. They must not be changed.
func (s *State) Row(slot int) Row { return s.Rows.row(slot) }

// Body returns the physical body of a slot. Its Key is 0 if the object has none.
func (s *State) Body(slot int) *physics.Body { return &s.Physics.Bodies[slot] }

// Has reports whether there is an object of a class of the schema of s.
func (s *State) Has(schema *Schema, class string) bool {
	i, ok := schema.ClassByName(class)
	return ok && slices.ContainsFunc(s.Run, func(slot int32) bool { return int(s.Objects[slot].Class) == i })
}

// Len returns the number of objects.
func (s *State) Len() int { return len(s.Run) }

// set makes a slot hold o, or nothing if o has no ID, and keeps Run and ByID sorted.
// It does not change fields and body; those of a new slot are empty.
func (s *State) set(slot int, o Object) {
	s.grow(slot + 1)
	was := s.Objects[slot]
	same := was.ID == o.ID && compareRun(&was, &o) == 0
	if was.ID != 0 && !same {
		unlistSlot(s, slot)
	}
	s.Objects[slot] = o
	if o.ID != 0 && !same {
		listSlot(s, slot)
	}
}

// grow makes room for n slots.
func (s *State) grow(n int) {
	for len(s.Objects) < n {
		s.Objects = append(s.Objects, Object{})
	}
	for len(s.Physics.Bodies) < n {
		s.Physics.Bodies = append(s.Physics.Bodies, physics.Body{})
	}
	s.Rows.grow(n)
}

// list adds a slot to Run and ByID.
func listSlot(s *State, slot int) {
	i, _ := searchID(s, s.Objects[slot].ID)
	s.ByID = slices.Insert(s.ByID, i, int32(slot))
	s.Run = slices.Insert(s.Run, runIndex(s, slot), int32(slot))
}

// unlist removes a slot from Run and ByID.
func unlistSlot(s *State, slot int) {
	i, _ := searchID(s, s.Objects[slot].ID)
	s.ByID = slices.Delete(s.ByID, i, i+1)
	j := runIndex(s, slot)
	s.Run = slices.Delete(s.Run, j, j+1)
}

// place returns where a slot is, or belongs, in Run.
func runIndex(s *State, slot int) int {
	j, _ := slices.BinarySearchFunc(s.Run, &s.Objects[slot], func(at int32, o *Object) int {
		return compareRun(&s.Objects[at], o)
	})
	return j
}

// compareRun returns the order in which hooks run.
func compareRun(a, b *Object) int {
	if c := cmp.Compare(a.Order, b.Order); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Spawned, b.Spawned), cmp.Compare(a.Nth, b.Nth), cmp.Compare(a.ID, b.ID))
}

// joint returns the joint whose key is the id of an object.
func (s *State) joint(id ObjectID) (j *physics.Joint, ok bool) {
	if len(s.Physics.Joints) == 0 || id == 0 {
		return nil, false
	}
	i, ok := s.Physics.FindJoint(uint64(id))
	if !ok {
		return nil, false
	}
	return &s.Physics.Joints[i], true
}

// drop removes the object of a slot.
func (s *State) drop(slot int) {
	s.Physics.Remove(slot)
	s.set(slot, Object{})
	s.Rows.clear(slot)
}
