package replicate

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// Candidates lists the objects of a state that snapshots may hold, by slot and in the
// order of ids.
type Candidates struct {
	spectated   []int32
	unsimulated []int32
}

// Update lists the objects of s.
func (c *Candidates) Update(s *world.State, schema *world.Schema) {
	c.spectated = spectated(s, schema, c.spectated)
	c.unsimulated = c.unsimulated[:0]
	if !schema.PartiallyReplicated() {
		return
	}
	for _, slot := range s.Run {
		if !s.Shared(schema, int(slot)) {
			c.unsimulated = append(c.unsimulated, slot)
		}
	}
	sortByID(s, c.unsimulated)
}

// Spectated returns all objects with a body, and those that hold the states of the match and of
// players if they have declared fields or there are several levels, for a spectator. The slice is valid until the
// next Update.
func (c *Candidates) Spectated() []int32 { return c.spectated }

// Unsimulated returns the objects that not every client simulates, for a client that
// simulates the others. The slice is valid until the next Update.
func (c *Candidates) Unsimulated() []int32 { return c.unsimulated }

// spectated lists the objects that are sent to a spectator, by id. It reuses the memory
// of slots.
func spectated(s *world.State, schema *world.Schema, slots []int32) []int32 {
	slots = slots[:0]
	for _, slot := range s.Run {
		class := &schema.Classes[s.Objects[slot].Class]
		if s.Body(int(slot)).Key != 0 ||
			world.HoldsState(class.Name) && (len(class.Declared()) > 0 || len(schema.Setup.Levels) > 0) {
			slots = append(slots, slot)
		}
	}
	sortByID(s, slots)
	return slots
}

func sortByID(s *world.State, slots []int32) {
	slices.SortFunc(slots, func(a, b int32) int { return cmp.Compare(s.Objects[a].ID, s.Objects[b].ID) })
}

// fill makes a snapshot from objects in the order of ids, as a client that owns none of them gets it.
func fill(to *wire.Snapshot, layout *wire.SnapshotLayout, s *world.State, slots []int32, seq uint32) {
	to.Reset(seq, s.Bundle, s.Tick)
	for _, slot := range slots {
		layout.AddObject(to, s, int(slot), 0)
	}
}
