package runtime_test

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// A host looks at its room half a tick ago, with a ray from the middle to each side, and at a
// tick of which it no longer keeps the state.
func ExampleHost_At() {
	host, err := runtime.NewHost(runtime.HostConfig{Bundle: stub.Game(), Compile: stub.Compile, Link: memlink.New(1).Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for now := time.Duration(0); host.Now() < 120; now += host.TickLength() {
		if err := host.Tick(now); err != nil {
			fmt.Println(err)
		}
	}
	err = host.At(120, 0.5, func(r world.Reader) {
		crate, _ := r.ClassIndex("Crate")
		hits := 0
		for i := range 4 {
			angle := float64(i) * math.Pi / 2
			if _, ok := r.Queries().Raycast(0, 0, 12*math.Cos(angle), 12*math.Sin(angle), math.MaxUint64); ok {
				hits++
			}
		}
		fmt.Printf("tick %d: %d crates; %d of 4 rays hit something\n", r.Tick(), len(r.Queries().OfClass(crate, nil)), hits)
	})
	fmt.Println(err)
	err = host.At(2, 1, func(world.Reader) {})
	fmt.Println(errors.Is(err, timeline.ErrThinned))
	// Output:
	// tick 120: 12 crates; 4 of 4 rays hit something
	// <nil>
	// true
}
