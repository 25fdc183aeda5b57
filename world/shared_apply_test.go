package world_test

import (
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestApplyCommittedLeavesNewProxiesAlone: an object that was shared until a bundle switch
// keeps the joints and contacts of which the shared set says nothing.
func TestApplyCommittedLeavesNewProxiesAlone(t *testing.T) {
	schema := mixedSchema(t)
	w := world.New()
	w.Check = true
	w.Load(nil, schema)
	var before, known world.State
	for range 60 {
		before.CopyFrom(w.Now) // as it was before a switch: all of it was known
		advance(w, func() { tieMovers(t, w) })
	}
	known.CopyFrom(w.Now)
	known.KeepShared(schema, &before)
	joints, contacts := len(w.Now.Physics.Joints), len(w.Now.Physics.Contacts)
	if joints < 2 || len(known.Physics.Joints) > 0 || contacts <= len(known.Physics.Contacts) {
		t.Fatalf("%d joints, of them %d known; %d contacts, %d known", joints, len(known.Physics.Joints), contacts, len(known.Physics.Contacts))
	}
	if !w.Now.MatchesShared(schema, world.Committed{Shared: &known, Before: &before}) {
		t.Error("an object of the committed state counts as different")
	}
	sum := w.Now.Hash()
	w.ApplyCommitted(world.Committed{Shared: &known, Before: &before})
	if w.Now.Hash() != sum {
		t.Errorf("%d joints are left of %d, %d contacts of %d", len(w.Now.Physics.Joints), joints, len(w.Now.Physics.Contacts), contacts)
	}
	crate, _ := schema.ClassByName("Crate")
	w.Now.Body(int(w.Actor().Queries().OfClass(crate, nil)[0])).FlipX()
	if w.Now.MatchesShared(schema, world.Committed{Shared: &known, Before: &before}) {
		t.Error("a crate at another place counts as equal to the committed one")
	}
	if w.ApplyCommitted(world.Committed{Shared: &known, Before: &before}); w.Now.Hash() != sum {
		t.Error("a crate that was elsewhere was not put back")
	}
}

// tieMovers ties, in tick 2, a mover to another and to the world.
func tieMovers(t *testing.T, w *world.World) {
	if w.Now.Tick != 2 {
		return
	}
	game, _ := w.Match()
	defer w.Act(w.Act(game))
	mover, _ := w.Schema().ClassByName("Mover")
	slots := w.Actor().Queries().OfClass(mover, nil)
	a, b := w.Now.Body(int(slots[0])), w.Now.Body(int(slots[1]))
	for _, j := range []physics.Joint{
		physics.NewDistance(0, a, b, a.Position(), b.Position()),
		physics.NewJoint(0, physics.Hinge, a, nil, a.Position()),
	} {
		if _, err := w.Actor().Tie(j); err != nil {
			t.Fatal(err)
		}
	}
}

// TestApplyCommittedRetiesAJoint: a joint that ties a crate to a proxy here, and to another
// crate in the shared set, exists once, as in the shared set.
func TestApplyCommittedRetiesAJoint(t *testing.T) {
	schema := mixedSchema(t)
	host, client := world.New(), world.New()
	host.Check, client.Check = true, true
	host.Load(nil, schema)
	var before, known world.State
	for range 60 {
		before.CopyFrom(host.Now)
		if host.Now.Tick == 1 {
			client.Load(host.Now, schema)
		}
		if host.Now.Tick > 0 {
			advance(client, func() { tieCrate(t, client, "Mover") })
		}
		advance(host, func() { tieCrate(t, host, "Crate") })
	}
	known.CopyFrom(host.Now)
	known.KeepShared(schema, &before)
	guess, truth := client.Now.Physics.Joints, known.Physics.Joints
	if len(guess) != 1 || len(truth) != 1 || guess[0].Key != truth[0].Key || guess[0].KeyB == truth[0].KeyB {
		t.Fatalf("joints %+v here, %+v in truth: want one with the same key that ties others", guess, truth)
	}
	client.ApplyCommitted(world.Committed{Shared: &known, Before: &before})
	if now := client.Now.Physics.Joints; len(now) != 1 || now[0].KeyB != truth[0].KeyB {
		t.Errorf("%d joints after it was restated: %+v", len(now), now)
	}
}

// tieCrate ties, in tick 3, the first crate to the last object of a class.
func tieCrate(t *testing.T, w *world.World, to string) {
	if w.Now.Tick != 3 {
		return
	}
	game, _ := w.Match()
	defer w.Act(w.Act(game))
	first := func(name string, n int) *physics.Body {
		class, _ := w.Schema().ClassByName(name)
		return w.Now.Body(int(w.Actor().Queries().OfClass(class, nil)[n]))
	}
	a, b := first("Crate", 0), first(to, 3)
	if _, err := w.Actor().Tie(physics.NewDistance(0, a, b, a.Position(), b.Position())); err != nil {
		t.Fatal(err)
	}
}

// TestSlotsDoNotCount: a state that comes from bytes has its objects in other slots. It is the
// same state, and what it shares needs no correction, until one bit differs.
func TestSlotsDoNotCount(t *testing.T) {
	schema := mixedSchema(t)
	w := world.New()
	w.Load(nil, schema)
	for range 60 {
		advance(w, func() { tieMovers(t, w) })
	}
	other, err := world.ParseState(world.AppendState(nil, w.Now, schema), schema)
	if err != nil {
		t.Fatal(err)
	}
	moved := func() (contacts, joints int) {
		for i := range w.Now.Physics.Contacts {
			if w.Now.Physics.Contacts[i].SlotA != other.Physics.Contacts[i].SlotA {
				contacts++
			}
		}
		for i := range w.Now.Physics.Joints {
			if w.Now.Physics.Joints[i].SlotA != other.Physics.Joints[i].SlotA {
				joints++
			}
		}
		return contacts, joints
	}
	if contacts, joints := moved(); contacts == 0 || joints == 0 {
		t.Fatalf("%d contacts and %d joints are between other slots: the test does not show what it names", contacts, joints)
	}
	if !w.Now.Same(other) || !other.Same(w.Now) {
		t.Error("the state that was sent is not the same")
	}
	var shared world.State
	shared.CopyFrom(other)
	shared.KeepShared(schema, other)
	if len(shared.Physics.Contacts) == 0 || !w.Now.MatchesShared(schema, world.Committed{Shared: &shared, Before: other}) {
		t.Errorf("%d shared contacts, which do not match those of the same state", len(shared.Physics.Contacts))
	}
	other.Body(int(other.Run[len(other.Run)-1])).FlipX()
	if w.Now.Same(other) {
		t.Error("a flipped bit is not noticed")
	}
}

// TestEachReplacedNamesWhatDiffers: whatever differs from the shared set is named, with its object and part, also what no
// snapshot has; nothing is if it matches.
func TestEachReplacedNamesWhatDiffers(t *testing.T) {
	schema := mixedSchema(t)
	w := world.New()
	w.Load(nil, schema)
	var before, known world.State
	for range 60 {
		before.CopyFrom(w.Now)
		advance(w, func() { tieCrate(t, w, "Crate") })
	}
	known.CopyFrom(w.Now)
	known.KeepShared(schema, &before)
	class, _ := schema.ClassByName("Crate")
	slots := w.Actor().Queries().OfClass(class, nil)
	first := int(slots[0])
	for _, c := range []struct {
		part   string
		change func(s *world.State)
		with   func(with *world.Committed)
	}{
		{"", func(*world.State) {}, nil},
		{"position", func(s *world.State) { s.Body(first).X++ }, nil},
		{"velocity", func(s *world.State) { s.Body(first).VX++ }, nil},
		{"owner", func(s *world.State) { s.Objects[first].Owner = 7 }, nil},
		{"faults.onSpawn", func(s *world.State) { s.Objects[first].Faults[0]++ }, nil},
		{"culled", func(s *world.State) { s.Objects[first].Culled = true }, nil},
		{"", func(s *world.State) { s.Objects[first].Culled = true }, func(with *world.Committed) {
			with.Culled = func(id world.ObjectID) bool { return id == w.Now.Objects[first].ID }
		}},
		{"joint", func(s *world.State) { s.Physics.Joints = nil }, nil},
		{"contact", func(s *world.State) { s.Physics.Contacts = s.Physics.Contacts[:0] }, nil},
		{"contact", func(s *world.State) {
			for i := range s.Physics.Contacts {
				s.Physics.Contacts[i].Normal[0]++
			}
		}, nil},
	} {
		var s world.State
		s.CopyFrom(w.Now)
		c.change(&s)
		committed := world.Committed{Shared: &known, Before: &before}
		if c.with != nil {
			c.with(&committed)
		}
		parts := map[string][]world.ObjectID{}
		s.EachReplaced(schema, committed, func(o *world.Object, part string) { parts[part] = append(parts[part], o.ID) })
		ids := parts[c.part]
		if c.part == "" && len(parts) > 0 || c.part != "" && (len(parts) != 1 || len(ids) == 0) {
			t.Errorf("%q: %v", c.part, parts)
		}
		if want := c.part == ""; s.MatchesShared(schema, committed) != want {
			t.Errorf("%q: it matches: %v", c.part, !want)
		}
		if c.part != "" && c.part != "contact" && c.part != "joint" && len(ids) > 0 && ids[0] != w.Now.Objects[first].ID {
			t.Errorf("%q is of %v, not of %s", c.part, ids, w.Now.Objects[first].ID)
		}
	}
}
