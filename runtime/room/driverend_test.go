package room_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/link/linktest"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"go.uber.org/goleak"
)

// listen makes a host on a UDP socket.
func listen(t *testing.T, addr string) (*host.Host, *kcplink.Link) {
	t.Helper()
	l, err := kcplink.Listen(addr, kcplink.Options{Protocol: wire.Version})
	if err != nil {
		t.Fatal(err)
	}
	host, err := host.New(host.Config{Bundle: stub.Game(), Compile: stub.Compile, Link: l})
	if err != nil {
		t.Fatal(err)
	}
	return host, l
}

// dial makes a client on a UDP socket.
func dial(t *testing.T, to *kcplink.Link, cfg client.Config) *client.Client {
	t.Helper()
	l, err := kcplink.Dial(to.LocalAddr().String(), kcplink.Options{Protocol: wire.Version})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Link, cfg.Compile = l, stub.Compile
	return client.New(cfg)
}

// sockets counts the sockets of this process. It returns a negative number where the
// system has no such list.
func sockets() int {
	fds, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(fds) == 0 {
		return -1
	}
	n := 0
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

// nothingLeft fails the test unless it ends with as many goroutines and sockets as it began
// with.
func nothingLeft(t *testing.T) (check func()) {
	t.Helper()
	goroutines, open := goleak.IgnoreCurrent(), sockets()
	return func() {
		t.Helper()
		if left := leftGoroutines(goroutines); left != nil {
			t.Error(left)
		}
		if now := sockets(); now != open {
			t.Errorf("%d sockets are open, %d were before", now, open)
		}
	}
}

// leftGoroutines returns an error that names the goroutines that do not end within a minute.
// On a busy machine, some still have to return when a test ends.
func leftGoroutines(before goleak.Option) (left error) {
	for end := time.Now().Add(time.Minute); ; {
		if left = goleak.Find(before); left == nil || time.Now().After(end) {
			return left
		}
	}
}

// TestDriverFreesLinksAndGoroutines tests that rooms with two clients each, one after the
// other at one address, leave no goroutine and no socket behind, whether the clients or the host
// end first.
func TestDriverFreesLinksAndGoroutines(t *testing.T) {
	defer nothingLeft(t)()
	addr := "127.0.0.1:0"
	for round := range draws.Pick(2, 10) {
		host, l := listen(t, addr)
		addr = l.LocalAddr().String()
		clients := make([]*client.Client, 2)
		var r, stay sync.WaitGroup
		hosting, stopHost := context.WithCancel(t.Context())
		staying, leave := context.WithCancel(t.Context())
		r.Go(func() {
			if err := room.NewDriver().Run(hosting, host); err != nil {
				t.Error(err)
			}
		})
		playing := [2]chan struct{}{make(chan struct{}, 1), make(chan struct{}, 1)}
		for i := range clients {
			clients[i] = dial(t, l, client.Config{Controls: sender{playing[i]}})
			stay.Go(func() {
				switch err := room.NewDriver().Run(staying, clients[i]); {
				case round%2 == 0 && err != nil:
					t.Errorf("a client that left by itself: %v", err)
				case round%2 == 1 && !errors.Is(err, client.ErrStopped):
					t.Errorf("a client whose host has stopped: %v", err)
				}
			})
		}
		for _, asked := range playing {
			<-asked
		}
		if round%2 == 0 {
			leave()
			stay.Wait()
			stopHost()
		} else {
			stopHost()
		}
		r.Wait()
		stay.Wait()
		leave()
		stopHost()
	}
}

// sender are Controls that signal their first call.
type sender struct{ asked chan struct{} }

func (s sender) Input(world.Reader, int) world.Input {
	select {
	case s.asked <- struct{}{}:
	default:
	}
	return world.Input{}
}

// TestCloseFreesTheLink tests that a Host and a Client without a Driver close their
// links with one call.
func TestCloseFreesTheLink(t *testing.T) {
	defer nothingLeft(t)()
	host, l := listen(t, "127.0.0.1:0")
	client := dial(t, l, client.Config{})
	step, now := linktest.RealTime(), time.Duration(0)
	for end := time.Now().Add(time.Minute); !client.Playing(); {
		if time.Now().After(end) {
			t.Fatalf("the client is %s", client.Status())
		}
		now = step()
		host.Poll(now)
		if err := host.Update(now); err != nil {
			t.Fatal(err)
		}
		client.Poll(now)
		client.Update(now)
	}
	if err := client.Close(now, "enough"); err != nil || !errors.Is(client.Err(), room.ErrLeft) {
		t.Errorf("closing the client: %v, then %v", err, client.Err())
	}
	for host.Players() > 0 {
		now = step()
		host.Poll(now)
	}
	for range 2 {
		if err := host.Close(now, "over"); err != nil {
			t.Error(err)
		}
	}
	if err := client.Close(now, "again"); err != nil {
		t.Error(err)
	}
}

// TestDriverOfAClientDrains tests that the run of a client goes on until all its ticks
// are confirmed.
func TestDriverOfAClientDrains(t *testing.T) {
	roomtest.Bubble(t, func(t *testing.T) {
		host, _, network := roomtest.NewHost(t, nil)
		l := &roomtest.Crowded{End: network.Dial(memlink.Bad(), memlink.Bad()), Others: []roomtest.Other{host}}
		client := client.New(client.Config{Link: l, Compile: stub.Compile, Controls: roomtest.Wanderers(1)})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		if err := room.NewDriver().Run(ctx, client); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); client.Confirmed() != client.Now() || client.Confirmed() < 200 || took > 7*time.Second {
			t.Errorf("at tick %d the client left %v after it joined, confirmed is tick %d", client.Now(), took, client.Confirmed())
		}
		if host.Players() != 0 {
			t.Errorf("the host has %d players", host.Players())
		}
	})
}

// TestShutDownHostRefusesDials tests that a host that is shutting down refuses clients
// that dial it.
func TestShutDownHostRefusesDials(t *testing.T) {
	host, _, network := roomtest.NewHost(t, nil)
	host.Shutdown(0, "over")
	c := client.New(client.Config{Link: network.Dial(memlink.LAN(), memlink.LAN()), Compile: stub.Compile})
	now := time.Duration(0)
	for ; c.Err() == nil && now < time.Minute; now = max(now, min(c.Due(now), host.Due(now))) {
		host.Poll(now)
		c.Poll(now)
		c.Update(now)
	}
	if !errors.Is(c.Err(), client.ErrStopped) || host.Now() != 0 {
		t.Errorf("after %v: %v, the host is at tick %d", now, c.Err(), host.Now())
	}
}
