package physics

import "slices"

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
// nothing together: they are guests. What guests sense of each other is as it was.

// membership is the role of a slot in a partial step.
type membership uint8

const (
	member  membership = 1 << iota // may come out differently
	guest                          // static or kinematic, and as it was
	differs                        // a member that is not as it was when the step began
	ringed                         // a member whose ring has been brought
)

// memberships are by slot.
type memberships []membership

// of returns the membership of a slot.
func (in memberships) of(slot int32) membership {
	if uint(slot) < uint(len(in)) {
		return in[slot]
	}
	return 0
}

// status returns what the body with the key in a slot is to the part; none if mid
// does not have it there.
func (in memberships) status(st *recordedStep, slot int32, key uint64) membership {
	if !st.hasNow(slot, key) {
		return 0
	}
	return in[slot]
}

// redone reports whether what is between two bodies of mid is of the part.
func (in memberships) redone(st *recordedStep, slotA, slotB int32, keyA, keyB uint64) bool {
	a, b := in.status(st, slotA, keyA), in.status(st, slotB, keyB)
	return (a|b)&member != 0 && (a != 0 || !st.hasNow(slotA, keyA)) && (b != 0 || !st.hasNow(slotB, keyB))
}

// between reports whether what after or the trace says of two bodies is out of
// date. Of one that differs everything is: what it meets now is in the part.
// Two others, of which one is not in the part, met or did not as they do now.
func (in memberships) between(slotA, slotB int32) bool {
	a, b := in[slotA], in[slotB]
	return (a|b)&differs != 0 || (a|b)&member != 0 && a != 0 && b != 0
}

func (in memberships) isMember(slot int32) bool { return slot >= 0 && in[slot]&member != 0 }

// eventRedone reports whether the part has reported e again. Ends between a removed
// body and a fixed one are always reported again.
func (in memberships) eventRedone(was *tracedBodies, e *Event) bool {
	if e.A < 0 || e.B < 0 {
		remains := max(e.A, e.B)
		return in[remains]&member != 0 || was.kind(remains) != Dynamic
	}
	return in.between(e.A, e.B)
}

func (in memberships) jointEventRedone(was *tracedBodies, e *JointEvent) bool {
	if remains := max(e.A, e.B); (e.A < 0 || e.B < 0 && e.KeyB != 0) && was.kind(remains) != Dynamic {
		return true
	}
	return in.isMember(e.A) || in.isMember(e.B)
}

// closure is the bodies of the part.
type closure struct {
	in       memberships
	members  []int32      // slots that are stepped again, or are free now
	guests   []int32      // slots of other static and kinematic bodies that they need
	explored int          // the number of members whose neighbours have been added
	hosted   int          // so many members have brought their guests
	most     int          // members at which it is better to step all
	found    []int32      // by a query of the index
	probe    rankedBodies // one of them, to see how far it reaches
}

// start drops the data of the previous step, for a step with n slots.
func (c *closure) start(n, most int) {
	c.in = resizeKeep(c.in, n)
	c.members, c.guests, c.explored, c.hosted, c.most = c.members[:0], c.guests[:0], 0, 0, most
}

// clear leaves no marks.
func (c *closure) clear() {
	for _, list := range [...][]int32{c.members, c.guests} {
		for _, slot := range list {
			c.in[slot] = 0
		}
	}
}

// slots returns those of the members and of the guests.
func (c *closure) slots() (members, guests []int32) { return c.members, c.guests }

func (c *closure) marks() memberships { return c.in }

// begin makes members of the slots that the step begins differently with.
func (c *closure) begin(st *recordedStep, changed []int32) {
	c.probe.setPaces(st.defs, st.rules.h)
	for _, slot := range changed {
		if slot >= 0 && int(slot) < len(c.in) {
			c.change(st, slot)
		}
	}
}

// change makes a slot a member that differs.
func (c *closure) change(st *recordedStep, slot int32) {
	if c.in[slot]&member == 0 {
		c.members = append(c.members, slot)
		c.take(st, slot, member)
	}
	c.in[slot] |= differs
}

// add takes in a slot that a member brings.
func (c *closure) add(st *recordedStep, slot int32) {
	switch {
	case c.in[slot]&(member|guest) != 0:
	case st.was.kind(slot) != Dynamic:
		c.guests = append(c.guests, slot)
		c.take(st, slot, guest)
	default:
		c.members = append(c.members, slot)
		c.take(st, slot, member)
	}
}

// take marks a slot that is new to the part.
func (c *closure) take(st *recordedStep, slot int32, as membership) {
	if keyOf(st.after.Bodies, slot) != st.was.key(slot) {
		panic(notAsMade)
	}
	c.in[slot] |= as
	st.fetch(slot)
}

const notAsMade = "physics: StepPart: after is not as the recorded step made it: take back what was " +
	"removed from it or put into it since"

// close takes in all bodies that the members bring. It reports whether there are few
// enough of them.
func (c *closure) close(st *recordedStep) bool {
	for {
		for ; c.explored < len(c.members); c.explored++ {
			if len(c.members) > c.most {
				return false
			}
			c.explore(st, c.members[c.explored])
		}
		c.followContacts(st)
		c.followJoints(st)
		if c.explored == len(c.members) {
			return true
		}
	}
}

// explore brings the ring of a member, and of one that differs all that it
// could meet.
func (c *closure) explore(st *recordedStep, slot int32) {
	if c.in[slot]&ringed == 0 {
		c.in[slot] |= ringed
		_, tied := st.trace.content()
		for at := tied.after(slot); at != slot; at = tied.after(at) {
			c.add(st, at)
			c.in[at] |= ringed
		}
	}
	if c.in[slot]&differs == 0 {
		return
	}
	if keyOf(st.mid.Bodies, slot) != 0 {
		c.addNear(st, slot, c.probe.extentOf(st.mid.Bodies[slot], st.defs, &st.rules))
	} else {
		c.addNear(st, slot, nowhere())
	}
}

// addNear takes in the bodies whose boxes overlap that of a slot in the recorded step,
// or the one it has now.
func (c *closure) addNear(st *recordedStep, slot int32, now extent) {
	old := st.was.box(slot)
	if old.empty() || now.empty() || old.meets(now) {
		c.addAll(st, old.with(now))
		return
	}
	c.addAll(st, old)
	c.addAll(st, now)
}

// addAll takes in the bodies whose boxes e overlaps.
func (c *closure) addAll(st *recordedStep, e extent) {
	c.found = st.was.findFixed(e, st.was.find(e, c.found[:0]))
	for _, other := range c.found {
		c.add(st, other)
	}
}

// bringGuests takes in the fixed bodies near the members. Of those that differ
// that has been done.
func (c *closure) bringGuests(st *recordedStep) {
	for ; c.hosted < len(c.members); c.hosted++ {
		slot := c.members[c.hosted]
		if c.in[slot]&differs == 0 {
			c.addFixed(st, st.was.box(slot))
		}
	}
}

// addFixed takes in the fixed bodies whose boxes e overlaps, and reports
// whether one of them is new.
func (c *closure) addFixed(st *recordedStep, e extent) (any bool) {
	c.found = st.was.findFixed(e, c.found[:0])
	for _, slot := range c.found {
		if c.in[slot]&(member|guest) == 0 {
			c.add(st, slot)
			any = true
		}
	}
	return any
}

// follow adds a body if mid has it.
func (c *closure) follow(st *recordedStep, slot int32, key uint64) {
	if st.hasNow(slot, key) {
		c.add(st, slot)
	}
}

// followContacts brings the bodies that members touched before the step: contacts tie
// sleepers, and are warm-started. A sensor is brought only by a body that differs. A
// fixed body that touched a removed one comes along, so that all such ends are reported
// anew.
func (c *closure) followContacts(st *recordedStep) {
	for i := range st.mid.Contacts {
		k := &st.mid.Contacts[i]
		if k.Gone() {
			c.followFixed(st, k.SlotA)
			continue
		}
		if (c.in.of(k.SlotA)|c.in.of(k.SlotB))&member == 0 {
			continue
		}
		either := c.in.status(st, k.SlotA, k.KeyA) | c.in.status(st, k.SlotB, k.KeyB)
		if either&member == 0 || k.Flags&SensorContact != 0 && either&differs == 0 {
			continue
		}
		c.follow(st, k.SlotA, k.KeyA)
		c.follow(st, k.SlotB, k.KeyB)
	}
}

// followFixed brings a body unless it is dynamic.
func (c *closure) followFixed(st *recordedStep, slot int32) {
	if slot >= 0 && st.was.kind(slot) != Dynamic && keyOf(st.mid.Bodies, slot) != 0 {
		c.add(st, slot)
	}
}

// followJoints is followContacts for joints.
func (c *closure) followJoints(st *recordedStep) {
	for i := range st.mid.Joints {
		j := &st.mid.Joints[i]
		if j.Gone() {
			c.followFixed(st, max(j.SlotA, j.SlotB))
			continue
		}
		if (c.in.of(j.SlotA)|c.in.of(j.SlotB))&member != 0 &&
			(c.in.status(st, j.SlotA, j.KeyA)|c.in.status(st, j.SlotB, j.KeyB))&member != 0 {
			c.follow(st, j.SlotA, j.KeyA)
			c.follow(st, j.SlotB, j.KeyB)
		}
	}
}

// check asserts that members and guests are marked once, and that all that a contact or
// a joint ties to a member is of the part.
func (c *closure) check(st *recordedStep) {
	marked := 0
	for slot, is := range c.in {
		if is&(member|guest) == member|guest {
			violated("slot %d is a member and a guest", slot)
		}
		if is != 0 {
			marked++
		}
	}
	if marked != len(c.members)+len(c.guests) || !distinct(append(slices.Clone(c.members), c.guests...), len(c.in)) {
		violated("%d slots are marked, the members are %v and the guests %v", marked, c.members, c.guests)
	}
	for i := range st.mid.Contacts {
		k := &st.mid.Contacts[i]
		a, b := c.in.status(st, k.SlotA, k.KeyA), c.in.status(st, k.SlotB, k.KeyB)
		if !k.Gone() && k.Flags&SensorContact == 0 && (a|b)&member != 0 &&
			!c.in.redone(st, k.SlotA, k.SlotB, k.KeyA, k.KeyB) {
			violated("the bodies %016x and %016x touch, and one of them is not in the part", k.KeyA, k.KeyB)
		}
	}
	for i := range st.mid.Joints {
		j := &st.mid.Joints[i]
		a, b := c.in.status(st, j.SlotA, j.KeyA), c.in.status(st, j.SlotB, j.KeyB)
		if !j.Gone() && (a|b)&member != 0 && !c.in.redone(st, j.SlotA, j.SlotB, j.KeyA, j.KeyB) {
			violated("the bodies %016x and %016x are joined, and one of them is not in the part", j.KeyA, j.KeyB)
		}
	}
}
