package physics_test

import (
	"fmt"

	"github.com/hindcast/hindcast/world/physics"
)

// A ball falls on a floor; then the same second is played again.
func Example() {
	defs := []physics.Def{
		{Type: physics.Static, Shape: physics.BoxShape(20, 1), Layer: 1, Collides: 1},
		{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1, Restitution: 0.5,
			GravityScale: 1, Layer: 1, Collides: 1},
	}
	for i := range defs {
		if err := defs[i].Prepare(); err != nil {
			fmt.Println(err)
			return
		}
	}
	rules := physics.Params{DT: 1.0 / 60, GravityY: -10, Substeps: 4}
	now := physics.State{Bodies: []physics.Body{
		physics.NewBody(1, 0, physics.Vec{Y: -0.5}, 0),
		physics.NewBody(2, 1, physics.Vec{Y: 3}, 0),
	}}
	var saved physics.State
	saved.CopyFrom(&now)

	play := func() {
		var sv physics.Solver
		for tick := range 60 {
			sv.Step(&now, defs, rules)
			begins, _ := sv.Events()
			for _, e := range begins {
				fmt.Printf("tick %d: %d meets %d at %.1f m/s\n", tick, e.KeyA, e.KeyB, e.Speed)
			}
		}
	}
	play()
	first := now.Hash()
	now.CopyFrom(&saved)
	play()
	fmt.Println("the same again:", now.Hash() == first)
	// Output:
	// tick 42: 1 meets 2 at 7.0 m/s
	// tick 42: 1 meets 2 at 7.0 m/s
	// the same again: true
}
