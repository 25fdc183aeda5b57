package timeline_test

import (
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
	"strings"
)

// madeHostEvents is what the host program has done in a generated match.
type madeHostEvents struct {
	number  uint32
	spawned []world.ObjectID // of which some may have gone, or not be there yet
}

// busyFunctions may be declared by a script, each with the parameters that stir takes.
var busyFunctions = []string{"stir", "rouse", "settle"}

// drawFunctions draws which functions a script declares: another script of the match may lack
// some, or declare them otherwise.
func drawFunctions(t *rapid.T) (out []world.Function) {
	for _, name := range busyFunctions {
		params := []world.FieldKind{world.Ref, world.Number}
		switch rapid.IntRange(0, 5).Draw(t, "declared") {
		case 0:
			continue
		case 1:
			params = []world.FieldKind{world.Bool}
		}
		out = append(out, world.Function{Name: name, Params: params})
	}
	return out
}

// called does what every function does: it changes the object that it is given.
func (c *busyCall) called(slot int) error {
	c.did.called++
	args := c.args.Event.Values
	if len(args) < 2 {
		return c.set(c.id, "mood", c.own(slot, "mood")+args[0].Word)
	}
	c.args.Other = world.ObjectID(args[0].Word)
	if s, at, ok := c.w.See(c.args.Other); ok {
		_, mood := c.field(s, at, "mood")
		return c.set(c.args.Other, "mood", (mood*3+uint64(args[1].Number()))%997)
	}
	return nil
}

// drawAct draws something that the host program does in a tick, about the objects in s.
func (tr *trial) drawAct(tick world.Tick, s *world.State) world.Event {
	tr.hostEvents.number++
	kinds := []world.EventKind{world.OwnershipEvent, world.SpawnEvent, world.SetEvent, world.SetEvent, world.RemoveEvent, world.RemoveEvent, world.CallEvent, world.CallEvent}
	if tr.suspends && tick > tr.ticks*2/3 {
		kinds = append(kinds, world.SuspendEvent)
	}
	e := world.Event{Tick: tick, Number: tr.hostEvents.number, Kind: rapid.SampledFrom(kinds).Draw(tr.t, "act")}
	if e.Kind != world.CallEvent && e.Kind != world.SpawnEvent && e.Kind != world.SuspendEvent {
		e.Object = tr.drawObject(s)
	}
	switch e.Kind {
	case world.OwnershipEvent:
		e.Player = world.PlayerID(rapid.IntRange(0, 4).Draw(tr.t, "player"))
	case world.SpawnEvent:
		e.Class = rapid.SampledFrom(busyClasses).Draw(tr.t, "class")
		e.Place = world.Placement{Pose: physics.Pose{X: rapid.Float64Range(-4, 4).Draw(tr.t, "x")}, Owner: world.PlayerID(rapid.IntRange(0, 4).Draw(tr.t, "owner"))}
		if tr.one(2) { // the other half is refused if the class has no body
			e.Place = placeOf(e.Class, e.Place)
		}
		e.Values = tr.drawValues(s)
		tr.hostEvents.spawned = append(tr.hostEvents.spawned, e.Spawned())
	case world.SetEvent:
		e.Values = tr.drawValues(s)
	case world.SuspendEvent:
		e.Class = rapid.SampledFrom(append([]string{"", world.GameClass}, busyClasses...)).Draw(tr.t, "class")
		e.Player = world.PlayerID(max(0, rapid.IntRange(-4, 4).Draw(tr.t, "player")))
		e.Hooks = rapid.SampledFrom([]world.HookGroup{world.OtherHooks, world.InputHooks, world.AllHooks}).Draw(tr.t, "hooks")
	case world.CallEvent:
		e.Name = rapid.SampledFrom(busyFunctions).Draw(tr.t, "function")
		e.Values = []world.NamedValue{{Value: world.RefValue(tr.drawObject(s))}, {Value: world.NumberValue(rapid.Float64Range(0, 100).Draw(tr.t, "by"))}}
		if tr.one(5) {
			e.Values = []world.NamedValue{{Value: world.BoolValue(true)}}
		}
	}
	tr.rolls.did.hostEvents[e.Kind]++
	return e
}

// countFaults counts the host events of a tick that failed, and the pauses of hooks that begin in it.
func (tr *trial) countFaults(w *world.World, _ *world.Trace) {
	for _, f := range w.Faults() {
		if f.Hook == world.HostEvent {
			tr.rolls.did.failed++
		}
		if strings.Contains(f.Err.Error(), "attached each other") {
			tr.rolls.did.rings++
		}
		if f.Until > 0 {
			tr.rolls.did.paused++
		}
		if f.Until > w.Now.Tick+world.Tick(w.Schema().Setup.TickRate) {
			tr.rolls.did.again++
		}
	}
}

// drawObject draws an object of the state, or one that the host program has spawned.
func (tr *trial) drawObject(s *world.State) world.ObjectID {
	if n := len(tr.hostEvents.spawned); n > 0 && tr.one(3) {
		return tr.hostEvents.spawned[rapid.IntRange(0, n-1).Draw(tr.t, "spawned")]
	}
	if len(s.Run) == 0 {
		return world.MatchID
	}
	return s.Objects[s.Run[rapid.IntRange(0, len(s.Run)-1).Draw(tr.t, "object")]].ID
}

// drawValues draws values for fields. Some do not fit: no field has the name or the kind, or the
// list has no such item.
func (tr *trial) drawValues(s *world.State) (out []world.NamedValue) {
	all := []world.NamedValue{
		{Name: "mood", Value: world.RefValue(world.ObjectID(rapid.IntRange(0, 500).Draw(tr.t, "mood")))},
		{Name: "friend", Value: world.RefValue(tr.drawObject(s))},
		{Name: "brood", Value: world.RefValue(2)},
		{Name: "score", Value: world.NumberValue(rapid.Float64Range(-1, 11).Draw(tr.t, "score"))},
		{Name: "note", Value: world.TextValue(rapid.StringMatching("[a-z]{0,9}").Draw(tr.t, "note"))},
		{Name: "#list", Value: world.Value{Kind: world.Count, Word: rapid.Uint64Range(0, 3).Draw(tr.t, "length")}},
		{Name: "list[2]", Value: world.RefValue(9)},
		{Name: "missing", Value: world.BoolValue(true)},
		{Name: "score", Value: world.BoolValue(true)},
	}
	for i := range all {
		if in := uint64(2); i < 6 && tr.one(in) || i >= 6 && tr.one(8) {
			out = append(out, all[i])
		}
	}
	return out
}
