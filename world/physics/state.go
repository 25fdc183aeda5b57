package physics

import (
	"cmp"
	"slices"
)

// State has all bodies, contacts and joints. A rewind restores it. Copies are
// independent. A slot is an index of Bodies; slots may be free (Key 0), and which slot
// a body has influences nothing.
type State struct {
	Bodies   []Body
	Contacts []Contact // sorted by (KeyA, KeyB, PartA, PartB)
	Joints   []Joint   // sorted by Key
}

// Memory returns roughly how many bytes s takes.
func (s *State) Memory() int { return 240*len(s.Bodies) + 96*len(s.Contacts) + 200*len(s.Joints) }

// Contact is a pair of shapes that touch, with what the next step starts from. Its
// geometry is not kept: it is a function of the two bodies.
//
// After Remove a contact of the body that went stays until the next Step
// reports its end: Gone says so, and both slots are that of the body that
// remains.
type Contact struct {
	KeyA, KeyB   uint64 // KeyA < KeyB
	SlotA, SlotB int32  // of the two bodies
	Count        uint8  // points in use
	Flags        ContactFlags
	ID           [2]uint16  // which features of the shapes made each point
	PartA, PartB uint8      // which shapes of the two bodies
	Normal       [2]float64 // N s of the last sub-step along the normal, each point
	Tangent      [2]float64 // N s of the last sub-step along the tangent
}

// ContactFlags are the flags of a contact.
type ContactFlags uint8

// The flags of a contact.
const (
	SensorContact ContactFlags = 1 << iota // one of the two only senses
	FixedA                                 // A is static or kinematic
	FixedB                                 // B is static or kinematic
	GoneA                                  // A has been removed
	GoneB                                  // B has been removed

	goneFlags  = GoneA | GoneB
	knownFlags = SensorContact | FixedA | FixedB | goneFlags
)

// Gone reports whether one of the two bodies has been removed.
func (c *Contact) Gone() bool { return c.Flags&goneFlags != 0 }

// Impulse returns the sum of the normal impulses of the last sub-step, N s.
func (c *Contact) Impulse() float64 { return c.Normal[0] + c.Normal[1] }

// joins reports whether the contact makes one island of its bodies.
func (c *Contact) joins() bool {
	return c.Flags&(SensorContact|FixedA|FixedB|goneFlags) == 0
}

// compareContacts returns the order of State.Contacts. A pair can stand twice: as
// gone and, when a body with the same key came back, as touching.
func compareContacts(a, b Contact) int { return a.compare(&b) }

func (c *Contact) compare(d *Contact) int {
	switch {
	case c.KeyA != d.KeyA:
		return cmp.Compare(c.KeyA, d.KeyA)
	case c.KeyB != d.KeyB:
		return cmp.Compare(c.KeyB, d.KeyB)
	case (c.Flags^d.Flags)&goneFlags != 0:
		return cmp.Compare(d.Flags&goneFlags, c.Flags&goneFlags)
	}
	return cmp.Compare(partsOf(c.PartA, c.PartB), partsOf(d.PartA, d.PartB))
}

// partsOf is the order of contacts between the same bodies.
func partsOf(a, b uint8) uint16 { return uint16(a)<<8 | uint16(b) }

// CopyFrom makes s equal to src in the memory that s has; once that is large
// enough it allocates nothing.
func (s *State) CopyFrom(src *State) {
	s.Bodies = append(s.Bodies[:0], src.Bodies...)
	s.Contacts = append(s.Contacts[:0], src.Contacts...)
	s.Joints = append(s.Joints[:0], src.Joints...)
}

// BodyBytes, ContactBytes and JointBytes are what a Body, a Contact and a
// Joint take in memory.
const (
	BodyBytes    = 128
	ContactBytes = 64
	JointBytes   = 224
)

// Size returns the number of bytes that a copy of s holds.
func (s *State) Size() int {
	return len(s.Bodies)*BodyBytes + len(s.Contacts)*ContactBytes + len(s.Joints)*JointBytes
}

// keyAt returns the key of the body in a slot, 0 if there is none.
func (s *State) keyAt(slot int32) uint64 {
	if slot < 0 || int(slot) >= len(s.Bodies) {
		return 0
	}
	return s.Bodies[slot].Key
}

// Remove frees a slot. The contacts of its body stay in the State, marked gone, until the
// next Step has reported their ends, so that a rewind to the time between reports them
// too; a contact of which both bodies are gone is dropped and not reported. Joints of the
// body are treated in the same way.
func (s *State) Remove(slot int) {
	key := s.Bodies[slot].Key
	s.Bodies[slot] = Body{}
	if key == 0 {
		return
	}
	s.removeJoints(slot)
	kept := s.Contacts[:0]
	for _, c := range s.Contacts {
		switch {
		case int(c.SlotA) != slot && int(c.SlotB) != slot:
		case c.Gone():
			continue
		case c.KeyA == key:
			c.markGone(GoneA, c.SlotB)
		default:
			c.markGone(GoneB, c.SlotA)
		}
		if n := len(kept); n > 0 && c.Gone() && compareContacts(kept[n-1], c) == 0 {
			continue // of several parts one end
		}
		kept = append(kept, c)
	}
	s.Contacts = kept
}

// markGone keeps only the parts of a contact that its end event needs.
func (c *Contact) markGone(which ContactFlags, remains int32) {
	*c = Contact{KeyA: c.KeyA, KeyB: c.KeyB, SlotA: remains, SlotB: remains,
		Flags: c.Flags&SensorContact | which}
}

// place puts a contact of other slots into s, with the slots that find gives
// for its keys. A contact of which one body is missing is marked gone; of
// which both are, dropped. The order is not kept: sort afterwards.
func (s *State) placeContact(c Contact, find func(key uint64) (slot int, ok bool)) bool {
	a, okA := find(c.KeyA)
	b, okB := find(c.KeyB)
	okA, okB = okA && c.Flags&GoneA == 0, okB && c.Flags&GoneB == 0
	switch {
	case okA && okB:
		c.SlotA, c.SlotB = int32(a), int32(b)
	case okA:
		c.markGone(GoneB, int32(a))
	case okB:
		c.markGone(GoneA, int32(b))
	default:
		return false
	}
	s.Contacts = append(s.Contacts, c)
	return true
}

// sortContacts sorts, and drops what is gone twice with several parts.
func (s *State) sortContacts() {
	slices.SortFunc(s.Contacts, compareContacts)
	s.Contacts = slices.CompactFunc(
		s.Contacts,
		func(a, b Contact) bool { return a.Gone() && compareContacts(a, b) == 0 },
	)
}

// CarryContacts replaces the contacts of s by those of old, between the bodies that find
// knows in s. The next Step reports the end of each contact with another body.
func (s *State) CarryContacts(old *State, find func(key uint64) (slot int, ok bool)) {
	s.Contacts = s.Contacts[:0]
	for i := range old.Contacts {
		s.placeContact(old.Contacts[i], find)
	}
	s.sortContacts()
}

// ReplaceTies replaces the contacts and joints that s has among the bodies of part, and
// between one of them and the world, by those of part. It allocates: it is for
// corrections, not for every tick.
func (s *State) ReplaceTies(part *State) {
	s.replaceContacts(part)
	s.replaceJoints(part)
}

// replaceContacts puts the contacts of part in the place of those that s has
// among the bodies of part. Contacts between a body of part and another one
// stay as they are. No end is due of a contact because a body is gone that is
// here. It allocates: it is for corrections, not for every tick.
func (s *State) replaceContacts(part *State) {
	inPart := keyIndex(part.Bodies)
	here := keyIndex(s.Bodies)
	s.Contacts = slices.DeleteFunc(s.Contacts, func(c Contact) bool {
		return inPart.amongThem(&c) || inPart.bringBack(&c)
	})
	for i := range part.Contacts {
		if !here.bringBack(&part.Contacts[i]) {
			s.placeContact(part.Contacts[i], here.find)
		}
	}
	s.sortContacts()
}

// keySlots are keys with their slots, sorted by key.
type keySlots []keySlot

type keySlot struct {
	key  uint64
	slot int32
}

func keyIndex(bodies []Body) keySlots {
	ks := make(keySlots, 0, len(bodies))
	for slot := range bodies {
		if key := bodies[slot].Key; key != 0 {
			ks = append(ks, keySlot{key, int32(slot)})
		}
	}
	slices.SortFunc(ks, func(a, b keySlot) int { return cmp.Compare(a.key, b.key) })
	return ks
}

func (ks keySlots) find(key uint64) (slot int, ok bool) {
	i, ok := slices.BinarySearchFunc(ks, key, func(e keySlot, key uint64) int { return cmp.Compare(e.key, key) })
	if !ok {
		return 0, false
	}
	return int(ks[i].slot), true
}

// doubles iterates over the pairs of slots that have the same key.
func (ks keySlots) doubles(yield func(first, second int32) bool) {
	for i := 1; i < len(ks); i++ {
		if a, b := ks[i-1], ks[i]; a.key == b.key && !yield(min(a.slot, b.slot), max(a.slot, b.slot)) {
			return
		}
	}
}

// distinct reports whether no key is there twice.
func (ks keySlots) distinct() bool {
	return ascending(ks, func(a, b *keySlot) int { return cmp.Compare(a.key, b.key) })
}

// bringBack reports whether a body that a contact says is gone is in ks.
func (ks keySlots) bringBack(c *Contact) bool {
	_, okA := ks.find(c.KeyA)
	_, okB := ks.find(c.KeyB)
	return okA && c.Flags&GoneA != 0 || okB && c.Flags&GoneB != 0
}

// amongThem reports whether all of a contact's bodies that are not gone are
// in ks.
func (ks keySlots) amongThem(c *Contact) bool {
	_, okA := ks.find(c.KeyA)
	_, okB := ks.find(c.KeyB)
	return (okA || c.Flags&GoneA != 0) && (okB || c.Flags&GoneB != 0)
}
