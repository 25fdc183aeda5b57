package client

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// View fills v with the present as this client predicts it, at the time of the last Poll or
// Update. Poses are between two ticks, and the errors of predictions decay instead of
// making objects jump.
func (c *Client) View(v *room.View) {
	v.Begin(c.Stage(), c.end.library.shower(c.Now()))
	defer v.End()
	v.Player, v.Onlooker = c.Player(), c.end.session.Onlooker()
	if err := c.Err(); err != nil {
		v.Status = err.Error()
	}
	v.RTT = c.end.clock.smoothedRTT().Seconds() * 1000
	if c.role.status().world == nil {
		return
	}
	v.Lead = c.end.clock.leadTicks()
	v.Confirmed = c.Confirmed()
	if b := c.Bundle(); b != nil {
		v.Game = b.Game
	}
	c.role.view(v, &c.end.replica, c.end.clock.frame(c.now, c.Now()), c.names)
	v.Ask(c.Schema())
}

// presentPlayers lists the players who are present, by number.
func presentPlayers(v *room.View, names map[world.PlayerID]wire.RosterEntry) {
	// order: sorted below
	for id, q := range names {
		v.AddPlayer(id, q.Name, q.Ping)
	}
	slices.SortFunc(v.Players, func(a, b room.ViewPlayer) int { return cmp.Compare(a.ID, b.ID) })
}

// EachInput calls f for each input that the host has relayed, of the complete ticks that the client keeps, by object,
// player and tick. Clients that do not simulate have none.
func (c *Client) EachInput(f func(e world.Event)) {
	if c.end.session.Playing() {
		c.role.inputs(f)
	}
}
