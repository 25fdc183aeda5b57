package host

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// rewindings keeps, for each object of a player that a rewind moved, the cause of the last such
// rewind.
type rewindings struct {
	on   bool
	list []room.Displacement // by object
	seen []int32
}

// Start begins to note displacements, if they are reported or logged.
func (v *rewindings) Start(reported bool, log *slog.Logger) (on bool) {
	v.on = reported || log.Enabled(context.Background(), slog.LevelDebug)
	return v.on
}

// Note notes and reports, after a rewind, which objects of players it moved, and why.
func (v *rewindings) Note(
	causes *timeline.Causes,
	s *world.State,
	schema *world.Schema,
	tell func(owner world.PlayerID, m room.Displacement),
) {
	if !v.on {
		return
	}
	v.seen = causes.Differing(v.seen[:0])
	for _, slot := range v.seen {
		o := &s.Objects[slot]
		if o.ID == 0 || o.Owner == 0 {
			continue
		}
		m := room.Displacement{
			Kind:       room.Rewinding,
			Object:     o.ID,
			Class:      schema.Classes[o.Class].Name,
			Provenance: causes.Explain(int(slot)),
		}
		v.put(m)
		tell(o.Owner, m)
	}
}

func (v *rewindings) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(
		v.list,
		id,
		func(m room.Displacement, id world.ObjectID) int { return cmp.Compare(m.Object, id) },
	)
}

func (v *rewindings) put(m room.Displacement) {
	i, ok := v.find(m.Object)
	if !ok {
		v.list = slices.Insert(v.list, i, room.Displacement{})
	}
	v.list[i] = m
}

// Forget drops the rewinds before a tick.
func (v *rewindings) Forget(before world.Tick) {
	v.list = slices.DeleteFunc(v.list, func(m room.Displacement) bool { return m.Provenance.Tick < before })
}

// For returns the input for which a rewind last moved an object in tick t or before it.
func (v *rewindings) For(id world.ObjectID, t world.Tick) wire.RewindCause {
	i, ok := v.find(id)
	if !ok || v.list[i].Provenance.Cause != timeline.CauseInput || v.list[i].Provenance.Tick > t {
		return wire.RewindCause{}
	}
	m := &v.list[i]
	return wire.RewindCause{
		Player: m.Provenance.Player,
		Tick:   m.Provenance.InputTick,
		Late:   uint32(m.Provenance.LateBy),
	}
}
