package streamlink_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/hindcast/hindcast/net/streamlink"
	"github.com/hindcast/hindcast/net/streamlink/testdata/socket"
)

func TestWebSocket(t *testing.T) {
	t.Parallel()
	linktest.Run(t, func(t *testing.T) linktest.Network {
		host := streamlink.NewHost(streamlink.Options{})
		server := httptest.NewServer(socket.Handler(host))
		t.Cleanup(server.Close)
		url := "ws" + strings.TrimPrefix(server.URL, "http")
		return linktest.Network{
			Host:  host,
			Dial:  func() link.Link { return streamlink.Dial(socket.Dial(url), streamlink.Options{}) },
			Step:  linktest.RealTime(),
			Apart: true,
		}
	})
}
