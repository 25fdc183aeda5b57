package stub

import (
	"slices"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// Match is a generated history: events, and the tick at which each arrives.
type Match struct {
	Ticks   world.Tick
	Events  []world.Event
	arrival []world.Tick
}

// DrawMatch generates joins, inputs and spawns. Many arrive late, in any order; some inputs are
// lost.
func DrawMatch(t *rapid.T, window world.Tick) Match {
	m := Match{Ticks: world.Tick(rapid.IntRange(20, 60).Draw(t, "ticks"))}
	add := func(e world.Event, late int) {
		m.Events = append(m.Events, e)
		m.arrival = append(m.arrival, max(e.Tick, 1)+world.Tick(late))
	}
	players := rapid.IntRange(1, 4).Draw(t, "players")
	for p := 1; p <= players; p++ {
		join := world.Tick(rapid.IntRange(1, 10).Draw(t, "join"))
		add(world.Event{Tick: join, Kind: world.JoinEvent, Player: world.PlayerID(p)}, 0)
		ship := ShipOf(world.PlayerID(p), join)
		for tick := join + 1; tick < m.Ticks; tick++ {
			if rapid.IntRange(0, 3).Draw(t, "have") == 0 {
				continue // lost
			}
			late := rapid.IntRange(0, int(window)).Draw(t, "late")
			in := world.Input{Buttons: uint32(rapid.IntRange(0, 7).Draw(t, "buttons"))}
			add(world.Event{
				Tick:   tick,
				Kind:   world.InputEvent,
				Player: world.PlayerID(p),
				Object: ship,
				Bundle: 1,
				Input:  in,
			}, late)
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "spawns") {
		add(world.Event{
			Tick:  world.Tick(rapid.IntRange(2, 19).Draw(t, "spawn tick")),
			Kind:  world.SpawnEvent,
			Class: "Crate",
			Place: world.Placement{Pose: physics.Pose{X: rapid.Float64Range(-8, 8).Draw(t, "x")}},
		}, rapid.IntRange(0, int(window)).Draw(t, "late"))
	}
	return m
}

// ShipOf returns the id of the ship of a player who joins in a tick, if the players with lower ids
// join in the same tick. Ids do not depend on other events, but two joins in one tick share
// a sequence.
func ShipOf(p world.PlayerID, join world.Tick) world.ObjectID {
	tl := timeline.New(MustCompile(), timeline.Options{States: 16})
	for q := world.PlayerID(1); q <= p; q++ {
		Insert(tl, world.Event{Tick: join, Kind: world.JoinEvent, Player: q})
	}
	for tl.Now() < join {
		tl.Step()
	}
	s := tl.At(join)
	for _, slot := range s.Run {
		if s.Objects[slot].Owner == p {
			return s.Objects[slot].ID
		}
	}
	return 0
}

// MustCompile returns the Script of Game.
func MustCompile() world.Script {
	script, err := Compile(nil, Game().Setup)
	if err != nil {
		panic(err)
	}
	return script
}

// Insert inserts an event. It panics if the Timeline does not accept it.
func Insert(tl *timeline.Timeline, e world.Event) {
	if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
		panic(err)
	}
}

// Arriving returns the indexes of the events that arrive before a tick is simulated, in another
// order than theirs.
func Arriving(m *Match, tick world.Tick) (out []int) {
	for i, at := range m.arrival {
		if at == tick {
			out = append(out, i)
		}
	}
	slices.Reverse(out)
	return out
}
