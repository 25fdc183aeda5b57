package view

import (
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestBufferShowsFieldsByFunctions: a field of ShowFunction is what the function returns for the samples
// around the moment shown. It steps without a function or a result, at a sample, while its value does not
// change, and in a list whose length changes.
func TestBufferShowsFieldsByFunctions(t *testing.T) {
	number := world.Field{Kind: world.Number, Show: world.ShowFunction, ShowWith: 1}
	fields := append([]world.Field{
		{Name: "heat", Kind: world.Number, Show: world.ShowFunction, ShowWith: 1},
		{Name: "same", Kind: world.Number, Show: world.ShowFunction, ShowWith: 1},
		{Name: "name", Kind: world.String, Cap: 3, Show: world.ShowFunction, ShowWith: 2},
	}, world.AppendList(nil, "few", 2, false, []world.Field{number})...)
	schema, err := world.NewSchema([]world.Class{{Name: "X", Fields: fields}}, newBuffer(t).Schema().Setup)
	if err != nil {
		t.Fatal(err)
	}
	class, _ := schema.ClassByName("X")
	c := &schema.Classes[class]
	row := func(heat float64, name string, items uint64, first float64) world.Row {
		words := make([]uint64, c.Words())
		words[0], words[1], words[4], words[5] = world.NumberBits(heat), world.NumberBits(7), items, world.NumberBits(first)
		r := world.NewRow(c, words)
		f, _ := c.Field("name")
		if err := world.PutString(r, f, name); err != nil {
			t.Fatal(err)
		}
		return r
	}
	b := NewBuffer(schema, standard, true)
	for _, s := range []Sample{{Tick: 10}, {Tick: 20}, {Tick: 30}} {
		s.ProxyUpdate = world.ProxyUpdate{Object: someone, Class: uint16(class)}
		switch s.Tick {
		case 10:
			s.Fields = row(1, "a", 1, 4)
		case 20:
			s.Fields = row(5, "b", 1, 8)
		default:
			s.Fields = row(9, "c", 2, 9)
		}
		b.Add(s.Tick, []Sample{s}, -1)
	}
	show := func(c *world.Class, field int, x, y world.Value, part float64) (world.Value, bool) {
		switch c.Fields[field].Name {
		case "name":
			return world.TextValue(x.Text + ">" + y.Text), true
		case "same":
			t.Error("a function is called for a value that does not change")
		}
		return world.NumberValue(100*x.Number() + 10*y.Number() + part), true
	}
	none := func(*world.Class, int, world.Value, world.Value, float64) (v world.Value, ok bool) { return v, false }
	long := func(*world.Class, int, world.Value, world.Value, float64) (world.Value, bool) {
		return world.TextValue("long"), true
	}
	for _, c := range []struct {
		moment float64
		show   world.FieldShower
		want   [3]string
	}{
		{15, show, [3]string{"150.5", `"a>b"`, "480.5"}}, {10, show, [3]string{"1", `"a"`, "4"}}, {25, show, [3]string{"590.5", `"b>c"`, "8"}},
		{15, nil, [3]string{"1", `"a"`, "4"}}, {15, none, [3]string{"1", `"a"`, "4"}}, {15, long, [3]string{"1", `"a"`, "4"}}, {31, show, [3]string{"9", `"c"`, "9"}},
	} {
		b.moment = c.moment
		got := world.NewRow(&schema.Classes[class], make([]uint64, schema.Classes[class].Words()))
		if !b.Fields(&b.objects[0], got, c.show) {
			t.Fatal("fields are not known")
		}
		var texts [3]string
		world.NewFieldReader(&schema.Classes[class], got).All(func(name string, v world.Value) bool {
			if i := map[string]int{"heat": 1, "name": 2, "few[1]": 3}[name]; i > 0 {
				texts[i-1] = v.String()
			}
			return true
		})
		if texts != c.want {
			t.Errorf("at %v: %v, not %v", c.moment, texts, c.want)
		}
	}
}
