package luabind

import (
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// jointForm is a function that makes joints: name(a, b, { options }). b nil is
// the world.
type jointForm struct {
	name    string
	kind    physics.JointKind
	options string // besides those that all have
	start   func(j *physics.Joint)
}

// jointForms are all of them. What they say of hertz and damping is what a
// script gets that says nothing.
func jointForms() []jointForm {
	return []jointForm{
		{"rope", physics.Distance, "length", func(j *physics.Joint) { j.Flags |= physics.JointLimits }},
		{"rod", physics.Distance, "length", func(*physics.Joint) {}},
		{"spring", physics.Distance, "length hertz damping min max", func(j *physics.Joint) {
			j.Flags, j.Hertz, j.Damping = j.Flags|physics.JointSpring, 2, 0.3
		}},
		{"hinge", physics.Hinge, "min max speed max_torque hertz damping", func(*physics.Joint) {}},
		{"weld", physics.Weld, "hertz damping turn_hertz turn_damping", func(*physics.Joint) {}},
		{"slider", physics.Slider, "axis min max speed max_force hertz damping", func(*physics.Joint) {}},
		{"wheel", physics.Wheel, "axis min max speed max_torque hertz damping", func(j *physics.Joint) {
			j.Flags, j.Axis, j.Hertz, j.Damping = j.Flags|physics.JointSpring, math.Pi/2, 4, 0.7
		}},
	}
}

// commonOptions are the options of all joints.
const commonOptions = "ax ay bx by break_force break_torque collide"

func jointEntries() (out []entry) {
	for _, form := range jointForms() {
		out = append(out, entry{form.name, func(vm *VM, L *lua.LState) int { return vm.luaJoint(L, &form) }})
	}
	return out
}

// luaJoint makes a joint and pushes its handle.
func (vm *VM) luaJoint(L *lua.LState, form *jointForm) int {
	vm.mayChange(L)
	vm.notMigrating(L)
	vm.budget.charge(L, 100)
	a := *vm.seenBody(L, vm.handleArg(L, 1, form.name+": the first argument"))
	var b *physics.Body
	if L.Get(2) != lua.LNil {
		other := *vm.seenBody(L, vm.handleArg(L, 2, form.name+": the second argument"))
		b = &other
	}
	args := vm.empty
	if L.Get(3) != lua.LNil {
		args = vm.tableArg(L, 3, form.name+": the third argument")
	}
	o := jointOptions{vm: vm, L: L, form: form, given: map[string]bool{}}
	o.j = physics.Joint{Kind: form.kind}
	form.start(&o.j)
	o.read(args)
	o.finish(&a, b)
	slot, err := vm.w.Tie(o.j)
	if err != nil {
		L.RaiseError("%s: %s", form.name, err.Error())
	}
	made := &vm.w.Now.Objects[slot]
	vm.tell(L, world.Op{Target: made.ID}, form.name)
	L.Push(vm.handle(made.ID, &vm.classes[made.Class]))
	return 1
}

// handleArg is argument i, an object.
func (vm *VM) handleArg(L *lua.LState, i int, what string) *handle {
	if u, ok := L.Get(i).(*lua.LUserData); ok {
		if h, ok := u.Value.(*handle); ok {
			return h
		}
	}
	L.RaiseError("%s must be an object, not %s", what, aTypeName(L.Get(i)))
	return nil
}

// jointOptions is a joint on its way from the options of a script.
type jointOptions struct {
	vm    *VM
	L     *lua.LState
	form  *jointForm
	j     physics.Joint
	given map[string]bool
}

// numbers are the options that are numbers, and where they go.
func (o *jointOptions) numbers() map[string]*float64 {
	j := &o.j
	return map[string]*float64{"ax": &j.AnchorA.X, "ay": &j.AnchorA.Y, "bx": &j.AnchorB.X, "by": &j.AnchorB.Y,
		"length": &j.Length, "min": &j.Min, "max": &j.Max, "axis": &j.Axis, "hertz": &j.Hertz, "damping": &j.Damping,
		"turn_hertz": &j.TurnHertz, "turn_damping": &j.TurnDamping, "speed": &j.Speed, "max_torque": &j.MaxForce,
		"max_force": &j.MaxForce, "break_force": &j.BreakForce, "break_torque": &j.BreakTorque}
}

func (o *jointOptions) read(args *lua.LTable) {
	allowed := strings.Fields(commonOptions + " " + o.form.options)
	numbers := o.numbers()
	for _, k := range o.vm.keysOf(o.L, args) {
		key, v := toText(k), args.RawGet(k)
		switch n, isNumber := v.(lua.LNumber); {
		case !slices.Contains(allowed, key):
			o.L.RaiseError("%s has no option %s; there are %s", o.form.name, key, world.Listed(ident.NearestFirst(key, allowed)))
		case key == "collide":
			if lua.LVAsBool(v) {
				o.j.Flags |= physics.JointCollide
			}
		case !isNumber:
			o.L.RaiseError("%s: %s must be a number, not %s", o.form.name, key, aTypeName(v))
		default:
			*numbers[key] = float64(n)
		}
		o.given[key] = true
	}
}

// finish fills in what was not given, from how the bodies stand.
func (o *jointOptions) finish(a, b *physics.Body) {
	j := &o.j
	j.KeyA, j.Angle = a.Key, 0-a.Angle // which is never -0
	if b != nil {
		j.KeyB, j.Angle = b.Key, b.Angle-a.Angle
	}
	o.anchor(a, b)
	if j.Kind == physics.Distance {
		o.lengthen(a, b)
	}
	limited := o.given["min"] || o.given["max"]
	if limited && !(o.given["min"] && o.given["max"]) {
		o.L.RaiseError("%s: min and max go together", o.form.name)
	}
	if limited {
		j.Flags |= physics.JointLimits
	}
	if j.MaxForce > 0 {
		j.Flags |= physics.JointMotor
	}
	if o.given["hertz"] && j.Kind != physics.Weld {
		j.Flags &^= physics.JointSpring
		if j.Hertz > 0 {
			j.Flags |= physics.JointSpring
		}
	}
}

// anchor places the ends. Those of a rope, rod or spring are where the script
// says, else at the origins. Of other joints one end lies where the other is
// now: without a word from the script that is b's origin, or a's in the world.
func (o *jointOptions) anchor(a, b *physics.Body) {
	j := &o.j
	givenA, givenB := o.given["ax"] || o.given["ay"], o.given["bx"] || o.given["by"]
	apart := j.Kind == physics.Distance
	switch {
	case b == nil && !givenB:
		j.AnchorB = a.ToWorld(j.AnchorA)
	case givenA && givenB || apart:
	case givenA:
		j.AnchorB = b.ToBody(a.ToWorld(j.AnchorA))
	default:
		j.AnchorA = a.ToBody(o.atB(b))
	}
}

// atB is where b's end is in the world.
func (o *jointOptions) atB(b *physics.Body) physics.Vec {
	if b == nil {
		return o.j.AnchorB
	}
	return b.ToWorld(o.j.AnchorB)
}

// lengthen gives a rope, rod or spring the length that it has now, unless the
// script gave it another.
func (o *jointOptions) lengthen(a, b *physics.Body) {
	j := &o.j
	if !o.given["length"] {
		j.Length = physics.NewDistance(0, a, b, a.ToWorld(j.AnchorA), o.atB(b)).Length
	}
	if j.Length < 0 {
		o.L.RaiseError("%s: length = %s: must not be below 0", o.form.name, formatNumber(j.Length))
	}
	if o.form.name == "rope" {
		j.Max = j.Length
	}
}

// jointMethods change a joint.
func jointMethods() []methodEntry {
	return []methodEntry{
		{"setMotor", jointMethod(world.SetMotor, "setMotor", "speed", "the most force or torque")},
		{"setLimits", jointMethod(world.SetLimits, "setLimits", "min", "max")},
		{"setLength", jointMethod(world.SetLength, "setLength", "length", "")},
		{"setSpring", jointMethod(world.SetSpring, "setSpring", "hertz", "damping")},
	}
}

// jointMethod is a method that changes one or two numbers of a joint.
func jointMethod(kind world.OpKind, name, a, b string) func(*VM, *lua.LState, *handle) int {
	whatA, whatB := name+": "+a, name+": "+b
	return func(vm *VM, L *lua.LState, h *handle) int {
		vm.look(L, h)
		if !h.isJoint() {
			L.RaiseError("%s is for joints, and this is a %s", name, h.class.def.Name)
		}
		op := world.Op{Target: h.id, Kind: kind, A: vm.number(L, 2, whatA)}
		if b != "" {
			op.B = vm.number(L, 3, whatB)
		}
		vm.do(L, &op)
		return 0
	}
}

func (h *handle) isJoint() bool { return h.class.def.Name == world.JointClass }

// attach is self:attach(other, dx, dy).
func (vm *VM) attach(L *lua.LState, h *handle) int {
	vm.mayChange(L)
	vm.notMigrating(L)
	vm.seenBody(L, h)
	holder := vm.handleArg(L, 2, "attach: the object to attach to")
	vm.seenBody(L, holder)
	dx, dy := vm.numberOr(L, 3, "attach: dx", 0), vm.numberOr(L, 4, "attach: dy", 0)
	vm.tell(L, world.Op{Target: h.id, Kind: world.AttachTo, Word: uint64(holder.id), A: dx, B: dy}, "")
	if err := vm.w.Attach(h.id, holder.id, dx, dy); err != nil {
		L.RaiseError("attach: %s", err.Error())
	}
	return 0
}

// detach takes the object off what it is attached to, if it is.
func (vm *VM) detach(L *lua.LState, h *handle) int {
	vm.mayChange(L)
	vm.notMigrating(L)
	vm.seenBody(L, h)
	vm.tell(L, world.Op{Target: h.id, Kind: world.LetGo}, "")
	if err := vm.w.Detach(h.id); err != nil {
		L.RaiseError("detach: %s", err.Error())
	}
	return 0
}

// getHolder gives the object that this one is attached to, or nil.
func (vm *VM) getHolder(L *lua.LState, h *handle) int {
	vm.seenBody(L, h)
	j, ok := vm.seeJoint(h.id)
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(vm.handleOf(world.ObjectID(j.KeyA)))
	return 1
}

// seeJoint is the joint of an object, as the acting object or a bot sees it.
func (vm *VM) seeJoint(id world.ObjectID) (j physics.Joint, ok bool) {
	if vm.bot == nil {
		return vm.w.SeeJoint(id)
	}
	i, ok := vm.w.Now.Physics.FindJoint(uint64(id))
	if ok {
		j = vm.w.Now.Physics.Joints[i]
	}
	return j, ok
}

// moveAndSlide is self:moveAndSlide(dx, dy): a list of what was met.
func (vm *VM) moveAndSlide(L *lua.LState, h *handle) int {
	vm.mayChange(L)
	vm.notMigrating(L)
	vm.seenBody(L, h)
	if h.id != vm.actor.id {
		L.RaiseError("moveAndSlide moves the object whose hook runs: self:moveAndSlide(dx, dy)")
	}
	vm.budget.charge(L, 10*queryCost)
	bumps, err := vm.w.MoveAndSlide(vm.finite(L, 2, "moveAndSlide: dx"), vm.finite(L, 3, "moveAndSlide: dy"))
	if err != nil {
		L.RaiseError("moveAndSlide: %s", err.Error())
	}
	b := vm.w.Now.Body(vm.actor.slot)
	vm.tell(L, world.Op{Target: h.id, Kind: world.SetPosition, A: b.X, B: b.Y}, "")
	return vm.pushBumps(L, bumps)
}

// pushBumps pushes a frozen list of what was met.
func (vm *VM) pushBumps(L *lua.LState, bumps []world.Bump) int {
	vm.budget.alloc(L, 128+400*len(bumps))
	list := L.CreateTable(len(bumps), 0)
	for i := range bumps {
		b := &bumps[i]
		t := L.CreateTable(0, 5)
		t.RawSetString("object", vm.handleOf(b.Object))
		for _, n := range [...]struct {
			name  string
			value float64
		}{{"x", b.X}, {"y", b.Y}, {"nx", b.NormalX}, {"ny", b.NormalY}} {
			t.RawSetString(n.name, vm.num(n.value))
		}
		t.Metatable = vm.frozen
		list.Append(t)
	}
	list.Metatable = vm.frozen
	L.Push(list)
	return 1
}
