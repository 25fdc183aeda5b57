package physics

// The members are the bodies that may come out differently. A step of a body reads
// the body, its contacts and joints, and through them its island; the bodies whose
// boxes overlap its own; if it is fast, the static bodies along its way; and if it is a
// bullet, the ways of the bodies that its box overlaps. So the members are closed
// under:
//
//   - the ring of a member in the recorded step;
//   - contacts and joints of a member, as the step finds them now;
//   - of a member that differs, the bodies whose boxes its own overlaps, as it was in
//     the recorded step and as it is now. Pairs of other bodies are as they were.
//
// A sleeper that wakes now, or slept on, is found when the part has been stepped, and
// counts as one that differs. Static and kinematic bodies that are as they were tie
// nothing together: they are guests.

// change makes a slot a member that differs.
func (r *partial) change(slot int32) {
	if r.in[slot]&member == 0 {
		r.members = append(r.members, slot)
		r.take(slot, member)
	}
	r.in[slot] |= differs
}

// add takes in a slot that a member brings.
func (r *partial) add(slot int32) {
	switch {
	case r.in[slot]&(member|guest) != 0:
	case r.tr.kind(slot) != Dynamic:
		r.guests = append(r.guests, slot)
		r.take(slot, guest)
	default:
		r.members = append(r.members, slot)
		r.take(slot, member)
	}
}

// take marks a slot that is new to the part.
func (r *partial) take(slot int32, as membership) {
	if keyOf(r.after.Bodies, slot) != r.tr.keys[slot] {
		panic(notAsMade)
	}
	r.in[slot] |= as
	r.fetch(slot)
}

const notAsMade = "physics: StepPart: after is not as the recorded step made it: take back what was removed from it or put into it since"

// close takes in all bodies that the members bring. It reports whether there are few
// enough of them.
func (r *partial) close() bool {
	for {
		for ; r.explored < len(r.members); r.explored++ {
			if len(r.members) > r.most {
				return false
			}
			r.explore(r.members[r.explored])
		}
		r.followContacts()
		r.followJoints()
		if r.explored == len(r.members) {
			return true
		}
	}
}

// explore brings the ring of a member, and of one that differs all that it
// could meet.
func (r *partial) explore(slot int32) {
	if r.in[slot]&ringed == 0 {
		r.in[slot] |= ringed
		for at := r.tr.next[slot]; at != slot; at = r.tr.next[at] {
			r.add(at)
			r.in[at] |= ringed
		}
	}
	if r.in[slot]&differs == 0 {
		return
	}
	if keyOf(r.mid.Bodies, slot) != 0 {
		r.addNear(slot, r.sv.extentOf(r.mid.Bodies[slot], r.defs, r.p))
	} else {
		r.addNear(slot, nowhere())
	}
}

// addNear takes in the bodies whose boxes overlap that of a slot in the recorded step,
// or the one it has now.
func (r *partial) addNear(slot int32, now extent) {
	old := r.tr.boxes[slot]
	if old.empty() || now.empty() || old.meets(&now) {
		r.addAll(slot, old.with(now))
		return
	}
	r.addAll(slot, old)
	r.addAll(slot, now)
}

// addAll takes in the bodies whose boxes e overlaps, which is a box of a slot. Two
// fixed bodies do not meet.
func (r *partial) addAll(slot int32, e extent) {
	r.found = r.tr.free.find(r.tr.boxes, e, r.found[:0])
	if r.mayMeetFixed(slot) {
		r.found = r.tr.fixed.find(r.tr.boxes, e, r.found)
	}
	for _, other := range r.found {
		r.add(other)
	}
}

// mayMeetFixed reports whether the body in a slot is or was dynamic.
func (r *partial) mayMeetFixed(slot int32) bool {
	if r.tr.kind(slot) == Dynamic {
		return true
	}
	if keyOf(r.mid.Bodies, slot) == 0 {
		return false
	}
	d := r.mid.Bodies[slot].def(r.defs)
	return d != nil && d.Type == Dynamic
}

// bringGuests takes in the fixed bodies near the members. Of those that differ
// that has been done.
func (r *partial) bringGuests() {
	for ; r.hosted < len(r.members); r.hosted++ {
		slot := r.members[r.hosted]
		if r.in[slot]&differs == 0 {
			r.addFixed(r.tr.boxes[slot])
		}
	}
}

// addFixed takes in the fixed bodies whose boxes e overlaps, and reports
// whether one of them is new.
func (r *partial) addFixed(e extent) (any bool) {
	r.found = r.tr.fixed.find(r.tr.boxes, e, r.found[:0])
	for _, slot := range r.found {
		if r.in[slot]&(member|guest) == 0 {
			r.add(slot)
			any = true
		}
	}
	return any
}

// marks is what a slot is to the part.
func (r *partial) marks(slot int32) membership {
	if uint(slot) < uint(len(r.in)) {
		return r.in[slot]
	}
	return 0
}

// status is what the body with the key in a slot is to the part; none if mid
// does not have it there.
func (r *partial) status(slot int32, key uint64) membership {
	if key == 0 || keyAt(r.mid, slot) != key {
		return 0
	}
	return r.in[slot]
}

// follow takes in a body if mid has it.
func (r *partial) follow(slot int32, key uint64) {
	if key != 0 && keyAt(r.mid, slot) == key {
		r.add(slot)
	}
}

// followContacts brings the bodies that members touched before the step: contacts tie
// sleepers, and are warm-started. A sensor is brought only by a body that differs. A
// fixed body that touched a removed one comes along, so that all such ends are reported
// anew.
func (r *partial) followContacts() {
	for i := range r.mid.Contacts {
		c := &r.mid.Contacts[i]
		if c.Gone() {
			r.followFixed(c.SlotA)
			continue
		}
		if (r.marks(c.SlotA)|r.marks(c.SlotB))&member == 0 {
			continue
		}
		either := r.status(c.SlotA, c.KeyA) | r.status(c.SlotB, c.KeyB)
		if either&member == 0 || c.Flags&SensorContact != 0 && either&differs == 0 {
			continue
		}
		r.follow(c.SlotA, c.KeyA)
		r.follow(c.SlotB, c.KeyB)
	}
}

// followFixed brings a body unless it is dynamic.
func (r *partial) followFixed(slot int32) {
	if slot >= 0 && r.tr.kind(slot) != Dynamic && keyOf(r.mid.Bodies, slot) != 0 {
		r.add(slot)
	}
}

// followJoints does for joints what followContacts does for contacts.
func (r *partial) followJoints() {
	for i := range r.mid.Joints {
		j := &r.mid.Joints[i]
		if j.Gone() {
			r.followFixed(max(j.SlotA, j.SlotB))
			continue
		}
		if (r.marks(j.SlotA)|r.marks(j.SlotB))&member != 0 && (r.status(j.SlotA, j.KeyA)|r.status(j.SlotB, j.KeyB))&member != 0 {
			r.follow(j.SlotA, j.KeyA)
			r.follow(j.SlotB, j.KeyB)
		}
	}
}

// lookBack reports whether the part that was stepped may lack a body: where a
// sleeper woke, or slept on, unlike in the recorded step, and where a fast body
// left the box in which static ones were looked for.
func (r *partial) lookBack() (maybe bool) {
	sv := &r.sv
	for rank, slot := range r.ranks[:sv.stepped()] {
		slept := r.tr.kinds[slot]&sleptThrough != 0
		if r.in[slot]&(member|differs) == member && sv.asleep(rank) != slept {
			r.change(slot)
			r.addNear(slot, sv.extentAt(int32(rank)))
			maybe = true
		}
	}
	for e := range sv.wayExtents {
		if r.addFixed(e) {
			maybe = true
		}
	}
	return maybe
}
