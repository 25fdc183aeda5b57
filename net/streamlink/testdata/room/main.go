// room hosts a room over WebSocket until its input ends. It prints the address.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/streamlink"
	"github.com/hindcast/hindcast/net/streamlink/testdata/socket"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

const rocket = `
Rocket = object "Rocket" { input = { Burn = "bool" }, body = { shape = { circle = 0.5 } } }
function Rocket:applyInput(input) self:setForce(0, input.Burn and 20 or 0) end
function onJoin(player) spawn("Rocket", { owner = player }) end
`

func main() {
	link := streamlink.NewHost(streamlink.Options{Protocol: wire.Version})
	game := bundle.New("rocket", world.Source{Name: "game.lua", Text: rocket})
	host, err := host.New(host.Config{Bundle: game, Compile: luabind.Compile, Link: link})
	if err != nil {
		log.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() { log.Fatal(http.Serve(ln, socket.Handler(link))) }()
	fmt.Printf("ws://%s\n", ln.Addr())

	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	if err := room.NewDriver().Run(ctx, host); err != nil {
		log.Fatal(err)
	}
}
