package physics

import (
	"fmt"
	"math"
	"strconv"
)

// DiffBody calls report for every number in which two bodies differ by a bit,
// with its name and the two values.
func DiffBody(a, b *Body, report func(name, va, vb string)) {
	diffWord("key", a.Key, b.Key, report)
	diffWord("def", uint64(a.Def), uint64(b.Def), report)
	diffWord("rest", uint64(a.Rest), uint64(b.Rest), report)
	for _, f := range [...]struct {
		name string
		a, b float64
	}{
		{"x", a.X, b.X}, {"y", a.Y, b.Y}, {"angle", a.Angle, b.Angle},
		{"vx", a.VX, b.VX}, {"vy", a.VY, b.VY}, {"w", a.W, b.W},
		{"cos", a.Cos, b.Cos}, {"sin", a.Sin, b.Sin},
		{"fx", a.FX, b.FX}, {"fy", a.FY, b.FY}, {"torque", a.Torque, b.Torque},
		{"tick fx", a.ImpFX, b.ImpFX}, {"tick fy", a.ImpFY, b.ImpFY}, {"tick torque", a.ImpT, b.ImpT},
	} {
		diffFloat(f.name, f.a, f.b, report)
	}
}

// DiffContacts calls report for every number in which the contacts of two
// states differ: key and other are the bodies, the lower key first.
func DiffContacts(a, b *State, report func(key, other uint64, name, va, vb string)) {
	i, j := 0, 0
	for i < len(a.Contacts) || j < len(b.Contacts) {
		order := 0
		switch {
		case i == len(a.Contacts):
			order = 1
		case j == len(b.Contacts):
			order = -1
		default:
			order = compareContacts(a.Contacts[i], b.Contacts[j])
		}
		switch {
		case order < 0:
			report(a.Contacts[i].KeyA, a.Contacts[i].KeyB, "contact", a.Contacts[i].kind(), "absent")
			i++
		case order > 0:
			report(b.Contacts[j].KeyA, b.Contacts[j].KeyB, "contact", "absent", b.Contacts[j].kind())
			j++
		default:
			diffContact(&a.Contacts[i], &b.Contacts[j], report)
			i, j = i+1, j+1
		}
	}
}

func (c *Contact) kind() string {
	if c.Gone() {
		return "gone"
	}
	return "touching"
}

func diffContact(a, b *Contact, report func(key, other uint64, name, va, vb string)) {
	here := func(name, va, vb string) { report(a.KeyA, a.KeyB, name, va, vb) }
	diffWord("flags", uint64(a.Flags), uint64(b.Flags), here)
	diffWord("points", uint64(a.Count), uint64(b.Count), here)
	for i := range a.ID {
		diffWord(fmt.Sprintf("point %d id", i), uint64(a.ID[i]), uint64(b.ID[i]), here)
		diffFloat(fmt.Sprintf("point %d normal impulse", i), a.Normal[i], b.Normal[i], here)
		diffFloat(fmt.Sprintf("point %d tangent impulse", i), a.Tangent[i], b.Tangent[i], here)
	}
}

// DiffJoints calls report for every number in which the joints of two states
// differ: key is the joint's.
func DiffJoints(a, b *State, report func(key uint64, name, va, vb string)) {
	i, j := 0, 0
	for i < len(a.Joints) || j < len(b.Joints) {
		switch {
		case j == len(b.Joints) || i < len(a.Joints) && compareJoints(a.Joints[i], b.Joints[j]) < 0:
			report(a.Joints[i].Key, "joint", "present", "absent")
			i++
		case i == len(a.Joints) || compareJoints(a.Joints[i], b.Joints[j]) > 0:
			report(b.Joints[j].Key, "joint", "absent", "present")
			j++
		default:
			diffJoint(&a.Joints[i], &b.Joints[j], report)
			i, j = i+1, j+1
		}
	}
}

func diffJoint(a, b *Joint, report func(key uint64, name, va, vb string)) {
	here := func(name, va, vb string) { report(a.Key, name, va, vb) }
	diffWord("body a", a.KeyA, b.KeyA, here)
	diffWord("body b", a.KeyB, b.KeyB, here)
	diffWord("kind", uint64(a.Kind), uint64(b.Kind), here)
	diffWord("flags", uint64(a.Flags), uint64(b.Flags), here)
	diffWord("rest", uint64(a.Rest), uint64(b.Rest), here)
	names, fa, fb := jointFloatNames(), a.floats(), b.floats()
	for i, name := range names {
		diffFloat(name, *fa[i], *fb[i], here)
	}
}

func diffWord(name string, a, b uint64, report func(name, va, vb string)) {
	if a != b {
		report(name, strconv.FormatUint(a, 16), strconv.FormatUint(b, 16))
	}
}

// diffFloat compares bits, so that -0 and 0 differ.
func diffFloat(name string, a, b float64, report func(name, va, vb string)) {
	if math.Float64bits(a) != math.Float64bits(b) {
		report(name, strconv.FormatFloat(a, 'g', -1, 64), strconv.FormatFloat(b, 'g', -1, 64))
	}
}
