package client_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// fly turns to the left for three of twenty ticks, and flies ahead.
func fly(r world.Reader, slot int) (in world.Input) {
	button := "Thrust"
	if r.Tick()%20 < 3 {
		button = "TurnLeft"
	}
	if err := in.Set(r.Class(slot), button, 1); err != nil {
		fmt.Println(err)
	}
	return in
}

// scene is a program's own picture of the world: how many objects there were, by tick.
type scene struct {
	count []int
	first world.Tick
	backs int
}

// RestoreFrame forgets what was drawn of ticks that are no longer valid.
func (s *scene) RestoreFrame(r world.Reader) {
	if len(s.count) == 0 {
		s.first = r.Tick()
	}
	if n := int(r.Tick() - s.first); n < len(s.count) {
		s.count = s.count[:n]
		s.backs++
	}
}

// FinalizeFrame draws the present; the ticks before it are not drawn.
func (s *scene) FinalizeFrame(r world.Reader) {
	for int(r.Tick()-s.first) > len(s.count) {
		s.count = append(s.count, r.State().Len())
	}
}

// Two players on lines of 30 to 60 ms. The first one's program keeps a scene of
// its own, which follows when the other's inputs, as they become known, change the past.
func ExampleFrames() {
	folder, _ := scripts.Builtin("arena")
	game, err := scripts.Load(folder, "arena")
	if err != nil {
		fmt.Println(err)
		return
	}
	network := memlink.New(1)
	host, err := host.New(host.Config{Bundle: game.Bundle, Compile: luabind.Compile, Link: network.Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	var shown scene
	join := func(frames client.Frames) *client.Client {
		return client.New(client.Config{Link: network.Dial(memlink.Average(), memlink.Average()),
			Compile: luabind.Compile, Controls: client.ControlsFunc(fly), Frames: frames})
	}
	me, other := join(&shown), join(nil)
	for now := time.Duration(0); now < 5*time.Second; now += 4 * time.Millisecond {
		host.Poll(now)
		if err := host.Update(now); err != nil {
			fmt.Println(err)
			return
		}
		for _, c := range []*client.Client{me, other} {
			c.Poll(now)
			c.Update(now)
		}
	}
	fmt.Println("ahead of the host:", me.Now() > host.Now())
	fmt.Println("went back:", shown.backs > 10)
	fmt.Println("the scene is at the present:", shown.first+world.Tick(len(shown.count)) == me.Now())
	fmt.Println("differs from the host:", me.Desync() != nil)
	// Output:
	// ahead of the host: true
	// went back: true
	// the scene is at the present: true
	// differs from the host: false
}
