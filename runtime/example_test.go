package runtime_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/world"
)

// pilot turns left, and from tick 120 on flies ahead.
type pilot struct{}

func (pilot) Input(r world.Reader, _ int) world.Input {
	if r.Tick() < 120 {
		return world.Input{Buttons: stub.Left}
	}
	return world.Input{Buttons: stub.Accel}
}

// scene is a program's own model of the world: the position of each object, by tick.
type scene struct {
	path  []int // by tick: the number of objects
	first world.Tick
	backs int
}

// RestoreFrame removes the drawings of ticks that have changed.
func (s *scene) RestoreFrame(state *world.State) {
	if len(s.path) == 0 {
		s.first = state.Tick
	}
	if n := int(state.Tick - s.first); n < len(s.path) {
		s.path = s.path[:n]
		s.backs++
	}
}

// FinalizeFrame draws the present; ticks in between are not drawn.
func (s *scene) FinalizeFrame(state *world.State) {
	for int(state.Tick-s.first) > len(s.path) {
		s.path = append(s.path, state.Len())
	}
}

// Two players play on lines of 30 to 60 ms. The first one's program keeps a scene of its
// own, which it corrects when inputs of the other player become known and change the
// past.
func ExampleFrames() {
	network := memlink.New(1)
	host, err := runtime.NewHost(runtime.HostConfig{Bundle: stub.Game(), Compile: stub.Compile, Link: network.Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	var shown scene
	join := func(controls runtime.Controls, frames runtime.Frames) *runtime.Client {
		return runtime.NewClient(runtime.ClientConfig{Link: network.Dial(memlink.Average(), memlink.Average()),
			Compile: stub.Compile, Controls: controls, Frames: frames})
	}
	me, other := join(pilot{}, &shown), join(&stub.Wanderer{Seed: 1}, nil)
	next := time.Duration(0)
	for now := time.Duration(0); now < 5*time.Second; now += 4 * time.Millisecond {
		host.Poll(now)
		for ; next <= now; next += host.TickLength() {
			if err := host.Tick(now); err != nil {
				fmt.Println(err)
			}
		}
		for _, c := range []*runtime.Client{me, other} {
			c.Poll(now)
			c.Update(now)
		}
	}
	fmt.Println("ahead of the host:", me.Now() > host.Now())
	fmt.Println("went back:", shown.backs > 10)
	fmt.Println("the scene is at the present:", shown.first+world.Tick(len(shown.path)) == me.Now())
	fmt.Println("differs from the host:", me.Desync() != nil)
	// Output:
	// ahead of the host: true
	// went back: true
	// the scene is at the present: true
	// differs from the host: false
}
