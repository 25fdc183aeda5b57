package world

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// listWorld returns a world with one object of class L.
func listWorld(t testing.TB, fields []Field) (*World, int) {
	t.Helper()
	schema, err := NewSchema([]Class{{Name: "L", Fields: fields}}, Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1})
	if err != nil {
		t.Fatal(err)
	}
	w := New()
	w.Load(nil, schema)
	w.Begin()
	w.SpawnLevel(func(int, *Event) {})
	w.BeginOrder()
	game, _ := w.Match()
	w.Act(game)
	slot, err := w.Spawn("L", Placement{})
	if err != nil {
		t.Fatal(err)
	}
	w.Act(slot)
	return w, slot
}

func plainList(name string, cap int) []Field {
	return AppendList(nil, name, cap, false, []Field{{Kind: Number, Default: []uint64{0}}})
}

func pairList(name string, cap int) []Field {
	return AppendList(nil, name, cap, false, []Field{
		{Name: ".a", Kind: Number, Default: []uint64{7}},
		{Name: ".s", Kind: String, Cap: 12, Default: []uint64{0, 0, 0}},
	})
}

// drawAux declares some fields and lists in aux.
func drawAux(r *rapid.T, fields []Field) []Field {
	fields = slices.Clone(fields)
	aux := false
	for i := range fields {
		if fields[i].List == 0 {
			aux = rapid.Bool().Draw(r, "aux")
		}
		fields[i].Aux = aux
	}
	return fields
}

// TestListsLikeSlices drives a list by random changes beside a slice.
func TestListsLikeSlices(t *testing.T) {
	draws.Check(t, func(r *rapid.T) {
		cap := rapid.IntRange(1, 5).Draw(r, "cap")
		w, slot := listWorld(t, drawAux(r, append(plainList("p", cap), pairList("q", cap)...)))
		id := w.Now.Objects[slot].ID
		c := w.Class(slot)
		fresh := w.Now.Row(slot).Clone()
		lists := []int{0, 1 + cap}
		var want [2][]uint64
		for range rapid.IntRange(1, 30).Draw(r, "changes") {
			which := rapid.IntRange(0, 1).Draw(r, "list")
			have := &want[which]
			op := Op{Target: id, Field: lists[which], Kind: rapid.SampledFrom([]OpKind{SetItem, InsertItem, RemoveItem, ClearItems}).Draw(r, "kind"),
				Item: int32(rapid.IntRange(0, cap+2).Draw(r, "item")), Word: rapid.Uint64Range(1, 99).Draw(r, "word")}
			if which == 1 {
				op.Text = PackWords([]uint64{op.Word, 1, 65, 0})
			}
			at := int(op.Item)
			if at == 0 {
				at = len(*have) + 1
				if op.Kind == RemoveItem {
					at--
				}
			}
			ok := at >= 1
			switch op.Kind {
			case SetItem:
				if ok = ok && at <= min(len(*have)+1, cap); ok && at > len(*have) {
					*have = append(*have, op.Word)
				} else if ok {
					(*have)[at-1] = op.Word
				}
			case InsertItem:
				if ok = ok && at <= len(*have)+1 && len(*have) < cap; ok {
					*have = slices.Insert(*have, at-1, op.Word)
				}
			case RemoveItem:
				if ok = ok && at <= len(*have); ok {
					*have = slices.Delete(*have, at-1, at)
				}
			case ClearItems:
				ok, *have = true, nil
			}
			if err := w.Actor().Do(op); (err == nil) != ok || err != nil && !errors.Is(err, ErrNoItem) {
				r.Fatalf("%+v on %v: %v", op, *have, err)
			}
		}
		row := w.Now.Row(slot)
		for which, list := range lists {
			f := &c.Fields[list]
			if f.Len(row) != len(want[which]) {
				r.Fatalf("%d items, not %v", f.Len(row), want[which])
			}
			for i, v := range want[which] {
				if got := row.Word(&c.Fields[list+1+i*f.Leaves]); got != v || !c.Has(row, list+1+i*f.Leaves) {
					r.Fatalf("item %d is %d, not %v", i+1, got, want[which])
				}
			}
			if rest := list + 1 + len(want[which])*f.Leaves; len(want[which]) < f.Cap && (c.Has(row, rest) || w.Actor().Do(Op{Target: id, Kind: SetWord, Field: rest, Word: 1}) == nil) {
				r.Fatalf("item %d is there", len(want[which])+1)
			}
			if err := w.Actor().Do(Op{Target: id, Kind: ClearItems, Field: list}); err != nil {
				r.Fatal(err)
			}
		}
		if !w.Now.Row(slot).Equal(fresh) {
			r.Fatalf("emptied lists leave %v, not %v", w.Now.Row(slot), fresh)
		}
	})
}

// TestListsAreInBytesHashAndDiff: the byte form, the hash and the differences of a state
// include its lists.
func TestListsAreInBytesHashAndDiff(t *testing.T) {
	w, slot := listWorld(t, append(plainList("p", 3), pairList("q", 2)...))
	id := w.Now.Objects[slot].ID
	var before State
	before.CopyFrom(w.Now)
	for _, op := range []Op{{Kind: InsertItem, Field: 0, Word: NumberBits(1.5)}, {Kind: InsertItem, Field: 4, Text: PackWords([]uint64{NumberBits(2), 2, 0x6261, 0})}} {
		op.Target = id
		if err := w.Actor().Do(op); err != nil {
			t.Fatal(err)
		}
	}
	if before.Hash() == w.Now.Hash() {
		t.Error("the hash does not cover lists")
	}
	var fields []string
	for _, d := range Diff(&before, w.Now, w.Schema(), 10) {
		fields = append(fields, d.Field+" "+d.A+" -> "+d.B)
	}
	if got, want := strings.Join(fields, "; "), `#p 0 -> 1; p[1] 0 (0000000000000000) -> 1.5 (3ff8000000000000); #q 0 -> 1; q[1].a 3.5e-323 (0000000000000007) -> 2 (4000000000000000); q[1].s "" -> "ab"`; got != want {
		t.Errorf("differences: %s", got)
	}
	again, err := ParseState(AppendState(nil, w.Now, w.Schema()), w.Schema())
	if err != nil || again.Hash() != w.Now.Hash() {
		t.Errorf("%v", err)
	}
	// What comes over the network may claim any length.
	row := again.Row(slot)
	c := w.Class(slot)
	row.SetWord(&c.Fields[0], 1<<63+5)
	row.SetWord(&c.Fields[6], 1<<63)
	if n := c.Fields[0].Len(row); n != 3 {
		t.Errorf("%d items", n)
	}
	if s := StringField(row, &c.Fields[6]); len(s) != 12 {
		t.Errorf("%q", s)
	}
}

// TestRowsKeepEveryBit: the byte form of a row keeps all its bits, also those of unused
// items.
func TestRowsKeepEveryBit(t *testing.T) {
	fields := append(append(plainList("p", 3), pairList("q", 2)...),
		Field{Name: "n", Kind: Number, Default: []uint64{0}},
		Field{Name: "hp", Kind: Number, Step: 0.1, Default: []uint64{0}},
		Field{Name: "b", Kind: Bool, Default: []uint64{1}},
		Field{Name: "r", Kind: Ref, Default: []uint64{0}},
		Field{Name: "s", Kind: String, Cap: 12, Default: []uint64{0, 0, 0}})
	draws.Check(t, func(r *rapid.T) {
		w, slot := listWorld(t, drawAux(r, fields))
		number := rapid.OneOf(rapid.Float64(), rapid.Map(rapid.IntRange(-999, 999), func(i int) float64 { return float64(i) * 0.1 }),
			rapid.Map(rapid.Int64(), func(i int64) float64 { return float64(i) }), rapid.Just(math.Copysign(0, -1)))
		for range rapid.IntRange(0, 6).Draw(r, "changes") {
			at := rapid.IntRange(0, w.Now.Row(slot).Len()-1).Draw(r, "word")
			old := append(slices.Clone(w.Now.Row(slot).State), w.Now.Row(slot).Aux...)
			w.Now.FlipWord(slot, at, old[at]^rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 4), rapid.Map(number, NumberBits)).Draw(r, "value"))
		}
		want := w.Now.Row(slot).Clone()
		again, err := ParseState(AppendState(nil, w.Now, w.Schema()), w.Schema())
		if err != nil {
			r.Fatal(err)
		}
		at, _ := again.Find(w.Now.Objects[slot].ID)
		if !again.Row(at).Equal(want) {
			r.Fatalf("%x came back as %x", want, again.Row(at))
		}
	})
}

// TestStepsAreShort: what a field costs on the wire.
func TestStepsAreShort(t *testing.T) {
	for _, c := range []struct {
		f     Field
		v     float64
		bytes int
	}{
		{Field{}, 0, 1}, {Field{}, 31, 1}, {Field{}, -31, 1}, {Field{}, 100, 2}, {Field{}, 0.1, 9},
		{Field{Step: 0.1}, 0.1, 1}, {Field{Step: 0.1}, 99.9, 2}, {Field{Step: 0.25}, -7.75, 1}, {Field{Step: 0.1}, 0.15, 9},
	} {
		c.f.Kind = Number
		if b := c.f.appendNumber(nil, NumberBits(c.f.Quantize(c.v))); c.f.Quantize(c.v) == c.v && len(b) != c.bytes {
			t.Errorf("%v on steps of %v: %d bytes, not %d", c.v, c.f.Step, len(b), c.bytes)
		}
	}
	w, slot := listWorld(t, append(plainList("p", 100), Field{Name: "hp", Kind: Number, Step: 0.5, Default: []uint64{NumberBits(50)}}))
	if b := w.Class(slot).appendRow(nil, w.Now.Row(slot)); len(b) != 3 {
		t.Errorf("an empty list and 100 half steps: %d bytes", len(b))
	}
}

// TestListsMigrate: items carry over by number, parts by name; other kinds of
// items do not.
func TestListsMigrate(t *testing.T) {
	text := []Field{{Kind: String, Cap: 8, Default: []uint64{0, 0}}}
	for _, c := range []struct {
		name string
		to   []Field
		want []uint64
	}{
		{"the same", plainList("p", 3), []uint64{2, 11, 12, 0}},
		{"longer", plainList("p", 4), []uint64{2, 11, 12, 0, 0}},
		{"shorter", plainList("p", 1), []uint64{1, 11}},
		{"another kind", AppendList(nil, "p", 2, false, text), []uint64{0, 0, 0, 0, 0}},
		{"records now", pairList("p", 1), []uint64{0, 7, 0, 0, 0}},
		{"another name", plainList("r", 1), []uint64{0, 0}},
		{"plain now", []Field{{Name: "p", Kind: Number, Default: []uint64{3}}}, []uint64{3}},
	} {
		w, slot := listWorld(t, plainList("p", 3))
		id := w.Now.Objects[slot].ID
		for _, v := range []uint64{11, 12} {
			_ = w.Actor().Do(Op{Target: id, Kind: InsertItem, Word: v})
		}
		to, err := NewSchema([]Class{{Name: "L", Fields: c.to}}, w.Schema().Setup)
		if err != nil {
			t.Fatal(err)
		}
		w.Migrate(to, 2)
		at, _ := w.Now.Find(id)
		if got := w.Now.Row(at).AppendWords(nil, w.Class(at)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
	w, slot := listWorld(t, pairList("q", 2))
	id := w.Now.Objects[slot].ID
	_ = w.Actor().Do(Op{Target: id, Kind: InsertItem, Text: PackWords([]uint64{5, 1, 65, 0})})
	to, _ := NewSchema([]Class{{Name: "L", Fields: AppendList(nil, "q", 2, false, []Field{
		{Name: ".new", Kind: Bool, Default: []uint64{1}}, {Name: ".s", Kind: String, Cap: 8, Default: []uint64{0, 0}}})}}, w.Schema().Setup)
	w.Migrate(to, 2)
	at, _ := w.Now.Find(id)
	if got := w.Now.Rows.flat(at); !slices.Equal(got[:7], []uint64{1, 1, 1, 65, 1, 0, 0}) {
		t.Errorf("records: %v", got)
	}
}

func TestHold(t *testing.T) {
	for _, c := range []struct {
		f       Field
		v, want float64
	}{
		{Field{}, 1.23, 1.23},
		{Field{Min: 0, Max: 10}, -1, 0}, {Field{Min: 0, Max: 10}, 11, 10}, {Field{Min: 0, Max: 10}, 3.3, 3.3},
		{Field{Step: 0.5}, 1.3, 1.5}, {Field{Step: 0.5}, -1.3, -1.5}, {Field{Step: 0.5}, -0.1, 0},
		{Field{Min: 0, Max: 1, Step: 0.4}, 1, 0.8}, {Field{Min: 0.1, Max: 1, Step: 0.4}, 0.1, 0.4},
	} {
		if got := c.f.Quantize(c.v); NumberBits(got) != NumberBits(c.want) {
			t.Errorf("%+v: %v is held to %v, not %v", c.f, c.v, got, c.want)
		}
	}
}

func TestListChangesAsText(t *testing.T) {
	w, slot := listWorld(t, append(plainList("p", 3), pairList("q", 2)...))
	c := w.Class(slot)
	for _, x := range []struct {
		op   Op
		want string
	}{
		{Op{Kind: SetItem, Item: 2, Word: NumberBits(5)}, "p[2] = 5"}, {Op{Kind: InsertItem, Word: NumberBits(5)}, "table.insert(p, 5"},
		{Op{Kind: InsertItem, Item: 1, Field: 4, Text: "x"}, "table.insert(q, 1, {...})"}, {Op{Kind: RemoveItem}, "table.remove(p)"},
		{Op{Kind: RemoveItem, Item: 3}, "table.remove(p, 3)"}, {Op{Kind: ClearItems}, "p = {}"}, {Op{Kind: SetItem, Field: 1}, "a list"},
	} {
		if got := (&Change{Op: x.op}).Text(c); !strings.HasPrefix(got, x.want) {
			t.Errorf("%q, not %q", got, x.want)
		}
	}
}
