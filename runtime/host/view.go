package host

import (
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// View fills v with the host's present.
func (h *Host) View(v *room.View) {
	v.Begin(room.StageRunning, nil)
	v.Game, v.Confirmed, v.Alpha = h.inForce().bundle.Game, h.Committed(), 1
	v.Rewinds, v.Corrections = h.stats.Rewinds(), h.corrector.Jumps().Count
	v.Show(h.State(), h.Schema())
	for _, q := range h.roster.List() {
		v.AddPlayer(q.Player, q.Name, q.Ping)
	}
}

// EachInput calls f for each input that the host still has, by object, player and tick. relayed tells whether clients
// get it.
func (h *Host) EachInput(f func(e world.Event, relayed bool)) { h.match.Log().EachInput(f) }
