package world

// pendingValues are values that slots should have by now in a partial rerun. They are
// written only when a slot is read, because few slots are. The values are entries of
// the blocks of the tick's trace.
type pendingValues struct {
	turn  uint64         // of the tick
	of    []pendingValue // by slot
	slots []int32        // that have a value, or had one in this tick
}

// pendingValue says where the values of a slot are.
type pendingValue struct {
	turn  uint64
	block int32
	entry int32
}

// begin starts a tick.
func (p *pendingValues) begin() {
	p.turn++
	p.slots = p.slots[:0]
}

// add notes where the values are that a slot should have by now.
func (p *pendingValues) add(slot, block, entry int) {
	for len(p.of) <= slot {
		p.of = append(p.of, pendingValue{})
	}
	if p.of[slot].turn != p.turn {
		p.slots = append(p.slots, int32(slot))
	}
	p.of[slot] = pendingValue{p.turn, int32(block), int32(entry)}
}

// take returns where the values of a slot are, once.
func (p *pendingValues) take(slot int32) (block, entry int, ok bool) {
	if int(slot) >= len(p.of) || p.of[slot].turn != p.turn || p.turn == 0 {
		return 0, 0, false
	}
	v := &p.of[slot]
	v.turn = 0
	return int(v.block), int(v.entry), true
}

// takeAll calls f for all slots that have had a value in this tick.
func (p *pendingValues) takeAll(f func(slot int32)) {
	for _, slot := range p.slots {
		f(slot)
	}
	p.slots = p.slots[:0]
}

// moved notes that the entry of a slot in a block has a different index.
func (p *pendingValues) moved(slot int32, block, entry int) {
	if int(slot) >= len(p.of) {
		return
	}
	if v := &p.of[slot]; v.turn == p.turn && v.block == int32(block) {
		v.entry = int32(entry)
	}
}
