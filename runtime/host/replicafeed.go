package host

import (
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/world"
)

// replicaFeed sends one client snapshots of the objects that it does not simulate.
type replicaFeed struct {
	sender     *replicate.Sender    // nil for a client that simulates all objects
	spectates  bool                 // the client is a spectator, and gets cue updates
	relevant   replicate.Set        // the relevancy set
	viewBounds replicate.ViewBounds // the view times that the client may send
	check      bool                 // check mode
	cues       replicate.CueSender
	lasting    []world.Cue // those with a duration that the client was sent, until they are over
	keyframe   world.Tick  // of the state that the client began with
}

// Spectates reports whether the client is a spectator.
func (f *replicaFeed) Spectates() bool { return f.spectates }

// Begin notes the keyframe that the client begins with, and whether it is a spectator.
func (f *replicaFeed) Begin(keyframe world.Tick, spectates bool) {
	f.keyframe, f.spectates = keyframe, spectates
}

// Restart makes s, the keyframe of a spectator, the baseline of the snapshots that the client is
// sent. It returns the number of s as a snapshot.
func (f *replicaFeed) Restart(schema *world.Schema, s *world.State) uint32 {
	if f.sender == nil {
		f.sender = replicate.NewSender(schema, s.Bundle, f.check)
	}
	return f.sender.Restart(schema, s)
}

// Acknowledge notes the newest snapshot and the newest row that the client has, and which
// datagrams of cues.
func (f *replicaFeed) Acknowledge(seq, row uint32, cues wire.Ack) {
	f.cues.Acknowledge(cues)
	if f.sender != nil {
		f.viewBounds.Acknowledge(f.sender.Acknowledge(seq, row))
	}
}

// Sender returns the snapshot sender of a client that is playing; nil: the client simulates all
// objects.
func (f *replicaFeed) Sender(schema *world.Schema, bundle uint32, playing bool) *replicate.Sender {
	partial := schema.PartiallyReplicated()
	switch {
	case f.spectates || !playing:
	case partial && f.sender == nil:
		f.sender = replicate.NewSender(schema, bundle, f.check)
	case !partial:
		return nil
	}
	return f.sender
}

// Select returns the candidates that are relevant to the client's player.
func (f *replicaFeed) Select(filter *replicate.Filter, room world.Reader, player world.PlayerID, candidates *replicate.Candidates) []int32 {
	slots := candidates.Unsimulated()
	if f.spectates {
		slots = candidates.Spectated()
	}
	return f.relevant.Select(filter, room, player, slots)
}

// AllowView reports whether the view time of an input for tick t is within the view bounds, and at
// most limit ticks before t.
func (f *replicaFeed) AllowView(t world.Tick, seen world.ViewTime, limit world.Tick) bool {
	if f.sender == nil || !seen.Check() || seen.All && !f.spectates || !f.viewBounds.Allows(t, seen, limit) {
		return false
	}
	f.viewBounds.Use(t, seen)
	return true
}
