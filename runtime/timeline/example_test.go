package timeline_test

import (
	"errors"
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

// A host inserts each event at its tick, however late it arrives, rewinds and steps. Here an input arrives late, and
// again so late that its tick has been released.
func Example() {
	game, burn := rockets()
	script, err := goscript.Compile(game)([]world.Source{game.Source()}, bundle.DefaultSetup())
	if err != nil {
		fmt.Println(err)
		return
	}
	tl := timeline.New(script, timeline.Options{States: 64, Check: true, Provenance: true})
	const window = 8 // ticks in which events are accepted
	press := func(t world.Tick, rocket world.ObjectID) world.Event {
		e := world.Event{Tick: t, Kind: world.InputEvent, Player: 1, Object: rocket, Bundle: 1}
		burn.Press(&e.Input, 1)
		return e
	}
	for tl.Now() < 20 {
		var arrived []world.Event
		var slot int
		var rocket world.ObjectID
		switch tl.Now() {
		case 0:
			arrived = []world.Event{{Tick: 1, Kind: world.JoinEvent, Player: 1}}
		case 10, 18:
			slot, rocket = rocketOf(tl.At(tl.Now()), 1)
			arrived = []world.Event{press(6, rocket)} // the input for tick 6 is 4 ticks late, or 12
		}
		for _, e := range arrived {
			_, err := tl.Insert(e, timeline.Origin{Record: 1, LateBy: int(tl.Now() - e.Tick)})
			if errors.Is(err, timeline.ErrTooOld) {
				fmt.Printf("in tick %d, the input for tick %d is too late\n", tl.Now(), e.Tick)
			}
		}
		if r := tl.Rewind(); r.Ticks > 0 {
			fmt.Printf("in tick %d, %d ticks are simulated again: %d of %d object-ticks\n", tl.Now(), r.Ticks, r.Objects, r.Full)
			fmt.Println("mismatch:", tl.Check(r))
			p := tl.Causes().Explain(slot)
			fmt.Printf("the rocket differs since tick %d: the %s of player %d for tick %d arrived %d ticks late\n",
				p.Tick, p.Cause, p.Player, p.InputTick, p.LateBy)
		}
		tl.Step()
		if tl.Now() > window {
			tl.Release(tl.Now() - window)
		}
	}

	// Output:
	// in tick 10, 5 ticks are simulated again: 5 of 60 object-ticks
	// mismatch: <nil>
	// the rocket differs since tick 6: the input of player 1 for tick 6 arrived 4 ticks late
	// in tick 18, the input for tick 6 is too late
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

// A client starts with the host's keyframe, guesses its own inputs and predicts with them. What the host's log says
// comes later, here without an input that was lost: the host repeated the one before it, and so does the client now.
func Example_client() {
	game, burn := rockets()
	compile := func(client world.PlayerID) *timeline.Timeline {
		script, err := goscript.Compile(game)([]world.Source{game.Source()}, bundle.DefaultSetup())
		if err != nil {
			panic(err)
		}
		return timeline.New(script, timeline.Options{Client: client, Check: true})
	}
	host := compile(0)
	if _, err := host.Insert(world.Event{Tick: 1, Kind: world.JoinEvent, Player: 1}, timeline.Origin{}); err != nil {
		fmt.Println(err)
		return
	}
	for host.Now() < 10 {
		host.Step()
	}
	me := compile(1)
	if err := me.Start(host.Keyframe(host.Now(), false)); err != nil {
		fmt.Println(err)
		return
	}
	_, rocket := rocketOf(me.At(me.Now()), 1)

	const lag, lost = 3, 15 // ticks from the client to the host and back; the tick whose input is lost
	sent := map[world.Tick]world.Event{}
	for me.Now() < 20 {
		if complete := me.Now() - lag; complete > 10 { // the host's log up to this tick arrives
			if e, ok := sent[complete]; ok {
				if _, err := me.Insert(e, timeline.Origin{}); err != nil {
					fmt.Println(err)
					return
				}
			}
			me.Complete(complete, timeline.Origin{})
			if r := me.Rewind(); r.Ticks > 0 {
				fmt.Printf("in tick %d, %d ticks are simulated again\n", me.Now(), r.Ticks)
			}
			me.Release(complete)
		}
		in := world.Event{Tick: me.Now() + 1, Kind: world.InputEvent, Player: 1, Object: rocket, Bundle: 1}
		if in.Tick%2 == 0 {
			burn.Press(&in.Input, 1)
		}
		me.Guess(in, false)
		if in.Tick != lost {
			sent[in.Tick] = in
		}
		me.Step()
	}
	fmt.Println("of the ticks up to", me.Now(), "those up to", me.Oldest(), "are certain")

	// Output:
	// in tick 18, 4 ticks are simulated again
	// of the ticks up to 20 those up to 16 are certain
}
