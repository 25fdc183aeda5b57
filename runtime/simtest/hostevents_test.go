package simtest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// stageSet has objects for the host program to act on. A button spawns crates. Inputs of other
// players are late and may change what happens before and after a host event.
const stageSet = `
game { state = { round = 0, phase = str(12, "waiting"), spawned = 0 } }
Crate = object "Crate" {
  state = { hp = { "number", default = 10, min = 0, max = 100, step = 1 }, name = str(8, "crate"), open = false, near = ref(),
            slot = record { count = 1, of = str(4) }, hits = list(record { by = ref(), hp = 2 }, 4), told = str(40) },
  body = { type = "kinematic", shape = { box = { 1, 1 } } },
}
function Crate:onSpawn(args)
  self.told = string.format("%s %s %s %s", tostring(args.x), tostring(args.owner), tostring(args.hp), args.slot and tostring(args.slot.count) or "-")
end
Racer = object "Racer" {
  input = { Fire = "bool" }, state = { fired = 0 },
  body = { shape = { circle = 0.5 } },
}
function Racer:applyInput(input)
  if input.Fire then
    self.fired = self.fired + 1
    spawn("Crate", { x = self.fired, y = 5, hp = 1 })
    game.spawned = game.spawned + 1
  end
end
function onJoin(player) spawn("Racer", { owner = player, x = player * 2 }) end
`

func stageBundle(more string) *bundle.Bundle {
	return bundle.New("stage", world.Source{Name: "game.lua", Text: stageSet + more})
}

// A trigger presses Fire now and then.
type trigger struct{ of uint64 }

func (p trigger) Input(r world.Reader, _ int) world.Input {
	if x := (uint64(r.Tick()) + p.of*7919) * 0x9e3779b97f4a7c15; x>>40%5 == 0 {
		return world.Input{Buttons: 1}
	}
	return world.Input{}
}

// openStage runs the stage until all players have joined.
func openStage(t *testing.T, o simtest.Options) *simtest.Sim {
	t.Helper()
	if o.Bundle == nil {
		o.Bundle = stageBundle("")
	}
	o.Compile = compile
	if o.Controls == nil {
		o.Controls = func(i int) client.Controls { return trigger{uint64(i)} }
	}
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	return sim
}

// endStage runs until host and clients have confirmed everything.
func endStage(t *testing.T, sim *simtest.Sim) {
	t.Helper()
	sim.Drain()
	sim.AgreeOnHashes()
}

// text returns the fields of an object in the notation of scripts.
func text(t *testing.T, s *world.State, schema *world.Schema, id world.ObjectID, names ...string) string {
	t.Helper()
	slot, ok := s.Find(id)
	if !ok {
		return "gone"
	}
	class := &schema.Classes[s.Objects[slot].Class]
	var out []string
	for _, name := range names {
		f, ok := class.Field(name)
		if !ok {
			t.Fatalf("%s has no %s", class.Name, name)
		}
		out = append(out, f.Text(s.Row(slot)))
	}
	return strings.Join(out, " ")
}

// must fails the test for an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestHostEvents tests that the id of a spawned object is returned at once, and that the program
// can act on the object before it exists. Acts of one tick happen in the order of the calls.
// Hooks that run before and after a host event, also again with other inputs, do not change the id.
// Clients have the same objects.
func TestHostEvents(t *testing.T) {
	sim := openStage(t, simtest.Options{Seed: 7, Clients: 3, Profile: memlink.Bad()})
	h := sim.Host
	var spawned []world.ObjectID
	rounds := draws.Pick(8, 20)
	for range rounds {
		id, err := h.Spawn("Crate", world.Placement{Pose: physics.Pose{X: 3, Y: -4}}, host.Fields{"hp": 40, "slot": host.Fields{"count": 5},
			"hits": []host.Fields{{"hp": 7}, {"by": world.MatchID}}})
		must(t, err)
		must(t, h.Set(id, host.Fields{"name": "first", "near": id, "open": true}))
		must(t, h.Set(id, host.Fields{"name": "second", "hits[2].hp": 3}))
		must(t, h.SetOwner(id, 1))
		must(t, h.SetOwner(id, 2))
		other, err := h.Spawn("Crate", world.Placement{}, nil)
		must(t, err)
		must(t, h.Remove(other))
		must(t, h.Set(world.MatchID, host.Fields{"round": len(spawned), "phase": "playing"}))
		spawned = append(spawned, id)
		tick := h.Now() + 1
		sim.RunUntil(time.Second, "the tick", func() bool { return h.Now() == tick })
		s, schema := h.State(), h.Schema()
		const want = `40 "second" true 5 "" 2 7 3 "3 nil 40 5"`
		if got := text(t, s, schema, id, "hp", "name", "open", "slot.count", "slot.of", "#hits", "hits[1].hp", "hits[2].hp", "told"); got != want {
			t.Fatalf("the crate is %s, want %s", got, want)
		}
		slot, _ := s.Find(id)
		if o := &s.Objects[slot]; o.Owner != 2 || s.Body(slot).X != 3 {
			t.Errorf("it is at %v, and belongs to player %d", s.Body(slot).X, o.Owner)
		}
		if _, here := s.Find(other); here {
			t.Error("the removed crate is there")
		}
		if got := text(t, s, schema, world.MatchID, "round", "phase"); got != text(t, s, schema, world.MatchID, "round")+` "playing"` {
			t.Errorf("the match is %s", got)
		}
		sim.Run(300 * time.Millisecond)
	}
	endStage(t, sim)
	for _, id := range spawned {
		if _, here := h.State().Find(id); !here {
			t.Errorf("%s is not there any more", id)
		}
	}
	r := h.Report(sim.Now)
	if r.Inputs.LateRewound < 5*rounds || 2*r.Rewinds.Count < 5*rounds || text(t, h.State(), h.Schema(), world.MatchID, "spawned") == "0" {
		t.Errorf("%d late inputs, %d rewinds: too little came late to test anything", r.Inputs.LateRewound, r.Rewinds.Count)
	}
	for i, c := range sim.Clients {
		if n := sim.Report(i).Rewinds.Whole.Events; n < rounds {
			t.Errorf("client %d (%s) ran %d ticks again for host events of the host program", i, c.Status(), n)
		}
	}
}

// TestInvalidHostEventsAreErrors tests that a host event that cannot be done returns an error and
// makes no event.
func TestInvalidHostEventsAreErrors(t *testing.T) {
	sim := openStage(t, simtest.Options{Seed: 8, Clients: 1})
	h := sim.Host
	crate, err := h.Spawn("Crate", world.Placement{}, nil)
	must(t, err)
	_, noClass := h.Spawn("Create", world.Placement{}, nil)
	_, builtIn := h.Spawn("Wall", world.Placement{}, nil)
	_, noPlace := h.Spawn("Crate", world.Placement{Pose: physics.Pose{X: 1e9}}, nil)
	_, noField := h.Spawn("Crate", world.Placement{}, host.Fields{"fuel": 1})
	long := strings.Repeat("x", 600)
	for _, c := range []struct {
		what string
		err  error
		is   error
		says string
	}{
		{"a class that is none", noClass, world.ErrNoClass, "Crate"},
		{"a wall", builtIn, world.ErrNoClass, "Wall"},
		{"too far away", noPlace, nil, "x=1e+09"},
		{"a field that is none", noField, world.ErrNoField, "it has hits, hp, name, near, open, slot and told"},
		{"text for a number", h.Set(crate, host.Fields{"hp": "ten"}), world.ErrValue, `Crate.hp is a number, not "ten"`},
		{"a number for text", h.Set(crate, host.Fields{"name": 1}), world.ErrValue, "Crate.name is a string"},
		{"a text too long", h.Set(crate, host.Fields{"name": "nine bytes"}), world.ErrValue, "at most 8 bytes"},
		{"a list too long", h.Set(crate, host.Fields{"hits": make([]host.Fields, 5)}), world.ErrValue, "at most 4 items"},
		{"no list", h.Set(crate, host.Fields{"hits": 3}), world.ErrValue, "takes a slice"},
		{"no record", h.Set(crate, host.Fields{"slot": 3}), world.ErrValue, "takes Fields"},
		{"a part that is none", h.Set(crate, host.Fields{"slot": host.Fields{"size": 1}}), world.ErrNoField, "it has count and of"},
		{"a number that floats do not have", h.Set(crate, host.Fields{"hp": uint64(1)<<53 + 1}), world.ErrValue, "9007199254740993"},
		{"something else", h.Set(crate, host.Fields{"hp": struct{}{}}), world.ErrValue, "struct {}"},
		{"nobody's field", h.Set(77, host.Fields{"hp": 1}), world.ErrRemoved, "000000000000004d"},
		{"nobody's owner", h.SetOwner(77, 1), world.ErrRemoved, ""},
		{"the match's owner", h.SetOwner(world.MatchID, 1), world.ErrRemoved, ""},
		{"nobody", h.Remove(77), world.ErrRemoved, ""},
		{"the match", h.Remove(world.MatchID), world.ErrRemoved, ""},
		{"a function that is none", h.Call("start"), world.ErrNoFunction, "the game declares none"},
		{"a long argument", h.Call("start", long), world.ErrNoFunction, ""},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: %v; want %v that says %q", c.what, c.err, c.is, c.says)
		}
	}
	endStage(t, sim)
	if n := h.Report(sim.Now).ScriptErrors; n != 0 {
		t.Errorf("%d script errors: something was done", n)
	}
}

// TestLargeHostEvents tests that host events that fit into a packet reach the clients, and that
// larger ones are refused.
func TestLargeHostEvents(t *testing.T) {
	b := stageBundle(`
Chest = object "Chest" { state = { items = list("number", 100), label = str(64) } }`)
	sim := openStage(t, simtest.Options{Seed: 9, Clients: 2, Profile: memlink.Average(), Bundle: b})
	h := sim.Host
	fields := func(n int) host.Fields {
		items := make([]float64, n)
		for i := range items {
			items[i] = 1.0 / float64(i+3)
		}
		return host.Fields{"items": items}
	}
	fits := 0
	for ; ; fits++ {
		if _, err := h.Spawn("Chest", world.Placement{}, fields(fits)); errors.Is(err, host.ErrTooLarge) {
			break
		} else {
			must(t, err)
		}
	}
	if fits < 25 || fits > 60 {
		t.Errorf("%d numbers fit into %d bytes", fits, wire.MaxHostEvent)
	}
	endStage(t, sim)
}

// TestHostEventsDuringAPause tests that host events during a pause happen in the first tick after
// it, in the order of the calls.
func TestHostEventsDuringAPause(t *testing.T) {
	sim := openStage(t, simtest.Options{Seed: 10, Clients: 2, Profile: memlink.Average()})
	h := sim.Host
	h.Pause(true)
	sim.Run(time.Second)
	at := h.Now()
	id, err := h.Spawn("Crate", world.Placement{}, host.Fields{"hp": 2})
	must(t, err)
	sim.Run(2 * time.Second)
	must(t, h.Set(id, host.Fields{"hp": 3}))
	sim.Join() // joins during the pause, too
	sim.Run(2 * time.Second)
	if h.Now() != at {
		t.Fatalf("tick %d, and the room is paused since tick %d", h.Now(), at)
	}
	h.Pause(false)
	sim.Run(2 * time.Second)
	if s := h.StateAt(at + 1); s != nil && text(t, s, h.Schema(), id, "hp") != "3" {
		t.Errorf("hp is %s in the tick after the pause", text(t, s, h.Schema(), id, "hp"))
	}
	if got := text(t, h.State(), h.Schema(), id, "hp"); got != "3" {
		t.Errorf("hp is %s", got)
	}
	endStage(t, sim)
	for i, c := range sim.Clients {
		if got := text(t, c.State(), h.Schema(), id, "hp"); got != "3" {
			t.Errorf("client %d has hp %s", i, got)
		}
	}
}

// TestLateJoinerHasEarlierHostEvents tests that host events long before and right before a client joins are
// in its keyframe or in the log after it.
func TestLateJoinerHasEarlierHostEvents(t *testing.T) {
	sim := openStage(t, simtest.Options{Seed: 11, Clients: 1, Profile: memlink.Bad()})
	h := sim.Host
	var ids []world.ObjectID
	late := sim.Join()
	for !late.Playing() {
		id, err := h.Spawn("Crate", world.Placement{}, host.Fields{"hp": len(ids) % 100})
		must(t, err)
		ids = append(ids, id)
		sim.Run(20 * time.Millisecond)
	}
	endStage(t, sim)
	for i, id := range ids {
		want := text(t, h.State(), h.Schema(), id, "hp", "told")
		if got := text(t, late.State(), h.Schema(), id, "hp", "told"); got != want || want == "gone" {
			t.Errorf("crate %d of %d is %q for the joiner, and %q on the host", i, len(ids), got, want)
		}
	}
	if len(ids) < 10 {
		t.Errorf("only %d crates were spawned while the client joined", len(ids))
	}
}

// TestHostEventsAtASwitch tests which scripts a host event is checked against: in the tick of a switch
// against the new ones, before it against the old ones.
func TestHostEventsAtASwitch(t *testing.T) {
	before := stageBundle(`
Old = object "Old" { state = { a = 1 } }`)
	after := stageBundle(`
New = object "New" { state = { b = 1 } }
function New:onSpawn(args) self.b = self.b + args.b end`)
	sim := openStage(t, simtest.Options{Seed: 13, Clients: 2, Profile: memlink.Average(), Bundle: before})
	h := sim.Host
	script, err := compile(after.Files, after.Setup)
	must(t, err)
	from, _, err := h.Switch(after, script)
	must(t, err)
	sim.RunUntil(10*time.Second, "the tick before the last", func() bool { return h.Now() == from-2 })
	old, err := h.Spawn("Old", world.Placement{}, host.Fields{"a": 2})
	must(t, err)
	if _, err := h.Spawn("New", world.Placement{}, nil); !errors.Is(err, world.ErrNoClass) {
		t.Errorf("New before the switch: %v", err)
	}
	sim.RunUntil(time.Second, "the tick before", func() bool { return h.Now() == from-1 })
	if err := h.Set(old, host.Fields{"a": 3}); !errors.Is(err, world.ErrRemoved) {
		t.Errorf("an object whose class will be gone: %v", err)
	}
	if _, err := h.Spawn("Old", world.Placement{}, nil); !errors.Is(err, world.ErrNoClass) {
		t.Errorf("Old at the switch: %v", err)
	}
	id, err := h.Spawn("New", world.Placement{}, host.Fields{"b": 4})
	must(t, err)
	must(t, h.SetOwner(id, 1))
	sim.Run(time.Second)
	if got := text(t, h.State(), h.Schema(), id, "b"); got != "8" {
		t.Errorf("b is %s", got)
	}
	endStage(t, sim)
}
