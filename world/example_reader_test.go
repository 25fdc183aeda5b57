package world_test

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// A Reader reads the objects of a world by the names of their fields, and asks
// about many at once.
func ExampleReader() {
	ship := world.Class{Name: "Ship", Fields: []world.Field{{Name: "fuel", Default: []uint64{math.Float64bits(80)}}},
		Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1}}}
	schema, err := world.NewSchema([]world.Class{ship}, world.Setup{TickRate: 60, Seed: 1, Substeps: 4, Width: 40, Height: 40,
		Spawns: []world.Spawn{{Class: "Ship", Count: 1, X: 3}, {Class: "Ship", Count: 1, X: 9}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := world.New()
	w.Load(nil, schema)
	w.Begin()
	w.BeginOrder()
	w.SpawnLevel(func(int, *world.Event) {})
	w.EndOrder()
	w.End()

	r := w.Reader()
	hit, ok := r.Queries().Raycast(-10, 0, 20, 0, math.MaxUint64)
	at, err := r.Placement(hit.Object)
	fmt.Printf("hit: %v, at x = %.1f, a ship at x = %.0f, %v\n", ok, hit.X, at.X, err)
	fuel, err := r.Number(hit.Object, "fuel")
	fmt.Println("fuel:", fuel, err)
	_, err = r.Number(hit.Object, "feul")
	fmt.Println(err)
	ships, err := r.Objects("Ship", nil)
	for _, id := range ships {
		at, _ := r.Placement(id)
		fmt.Printf("a ship at x = %.0f\n", at.X)
	}
	fmt.Println(err)
	_, err = r.Objects("Shop", nil)
	fmt.Println(err)
	// Output:
	// hit: true, at x = 2.5, a ship at x = 3, <nil>
	// fuel: 80 <nil>
	// no such field: class Ship has no "feul"; it has fuel
	// a ship at x = 3
	// a ship at x = 9
	// <nil>
	// no such class: "Shop"; the scripts declare Ship
}
