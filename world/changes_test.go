package world_test

import (
	"reflect"
	"slices"
	"strings"
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

// TestEveryChangeIsSaid changes each part of a declaration alone: whoever saves it finds a line about it.
func TestEveryChangeIsSaid(t *testing.T) {
	declared := func() ([]world.Class, []world.Option) {
		return []world.Class{{Name: "Base"}, {Name: "Ship", Inputs: []world.InputField{{Name: "aim", Axis: true, Min: -1, Max: 1}},
				Fields: []world.Field{{Name: "fuel", Max: 9, Default: []uint64{world.NumberBits(1)}}, {Name: "name", Kind: world.String, Cap: 8, Default: make([]uint64, 2)}},
				Body:   &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(1), Density: 1}}}},
			[]world.Option{{Name: "Red", Color: "red"}}
	}
	var ship *world.Class
	var teams *[]world.Option
	class := map[string]func(){
		"Name": func() { ship.Name = "Boat" }, "Extends": func() { ship.Extends = "Base" }, "Order": func() { ship.Order = 3 },
		"Inputs": func() { ship.Inputs[0].Name = "to" }, "Fields": func() { ship.Fields[0].Name = "oil" }, "Body": func() { ship.Body.Def.Density = 2 },
		"Hooks": func() { ship.Hooks = 1 << world.OnTick }, "Look": func() { ship.Look.Color = "red" }, "Seen": func() { ship.Seen = &world.SeenRules{} },
		"LOD": func() { ship.LOD = world.Interpolate }, "Moves": func() { ship.Moves = &world.MoveRules{Speed: 3} },
		"Independent": func() { ship.Independent, ship.Hooks = true, 1<<world.Simulate }, "Ranges": func() { ship.Ranges.Hidden = true },
		"Correct": func() { ship.Correct = &world.CorrectRules{Position: 1} },
	}
	field := map[string]func(){
		"Kind": func() { ship.Fields[0] = world.Field{Name: "fuel", Kind: world.Bool, Default: []uint64{0}} }, "Aux": func() { ship.Fields[0].Aux = true },
		"Cap": func() { ship.Fields[1].Cap = 4 }, "Default": func() { ship.Fields[0].Default[0] = world.NumberBits(2) }, "Min": func() { ship.Fields[0].Min = -3 },
		"Max": func() { ship.Fields[0].Max = 10 }, "Step": func() { ship.Fields[0].Step = 0.5 }, "Show": func() { ship.Fields[0].Show = world.ShowStep },
		"Sent": func() { ship.Fields[0].Sent = world.ToAll + 1 },
	}
	input := map[string]func(){
		"Axis": func() { ship.Inputs[0] = world.InputField{Name: "aim"} }, "Min": func() { ship.Inputs[0].Min = -2 }, "Max": func() { ship.Inputs[0].Max = 2 },
		"Step": func() { ship.Inputs[0].Step = 0.5 }, "Merge": func() { ship.Inputs[0].Merge++ }, "Once": func() { ship.Inputs[0].Once = true },
		"Decay": func() { ship.Inputs[0].Decay = 1 }, "Keys": func() { ship.Inputs[0].Keys = []string{"w"} },
	}
	team := map[string]func(){"Name": func() { (*teams)[0].Name = "Blue" }, "Color": func() { (*teams)[0].Color = "blue" }}
	schema := func(change func()) *world.Schema {
		classes, named := declared()
		ship, teams = &classes[1], &named
		change()
		s := changing(t, classes...)
		s.Teams = named
		return s
	}
	from := schema(func() {})
	for _, c := range []struct {
		of      any
		changes map[string]func()
		without string // what is derived, or named by Name
	}{
		{world.Class{}, class, "Timers"},
		{world.Field{}, field, "Name Offset ShowWith Leaves List Item"},
		{world.InputField{}, input, "Name Index Counted"},
		{world.Option{}, team, ""},
	} {
		of := reflect.TypeOf(c.of)
		for i := range of.NumField() {
			f := of.Field(i)
			change, ok := c.changes[f.Name]
			switch {
			case !f.IsExported() || slices.Contains(strings.Fields(c.without), f.Name):
			case !ok:
				t.Errorf("no change of %s.%s is tested", of.Name(), f.Name)
			default:
				if got := world.Changes(from, schema(change), nobody); len(got) == 0 {
					t.Errorf("nothing is said of another %s.%s", of.Name(), f.Name)
				}
			}
		}
	}
}
