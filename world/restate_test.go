package world_test

import (
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestWhatIsFinalLeavesNewStandInsAlone: who was known until a switch keeps the joints and
// contacts that the known part says nothing of.
func TestWhatIsFinalLeavesNewStandInsAlone(t *testing.T) {
	schema := mixedSchema(t)
	w := world.New()
	w.Load(nil, schema)
	var before, known world.State
	for range 60 {
		before.CopyFrom(w.Now) // as it was before a switch: all of it was known
		advance(w, func() { tieMovers(t, w) })
	}
	known.CopyFrom(w.Now)
	known.KeepKnown(schema, &before)
	joints, contacts := len(w.Now.Physics.Joints), len(w.Now.Physics.Contacts)
	if joints < 2 || len(known.Physics.Joints) > 0 || contacts <= len(known.Physics.Contacts) {
		t.Fatalf("%d joints, of them %d known; %d contacts, %d known", joints, len(known.Physics.Joints), contacts, len(known.Physics.Contacts))
	}
	if !w.Now.Agrees(schema, &known, &before) {
		t.Error("what is final is said to be something else")
	}
	sum := w.Now.Hash()
	w.Restate(&known, &before)
	if w.Now.Hash() != sum {
		t.Errorf("%d joints are left of %d, %d contacts of %d", len(w.Now.Physics.Joints), joints, len(w.Now.Physics.Contacts), contacts)
	}
	crate, _ := schema.ClassByName("Crate")
	w.Now.Body(int(w.OfClass(crate, nil)[0])).FlipX()
	if w.Now.Agrees(schema, &known, &before) {
		t.Error("a crate that is elsewhere agrees with what is final")
	}
	if w.Restate(&known, &before); w.Now.Hash() != sum {
		t.Error("a crate that was elsewhere was not put back")
	}
}

// tieMovers ties, in tick 2, a mover to another and to the world.
func tieMovers(t *testing.T, w *world.World) {
	if w.Now.Tick != 2 {
		return
	}
	game, _ := w.Game()
	defer w.Act(w.Act(game))
	mover, _ := w.Schema().ClassByName("Mover")
	slots := w.OfClass(mover, nil)
	a, b := w.Now.Body(int(slots[0])), w.Now.Body(int(slots[1]))
	for _, j := range []physics.Joint{
		physics.NewDistance(0, a, b, a.Position(), b.Position()),
		physics.NewJoint(0, physics.Hinge, a, nil, a.Position()),
	} {
		if _, err := w.Tie(j); err != nil {
			t.Fatal(err)
		}
	}
}
