package luabind

import (
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// handle is the value that stands for an object in scripts. There is one for each
// object while a hook runs, so that handles compare equal for the same object.
type handle struct {
	ID    world.ObjectID
	Class *class
	Views []*lua.LUserData // of its lists and records
}

func (h handle) isJoint() bool { return h.Class.def().Name == world.JointClass }

// handles are the handles of objects by id. The zero value has none.
type handles struct {
	of   map[world.ObjectID]*lua.LUserData
	near [256]*lua.LUserData // recently found ones, by the lowest bits of the id, or nil
	next uint8               // the one that check begins with
}

// checkedAtOnce is how many of the recently found handles check looks at. It runs after each hook, and a wrong one
// stays until its object is put again.
const checkedAtOnce = 16

// find returns the handle of an object.
func (hs *handles) find(id world.ObjectID) (u *lua.LUserData, ok bool) {
	near := &hs.near[id%world.ObjectID(len(hs.near))]
	if u = *near; u != nil && u.Value.(*handle).ID == id {
		return u, true
	}
	if u, ok = hs.of[id]; ok {
		*near = u
	}
	return u, ok
}

func (hs *handles) put(id world.ObjectID, u *lua.LUserData) {
	if hs.of == nil {
		hs.of = map[world.ObjectID]*lua.LUserData{}
	}
	hs.of[id], hs.near[id%world.ObjectID(len(hs.near))] = u, u
}

// clear forgets all handles.
func (hs *handles) clear() {
	clear(hs.of)
	clear(hs.near[:])
}

// count returns how many handles there are.
func (hs *handles) count() int { return len(hs.of) }

// check asserts that the handles that were used recently are those that
// the map has, so that handles of one object are equal: each time of the next few of them.
func (hs *handles) check() {
	for range checkedAtOnce {
		i := int(hs.next)
		hs.next++ // after the last the first
		u := hs.near[i]
		if u == nil {
			continue
		}
		h := u.Value.(*handle)
		assert(int(h.ID%world.ObjectID(len(hs.near))) == i, "a handle is cached under another id")
		assert(hs.of[h.ID] == u, "an object has two handles")
		assert(h.Class != nil && u.Metatable == h.Class.metatable(), "a handle has the metatable of another class")
	}
}
