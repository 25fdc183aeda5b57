package runtime

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// hostMoves knows for which inputs a host went back last, by the players'
// objects that came out otherwise.
type hostMoves struct {
	on   bool
	list []Move // by object
	seen []int32
}

// startMoved has rewinds note how objects came to differ, if anybody wants to know.
func (h *Host) startMoved() {
	h.moved.on = h.cfg.Moved != nil || h.log.Enabled(context.Background(), slog.LevelDebug)
}

// noteMoved notes, after a rewind, which of the players' objects it moved, and why.
func (h *Host) noteMoved() {
	v, s := &h.moved, h.State()
	if !v.on {
		return
	}
	v.seen = h.tl.Differing(v.seen[:0])
	for _, slot := range v.seen {
		o := &s.Objects[slot]
		if o.ID == 0 || o.Owner == 0 {
			continue
		}
		m := Move{Kind: Rewinding, Object: o.ID, Class: h.Schema().Classes[o.Class].Name, Provenance: h.tl.Explain(int(slot))}
		v.put(m)
		if h.cfg.Moved != nil {
			h.cfg.Moved(m)
		}
		h.log.Debug("a rewind moved a player's object", "tick", uint32(m.Tick), "object", m.Object.String(), "player", o.Owner, "why", m.String())
	}
}

func (v *hostMoves) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(v.list, id, func(m Move, id world.ObjectID) int { return cmp.Compare(m.Object, id) })
}

func (v *hostMoves) put(m Move) {
	i, ok := v.find(m.Object)
	if !ok {
		v.list = slices.Insert(v.list, i, Move{})
	}
	v.list[i] = m
}

// forget drops what happened before a tick.
func (v *hostMoves) forget(before world.Tick) {
	v.list = slices.DeleteFunc(v.list, func(m Move) bool { return m.Tick < before })
}

// rewoundFor is for whose input a rewind moved an object in tick t or before it.
func (h *Host) rewoundFor(id world.ObjectID, t world.Tick) wire.RewindCause {
	i, ok := h.moved.find(id)
	if !ok || h.moved.list[i].Cause != timeline.CauseInput || h.moved.list[i].Tick > t {
		return wire.RewindCause{}
	}
	m := &h.moved.list[i]
	return wire.RewindCause{Player: m.Player, Tick: m.InputTick, Late: uint32(m.LateBy)}
}
