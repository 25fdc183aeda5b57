package world

// SlotSet is a set of slots. Other packages can only read it.
type SlotSet struct {
	marks []uint64
	turn  uint64
	list  []int32
}

// Len returns the number of slots in the set.
func (s *SlotSet) Len() int { return len(s.list) }

// Slots returns the slots in the set, in the order in which they were added. They
// are valid until the set changes.
func (s *SlotSet) Slots() []int32 { return s.list }

// Has reports whether a slot is in the set.
func (s *SlotSet) Has(slot int32) bool {
	return slot >= 0 && int(slot) < len(s.marks) && s.marks[slot] == s.turn && s.turn != 0
}

// reset empties the set, at no cost.
func (s *SlotSet) reset() { s.turn, s.list = s.turn+1, s.list[:0] }

// add adds a slot, and reports whether it is new.
func (s *SlotSet) add(slot int32) bool {
	if s.turn == 0 {
		s.turn = 1
	}
	if int(slot) >= len(s.marks) {
		s.marks = append(s.marks, make([]uint64, int(slot)+1-len(s.marks))...)
	}
	if s.marks[slot] == s.turn {
		return false
	}
	s.marks[slot] = s.turn
	s.list = append(s.list, slot)
	return true
}
