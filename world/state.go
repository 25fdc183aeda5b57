package world

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// State is everything that a rewind restores, in slices without pointers. An
// object has one slot, the same in Objects, in Bodies and, times Stride, in
// Words. Slots are private to one State and its copies: they appear in no
// order, hash or message.
//
// It leaves out what a tick makes anew (deferred writes, spawn counters,
// random counters, contact events: World) and what never changes (Schema).
type State struct {
	Tick    Tick
	Bundle  uint32 // number of the script bundle in force, from 1
	Seed    uint64
	Objects []Object
	Words   []uint64 // script fields, Stride words a slot
	Stride  int
	Physics physics.State
	Players []Player // by ID

	Run  []int32 // slots in the order in which hooks run: (order, spawn tick, id)
	byID []int32 // slots by ObjectID
	free []int32 // slots to use again
}

// Object is what the runtime itself keeps of an object. ID 0: a free slot.
type Object struct {
	ID      ObjectID
	Spawned Tick
	Order   int32
	Class   uint16
	Owner   PlayerID
	Removed bool             // goes at the end of this tick
	Faults  [HookCount]uint8 // errors in a row of each hook; see FaultLimit
}

// FaultLimit is how many errors in a row silence a hook of an object until
// the next bundle.
const FaultLimit = 8

// Player is one who has joined and whose objects are still here.
type Player struct {
	ID     PlayerID
	Joined Tick
	Left   Tick // 0: present; else when the player left
}

// CopyFrom makes s equal to src, in the memory that s has.
func (s *State) CopyFrom(src *State) {
	s.Tick, s.Bundle, s.Seed, s.Stride = src.Tick, src.Bundle, src.Seed, src.Stride
	s.Objects = append(s.Objects[:0], src.Objects...)
	s.Words = append(s.Words[:0], src.Words...)
	s.Physics.CopyFrom(&src.Physics)
	s.Players = append(s.Players[:0], src.Players...)
	s.Run = append(s.Run[:0], src.Run...)
	s.byID = append(s.byID[:0], src.byID...)
	s.free = append(s.free[:0], src.free...)
}

// Find gives the slot of an object.
func (s *State) Find(id ObjectID) (slot int, ok bool) {
	i, ok := s.search(id)
	if !ok {
		return 0, false
	}
	return int(s.byID[i]), true
}

func (s *State) search(id ObjectID) (int, bool) {
	return slices.BinarySearchFunc(s.byID, id, func(slot int32, id ObjectID) int {
		return cmp.Compare(s.Objects[slot].ID, id)
	})
}

// Row is the script fields of a slot.
func (s *State) Row(slot int) []uint64 {
	return s.Words[slot*s.Stride : (slot+1)*s.Stride : (slot+1)*s.Stride]
}

// Body is the physical body of a slot; its Key is 0 if the object has none.
func (s *State) Body(slot int) *physics.Body { return &s.Physics.Bodies[slot] }

// Len is the number of objects.
func (s *State) Len() int { return len(s.Run) }

// Bytes is the memory that the state holds, for reports.
func (s *State) Bytes() int {
	return len(s.Objects)*int(objectSize) + len(s.Words)*8 + s.Physics.Size() + 4*(len(s.Run)+len(s.byID)+len(s.free)) + len(s.Players)*12
}

const objectSize = 8 + 4 + 4 + 2 + 2 + 1 + HookCount

// PlayerByID finds a player who has not been removed yet.
func (s *State) PlayerByID(id PlayerID) (*Player, bool) {
	i, ok := slices.BinarySearchFunc(s.Players, id, func(p Player, id PlayerID) int { return cmp.Compare(p.ID, id) })
	if !ok {
		return nil, false
	}
	return &s.Players[i], true
}

// addPlayer puts a player in, in the order of ids.
func (s *State) addPlayer(p Player) {
	i, ok := slices.BinarySearchFunc(s.Players, p.ID, func(p Player, id PlayerID) int { return cmp.Compare(p.ID, id) })
	if ok {
		s.Players[i] = p
		return
	}
	s.Players = slices.Insert(s.Players, i, p)
}

// add gives o a slot with empty fields and no body.
func (s *State) add(o Object) int {
	slot := len(s.Objects)
	if n := len(s.free); n > 0 {
		slot = int(s.free[n-1])
		s.free = s.free[:n-1]
		s.Objects[slot] = o
	} else {
		s.Objects = append(s.Objects, o)
		s.Physics.Bodies = append(s.Physics.Bodies, physics.Body{})
		for range s.Stride {
			s.Words = append(s.Words, 0)
		}
	}
	i, _ := s.search(o.ID)
	s.byID = slices.Insert(s.byID, i, int32(slot))
	j, _ := slices.BinarySearchFunc(s.Run, &s.Objects[slot], func(at int32, o *Object) int {
		return compareRun(&s.Objects[at], o)
	})
	s.Run = slices.Insert(s.Run, j, int32(slot))
	return slot
}

// compareRun is the order in which hooks run.
func compareRun(a, b *Object) int {
	if c := cmp.Compare(a.Order, b.Order); c != 0 {
		return c
	}
	if c := cmp.Compare(a.Spawned, b.Spawned); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// drop frees a slot.
func (s *State) drop(slot int) {
	i, _ := s.search(s.Objects[slot].ID)
	s.byID = slices.Delete(s.byID, i, i+1)
	j := slices.Index(s.Run, int32(slot))
	s.Run = slices.Delete(s.Run, j, j+1)
	s.Physics.Remove(slot)
	s.Objects[slot] = Object{}
	clear(s.Row(slot))
	s.free = append(s.free, int32(slot))
}
