package luabind

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// layers reads the layers a query looks at: names, or a list of names, from
// argument i on; none means all.
func (vm *VM) layers(L *lua.LState, i int, what string) uint64 {
	var names []string
	for ; i <= L.GetTop(); i++ {
		switch v := L.Get(i).(type) {
		case *lua.LNilType:
		case *lua.LTable:
			for n := 1; n <= min(v.Len(), 64); n++ {
				names = append(names, toText(v.RawGetInt(n)))
			}
		default:
			names = append(names, vm.stringArg(L, i, what+": a layer"))
		}
	}
	mask, err := vm.schema.LayerMask(names...)
	if err != nil {
		all := vm.schema.Layers()
		unknown := slices.IndexFunc(names, func(n string) bool { return !slices.Contains(all, n) })
		L.RaiseError("%s: there is no layer %s; there are %s", what, names[unknown], world.Listed(ident.NearestFirst(names[unknown], all)))
	}
	return mask
}

// finite is argument i, a finite number.
func (vm *VM) finite(L *lua.LState, i int, what string) float64 {
	v := vm.number(L, i, what)
	if v-v != 0 {
		L.RaiseError("%s is %s: it must be finite", what, formatNumber(v))
	}
	return v
}

// line reads the two ends of a ray from the first four arguments.
func (vm *VM) line(L *lua.LState, what string) (x1, y1, x2, y2 float64) {
	return vm.endOf(L, 1, what, "x1"), vm.endOf(L, 2, what, "y1"), vm.endOf(L, 3, what, "x2"), vm.endOf(L, 4, what, "y2")
}

// endOf is argument i, a finite number. Names are put together for errors only.
func (vm *VM) endOf(L *lua.LState, i int, what, name string) float64 {
	if v, ok := L.Get(i).(lua.LNumber); ok && v-v == 0 {
		return float64(v)
	}
	return vm.finite(L, i, what+": "+name)
}

// luaRaycast is raycast(x1, y1, x2, y2, layers): the first object met, where,
// the normal there, and which fraction of the way; or nil.
func (vm *VM) luaRaycast(L *lua.LState) int {
	vm.budget.charge(L, queryCost)
	x1, y1, x2, y2 := vm.line(L, "raycast")
	hit, ok := vm.queried(L).Raycast(x1, y1, x2, y2, vm.layers(L, 5, "raycast"))
	return vm.pushHit(L, hit, ok)
}

// luaRaycastAll is raycastAll(x1, y1, x2, y2, layers): a frozen list, the
// first met first.
func (vm *VM) luaRaycastAll(L *lua.LState) int {
	vm.budget.charge(L, queryCost)
	x1, y1, x2, y2 := vm.line(L, "raycastAll")
	vm.slots = vm.queried(L).RaycastAll(x1, y1, x2, y2, vm.layers(L, 5, "raycastAll"), vm.slots[:0])
	return vm.pushList(L)
}

// luaCircleCast is circleCast(x1, y1, x2, y2, r, layers): as raycast, for a
// circle that moves along.
func (vm *VM) luaCircleCast(L *lua.LState) int {
	vm.budget.charge(L, queryCost)
	x1, y1, x2, y2 := vm.line(L, "circleCast")
	r := vm.finite(L, 5, "circleCast: r")
	if r < physics.MinSize || r > physics.MaxSize {
		L.RaiseError("circleCast: r is %s: it must be %v to %v", formatNumber(r), physics.MinSize, float64(physics.MaxSize))
	}
	hit, ok := vm.queried(L).CircleCast(x1, y1, x2, y2, r, vm.layers(L, 6, "circleCast"))
	return vm.pushHit(L, hit, ok)
}

// pushHit pushes six values, or nil.
func (vm *VM) pushHit(L *lua.LState, hit world.RayHit, ok bool) int {
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(vm.handleOf(hit.Object))
	for _, v := range [...]float64{hit.X, hit.Y, hit.NormalX, hit.NormalY, hit.Fraction} {
		L.Push(vm.num(v))
	}
	return 6
}

// luaOverlapCircle is overlapCircle(x, y, r, layers): a frozen list.
func (vm *VM) luaOverlapCircle(L *lua.LState) int {
	vm.budget.charge(L, queryCost)
	x, y, r := vm.finite(L, 1, "overlapCircle: x"), vm.finite(L, 2, "overlapCircle: y"), vm.finite(L, 3, "overlapCircle: r")
	vm.slots = vm.queried(L).OverlapCircle(x, y, r, vm.layers(L, 4, "overlapCircle"), vm.slots[:0])
	return vm.pushList(L)
}

// luaOverlapBox is overlapBox(x, y, width, height, layers): a frozen list.
func (vm *VM) luaOverlapBox(L *lua.LState) int {
	vm.budget.charge(L, queryCost)
	x, y := vm.finite(L, 1, "overlapBox: x"), vm.finite(L, 2, "overlapBox: y")
	w, h := vm.finite(L, 3, "overlapBox: width"), vm.finite(L, 4, "overlapBox: height")
	vm.slots = vm.queried(L).OverlapBox(x, y, w, h, vm.layers(L, 5, "overlapBox"), vm.slots[:0])
	return vm.pushList(L)
}

// luaOverlapPolygon is overlapPolygon({ x1, y1, x2, y2, ... }, layers): a
// frozen list.
func (vm *VM) luaOverlapPolygon(L *lua.LState) int {
	vm.budget.charge(L, queryCost+100)
	t := vm.tableArg(L, 1, "overlapPolygon: the corners")
	n := t.Len()
	if n%2 != 0 || n > 2*physics.MaxPoints {
		L.RaiseError("overlapPolygon: %d numbers: it has 3 to %d corners, each with an x and a y", n, physics.MaxPoints)
	}
	var corners [2 * physics.MaxPoints]float64
	for i := range n {
		v, ok := t.RawGetInt(i + 1).(lua.LNumber)
		if !ok {
			L.RaiseError("overlapPolygon: number %d is %s", i+1, aTypeName(t.RawGetInt(i+1)))
		}
		corners[i] = float64(v)
	}
	var err error
	vm.slots, err = vm.queried(L).OverlapPolygon(corners[:n], vm.layers(L, 2, "overlapPolygon"), vm.slots[:0])
	if err != nil {
		L.RaiseError("overlapPolygon: %s", err.Error())
	}
	return vm.pushList(L)
}

// luaNearest is nearest("Class", x, y, within): an object or nil.
func (vm *VM) luaNearest(L *lua.LState) int {
	vm.budget.charge(L, queryCost)
	ci := vm.classArg(L, 1, "nearest")
	x, y := vm.finite(L, 2, "nearest: x"), vm.finite(L, 3, "nearest: y")
	slot, ok := vm.queried(L).Nearest(x, y, ci, vm.numberOr(L, 4, "nearest: within", math.Inf(1)))
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	o := &vm.w.Now.Objects[slot]
	L.Push(vm.handle(o.ID, &vm.classes[o.Class]))
	return 1
}

// queried is the world, ready for queries.
func (vm *VM) queried(L *lua.LState) *world.World {
	vm.inWorld(L)
	vm.notMigrating(L)
	if vm.bot != nil {
		vm.bot.look(vm.w)
	}
	return vm.w
}
