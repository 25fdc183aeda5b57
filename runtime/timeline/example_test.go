package timeline_test

import (
	"fmt"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// rockets are rules with a rocket for each player, and some balls that lie about.
func rockets() (*goscript.Game, goscript.Button) {
	g := goscript.NewGame("rockets", "1")
	ball := g.Class(world.Class{Name: "Ball", Body: goscript.Dynamic(physics.CircleShape(0.5))})
	rocket := g.Class(world.Class{Name: "Rocket", Body: goscript.Dynamic(physics.CircleShape(0.5))})
	burn := rocket.Button("Burn")
	rocket.ApplyInput = func(_ goscript.Actor, self goscript.Object, in *world.Input) {
		self.Body().SetForce(0, 20*burn.Value(in))
	}
	g.OnStart = func(a goscript.Actor) {
		for x := range 10 {
			a.Spawn(ball, goscript.At(float64(x), 10))
		}
	}
	g.OnJoin = func(a goscript.Actor, player world.PlayerID) { a.Spawn(rocket, goscript.OwnedBy(player)) }
	return g, burn
}

// A host applies an input that arrives late: it inserts the input at its tick, rewinds, and
// explains what the rewind changed.
func Example() {
	game, burn := rockets()
	script, err := goscript.Compile(game)([]world.Source{game.Source()}, bundle.DefaultSetup())
	if err != nil {
		fmt.Println(err)
		return
	}
	tl := timeline.New(script, timeline.Options{States: 64, Check: true, Provenance: true})
	if _, err := tl.Insert(world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1}, timeline.Origin{}); err != nil {
		fmt.Println(err)
		return
	}
	for tl.Now() < 10 {
		tl.Step()
	}
	slot, rocket := rocketOf(tl.At(tl.Now()), 1)
	before := tl.At(tl.Now()).Hash()

	late := world.Event{Tick: 6, Kind: world.InputEvent, Player: 1, Object: rocket, Bundle: 1}
	burn.Press(&late.Input, 1)
	if _, err := tl.Insert(late, timeline.Origin{Record: 1, LateBy: 4}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("first dirty tick:", tl.Dirty())

	r := tl.Rewind()
	fmt.Printf("simulated %d ticks again: %d of %d object-ticks\n", r.Ticks, r.Objects, r.Full)
	fmt.Println("present changed:", tl.At(tl.Now()).Hash() != before)
	fmt.Println("mismatch:", tl.Check(r))

	p := tl.Causes().Explain(slot)
	fmt.Printf("the rocket differs since tick %d: the %s of player %d for tick %d arrived %d ticks late\n", p.Tick, p.Cause, p.Player, p.InputTick, p.LateBy)

	// Output:
	// first dirty tick: 6
	// simulated 5 ticks again: 5 of 60 object-ticks
	// present changed: true
	// mismatch: <nil>
	// the rocket differs since tick 6: the input of player 1 for tick 6 arrived 4 ticks late
}

// rocketOf finds the object of a player in a state.
func rocketOf(s *world.State, player world.PlayerID) (slot int, id world.ObjectID) {
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == player {
			return int(slot), o.ID
		}
	}
	return 0, 0
}
