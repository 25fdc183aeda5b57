package streamlink_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/hindcast/hindcast/net/streamlink"
)

// socket is a WebSocket as a connection of streamlink. Its Close ends reads and writes at
// once, where that of NetConn waits for the other end.
type socket struct {
	net.Conn
	ws *websocket.Conn
}

func newSocket(ws *websocket.Conn) socket {
	return socket{websocket.NetConn(context.Background(), ws, websocket.MessageBinary), ws}
}

func (s socket) Close() error { return s.ws.CloseNow() }

// handler gives the WebSockets that pages and programs open to a host. Accept refuses
// pages of other origins.
func handler(host *streamlink.Link) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return // Accept has answered
		}
		host.Add(newSocket(ws))
	})
}

// dialWebSocket works in programs and, built for js/wasm, in browsers.
func dialWebSocket(url string, o streamlink.Options) *streamlink.Link {
	return streamlink.Dial(func(ctx context.Context) (io.ReadWriteCloser, error) {
		ws, _, err := websocket.Dial(ctx, url, nil)
		if err != nil {
			return nil, err
		}
		return newSocket(ws), nil
	}, o)
}

func TestWebSocket(t *testing.T) {
	linktest.Run(t, func(t *testing.T) linktest.Network {
		host := streamlink.NewHost(streamlink.Options{})
		server := httptest.NewServer(handler(host))
		t.Cleanup(server.Close)
		url := "ws" + strings.TrimPrefix(server.URL, "http")
		return linktest.Network{
			Host:  host,
			Dial:  func() link.Link { return dialWebSocket(url, streamlink.Options{}) },
			Step:  linktest.RealTime(),
			Apart: true,
		}
	})
}
