package physics

// changes are the differences that a partial step has made.
type changes struct {
	slots      slotSet  // of bodies that differ, or of which a contact or joint does
	others     slotSet  // that have another body, or none
	rereported slotSet  // of bodies of which an event differs
	gone       []uint64 // keys of such bodies that were removed
	moved      []Moved
	joints     []uint64   // keys of joints that differ
	old        State      // the previous after, if all bodies are stepped
	was        stepEvents // likewise its events

	contactTail    []Contact
	jointTail      []Joint
	eventTail      []Event
	jointEventTail []JointEvent
}

func (ch *changes) reset() {
	ch.slots.reset()
	ch.others.reset()
	ch.rereported.reset()
	ch.moved = ch.moved[:0]
	ch.joints = ch.joints[:0]
	ch.gone = ch.gone[:0]
}

func (ch *changes) grow(n int) {
	ch.slots.grow(n)
	ch.others.grow(n)
	ch.rereported.grow(n)
}

// put writes the lists of a PartialRerun.
func (ch *changes) put(part *PartialRerun) {
	part.Changed, part.Moved = ch.slots.sorted(), ch.moved
	part.Joints, part.Events, part.Gone = ch.joints, ch.rereported.sorted(), ch.gone
}

// writeBodies puts the members of the part into after, which then has n slots.
func (ch *changes) writeBodies(after *State, n int, x *excerpt, members []int32) {
	for len(after.Bodies) < n {
		after.Bodies = append(after.Bodies, Body{})
	}
	for _, slot := range members {
		b := x.body(slot)
		if int(slot) >= len(after.Bodies) {
			continue
		}
		if old := &after.Bodies[slot]; !old.Same(&b) {
			ch.move(slot, old, &b)
			*old = b
		}
	}
	after.Bodies = after.Bodies[:n]
}

// move notes that the body in a slot differs, and what it was.
func (ch *changes) move(slot int32, was, now *Body) {
	ch.moved = append(ch.moved, Moved{slot, *was})
	ch.slots.add(slot)
	if was.Key != now.Key {
		ch.others.add(slot)
	}
}

// writeRest puts the contacts, joints and events of the part in the place of
// those that after and the trace have of the same bodies.
func (ch *changes) writeRest(st *recordedStep, sub *State, events *stepEvents, in memberships) {
	ch.mergeTies(st.after, sub, func(c *Contact) bool {
		if c.Gone() { // a step leaves none
			panic(notAsMade)
		}
		return in.between(c.SlotA, c.SlotB)
	}, func(j *Joint) bool {
		if j.Gone() {
			panic(notAsMade)
		}
		return in.isMember(j.SlotA) || in.isMember(j.SlotB)
	})
	ch.mergeEvents(st.trace.happened(), events,
		func(e *Event) bool { return in.eventRedone(st.was, e) },
		func(e *JointEvent) bool { return in.jointEventRedone(st.was, e) })
}

// mergeTies replaces contacts and joints of old by those of fresh.
func (ch *changes) mergeTies(old, fresh *State, contactRedone func(*Contact) bool, jointRedone func(*Joint) bool) {
	old.Contacts = merge(old.Contacts, fresh.Contacts, &ch.contactTail, merging[Contact]{
		order: (*Contact).compare, same: (*Contact).sameBits, redone: contactRedone, differs: ch.contactDiffers})
	old.Joints = merge(old.Joints, fresh.Joints, &ch.jointTail, merging[Joint]{
		order: (*Joint).compare, same: (*Joint).Same, redone: jointRedone, differs: ch.jointDiffers})
}

// mergeEvents replaces events of old by those of fresh.
func (ch *changes) mergeEvents(old, fresh *stepEvents, redone func(*Event) bool, jointRedone func(*JointEvent) bool) {
	m := merging[Event]{order: (*Event).compare, same: (*Event).sameBits, redone: redone, differs: ch.eventDiffers}
	old.begins = merge(old.begins, fresh.begins, &ch.eventTail, m)
	old.ends = merge(old.ends, fresh.ends, &ch.eventTail, m)
	old.hits = merge(old.hits, fresh.hits, &ch.eventTail, m)
	old.broken = merge(old.broken, fresh.broken, &ch.jointEventTail, merging[JointEvent]{
		order: (*JointEvent).compare, same: (*JointEvent).sameBits, redone: jointRedone, differs: ch.jointEventDiffers})
}

// keepOld keeps what was, before all is stepped, and gives after and events the
// memory of others.
func (ch *changes) keepOld(after *State, events *stepEvents) {
	ch.old, *after = *after, ch.old
	ch.was, *events = *events, ch.was
}

// compare notes what came out differently. It merges everything new into what
// was.
func (ch *changes) compare(after *State, events *stepEvents) {
	ch.compareBodies(after)
	ch.mergeTies(&ch.old, after, all[Contact], all[Joint])
	ch.mergeEvents(&ch.was, events, all[Event], all[JointEvent])
}

func (ch *changes) compareBodies(after *State) {
	var free Body
	for slot := range max(len(ch.old.Bodies), len(after.Bodies)) {
		a, b := &free, &free
		if slot < len(ch.old.Bodies) {
			a = &ch.old.Bodies[slot]
		}
		if slot < len(after.Bodies) {
			b = &after.Bodies[slot]
		}
		if !a.Same(b) {
			ch.move(int32(slot), a, b)
		}
	}
}

// contactDiffers notes the bodies of a contact that has other bits than it had.
func (ch *changes) contactDiffers(c *Contact) {
	fixedA, fixedB := c.Flags&FixedA != 0, c.Flags&FixedB != 0
	if fixedA && fixedB && (ch.others.has[c.SlotA] || ch.others.has[c.SlotB]) {
		return // it is listed
	}
	if !fixedA || fixedB { // A is dynamic, or neither is: one senses the other, or has been dynamic
		ch.slots.add(c.SlotA)
	}
	if !fixedB || fixedA {
		ch.slots.add(c.SlotB)
	}
}

// jointDiffers is contactDiffers for joints. It notes the joint as well.
func (ch *changes) jointDiffers(j *Joint) {
	ch.joints = append(ch.joints, j.Key)
	for _, end := range [...]struct {
		slot  int32
		fixed bool
	}{{j.SlotA, j.Flags&JointFixedA != 0}, {j.SlotB, j.Flags&JointFixedB != 0}} {
		if end.slot >= 0 && (!end.fixed || j.Flags&jointFixed == jointFixed) {
			ch.slots.add(end.slot)
		}
	}
}

func (ch *changes) eventDiffers(e *Event) {
	ch.tell(e.A, e.KeyA)
	ch.tell(e.B, e.KeyB)
}

func (ch *changes) jointEventDiffers(e *JointEvent) {
	ch.tell(e.A, e.KeyA)
	ch.tell(e.B, e.KeyB)
}

// tell notes that an event of a body differs. slot -1: it was removed. key 0: it is the world.
func (ch *changes) tell(slot int32, key uint64) {
	switch {
	case slot >= 0:
		ch.rereported.add(slot)
	case key != 0:
		ch.gone = append(ch.gone, key)
	}
}

// all notes that everything is replaced.
func all[T any](*T) bool { return true }
