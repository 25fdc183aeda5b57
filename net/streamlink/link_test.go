package streamlink

import (
	"context"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
)

// line is a connection that can be cut: nothing passes it any more, and nobody is told.
type line struct {
	net.Conn
	cut *atomic.Bool
}

func (l line) Read(b []byte) (int, error) {
	for {
		n, err := l.Conn.Read(b)
		if err != nil || !l.cut.Load() {
			return n, err
		}
	}
}

func (l line) Write(b []byte) (int, error) {
	if l.cut.Load() {
		return len(b), nil
	}
	return l.Conn.Write(b)
}

func listenTCP(t *testing.T, o Options) (host *Link, addr string) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return Listen(ln, o), ln.Addr().String()
}

func dialTCP(addr string, cut *atomic.Bool, o Options) *Link {
	return Dial(func(ctx context.Context) (io.ReadWriteCloser, error) {
		var d net.Dialer
		c, err := d.DialContext(ctx, "tcp", addr)
		if err != nil {
			return nil, err
		}
		return line{c, cut}, nil
	}, o)
}

func TestLink(t *testing.T) {
	options := Options{KeepAlive: 200 * time.Millisecond, Timeout: time.Second, DialTimeout: time.Second / 2}
	linktest.Run(t, func(t *testing.T) linktest.Network {
		host, addr := listenTCP(t, options)
		cuts := map[link.Link]*atomic.Bool{}
		return linktest.Network{
			Host: host,
			Dial: func() link.Link {
				cut := new(atomic.Bool)
				client := dialTCP(addr, cut, options)
				cuts[client] = cut
				return client
			},
			Cut:   func(client link.Link) { cuts[client].Store(true) },
			Step:  linktest.RealTime(),
			Apart: true,
		}
	})
}
