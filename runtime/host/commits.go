package host

import (
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// commits is the committed tick of a room, and the hashes that clients compare.
type commits struct {
	tick       world.Tick // the last committed tick
	hash       uint64     // of its state
	shared     *timeline.SharedRun
	sharedHash uint64 // of the shared set in it
	check      bool   // assert the invariants of committing
}

func newCommits(tl *timeline.Timeline, check bool) commits {
	c := commits{shared: timeline.NewSharedRun(tl), check: check}
	c.shared.Begin(tl.At(0))
	return c
}

// Tick returns the last committed tick.
func (c *commits) Tick() world.Tick { return c.tick }

// Hash returns the hash of its state.
func (c *commits) Hash() uint64 { return c.hash }

// SharedHash returns the hash of the shared set in it: what clients compare.
func (c *commits) SharedHash() uint64 { return c.sharedHash }

// Next commits the next tick. patch is the patch of the shared set; it is empty if the shared run
// agrees with the state, or if clients simulate everything.
func (c *commits) Next(tl *timeline.Timeline) (patch []byte) {
	c.tick++
	s := tl.At(c.tick)
	if c.check {
		side.Assert(s != nil && s.Tick == c.tick, "tick %d is committed and not kept", c.tick)
		side.Assert(tl.Dirty() == 0 || tl.Dirty() > c.tick, "tick %d is committed and still to be run again, from tick %d on", c.tick, tl.Dirty())
	}
	c.hash = s.Hash()
	c.sharedHash = c.hash
	if !tl.Scripts().AnyPartial() {
		c.shared.Stop()
		return nil
	}
	patch = c.shared.Commit(s)
	if tl.Scripts().Partial(s) {
		c.sharedHash = c.shared.State().Hash()
	}
	return patch
}

// Shared returns the shared set of s, the state of the last committed tick.
func (c *commits) Shared(scripts *timeline.Scripts, s *world.State) *world.State {
	if scripts.Partial(s) {
		return c.shared.State()
	}
	return s
}
