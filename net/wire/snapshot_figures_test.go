package wire_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/figures"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// A scene is a room in play; step simulates one tick.
type scene struct {
	schema *world.Schema
	step   func() *world.State
	moving []int32 // slots: what snapshots tell of
}

// drifting returns n discs in empty space. Damping slows half of them down.
func drifting(t testing.TB, n int) *scene {
	body := func(damping float64) *world.BodySpec {
		return &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.01), Density: 1,
			LinearDamping: damping, AngularDamping: damping}, Layer: "ghost", Collides: []string{"wall"}}
	}
	schema, err := world.NewSchema([]world.Class{{Name: "Disc", Body: body(0)}, {Name: "Ball", Body: body(0.3)}},
		world.Setup{TickRate: 60, Substeps: 4, Width: 200, Height: 200})
	must(t, err)
	w := world.New()
	w.Load(nil, schema)
	r := rand.New(rand.NewPCG(1, 2))
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	game, _ := w.Match()
	for i := range n {
		if i%world.MaxSpawns == 0 { // as many as one may spawn in a tick
			w.EndOrder()
			w.Step()
			w.End()
			w.Begin()
			w.BeginOrder()
		}
		w.Act(game)
		_, err := w.Spawn([]string{"Disc", "Ball"}[i%2], world.Placement{Pose: physics.Pose{X: r.Float64()*200 - 100, Y: r.Float64()*200 - 100,
			Angle: r.Float64()*6 - 3}, Velocity: physics.Velocity{VX: r.NormFloat64() * 3, VY: r.NormFloat64() * 3, W: r.NormFloat64()}})
		must(t, err)
	}
	w.EndOrder()
	return &scene{schema: schema, step: func() *world.State {
		w.Step()
		w.End()
		w.Begin()
		return w.Now
	}}
}

// brawl returns the arena with ships that chase each other through crates and balls.
func brawl(t testing.TB, ships int) *scene {
	game := simtest.Game(t, "arena")
	script, err := luabind.Compile(game.Bundle.Files, game.Bundle.Setup)
	must(t, err)
	tl := timeline.New(script, timeline.Options{States: 8})
	var bots []client.Controls
	for i := range ships {
		_, err := tl.Insert(world.Event{Tick: 1, Kind: world.JoinEvent, Player: world.PlayerID(i + 1)}, timeline.Origin{})
		must(t, err)
		bots = append(bots, simtest.Bot(t, "chase"))
	}
	w := world.New()
	return &scene{schema: script.Schema(), step: func() *world.State {
		if tl.Now() > 0 {
			w.Load(tl.At(tl.Now()), script.Schema())
			r := w.Reader()
			for _, slot := range w.Now.Run {
				o := &w.Now.Objects[slot]
				if o.Owner == 0 || len(w.Class(int(slot)).Inputs) == 0 {
					continue
				}
				in := world.Conform(w.Class(int(slot)).Inputs, bots[o.Owner-1].Input(r, int(slot)))
				_, err := tl.Insert(world.Event{Tick: w.Now.Tick + 1, Kind: world.InputEvent, Player: o.Owner, Object: o.ID, Bundle: 1, Input: in}, timeline.Origin{})
				must(t, err)
			}
		}
		tl.Step()
		return tl.At(tl.Now())
	}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// take makes a snapshot of all objects that can move, in the order of their ids.
func take(to *wire.Snapshot, l *wire.SnapshotLayout, s *world.State, defs []physics.Def, seq uint32, slots []int32) []int32 {
	slots = slots[:0]
	for _, slot := range s.Run {
		if b := s.Body(int(slot)); b.Key != 0 && defs[b.Def].Type == physics.Dynamic {
			slots = append(slots, slot)
		}
	}
	slices.SortFunc(slots, func(a, b int32) int {
		if s.Objects[a].ID < s.Objects[b].ID {
			return -1
		}
		return 1
	})
	to.Reset(seq, s.Bundle, s.Tick)
	for _, slot := range slots {
		l.AddObject(to, s, int(slot), 0)
	}
	return slots
}

// line sends snapshots, and loses some of them and of their acknowledgements.
type line struct {
	every, trip  int     // ticks
	loss         float64 // each way
	sent, got    map[uint32]*wire.Snapshot
	acked        uint32
	bytes, count int // of snapshots, of objects in them
	worst        float64
}

// play sends a scene over the line for a while. It checks that the receiver reads what was
// sent, and that this is within half a unit of the true values.
func (l *line) play(t testing.TB, sc *scene, warm, ticks int) {
	layout := wire.NewSnapshotLayout(sc.schema)
	empty := &wire.Snapshot{}
	l.sent, l.got = map[uint32]*wire.Snapshot{0: empty}, map[uint32]*wire.Snapshot{0: empty}
	r := rand.New(rand.NewPCG(5, 6))
	arrivals := map[int]uint32{} // acks, by when they reach the host
	seq := uint32(0)
	for tick := range warm + ticks {
		s := sc.step()
		if a, ok := arrivals[tick]; ok && a > l.acked {
			l.acked = a
		}
		if tick%l.every != 0 || s.Len() == 0 {
			continue
		}
		seq++
		m := &wire.Snapshot{}
		sc.moving = take(m, layout, s, sc.schema.Defs, seq, sc.moving)
		m.Settled = m.Tick - min(m.Tick, 24) // max_rewind
		b := wire.AppendSnapshot(nil, layout, nil, l.sent[l.acked], m)
		l.sent[seq] = m
		if tick >= warm {
			l.bytes += len(b)
			l.count += len(m.Entities)
			l.measure(s, sc, m)
		}
		if r.Float64() < l.loss {
			continue
		}
		l.receive(t, layout, b, m)
		if r.Float64() >= l.loss {
			arrivals[tick+l.trip] = seq
		}
	}
}

func (l *line) receive(t testing.TB, layout *wire.SnapshotLayout, b []byte, want *wire.Snapshot) {
	if len(b) > wire.MaxDatagram { // the first of all: stands for the state that a client joins with
		l.got[want.Seq] = want
		return
	}
	seq, base, _, err := wire.SnapshotHead(b)
	must(t, err)
	m := &wire.Snapshot{}
	must(t, wire.ParseSnapshot(b, layout, nil, l.got[base], m))
	if seq != want.Seq || !slices.Equal(m.Entities, want.Entities) {
		t.Fatalf("snapshot %d is not what was sent", seq)
	}
	l.got[seq] = m
}

// measure notes how far the values sent are from the true ones.
func (l *line) measure(s *world.State, sc *scene, m *wire.Snapshot) {
	for i, slot := range sc.moving {
		at := m.Entities[i].Pose.Dequantize()
		b := s.Body(int(slot))
		l.worst = max(l.worst, math.Abs(b.X-at.X), math.Abs(b.Y-at.Y))
	}
}

func (l *line) perObject() float64 { return float64(l.bytes) / float64(l.count) }

// The cost of snapshots at 20 a second, on a line with a delay of 100 ms and a loss of 5 %
// each way.
func TestSnapshotFigures(t *testing.T) {
	for _, c := range []struct {
		what  string
		scene *scene
		most  float64
	}{
		{"1,000 drifting discs", drifting(t, 1000), 0.4},
		{"100 drifting discs", drifting(t, 100), 0.4},
		{"the arena with 16 ships", brawl(t, 16), 2.5},
	} {
		l := line{every: 3, trip: 12, loss: 0.05}
		l.play(t, c.scene, 120, 600)
		t.Logf("%s: %.2f bytes an object and snapshot, %d bytes a second", c.what, l.perObject(), l.bytes/10)
		figures.Row(t, "benchmarks.md", c.what, fmt.Sprintf("%.2f", l.perObject()), fmt.Sprintf("%.1f kB/s", float64(l.bytes)/10_000))
		if l.perObject() > c.most {
			t.Errorf("%s: %.2f bytes an object and snapshot, at most %v wanted", c.what, l.perObject(), c.most)
		}
		if l.worst > 0.5/wire.PositionUnits+1e-9 {
			t.Errorf("%s: a place is %v m off", c.what, l.worst)
		}
	}
}
