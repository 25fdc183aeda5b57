package gametest

import "github.com/hindcast/hindcast/world"

// held has the inputs that players hold down: one for each class, by its index.
type held struct {
	byPlayer map[world.PlayerID][]world.Input
	byObject map[world.ObjectID][]world.Input
}

func newHeld() *held {
	return &held{byPlayer: map[world.PlayerID][]world.Input{}, byObject: map[world.ObjectID][]world.Input{}}
}

// hold sets the inputs of all objects of a player.
func (h *held) hold(p world.PlayerID, byClass []world.Input) { h.byPlayer[p] = byClass }

// holdFor sets the inputs of one object, which count before its player's.
func (h *held) holdFor(object world.ObjectID, byClass []world.Input) { h.byObject[object] = byClass }

// release lets go of everything.
func (h *held) release() {
	clear(h.byPlayer)
	clear(h.byObject)
}

// of returns the input of an object; ok reports whether there is one.
func (h *held) of(o *world.Object) (in world.Input, ok bool) {
	list, ok := h.byObject[o.ID]
	if !ok {
		list, ok = h.byPlayer[o.Owner]
	}
	if !ok || int(o.Class) >= len(list) {
		return in, false
	}
	return list[o.Class], true
}
