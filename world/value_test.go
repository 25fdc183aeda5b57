package world

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// valueClass has a field of each kind, and those that the engine keeps of owner poses and of presses.
func valueClass() *Class {
	fields := []Field{{Name: "hp", Default: []uint64{NumberBits(10)}, Max: 100, Step: 1}, {Name: "open", Kind: Bool, Default: []uint64{0}},
		{Name: "near", Kind: Ref, Default: []uint64{0}}, {Name: "name", Kind: String, Cap: 9, Default: []uint64{2, 'h' | 'i'<<8, 0}}}
	fields = AppendList(fields, "hits", 2, false, []Field{{Name: ".by", Kind: Ref, Default: []uint64{0}}, {Name: ".hp", Default: []uint64{NumberBits(2)}}})
	c := &Class{Name: "Crate", Fields: fields, Inputs: InputFields{{Name: "Fire", Counted: true}}, Moves: &MoveRules{}}
	c.layOut()
	return c
}

func TestSetValues(t *testing.T) {
	c := valueClass()
	row := freshRow(c).Clone()
	text := func() (out string) {
		for i := range c.Declared() {
			out += " " + c.Fields[i].Text(row)
		}
		return out
	}
	count := func(n uint64) Value { return Value{Kind: Count, Word: n} }
	const none = "0000000000000000"
	for _, step := range []struct {
		values []NamedValue
		want   string
	}{
		{nil, ` 10 false ` + none + ` "hi" 0 ` + none + " 2 " + none + " 2"},
		{[]NamedValue{{"hp", NumberValue(7.4)}, {"open", BoolValue(true)}, {"near", RefValue(5)}, {"name", TextValue("nine byte")}},
			` 7 true 0000000000000005 "nine byte" 0 ` + none + " 2 " + none + " 2"},
		{[]NamedValue{{"hp", NumberValue(math.Inf(1))}, {"#hits", count(2)}, {"hits[2].hp", NumberValue(8)}, {"name", TextValue("")}},
			` 100 true 0000000000000005 "" 2 ` + none + " 2 " + none + " 8"},
		{[]NamedValue{{"#hits", count(2)}, {"hits[1].by", RefValue(3)}}, ` 100 true 0000000000000005 "" 2 0000000000000003 2 ` + none + " 2"},
		{[]NamedValue{{"#hits", count(1)}}, ` 100 true 0000000000000005 "" 1 ` + none + " 2 " + none + " 2"},
	} {
		if err := setValues(c, row, step.values); err != nil || text() != step.want {
			t.Fatalf("after %v: %v,%s; want%s", step.values, err, text(), step.want)
		}
	}
	if !c.isTidy(row) {
		t.Error("the row is not tidy")
	}
}

func TestValuesThatDoNotFit(t *testing.T) {
	c := valueClass()
	row := freshRow(c).Clone()
	before := row.Clone()
	for _, v := range []struct {
		NamedValue
		is   error
		says string
	}{
		{NamedValue{"fuel", NumberValue(1)}, ErrNoField, `no "fuel"; it has hp, open, near, name and hits`},
		{NamedValue{"pose x", NumberValue(1)}, ErrNoField, `no "pose x"`},
		{NamedValue{"edges of Fire", NumberValue(1)}, ErrNoField, `no "edges of Fire"; it has hp, open, near, name and hits`},
		{NamedValue{"hits", NumberValue(1)}, ErrValue, "Crate.hits is a list of records, not 1"},
		{NamedValue{"hits[3].hp", NumberValue(1)}, ErrNoField, ``},
		{NamedValue{"hp", BoolValue(true)}, ErrValue, `Crate.hp is a number, not true`},
		{NamedValue{"name", TextValue("more than nine")}, ErrValue, "at most 9 bytes, not 14"},
		{NamedValue{"#hits", Value{Kind: Count, Word: 3}}, ErrValue, "hits holds at most 2 items, not 3"},
		{NamedValue{"hits[1].hp", NumberValue(1)}, ErrNoItem, "Crate.hits[1].hp"},
	} {
		err := setValues(c, row, []NamedValue{v.NamedValue})
		if !errors.Is(err, v.is) || !strings.Contains(err.Error(), v.says) || !row.Equal(before) {
			t.Errorf("%s = %v: %v; want %v that says %q", v.Name, v.Value, err, v.is, v.says)
		}
		if errors.Is(v.is, ErrNoItem) { // may be there when the event happens
			v.is = nil
		}
		if err := c.CheckValues([]NamedValue{v.NamedValue}); !errors.Is(err, v.is) {
			t.Errorf("CheckValues of %s = %v: %v", v.Name, v.Value, err)
		}
	}
}

func TestFunctionsCheckTheirArguments(t *testing.T) {
	schema, err := NewSchema(nil, Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1}, Function{Name: "start", Params: []FieldKind{Number, String}}, Function{Name: "stop"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []NamedValue
		is   error
		says string
	}{
		{"stop", nil, nil, ""},
		{"start", []NamedValue{{Value: NumberValue(3)}, {Value: TextValue("desert")}}, nil, ""},
		{"begin", nil, ErrNoFunction, `"begin"; the game declares start(number, string) and stop()`},
		{"start", []NamedValue{{Value: NumberValue(3)}}, ErrValue, "start(number, string) takes 2 arguments, not 1"},
		{"start", []NamedValue{{Value: TextValue("3")}, {Value: TextValue("desert")}}, ErrValue, `argument 1 of start(number, string) is a number, not "3"`},
	} {
		e := Event{Kind: CallEvent, Name: c.name, Values: c.args}
		if err := e.Check(schema); !errors.Is(err, c.is) || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s%v: %v; want %v that says %q", c.name, c.args, err, c.is, c.says)
		}
	}
}
