package runtime

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// isRelayed reports whether the input that e would replace was relayed. Then e is relayed
// too, whatever clients simulate now: an unrelayed input never replaces a relayed one.
func (h *Host) isRelayed(e *world.Event) bool {
	if e.Kind != world.InputEvent {
		return false
	}
	_, relayed, ok := h.tl.Log().InputAt(e.Object, e.Player, e.Tick)
	return ok && relayed
}

// concernsAll reports whether all clients need an event. They need every event except inputs
// of objects that they do not simulate, and host events about such objects. An object counts
// as not simulated only if clients do not simulate it in the event's tick, which may precede
// a bundle switch, nor now, nor under an announced bundle.
func (h *Host) concernsAll(e *world.Event) bool {
	name := h.concerned(e)
	if name == "" || !h.Schema().Mixed() {
		return true
	}
	from := h.State().Bundle
	if at := h.tl.At(e.Tick); at != nil {
		from = at.Bundle
	}
	return slices.ContainsFunc(h.bundles.From(from), func(a *announced) bool {
		schema := h.tl.Scripts().Of(a.Number).Schema()
		class, ok := schema.ClassByName(name)
		return ok && schema.Classes[class].LOD == world.Predict
	})
}

// concerned returns the class of the object that an event is about; "" if the event is not
// about a single object.
func (h *Host) concerned(e *world.Event) string {
	switch e.Kind {
	case world.SpawnEvent:
		return e.Class
	case world.InputEvent, world.SetEvent, world.RemoveEvent:
		s := h.State()
		if slot, ok := s.Find(e.Object); ok {
			return h.Schema().Classes[s.Objects[slot].Class].Name
		}
		name, _ := h.acts.ClassOf(e.Object)
		return name
	}
	return ""
}
