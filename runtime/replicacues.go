package runtime

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// Cues returns the part that sends the client cues.
func (f *replicaFeed) Cues() *replicate.CueSender { return &f.cues }

// RelayCue takes in a change of one cue. A cue that moves to the client's player fires, and a cue
// that moves away from the player is cancelled. sees reports whether the client gets the cues of an object.
func (f *replicaFeed) RelayCue(now time.Duration, player world.PlayerID, u *view.CueUpdate, sees func(world.ObjectID) bool) {
	gets := u.Change != view.CueCancelled && u.Cue.For(player) && f.needsCue(player, &u.Cue) && sees(u.Cue.Object)
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
func (f *replicaFeed) RelayLasting(now time.Duration, player world.PlayerID, cues []world.Cue, t world.Tick, sees func(world.ObjectID) bool) {
	f.lasting = slices.DeleteFunc(f.lasting, func(c world.Cue) bool { return c.Over(t) })
	for i := range cues {
		c := &cues[i]
		if f.findLasting(c.CueKey) < 0 && c.For(player) && (f.needsCue(player, c) || c.Tick <= f.keyframe) && sees(c.Object) {
			f.fireCue(now, player, c)
		}
	}
}

// needsCue reports whether the client does not find a cue by itself.
func (f *replicaFeed) needsCue(player world.PlayerID, c *world.Cue) bool {
	return f.spectates || !c.FoundBy(player)
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

// Sees reports whether the client gets the cues of an object: if the object is relevant to its
// player, or has no body.
func (f *replicaFeed) Sees(filter *replicate.Filter, room world.Reader, player world.PlayerID, id world.ObjectID) bool {
	if filter.All() {
		return true
	}
	if relevant, known := f.relevant.Has(id); known {
		return relevant
	}
	s := room.State()
	slot, ok := s.Find(id)
	return ok && (s.Body(slot).Key == 0 || f.relevant.Judge(filter, room, player, slot))
}
