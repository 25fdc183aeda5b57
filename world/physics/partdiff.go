package physics

import (
	"cmp"
	"math"
)

// Bits, not ==: -0 and 0 differ, and a NaN is itself.

// Same reports whether two bodies agree in every bit.
func (b *Body) Same(c *Body) bool {
	return b.Key == c.Key && b.Def == c.Def && b.Rest == c.Rest &&
		same(b.X, c.X) && same(b.Y, c.Y) && same(b.Angle, c.Angle) &&
		same(b.VX, c.VX) && same(b.VY, c.VY) && same(b.W, c.W) &&
		same(b.Cos, c.Cos) && same(b.Sin, c.Sin) &&
		same(b.FX, c.FX) && same(b.FY, c.FY) && same(b.Torque, c.Torque) &&
		same(b.ImpFX, c.ImpFX) && same(b.ImpFY, c.ImpFY) && same(b.ImpT, c.ImpT)
}

func (c *Contact) sameBits(d *Contact) bool {
	return c.SlotA == d.SlotA && c.SlotB == d.SlotB && c.SameBits(d)
}

// SameBits reports whether two contacts agree in every bit, slots aside.
func (c *Contact) SameBits(d *Contact) bool {
	return c.KeyA == d.KeyA && c.KeyB == d.KeyB &&
		c.Count == d.Count && c.Flags == d.Flags && c.ID == d.ID && c.PartA == d.PartA && c.PartB == d.PartB &&
		same(c.Normal[0], d.Normal[0]) && same(c.Normal[1], d.Normal[1]) &&
		same(c.Tangent[0], d.Tangent[0]) && same(c.Tangent[1], d.Tangent[1])
}

// Same reports whether two joints agree in every bit.
func (j *Joint) Same(k *Joint) bool {
	return j.SlotA == k.SlotA && j.SlotB == k.SlotB && j.SameBits(k)
}

// SameBits reports whether two joints agree in every bit, slots aside.
func (j *Joint) SameBits(k *Joint) bool {
	if j.Key != k.Key || j.KeyA != k.KeyA || j.KeyB != k.KeyB || j.Kind != k.Kind || j.Flags != k.Flags ||
		j.Rest != k.Rest {
		return false
	}
	a, b := j.floats(), k.floats()
	for i := range a {
		if !same(*a[i], *b[i]) {
			return false
		}
	}
	return true
}

func (e *Event) sameBits(f *Event) bool {
	return e.A == f.A && e.B == f.B && e.KeyA == f.KeyA && e.KeyB == f.KeyB && e.Sensor == f.Sensor &&
		same(
			e.Point.X,
			f.Point.X,
		) && same(e.Point.Y, f.Point.Y) && same(e.Normal.X, f.Normal.X) && same(e.Normal.Y, f.Normal.Y) &&
		same(e.Impulse, f.Impulse) && same(e.Speed, f.Speed)
}

func (e *JointEvent) sameBits(f *JointEvent) bool {
	return e.Key == f.Key && e.A == f.A && e.B == f.B && e.KeyA == f.KeyA && e.KeyB == f.KeyB &&
		e.Broke == f.Broke && same(e.Force, f.Force) && same(e.Torque, f.Torque)
}

func same(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// compare returns the order of events: ends of one pair are reported first for the body
// that was removed.
func (e *Event) compare(f *Event) int {
	switch {
	case e.KeyA != f.KeyA:
		return cmp.Compare(e.KeyA, f.KeyA)
	case e.KeyB != f.KeyB:
		return cmp.Compare(e.KeyB, f.KeyB)
	}
	return cmp.Compare(min(e.A, e.B, 0), min(f.A, f.B, 0))
}

func (e *JointEvent) compare(f *JointEvent) int { return cmp.Compare(e.Key, f.Key) }

// merging says how merge takes elements of a sorted list for others.
type merging[T any] struct {
	order   func(a, b *T) int
	same    func(a, b *T) bool
	redone  func(*T) bool // is replaced
	differs func(*T)      // is new, or gone, or has other bits than it had
}

// merge replaces in old what is redone by fresh; both are sorted. It works in
// the memory of old. Where more comes than goes, the rest of old is kept in
// tail on the way.
func merge[T any](old, fresh []T, tail *[]T, m merging[T]) []T {
	agreed, fresh := m.replace(old, fresh)
	if agreed == len(old) && len(fresh) == 0 {
		return old
	}
	out, rest, inPlace := old[:agreed], old[agreed:], true
	for len(rest) > 0 || len(fresh) > 0 {
		order := 0
		switch {
		case len(rest) == 0:
			order = 1
		case len(fresh) == 0:
			order = -1
		default:
			order = m.order(&rest[0], &fresh[0])
		}
		switch redone := order <= 0 && m.redone(&rest[0]); {
		case order > 0 || !redone && order == 0:
			if inPlace && len(out)+len(rest) == len(old) {
				*tail = append((*tail)[:0], rest...)
				rest, inPlace = *tail, false
			}
			m.differs(&fresh[0])
			out, fresh = append(out, fresh[0]), fresh[1:]
		case !redone:
			out, rest = append(out, rest[0]), rest[1:]
		case order < 0:
			m.differs(&rest[0])
			rest = rest[1:]
		default:
			if !m.same(&rest[0], &fresh[0]) {
				m.differs(&rest[0]) // an end may tell of the other body that is gone
				m.differs(&fresh[0])
			}
			out, rest, fresh = append(out, fresh[0]), rest[1:], fresh[1:]
		}
	}
	return out
}

// replace does what merge does as long as the same come as go, which is the
// usual case. It gives how many of old are done, and the fresh that remain.
func (m *merging[T]) replace(old, fresh []T) (agreed int, remain []T) {
	for i := range old {
		o := &old[i]
		if !m.redone(o) {
			continue
		}
		if len(fresh) == 0 || m.order(o, &fresh[0]) != 0 {
			return agreed, fresh
		}
		if !m.same(o, &fresh[0]) {
			m.differs(o)
			m.differs(&fresh[0])
			*o = fresh[0]
		}
		agreed, fresh = i+1, fresh[1:]
	}
	if len(fresh) == 0 {
		agreed = len(old)
	}
	return agreed, fresh
}
