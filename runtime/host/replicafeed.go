package host

import (
	"iter"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// replicaFeed sends one client snapshots of the objects that it does not simulate.
type replicaFeed struct {
	desk       *replicate.Workspace // of all clients
	sender     *replicate.Sender    // nil for a client that simulates all objects
	spectates  bool                 // the client is a spectator, and gets cue updates
	relevant   replicate.Set        // the relevancy set
	viewBounds replicate.ViewBounds // the view times that the client may send
	check      bool                 // check mode
	owned      replicate.Owned      // what the client has of its player's
	cues       replicate.CueSender
	lasting    []world.Cue // those with a duration that the client was sent, until they are over
	keyframe   world.Tick  // of the state that the client began with
}

// Spectates reports whether the client is a spectator.
func (f *replicaFeed) Spectates() bool { return f.spectates }

// Begin notes the keyframe that the client begins with, and whether it is a spectator.
func (f *replicaFeed) Begin(keyframe world.Tick, spectates bool) {
	f.keyframe, f.spectates = keyframe, spectates
	f.owned.Clear()
}

// Restart makes the keyframe of a spectator the baseline of the snapshots that the client is
// sent. Its number as a snapshot is NextNumber.
func (f *replicaFeed) Restart(schema *world.Schema, base *wire.Snapshot) {
	if f.sender == nil {
		f.sender = replicate.NewSender(f.desk, schema, base.Bundle, f.check)
	}
	f.sender.Restart(schema, base)
}

// NextNumber returns the number of the next snapshot, or of the keyframe of the next Restart.
func (f *replicaFeed) NextNumber() uint32 {
	if f.sender == nil {
		return 1
	}
	return f.sender.NextNumber()
}

// Acknowledge notes the newest snapshot and the newest row that the client of a player has, and which
// datagrams of cues.
func (f *replicaFeed) Acknowledge(player world.PlayerID, seq, row uint32, cues wire.Ack) {
	f.cues.Acknowledge(cues)
	if f.sender == nil {
		return
	}
	at := f.sender.Acknowledge(seq, row)
	if f.viewBounds.Acknowledge(at); at != 0 {
		f.owned.Acknowledged(f.sender, player)
	}
}

// Framed notes that the client has made a frame of an object of its player, which runs after tick t. So it has the
// object.
func (f *replicaFeed) Framed(id world.ObjectID, t world.Tick) { f.owned.Note(id, t) }

// Switched notes that s was the last state before a bundle switch. The client goes on with the objects of its player
// that it has simulated up to then.
func (f *replicaFeed) Switched(s *world.State, schema *world.Schema, player world.PlayerID) {
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner == player && s.Shared(schema, int(slot)) {
			f.owned.Note(o.ID, s.Tick)
		}
	}
}

// Forget drops what is noted of objects that the room s lacks.
func (f *replicaFeed) Forget(s *world.State) { f.owned.Forget(s) }

// Sender returns the snapshot sender of a client that is playing; nil: the client simulates all
// objects.
func (f *replicaFeed) Sender(schema *world.Schema, bundle uint32, playing bool) *replicate.Sender {
	partial := schema.PartiallyReplicated()
	switch {
	case f.spectates || !playing:
	case partial && f.sender == nil:
		f.sender = replicate.NewSender(f.desk, schema, bundle, f.check)
	case !partial:
		return nil
	}
	return f.sender
}

// Select returns the candidates that are relevant to the client's player.
func (f *replicaFeed) Select(
	filter *replicate.Filter,
	room world.Reader,
	player world.PlayerID,
	candidates *replicate.Candidates,
) []int32 {
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

// RelayCue takes in a change of one cue. A cue that moves to the client's player fires, and a cue
// that moves away from the player is cancelled. sees reports whether a cue is of an object that is relevant to the
// client.
func (f *replicaFeed) RelayCue(
	now time.Duration,
	player world.PlayerID,
	u *view.CueUpdate,
	sees func(*world.Cue) bool,
) {
	gets := u.Change != view.CueCancelled && u.Cue.For(player) && f.needsCue(player, &u.Cue) && sees(&u.Cue)
	switch {
	case u.Change == view.CueCancelled:
		f.cues.Cancel(now, u.Cue.CueKey)
	case u.Change == view.CueMoved && !gets:
		f.cues.Cancel(now, u.Was.CueKey)
	case u.Change == view.CueMoved && f.moveCue(now, u.Was.CueKey, u.Cue):
	case gets:
		f.fireCue(now, player, &u.Cue)
	}
}

// ConfirmCue takes in a cue of a committed tick. If the client may have guessed it, the client hears that it happened.
func (f *replicaFeed) ConfirmCue(now time.Duration, player world.PlayerID, c *world.Cue) {
	if !f.spectates && c.GuessedBy(player) && c.For(player) {
		f.cues.Confirm(now, *c)
	}
}

// RelayLasting sends the cues that last at tick t to a client that has joined since they fired, or to which their
// objects have become relevant. Those of the shared set that are older than the client's keyframe
// are among them, because the client does not simulate their ticks.
func (f *replicaFeed) RelayLasting(
	now time.Duration,
	player world.PlayerID,
	cues []world.Cue,
	t world.Tick,
	sees func(*world.Cue) bool,
) {
	f.lasting = slices.DeleteFunc(f.lasting, func(c world.Cue) bool { return c.Over(t) })
	for i := range cues {
		c := &cues[i]
		if f.findLasting(c.CueKey) < 0 && c.For(player) && (f.needsCue(player, c) || c.Tick <= f.keyframe) && sees(c) {
			f.fireCue(now, player, c)
		}
	}
}

// needsCue reports whether the client does not find a cue by itself, or may not: it runs the hooks of a
// replicated object of its player only after the first snapshot that says whose the object is. Until the host knows
// that the client has it, the client may get a cue twice, which it shows once if both are of one tick.
func (f *replicaFeed) needsCue(player world.PlayerID, c *world.Cue) bool {
	return f.spectates || !c.FoundBy(player) ||
		c.Source.Replicated && !f.owned.Before(c.Object, c.Tick)
}

// fireCue sends a cue.
func (f *replicaFeed) fireCue(now time.Duration, player world.PlayerID, c *world.Cue) {
	later := f.spectates || c.Source.Interpolated && c.Owner != player
	f.cues.Fire(now, *c, later, !f.needsCue(player, c))
	if c.Lasts > 0 {
		f.lasting = append(f.lasting, *c)
	}
}

// moveCue changes a cue, and reports whether it was sent.
func (f *replicaFeed) moveCue(now time.Duration, was world.CueKey, c world.Cue) bool {
	if i := f.findLasting(was); i >= 0 {
		f.lasting[i] = c
	}
	return f.cues.Move(now, was, c)
}

func (f *replicaFeed) findLasting(key world.CueKey) int {
	return slices.IndexFunc(f.lasting, func(c world.Cue) bool { return c.CueKey == key })
}

// Sees reports whether a cue's object is relevant to the player, or has no body. If no snapshot has decided about
// the object, it is judged in the first of the rooms that has it.
func (f *replicaFeed) Sees(
	filter *replicate.Filter,
	rooms iter.Seq[replicate.Room],
	player world.PlayerID,
	c *world.Cue,
) bool {
	if filter.All() || c.Owner == player {
		return true
	}
	if relevant, known := f.relevant.Has(c.Object); known {
		return relevant
	}
	for room := range rooms {
		if slot, ok := room.State.Find(c.Object); ok {
			return room.State.Body(slot).Key == 0 || f.relevant.Sees(filter, room, player, slot)
		}
	}
	return false
}
