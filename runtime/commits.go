package runtime

import (
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// commits is up to where a room's history cannot change any more, and what clients compare of it.
type commits struct {
	tick       world.Tick // the last tick that cannot change any more
	hash       uint64     // of its state
	shared     *timeline.SharedRun
	sharedHash uint64 // of what all clients simulate of it
	check      bool   // assert what committing relies on
}

func newCommits(tl *timeline.Timeline, check bool) commits {
	c := commits{shared: timeline.NewSharedRun(tl), check: check}
	c.shared.Begin(tl.At(0))
	return c
}

// Tick is the last committed tick.
func (c *commits) Tick() world.Tick { return c.tick }

// Hash is the hash of its state.
func (c *commits) Hash() uint64 { return c.hash }

// SharedHash is the hash of the shared set in it: what clients compare.
func (c *commits) SharedHash() uint64 { return c.sharedHash }

// Next commits the tick after the last one. patch is what clients are told of the shared set,
// where it is not all and became otherwise than by itself.
func (c *commits) Next(tl *timeline.Timeline) (patch []byte) {
	c.tick++
	s := tl.At(c.tick)
	if c.check {
		assert(s != nil && s.Tick == c.tick, "tick %d is committed and not kept", c.tick)
		assert(tl.Dirty() == 0 || tl.Dirty() > c.tick, "tick %d is committed and still to be run again, from tick %d on", c.tick, tl.Dirty())
	}
	c.hash = s.Hash()
	c.sharedHash = c.hash
	if !tl.AnyPartial() {
		c.shared.Stop()
		return nil
	}
	patch = c.shared.Commit(s)
	if tl.Partial(s) {
		c.sharedHash = c.shared.State().Hash()
	}
	return patch
}

// Shared is what all clients simulate of s, the state of the last committed tick.
func (c *commits) Shared(tl *timeline.Timeline, s *world.State) *world.State {
	if tl.Partial(s) {
		return c.shared.State()
	}
	return s
}
