package physics

import "slices"

// slotSet is a set of slots.
type slotSet struct {
	has  []bool
	list []int32
}

func (s *slotSet) grow(n int) { s.has = resizeKeep(s.has, n) }

func (s *slotSet) add(slot int32) {
	if !s.has[slot] {
		s.has[slot] = true
		s.list = append(s.list, slot)
	}
}

// sorted returns the set in order; of a large one that is a walk through all slots.
func (s *slotSet) sorted() []int32 {
	if len(s.list) < len(s.has)/16 {
		slices.Sort(s.list)
		return s.list
	}
	s.list = s.list[:0]
	for slot, has := range s.has {
		if has {
			s.list = append(s.list, int32(slot))
		}
	}
	return s.list
}

func (s *slotSet) reset() {
	for _, slot := range s.list {
		s.has[slot] = false
	}
	s.list = s.list[:0]
}
