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
	return differingRow(class, s.Row(at), p.Fields)
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
