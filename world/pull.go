package world

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Pull is what an object that a client does not simulate does to a body of the shared set through a joint: a mean
// acceleration of a tick, in m/s2 and rad/s2. A client does not know the joint, and may not know the object at all, but
// it knows what came of them in complete ticks.
type Pull struct{ X, Y, Angular float64 }

// pullStep is the precision of a pull: a smaller change makes no tick different.
const pullStep = 1.0 / 4096

// Unpulled is how an object comes out of a tick without its pull.
type Unpulled struct {
	Object ObjectID
	body   physics.Body
}

// TakeUnpulled appends how the objects in these slots of before, the state of the tick before, are in run.
func TakeUnpulled(list []Unpulled, slots []int, before, run *State) []Unpulled {
	for _, slot := range slots {
		id := before.Objects[slot].ID
		if at, here := run.Find(id); here && run.Body(at).Key != 0 {
			list = append(list, Unpulled{id, *run.Body(at)})
		}
	}
	return list
}

// Pull returns the pull of the object, which s has with it; ok is false if its body is not there or is another one.
func (u *Unpulled) Pull(schema *Schema, s *State) (p Pull, ok bool) {
	slot, here := s.Find(u.Object)
	if !here || s.Body(slot).Key == 0 || s.Body(slot).Def != u.body.Def {
		return p, false
	}
	return pullBetween(schema, &u.body, s.Body(slot)), true
}

// pullBetween returns the pull that makes the velocity of the body want out of that of the body run, which come from
// the same body one tick before.
func pullBetween(schema *Schema, run, want *physics.Body) Pull {
	def, setup := &schema.Defs[run.Def], &schema.Setup
	seconds := 1 / (float64(setup.TickRate) * float64(setup.Substeps))
	round := func(change, damping float64) float64 {
		gain, left := 0.0, 1.0
		for range setup.Substeps {
			left /= 1 + float64(seconds*damping)
			gain += left
		}
		return math.Floor(float64(change/(seconds*gain)/pullStep)+0.5) * pullStep
	}
	return Pull{
		X:       round(want.VX-run.VX, def.LinearDamping),
		Y:       round(want.VY-run.VY, def.LinearDamping),
		Angular: round(want.W-run.W, def.AngularDamping),
	}
}

// Steady returns the part of a pull that it has in common with another: what a rope does when it becomes taut is over
// with that tick.
func (p Pull) Steady(o Pull) Pull {
	common := func(a, b float64) float64 {
		switch {
		case a > 0 && b > 0:
			return min(a, b)
		case a < 0 && b < 0:
			return max(a, b)
		}
		return 0
	}
	return Pull{common(p.X, o.X), common(p.Y, o.Y), common(p.Angular, o.Angular)}
}

// Pull accelerates the body in a slot during the step of this tick.
func (w *World) Pull(slot int, p Pull) {
	fx, fy, torque := w.Schema().Defs[w.Now.Body(slot).Def].ForceFor(p.X, p.Y, p.Angular)
	if w.Now.Body(slot).Key == 0 || fx == 0 && fy == 0 && torque == 0 {
		return
	}
	id := w.Now.Objects[slot].ID
	defer w.Act(w.Act(slot))
	for _, op := range [...]Op{{Target: id, Kind: AddForce, A: fx, B: fy}, {Target: id, Kind: AddTorque, A: torque}} {
		_ = w.do(op) // it cannot fail: the object is there, and the numbers are finite
	}
}

// AppendPulled appends which objects of before, the shared set of the tick before s, are joined in s to objects that
// are not in it: how many, and their positions by id, as distances.
func AppendPulled(b []byte, schema *Schema, before, s *State) []byte {
	m := membership{s, schema}
	var pulled []int
	for i := range s.Physics.Joints {
		j := &s.Physics.Joints[i]
		if !m.leaves(j) {
			continue
		}
		end := ObjectID(j.KeyB)
		if m.sharedEnd(j.SlotA) {
			end = ObjectID(j.KeyA)
		}
		if at := before.position(end); at >= 0 {
			pulled = append(pulled, at)
		}
	}
	slices.Sort(pulled)
	pulled = slices.Compact(pulled)
	b = binary.AppendUvarint(b, uint64(len(pulled)))
	last := -1
	for _, at := range pulled {
		b = binary.AppendUvarint(b, uint64(at-last-1))
		last = at
	}
	return b
}

// leaves reports whether a joint connects an object of the shared set to one that is not in it.
func (m membership) leaves(j *physics.Joint) bool {
	return !j.Gone() && j.SlotA >= 0 && j.SlotB >= 0 && m.sharedEnd(j.SlotA) != m.sharedEnd(j.SlotB)
}

// position returns which object of s, by id, an object is; -1: it is not there.
func (s *State) position(id ObjectID) int {
	at, here := slices.BinarySearchFunc(s.ByID, id, func(slot int32, id ObjectID) int {
		return cmp.Compare(s.Objects[slot].ID, id)
	})
	if !here {
		return -1
	}
	return at
}

// TakePulled reads what AppendPulled appended, and returns the slots of before of these objects and the rest of b. The
// error wraps ErrFormat.
func TakePulled(b []byte, before *State) (slots []int, rest []byte, err error) {
	r := reader{b: b}
	at := -1
	for range r.count(r.small(), 1) {
		if at += r.small() + 1; at < 0 || at >= len(before.ByID) {
			r.fail(fmt.Errorf("object %d of %d", at, len(before.ByID)))
			break
		}
		slots = append(slots, int(before.ByID[at]))
	}
	if !r.ok() {
		return nil, nil, fmt.Errorf("%w: patch of pulled objects: %w", ErrFormat, r.failure())
	}
	return slots, r.b, nil
}

// JoinedOutside reports whether a client simulates a joint of an object of the shared set to one that is not in it.
func (s *State) JoinedOutside(schema *Schema, id ObjectID) bool {
	m := membership{s, schema}
	return slices.ContainsFunc(s.Physics.Joints, func(j physics.Joint) bool {
		return (ObjectID(j.KeyA) == id || ObjectID(j.KeyB) == id) && m.leaves(&j)
	})
}
