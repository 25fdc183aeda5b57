package world_test

import (
	"fmt"
	"log"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// A world without scripts: a ball falls on a wall of the level. Package timeline makes these
// calls in a match, with those of the hooks between them.
func Example() {
	ball := world.Class{Name: "Ball",
		Fields: []world.Field{{Name: "hp", Default: []uint64{world.NumberBits(10)}}},
		Body:   &world.BodySpec{Def: physics.NewDef(physics.Dynamic, physics.CircleShape(0.5))}}
	schema, err := world.NewSchema([]world.Class{ball}, world.Setup{TickRate: 60, Seed: 1, Substeps: 4,
		GravityY: -10, Width: 20, Height: 20, Walls: []world.Wall{{Y: -5, W: 20, H: 1}},
		Spawns: []world.Spawn{{Class: "Ball", Count: 1, Y: 3}}})
	if err != nil {
		log.Fatal(err)
	}
	w := world.New()
	w.Load(nil, schema)
	var saved world.State
	play := func(to world.Tick) {
		for w.Now.Tick < to {
			w.Begin()
			if w.Now.Tick == 1 {
				w.BeginOrder()
				w.SpawnLevel(func(slot int, _ *world.Event) {
					fmt.Println("spawned a", schema.Classes[w.Now.Objects[slot].Class].Name)
				})
				w.EndOrder()
			}
			w.Step()
			for _, c := range w.Contacts() {
				fmt.Printf("tick %d: contact at %.1f m/s\n", w.Now.Tick, c.Speed)
			}
			w.End()
		}
	}
	play(30)
	saved.CopyFrom(w.Now)
	play(120)
	hash := w.Now.Hash()
	w.Load(&saved, schema) // rewind
	play(120)
	fmt.Println("the same again:", w.Now.Hash() == hash)
	// Output:
	// spawned a Ball
	// tick 71: contact at 11.7 m/s
	// tick 71: contact at 11.7 m/s
	// the same again: true
}
