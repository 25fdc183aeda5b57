package replicate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// crowd returns a room of n balls in a row along x, a metre apart, that move; the
// first is player 1's.
func crowd(t testing.TB, n int) (*world.State, *world.Schema) {
	t.Helper()
	ball := world.Class{Name: "Ball", Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.2), Density: 1}}}
	setup := bundle.DefaultSetup()
	schema, err := world.NewSchema([]world.Class{ball}, setup)
	if err != nil {
		t.Fatal(err)
	}
	w := world.New()
	w.Load(nil, schema)
	for i := 0; i < n; {
		w.Begin()
		w.BeginOrder()
		if i == 0 {
			w.SpawnLevel(func(int, *world.Event) {})
		}
		game, _ := w.Match()
		w.Act(game)
		for range min(world.MaxSpawns, n-i) {
			at := world.Placement{Pose: physics.Pose{X: float64(i)}, Velocity: physics.Velocity{VX: 1, VY: float64(i % 7)}}
			if i == 0 {
				at.Owner = 1
			}
			if _, err := w.Spawn("Ball", at); err != nil {
				t.Fatal(err)
			}
			i++
		}
		w.EndOrder()
		w.End()
	}
	s := &world.State{}
	s.CopyFrom(w.Now)
	return s, schema
}

// from returns a sender whose baseline is all bodies of s, as snapshot seq, for a client that is known to acknowledge.
func from(schema *world.Schema, s *world.State, seq uint32) *Sender {
	sender := NewSender(new(Workspace), schema, s.Bundle, true)
	sender.seq = seq - 1
	sender.Restart(schema, Baseline(schema, s, sender.NextNumber()))
	sender.sent.proved = true
	return sender
}

// drive moves every body of a state for some ticks, in ways that are hard to predict.
func drive(s *world.State, ticks int) {
	s.Tick += world.Tick(ticks)
	for i := range s.Physics.Bodies {
		b := &s.Physics.Bodies[i]
		b.VX, b.VY = b.VX+float64(int(s.Tick)*(i+3)%17-8)/8, b.VY+float64(int(s.Tick)*(i+5)%13-6)/8
		b.X += b.VX / 60 * float64(ticks)
		b.Y += b.VY / 60 * float64(ticks)
	}
}

// If not all objects fit, each is sent now and then, those near are sent more often, and no
// snapshot is too large.
func TestSnapshotsKeepToTheirBudget(t *testing.T) {
	s, schema := crowd(t, 300)
	layout := wire.NewSnapshotLayout(schema)
	slots := spectated(s, schema, nil)
	sender := from(schema, s, 1)
	var got wire.Snapshot
	bases := map[uint32]wire.Snapshot{1: *sender.base}
	updates := map[world.ObjectID]int{}
	const most, rounds = 150, 120
	for range rounds {
		drive(s, 3)
		b := sender.Snapshot(s, schema, slots, 1, most)
		if len(b) > most {
			t.Fatalf("a snapshot of %d bytes", len(b))
		}
		seq, of, _, err := wire.SnapshotHead(b)
		base := bases[of]
		if err == nil {
			err = wire.ParseSnapshot(b, layout, nil, &base, &got)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Entities) != 300 {
			t.Fatalf("%d objects are known", len(got.Entities))
		}
		for _, e := range got.Entities {
			if e.Tick == s.Tick {
				updates[e.ID]++
			}
		}
		bases[seq], got = got, wire.Snapshot{}
		if seq%5 != 0 { // some acks are lost
			sender.Acknowledge(seq, 0)
		}
	}
	near, far, least := 0, 0, rounds
	for _, slot := range slots {
		n := updates[s.Objects[slot].ID]
		least = min(least, n)
		switch x := s.Body(int(slot)).X; {
		case x < 30:
			near += n
		case x > 270:
			far += n
		}
	}
	if least < 2 || near < 4*far {
		t.Errorf("the object updated least came %d times in %d; those near %d times, those far %d", least, rounds, near, far)
	}
}

// Objects that the client lacks come a few at a time, and none disappears again.
func TestSnapshotsOfManyNewObjects(t *testing.T) {
	s, schema := crowd(t, 200)
	layout := wire.NewSnapshotLayout(schema)
	slots := spectated(s, schema, nil)
	empty := world.State{Bundle: s.Bundle}
	sender := from(schema, &empty, 1)
	bases := map[uint32]wire.Snapshot{1: *sender.base}
	known := 0
	var acks []uint32 // on their way
	for round := range 60 {
		drive(s, 3)
		b := sender.Snapshot(s, schema, slots, 1, 1000)
		seq, of, _, _ := wire.SnapshotHead(b)
		base, got := bases[of], wire.Snapshot{}
		if err := wire.ParseSnapshot(b, layout, nil, &base, &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Entities) < known {
			t.Fatalf("round %d: %d objects after %d", round, len(got.Entities), known)
		}
		known = len(got.Entities)
		bases[seq] = got
		if acks = append(acks, seq); len(acks) > 4 {
			sender.Acknowledge(acks[0], 0)
			acks = slices.Delete(acks, 0, 1)
		}
	}
	if known != 200 {
		t.Errorf("%d objects are known after 60 snapshots", known)
	}
}

// If not all objects fit in the first snapshot, those of its player come before the others: the player's client simulates
// them already, and removes what is not there.
func TestOwnObjectsComeFirst(t *testing.T) {
	s, schema := crowd(t, 200)
	slots := spectated(s, schema, nil)
	for i := 0; i < len(slots); i += 25 {
		s.Objects[slots[i]].Owner = 2
	}
	empty := world.State{Bundle: s.Bundle}
	sender := from(schema, &empty, 1)
	base, got := *sender.base, wire.Snapshot{}
	if err := wire.ParseSnapshot(sender.Snapshot(s, schema, slots, 2, 1000), wire.NewSnapshotLayout(schema), nil, &base, &got); err != nil {
		t.Fatal(err)
	}
	own := 0
	for i := range got.Entities {
		if got.Entities[i].Owner == 2 {
			own++
		}
	}
	if n := len(got.Entities); n < 20 || n > 150 || own != 8 {
		t.Errorf("%d objects in the first snapshot, of which 8 are to be the player's: %d", n, own)
	}
}

// If not even the objects of its player fit in a snapshot, the oldest come first, those that were sent stay in, and the
// snapshot says which may be missing.
func TestSnapshotsSayWhichOwnObjectsTheyLack(t *testing.T) {
	s, schema := crowd(t, 300)
	layout := wire.NewSnapshotLayout(schema)
	slots := spectated(s, schema, nil)
	drive(s, 60)
	for i, slot := range slots {
		if i%3 != 0 {
			s.Objects[slot].Owner, s.Objects[slot].Spawned = 2, s.Tick-world.Tick(i*7%40)
		}
	}
	empty := world.State{Bundle: s.Bundle}
	sender := from(schema, &empty, 1)
	bases := map[uint32]wire.Snapshot{1: *sender.base}
	sent := map[world.ObjectID]bool{}
	lacking := 0
	var acks []uint32 // on their way
	for round := range 60 {
		drive(s, 3)
		b := sender.Snapshot(s, schema, slots, 2, 1000)
		seq, of, _, _ := wire.SnapshotHead(b)
		base, got := bases[of], wire.Snapshot{}
		if err := wire.ParseSnapshot(b, layout, nil, &base, &got); err != nil {
			t.Fatal(err)
		}
		missing := 0
		for _, slot := range slots {
			o := &s.Objects[slot]
			if o.Owner != 2 {
				continue
			}
			if _, here := got.Find(o.ID); here {
				sent[o.ID] = true
				continue
			}
			if missing++; sent[o.ID] {
				t.Fatalf("round %d: an object that was in a snapshot is missing in the next one", round)
			}
			if o.Spawned+got.Lacks <= got.Tick {
				t.Fatalf("round %d: an object of tick %d is missing in a snapshot of tick %d that lacks %d ticks", round, o.Spawned, got.Tick, got.Lacks)
			}
		}
		if (missing > 0) != (got.Lacks > 0) {
			t.Fatalf("round %d: %d objects are missing, and it lacks %d ticks", round, missing, got.Lacks)
		}
		if missing > 0 {
			lacking++
		}
		bases[seq] = got
		if acks = append(acks, seq); len(acks) > 4 {
			sender.Acknowledge(acks[0], 0)
			acks = slices.Delete(acks, 0, 1)
		}
	}
	if lacking < 5 || lacking > 40 || len(sent) != 200 {
		t.Errorf("%d snapshots lacked objects of the player, and then %d of 200 had been sent", lacking, len(sent))
	}
}

// An acknowledgement of a snapshot that was not sent, or is too old, is ignored.
func TestSenderIgnoresWrongAcks(t *testing.T) {
	s, schema := crowd(t, 3)
	sender := from(schema, s, 5)
	slots := spectated(s, schema, nil)
	for range 40 {
		drive(s, 3)
		sender.Snapshot(s, schema, slots, 1, 1000)
	}
	for _, seq := range []uint32{0, 3, 5, 6, 46, 1 << 31} {
		if sender.Acknowledge(seq, 0); sender.base.Seq != 5 {
			t.Fatalf("an ack of %d made %d the base", seq, sender.base.Seq)
		}
	}
	sender.Acknowledge(44, 0)
	sender.Acknowledge(43, 0)
	if sender.base.Seq != 44 {
		t.Errorf("the base is %d", sender.base.Seq)
	}
}

func TestSnapshotsAllocateNothing(t *testing.T) {
	s, schema := crowd(t, 200)
	sender := from(schema, s, 1)
	sender.checked = false // the arguments of assertions are allocated
	slots := spectated(s, schema, nil)
	round := func() {
		drive(s, 3)
		sender.Snapshot(s, schema, slots, 1, 300)
		sender.Acknowledge(sender.seq, 0)
	}
	for range 100 {
		round()
	}
	if n := testing.AllocsPerRun(50, round); n != 0 {
		t.Errorf("%v allocations for a snapshot", n)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, n := range []int{50, 1000} {
		b.Run(fmt.Sprintf("objects=%d", n), func(b *testing.B) {
			s, schema := crowd(b, n)
			sender := from(schema, s, 1)
			slots := spectated(s, schema, nil)
			b.ReportAllocs()
			for b.Loop() {
				drive(s, 3)
				sender.Snapshot(s, schema, slots, 1, 1000)
				sender.Acknowledge(sender.seq, 0)
			}
		})
	}
}
