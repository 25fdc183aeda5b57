package client_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/scripts"
)

// A client without a Driver: the program calls it once for each picture that it draws. Here the time is a
// number, and the host is in the same loop.
func ExampleClient_Update() {
	folder, _ := scripts.Builtin("arena")
	game, err := scripts.Load(folder, "arena")
	if err != nil {
		fmt.Println(err)
		return
	}
	network := memlink.New(1)
	h, err := host.New(host.Config{Bundle: game.Bundle, Compile: luabind.Compile, Link: network.Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := client.New(client.Config{
		Link:     network.Dial(memlink.LAN(), memlink.LAN()),
		Compile:  luabind.Compile,
		Name:     "ann",
		Controls: client.ControlsFunc(fly),
	})
	var view room.View
	drawn := 0
	draw := func(v *room.View) {
		if v.Stage == room.StagePlaying && len(v.Bodies) > 0 {
			drawn++
		}
	}
	now := time.Duration(0)
	for ; c.Err() == nil; now += 16 * time.Millisecond {
		c.Poll(now)
		_ = c.Update(now) // its error is Err
		c.View(&view)
		draw(&view)

		h.Poll(now)
		if err := h.Update(now); err != nil {
			fmt.Println(err)
			return
		}
		if now > time.Second {
			h.Shutdown(now, "enough")
		}
	}
	fmt.Println("drawn:", drawn > 30)
	fmt.Println("the room is over:", errors.Is(c.Err(), client.ErrStopped))
	fmt.Println("closed:", c.Close(now, "left"), h.Close(now, "enough"))
	// Output:
	// drawn: true
	// the room is over: true
	// closed: <nil> <nil>
}
