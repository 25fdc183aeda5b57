// Package socket makes WebSockets of github.com/coder/websocket the connections of a
// streamlink. Copy it into your program.
package socket

import (
	"context"
	"errors"
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

// errMissing is the error of Dial where there are no WebSockets.
var errMissing = errors.New("this system has no WebSocket")

// Dial is for streamlink.Dial. It works in programs and, built for js/wasm, in browsers and in Node.js 22 or later.
func Dial(url string) func(ctx context.Context) (io.ReadWriteCloser, error) {
	return func(ctx context.Context) (io.ReadWriteCloser, error) {
		if missing() {
			return nil, errMissing
		}
		ws, _, err := websocket.Dial(ctx, url, nil)
		if err != nil {
			return nil, err
		}
		return newSocket(ws), nil
	}
}
