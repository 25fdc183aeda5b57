package world_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// TestSpawnWithoutABodyRefusesAPose: an object without a body keeps no pose and no velocity, so it
// is not spawned with one: by a hook, by the host program or by the level.
func TestSpawnWithoutABodyRefusesAPose(t *testing.T) {
	schema := testSchema(t, nil)
	w, balls := begin(t, schema, 1)
	w.BeginOrder()
	defer w.Act(w.Act(balls[0]))
	objects := w.Now.Len()
	for what, p := range map[string]world.Placement{
		"x": {Pose: physics.Pose{X: 1}}, "y": {Pose: physics.Pose{Y: -1}}, "angle": {Pose: physics.Pose{Angle: 1}},
		"vx": {Velocity: physics.Velocity{VX: 1}}, "w": {Velocity: physics.Velocity{W: 1}},
	} {
		_, err := w.Spawn("Score", p)
		event := world.Event{Kind: world.SpawnEvent, Class: "Score", Place: p}
		for _, err := range []error{err, event.Check(schema)} {
			if !errors.Is(err, world.ErrBody) || !strings.Contains(err.Error(), "class Score has no body") {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	if w.Now.Len() != objects {
		t.Errorf("%d objects, then %d", objects, w.Now.Len())
	}
	if _, err := w.Spawn("Score", world.Placement{Owner: 3}); err != nil {
		t.Error(err)
	}

	classes := []world.Class{{Name: "Score"}}
	for _, sp := range []world.Spawn{{X: 1}, {Y: -2}, {W: 3}, {H: 4}, {Speed: 5}} {
		setup := schema.Setup
		sp.Class, sp.Count = "Score", 1
		setup.Spawns = []world.Spawn{sp}
		if _, err := world.NewSchema(classes, setup); !errors.Is(err, world.ErrBody) || !strings.HasPrefix(err.Error(), "spawn 1: ") {
			t.Errorf("%+v: %v", sp, err)
		}
	}
	setup := schema.Setup
	setup.Spawns = []world.Spawn{{Class: "Score", Count: 2}}
	if _, err := world.NewSchema(classes, setup); err != nil {
		t.Error(err)
	}
}

// TestClassesThatCannotBe: a schema refuses classes that a state, an input or a snapshot
// cannot hold.
func TestClassesThatCannotBe(t *testing.T) {
	fields := func(f ...world.Field) world.Class { return world.Class{Name: "A", Fields: f} }
	inputs := func(f ...world.InputField) world.Class { return world.Class{Name: "A", Inputs: f} }
	for want, c := range map[string]world.Class{
		"field 1 has no name":                       fields(world.Field{}),
		"n: there is no kind 9 of fields":           fields(world.Field{Name: "n", Kind: 9}),
		"s: a text of 0 bytes: must be 1 to 64":     fields(world.Field{Name: "s", Kind: world.String}),
		"n: a default of 2 words: the field has 1":  fields(world.Field{Name: "n", Default: []uint64{1, 2}}),
		"#l: the fields of its 2 items do not":      fields(world.Field{Name: "#l", Kind: world.Count, Cap: 2, Leaves: 1}, world.Field{Name: "l[1]"}),
		"input b: index 32: at most 32 buttons":     inputs(world.InputField{Name: "b", Index: 32}),
		"input a: index 8: at most 32 buttons":      inputs(world.InputField{Name: "a", Axis: true, Index: 8, Min: -1, Max: 1}),
		"input a: min = 1, max = 2: the range must": inputs(world.InputField{Name: "a", Axis: true, Min: 1, Max: 2}),
		"input a: step = 3: must be 0":              inputs(world.InputField{Name: "a", Axis: true, Min: -1, Max: 1, Step: 3}),
		"there is no level of detail 7":             {Name: "A", LOD: 7},
		"range = -1 m: must be 0 to 200000":         {Name: "A", Ranges: world.Ranges{Relevant: -1}},
	} {
		if _, err := world.NewSchema([]world.Class{c}, testSchema(t, nil).Setup); err == nil || !strings.Contains(err.Error(), "class A: "+want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := world.NewSchema(nil, world.Setup{}); err == nil {
		t.Error("a schema without a setup")
	}
}
