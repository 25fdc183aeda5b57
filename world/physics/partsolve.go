package physics

import (
	"cmp"
	"math/bits"
	"slices"
)

// excerpt is the part as a State of its own. There a body's slot is its rank.
type excerpt struct {
	sub    State
	at     []int32  // by slot: in sub, of those in it; -1 for what is not live
	ranks  []int32  // by rank in sub: slot
	places []uint64 // scratch: a bit for each rank of the last whole step
}

func (x *excerpt) grow(n int) { x.at = resizeKeep(x.at, n) }

func (x *excerpt) state() *State { return &x.sub }

// slots returns those of the ranks.
func (x *excerpt) slots() []int32 { return x.ranks }

// body returns the body of a slot of the part.
func (x *excerpt) body(slot int32) (b Body) {
	if x.at[slot] >= 0 {
		b = x.sub.Bodies[x.at[slot]]
	}
	return b
}

// gather copies the part out of mid: bodies of members and guests, and of
// contacts and joints those that have a member, whose bodies are all there or
// gone.
func (x *excerpt) gather(st *recordedStep, c *closure, known *ranking) {
	x.ranks = x.ranks[:0]
	members, guests := c.slots()
	for _, list := range [...][]int32{members, guests} {
		for _, slot := range list {
			x.at[slot] = -1
			if keyOf(st.mid.Bodies, slot) != 0 {
				x.ranks = append(x.ranks, slot)
			}
		}
	}
	x.rank(st.mid.Bodies, known)
	x.sub.Bodies = x.sub.Bodies[:0]
	for rank, slot := range x.ranks {
		x.at[slot] = int32(rank)
		x.sub.Bodies = append(x.sub.Bodies, st.mid.Bodies[slot])
	}
	x.gatherContacts(st, c.marks())
	x.gatherJoints(st, c.marks())
}

// rank sorts the slots by the keys of their bodies: with the places that they
// had in the last whole step if all had one.
func (x *excerpt) rank(mid []Body, known *ranking) {
	if len(x.ranks) >= 16 && x.mark(mid, known) {
		x.ranks = x.ranks[:0]
		for i, word := range x.places {
			for ; word != 0; word &= word - 1 {
				x.ranks = append(x.ranks, known.slotList()[i*64+bits.TrailingZeros64(word)])
			}
		}
		return
	}
	slices.SortFunc(x.ranks, func(a, b int32) int { return cmp.Compare(mid[a].Key, mid[b].Key) })
}

// mark sets the bit of each slot's place in the last whole step. It reports
// whether all had one.
func (x *excerpt) mark(mid []Body, known *ranking) bool {
	x.places = resize(x.places, (len(known.slotList())+63)/64)
	clear(x.places)
	for _, slot := range x.ranks {
		at := known.at(slot, mid[slot].Key)
		if at < 0 {
			return false
		}
		x.places[at/64] |= 1 << (at % 64)
	}
	return true
}

func (x *excerpt) gatherContacts(st *recordedStep, in memberships) {
	x.sub.Contacts = x.sub.Contacts[:0]
	for i := range st.mid.Contacts {
		c := &st.mid.Contacts[i]
		if c.Gone() {
			if in.of(c.SlotA) == 0 {
				continue
			}
		} else if (in.of(c.SlotA)|in.of(c.SlotB))&member == 0 || !in.redone(st, c.SlotA, c.SlotB, c.KeyA, c.KeyB) {
			continue
		}
		k := *c
		k.SlotA, k.SlotB = x.here(st, c.SlotA, c.KeyA), x.here(st, c.SlotB, c.KeyB)
		if c.Gone() {
			k.SlotA, k.SlotB = x.at[c.SlotA], x.at[c.SlotB]
		}
		x.sub.Contacts = append(x.sub.Contacts, k)
	}
}

// here returns the slot in the part of a body of mid, -1 if mid does not have it.
func (x *excerpt) here(st *recordedStep, slot int32, key uint64) int32 {
	if !st.hasNow(slot, key) {
		return -1
	}
	return x.at[slot]
}

func (x *excerpt) gatherJoints(st *recordedStep, in memberships) {
	x.sub.Joints = x.sub.Joints[:0]
	for i := range st.mid.Joints {
		j := &st.mid.Joints[i]
		if j.Gone() {
			if in.of(max(j.SlotA, j.SlotB)) == 0 {
				continue
			}
		} else if (in.status(st, j.SlotA, j.KeyA)|in.status(st, j.SlotB, j.KeyB))&member == 0 {
			continue
		}
		x.sub.Joints = append(x.sub.Joints, *j)
		k := &x.sub.Joints[len(x.sub.Joints)-1]
		k.SlotA, k.SlotB = x.here(st, j.SlotA, j.KeyA), x.here(st, j.SlotB, j.KeyB)
	}
}

// mapOut gives all of the part, and of its events, the slots that after has. It leaves out what guests sense of each
// other: contacts that they had before are not in the part.
func (x *excerpt) mapOut(events *stepEvents, in memberships) {
	guests := func(a, b int32) bool { return a >= 0 && b >= 0 && (in[x.ranks[a]]|in[x.ranks[b]])&member == 0 }
	x.sub.Contacts = slices.DeleteFunc(x.sub.Contacts, func(c Contact) bool { return guests(c.SlotA, c.SlotB) })
	events.begins = slices.DeleteFunc(events.begins, func(e Event) bool { return guests(e.A, e.B) })
	for i := range x.sub.Contacts {
		c := &x.sub.Contacts[i]
		c.SlotA, c.SlotB = x.out(c.SlotA), x.out(c.SlotB)
	}
	for i := range x.sub.Joints {
		j := &x.sub.Joints[i]
		j.SlotA, j.SlotB = x.out(j.SlotA), x.out(j.SlotB)
	}
	for _, list := range [...][]Event{events.begins, events.ends, events.hits} {
		for i := range list {
			e := &list[i]
			e.A, e.B = x.out(e.A), x.out(e.B)
		}
	}
	for i := range events.broken {
		e := &events.broken[i]
		e.A, e.B = x.out(e.A), x.out(e.B)
	}
}

func (x *excerpt) out(slot int32) int32 {
	if slot < 0 {
		return slot
	}
	return x.ranks[slot]
}
