package runtime

import (
	"errors"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/world"
)

// InterestCounts counts the calls of the hook of game.lua that decides which objects are
// relevant to a player.
type InterestCounts struct {
	Asked   int `json:"asked"`   // calls of relevant
	Failed  int `json:"failed"`  // calls that failed
	Skipped int `json:"skipped"` // calls left out, because a tick has room for so many
}

// interestCounts is nil in a game without that hook.
func (h *Host) interestCounts() *InterestCounts {
	n, ok := h.relevancy.Counts()
	if !ok {
		return nil
	}
	counts := InterestCounts(n)
	return &counts
}

// startSnapshots makes s, the keyframe of a spectator, the baseline of the snapshots that
// the client is sent. It returns the number of s as a snapshot.
func (h *Host) startSnapshots(p *peer, s *world.State) uint32 {
	schema := h.tl.SchemaOf(s)
	if p.snapshots == nil {
		p.snapshots = replicate.NewSender(schema, s.Bundle)
	}
	return p.snapshots.Restart(schema, s)
}

// snapshots sends the snapshots that are due.
func (h *Host) snapshots(now time.Duration) {
	s, listed := h.State(), false
	h.relevancy.NextTick()
	every := max(h.inForce().bundle.Ticks(time.Second/time.Duration(h.rules.Snapshots.Rate)), 1)
	for _, p := range h.peers {
		sender := h.snapshotsFor(p)
		if sender == nil || p.relay == nil || !sender.Due(s.Tick, every) {
			continue
		}
		if !listed {
			listed = true
			h.candidates.Update(s, h.Schema())
			h.relevancy.Configure(h.tl.Script(s.Bundle), &h.inForce().bundle.Rules.Snapshots)
		}
		slots := h.candidates.Unsimulated()
		if p.watches {
			slots = h.candidates.Bodies()
		}
		slots = p.relevant.Select(h.relevancy, h.tl.World(), p.player, slots)
		b := sender.Snapshot(s, h.Schema(), slots, p.player, h.rules.Snapshots.Bytes)
		h.stats.bytes.snapshots += int64(len(b))
		h.datagramTo(now, p, b)
	}
}

// snapshotsFor returns the sender of a client's snapshots, nil if it simulates all objects.
func (h *Host) snapshotsFor(p *peer) *replicate.Sender {
	mixed := h.Schema().Mixed()
	switch {
	case p.watches || p.stage != stagePlaying:
	case mixed && p.snapshots == nil:
		p.snapshots = replicate.NewSender(h.Schema(), h.State().Bundle)
	case !mixed:
		return nil
	}
	return p.snapshots
}

// relevancyFailed logs an error of the hook relevant, each text once.
func (h *Host) relevancyFailed(w *world.World, err error) {
	h.errors.once("relevant"+err.Error(), func() {
		text := err.Error()
		if se := (*world.ScriptError)(nil); errors.As(err, &se) {
			text = se.In(h.errors.folder)
		}
		h.log.Error(text, "tick", uint32(w.Now.Tick), "hook", "relevant")
	})
}

// openTo is s without what is hidden from a player.
func (h *Host) openTo(player world.PlayerID, s *world.State) *world.State {
	schema := h.tl.SchemaOf(s)
	if !slices.ContainsFunc(schema.Classes, func(c world.Class) bool { return c.Hidden }) {
		return s
	}
	var open world.State
	open.CopyFrom(s)
	open.DropHidden(schema, player)
	return &open
}

// checkSeen removes from an input a view time that the player's screen cannot have shown.
// The input then acts on the world of its own tick.
func (h *Host) checkSeen(p *peer, e *world.Event) {
	seen := e.Input.ViewTime
	if seen == (world.ViewTime{}) {
		return
	}
	limit := h.inForce().bundle.Ticks(h.rules.MaxSeen)
	if p.snapshots == nil || !h.Schema().HasSeen() || !seen.Check() || seen.All && !p.watches || !p.viewBounds.Allows(e.Tick, seen, limit) {
		e.Input.ViewTime = world.ViewTime{}
		h.stats.inputs.SeenRefused++
		return
	}
	p.viewBounds.Use(e.Tick, seen)
}
