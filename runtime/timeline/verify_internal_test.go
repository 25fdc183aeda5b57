package timeline

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// spying is a Script that breaks a rule: its Spy reads the Ship without the world's queries, so
// that a rewind cannot know that it did.
type spying struct{ schema *world.Schema }

func newSpying(t *testing.T) *spying {
	body := &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1}}
	schema, err := world.NewSchema([]world.Class{
		{Name: "Ship", Hooks: 1 << world.ApplyInput, Inputs: []world.InputField{{Name: "Go"}}, Body: body},
		{Name: "Spy", Hooks: 1 << world.OnTick, Body: body},
	}, world.Setup{TickRate: 60, Seed: 1, Substeps: 4, Width: 200, Height: 200, RepeatInputTicks: 15, GraceTicks: 60,
		Spawns: []world.Spawn{{Class: "Ship", Count: 1, X: -50}, {Class: "Spy", Count: 3, X: 50, W: 40, H: 40}}})
	if err != nil {
		t.Fatal(err)
	}
	return &spying{schema}
}

func (s *spying) Schema() *world.Schema { return s.schema }

func (s *spying) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	move := world.Op{Target: w.State().Objects[slot].ID, Kind: world.SetVelocity, A: float64(a.Input.Buttons)}
	if h == world.OnTick {
		for _, at := range w.State().Run {
			if w.Class(int(at)).Name == "Ship" {
				move.A = w.State().Body(int(at)).X
			}
		}
	}
	return w.Do(move)
}

// TestCheckNamesAnOmittedObject tests that Check names the tick, the object, the field and the
// reason if a rewind left out an object.
func TestCheckNamesAnOmittedObject(t *testing.T) {
	tl := New(newSpying(t), Options{States: 64, Check: true})
	for range 20 {
		tl.Step()
	}
	s := tl.At(20)
	var ship world.ObjectID
	for _, slot := range s.Run {
		if s.Objects[slot].Class == 0 {
			ship = s.Objects[slot].ID
		}
	}
	if _, err := tl.Insert(world.Event{Tick: 5, Kind: world.OwnershipEvent, Object: ship, Player: 1}, Origin{}); err != nil {
		t.Fatal(err)
	}
	if m := tl.Check(tl.Rewind()); m != nil {
		t.Fatalf("nothing moves, yet %v", m)
	}
	if _, err := tl.Insert(world.Event{Tick: 10, Kind: world.InputEvent, Object: ship, Player: 1, Bundle: 1, Input: world.Input{Buttons: 3}}, Origin{}); err != nil {
		t.Fatal(err)
	}
	r := tl.Rewind()
	if r.Whole.Sum() != 0 || r.Ran != 11 || r.Hooks != 11 {
		t.Fatalf("%+v", r)
	}
	m := tl.Check(r)
	if m == nil {
		t.Fatal("the spies were not missed")
	}
	// The ship moves in tick 10. In tick 11 the spies read that.
	if m.Tick != 11 || m.Class != "Spy" || m.Field != "body.x" || !strings.Contains(m.Why, "its hooks were not run again") {
		t.Errorf("%v", m)
	}
	tl.dirty.tick(10)
	if m := tl.Check(tl.RewindWhole()); m != nil {
		t.Errorf("after running all again: %v", m)
	}
}

// TestFaultIsMissedOnce tests that a fault without an object is reported once, also if its tick
// is simulated again.
func TestFaultIsMissedOnce(t *testing.T) {
	tl := New(newSpying(t), Options{States: 64, Fault: Fault{Tick: 3, Object: 99}})
	for tick := world.Tick(1); tick <= 5; tick++ {
		if missed := tl.Step().FaultMissed; missed != (tick == 3) {
			t.Fatalf("tick %d: the fault is missed: %v", tick, missed)
		}
	}
	tl.dirty.tick(3)
	tl.Rewind()
	if tl.Step().FaultMissed {
		t.Error("the fault is missed again")
	}
}
