package host_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// unsteady is a script of which one call in three does nothing, so that no rewind has the result
// of the run before.
type unsteady struct {
	world.Script
	calls int
}

func (f *unsteady) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	if f.calls++; f.calls%3 == 0 {
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
	host, _, network := roomtest.NewHost(t, func(cfg *host.Config) { cfg.Verify, cfg.Compile = true, compile })
	client := client.New(client.Config{Link: network.Dial(memlink.Bad(), memlink.Bad()), Compile: stub.Compile, Controls: roomtest.Wanderers(0)})
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
	if hostErr != nil || !errors.Is(clientErr, client.ErrStopped) || !strings.Contains(clientErr.Error(), "maintenance at noon") {
		t.Errorf("the host ended with %v, and the client with: %v", hostErr, clientErr)
	}
	hostErr, clientErr = endedBy(t, compileUnsteady, "a desync")
	if !errors.Is(hostErr, timeline.ErrDesync) || !errors.Is(clientErr, client.ErrClosed) || !strings.Contains(clientErr.Error(), "a desync") {
		t.Errorf("the host failed with %v, and the client ended with: %v", hostErr, clientErr)
	}
}

// TestRestart tests that clients of a host that restarts return to the next one with the numbers that
// they had, in another order than they came, and that nobody else gets such a number.
func TestRestart(t *testing.T) {
	t.Parallel()
	roomtest.Bubble(t, func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{1})
		clients, host := playedRoom(t, random, nil, make([]room.Ticket, 3), &room.RestartError{Reason: "tick_rate changed"}, nil)
		tickets := make([]room.Ticket, 4)
		for i, c := range clients {
			if err := c.Err(); !errors.Is(err, room.ErrRestarting) || !errors.Is(err, client.ErrClosed) || err.Error() != "connection closed: the room has ended and may be back: tick_rate changed" {
				t.Errorf("a client ended with: %v", err)
			}
			if c.Player() != world.PlayerID(i+1) {
				t.Fatalf("player %d", c.Player())
			}
		}
		tickets[0], tickets[2] = clients[2].Ticket(), clients[0].Ticket()
		clients, _ = playedRoom(t, random, host, tickets, context.Canceled, nil)
		for i, want := range []world.PlayerID{3, 4, 1, 5} {
			if err := clients[i].Err(); !errors.Is(err, client.ErrStopped) || clients[i].Player() != want {
				t.Errorf("client %d is player %d after the restart, want %d; it ended with: %v", i, clients[i].Player(), want, err)
			}
		}
	})
}

// TestRestartOfTheProgram tests that players return with their numbers to a host that knows nothing of the one before,
// in whatever order they come, but that nobody gets a number that somebody has or had there, whatever the ticket says.
func TestRestartOfTheProgram(t *testing.T) {
	t.Parallel()
	roomtest.Bubble(t, func(t *testing.T) {
		stopped := &room.RestartError{Reason: "it was interrupted"}
		clients, _ := playedRoom(t, rand.NewChaCha8([32]byte{1}), nil, make([]room.Ticket, 3), stopped, nil)
		forged := clients[2].Ticket()
		forged[15]++               // a secret that nobody was given, for the number of client 2
		old := clients[2].Ticket() // of another run of the program
		old.SetNumber(0)
		high := forged
		high.SetNumber(40_000)
		tickets := []room.Ticket{clients[2].Ticket(), {}, clients[1].Ticket(), clients[0].Ticket(), forged, old, high}
		log := newTally()
		clients, _ = playedRoom(t, rand.NewChaCha8([32]byte{2}), nil, tickets, stopped, func(cfg *host.Config) { cfg.Log = slog.New(log) })
		for i, want := range []world.PlayerID{3, 1, 2, 4, 5, 6, 7} {
			if clients[i].Player() != want || clients[i].Ticket() == tickets[i] {
				t.Errorf("client %d is player %d after the restart, want %d with another ticket", i, clients[i].Player(), want)
			}
			// Those who asked for a number that somebody else has by then, or nobody may have.
			for who, line := range map[string]string{"host": "returns with another number", "client": "back with another number"} {
				said := log.lines[fmt.Sprintf("%s: the one before is taken of player %d", line, want)]
				if lost := i == 3 || i == 4 || i == 6; lost != (said == 1) {
					t.Errorf("client %d: the log of the %s says %d times that it has another number", i, who, said)
				}
			}
		}
	})
}

// TestRestartKeepsPlaces tests that those who were there return to a room that takes fewer, and that nobody else gets in
// meanwhile. Who is turned away reads how many play and how many look on.
func TestRestartKeepsPlaces(t *testing.T) {
	t.Parallel()
	roomtest.Bubble(t, func(t *testing.T) {
		random := rand.NewChaCha8([32]byte{1})
		clients, before := playedRoom(t, random, nil, make([]room.Ticket, 2), &room.RestartError{Reason: "tick_rate changed"}, nil)
		fewer := func(cfg *host.Config) {
			b := *cfg.Bundle
			b.Rules.MaxPlayers = 1
			cfg.Bundle = &b
		}
		tickets := []room.Ticket{{}, clients[1].Ticket(), {}, clients[0].Ticket(), {}}
		clients, _ = playedRoom(t, random, before, tickets, context.Canceled, fewer)
		for i, want := range []string{"0 players, 2 expected back", "", "1 player, 1 expected back", "", "2 players"} {
			err := clients[i].Err()
			if full := errors.Is(err, client.ErrRefused); full != (want != "") || full && !strings.HasSuffix(err.Error(), "the room is full: "+want) {
				t.Errorf("client %d ended with %v, want %q", i, err, want)
			}
		}
	})
}

// playedRoom drives a host until clients with these tickets, which join one after the other, play. Then
// the context of the driver ends for a cause.
func playedRoom(t *testing.T, random io.Reader, before *host.Host, tickets []room.Ticket, cause error, set func(cfg *host.Config)) (clients []*client.Client, h *host.Host) {
	var log *slog.Logger
	h, l, network := roomtest.NewHost(t, func(cfg *host.Config) {
		if cfg.Random = random; set != nil {
			set(cfg)
		}
		log = cfg.Log
	})
	if before != nil {
		h.Replace(before)
	}
	driver := room.NewDriver()
	ctx, stop := context.WithCancelCause(t.Context())
	done := make(chan error)
	go func() { done <- driver.Run(ctx, h) }()
	for _, ticket := range tickets {
		c := client.New(client.Config{Link: network.Dial(memlink.LAN(), memlink.LAN()), Compile: stub.Compile, Controls: roomtest.Wanderers(0), Ticket: ticket, Log: log})
		clients = append(clients, c)
		for playing := false; !playing; time.Sleep(20 * time.Millisecond) {
			if err := driver.Do(ctx, func(context.Context, time.Duration) error {
				l.Others = append(l.Others[:0], others(clients)...)
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
	return clients, h
}

// others returns clients as what a crowded link drives.
func others(clients []*client.Client) (list []roomtest.Other) {
	for _, c := range clients {
		list = append(list, c)
	}
	return list
}

// TestEndIsAMessage tests that a client is over with ErrStopped if the host sends that the room is
// over, and with ErrClosed if the connection closes without it, whatever the reason says.
func TestEndIsAMessage(t *testing.T) {
	t.Parallel()
	over := client.ErrStopped.Error()
	for _, c := range []struct {
		what string
		do   func(h *roomtest.ByHand)
		want error
		text string
	}{
		{"a closed connection", func(h *roomtest.ByHand) { h.End.Close(h.Now, h.Peer, over) }, client.ErrClosed, "connection closed: " + over},
		{"a connection closed without a reason", func(h *roomtest.ByHand) { h.End.Close(h.Now, h.Peer, "") }, client.ErrClosed, "connection closed"},
		{"the end of the room", func(h *roomtest.ByHand) {
			h.Say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndOver, Reason: "good night"}))
		}, client.ErrStopped, over + ": good night"},
		{"the end of the room without a reason", func(h *roomtest.ByHand) { h.Say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndOver})) }, client.ErrStopped, over},
		{"a failure", func(h *roomtest.ByHand) {
			h.Say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndFailed, Reason: "a desync"}))
		}, client.ErrClosed, "connection closed: the host has failed: a desync"},
		{"a restart", func(h *roomtest.ByHand) {
			h.Say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndRestarts, Reason: "tick_rate"}))
		}, room.ErrRestarting, "connection closed: the room has ended and may be back: tick_rate"},
		{"a kick", func(h *roomtest.ByHand) {
			h.Say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndKicked, Reason: "rude"}))
		}, client.ErrKicked, "kicked by the host: rude"},
		{"a kick without a reason", func(h *roomtest.ByHand) {
			h.Say(link.Control, wire.AppendEnd(nil, &wire.End{Cause: wire.EndKicked}))
		}, client.ErrKicked, "kicked by the host"},
	} {
		for _, in := range []bool{false, true} {
			h := roomtest.NewByHand()
			if in {
				h.LetIn(roomtest.FirstTick(t))
			}
			c.do(h)
			h.Run(20 * time.Millisecond)
			if err := h.Client.Err(); !errors.Is(err, c.want) || !strings.HasPrefix(err.Error(), c.text) || h.Client.Stage() != room.StageOver {
				t.Errorf("%s, in the room: %v: the client is %s: %v", c.what, in, h.Client.Stage(), err)
			}
		}
	}
}

// TestKickedClientsKnowIt: whatever the line, and however far the client has come, its error says that it was kicked and
// why, and nothing else. So programs do not return as the same player.
func TestKickedClientsKnowIt(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]memlink.Profile{"off": memlink.Off(), "average": memlink.Average(), "bad": memlink.Bad(), "awful": memlink.Awful()} {
		for seed := range uint64(8) {
			sim := simtest.New(t, roomtest.Options(seed+1, 2, line))
			joins := seed%2 == 0 // kicked as soon as it is a player
			sim.RunUntil(time.Minute, "both in", func() bool {
				return sim.Clients[0].Playing() && sim.Clients[1].Player() != 0 && (joins || sim.Clients[1].Playing())
			})
			c := sim.Clients[1]
			if err := sim.Host.Kick(c.Player(), "rude"); err != nil {
				t.Fatal(err)
			}
			sim.RunUntil(time.Minute, "the end", func() bool { return c.Err() != nil })
			err := c.Err()
			if !errors.Is(err, client.ErrKicked) || errors.Is(err, client.ErrClosed) || errors.Is(err, client.ErrRefused) || err.Error() != "kicked by the host: rude" {
				t.Errorf("%s, seed %d: %v", name, seed+1, err)
			}
		}
	}
}
