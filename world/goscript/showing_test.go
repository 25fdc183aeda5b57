package goscript_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
)

// TestShowWith: fields of each kind, within lists too, are shown by their functions. A failure names line
// and field, and the next call works.
func TestShowWith(t *testing.T) {
	g := goscript.NewGame("shown", "1")
	s := ship(g)
	var any goscript.Number
	var kept goscript.Object
	heat := s.Number("heat", 3).Range(0, 100).ShowWith(func(a, b, part float64) float64 { return a + (b-a)*part*part })
	s.Bool("lit", false).ShowWith(func(a, b bool, _ float64) bool { return a || b })
	s.Text("name", 4, "").ShowWith(func(a, b string, _ float64) string { return a + b })
	s.List("hits", 3).Number("", 0).ShowWith(func(_, b, _ float64) float64 { return b })
	s.Number("bad", 0).ShowWith(func(_, _, _ float64) float64 { panic("no") })
	s.Number("worse", 0).ShowWith(func(_, _, _ float64) float64 { return any.Get(kept) })
	any = heat
	s.OnSpawn = func(_ goscript.Actor, self goscript.Object) { kept = self }
	g.OnStart = func(a goscript.Actor) { a.Spawn(s) }
	script, err := goscript.Compile(g)([]world.Source{g.Source()}, roomOf(g).Setup)
	if err != nil {
		t.Fatal(err)
	}
	show := func(field string, a, b world.Value) (world.Value, error) {
		c := &script.Schema().Classes[0]
		for i := range c.Declared() {
			if c.Fields[i].Name == field {
				return script.(world.ShowFunctions).ShowField(c, i, a, b, 0.5)
			}
		}
		t.Fatal(field)
		return world.Value{}, nil
	}
	n, b, text := world.NumberValue, world.BoolValue, world.TextValue
	for _, c := range []struct {
		field      string
		a, b, want world.Value
	}{{"heat", n(10), n(20), n(12.5)}, {"lit", b(false), b(true), b(true)}, {"name", text("a"), text("b"), text("ab")}, {"hits[2]", n(1), n(2), n(2)}} {
		if got, err := show(c.field, c.a, c.b); err != nil || got != c.want {
			t.Errorf("%s: %v %v", c.field, got, err)
		}
	}
	for field, want := range map[string]string{"bad": "Ship.bad: panic: no", "worse": "Ship.worse: ", "name": "Ship.name: the function of ShowWith returns 6 bytes, and the field has at most 4"} {
		a, b := n(1), n(2)
		if field == "name" {
			a, b = text("abc"), text("def")
		}
		_, err := show(field, a, b)
		var se *world.ScriptError
		if err == nil || !errors.As(err, &se) || !strings.HasPrefix(se.Message, want) || field != "name" && !strings.HasPrefix(err.Error(), "goscript/showing_test.go:") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if got, err := show("heat", n(10), n(20)); err != nil || got != n(12.5) {
		t.Errorf("after failures: %v %v", got, err)
	}
}
