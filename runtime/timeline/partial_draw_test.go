package timeline_test

import (
	"slices"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// drawSetup generates a small arena, so that objects meet.
func drawSetup(t *rapid.T) world.Setup {
	s := bundle.DefaultSetup()
	s.Width, s.Height = 10, 10
	s.TickRate = rapid.SampledFrom([]int{60, 20, 20}).Draw(t, "rate") // so that pauses of hooks end
	s.Substeps = 2
	s.GraceTicks = 8
	s.RepeatInputTicks = world.Tick(rapid.IntRange(1, 6).Draw(t, "repeat"))
	s.GravityY = rapid.SampledFrom([]float64{0, 0, -10}).Draw(t, "gravity")
	s.Walls = []world.Wall{{X: 0, Y: -5.5, W: 12, H: 1}, {X: 5.5, Y: 0, W: 1, H: 12}, {X: -5.5, Y: 0, W: 1, H: 12}}
	side := rapid.SampledFrom([]float64{8, 8, 40}).Draw(t, "side")
	for _, name := range busyClasses[1:] {
		sp := world.Spawn{Class: name, Count: rapid.IntRange(0, 5).Draw(t, name)}
		if name != bodiless {
			sp.W, sp.H, sp.Speed = side, side, 2
		}
		if rapid.Bool().Draw(t, "fields") {
			sp.Fields = []world.NamedValue{{Name: "score", Value: world.NumberValue(2.2)}, {Name: "note", Value: world.TextValue("level")},
				{Name: "#list", Value: world.Value{Kind: world.Count, Word: 2}}, {Name: "list[2]", Value: world.RefValue(3)}}
		}
		s.Spawns = append(s.Spawns, sp)
	}
	return s
}

// add adds an event that arrives late by a number of ticks.
func (tr *trial) add(e world.Event, late world.Tick) {
	if e.Kind == world.FrameEvent {
		tr.rolls.frames++
	}
	stub.Insert(tr.prompt, e)
	at := e.Tick + min(late, tr.window)
	tr.coming[at] = append(tr.coming[at], e)
	if e.Kind == world.InputEvent && tr.one(10) {
		tr.coming[at+1] = append(tr.coming[at+1], e) // again
	}
}

// one is true one time in a number. It does not use small numbers of rapid, which are not
// uniform.
func (tr *trial) one(in uint64) bool {
	return rapid.Uint64().Draw(tr.t, "one")*0x9e3779b97f4a7c15>>33%in == in-1
}

func (tr *trial) late() world.Tick {
	if tr.one(2) {
		return 0
	}
	return world.Tick(rapid.IntRange(0, int(tr.window)).Draw(tr.t, "late"))
}

// drawEvents generates the events of a tick. Most are inputs, for objects that have an owner in
// the state before the tick.
func (tr *trial) drawEvents(tick world.Tick) {
	if tick <= 3 {
		tr.add(world.Event{Tick: tick, Kind: world.JoinEvent, Player: world.PlayerID(tick)}, 0)
	}
	s, schema := tr.prompt.At(tick-1), tr.prompt.Schema(tick-1)
	steered := 0
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner != 0 && !world.HoldsState(schema.Classes[o.Class].Name) && steered < 4 {
			steered++
			if tr.one(2) {
				tr.add(tr.drawInput(schema, tick, o), tr.late())
			}
			for _, e := range tr.drawOwn(schema, tick, s, int(slot)) {
				tr.add(e, tr.late())
			}
		}
	}
	if tr.one(12) {
		tr.add(tr.drawRare(tick, s), tr.late())
	}
	for tr.one(3) {
		tr.add(tr.drawAct(tick, s), tr.late())
	}
}

func (tr *trial) drawInput(schema *world.Schema, tick world.Tick, o *world.Object) world.Event {
	bundle := tr.bundle
	if tick <= tr.bundleFrom {
		bundle--
	}
	e := world.Event{Tick: tick, Kind: world.InputEvent, Player: o.Owner, Object: o.ID, Bundle: bundle,
		Input: world.Input{Buttons: uint32(rapid.IntRange(0, 3).Draw(tr.t, "buttons"))}}
	if tr.one(2) {
		e.Input.Axes[0] = rapid.SampledFrom([]float64{-1, -0.5, 0.5, 1}).Draw(tr.t, "lean")
	}
	if tr.one(2) {
		e.Input.ViewTime = drawSeen(tr.t)
	}
	if tr.one(2) {
		e.Sight = tr.drawSight(tick)
	}
	// The count of a client goes up slowly. Another client of the player's begins elsewhere.
	for button := range 2 {
		e.Input.Edges.Set(button, 2+(int(tick)/3+rapid.IntRange(0, 3).Draw(tr.t, "edges"))%14)
	}
	e.Input = world.Conform(schema.Classes[o.Class].Inputs, e.Input)
	return e
}

// drawSight generates the sight of an input: some objects, near to where they are in one of the runs or
// elsewhere.
func (tr *trial) drawSight(tick world.Tick) world.Sight {
	s := tr.prompt.At(tick - 1)
	near := world.PastPoses{State: s, Schema: tr.prompt.Schema(tick - 1)}
	var out world.Sight
	for _, p := range near.List(nil) {
		if len(out) < world.MaxSight && tr.one(2) {
			p.X += int32(rapid.IntRange(-8000, 8000).Draw(tr.t, "sight x"))
			p.X, p.Y, p.Angle = p.X&^(world.SightStep-1), p.Y&^(world.SightStep-1), p.Angle&^(world.SightTurn-1)
			out = append(out, p)
		}
	}
	if err := out.Check(); err != nil {
		tr.t.Fatal(err)
	}
	return out
}

// look makes the sight of an input as a client does, in both late Timelines, which have the same present.
func (tr *trial) look(e *world.Event) world.Sight {
	off := rapid.Float64Range(-1, 1).Draw(tr.t, "drawn off")
	s := tr.part.At(tr.part.Now())
	drawn := func(id world.ObjectID) (at physics.Pose, ok bool) {
		slot, ok := s.Find(id)
		if ok {
			at = s.Body(slot).Pose
			at.X += off
		}
		return at, ok
	}
	hash := s.Hash()
	sight, again := tr.part.Look(e, drawn), tr.whole.Look(e, drawn)
	if err := sight.Check(); err != nil || !slices.Equal(sight, again) || tr.part.At(tr.part.Now()).Hash() != hash {
		tr.t.Fatalf("sights %v and %v, %v", sight, again, err)
	}
	tr.rolls.looks += len(sight)
	return sight
}

// drawOwn generates what an owner sends of an object: its pose, near the simulated one, or
// independent frames.
func (tr *trial) drawOwn(schema *world.Schema, tick world.Tick, s *world.State, slot int) (events []world.Event) {
	o := &s.Objects[slot]
	class := &schema.Classes[o.Class]
	e := tr.drawInput(schema, tick, o)
	if class.Moves != nil && tr.one(2) {
		e.Kind, e.Input, e.Sight = world.OwnerPoseEvent, world.Input{}, nil
		at := world.OwnerPoseOf(s.Body(slot))
		if tr.one(2) {
			at.X += rapid.Float64Range(-0.5, 0.5).Draw(tr.t, "dx")
			at.VY = rapid.Float64Range(-3, 3).Draw(tr.t, "vy")
		}
		e.Place = at.Rounded()
		events = append(events, e)
		e = tr.drawInput(schema, tick, o)
	}
	if class.Independent && (len(events) == 0 || tr.one(2)) {
		for i := range rapid.IntRange(0, 2).Draw(tr.t, "frames") {
			e.Sight = tr.drawSight(tick)
			e.Kind, e.Number, e.DT = world.FrameEvent, uint32(tick)*2+uint32(i), 100
			events = append(events, e)
		}
	}
	return events
}

// drawRare generates an event other than an input.
func (tr *trial) drawRare(tick world.Tick, s *world.State) world.Event {
	e := world.Event{Tick: tick, Player: world.PlayerID(rapid.IntRange(1, 4).Draw(tr.t, "player"))}
	e.Kind = rapid.SampledFrom([]world.EventKind{world.JoinEvent, world.LeaveEvent, world.BundleEvent, world.BundleEvent}).Draw(tr.t, "kind")
	if e.Kind == world.BundleEvent {
		if int(tr.bundle) == len(tr.scripts) {
			e.Kind = world.LeaveEvent
			return e
		}
		tr.bundle++
		tr.bundleFrom = tick
		tr.rolls.switches++
		e.Player, e.Bundle = 0, tr.bundle
	}
	return e
}
