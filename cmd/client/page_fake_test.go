package main

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// patience is how long a test waits for any event. No verdict depends on how soon the event comes.
const patience = time.Minute

func newTestPage(t testing.TB) *page {
	t.Helper()
	return newTestPages(t, 1).pages[0]
}

func newTestPages(t testing.TB, n int) *pageServer {
	t.Helper()
	s, err := servePages("127.0.0.1:0", n, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Close(ctx, "it was stopped"); err != nil {
			t.Error(err)
		}
	})
	return s
}

// fakeShapes are shared by the bodies of fake views, as a schema's are.
type fakeShapes struct{ ship, crate, rock, wide, tall physics.Shape }

func newFakeShapes() *fakeShapes {
	rock, err := physics.PolygonShape([]physics.Vec{{X: 1.1}, {X: 0.4, Y: 1}, {X: -0.7, Y: 0.8}, {X: -1, Y: -0.3}, {X: 0.2, Y: -0.9}})
	if err != nil {
		panic(err)
	}
	return &fakeShapes{ship: physics.CircleShape(0.5), crate: physics.BoxShape(0.9, 0.9), rock: rock,
		wide: physics.BoxShape(42, 1), tall: physics.BoxShape(1, 24)}
}

// view fills v with what a room might look like at a tick: player 2 looks.
// Their ship flies in a circle, others around it, among crates and rocks.
func (s *fakeShapes) view(v *room.View, tick int) {
	*v = room.View{Stage: room.StagePlaying, Status: "playing", Game: "arena", Player: 2, Tick: world.Tick(tick), Alpha: 0.25, Confirmed: world.Tick(max(tick-24, 0)),
		TickRate: 60, Width: 40, Height: 24, RTT: 93.4, Lead: 4.2, Rewinds: tick / 3, Corrections: 7, Repredictions: tick / 11,
		Bodies: v.Bodies[:0], Players: v.Players[:0]}
	for _, w := range []world.Wall{{Y: 12.5}, {Y: -12.5}, {X: 20.5}, {X: -20.5}} {
		shape := &s.wide
		if w.Y == 0 {
			shape = &s.tall
		}
		s.add(v, room.ViewBody{Class: world.WallClass, Pose: physics.Pose{X: w.X, Y: w.Y}, Shape: shape, Look: world.Look{Shape: "body", Color: "#567"}})
	}
	at := float64(tick) / 60
	for i := range 36 {
		a := float64(i) * 2.399963
		r := 3 + 0.45*float64(i)
		b := room.ViewBody{Class: "Crate", Pose: physics.Pose{X: r * math.Cos(a) * 1.1, Y: r * math.Sin(a) * 0.6, Angle: a + at/3}, Shape: &s.crate}
		if i%4 == 0 {
			b.Class, b.Shape, b.Look.Color = "Rock", &s.rock, "#8a94a0"
		}
		s.add(v, b)
	}
	for i := range 6 {
		a := at*(0.5+0.07*float64(i)) + float64(i)*1.1
		r := 4 + 1.1*float64(i)
		s.add(v, room.ViewBody{Class: "Ship", Owner: world.PlayerID(i + 1), Pose: physics.Pose{X: 1.5 * r * math.Cos(a), Y: r * math.Sin(a), Angle: math.Atan2(math.Cos(a), -1.5*math.Sin(a))},
			Shape: &s.ship, Look: world.Look{Shape: "triangle", Color: []string{"#f90", "#5bd", "#c7a", "#8c6", "#dc6", "#a8e"}[i]}})
		v.Players = append(v.Players, room.ViewPlayer{ID: world.PlayerID(i + 1), Name: []string{"ada", "grace", "edsger", "barbara", "tony", "frances"}[i]})
	}
}

func (s *fakeShapes) add(v *room.View, b room.ViewBody) {
	b.ID = world.ObjectID(0x8000_0000_0000_0000 + 0x0123_4567_89ab*uint64(len(v.Bodies)+1))
	v.Bodies = append(v.Bodies, b)
}

// shipWorld returns a world with one object of a class that has these inputs. It
// stands at 1, 2.
func shipWorld(t testing.TB, fields []world.InputField) (w *world.World, slot int) {
	t.Helper()
	ship := world.Class{Name: "Ship", Inputs: fields, Hooks: 1 << world.ApplyInput,
		Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1}}}
	schema, err := world.NewSchema([]world.Class{ship}, bundle.DefaultSetup())
	if err != nil {
		t.Fatal(err)
	}
	w = world.New()
	w.Load(nil, schema)
	w.Begin()
	w.SpawnLevel(func(int, *world.Event) {})
	game, ok := w.Match()
	if !ok {
		t.Fatal("no game object")
	}
	defer w.Act(w.Act(game))
	if slot, err = w.Spawn("Ship", world.Placement{Pose: physics.Pose{X: 1, Y: 2}, Owner: 2}); err != nil {
		t.Fatal(err)
	}
	return w, slot
}

// classicFields returns the inputs of the classic ship, bound to nothing.
func classicFields() []world.InputField {
	return []world.InputField{{Name: "Turnleft"}, {Name: "Turnright", Index: 1}, {Name: "Accel", Index: 2}, {Name: "Backthrust", Index: 3}}
}

// buttonsDown names the buttons of an input.
func buttonsDown(fields []world.InputField, in world.Input) string {
	out := ""
	for i := range fields {
		if !fields[i].Axis && in.Buttons&(1<<fields[i].Index) != 0 {
			out += fmt.Sprintf(" %s", fields[i].Name)
		}
	}
	return out
}
