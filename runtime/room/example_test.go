package room_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// Drivers run hosts and clients in real time, each with a clock of its own. Other goroutines reach what a
// Driver runs through Do.
func ExampleDriver() {
	b := bundle.New("empty", world.Source{Name: "game.lua", Text: "-- no rules"})
	h, err := host.New(host.Config{Bundle: b, Compile: luabind.Compile, Link: memlink.New(1).Host()})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	driver := room.NewDriver()
	var all sync.WaitGroup
	all.Go(func() { fmt.Println("the host:", driver.Run(ctx, h)) })

	var report room.Report
	err = driver.Do(ctx, func(_ context.Context, now time.Duration) error {
		report = h.Report(now)
		return nil
	})
	fmt.Println(report.Role, report.TickRate, err)
	stop()
	all.Wait()

	c := client.New(client.Config{Compile: luabind.Compile}) // it has no link, so it is over at once
	err = room.NewDriver().Run(context.Background(), c)
	fmt.Println("the client:", errors.Is(err, room.ErrConfig))
	// Output:
	// host 60 <nil>
	// the host: <nil>
	// the client: true
}
