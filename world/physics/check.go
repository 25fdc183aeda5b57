package physics

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/detmath"
)

// A Finding is something in a state, a Def or the Params that a Step ignores or changes
// without saying so. Step never looks for these: it does the same work in each tick,
// and does nothing with what it cannot use. It implements error.
type Finding struct {
	Kind  FindingKind
	Where string // such as "def 2", or "body 0000000000000007 in slot 3"
	What  string // the value, its consequence, and what to do
}

// Error returns the position and the text.
func (f Finding) Error() string { return f.Where + ": " + f.What }

// FindingKind distinguishes findings that can be intended from mistakes.
type FindingKind uint8

// The kinds of finding.
const (
	Ignored     FindingKind = iota // a value has no effect, or not the one that it seems to have
	Weightless                     // GravityScale is 0: gravity does not move the bodies
	Untouchable                    // Layer or Collides is 0: the bodies meet nothing
)

// longestStep is the DT, in seconds, above which CheckParams takes it for another unit.
const longestStep = 0.25

// findings collects the findings of a check.
type findings struct {
	where string
	all   []Finding
}

func (f *findings) add(kind FindingKind, format string, args ...any) {
	f.all = append(f.all, Finding{Kind: kind, Where: f.where, What: fmt.Sprintf(format, args...)})
}

// ignored adds a finding of this kind if a condition holds.
func (f *findings) ignored(when bool, format string, args ...any) {
	if when {
		f.add(Ignored, format, args...)
	}
}

// at returns a Finding's list for a place, to be added to f.
func (f *findings) at(where string, all []Finding) {
	for _, one := range all {
		one.Where = where
		f.all = append(f.all, one)
	}
}

// Check reports what Step would ignore or change in s with these Defs and Params, in the
// order params, defs, bodies, joints, contacts. It returns nil if there is nothing. It is for
// programs that make a State by hand: call it once the State is built, and in tests. It
// reads all of s and allocates.
func Check(s *State, defs []Def, p Params) []Finding {
	var f findings
	f.at("params", CheckParams(p))
	for i := range defs {
		f.at(fmt.Sprintf("def %d", i), CheckDef(&defs[i], p))
	}
	f.checkLayers(s, defs)
	for slot := range s.Bodies {
		if b := &s.Bodies[slot]; *b != (Body{}) {
			f.at(fmt.Sprintf("body %016x in slot %d", b.Key, slot), CheckBody(b, defs))
		}
	}
	f.checkKeys(s)
	for i := range s.Joints {
		f.checkJointIn(s, defs, p, i)
	}
	f.checkContacts(s)
	return f.all
}

// CheckParams reports values of p that Step ignores, or that seem to be in the wrong
// unit.
func CheckParams(p Params) []Finding {
	f := findings{where: "params"}
	f.ignored(!(p.DT > 0) || !finite(p.DT), "DT = %v: Step does nothing unless DT is above 0 s", p.DT)
	f.ignored(p.DT > longestStep && finite(p.DT),
		"DT = %v s is longer than %v s: give seconds per step, such as 1.0/60", p.DT, longestStep)
	f.ignored(p.Substeps < 1, "Substeps = %d counts as 1: stacks and joints are soft then; 4 is usual at 60 Hz",
		p.Substeps)
	f.ignored(!finite(p.GravityX) || !finite(p.GravityY),
		"GravityX, GravityY = %v, %v: must be finite, or bodies stand still", p.GravityX, p.GravityY)
	for _, v := range [...]struct {
		name  string
		value float64
		means string
	}{
		{"SleepAfter", p.SleepAfter, "0, so no body sleeps"},
		{"BounceSpeed", p.BounceSpeed, "0, which means 1 m/s"},
		{"HitSpeed", p.HitSpeed, "0, so Hits reports none"},
	} {
		f.ignored(!(v.value >= 0), "%s = %v counts as %s", v.name, v.value, v.means)
	}
	f.ignored(p.MostPairs < 0, "MostPairs = %d counts as 0, which means %d", p.MostPairs, MaxPairs)
	return f.all
}

// CheckBody reports values of a body that Step ignores or clamps.
func CheckBody(b *Body, defs []Def) []Finding {
	f := findings{where: fmt.Sprintf("body %016x", b.Key)}
	f.ignored(b.Key == 0, "Key = 0 means that the slot is free: give each body a key of its own")
	if int(b.Def) >= len(defs) {
		f.add(Ignored, "Def = %d: there are %d Defs, so the body does nothing", b.Def, len(defs))
		return f.all
	}
	f.checkPose(b)
	f.checkMotion(b)
	f.checkUse(b, &defs[b.Def])
	return f.all
}

// checkPose looks at where a body is.
func (f *findings) checkPose(b *Body) {
	out := func(v, limit float64) bool { return !(math.Abs(v) <= limit) }
	if !finite(b.Angle) || b.Angle != detmath.Wrap(b.Angle) {
		f.add(Ignored, "Angle = %v: must be in (-pi, pi] radians; SetAngle brings an angle into this range", b.Angle)
	} else if sin, cos := detmath.Sincos(b.Angle); sin != b.Sin || cos != b.Cos {
		f.add(
			Ignored,
			"Cos, Sin = %v, %v do not belong to Angle = %v, and the body collides as they say: make "+
				"bodies with NewBody, and turn them with SetAngle",
			b.Cos,
			b.Sin,
			b.Angle,
		)
	}
	f.ignored(out(b.X, MaxPosition) || out(b.Y, MaxPosition), "X, Y = %v, %v: Step holds a body within %v m", b.X,
		b.Y, float64(MaxPosition))
}

// checkMotion looks at the numbers that move a body.
func (f *findings) checkMotion(b *Body) {
	vx, vy, w := b.VX, b.VY, b.W
	f.ignored(holdSpeed(&vx, &vy) || !finite(b.VX) || !finite(b.VY),
		"VX, VY = %v, %v: Step holds the speed at %v m/s", b.VX, b.VY, float64(MaxSpeed))
	f.ignored(hold(&w, MaxSpin), "W = %v: Step holds it at %v rad/s", b.W, float64(MaxSpin))
	for _, v := range [...]float64{b.FX, b.FY, b.Torque, b.ImpFX, b.ImpFY, b.ImpT} {
		if !finite(v) {
			f.add(Ignored, "a force or torque is %v: Step drops all forces of the body", v)
			return
		}
	}
}

// checkUse looks for numbers that count for other types of body only.
func (f *findings) checkUse(b *Body, d *Def) {
	moves := b.VX != 0 || b.VY != 0 || b.W != 0
	turned := b.Torque != 0 || b.ImpT != 0
	forced := turned || b.FX != 0 || b.FY != 0 || b.ImpFX != 0 || b.ImpFY != 0
	switch {
	case d.Type == Static:
		f.ignored(moves, "VX, VY, W = %v, %v, %v: a static body does not move; make it Kinematic", b.VX, b.VY, b.W)
		f.ignored(forced, "a force on a static body has no effect")
	case d.Type == Kinematic:
		f.ignored(forced, "a force on a kinematic body has no effect: set its velocity, or make it Dynamic")
	case d.Type == Dynamic && d.FixedRotation:
		f.ignored(b.W != 0, "W = %v: the Def has FixedRotation, so Step sets it to 0", b.W)
		f.ignored(turned, "a torque on a body with FixedRotation has no effect")
	}
}

// checkKeys reports keys that several bodies have.
func (f *findings) checkKeys(s *State) {
	for first, second := range keyIndex(s.Bodies).doubles {
		f.where = fmt.Sprintf("body %016x in slot %d", s.Bodies[second].Key, second)
		f.add(Ignored,
			"the body in slot %d has the same key: contacts, joints and events cannot tell the two apart", first)
	}
}

// checkContacts reports contacts whose bodies are not where they say: bodies that changed
// their slot, or were taken out without Remove.
func (f *findings) checkContacts(s *State) {
	for i := range s.Contacts {
		c := &s.Contacts[i]
		f.where = fmt.Sprintf("contact %016x-%016x", c.KeyA, c.KeyB)
		okA, okB := s.keyAt(c.SlotA) == c.KeyA, s.keyAt(c.SlotB) == c.KeyB
		f.ignored(!(okA || c.Flags&GoneA != 0) || !(okB || c.Flags&GoneB != 0),
			"its bodies are not in slots %d and %d: a body keeps its slot; take bodies out with State.Remove",
			c.SlotA, c.SlotB)
		f.ignored(i > 0 && compareContacts(s.Contacts[i-1], *c) >= 0,
			"it comes after a contact that it must precede, or occurs twice")
	}
}

// checkLayers reports Defs whose bodies could meet others, by their types, and meet none, by
// their layers.
func (f *findings) checkLayers(s *State, defs []Def) {
	count := make([]int, len(defs))
	for slot := range s.Bodies {
		if b := &s.Bodies[slot]; b.Key != 0 && int(b.Def) < len(defs) {
			count[b.Def]++
		}
	}
	for i := range defs {
		d := &defs[i]
		if count[i] == 0 || d.Layer == 0 || d.Collides == 0 {
			continue
		}
		others, meets, oneWay := 0, false, -1
		for k := range defs {
			e := &defs[k]
			if count[k] == 0 || k == i && count[k] == 1 || d.Type != Dynamic && e.Type != Dynamic {
				continue
			}
			others++
			meets = meets || d.meets(e)
			if oneWay < 0 && d.Collides&e.Layer|e.Collides&d.Layer != 0 {
				oneWay = k
			}
		}
		f.where = fmt.Sprintf("def %d", i)
		switch {
		case others == 0 || meets:
		case oneWay >= 0:
			f.add(
				Untouchable,
				"its bodies collide with no others: two bodies collide if each has the layer of the "+
					"other in Collides, and with def %d only one of the two has",
				oneWay,
			)
		default:
			f.add(Untouchable,
				"its bodies collide with no others: Layer = %#x and Collides = %#x match no other Def in use",
				d.Layer, d.Collides)
		}
	}
}
