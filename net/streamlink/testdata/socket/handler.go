//go:build !js

package socket

import (
	"net/http"

	"github.com/coder/websocket"
	"github.com/hindcast/hindcast/net/streamlink"
)

// Handler gives the WebSockets that pages and programs open to a host of streamlink.NewHost.
// Pages of other origins are refused.
func Handler(host *streamlink.Link) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return // Accept has answered
		}
		host.Add(newSocket(ws))
	})
}
