package world_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

func TestStateSurvivesItsByteForm(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 4)
	for i := range 30 {
		w.BeginOrder()
		w.Act(b[i%4])
		id := w.Now.Objects[b[i%4]].ID
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.SetText, Field: 2, Text: "ball"[:i%4]})
		_ = w.Actor().Do(world.Op{Target: id, Kind: world.SetVelocity, A: float64(3 - i%7), B: -2})
		w.Act(-1)
		w.EndOrder()
		w.Step()
		w.End()
		w.Begin()
	}
	bytes := world.AppendState(nil, w.Now, w.Schema())
	got, err := world.ParseState(bytes, w.Schema())
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != w.Now.Hash() {
		t.Errorf("hash %016x, before %016x: %v", got.Hash(), w.Now.Hash(), world.Diff(w.Now, got, w.Schema(), 5))
	}
	for n := range bytes {
		if _, err := world.ParseState(bytes[:n], w.Schema()); !errors.Is(err, world.ErrFormat) {
			t.Fatalf("cut off after %d bytes: %v", n, err)
		}
	}
	if _, err := world.ParseState(append(bytes, 0), w.Schema()); !errors.Is(err, world.ErrFormat) {
		t.Errorf("a byte too many: %v", err)
	}
}

func FuzzParseState(f *testing.F) {
	schema := testSchema(f, carriable)
	w, _ := begin(f, schema, 3)
	f.Add(world.AppendState(nil, w.Now, w.Schema()))
	f.Add(world.AppendObjects(nil, w.Now, schema, w.Now.Run[:1]))
	withJoints, _ := tied(f)
	f.Add(world.AppendState(nil, withJoints.Now, schema))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := world.ParseState(b, schema)
		if err != nil {
			return
		}
		again, err := world.ParseState(world.AppendState(nil, s, schema), schema)
		if err != nil || again.Hash() != s.Hash() {
			t.Fatalf("a parsed state does not survive its own byte form: %v", err)
		}
		w := world.New()
		w.Check = true
		w.Load(s, schema)
		w.Begin()
		for range 2 {
			rest(w)
		}
	})
}

func TestDiffNamesWhatDiffers(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	var other world.State
	other.CopyFrom(w.Now)
	if d := world.Diff(w.Now, &other, w.Schema(), 10); d != nil {
		t.Fatalf("copies differ: %v", d)
	}
	other.Row(b[1]).State[0] = world.NumberBits(3)
	other.Body(b[0]).VX = 7
	other.Objects[b[0]].Faults[world.OnTick] = 2
	var fields []string
	for _, d := range world.Diff(w.Now, &other, w.Schema(), 10) {
		fields = append(fields, d.Class+"."+d.Field)
	}
	if got := strings.Join(fields, " "); !strings.Contains(got, "Ball.hp") || !strings.Contains(got, "Ball.body.vx") ||
		!strings.Contains(got, "Ball.faults.tick") || len(fields) != 3 {
		t.Errorf("named %v", fields)
	}
	if w.Now.Hash() == other.Hash() {
		t.Error("equal hashes of different states")
	}
}

func TestOverlayReplacesBitsAndAddsObjects(t *testing.T) {
	schema := testSchema(t, nil)
	w, b := begin(t, schema, 3)
	truth, _ := begin(t, schema, 3)
	truth.Now.Body(b[1]).X += 2
	slot1, _ := truth.Now.Find(w.Now.Objects[b[1]].ID)
	slot2, _ := truth.Now.Find(w.Now.Objects[b[2]].ID)
	part, err := world.ParseState(world.AppendObjects(nil, truth.Now, schema, []int32{int32(slot1), int32(slot2)}), schema)
	if err != nil {
		t.Fatal(err)
	}
	w.BeginOrder()
	w.Act(b[0])
	_ = w.Actor().Do(world.Op{Target: w.Now.Objects[b[2]].ID, Kind: world.Remove})
	w.Act(-1)
	w.EndOrder()
	w.End()
	w.ApplyCorrection(part)
	if w.Now.Hash() != truth.Now.Hash() {
		t.Errorf("%v", world.Diff(w.Now, truth.Now, schema, 5))
	}
}

func TestMigrateCarriesFieldsByName(t *testing.T) {
	w, b := begin(t, testSchema(t, nil), 2)
	id := w.Now.Objects[b[0]].ID
	w.BeginOrder()
	w.Act(b[0])
	_ = w.Actor().Do(setHP(id, 77))
	_ = w.Actor().Do(world.Op{Target: id, Kind: world.SetText, Field: 2, Text: "zoe"})
	w.Act(-1)
	w.EndOrder()
	w.Now.Objects[b[0]].Faults[world.OnTick] = world.FaultLimit
	next := testSchema(t, func(c []world.Class) {
		c[0].Fields = []world.Field{
			{Name: "mana", Default: []uint64{math.Float64bits(5)}},
			{Name: "name", Kind: world.String, Cap: 20},
			{Name: "alive", Default: []uint64{math.Float64bits(1)}}, // another kind now
			{Name: "hp", Default: []uint64{math.Float64bits(10)}},
		}
		c[1].Name = "Points"
	})
	w.Migrate(next, 2)
	slot, ok := w.Now.Find(id)
	if !ok {
		t.Fatal("the ball is gone")
	}
	class := w.Class(slot)
	read := func(name string) uint64 { f, _ := class.Field(name); return w.Now.Row(slot).Word(f) }
	name, _ := class.Field("name")
	if math.Float64frombits(read("hp")) != 77 || math.Float64frombits(read("mana")) != 5 || math.Float64frombits(read("alive")) != 1 ||
		world.StringField(w.Now.Row(slot), name) != "zoe" {
		t.Errorf("row %v", w.Now.Row(slot))
	}
	if w.Now.Objects[slot].Faults[world.OnTick] != 0 {
		t.Error("a silenced hook stays silenced under new scripts")
	}
	w.Step()
	if w.Now.Bundle != 2 {
		t.Errorf("bundle %d", w.Now.Bundle)
	}
}

// TestSlotsAreInNoHash: states that differ in slots only are equal.
func TestSlotsAreInNoHash(t *testing.T) {
	schema := testSchema(t, nil)
	w, b := begin(t, schema, 4)
	w.BeginOrder()
	w.Act(b[1])
	_ = w.Actor().Do(world.Op{Target: w.Now.Objects[b[1]].ID, Kind: world.Remove})
	w.Act(-1)
	w.EndOrder()
	w.End() // leaves a hole
	packed, err := world.ParseState(world.AppendState(nil, w.Now, w.Schema()), schema)
	if err != nil {
		t.Fatal(err)
	}
	other := world.New()
	other.Check = true
	other.Load(packed, schema)
	for range 60 {
		for _, x := range []*world.World{w, other} {
			x.Begin()
			x.BeginOrder()
			game, _ := x.Match()
			x.Act(game)
			if _, err := x.Spawn("Ball", world.Placement{Pose: physics.Pose{X: 1, Y: 4}}); err != nil {
				t.Fatal(err)
			}
			x.Act(-1)
			x.EndOrder()
			x.Step()
			x.End()
		}
		if w.Now.Hash() != other.Now.Hash() {
			t.Fatalf("%v", world.Diff(w.Now, other.Now, schema, 5))
		}
	}
}
