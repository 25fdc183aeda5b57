package physics

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

func TestIslandsAgainstSpreading(t *testing.T) {
	draws.Check(t, func(rt *rapid.T) {
		sc := arena(t, 60, rapid.Float64Range(6, 14).Draw(rt, "side"))
		sc.run(&Solver{Check: true}, rapid.IntRange(1, 30).Draw(rt, "steps"))
		s := &sc.State
		for slot := range s.Bodies {
			in := map[int32]bool{int32(slot): true}
			for grown := true; grown; {
				grown = false
				for _, c := range s.Contacts {
					fixed := c.Flags&(FixedA|FixedB) != 0
					if !fixed && in[c.SlotA] != in[c.SlotB] {
						in[c.SlotA], in[c.SlotB], grown = true, true, true
					}
				}
			}
			got := s.Island(slot, []int32{-7})
			if got[0] != -7 || len(got) != len(in)+1 {
				rt.Fatalf("island of %d is %v, want %d members", slot, got, len(in))
			}
			got = got[1:]
			for i, member := range got {
				if !in[member] || i > 0 && s.Bodies[got[i-1]].Key >= s.Bodies[member].Key {
					rt.Fatalf("island of %d is %v, want %v in the order of keys", slot, got, in)
				}
			}
		}
	})
}

func TestIslandsStopAtWalls(t *testing.T) {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2)})
	lift := sc.def(t, Def{Type: Kinematic, Shape: BoxShape(2, 1)})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), GravityScale: 1})
	sc.put(floor, 0, -1, 0)
	sc.put(lift, 10, 2, 0)
	for _, at := range []Vec{{0, 0.5}, {0, 1.5}, {3, 0.5}, {10, 3}, {10.9, 4}} {
		sc.put(box, at.X, at.Y, 0)
	}
	sc.run(&Solver{Check: true}, 20)
	for slot, want := range [][]int{{0}, {1}, {2, 3}, {2, 3}, {4}, {5, 6}, {5, 6}} {
		got := sc.Island(slot, nil)
		slices.Sort(got)
		if !slices.EqualFunc(got, want, func(a int32, b int) bool { return int(a) == b }) {
			t.Errorf("island of %d is %v, want %v", slot, got, want)
		}
	}
}

// mixed returns two copies of one arena that went different ways for a while.
func mixed(t *testing.T) (now, other *scene) {
	sc := arena(t, 80, 12)
	sv := Solver{Check: true}
	sc.run(&sv, 40)
	now, other = sc.copy(), sc.shuffled(3)
	for tick := range 5 {
		other.steer(tick)
		other.run(&sv, 1)
	}
	now.run(&sv, 5)
	return now, other
}

// A correction of everything makes the state equal to the corrector's.
func TestReplaceAllContacts(t *testing.T) {
	now, other := mixed(t)
	index := keyIndex(other.Bodies)
	for slot := range now.Bodies {
		from, _ := index.find(now.Bodies[slot].Key)
		now.Bodies[slot] = other.Bodies[from]
	}
	now.State.replaceContacts(&other.State)
	sameBits(t, "after a correction of all", &now.State, &other.State)
	sv := Solver{Check: true}
	now.run(&sv, 10)
	other.run(&sv, 10)
	sameBits(t, "10 steps later", &now.State, &other.State)
}

// A correction of some bodies replaces the contacts among them and no others.
func TestReplaceSomeContacts(t *testing.T) {
	now, other := mixed(t)
	part := &scene{}
	in := map[uint64]bool{}
	for slot := range other.Bodies {
		if key := other.Bodies[slot].Key; key != 0 && key%2 == 0 {
			part.Bodies = append(part.Bodies, other.Bodies[slot])
			in[key] = true
		}
	}
	within := func(c Contact) bool { return in[c.KeyA] && in[c.KeyB] }
	index := keyIndex(part.Bodies)
	for _, c := range other.Contacts {
		if within(c) {
			part.State.placeContact(c, index.find)
		}
	}
	if len(part.Contacts) < 3 {
		t.Fatalf("%d contacts in the correction: the scene tests little", len(part.Contacts))
	}
	before := now.copy()
	now.State.replaceContacts(&part.State)
	here := keyIndex(now.Bodies)
	for _, c := range now.Contacts {
		a, _ := here.find(c.KeyA)
		b, _ := here.find(c.KeyB)
		if int(c.SlotA) != a || int(c.SlotB) != b {
			t.Errorf("contact %+v names the wrong slots", c)
		}
	}
	checkContacts(t, "among the corrected", now.Contacts, part.Contacts, within)
	checkContacts(t, "of others", now.Contacts, before.Contacts, func(c Contact) bool { return !within(c) })
	if !slices.IsSortedFunc(now.Contacts, compareContacts) {
		t.Error("contacts are out of order")
	}
}

// checkContacts compares those contacts of two lists that which picks, slots
// aside.
func checkContacts(t *testing.T, what string, got, want []Contact, which func(Contact) bool) {
	t.Helper()
	pick := func(list []Contact) (picked []Contact) {
		for _, c := range list {
			if which(c) {
				c.SlotA, c.SlotB = 0, 0
				picked = append(picked, c)
			}
		}
		return picked
	}
	if g, w := pick(got), pick(want); !slices.Equal(g, w) {
		t.Errorf("contacts %s: %+v, want %+v", what, g, w)
	}
}

func TestCarryContacts(t *testing.T) {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2)})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), GravityScale: 1})
	sc.putKey(20, floor, 0, -1)
	for i, key := range []uint64{10, 30, 5} {
		sc.putKey(key, box, 0, 0.5+float64(i))
	}
	sv := Solver{Check: true}
	sc.run(&sv, 30)
	next := &scene{defs: sc.defs, rules: sc.rules}
	for _, slot := range []int{3, 2, 0} { // 10 is left out
		next.Bodies = append(next.Bodies, sc.Bodies[slot])
	}
	next.CarryContacts(&sc.State, keyIndex(next.Bodies).find)
	next.run(&sv, 1)
	_, ends := sv.Events()
	if len(ends) != 2 || ends[0].KeyA != 10 || ends[0].A != -1 || ends[0].B != 2 || ends[1].KeyB != 30 || ends[1].B != 1 {
		t.Errorf("ends %+v, want those of key 10 with 20 and 30", ends)
	}
	whole := sc.shuffled(4)
	whole.Contacts = nil
	whole.CarryContacts(&sc.State, keyIndex(whole.Bodies).find)
	sameBits(t, "all carried", &whole.State, &sc.State)
}

func TestDiffNamesWhatDiffers(t *testing.T) {
	sc := heavyPyramid(t, 3)
	sc.run(&Solver{Check: true}, 30)
	other := sc.copy()
	other.Bodies[2].FlipX()
	other.Bodies[3].Torque = negativeZero()
	other.Contacts[1].Normal[0] += 1
	other.Contacts = other.Contacts[:len(other.Contacts)-1]
	var names []string
	for slot := range sc.Bodies {
		DiffBody(&sc.Bodies[slot], &other.Bodies[slot], func(name, va, vb string) {
			names = append(names, name+" "+vb)
		})
	}
	DiffContacts(&sc.State, &other.State, func(key, with uint64, name, va, vb string) {
		names = append(names, name)
	})
	if len(names) != 4 || !strings.HasPrefix(names[0], "x ") || names[1] != "torque -0" || names[2] != "point 0 normal impulse" || names[3] != "contact" {
		t.Errorf("differences %q", names)
	}
	if sc.Hash() == other.Hash() {
		t.Error("different states have one hash")
	}
}

func TestDiffNamesWhatDiffersOfJoints(t *testing.T) {
	sc := workshop(t)
	numbers := len(sc.Joints[0].floats())
	for i := range numbers {
		other := sc.copy()
		*other.Joints[3].floats()[i]++
		var names []string
		DiffJoints(&sc.State, &other.State, func(key uint64, name, va, vb string) {
			if key != sc.Joints[3].Key {
				t.Errorf("joint %x, want %x", key, sc.Joints[3].Key)
			}
			names = append(names, name)
		})
		if len(names) != 1 || names[0] != jointFloatNames()[i] || sc.Hash() == other.Hash() {
			t.Errorf("number %d: differences %q, want %q, and another hash", i, names, jointFloatNames()[i])
		}
	}
	less := sc.copy()
	less.RemoveJoint(less.Joints[2].Key)
	found := ""
	report := func(key uint64, name, va, vb string) { found += name + " " + va + " " + vb + ";" }
	DiffJoints(&sc.State, &less.State, report)
	DiffJoints(&less.State, &sc.State, report)
	if found != "joint present absent;joint absent present;" {
		t.Errorf("differences %q", found)
	}
}

func negativeZero() float64 {
	zero := 0.0
	return -zero
}

// Every bit that influences the future changes the hash.
func TestHashCoversEveryField(t *testing.T) {
	body := NewBody(9, 1, Vec{1, 2}, 0.5)
	s := State{Bodies: []Body{body}, Contacts: []Contact{{KeyA: 3, KeyB: 9, Count: 2}}}
	hash := s.HashBody(0)
	for i, change := range []func(b *Body){
		func(b *Body) { b.Key++ }, func(b *Body) { b.Def++ }, func(b *Body) { b.FlipX() }, func(b *Body) { b.Y++ },
		func(b *Body) { b.Angle++ }, func(b *Body) { b.VX++ }, func(b *Body) { b.VY++ }, func(b *Body) { b.W++ },
		func(b *Body) { b.FX++ }, func(b *Body) { b.FY++ }, func(b *Body) { b.Torque++ },
		func(b *Body) { b.ImpFX++ }, func(b *Body) { b.ImpFY++ }, func(b *Body) { b.ImpT++ }, func(b *Body) { b.W = negativeZero() }, func(b *Body) { b.Rest++ },
	} {
		s.Bodies[0] = body
		change(&s.Bodies[0])
		if s.HashBody(0) == hash {
			t.Errorf("change %d of a body keeps its hash", i)
		}
	}
	contact, hash := s.Contacts[0], s.HashContact(0)
	for i, change := range []func(c *Contact){
		func(c *Contact) { c.KeyA++ }, func(c *Contact) { c.KeyB++ }, func(c *Contact) { c.Count++ }, func(c *Contact) { c.Flags++ },
		func(c *Contact) { c.ID[0]++ }, func(c *Contact) { c.ID[1]++ }, func(c *Contact) { c.Normal[0]++ }, func(c *Contact) { c.Normal[1]++ },
		func(c *Contact) { c.Tangent[0]++ }, func(c *Contact) { c.Tangent[1]++ },
	} {
		s.Contacts[0] = contact
		change(&s.Contacts[0])
		if s.HashContact(0) == hash {
			t.Errorf("change %d of a contact keeps its hash", i)
		}
	}
	s.Joints = []Joint{{Key: 4, KeyA: 9, KeyB: 3, Kind: Hinge}}
	joint, hash2 := s.Joints[0], s.HashJoint(0)
	numbers := s.Joints[0].floats()
	for i, change := range append([]func(j *Joint){
		func(j *Joint) { j.Key++ }, func(j *Joint) { j.KeyA++ }, func(j *Joint) { j.KeyB++ }, func(j *Joint) { j.Kind++ }, func(j *Joint) { j.Flags++ }, func(j *Joint) { j.Rest++ },
	}, make([]func(j *Joint), len(numbers))...) {
		s.Joints[0] = joint
		if change == nil {
			*numbers[i-6]++
		} else {
			change(&s.Joints[0])
		}
		if s.HashJoint(0) == hash2 {
			t.Errorf("change %d of a joint keeps its hash", i)
		}
	}
	s.Contacts[0] = contact
	s.Contacts[0].SlotA, s.Contacts[0].SlotB = 5, 6
	if s.HashContact(0) != hash {
		t.Error("slots enter the hash")
	}
}

func TestSmallHelpers(t *testing.T) {
	d := Def{Type: Dynamic, Shape: BoxShape(6, 8), Density: 1, Layer: 1, Collides: 1}
	if err := d.Prepare(); err != nil {
		t.Fatal(err)
	}
	b := NewBody(1, 0, Vec{10, 0}, 0)
	b.VX, b.VY, b.W = 1, 2, 3
	if got := b.VelocityAt(&d, Vec{12, 1}); got != (Vec{-2, 8}) {
		t.Errorf("velocity at a point %v, want (-2, 8)", got)
	}
	if d.Reach() != 5 {
		t.Errorf("reach %v, want 5", d.Reach())
	}
	c := Contact{Normal: [2]float64{2, 3}}
	if c.Impulse() != 5 {
		t.Errorf("impulse %v, want 5", c.Impulse())
	}
	b.SetAngle(math.Inf(1))
	if b.Angle != 0 || b.Cos != 1 || b.Sin != 0 {
		t.Errorf("an infinite angle became %v", b.Angle)
	}
	b.Angle = math.NaN()
	if !b.sanitise() || b.Angle != 0 || b.sanitise() {
		t.Errorf("a NaN angle became %v", b.Angle)
	}
	s := State{Bodies: []Body{b}}
	s.Remove(0)
	s.Remove(0)
	if s.Hash() != 0 || s.HashBody(0) != 0 {
		t.Error("an empty state has a hash")
	}
	sv := Solver{Check: true}
	s.Bodies[0] = NewBody(1, 0, Vec{}, 0)
	s.Bodies[0].VX = 1
	for _, dt := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		sv.Step(&s, []Def{d}, Params{DT: dt})
	}
	if s.Bodies[0].X != 0 {
		t.Errorf("steps without a length moved a body to %v", s.Bodies[0].X)
	}
	s.Bodies = append(s.Bodies, NewBody(2, 0, Vec{5, 0}, 0))
	sv.Step(&s, []Def{d}, Params{DT: 0.01})
	if s.Bodies[0].X == 0 {
		t.Error("no sub-steps given: the body did not move")
	}
	var is Islands
	is.Build(&s)
	if is.Same(0, 1) != (len(s.Contacts) == 1) || !is.Same(0, 0) {
		t.Errorf("islands of %+v", s.Contacts)
	}
	if h := (&State{Bodies: []Body{{Key: 1, Pose: Pose{X: math.NaN()}}}}).Hash(); h != (&State{Bodies: []Body{{Key: 1, Pose: Pose{X: -math.NaN()}}}}).Hash() {
		t.Error("NaNs hash apart")
	}
	s.Bodies[0] = Body{} // gone without Remove
	sv.Step(&s, []Def{d}, Params{DT: 0.01})
	if _, ends := sv.Events(); len(ends) != 1 || ends[0].A != -1 || ends[0].B != 1 {
		t.Errorf("ends %+v, want that of key 1, gone", ends)
	}
}

// TestReplaceContactsKeepsContactsOfPresentBodies: of a body that is here, no end is
// due as of one that is gone, whatever was so before or is elsewhere.
func TestReplaceContactsKeepsContactsOfPresentBodies(t *testing.T) {
	bodies := []Body{{Key: 1}, {Key: 2}, {Key: 3}}
	live := Contact{KeyA: 1, KeyB: 2, SlotA: 0, SlotB: 1}
	gone := Contact{KeyA: 1, KeyB: 2, SlotA: 1, SlotB: 1, Flags: GoneA}
	for _, c := range []struct {
		name           string
		here, contacts []Contact
		part           []Body
	}{
		{"gone elsewhere", []Contact{live}, []Contact{{KeyA: 1, KeyB: 2, Flags: GoneA}}, bodies[1:2]},
		{"gone before", []Contact{gone, live}, nil, bodies[:1]},
	} {
		s := State{Bodies: bodies, Contacts: slices.Clone(c.here)}
		s.replaceContacts(&State{Bodies: c.part, Contacts: c.contacts})
		if !slices.Equal(s.Contacts, []Contact{live}) {
			t.Errorf("%s: contacts %+v, want the live one alone", c.name, s.Contacts)
		}
	}
}
