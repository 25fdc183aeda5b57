package view

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// CueQueue holds the cues that a spectator has received and whose tick is not shown yet.
// The zero value is empty.
type CueQueue struct {
	list []world.Cue // by tick
}

// Len returns the number of cues.
func (q *CueQueue) Len() int { return len(q.list) }

// Add adds a cue, after those of its tick.
func (q *CueQueue) Add(c world.Cue) {
	i, _ := slices.BinarySearchFunc(
		q.list,
		c.Tick+1,
		func(o world.Cue, t world.Tick) int { return cmp.Compare(o.Tick, t) },
	)
	q.list = slices.Insert(q.list, i, c)
}

// Drop removes a cue, as it was added: another one may have the same key meanwhile. It reports whether it was there.
func (q *CueQueue) Drop(was *world.Cue) bool {
	i := slices.IndexFunc(q.list, func(c world.Cue) bool { return c.CueKey == was.CueKey && c.Same(was) })
	if i >= 0 {
		q.list = slices.Delete(q.list, i, i+1)
	}
	return i >= 0
}

// Due removes and returns the cues of ticks up to a moment.
func (q *CueQueue) Due(moment float64) []world.Cue {
	n := 0
	for n < len(q.list) && float64(q.list[n].Tick) <= moment {
		n++
	}
	due := slices.Clone(q.list[:n])
	q.list = slices.Delete(q.list, 0, n)
	return due
}
