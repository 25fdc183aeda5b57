// Package socket makes WebSockets of github.com/coder/websocket the connections of a
// streamlink. Copy it into your program.
package socket

import (
	"context"
	"io"
	"net"

	"github.com/coder/websocket"
)

// socket is a WebSocket as a connection. Its Close ends reads and writes at once, where that of
// NetConn waits for the other end.
type socket struct {
	net.Conn
	ws *websocket.Conn
}

func newSocket(ws *websocket.Conn) socket {
	return socket{websocket.NetConn(context.Background(), ws, websocket.MessageBinary), ws}
}

// Close ends the connection.
func (s socket) Close() error { return s.ws.CloseNow() }

// Dial is for streamlink.Dial. It works in programs and, built for js/wasm, in browsers.
func Dial(url string) func(ctx context.Context) (io.ReadWriteCloser, error) {
	return func(ctx context.Context) (io.ReadWriteCloser, error) {
		ws, _, err := websocket.Dial(ctx, url, nil)
		if err != nil {
			return nil, err
		}
		return newSocket(ws), nil
	}
}
