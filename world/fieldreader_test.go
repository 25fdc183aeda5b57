package world_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// tankSchema has a class with a field of each kind, a record, and lists of plain
// values and of records.
func tankSchema(t tester) *world.Schema {
	number := func(name string, v float64) world.Field {
		return world.Field{Name: name, Default: []uint64{math.Float64bits(v)}}
	}
	fields := []world.Field{number("hp", 10), {Name: "armed", Kind: world.Bool, Default: []uint64{1}},
		{Name: "name", Kind: world.String, Cap: 12, Default: []uint64{3, 'b' | 'o'<<8 | 'b'<<16, 0}}, {Name: "target", Kind: world.Ref, Default: []uint64{77}},
		number("home.x", 3), number("home.y", -4), number("home.z", 1)}
	fields = world.AppendList(fields, "hits", 12, false, []world.Field{number("", 0)})
	fields = world.AppendList(fields, "bag", 3, false, []world.Field{number(".count", 0), number(".at.x", 5), number(".at.y", 6)})
	schema, err := world.NewSchema([]world.Class{{Name: "Tank", Fields: fields, Moves: &world.MoveRules{Speed: 1}}, {Name: "Mine"}},
		world.Setup{TickRate: 60, Seed: 1, Substeps: 4, Width: 20, Height: 20})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// tankWorld has one tank with twelve hits and two things in its bag.
func tankWorld(t tester) (r world.Reader, id world.ObjectID) {
	w := world.New()
	w.Load(nil, tankSchema(t))
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	game, _ := w.Match()
	w.Act(game)
	slot, err := w.Spawn("Tank", world.Placement{})
	if err != nil {
		t.Fatal(err)
	}
	id = w.Now.Objects[slot].ID
	list := func(name string) int {
		for i, f := range w.Class(slot).Fields {
			if f.Name == name {
				return i
			}
		}
		return -1
	}
	for i := range 12 {
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.InsertItem, Field: list("#hits"), Word: math.Float64bits(float64(i * i))})
	}
	for i := range 2 {
		item := []uint64{math.Float64bits(float64(i + 1)), math.Float64bits(8), math.Float64bits(9)}
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.InsertItem, Field: list("#bag"), Text: world.PackWords(item)})
	}
	w.EndOrder()
	w.Act(-1)
	w.End()
	return w.Reader(), id
}

func TestFieldReader(t *testing.T) {
	r, id := tankWorld(t)
	f, err := r.Fields(id)
	if err != nil {
		t.Fatal(err)
	}
	item := func(list string, i int) world.FieldReader {
		it, err := f.Item(list, i)
		if err != nil {
			t.Error(err)
		}
		return it
	}
	for _, c := range []struct {
		what string
		get  func() (any, error)
		want string
	}{
		{"number", func() (any, error) { return f.Number("hp") }, "10"},
		{"number of an object", func() (any, error) { return r.Number(id, "hp") }, "10"},
		{"bool", func() (any, error) { return r.Bool(id, "armed") }, "true"},
		{"text", func() (any, error) { return r.Text(id, "name") }, "bob"},
		{"appended text", func() (any, error) { b, err := f.AppendText([]byte("I am "), "name"); return string(b), err }, "I am bob"},
		{"ref", func() (any, error) { return r.Ref(id, "target") }, "000000000000004d"},
		{"part", func() (any, error) { return f.Number("home.z") }, "1"},
		{"vector", func() (any, error) { x, y, err := f.Vector("home"); return []float64{x, y}, err }, "[3 -4]"},
		{"length", func() (any, error) { return f.Len("hits") }, "12"},
		{"item", func() (any, error) { return item("hits", 12).Number("") }, "121"},
		{"item by name", func() (any, error) { return f.Number("hits[12]") }, "121"},
		{"part of an item", func() (any, error) { return item("bag", 2).Number("count") }, "2"},
		{"vector of an item", func() (any, error) { x, y, err := item("bag", 1).Vector("at"); return []float64{x, y}, err }, "[8 9]"},
		{"match", func() (any, error) { return r.Match().Known(), nil }, "true"},
		{"class", func() (any, error) { return r.ClassIndex("Mine") }, "1"},
	} {
		if got, err := c.get(); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.what, got, err, c.want)
		}
	}
	var all []string
	f.All(func(name string, v world.Value) bool {
		all = append(all, name+"="+v.String())
		return name != "hits[2]"
	})
	if got := strings.Join(all, " "); got != `hp=10 armed=true name="bob" target=000000000000004d home.x=3 home.y=-4 home.z=1 hits[1]=0 hits[2]=1` {
		t.Error(got)
	}
}

func TestFieldReaderErrors(t *testing.T) {
	r, id := tankWorld(t)
	f, _ := r.Fields(id)
	first, _ := f.Item("bag", 1)
	for _, c := range []struct {
		get  func() error
		is   error
		says string
	}{
		{func() error { _, err := r.Number(5, "hp"); return err }, world.ErrRemoved, "object 0000000000000005"},
		{func() error { _, err := r.Number(id, "hq"); return err }, world.ErrNoField, `Tank has no "hq"; it has hp, armed, name, target, home, hits and bag`},
		{func() error { _, err := r.Bool(id, "hp"); return err }, world.ErrValue, "Tank.hp is a number, not a bool"},
		{func() error { _, err := r.Number(id, "pose x"); return err }, world.ErrNoField, `no "pose x"`},
		{func() error { _, _, err := f.Vector("hits"); return err }, world.ErrNoField, `no "hits.x"`},
		{func() error { _, err := f.Number("hits"); return err }, world.ErrNoField, `no "hits"`},
		{func() error { _, err := f.Number("bag[3].count"); return err }, world.ErrNoItem, "bag[3].count"},
		{func() error { _, err := f.Item("bag", 3); return err }, world.ErrNoItem, "item 3 of Tank.bag, which has 2"},
		{func() error { _, err := f.Item("bag", 0); return err }, world.ErrNoItem, "item 0"},
		{func() error { _, err := f.Len("hp"); return err }, world.ErrValue, "Tank.hp is a number, not a list"},
		{func() error { _, err := f.Len("bog"); return err }, world.ErrNoField, `no "bog"`},
		{func() error { _, err := first.Number("weight"); return err }, world.ErrNoField, `an item of Tank.bag has no "weight"`},
		{func() error { _, err := first.Len("count"); return err }, world.ErrValue, "not a list"},
		{func() error { _, err := world.FieldReader{}.Number("hp"); return err }, world.ErrNoField, "not known"},
		{func() error { _, err := r.ClassIndex("Tonk"); return err }, world.ErrNoClass, `"Tonk"; the scripts declare Tank and Mine`},
		{func() error { _, err := r.Placement(id); return err }, world.ErrBody, "Tank"},
		{func() error { _, err := r.Placement(5); return err }, world.ErrRemoved, "object"},
	} {
		if err := c.get(); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
}

// TestFieldReaderAllocatesNothing: it may be asked in every frame.
func TestFieldReaderAllocatesNothing(t *testing.T) {
	r, id := tankWorld(t)
	text := make([]byte, 0, 64)
	n := testing.AllocsPerRun(100, func() {
		f, _ := r.Fields(id)
		hp, _ := r.Number(id, "hp")
		_, y, _ := f.Vector("home")
		count, _ := f.Len("hits")
		item, _ := f.Item("bag", 2)
		_, at, _ := item.Vector("at")
		b, err := f.AppendText(text, "name")
		if hp+y+float64(count)+at != 27 || string(b) != "bob" || err != nil {
			t.Error(hp, y, count, at, string(b), err)
		}
	})
	if n != 0 {
		t.Errorf("reading allocates %v times", n)
	}
}
