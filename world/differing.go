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

// EachReplaced calls f with each object of which a shared set replaces something in s, a state of the same tick, and
// with the first part that differs, as DifferingField names it. If the objects equal and only contacts or joints do
// not, it is called with an object of each of those.
func (s *State) EachReplaced(schema *Schema, with Committed, f func(o *Object, part string)) {
	c := comparison{s, with, schema}
	some := false
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if !s.Shared(schema, int(slot)) || c.leaves(o.ID) {
			continue
		}
		if at, here := with.Shared.Find(o.ID); !here {
			some = true
			f(o, Presence)
		} else if !sameObject(s, int(slot), with.Shared, at) {
			some = true
			f(o, differingPart(s, int(slot), with.Shared, at, schema))
		}
	}
	for _, slot := range with.Shared.Run {
		o := &with.Shared.Objects[slot]
		if c.leaves(o.ID) {
			continue
		}
		if at, here := s.Find(o.ID); !here || !s.Shared(schema, at) {
			some = true
			f(o, Presence)
		}
	}
	if !some { // objects that are elsewhere touch others: these ties say nothing more
		c.eachTie(f)
	}
}

// differingPart names the first part in which an object of a shared set differs from that of s.
func differingPart(s *State, slot int, shared *State, at int, schema *Schema) string {
	o, b := &shared.Objects[at], shared.Body(at)
	u := ProxyUpdate{
		Object:   o.ID,
		Class:    o.Class,
		Owner:    o.Owner,
		Pose:     b.Pose,
		Velocity: b.Velocity,
		Fields:   shared.Row(at),
	}
	if part := u.DifferingField(s, schema); part != "" {
		return part
	}
	d := differ{schema: schema, limit: 1} // what no snapshot has, such as sleep and faults
	if d.object(s, shared, slot, at); len(d.out) > 0 {
		return d.out[0].Field
	}
	return "state"
}

// eachTie calls f with an object of each contact and joint that only one of the two states has with these bits, and
// with what it is in a word.
func (c *comparison) eachTie(f func(o *Object, part string)) {
	tie := func(part string, a, b uint64) {
		for _, key := range [...]uint64{a, b} {
			for _, in := range [...]*State{c.with.Shared, c.s} {
				if slot, ok := in.Find(ObjectID(key)); ok && key != 0 {
					f(&in.Objects[slot], part)
					return
				}
			}
		}
	}
	ties, theirs, p := c.ties(), c.isShared, &c.s.Physics
	unlike := func(in []physics.Contact, k *physics.Contact) bool {
		at, here := slices.BinarySearchFunc(in, k, func(o physics.Contact, k *physics.Contact) int { return o.Compare(k) })
		return !here || !in[at].SameBits(k)
	}
	for i := range ties.Contacts {
		if k := &ties.Contacts[i]; unlike(p.Contacts, k) {
			tie("contact", k.KeyA, k.KeyB)
		}
	}
	for i := range p.Contacts {
		if k := &p.Contacts[i]; theirs(k.KeyA) && theirs(k.KeyB) && unlike(ties.Contacts, k) {
			tie("contact", k.KeyA, k.KeyB)
		}
	}
	for i := range ties.Joints {
		j := &ties.Joints[i]
		if at, here := p.FindJoint(j.Key); !here || !p.Joints[at].SameBits(j) {
			tie("joint", j.KeyA, j.KeyB)
		}
	}
	for i := range p.Joints {
		j := &p.Joints[i]
		if !theirs(j.KeyA) || j.KeyB != 0 && !theirs(j.KeyB) {
			continue
		}
		if at, here := ties.FindJoint(j.Key); !here || !ties.Joints[at].SameBits(j) {
			tie("joint", j.KeyA, j.KeyB)
		}
	}
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
