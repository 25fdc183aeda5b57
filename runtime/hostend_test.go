package runtime_test

import (
	"errors"
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
