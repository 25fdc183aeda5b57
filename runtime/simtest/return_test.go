package simtest_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// owned returns the objects of a player.
func owned(s *world.State, p world.PlayerID) (ids []world.ObjectID) {
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == p && s.Body(int(slot)).Key != 0 {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// inGrace returns a match of two players on an average line, with a grace time in ticks.
func inGrace(t *testing.T, grace world.Tick) *simtest.Sim {
	b := *arena(t)
	b.Setup.GraceTicks = grace
	sim := simtest.New(t, simtest.Options{Seed: 41, Clients: 2, Profile: memlink.Average(), Bundle: &b, Compile: compile, Controls: chasers(t)})
	sim.Run(4 * time.Second)
	return sim
}

// plays checks that client i plays as this player and steers these objects, and that
// all sides agree.
func plays(t *testing.T, sim *simtest.Sim, i int, player world.PlayerID, ships []world.ObjectID) {
	t.Helper()
	sim.Run(4 * time.Second)
	c := sim.Clients[i]
	if c.Player() != player || !c.Playing() {
		t.Fatalf("player %d, %s (%v); want player %d at play", c.Player(), c.Status(), c.Err(), player)
	}
	now := owned(sim.Host.State(), player)
	if len(ships) == 0 || len(now) != len(ships) || now[0] != ships[0] {
		t.Errorf("the player's objects were %v and are %v", ships, now)
	}
	pl, ok := sim.Host.State().PlayerByID(player)
	if !ok || pl.Left != 0 {
		t.Errorf("the room has the player as %+v", pl)
	}
	before := sim.Host.Report(sim.Now).Inputs
	sim.Run(2 * time.Second)
	after := sim.Host.Report(sim.Now).Inputs
	if n := after.OnTime + after.EarlyHeld + after.LateRewound - before.OnTime - before.EarlyHeld - before.LateRewound; n < 200 {
		t.Errorf("%d inputs of two players were applied in 2 s", n)
	}
	if after.Refused != before.Refused {
		t.Errorf("%d inputs were refused", after.Refused-before.Refused)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// TestPlayerReturnsAfterACutOfTenSeconds tests that a player gets the same objects back
// after both sides have closed the connection, several times.
func TestPlayerReturnsAfterACutOfTenSeconds(t *testing.T) {
	t.Parallel()
	sim := inGrace(t, 1800)
	player := sim.Clients[0].Player()
	ships := owned(sim.Host.State(), player)
	sim.Net.Cut(0, true)
	sim.RunUntil(12*time.Second, "the client gives the line up", func() bool { return sim.Clients[0].Err() != nil })
	if err := sim.Clients[0].Err(); !errors.Is(err, client.ErrClosed) {
		t.Errorf("over: %v", err)
	}
	sim.RunUntil(2*time.Second, "the host gives the line up", func() bool { return sim.Host.Players() == 1 })
	sim.Run(time.Second)
	if pl, ok := sim.Host.State().PlayerByID(player); !ok || pl.Left == 0 {
		t.Fatalf("during the grace time, the room has the player as %+v, %v", pl, ok)
	}
	sim.Return(0)
	plays(t, sim, 0, player, ships)
}

// TestNewConnectionReplacesTheOldOne tests that a program that was killed and starts
// again, or whose address changed, does not have to wait until the host closes the old
// connection. It needs no grace time: the player never left the world.
func TestNewConnectionReplacesTheOldOne(t *testing.T) {
	t.Parallel()
	sim := inGrace(t, 0)
	old := sim.Clients[0]
	player := old.Player()
	ships := owned(sim.Host.State(), player)
	for range 3 {
		sim.Return(0)
		sim.Run(time.Second)
	}
	for end := sim.Now + time.Second; sim.Now < end; { // the first client still runs, and receives the reason for the end
		old.Poll(sim.Now + 777*time.Millisecond)
		sim.Run(simtest.PollEvery)
	}
	if err := old.Err(); !errors.Is(err, client.ErrRefused) {
		t.Errorf("the first connection ended with %v", err)
	}
	if n := sim.Host.Players(); n != 2 {
		t.Errorf("%d players", n)
	}
	plays(t, sim, 0, player, ships)
}

// TestLeaveAndReturnBetweenTwoTicks tests a player who leaves and returns between two
// ticks.
func TestLeaveAndReturnBetweenTwoTicks(t *testing.T) {
	t.Parallel()
	sim := inGrace(t, 1800)
	player := sim.Clients[1].Player()
	ships := owned(sim.Host.State(), player)
	for range 4 {
		sim.Leave(1)
		sim.Return(1)
		sim.Run(600 * time.Millisecond)
	}
	plays(t, sim, 1, player, ships)
}

// TestAfterTheGraceTimeThePlayerIsNew tests that the objects of a player are removed
// after the grace time, and that onJoin runs when the player returns.
func TestAfterTheGraceTimeThePlayerIsNew(t *testing.T) {
	t.Parallel()
	sim := inGrace(t, 60)
	player := sim.Clients[0].Player()
	ships := owned(sim.Host.State(), player)
	sim.Leave(0)
	sim.Run(3 * time.Second)
	if left := owned(sim.Host.State(), player); len(left) != 0 {
		t.Fatalf("after the grace time the player has %v", left)
	}
	sim.Return(0)
	sim.Run(3 * time.Second)
	c := sim.Clients[0]
	if now := owned(sim.Host.State(), c.Player()); !c.Playing() || c.Player() == 0 || len(now) == 0 || now[0] == ships[0] {
		t.Errorf("player %d, %s, has %v; had %v", c.Player(), c.Status(), now, ships)
	}
	sim.Drain()
	sim.AgreeOnHashes()
}

// TestForgedTicketJoinsAsANewPlayer tests that a client with a ticket that differs in
// a bit, or without one, joins as a new player, while the real player is present and
// during the grace time.
func TestForgedTicketJoinsAsANewPlayer(t *testing.T) {
	t.Parallel()
	sim := inGrace(t, 1800)
	victim := sim.Clients[0].Player()
	ships := owned(sim.Host.State(), victim)
	if sim.Clients[0].Ticket() == sim.Clients[1].Ticket() || sim.Clients[0].Ticket() == (room.Ticket{}) {
		t.Fatalf("tickets %x and %x", sim.Clients[0].Ticket(), sim.Clients[1].Ticket())
	}
	try := func(forged room.Ticket) {
		t.Helper()
		end := sim.Net.Dial(memlink.LAN(), memlink.LAN())
		var got wire.Welcome
		for until := sim.Now + time.Second; sim.Now < until; sim.Run(simtest.PollEvery) {
			end.Poll(sim.Now, func(ev link.Event) {
				switch {
				case ev.Kind == link.Opened:
					hello := wire.Hello{Version: wire.Version, Name: "thief", Ticket: forged}
					_ = end.SendMessage(sim.Now, ev.Peer, link.Control, wire.AppendHello(nil, &hello))
				case ev.Kind == link.Message && wire.KindOf(ev.Data) == wire.KindWelcome:
					got, _ = wire.ParseWelcome(ev.Data)
				}
			})
		}
		if got.Player == 0 || got.Player == victim || got.Ticket == sim.Clients[0].Ticket() {
			t.Errorf("ticket %x joins as player %d, ticket %x", forged, got.Player, got.Ticket)
		}
		end.Close(sim.Now, 1, "left")
	}
	for _, bit := range []int{1, 77, 127} { // one of the number, which may be 0, and two of the secret
		forged := sim.Clients[0].Ticket()
		forged[bit/8] ^= 1 << (bit % 8)
		try(forged)
	}
	try(room.Ticket{})
	if err := sim.Clients[0].Err(); err != nil {
		t.Errorf("the victim is over: %v", err)
	}
	forged := sim.Clients[0].Ticket()
	forged[15] ^= 1
	sim.Leave(0)
	sim.Run(time.Second)
	try(forged)
	sim.Return(0)
	plays(t, sim, 0, victim, ships)
}

// TestHostWithoutRandomIssuesNoTickets tests that players cannot return to a host
// without host.Config.Random, and that the zero ticket does not admit them.
func TestHostWithoutRandomIssuesNoTickets(t *testing.T) {
	t.Parallel()
	sim := simtest.New(t, simtest.Options{Seed: 42, Clients: 2, Bundle: arena(t), Compile: compile,
		Host: func(c *host.Config) { c.Random = nil }})
	sim.Run(2 * time.Second)
	if a, b := sim.Clients[0], sim.Clients[1]; a.Player() == b.Player() || a.Ticket() != (room.Ticket{}) || a.Err() != nil {
		t.Errorf("players %d and %d, ticket %x, %v", a.Player(), b.Player(), a.Ticket(), a.Err())
	}
	sim.Drain()
	sim.AgreeOnHashes()
}
