package runtime

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

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
	return slices.ContainsFunc(h.bundles.From(from), func(a *announced) bool {
		schema := h.tl.Script(a.Number).Schema()
		class, ok := schema.ClassByName(name)
		return ok && schema.Classes[class].LOD == world.Predict
	})
}
