package host_test

import (
	"fmt"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
)

// A host without a Driver: the program calls it when a packet arrives, and when it is due.
func ExampleHost_Update() {
	b := bundle.New("empty", world.Source{Name: "game.lua", Text: "-- no rules"})
	l := memlink.New(1).Host()
	h, err := host.New(host.Config{Bundle: b, Compile: luabind.Compile, Link: l})
	if err != nil {
		fmt.Println(err)
		return
	}
	start := time.Now()
	clock := func() time.Duration { return time.Since(start) }
	timer := time.NewTimer(0)
	for h.Now() < 30 { // until the program ends the room
		h.Wake(clock())
		h.Poll(clock())
		if err := h.Update(clock()); err != nil {
			fmt.Println(err) // check mode found a difference
			return
		}
		timer.Reset(h.Due(clock()) - clock())
		select {
		case <-h.Ready():
		case <-timer.C:
		}
	}
	fmt.Println("closed:", h.Close(clock(), "the host has stopped"))
	// Output:
	// closed: <nil>
}
