package luabind

import (
	"strconv"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// handle is what a script holds of an object. There is one for each object
// while a hook runs, so that handles compare equal for the same object.
type handle struct {
	id    world.ObjectID
	class *class
	views []*lua.LUserData // of its lists and records
}

// handles are those of a VM, by object; found last ones faster than in the map.
type handles struct {
	of   map[world.ObjectID]*lua.LUserData
	near [256]*lua.LUserData // by the lowest bits of the id, or nil
}

func (hs *handles) find(id world.ObjectID) (u *lua.LUserData, ok bool) {
	near := &hs.near[id%world.ObjectID(len(hs.near))]
	if u = *near; u != nil && u.Value.(*handle).id == id {
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

func (hs *handles) clear() {
	clear(hs.of)
	clear(hs.near[:])
}

// self is the handle of the acting object.
func (vm *VM) self() *lua.LUserData {
	return vm.handle(vm.actor.id, &vm.classes[vm.w.Now.Objects[vm.actor.slot].Class])
}

// handle is the handle of an object of a known class.
func (vm *VM) handle(id world.ObjectID, c *class) *lua.LUserData {
	u, ok := vm.handles.find(id)
	if !ok {
		u = &lua.LUserData{Value: &handle{id: id, class: c}, Metatable: c.meta}
		vm.handles.put(id, u)
		return u
	}
	if h := u.Value.(*handle); h.class != c { // the id came out for another class when the tick was run again
		h.class, h.views, u.Metatable = c, nil, c.meta
	}
	return u
}

// handleOf is the handle of an object, which may be gone; nil for no object.
func (vm *VM) handleOf(id world.ObjectID) lua.LValue {
	if id == 0 {
		return lua.LNil
	}
	s, slot, ok := vm.see(id)
	if !ok {
		return vm.handle(id, vm.unseen(id))
	}
	return vm.handle(id, &vm.classes[s.Objects[slot].Class])
}

// unseen is the class of a handle to an object that the acting object does not
// see: that of who is gone, whether this VM met it before or not, since another
// machine's may not have. Who is only not on the screen of asSeen has its own.
func (vm *VM) unseen(id world.ObjectID) *class {
	if slot, there := vm.w.Find(id); there && vm.seeing {
		return &vm.classes[vm.w.Now.Objects[slot].Class]
	}
	return &vm.gone
}

// see is the state and slot in which the acting object sees an object.
func (vm *VM) see(id world.ObjectID) (s *world.State, slot int, ok bool) {
	if id == vm.actor.id {
		return vm.w.Now, vm.actor.slot, true
	}
	if vm.bot != nil {
		slot, ok = vm.w.Find(id)
		return vm.w.Now, slot, ok
	}
	return vm.w.See(id)
}

// look is see for an object that has to be there.
func (vm *VM) look(L *lua.LState, h *handle) (*world.State, int) {
	vm.inWorld(L)
	if h.id != vm.actor.id {
		vm.notMigrating(L)
	}
	s, slot, ok := vm.see(h.id)
	if !ok && vm.seeing {
		L.RaiseError("%s %s is not there, or was not on this player's screen; ask valid() before using a handle that was kept", h.class.def.Name, h.id)
	}
	if !ok {
		L.RaiseError("%s %s has been removed; ask valid() before using a handle that was kept", h.class.def.Name, h.id)
	}
	return s, slot
}

// inWorld raises an error while the files are loaded, and in view.lua.
func (vm *VM) inWorld(L *lua.LState) {
	if vm.viewing {
		L.RaiseError("%s can touch nothing of the simulation: a cue has to say what is to be shown", api.ViewFile)
	}
	if vm.loading == nil {
		return
	}
	L.RaiseError("the world does not exist yet while the files are loaded; do this in a hook")
}

// do carries out a change, on others when the present order ends.
func (vm *VM) do(L *lua.LState, op *world.Op) {
	vm.mayChange(L)
	if op.Target != vm.actor.id {
		vm.notMigrating(L)
	}
	if vm.trace != nil {
		vm.tell(L, *op, "")
	}
	if err := vm.w.Do(*op); err != nil {
		if err == world.ErrRemoved {
			L.RaiseError("the object %s has been removed; ask valid() before using a handle that was kept", op.Target)
		}
		L.RaiseError("%s", err.Error())
	}
}

func (vm *VM) mayChange(L *lua.LState) {
	vm.inWorld(L)
	if vm.test != nil {
		L.RaiseError("a test changes its world through w only: w:spawn, w:input, w:step")
	}
	if vm.bot != nil {
		L.RaiseError("%s", vm.bot.as)
	}
	if vm.seeing {
		L.RaiseError("nothing can be changed within asSeen: it looks at the past; return what you found, and do it after that")
	}
}

// luaGet is (get)(object, key): a field of a table or of a handle.
func (vm *VM) luaGet(L *lua.LState) int { return vm.get(L, L.Get(1), L.Get(2)) }

// get pushes a field of a table or of a handle.
func (vm *VM) get(L *lua.LState, object, key lua.LValue) int {
	if u, ok := object.(*lua.LUserData); ok {
		switch o := u.Value.(type) {
		case *handle:
			if name, ok := key.(lua.LString); ok {
				return vm.getField(L, u, o, string(name))
			}
		case *part:
			return vm.getPart(L, o, key)
		}
	}
	L.Push(L.GetTable(object, key))
	return 1
}

// getField pushes a field of a handle.
func (vm *VM) getField(L *lua.LState, u *lua.LUserData, h *handle, name string) int {
	s, ok := h.class.fields[name]
	switch {
	case !ok:
		return vm.getReserved(L, u, h, name)
	case s.plain():
		vm.pushLeaf(L, h, s.at)
	default:
		L.Push(vm.view(&h.views, s.index, part{of: h, shape: s}))
	}
	return 1
}

func (vm *VM) getReserved(L *lua.LState, u *lua.LUserData, h *handle, name string) int {
	switch name {
	case "id":
		L.Push(lua.LString(h.id.String()))
	case "owner":
		s, slot := vm.look(L, h)
		L.Push(vm.num(float64(s.Objects[slot].Owner)))
	default:
		if h.class == &vm.gone {
			vm.look(L, h) // raises
		}
		L.Push(L.GetField(u, name)) // a method, or an error that says what is missing
	}
	return 1
}

// luaSet is (set)(object, key, value): every write of a script ends here.
func (vm *VM) luaSet(L *lua.LState) int {
	vm.set(L, L.Get(1), L.Get(2), L.Get(3))
	return 0
}

func (vm *VM) set(L *lua.LState, object, key, value lua.LValue) {
	switch o := object.(type) {
	case *lua.LTable:
		if isFrozen(o) {
			vm.raiseFrozen(L)
		}
		vm.setTable(L, o, key, value)
	case *lua.LUserData:
		if p, isPart := o.Value.(*part); isPart {
			vm.setPart(L, p, key, value)
			return
		}
		h, isHandle := o.Value.(*handle)
		name, isName := key.(lua.LString)
		if !isHandle || !isName {
			L.RaiseError("a handle's fields are set by name")
		}
		vm.setField(L, h, string(name), value)
	default:
		L.RaiseError("attempt to index %s with key '%s'", syntax.AValue(typeName(o)), toText(key))
	}
}

// setTable writes into a table, and pays for what it grows.
func (vm *VM) setTable(L *lua.LState, t *lua.LTable, key, value lua.LValue) {
	switch k := key.(type) {
	case lua.LString:
		if t.RawGetString(string(k)) == lua.LNil {
			vm.budget.alloc(L, 96)
		}
		t.RawSetString(string(k), value)
	case lua.LNumber:
		vm.setNumber(L, t, k, value)
	case lua.LBool:
		vm.budget.alloc(L, 96)
		t.RawSet(k, value)
	case *lua.LNilType:
		L.RaiseError("a table key is nil")
	default:
		L.RaiseError("a %s cannot be a table key: use a number, a string (an object's id) or a boolean", typeName(key))
	}
}

// setNumber writes under a number. The array part of a table never ends in
// nils: so # and MaxN look at its last value only.
func (vm *VM) setNumber(L *lua.LState, t *lua.LTable, key lua.LNumber, value lua.LValue) {
	n, have := clampInt(float64(key)), t.MaxN()
	switch {
	case key != key:
		L.RaiseError("a table key is NaN (0/0)")
	case float64(n) != float64(key) || n < 1 || n >= maxArray:
		if n == maxArray && have == maxArray-1 && value != lua.LNil {
			L.RaiseError("a list holds at most %d values", maxArray-1)
		}
		vm.budget.alloc(L, 96)
		t.RawSet(key, value)
	case value == lua.LNil:
		vm.removeNumber(t, n, have)
	default:
		if n > have {
			vm.budget.alloc(L, 24*(n-have))
		}
		t.RawSetInt(n, value)
	}
}

// removeNumber clears index n of an array part of have values, and takes the
// nils away with which it would end.
func (vm *VM) removeNumber(t *lua.LTable, n, have int) {
	if n < have {
		t.RawSetInt(n, lua.LNil)
	} else if n == have {
		trim(t, have)
	}
}

// trim drops the last of have values of an array part, and the nils before it.
func trim(t *lua.LTable, have int) {
	for t.Remove(have); have > 1 && t.RawGetInt(have-1) == lua.LNil; {
		have--
		t.Remove(have)
	}
}

// setField writes a field of an object.
func (vm *VM) setField(L *lua.LState, h *handle, name string, value lua.LValue) {
	vm.inWorld(L)
	s, ok := h.class.fields[name]
	if !ok {
		vm.raiseNoField(L, h, name)
	}
	if h.isJoint() {
		L.RaiseError("what a joint ties cannot be changed: remove it and make another")
	}
	vm.assign(L, h, s, 0, value)
}

// opFor is the change that puts a value into the field at index i.
func (vm *VM) opFor(L *lua.LState, h *handle, i int, value lua.LValue) world.Op {
	f := &h.class.def.Fields[i]
	op := world.Op{Target: h.id, Kind: world.SetWord, Field: i}
	fits := false
	switch v := value.(type) {
	case lua.LNumber:
		fits = f.Kind == world.Number
		op.Word = world.NumberBits(f.Quantize(float64(v)))
	case lua.LBool:
		fits = f.Kind == world.Bool
		if v {
			op.Word = 1
		}
	case lua.LString:
		fits = f.Kind == world.String
		op.Kind, op.Text = world.SetText, string(v)
	case *lua.LNilType:
		fits = f.Kind == world.Ref
	case *lua.LUserData:
		other, isHandle := v.Value.(*handle)
		fits = isHandle && f.Kind == world.Ref
		if fits {
			op.Word = uint64(other.id)
		}
	}
	if !fits {
		L.RaiseError("%s.%s is a %s: a %s does not fit", h.class.def.Name, f.Name, kindName(f), typeName(value))
	}
	return op
}

func (vm *VM) raiseNoField(L *lua.LState, h *handle, name string) {
	if h.class == &vm.gone {
		vm.look(L, h) // raises
	}
	switch name {
	case "owner":
		L.RaiseError("owner is set with setOwner(player)")
	case "id", "class", "objProps":
		L.RaiseError("%s cannot be changed", name)
	}
	L.RaiseError("%s", vm.unknown(h.class.def, "field", name))
}

func kindName(f *world.Field) string {
	switch f.Kind {
	case world.Bool:
		return "boolean"
	case world.Ref:
		return "ref (an object, or nil)"
	case world.String:
		return "string of at most " + strconv.Itoa(f.Cap) + " bytes"
	}
	return "number"
}
