package world_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// drawCues draws the cues of tick 7, some of which are in like too.
func drawCues(t *rapid.T, like []world.Cue) (cues []world.Cue) {
	cues = slices.DeleteFunc(slices.Clone(like), func(world.Cue) bool { return rapid.IntRange(0, 3).Draw(t, "other") == 0 })
	for range rapid.IntRange(0, 4).Draw(t, "more") {
		c := world.Cue{CueKey: world.CueKey{Tick: 7, Object: world.ObjectID(rapid.IntRange(1, 3).Draw(t, "object")), Name: rapid.SampledFrom([]string{"hit", "bump"}).Draw(t, "name")},
			To: world.CueTo(rapid.IntRange(0, 2).Draw(t, "to")), When: world.CueWhen(rapid.IntRange(0, 1).Draw(t, "when")),
			Owner: world.PlayerID(rapid.IntRange(0, 400).Draw(t, "owner")), Lasts: world.Tick(rapid.IntRange(0, 400).Draw(t, "lasts"))}
		for range rapid.IntRange(0, 2).Draw(t, "fields") {
			f := world.CueField{Name: rapid.StringMatching("[a-z]{1,4}").Draw(t, "field"), Kind: world.Number, Number: rapid.Float64Range(-1e9, 1e9).Draw(t, "value")}
			if rapid.Bool().Draw(t, "is text") {
				f = world.CueField{Name: f.Name, Kind: world.String, Text: rapid.StringN(0, 20, world.MaxCueText).Draw(t, "text")}
			}
			c.Fields = append(c.Fields, f)
		}
		cues = append(cues, c)
	}
	slices.SortStableFunc(cues, func(a, b world.Cue) int { return int(a.Object) - int(b.Object) })
	counts := map[world.CueKey]int{}
	for i := range cues {
		c := &cues[i]
		c.Count = 0
		key := c.CueKey
		c.Count = counts[key]
		counts[key]++
	}
	return cues
}

func byKey(cues []world.Cue) map[world.CueKey]world.Cue {
	m := map[world.CueKey]world.Cue{}
	for _, c := range cues {
		c.Source = world.CueSource{}
		m[c.CueKey] = c
	}
	return m
}

func TestCuePatch(t *testing.T) {
	changed := 0
	draws.Check(t, func(t *rapid.T) {
		run := drawCues(t, nil)
		want := drawCues(t, run)
		host := slices.Clone(want)
		for range rapid.IntRange(0, 2).Draw(t, "replicated") { // these are not part of it
			host = append(host, world.Cue{CueKey: world.CueKey{Tick: 7, Object: 9, Name: "flash"}, Source: world.CueSource{Replicated: true}})
		}
		b := world.AppendCuePatch(nil, run, host)
		got, rest, err := world.ApplyCuePatch(append(b, 1, 2, 3), 7, run)
		if err != nil || len(rest) != 3 {
			t.Fatalf("%d bytes are left: %v", len(rest), err)
		}
		if !reflect.DeepEqual(byKey(got), byKey(want)) || !slices.IsSortedFunc(got, func(a, b world.Cue) int { return int(a.Object) - int(b.Object) }) {
			t.Fatalf("%+v, want %+v", got, want)
		}
		if same := reflect.DeepEqual(byKey(run), byKey(want)); same != (len(b) == 1) {
			t.Fatalf("the patch of equal lists (%v) has %d bytes", same, len(b))
		} else if !same {
			changed++
		}
	})
	if changed == 0 {
		t.Error("no list differed")
	}
}

func FuzzApplyCuePatch(f *testing.F) {
	run := []world.Cue{{CueKey: world.CueKey{Tick: 7, Object: 1, Name: "hit"}}, {CueKey: world.CueKey{Tick: 7, Object: 2, Name: "hit"}}}
	other := []world.Cue{{CueKey: world.CueKey{Tick: 7, Object: 2, Name: "hit", Count: 1}, Fields: []world.CueField{{Name: "x", Kind: world.Number, Number: 3}, {Name: "who", Kind: world.String, Text: "me"}}}}
	f.Add(world.AppendCuePatch(nil, run, other))
	f.Add(world.AppendCuePatch(nil, run, run))
	f.Add([]byte{2, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		cues, rest, err := world.ApplyCuePatch(b, 7, run)
		if err != nil {
			return
		}
		if len(rest) > len(b) || len(cues) > len(run)+len(b) {
			t.Fatalf("%d cues, %d bytes are left of %d", len(cues), len(rest), len(b))
		}
		again, _, err := world.ApplyCuePatch(world.AppendCuePatch(nil, nil, cues), 7, nil)
		if err != nil || len(again) != len(cues) {
			t.Fatalf("%d cues, %v, want %d", len(again), err, len(cues))
		}
	})
}

// TestUndoneCues tests that a hook which is undone leaves no cue, in ticks with a trace and without.
func TestUndoneCues(t *testing.T) {
	schema := mixedSchema(t)
	for _, traced := range []bool{false, true} {
		w := world.New()
		w.KeepCues = true
		w.Load(nil, schema)
		advance(w, nil)
		var trace world.Trace
		if traced {
			w.Enter(w.Now, &trace, schema)
		}
		advance(w, func() {
			defer w.Act(w.Act(int(w.Now.Run[0])))
			for _, name := range []string{"kept", "undone"} {
				mark := w.Actor().Calls().Mark()
				if err := w.Actor().Cue(name, world.CueAll, world.CuePredicted, 0, nil); err != nil {
					t.Fatal(err)
				}
				if name == "undone" {
					w.Actor().Calls().Undo(mark)
				}
			}
		})
		cues := w.TakeCues(nil)
		if traced {
			cues = trace.Cues(cues)
		}
		if len(cues) != 1 || cues[0].Name != "kept" {
			t.Errorf("traced %v: %+v", traced, cues)
		}
	}
}
