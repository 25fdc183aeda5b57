package world

// patch is the values of some slots at one point of a tick. Entry i is of slot
// slots[i]; an object that was not there has ID 0.
type patch struct {
	slots []int32
	acts  []acts
	at    State // its slot i is entry i; its orders are empty
}

func (p *patch) reset(stride int) {
	p.slots, p.acts = p.slots[:0], p.acts[:0]
	p.at.Stride = stride
	p.at.Objects, p.at.Words, p.at.Physics.Bodies = p.at.Objects[:0], p.at.Words[:0], p.at.Physics.Bodies[:0]
}

// take adds the values that a slot has in s.
func (p *patch) take(s *State, slot int, a acts) {
	p.slots = append(p.slots, int32(slot))
	p.acts = append(p.acts, a)
	p.at.Objects = append(p.at.Objects, s.Objects[slot])
	p.at.Words = append(p.at.Words, s.Row(slot)...)
	p.at.Physics.Bodies = append(p.at.Physics.Bodies, s.Physics.Bodies[slot])
}

// move makes entry to what entry from is.
func (p *patch) move(to, from int) {
	p.slots[to], p.acts[to] = p.slots[from], p.acts[from]
	p.at.Objects[to], p.at.Physics.Bodies[to] = p.at.Objects[from], p.at.Physics.Bodies[from]
	copy(p.at.Row(to), p.at.Row(from))
}

// cut leaves the first n entries.
func (p *patch) cut(n int) {
	p.slots, p.acts = p.slots[:n], p.acts[:n]
	p.at.Objects, p.at.Words, p.at.Physics.Bodies = p.at.Objects[:n], p.at.Words[:n*p.at.Stride], p.at.Physics.Bodies[:n]
}

// put gives the slot of entry i, in s, the values of the entry.
func (p *patch) put(i int, s *State) {
	slot := int(p.slots[i])
	s.set(slot, p.at.Objects[i])
	copy(s.Row(slot), p.at.Row(i))
	s.Physics.Bodies[slot] = p.at.Physics.Bodies[i]
}

// putBack undoes, from the last entry to entry from.
func (p *patch) putBack(s *State, from int) {
	for i := len(p.slots) - 1; i >= from; i-- {
		p.put(i, s)
	}
}

// same reports whether entry i is, bit for bit, what the slot has in s.
func (p *patch) same(i int, s *State, slot int, a acts) bool {
	return p.at.Objects[i] == s.Objects[slot] && p.acts[i].same(a) &&
		sameWords(p.at.Row(i), s.Row(slot)) && p.at.Physics.Bodies[i].Same(&s.Physics.Bodies[slot])
}

func sameWords(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (p *patch) bytes() int {
	return len(p.slots)*4 + len(p.acts)*actsSize + p.at.Bytes()
}
