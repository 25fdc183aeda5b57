// headless plays on a host over WebSocket, without a page, until it has confirmed as many
// ticks as it is told. It runs on every system; built for js/wasm, in a browser or in Node.js.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/streamlink"
	"github.com/hindcast/hindcast/net/streamlink/testdata/socket"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// burn holds the button Burn down.
func burn(r world.Reader, slot int) (in world.Input) {
	if err := in.Set(r.Class(slot), "Burn", 1); err != nil {
		log.Fatal(err)
	}
	return in
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: headless URL TICKS")
	}
	ticks, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal("TICKS: ", err)
	}
	link := streamlink.Dial(socket.Dial(os.Args[1]),
		streamlink.Options{Protocol: wire.Version, Timeout: time.Minute, DialTimeout: time.Minute})
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	enough := func(t world.Tick, _ uint64) {
		if t >= world.Tick(ticks) {
			stop()
		}
	}
	client := client.New(client.Config{Link: link, Compile: luabind.Compile, Name: "headless",
		Controls: client.ControlsFunc(burn), Confirmed: enough})
	err = room.NewDriver().Run(ctx, client)
	fmt.Printf("confirmed tick %d, %v, %v\n", client.Confirmed(), client.Desync() == nil, err)
}
