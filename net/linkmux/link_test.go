package linkmux

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/hindcast/hindcast/net/memlink"
)

func TestMain(m *testing.M) {
	linktest.SideBySide()
	os.Exit(m.Run())
}

// A room and its clients, beside another room, on virtual time.
func TestLink(t *testing.T) {
	t.Parallel()
	bad := memlink.Profile{Delay: 30 * time.Millisecond, Jitter: 25 * time.Millisecond, Loss: 0.1, Duplicate: 0.05, Reorder: 0.1}
	linktest.Run(t, func(t *testing.T) linktest.Network {
		network, now := memlink.New(1), time.Duration(0)
		network.Check(true)
		mux := New(network.Host(), Options{})
		t.Cleanup(func() { shutDown(t, mux) })
		room := open(t, mux, "red")
		open(t, mux, "blue")
		number := map[link.Link]int{}
		dial := func(p memlink.Profile) link.Link {
			l := Join(network.Dial(p, p), "red")
			number[l] = network.Clients() - 1
			return l
		}
		return linktest.Network{
			Host:    room,
			Dial:    func() link.Link { return dial(memlink.LAN()) },
			DialBad: func() link.Link { return dial(bad) },
			Cut:     func(client link.Link) { network.Cut(number[client], true) },
			Step: func() time.Duration {
				now += 5 * time.Millisecond
				mux.Poll(now)
				return now
			},
		}
	})
}

// The same on a socket, polled by Run.
func TestLinkOnASocket(t *testing.T) {
	t.Parallel()
	options := kcplink.Options{Protocol: 1, Check: true}
	linktest.Run(t, func(t *testing.T) linktest.Network {
		shared, err := kcplink.Listen("127.0.0.1:0", options)
		if err != nil {
			t.Fatal(err)
		}
		address := shared.LocalAddr().String()
		mux := New(shared, Options{})
		room := open(t, mux, "red")
		ctx, stop := context.WithCancel(context.Background())
		ran := make(chan error)
		go func() { ran <- mux.Run(ctx) }()
		t.Cleanup(func() {
			stop()
			if err := <-ran; err != nil {
				t.Error(err)
			}
		})
		return linktest.Network{
			Host: room,
			Dial: func() link.Link {
				client, err := kcplink.Dial(address, options)
				if err != nil {
					t.Fatal(err)
				}
				return Join(client, "red")
			},
			Step:  linktest.RealTime(),
			Apart: true,
		}
	})
}

func open(t testing.TB, m *Mux, name string) *Room {
	t.Helper()
	r, err := m.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func shutDown(t testing.TB, m *Mux) {
	t.Helper()
	if err := m.Shutdown("the test is over"); err != nil {
		t.Error(err)
	}
}
