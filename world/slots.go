package world

// Slots gives every object of a history one slot, the same in all states of that
// history. So a state can be corrected by the slots that changed, and a rewind
// that brings an object back finds its slot free.
type Slots struct {
	of   map[ObjectID]int32
	ids  []ObjectID // by slot, 0: free
	free []int32
}

// take returns the slot of an object, a new one if it has none.
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

// Find returns the slot of an object that exists now. It is State.Find without
// the search.
func (w *World) Find(id ObjectID) (slot int, ok bool) {
	at, ok := w.slots.of[id]
	if !ok || int(at) >= len(w.Now.Objects) || w.Now.Objects[at].ID != id || id == 0 {
		return 0, false
	}
	return int(at), true
}

// find returns the slot of a body's key.
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

// release frees the slots of objects that are not in use.
func (s *Slots) release(used []bool) {
	for slot, id := range s.ids {
		if id != 0 && !used[slot] {
			delete(s.of, id)
			s.ids[slot] = 0
			s.free = append(s.free, int32(slot))
		}
	}
}

// len returns the number of slots, free ones included.
func (s *Slots) len() int { return len(s.ids) }

// taken returns the number of slots that belong to an object.
func (s *Slots) taken() int { return len(s.ids) - len(s.free) }

// id returns the object of a slot, in whichever states of the history it is.
func (s *Slots) id(slot int32) ObjectID { return s.ids[slot] }

// ReleaseSlots frees the slots of objects that are in none of the entries, which
// are the whole history that may be run again.
func (w *World) ReleaseSlots(history func(yield func(*HistoryEntry) bool)) {
	used := make([]bool, w.slots.len())
	for f := range history {
		for _, slot := range f.State.Run {
			used[slot] = true
		}
		f.Trace.eachSlot(func(slot int32) { used[slot] = true })
	}
	w.slots.release(used)
}

// SpareSlots returns how many slots belong to no object of the present state.
func (w *World) SpareSlots() int { return w.slots.taken() - w.Now.Len() }
