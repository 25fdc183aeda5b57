// headless plays on a host over WebSocket, without a page, until it has confirmed as many
// ticks as it is told. It is a program of its own, in a module outside of the library's,
// and runs on every system; built for js/wasm, in a browser or in Node.js.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/streamlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
)

// socket is a WebSocket as a connection of streamlink.
type socket struct {
	net.Conn
	ws *websocket.Conn
}

func (s socket) Close() error { return s.ws.CloseNow() }

func dial(url string) func(ctx context.Context) (io.ReadWriteCloser, error) {
	return func(ctx context.Context) (io.ReadWriteCloser, error) {
		ws, _, err := websocket.Dial(ctx, url, nil)
		if err != nil {
			return nil, err
		}
		return socket{websocket.NetConn(context.Background(), ws, websocket.MessageBinary), ws}, nil
	}
}

// burn holds the first button down.
type burn struct{}

func (burn) Input(world.Reader, int) world.Input { return world.Input{Buttons: 1} }

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: headless URL TICKS")
		os.Exit(2)
	}
	ticks, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "TICKS:", err)
		os.Exit(2)
	}
	link := streamlink.Dial(dial(os.Args[1]), streamlink.Options{Protocol: wire.Version})
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	enough := func(t world.Tick, _ uint64) {
		if t >= world.Tick(ticks) {
			stop()
		}
	}
	client := runtime.NewClient(runtime.ClientConfig{Link: link, Compile: luabind.Compile, Name: "headless", Controls: burn{}, Confirmed: enough})
	err = runtime.NewDriver().Client(ctx, client)
	fmt.Printf("confirmed tick %d, %v, %v\n", client.Confirmed(), client.Desync() == nil, err)
}
