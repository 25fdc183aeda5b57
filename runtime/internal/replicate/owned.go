package replicate

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Owned is which replicated objects a client has as those of its player, and since when. The client runs their hooks,
// and finds the cues of these hooks by itself. What it has outlasts a bundle switch, because its own Timeline has the
// objects. The zero value is empty.
type Owned struct {
	list []ownedObject // by id
}

type ownedObject struct {
	id    world.ObjectID
	since world.Tick
}

func (o *Owned) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(o.list, id,
		func(e ownedObject, id world.ObjectID) int { return cmp.Compare(e.id, id) })
}

// Clear notes that the client begins anew, without such objects.
func (o *Owned) Clear() { o.list = o.list[:0] }

// Note notes that the client has an object at the end of tick t.
func (o *Owned) Note(id world.ObjectID, t world.Tick) {
	if i, known := o.find(id); !known {
		o.list = slices.Insert(o.list, i, ownedObject{id, t})
	} else {
		o.list[i].since = min(o.list[i].since, t)
	}
}

// Forget drops the objects that s lacks.
func (o *Owned) Forget(s *world.State) {
	o.list = slices.DeleteFunc(o.list, func(e ownedObject) bool {
		_, there := s.Find(e.id)
		return !there
	})
}

// Before reports whether the client had an object before tick t.
func (o *Owned) Before(id world.ObjectID, t world.Tick) bool {
	i, known := o.find(id)
	return known && o.list[i].since < t
}

// Acknowledged takes over the baseline of a player's sender. The baseline decides about everything up to its tick: what
// it lacks, or has without fields, the client does not have.
func (o *Owned) Acknowledged(s *Sender, player world.PlayerID) {
	o.list = slices.DeleteFunc(o.list, func(e ownedObject) bool {
		return e.since <= s.base.Tick && !s.owns(e.id, player)
	})
	for i := range s.base.Entities {
		if id := s.base.Entities[i].ID; s.owns(id, player) {
			o.Note(id, s.base.Tick)
		}
	}
}
