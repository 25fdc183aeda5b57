package physics

import (
	"cmp"
	"math/bits"
	"slices"
)

// gather copies the part out of mid: bodies of members and guests, and of
// contacts and joints those that have a member, whose bodies are all there or
// gone. In the part a body's slot is its rank.
func (r *partial) gather() {
	r.ranks = r.ranks[:0]
	for _, list := range [...][]int32{r.members, r.guests} {
		for _, slot := range list {
			r.at[slot] = -1
			if keyOf(r.mid.Bodies, slot) != 0 {
				r.ranks = append(r.ranks, slot)
			}
		}
	}
	r.rank()
	r.sub.Bodies = r.sub.Bodies[:0]
	for rank, slot := range r.ranks {
		r.at[slot] = int32(rank)
		r.sub.Bodies = append(r.sub.Bodies, r.mid.Bodies[slot])
	}
	r.sv.rankAs(r.sub.Bodies)
	r.gatherContacts()
	r.gatherJoints()
}

// rank sorts the slots by the keys of their bodies: with the places that they
// had in the last whole step if all had one.
func (r *partial) rank() {
	if len(r.ranks) >= 16 && r.mark() {
		r.ranks = r.ranks[:0]
		for i, word := range r.places {
			for ; word != 0; word &= word - 1 {
				r.ranks = append(r.ranks, r.known.Slots[i*64+bits.TrailingZeros64(word)])
			}
		}
		return
	}
	slices.SortFunc(r.ranks, func(a, b int32) int { return cmp.Compare(r.mid.Bodies[a].Key, r.mid.Bodies[b].Key) })
}

// mark sets the bit of each slot's place in the last whole step. It reports
// whether all had one.
func (r *partial) mark() bool {
	r.places = resize(r.places, (len(r.known.Slots)+63)/64)
	clear(r.places)
	for _, slot := range r.ranks {
		if int(slot) >= len(r.known.RankOf) {
			return false
		}
		at := r.known.RankOf[slot]
		if at < 0 || r.known.Keys[at] != r.mid.Bodies[slot].Key {
			return false
		}
		r.places[at/64] |= 1 << (at % 64)
	}
	return true
}

func (r *partial) gatherContacts() {
	r.sub.Contacts = r.sub.Contacts[:0]
	for i := range r.mid.Contacts {
		c := &r.mid.Contacts[i]
		if c.Gone() {
			if r.marks(c.SlotA) == 0 {
				continue
			}
		} else if (r.marks(c.SlotA)|r.marks(c.SlotB))&member == 0 || !r.redone(c.SlotA, c.SlotB, c.KeyA, c.KeyB) {
			continue
		}
		k := *c
		k.SlotA, k.SlotB = r.here(c.SlotA, c.KeyA), r.here(c.SlotB, c.KeyB)
		if c.Gone() {
			k.SlotA, k.SlotB = r.at[c.SlotA], r.at[c.SlotB]
		}
		r.sub.Contacts = append(r.sub.Contacts, k)
	}
}

// redone reports whether what is between two bodies of mid is of the part.
func (r *partial) redone(slotA, slotB int32, keyA, keyB uint64) bool {
	a, b := r.status(slotA, keyA), r.status(slotB, keyB)
	return (a|b)&member != 0 && (a != 0 || !r.has(slotA, keyA)) && (b != 0 || !r.has(slotB, keyB))
}

// has reports whether mid has the body with the key in a slot.
func (r *partial) has(slot int32, key uint64) bool { return key != 0 && keyAt(r.mid, slot) == key }

// here is the slot in the part of a body of mid, -1 if mid does not have it.
func (r *partial) here(slot int32, key uint64) int32 {
	if !r.has(slot, key) {
		return -1
	}
	return r.at[slot]
}

func (r *partial) gatherJoints() {
	r.sub.Joints = r.sub.Joints[:0]
	for i := range r.mid.Joints {
		j := &r.mid.Joints[i]
		if j.Gone() {
			if r.marks(max(j.SlotA, j.SlotB)) == 0 {
				continue
			}
		} else if (r.status(j.SlotA, j.KeyA)|r.status(j.SlotB, j.KeyB))&member == 0 {
			continue
		}
		r.sub.Joints = append(r.sub.Joints, *j)
		k := &r.sub.Joints[len(r.sub.Joints)-1]
		k.SlotA, k.SlotB = r.here(j.SlotA, j.KeyA), r.here(j.SlotB, j.KeyB)
	}
}

// write puts what came out into after and the trace.
func (r *partial) write() {
	r.writeBodies()
	r.writeTrace()
	r.mapOut()
	r.writeContacts()
	r.writeJoints()
	r.writeEvents()
}

func (r *partial) writeBodies() {
	n := len(r.mid.Bodies)
	for len(r.after.Bodies) < n {
		r.after.Bodies = append(r.after.Bodies, Body{})
	}
	for _, slot := range r.members {
		var b Body
		if r.at[slot] >= 0 {
			b = r.sub.Bodies[r.at[slot]]
		}
		if int(slot) >= len(r.after.Bodies) {
			continue
		}
		if old := &r.after.Bodies[slot]; !old.Same(&b) {
			r.moved = append(r.moved, Moved{slot, *old})
			*old = b
			r.changed.add(slot)
		}
	}
	r.after.Bodies = r.after.Bodies[:n]
}

// mapOut gives all of the part the slots that after has.
func (r *partial) mapOut() {
	for i := range r.sub.Contacts {
		c := &r.sub.Contacts[i]
		c.SlotA, c.SlotB = r.out(c.SlotA), r.out(c.SlotB)
	}
	for i := range r.sub.Joints {
		j := &r.sub.Joints[i]
		j.SlotA, j.SlotB = r.out(j.SlotA), r.out(j.SlotB)
	}
	begins, ends := r.sv.Events()
	for _, list := range [...][]Event{begins, ends, r.sv.Hits()} {
		for i := range list {
			e := &list[i]
			e.A, e.B = r.out(e.A), r.out(e.B)
		}
	}
	broken := r.sv.JointEvents()
	for i := range broken {
		e := &broken[i]
		e.A, e.B = r.out(e.A), r.out(e.B)
	}
}

func (r *partial) out(slot int32) int32 {
	if slot < 0 {
		return slot
	}
	return r.ranks[slot]
}

// writeContacts puts the contacts of the part in the place of those that after
// has between the same bodies.
func (r *partial) writeContacts() {
	r.after.Contacts = merge(r.after.Contacts, r.sub.Contacts, &r.contactTail, merging[Contact]{
		order: (*Contact).compare, same: (*Contact).sameBits,
		redone: r.contactRedone, differs: r.contactDiffers,
	})
}

// contactRedone reports whether the part has made a contact of after anew.
func (r *partial) contactRedone(c *Contact) bool {
	if c.Gone() { // a step leaves none
		panic(notAsMade)
	}
	return r.between(c.SlotA, c.SlotB)
}

// between reports whether what after or the trace says of two bodies is out of
// date. Of one that differs everything is: what it meets now is in the part.
// Two others, of which one is not in the part, met or did not as they do now.
func (r *partial) between(slotA, slotB int32) bool {
	a, b := r.in[slotA], r.in[slotB]
	return (a|b)&differs != 0 || (a|b)&member != 0 && a != 0 && b != 0
}

// contactDiffers notes the bodies of a contact that has other bits than it had.
func (r *partial) contactDiffers(c *Contact) {
	// Two fixed ones touch if one has been dynamic.
	if c.Flags&FixedA == 0 || c.Flags&FixedB != 0 { // A is dynamic, or neither is
		r.changed.add(c.SlotA)
	}
	if c.Flags&FixedB == 0 {
		r.changed.add(c.SlotB)
	}
}

// writeJoints does for joints what writeContacts does for contacts.
func (r *partial) writeJoints() {
	r.after.Joints = merge(r.after.Joints, r.sub.Joints, &r.jointTail, merging[Joint]{
		order: (*Joint).compare, same: (*Joint).Same,
		redone: r.jointRedone, differs: r.jointDiffers,
	})
}

func (r *partial) jointRedone(j *Joint) bool {
	if j.Gone() {
		panic(notAsMade)
	}
	return r.isMember(j.SlotA) || r.isMember(j.SlotB)
}

func (r *partial) isMember(slot int32) bool { return slot >= 0 && r.in[slot]&member != 0 }

// jointDiffers does for joints what contactDiffers does for contacts.
func (r *partial) jointDiffers(j *Joint) {
	for _, end := range [...]struct {
		slot  int32
		fixed bool
	}{{j.SlotA, j.Flags&JointFixedA != 0}, {j.SlotB, j.Flags&JointFixedB != 0}} {
		if end.slot >= 0 && (!end.fixed || j.Flags&jointFixed == jointFixed) {
			r.changed.add(end.slot)
		}
	}
}

// writeEvents puts the events of the part in the place of those that the trace
// has of the same bodies.
func (r *partial) writeEvents() {
	t, m := r.tr, merging[Event]{order: (*Event).compare, same: (*Event).sameBits, redone: r.eventRedone, differs: r.eventDiffers}
	begins, ends := r.sv.Events()
	t.begins = merge(t.begins, begins, &r.eventTail, m)
	t.ends = merge(t.ends, ends, &r.eventTail, m)
	t.hits = merge(t.hits, r.sv.Hits(), &r.eventTail, m)
	t.broken = merge(t.broken, r.sv.JointEvents(), &r.jointEventTail, merging[JointEvent]{
		order: (*JointEvent).compare, same: (*JointEvent).sameBits, redone: r.jointEventRedone, differs: r.jointEventDiffers})
}

// eventRedone reports whether the part has reported e anew. Ends between a removed
// body and a fixed one are always reported anew.
func (r *partial) eventRedone(e *Event) bool {
	if e.A < 0 || e.B < 0 {
		remains := max(e.A, e.B)
		return r.in[remains]&member != 0 || r.tr.kind(remains) != Dynamic
	}
	return r.between(e.A, e.B)
}

func (r *partial) jointEventRedone(e *JointEvent) bool {
	if remains := max(e.A, e.B); (e.A < 0 || e.B < 0 && e.KeyB != 0) && r.tr.kind(remains) != Dynamic {
		return true
	}
	return r.isMember(e.A) || r.isMember(e.B)
}

func (r *partial) eventDiffers(e *Event)           { r.tell(e.A, e.B) }
func (r *partial) jointEventDiffers(e *JointEvent) { r.tell(e.A, e.B) }

func (r *partial) tell(a, b int32) {
	for _, slot := range [...]int32{a, b} {
		if slot >= 0 {
			r.rereported.add(slot)
		}
	}
}

// writeTrace puts the part into the trace.
func (r *partial) writeTrace() {
	t := r.tr
	t.pairs += r.sv.pairsFound()
	for _, slot := range r.members {
		if t.kind(slot) == Dynamic {
			t.dynamic--
		}
		t.indexOf(slot).remove(t.boxes, slot)
		t.keys[slot], t.boxes[slot], t.kinds[slot], t.next[slot] = 0, nowhere(), 0, slot
	}
	r.sv.recordBodies(t, r.ranks)
	for _, slot := range r.members {
		t.indexOf(slot).insert(t.boxes, slot)
	}
	r.sv.recordRings(&r.sub, t, r.ranks)
}
