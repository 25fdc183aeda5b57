package world

// Slots gives every object of a history one slot, the same in all of its
// states: so that a state can be mended by the slots that changed, and a
// rewind that brings an object back finds its place free.
type Slots struct {
	of   map[ObjectID]int32
	ids  []ObjectID // by slot, 0: free
	free []int32
}

// take gives the slot of an object, a new one if it has none.
func (s *Slots) take(id ObjectID) int {
	if slot, ok := s.of[id]; ok {
		return int(slot)
	}
	if s.of == nil {
		s.of = map[ObjectID]int32{}
	}
	slot := int32(len(s.ids))
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
		s.ids[slot] = id
	} else {
		s.ids = append(s.ids, id)
	}
	s.of[id] = slot
	return int(slot)
}

// Find gives the slot of an object that is there now: State.Find, but in one
// step.
func (w *World) Find(id ObjectID) (slot int, ok bool) {
	at, ok := w.slots.of[id]
	if !ok || int(at) >= len(w.Now.Objects) || w.Now.Objects[at].ID != id || id == 0 {
		return 0, false
	}
	return int(at), true
}

// find gives the slot of a body's key.
func (s *Slots) find(key uint64) (slot int, ok bool) {
	at, ok := s.of[ObjectID(key)]
	return int(at), ok
}

// adopt makes the slots those of a state.
func (s *Slots) adopt(st *State) {
	clear(s.of)
	s.ids, s.free = s.ids[:0], s.free[:0]
	for slot := range st.Objects {
		id := st.Objects[slot].ID
		s.ids = append(s.ids, id)
		if id == 0 {
			s.free = append(s.free, int32(slot))
			continue
		}
		if s.of == nil {
			s.of = map[ObjectID]int32{}
		}
		s.of[id] = int32(slot)
	}
}

// ReleaseSlots frees the slots of objects that are in none of the frames: the
// whole history that may be run again.
func (w *World) ReleaseSlots(history func(yield func(*HistoryEntry) bool)) {
	used := make([]bool, len(w.slots.ids))
	for f := range history {
		for _, slot := range f.State.Run {
			used[slot] = true
		}
		for i := range f.Trace.blocks {
			for _, c := range f.Trace.blocks[i].births {
				used[c.slot] = true // it may be gone by the end of its tick
			}
		}
	}
	for slot, id := range w.slots.ids {
		if id != 0 && !used[slot] {
			delete(w.slots.of, id)
			w.slots.ids[slot] = 0
			w.slots.free = append(w.slots.free, int32(slot))
		}
	}
}

// SpareSlots is how many slots belong to no object of the present state.
func (w *World) SpareSlots() int { return len(w.slots.ids) - len(w.slots.free) - w.Now.Len() }
