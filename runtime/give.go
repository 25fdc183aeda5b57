package runtime

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// In a room with classes that clients do not simulate, a host tells them of three
// things besides what concerns all: what the known part became otherwise than by
// itself (give), the hash of that part, and snapshots of the rest (snapshotsFor).

// give notes, of the tick that has become final, what clients compare and what
// they have to be given for it.
func (h *Host) give(s *world.State) {
	h.knownSum = h.finalSum
	if !h.tl.AnyPartial() {
		h.known.Stop()
		return
	}
	given := h.known.Commit(s)
	h.applied.Patch(h.final, given)
	h.stats.bytes.given += int64(len(given))
	if h.tl.Partial(s) {
		h.knownSum = h.known.State().Hash()
	}
}

// toldOf reports whether clients have an input for the tick of e already: what takes
// its place is for them, too, whatever they simulate by now. So no input that is told
// is ever replaced by one that is not.
func (h *Host) toldOf(e *world.Event) bool {
	if e.Kind != world.InputEvent {
		return false
	}
	_, relayed, ok := h.tl.InputAt(e.Object, e.Player, e.Tick)
	return ok && relayed
}

// concernsAll reports whether all clients need an event: all but the inputs of
// objects that they do not simulate, neither in the input's tick, which may be one before
// a switch, nor now, nor by a bundle that is announced.
func (h *Host) concernsAll(e *world.Event) bool {
	if e.Kind != world.InputEvent || !h.Schema().Mixed() {
		return true
	}
	s := h.State()
	slot, ok := s.Find(e.Object)
	if !ok {
		return true
	}
	from, name := s.Bundle, h.Schema().Classes[s.Objects[slot].Class].Name
	if at := h.tl.At(e.Tick); at != nil {
		from = at.Bundle
	}
	return slices.ContainsFunc(h.bundles[from-1:], func(a *announced) bool {
		schema := h.tl.Script(a.number).Schema()
		class, ok := schema.ClassByName(name)
		return ok && schema.Classes[class].LOD == world.Predict
	})
}

// knownOf is what all clients simulate of s, the state of the last final tick.
func (h *Host) knownOf(s *world.State) *world.State {
	if h.tl.Partial(s) {
		return h.known.State()
	}
	return s
}
