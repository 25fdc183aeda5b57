package world

import (
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// TestStatesShareVersions: a copy of a state keeps its aux fields whatever is written to the original, and
// takes memory for them only if they differ.
func TestStatesShareVersions(t *testing.T) {
	draws.Check(t, func(r *rapid.T) {
		fields := append(plainList("p", 3), Field{Name: "n", Default: []uint64{NumberBits(1)}})
		for i := range fields {
			fields[i].Aux = true
		}
		w, slot := listWorld(t, append(fields, Field{Name: "state", Default: []uint64{0}}))
		c, id := w.Class(slot), w.Now.Objects[slot].ID
		var kept []State
		var want []Row
		changes := 0
		for range rapid.IntRange(1, 12).Draw(r, "changes") {
			kept, want = append(kept, State{}), append(want, w.Now.Row(slot).Clone())
			kept[len(kept)-1].CopyFrom(w.Now)
			op := Op{Target: id, Kind: SetWord, Field: 4, Word: rapid.Uint64Range(1, 3).Draw(r, "n")}
			switch rapid.IntRange(0, 4).Draw(r, "what") {
			case 0:
				op = Op{Target: id, Kind: InsertItem, Word: 7}
			case 1:
				op = Op{Target: id, Kind: ClearItems}
			case 2:
				op.Field = 5
			}
			mark := w.mark()
			_ = w.Actor().Do(op) // the list may be full
			if rapid.Bool().Draw(r, "undone") {
				w.undo(mark)
				if !w.Now.Row(slot).Equal(want[len(want)-1]) {
					r.Fatalf("%v after an undone change, not %v", w.Now.Row(slot), want[len(want)-1])
				}
			}
			if !slices.Equal(w.Now.Row(slot).Aux, want[len(want)-1].Aux) {
				changes++
			}
		}
		var m Memory
		for i := range kept {
			if !kept[i].Row(slot).Equal(want[i]) {
				r.Fatalf("a copy has %v now, and had %v", kept[i].Row(slot), want[i])
			}
			kept[i].Rows.measure(&m)
		}
		if n, most := len(m.shared), changes+2; n > most { // one is that of the game
			r.Fatalf("%d versions of %d values", n, most)
		}
		if !freshAux(c).is([]uint64{0, 0, 0, 0, NumberBits(1)}) {
			r.Fatalf("a new object has %v", freshAux(c).words)
		}
	})
}

// TestVersionsInHashAndComparison: two objects with equal aux fields are equal, whichever versions they have, and
// any bit counts.
func TestVersionsInHashAndComparison(t *testing.T) {
	w, slot := listWorld(t, []Field{{Name: "n", Aux: true, Default: []uint64{NumberBits(1)}}})
	var other State
	other.CopyFrom(w.Now)
	other.Rows.putVersion(slot, newVersion(w.Now.Row(slot).Aux))
	if !w.Now.Same(&other) || w.Now.Hash() != other.Hash() || Diff(w.Now, &other, w.Schema(), 9) != nil {
		t.Error("an equal version differs")
	}
	for bit := range 64 {
		other.CopyFrom(w.Now)
		other.FlipWord(slot, w.Now.Rows.Stride, 1<<bit)
		if w.Now.Same(&other) || w.Now.Row(slot).Equal(other.Row(slot)) || w.Now.Hash() == other.Hash() || len(Diff(w.Now, &other, w.Schema(), 9)) != 1 {
			t.Errorf("bit %d does not count", bit)
		}
		patch := AppendPatch(nil, w.Schema(), w.Now, w.Now, &other)
		var again State
		again.CopyFrom(w.Now)
		if err := ApplyPatch(patch, w.Schema(), w.Now, &again); err != nil || !again.Same(&other) {
			t.Errorf("a patch of bit %d: %v", bit, err)
		}
	}
	w.Now.drop(slot)
	if w.Now.Rows.version(slot) != nil {
		t.Error("a free slot has aux fields")
	}
}
