package streamlink_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/hindcast/hindcast/net/streamlink"
)

// line is a connection that can be cut: nothing passes it any more, and neither end is
// notified.
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

func TestTCP(t *testing.T) {
	t.Parallel()
	options := streamlink.Options{KeepAlive: 200 * time.Millisecond, Timeout: time.Second, DialTimeout: time.Second / 2}
	linktest.Run(t, func(t *testing.T) linktest.Network {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		cuts := map[link.Link]*atomic.Bool{}
		dial := func() link.Link {
			cut := new(atomic.Bool)
			client := streamlink.Dial(func(ctx context.Context) (io.ReadWriteCloser, error) {
				var d net.Dialer
				c, err := d.DialContext(ctx, "tcp", ln.Addr().String())
				if err != nil {
					return nil, err
				}
				return line{c, cut}, nil
			}, options)
			cuts[client] = cut
			return client
		}
		return linktest.Network{
			Host:  streamlink.Listen(ln, options),
			Dial:  dial,
			Cut:   func(client link.Link) { cuts[client].Store(true) },
			Step:  linktest.RealTime(),
			Apart: true,
		}
	})
}

// A host and a client on TCP, each in a loop of its own goroutine in a real program.
func Example() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	host := streamlink.Listen(ln, streamlink.Options{})
	defer host.Shutdown("the host stops")
	client := streamlink.Dial(func(ctx context.Context) (io.ReadWriteCloser, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", ln.Addr().String())
	}, streamlink.Options{})
	defer client.Shutdown("the player leaves")

	began := time.Now()
	for done := false; !done && time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		now := time.Since(began)
		host.Poll(now, func(ev link.Event) {
			if ev.Kind == link.Message {
				fmt.Printf("host got %q\n", ev.Data)
				done = true
			}
		})
		client.Poll(now, func(ev link.Event) {
			switch ev.Kind {
			case link.Opened:
				client.SendMessage(now, ev.Peer, link.Control, []byte("hello"))
			case link.Closed:
				fmt.Println("closed:", ev.Reason)
				done = true
			}
		})
	}
	// Output: host got "hello"
}
