package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Presence is what DifferingField returns for an object that only one of two states has.
const Presence = "presence"

// DifferingField names the first part in which an update differs from its object in s, a state of the same
// tick and of this schema: "position", "angle", "velocity", "spin", "owner", a field of its script, or
// Presence. It is "" if none of them differs.
func (p *ProxyUpdate) DifferingField(s *State, schema *Schema) string {
	at, ok := s.Find(p.Object)
	switch {
	case p.Freeze:
		return "velocity"
	case p.Gone || !ok || s.Objects[at].Class != p.Class:
		return Presence
	}
	class := &schema.Classes[p.Class]
	if class.Body != nil {
		b := physics.Body{Pose: p.Pose, Velocity: p.Velocity}
		b.SetAngle(p.Angle)
		if field := differingBody(s.Body(at), &b); field != "" {
			return field
		}
	}
	if s.Objects[at].Owner != p.Owner {
		return "owner"
	}
	if field := differingRow(class, s.Row(at), p.Fields); field != "" {
		return field
	}
	if HoldDiffers(s, class, at) || p.Fields.Known() && HoldOf(class, s.Row(at)) != HoldOf(class, p.Fields) {
		return "attachment"
	}
	return ""
}

// DifferingTie finds a contact or joint of a shared set that s does not have with the same bits. It returns the slot in
// shared of an object that it is of, and what it is in a word; "" if there is none.
func (s *State) DifferingTie(shared *State) (slot int, what string) {
	for i := range shared.Physics.Contacts {
		c := &shared.Physics.Contacts[i]
		at, here := slices.BinarySearchFunc(s.Physics.Contacts, c,
			func(o physics.Contact, c *physics.Contact) int { return o.Compare(c) })
		if !here || !s.Physics.Contacts[at].SameBits(c) {
			if slot, ok := shared.Find(ObjectID(c.KeyA)); ok {
				return slot, "contact"
			}
		}
	}
	for i := range shared.Physics.Joints {
		j := &shared.Physics.Joints[i]
		if at, here := s.Physics.FindJoint(j.Key); !j.Gone() && (!here || !s.Physics.Joints[at].SameBits(j)) {
			if slot, ok := shared.Find(ObjectID(j.KeyA)); ok {
				return slot, "joint"
			}
		}
	}
	return 0, ""
}

func differingBody(a, b *physics.Body) string {
	switch {
	case a.X != b.X || a.Y != b.Y:
		return "position"
	case a.Angle != b.Angle:
		return "angle"
	case a.VX != b.VX || a.VY != b.VY:
		return "velocity"
	case a.W != b.W:
		return "spin"
	}
	return ""
}

// differingRow names the first field that differs; none does if those of b are not known.
func differingRow(c *Class, a, b Row) string {
	for i := range c.Declared() {
		f := &c.Fields[i]
		if b.Known() && !slices.Equal(a.Words(f), b.Words(f)) {
			return f.Name
		}
	}
	return ""
}
