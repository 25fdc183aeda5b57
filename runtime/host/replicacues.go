package host

import (
	"iter"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// RelayCue takes in a change of one cue. A cue that moves to the client's player fires, and a cue
// that moves away from the player is cancelled. sees reports whether a cue is of an object that is relevant to the client.
func (f *replicaFeed) RelayCue(now time.Duration, player world.PlayerID, u *view.CueUpdate, sees func(*world.Cue) bool) {
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

// RelayLasting sends the cues that last at tick t to a client that has joined since they fired, or to which their
// objects have become relevant. Those of the shared set that are older than the client's keyframe
// are among them, because the client does not simulate their ticks.
func (f *replicaFeed) RelayLasting(now time.Duration, player world.PlayerID, cues []world.Cue, t world.Tick, sees func(*world.Cue) bool) {
	f.lasting = slices.DeleteFunc(f.lasting, func(c world.Cue) bool { return c.Over(t) })
	for i := range cues {
		c := &cues[i]
		if f.findLasting(c.CueKey) < 0 && c.For(player) && (f.needsCue(player, c) || c.Tick <= f.keyframe) && sees(c) {
			f.fireCue(now, player, c)
		}
	}
}

// needsCue reports whether the client does not find a cue by itself, or may not: it runs the hooks of a
// replicated object of its player only after the first snapshot that says whose the object is. Until the client
// has acknowledged one, it may get a cue twice, which it shows once.
func (f *replicaFeed) needsCue(player world.PlayerID, c *world.Cue) bool {
	return f.spectates || !c.FoundBy(player) || c.Source.Replicated && (f.sender == nil || !f.sender.Owned(c.Object, player, c.Tick))
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
func (f *replicaFeed) Sees(filter *replicate.Filter, rooms iter.Seq[replicate.Room], player world.PlayerID, c *world.Cue) bool {
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
