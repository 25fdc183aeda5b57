package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// corrections are states that the host sent for ticks in which this client's guess was wrong.
type corrections struct{ list []*world.State }

func (c *corrections) start() { c.list = nil }

func (c *corrections) add(s *world.State) { c.list = append(c.list, s) }

// apply applies those of the tick that ended.
func (c *corrections) apply(w *world.World) {
	for _, s := range c.list {
		if s.Tick == w.Now.Tick {
			w.ApplyCorrection(s)
		}
	}
}

// drop removes those up to tick t, and calls f with the tick of each.
func (c *corrections) drop(t world.Tick, f func(t world.Tick)) {
	c.list = slices.DeleteFunc(c.list, func(s *world.State) bool {
		if s.Tick <= t {
			f(s.Tick)
		}
		return s.Tick <= t
	})
}
