package host

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
	_, relayed, ok := h.match.Log().InputAt(e.Object, e.Player, e.Tick)
	return ok && relayed
}

// concernsAll reports whether all clients need an event. They need every event except inputs, owner
// poses and independent frames of objects that they do not simulate, and host events about such objects. An object
// counts as not simulated only if clients do not simulate it in the event's tick, which may precede a bundle switch,
// nor now, nor under an announced bundle.
func (h *Host) concernsAll(e *world.Event) bool {
	name := h.concerned(e)
	if name == "" || !h.Schema().PartiallyReplicated() {
		return true
	}
	return h.simulatedByAll(name, e.Tick)
}

// simulatedByAll reports whether all clients simulate objects of a class in tick t, or now, or under an announced
// bundle.
func (h *Host) simulatedByAll(class string, t world.Tick) bool {
	from := h.State().Bundle
	if at := h.match.At(t); at != nil {
		from = at.Bundle
	}
	return slices.ContainsFunc(h.bundles.From(from), func(a *announced) bool {
		schema := h.match.Scripts().Of(a.number).Schema()
		i, ok := schema.ClassByName(class)
		return ok && schema.Classes[i].LOD == world.Predict
	})
}

// relayedSight returns the poses of an event's sight that all clients need: those of objects that they simulate.
// Where others are, and that they exist, only the clients may know that receive them in snapshots. In the shared run
// there are no such objects, so it comes out the same without these poses.
func (h *Host) relayedSight(e *world.Event) (out world.Sight) {
	if len(e.Sight) == 0 || !h.Schema().PartiallyReplicated() {
		return e.Sight
	}
	for _, p := range e.Sight {
		if class := h.classIn(p.ID, e.Tick); class != nil && h.simulatedByAll(class.Name, e.Tick) {
			out = append(out, p)
		}
	}
	return out
}

// concerned returns the class of the object that an event is about; "" if the event is not
// about a single object.
func (h *Host) concerned(e *world.Event) string {
	switch e.Kind {
	case world.SpawnEvent:
		return e.Class
	case world.InputEvent, world.OwnerPoseEvent, world.FrameEvent, world.SetEvent, world.RemoveEvent:
		s := h.State()
		if slot, ok := s.Find(e.Object); ok {
			return h.Schema().Classes[s.Objects[slot].Class].Name
		}
		name, _ := h.events.ClassOf(e.Object)
		return name
	}
	return ""
}
