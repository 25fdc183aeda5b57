package physics

import "slices"

// Changed appends, ascending, the slots of which the body, a contact or a joint differs in a bit
// between two states of one history, in the sense of PartialRerun.Changed. gone returns the slot of a
// body that is in neither state.
func Changed(old, now *State, defs []Def, gone func(key uint64) (slot int, ok bool), out []int32) []int32 {
	from := len(out)
	for slot := range max(len(old.Bodies), len(now.Bodies)) {
		if a, b := old.bodyAt(slot), now.bodyAt(slot); !a.Same(&b) {
			out = append(out, int32(slot))
		}
	}
	eachDifference(old.Contacts, now.Contacts, (*Contact).compare, (*Contact).sameBits, func(c *Contact) {
		out = c.appendFree(old, now, defs, gone, out)
	})
	eachDifference(old.Joints, now.Joints, (*Joint).compare, (*Joint).Same, func(j *Joint) {
		out = j.appendFree(now, defs, gone, out)
	})
	slices.Sort(out[from:])
	return append(out[:from], slices.Compact(out[from:])...)
}

func (s *State) bodyAt(slot int) (b Body) {
	if slot >= 0 && slot < len(s.Bodies) {
		b = s.Bodies[slot]
	}
	return b
}

// appendFree appends the slots of the bodies that a contact concerns: those
// that are dynamic, or both if none is, or, when the one that remains is not, of the one that went.
func (c *Contact) appendFree(old, now *State, defs []Def, gone func(key uint64) (slot int, ok bool), out []int32) []int32 {
	if c.Gone() {
		if b := now.bodyAt(int(c.SlotA)); b.Key != 0 && defs[b.Def].Type == Dynamic {
			return append(out, c.SlotA)
		}
		return appendGone(c.KeyA, c.KeyB, c.SlotA, now, defs, gone, out)
	}
	if c.Flags&FixedA != 0 && c.Flags&FixedB != 0 {
		if old.hasBoth(c) && now.hasBoth(c) { // else the one that is missing differs
			out = append(out, c.SlotA, c.SlotB)
		}
		return out
	}
	if c.Flags&FixedA == 0 {
		out = append(out, c.SlotA)
	}
	if c.Flags&FixedB == 0 {
		out = append(out, c.SlotB)
	}
	return out
}

// hasBoth reports whether the bodies of a contact are there.
func (s *State) hasBoth(c *Contact) bool {
	return s.bodyAt(int(c.SlotA)).Key == c.KeyA && s.bodyAt(int(c.SlotB)).Key == c.KeyB
}

// appendFree is Contact.appendFree for a joint. Of one that ties two bodies none of
// which is dynamic, or one such to the world, it appends them.
func (j *Joint) appendFree(now *State, defs []Def, gone func(key uint64) (slot int, ok bool), out []int32) []int32 {
	from := len(out)
	for _, slot := range [...]int32{j.SlotA, j.SlotB} {
		if b := now.bodyAt(int(slot)); slot >= 0 && (b.Key == 0 || defs[b.Def].Type == Dynamic) {
			out = append(out, slot)
		}
	}
	if len(out) == from && !j.Gone() {
		for _, slot := range [...]int32{j.SlotA, j.SlotB} {
			if slot >= 0 {
				out = append(out, slot)
			}
		}
		return out
	}
	if b := now.bodyAt(int(max(j.SlotA, j.SlotB))); !j.Gone() || b.Key != 0 && defs[b.Def].Type == Dynamic {
		return out
	}
	return appendGone(j.KeyA, j.KeyB, max(j.SlotA, j.SlotB), now, defs, gone, out)
}

// appendGone appends the slots of two bodies if they were removed or are dynamic. If there is none, because the body
// that went had come in the same tick, it appends the slot of the one that is left. One that went and is back differs.
func appendGone(
	keyA, keyB uint64,
	left int32,
	now *State,
	defs []Def,
	gone func(key uint64) (slot int, ok bool),
	out []int32,
) []int32 {
	from, back := len(out), false
	for _, key := range [...]uint64{keyA, keyB} {
		if slot, ok := gone(key); ok {
			if b := now.bodyAt(slot); b.Key == 0 || defs[b.Def].Type == Dynamic {
				out = append(out, int32(slot))
			} else if b.Key == key && int32(slot) != left {
				back = true
			}
		}
	}
	if len(out) == from && !back && left >= 0 {
		out = append(out, left)
	}
	return out
}

// eachDifference calls f for every element of two sorted lists that the other list lacks, or has with
// other bits.
func eachDifference[T any](a, b []T, order func(*T, *T) int, same func(*T, *T) bool, f func(*T)) {
	for i, j := 0, 0; i < len(a) || j < len(b); {
		c := 0
		switch {
		case i == len(a):
			c = 1
		case j == len(b):
			c = -1
		default:
			c = order(&a[i], &b[j])
		}
		switch {
		case c < 0:
			f(&a[i])
			i++
		case c > 0:
			f(&b[j])
			j++
		default:
			if !same(&a[i], &b[j]) {
				f(&a[i])
				f(&b[j])
			}
			i, j = i+1, j+1
		}
	}
}
