package runtime_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// unsteady is a script of which one call in twenty does nothing, so that no rewind has the result
// of the run before.
type unsteady struct {
	world.Script
	calls int
}

func (f *unsteady) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	if f.calls++; f.calls%20 == 0 {
		return nil
	}
	return f.Script.Call(a, h, slot, args)
}

// compileUnsteady compiles the stub game to an unsteady script.
func compileUnsteady(files []world.Source, setup world.Setup) (world.Script, error) {
	script, err := stub.Compile(files, setup)
	return &unsteady{Script: script}, err
}

// endedBy plays with a host on a bad line until the host fails, or for ten seconds. Then the host is
// shut down for a reason. It returns the errors of the host and of a client.
func endedBy(t *testing.T, compile world.Compile, reason string) (hostErr, clientErr error) {
	host, _, network := newHost(t, func(cfg *runtime.HostConfig) { cfg.Verify, cfg.Compile = true, compile })
	client := runtime.NewClient(runtime.ClientConfig{Link: network.Dial(memlink.Bad(), memlink.Bad()), Compile: stub.Compile, Controls: wanderers(0)})
	const playFor = 10 * time.Second
	for now, open := time.Duration(0), true; client.Err() == nil && now < time.Minute; now += 4 * time.Millisecond {
		host.Poll(now)
		if open {
			hostErr = host.Update(now)
		}
		if open && (hostErr != nil || now > playFor) {
			if client.Player() == 0 {
				t.Fatalf("the client is %s", client.Status())
			}
			host.Shutdown(now, reason)
			open = false
		}
		client.Poll(now)
		client.Update(now)
	}
	return hostErr, client.Err()
}

// TestShutdownSaysWhetherTheRoomIsOver tests that clients of a host that is shut down end with
// ErrStopped and the reason. If check mode has found a difference, they end with ErrClosed: another
// host may take its place.
func TestShutdownSaysWhetherTheRoomIsOver(t *testing.T) {
	t.Parallel()
	hostErr, clientErr := endedBy(t, stub.Compile, "maintenance at noon")
	if hostErr != nil || !errors.Is(clientErr, runtime.ErrStopped) || !strings.Contains(clientErr.Error(), "maintenance at noon") {
		t.Errorf("the host ended with %v, and the client with: %v", hostErr, clientErr)
	}
	hostErr, clientErr = endedBy(t, compileUnsteady, "a desync")
	if !errors.Is(hostErr, timeline.ErrDesync) || !errors.Is(clientErr, runtime.ErrClosed) || !strings.Contains(clientErr.Error(), "a desync") {
		t.Errorf("the host failed with %v, and the client ended with: %v", hostErr, clientErr)
	}
}

// TestRestart tests that clients of a host that restarts return to the next one with the numbers that
// they had, in another order than they came, and that nobody else gets such a number.
func TestRestart(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{1})
		clients, host := playedRoom(t, random, nil, make([]runtime.Ticket, 3), &runtime.RestartError{Reason: "tick_rate changed"})
		tickets := make([]runtime.Ticket, 4)
		for i, c := range clients {
			if err := c.Err(); !errors.Is(err, runtime.ErrRestarting) || !errors.Is(err, runtime.ErrClosed) || err.Error() != "connection closed: the host restarts: tick_rate changed" {
				t.Errorf("a client ended with: %v", err)
			}
			if c.Player() != world.PlayerID(i+1) {
				t.Fatalf("player %d", c.Player())
			}
		}
		tickets[0], tickets[2] = clients[2].Ticket(), clients[0].Ticket()
		clients, _ = playedRoom(t, random, host, tickets, context.Canceled)
		for i, want := range []world.PlayerID{3, 4, 1, 5} {
			if err := clients[i].Err(); !errors.Is(err, runtime.ErrStopped) || clients[i].Player() != want {
				t.Errorf("client %d is player %d after the restart, want %d; it ended with: %v", i, clients[i].Player(), want, err)
			}
		}
	})
}

// playedRoom drives a host until clients with these tickets, which join one after the other, play. Then
// the context of the driver ends for a cause.
func playedRoom(t *testing.T, random io.Reader, before *runtime.Host, tickets []runtime.Ticket, cause error) (clients []*runtime.Client, host *runtime.Host) {
	host, l, network := newHost(t, func(cfg *runtime.HostConfig) { cfg.Random = random })
	if before != nil {
		host.Replace(before)
	}
	driver := runtime.NewDriver()
	ctx, stop := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() { done <- driver.Host(ctx, host) }()
	for _, ticket := range tickets {
		c := runtime.NewClient(runtime.ClientConfig{Link: network.Dial(memlink.LAN(), memlink.LAN()), Compile: stub.Compile, Controls: wanderers(0), Ticket: ticket})
		clients = append(clients, c)
		for playing := false; !playing; time.Sleep(20 * time.Millisecond) {
			if err := driver.Do(ctx, func(context.Context, time.Duration) error {
				l.others = append(l.others[:0], others(clients)...)
				playing = c.Playing() || c.Err() != nil
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	stop(cause)
	if err := <-done; err != nil {
		t.Error(err)
	}
	return clients, host
}

// others returns clients as what a crowded link drives.
func others(clients []*runtime.Client) (list []other) {
	for _, c := range clients {
		list = append(list, c)
	}
	return list
}

// TestEndIsAMessage tests that a client is over with ErrStopped if the host sends that the room is
// over, and with ErrClosed if the connection closes without it, whatever the reason says.
func TestEndIsAMessage(t *testing.T) {
	t.Parallel()
	over := runtime.ErrStopped.Error()
	for _, c := range []struct {
		what string
		do   func(h *byHand)
		want error
		text string
	}{
		{"a closed connection", func(h *byHand) { h.end.Close(h.now, h.peer, over) }, runtime.ErrClosed, "connection closed: " + over},
		{"a connection closed without a reason", func(h *byHand) { h.end.Close(h.now, h.peer, "") }, runtime.ErrClosed, "connection closed"},
		{"the end of the room", func(h *byHand) {
			h.say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndOver, Reason: "good night"}))
		}, runtime.ErrStopped, over + ": good night"},
		{"the end of the room without a reason", func(h *byHand) { h.say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndOver})) }, runtime.ErrStopped, over},
		{"a failure", func(h *byHand) {
			h.say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndFailed, Reason: "a desync"}))
		}, runtime.ErrClosed, "connection closed: the host has failed: a desync"},
		{"a restart", func(h *byHand) {
			h.say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndRestarts, Reason: "tick_rate"}))
		}, runtime.ErrRestarting, "connection closed: the host restarts: tick_rate"},
	} {
		for _, in := range []bool{false, true} {
			h := newByHand()
			if in {
				h.letIn(firstTick(t))
			}
			c.do(h)
			h.run(20 * time.Millisecond)
			if err := h.client.Err(); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), c.text) || h.client.Stage() != runtime.StageOver {
				t.Errorf("%s, in the room: %v: the client is %s: %v", c.what, in, h.client.Stage(), err)
			}
		}
	}
}
