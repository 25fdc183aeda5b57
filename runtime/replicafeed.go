package runtime

import (
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/world"
)

// replicaFeed brings one client snapshots of the objects that it does not simulate.
type replicaFeed struct {
	sender     *replicate.Sender    // nil for a client that simulates all objects
	spectates  bool                 // the client simulates nothing, and gets cue updates
	relevant   replicate.Set        // of the objects that it does not simulate
	viewBounds replicate.ViewBounds // of what it may have shown
	check      bool                 // check mode
}

// Spectates reports whether the client simulates nothing.
func (f *replicaFeed) Spectates() bool { return f.spectates }

// Spectate sets whether the client simulates nothing.
func (f *replicaFeed) Spectate(on bool) { f.spectates = on }

// Restart makes s, the keyframe of a spectator, the baseline of the snapshots that the client is
// sent. It returns the number of s as a snapshot.
func (f *replicaFeed) Restart(schema *world.Schema, s *world.State) uint32 {
	if f.sender == nil {
		f.sender = replicate.NewSender(schema, s.Bundle, f.check)
	}
	return f.sender.Restart(schema, s)
}

// Acknowledge notes the newest snapshot that the client has.
func (f *replicaFeed) Acknowledge(seq uint32) {
	if f.sender != nil {
		f.viewBounds.Acknowledge(f.sender.Acknowledge(seq))
	}
}

// Sender returns what sends a client that is playing its snapshots; nil: it simulates all objects.
func (f *replicaFeed) Sender(schema *world.Schema, bundle uint32, playing bool) *replicate.Sender {
	mixed := schema.Mixed()
	switch {
	case f.spectates || !playing:
	case mixed && f.sender == nil:
		f.sender = replicate.NewSender(schema, bundle, f.check)
	case !mixed:
		return nil
	}
	return f.sender
}

// Select gives those of the candidates that are relevant to the client's player.
func (f *replicaFeed) Select(filter *replicate.Filter, room world.Reader, player world.PlayerID, candidates *replicate.Candidates) []int32 {
	slots := candidates.Unsimulated()
	if f.spectates {
		slots = candidates.Spectated()
	}
	return f.relevant.Select(filter, room, player, slots)
}

// Sees reports whether an object is replicated to the client: if not, the client does not get its
// cues. Objects without a body are visible to all.
func (f *replicaFeed) Sees(filter *replicate.Filter, present func() *world.State, id world.ObjectID) bool {
	if filter.All() {
		return true
	}
	if replicated, known := f.relevant.Has(id); known {
		return replicated
	}
	s := present()
	slot, ok := s.Find(id)
	return ok && s.Body(slot).Key == 0
}

// AllowView reports whether the player's screen can have shown the view time of an input for tick t,
// which may be at most limit ticks before it.
func (f *replicaFeed) AllowView(t world.Tick, seen world.ViewTime, limit world.Tick) bool {
	if f.sender == nil || !seen.Check() || seen.All && !f.spectates || !f.viewBounds.Allows(t, seen, limit) {
		return false
	}
	f.viewBounds.Use(t, seen)
	return true
}
