package world_test

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

func changing(t *testing.T, classes ...world.Class) *world.Schema {
	t.Helper()
	s, err := world.NewSchema(classes, world.Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func nobody(string) bool { return false }

func TestChanges(t *testing.T) {
	number := func(name string, v float64) world.Field {
		return world.Field{Name: name, Default: []uint64{world.NumberBits(v)}}
	}
	from := changing(t,
		world.Class{Name: "Ship", Fields: []world.Field{number("fuel", 1), number("hits", 0), number("speed", 2), {Name: "name", Kind: world.String, Cap: 8, Default: make([]uint64, 2)}},
			Inputs: []world.InputField{{Name: "Accel"}, {Name: "Fire", Index: 1}}, Hooks: 1 << world.OnTick},
		world.Class{Name: "Crate"})
	to := changing(t,
		world.Class{Name: "Ship", Fields: []world.Field{{Name: "fuel", Kind: world.Bool, Default: []uint64{0}}, number("speed", 3), number("heat", 0),
			{Name: "name", Kind: world.String, Cap: 16, Default: make([]uint64, 3)}},
			Inputs: []world.InputField{{Name: "Accel", Keys: []string{"w"}}, {Name: "aim", Axis: true, Min: -1, Max: 1}}, Hooks: 1 << world.ApplyInput,
			Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(1), Density: 1}}, Order: 2, Look: world.Look{Color: "#fff"}},
		world.Class{Name: "Ball"})
	want := []string{
		"class Ball added",
		"class Crate removed",
		"Ship.fuel retyped (number to boolean)",
		"Ship.heat added (number)",
		"Ship.hits removed",
		"Ship.name holds 16, not 8",
		"Ship.speed has another default, which objects that are there do not take",
		"Ship.controls.Accel changed",
		"Ship.input.Fire removed",
		"Ship.input.aim added",
		"Ship: hook applyInput added",
		"Ship: hook tick removed",
		"Ship.body changed",
		"Ship.order changed",
		"Ship.look changed",
	}
	if got := world.Changes(from, to, nobody); !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	want[1] += ", and its objects with it"
	if got := world.Changes(from, to, func(c string) bool { return c == "Crate" }); !slices.Equal(got, want) {
		t.Errorf("with a crate: got\n%q\nwant\n%q", got, want)
	}
	if got := world.Changes(from, from, nobody); got != nil {
		t.Errorf("nothing changed, and it says %q", got)
	}
	if got := retyped(from, to); !slices.Equal(got, []string{"Ship.fuel was a number and is a boolean"}) {
		t.Errorf("retyped: %q", got)
	}
}

// retyped returns a line for each field that has another type.
func retyped(from, to *world.Schema) (lines []string) {
	for _, f := range world.Retyped(from, to) {
		lines = append(lines, f.String())
	}
	return lines
}

// TestChangesOfListsAndRecords: each is reported as one field, from the names
// that its leaves have in a schema.
func TestChangesOfListsAndRecords(t *testing.T) {
	leaves := func(kind world.FieldKind, names ...string) (fields []world.Field) {
		for _, n := range names {
			fields = append(fields, world.Field{Name: n, Kind: kind, Default: []uint64{0}})
		}
		return fields
	}
	schema := func(lists ...[]world.Field) *world.Schema {
		return changing(t, world.Class{Name: "Ship", Fields: slices.Concat(lists...)})
	}
	from := schema(leaves(world.Number, "#hits", "hits[1]", "hits[2]"), leaves(world.Number, "slot.count", "slot.kind", "n"))
	for _, c := range []struct {
		to      *world.Schema
		changes []string
		retyped []string
	}{
		{from, nil, nil},
		{schema(leaves(world.Number, "slot.count", "n")), []string{"Ship.hits removed", "Ship.slot has another default, which objects that are there do not take"}, nil},
		{schema(leaves(world.Number, "hits", "slot.count", "slot.kind", "n")), []string{"Ship.hits retyped (list of numbers to number)"},
			[]string{"Ship.hits was a list of numbers and is a number"}},
		{schema(leaves(world.Number, "#hits"), leaves(world.Bool, "hits[1]", "hits[2]"), leaves(world.Number, "slot.count", "slot.kind", "n")),
			[]string{"Ship.hits retyped (list of numbers to list of booleans)"}, []string{"Ship.hits was a list of numbers and is a list of booleans"}},
		{schema(leaves(world.Number, "#hits", "hits[1].x", "hits[2].x", "slot", "n", "#ids", "ids[1]")),
			[]string{"Ship.hits retyped (list of numbers to list of records)", "Ship.ids added (list of numbers)", "Ship.slot retyped (record to number)"},
			[]string{"Ship.hits was a list of numbers and is a list of records", "Ship.slot was a record and is a number"}},
	} {
		if got := world.Changes(from, c.to, nobody); !slices.Equal(got, c.changes) {
			t.Errorf("changes: got %q, want %q", got, c.changes)
		}
		if got := retyped(from, c.to); !slices.Equal(got, c.retyped) {
			t.Errorf("retyped: got %q, want %q", got, c.retyped)
		}
	}
}

func TestChangesOfFunctions(t *testing.T) {
	with := func(functions ...world.Function) *world.Schema {
		s, err := world.NewSchema(nil, world.Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1}, functions...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	number := []world.FieldKind{world.Number}
	from := with(world.Function{Name: "a"}, world.Function{Name: "b", Params: number}, world.Function{Name: "c"})
	to := with(world.Function{Name: "b"}, world.Function{Name: "c"}, world.Function{Name: "d", Params: number})
	want := []string{"game.calls.a removed", "game.calls.b changed (b(number) to b())", "game.calls.d added (d(number))"}
	if got := world.Changes(from, to, nobody); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
