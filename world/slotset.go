package world

// slotSet is a set of slots that is emptied at no cost.
type slotSet struct {
	marks []uint64
	turn  uint64
	list  []int32
}

// slots returns the slots in the set, in the order in which they were added.
func (s *slotSet) slots() []int32 { return s.list }

func (s *slotSet) reset() { s.turn, s.list = s.turn+1, s.list[:0] }

func (s *slotSet) has(slot int32) bool {
	return slot >= 0 && int(slot) < len(s.marks) && s.marks[slot] == s.turn && s.turn != 0
}

func (s *slotSet) add(slot int32) bool {
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
