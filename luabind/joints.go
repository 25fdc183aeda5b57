package luabind

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// joints makes and changes joints for scripts.
type joints struct {
	env     *environment
	rights  *rights
	scene   *scene
	objects *objects
}

// jointForm is a function that makes joints: name(a, b, { options }). b may be
// nil, which is the world.
type jointForm struct {
	name    string
	kind    physics.JointKind
	options string // besides those that all have
	start   func(j *physics.Joint)
}

// jointForms returns the forms of all joints. start sets the defaults of the options.
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

// MaxHingeLimit is how far a limit of a hinge may be from 0, either way, in radians.
const MaxHingeLimit = physics.MaxHingeLimit

// JointOptions returns the options of the joint that a function such as rope makes; nil: there is no such function.
func JointOptions(function string) []string {
	for _, form := range jointForms() {
		if form.name == function {
			return strings.Fields(commonOptions + " " + form.options)
		}
	}
	return nil
}

// MainOption returns the option of the joint that a function such as rope makes which is set most often.
func MainOption(function string) string {
	for _, form := range jointForms() {
		if form.name == function {
			return strings.Fields(form.options)[0]
		}
	}
	return ""
}

// entries returns the functions that make joints.
func (js *joints) entries() (out []entry) {
	for _, form := range jointForms() {
		out = append(out, entry{form.name, func(L call) int { return js.luaJoint(L, &form) }})
	}
	return out
}

// jointCost is the price of a joint in instructions, besides its options.
const jointCost = 200

// luaJoint makes a joint and pushes its handle.
func (js *joints) luaJoint(L call, form *jointForm) int {
	js.rights.mayChange(L)
	js.scene.notMigrating(L)
	L.charge(jointCost)
	a := *js.scene.body(L, handleArg(L, 1, form.name+": the first argument"))
	var b *physics.Body
	if L.Get(2) != lua.LNil {
		other := *js.scene.body(L, handleArg(L, 2, form.name+": the second argument"))
		b = &other
	}
	args := js.env.none()
	if L.Get(3) != lua.LNil {
		args = L.table(3, form.name+": the third argument")
	}
	o := jointOptions{L: L, form: form, set: map[string]bool{}}
	o.j = physics.Joint{Kind: form.kind}
	form.start(&o.j)
	o.read(args)
	o.finish(&a, b)
	slot, err := js.scene.world().Tie(o.j)
	if err != nil {
		inRadians := ""
		if o.j.Kind == physics.Hinge && (o.j.Min < -math.Pi || o.j.Max > math.Pi) {
			inRadians = fmt.Sprintf("; angles are in radians: write min = math.rad(%v), max = math.rad(%v)", o.j.Min, o.j.Max)
		}
		L.RaiseError("%s: %s%s", form.name, err.Error(), inRadians)
	}
	made := &js.scene.world().State().Objects[slot]
	js.scene.traced(L, world.Op{Target: made.ID}, form.name)
	L.Push(js.objects.handle(made.ID, js.objects.class(made.Class)))
	return 1
}

// handleArg returns argument i, an object.
func handleArg(L call, i int, what string) *handle {
	if u, ok := L.Get(i).(*lua.LUserData); ok {
		if h, ok := u.Value.(*handle); ok {
			return h
		}
	}
	L.RaiseError("%s must be an object, not %s", what, aTypeName(L.Get(i)))
	return nil
}

// jointOptions reads the options of a joint.
type jointOptions struct {
	L    call
	form *jointForm
	j    physics.Joint
	set  map[string]bool
}

// numbers returns the options that are numbers, and where they are stored.
func (o *jointOptions) numbers() map[string]*float64 {
	j := &o.j
	return map[string]*float64{"ax": &j.AnchorA.X, "ay": &j.AnchorA.Y, "bx": &j.AnchorB.X, "by": &j.AnchorB.Y,
		"length": &j.Length, "min": &j.Min, "max": &j.Max, "axis": &j.Axis, "hertz": &j.Hertz, "damping": &j.Damping,
		"turn_hertz": &j.TurnHertz, "turn_damping": &j.TurnDamping, "speed": &j.Speed, "max_torque": &j.MaxForce,
		"max_force": &j.MaxForce, "break_force": &j.BreakForce, "break_torque": &j.BreakTorque}
}

func (o *jointOptions) read(args *lua.LTable) {
	allowed := JointOptions(o.form.name)
	numbers := o.numbers()
	for _, k := range keysOf(o.L, args) {
		key, v := toText(k), valueAt(args, k)
		switch n, isNumber := v.(lua.LNumber); {
		case !slices.Contains(allowed, key):
			o.L.RaiseError("%s has no option %s; there are %s", o.form.name, key,
				world.Listed(ident.NearestFirst(key, allowed)))
		case key == "collide":
			if lua.LVAsBool(v) {
				o.j.Flags |= physics.JointCollide
			}
		case !isNumber:
			o.L.RaiseError("%s: %s must be a number, not %s", o.form.name, key, aTypeName(v))
		default:
			*numbers[key] = float64(n)
		}
		o.set[key] = true
	}
}

// finish sets the options that the script did not set, from the poses of the bodies.
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
	limited := o.set["min"] || o.set["max"]
	if limited && !(o.set["min"] && o.set["max"]) {
		o.L.RaiseError("%s: set both min and max, or neither", o.form.name)
	}
	if limited {
		j.Flags |= physics.JointLimits
	}
	if j.MaxForce > 0 {
		j.Flags |= physics.JointMotor
	}
	if o.set["hertz"] && j.Kind != physics.Weld {
		j.Flags &^= physics.JointSpring
		if j.Hertz > 0 {
			j.Flags |= physics.JointSpring
		}
	}
}

// anchor sets the two ends. The ends of a rope, rod or spring are at the
// origins of the bodies by default. The ends of other joints are in the same
// place: if the script sets neither, at the origin of b, or of a if the other
// end is the world.
func (o *jointOptions) anchor(a, b *physics.Body) {
	j := &o.j
	setA, setB := o.set["ax"] || o.set["ay"], o.set["bx"] || o.set["by"]
	apart := j.Kind == physics.Distance
	switch {
	case b == nil && !setB:
		j.AnchorB = a.ToWorld(j.AnchorA)
	case setA && setB || apart:
	case setA:
		j.AnchorB = b.ToBody(a.ToWorld(j.AnchorA))
	default:
		j.AnchorA = a.ToBody(o.atB(b))
	}
}

// atB returns where the end at b is in the world.
func (o *jointOptions) atB(b *physics.Body) physics.Vec {
	if b == nil {
		return o.j.AnchorB
	}
	return b.ToWorld(o.j.AnchorB)
}

// lengthen sets the length of a rope, rod or spring to the present distance,
// unless the script set it.
func (o *jointOptions) lengthen(a, b *physics.Body) {
	j := &o.j
	if !o.set["length"] {
		j.Length = physics.NewDistance(0, a, b, a.ToWorld(j.AnchorA), o.atB(b)).Length
	}
	if j.Length < 0 {
		o.L.RaiseError("%s: length = %s: must not be below 0", o.form.name, formatNumber(j.Length))
	}
	if o.form.name == "rope" {
		j.Max = j.Length
	}
}

// methods returns the methods that change a joint.
func (js *joints) methods() []methodEntry {
	return []methodEntry{
		{"setMotor", js.method(world.SetMotor, "setMotor", "speed", "the maximum force or torque")},
		{"setLimits", js.method(world.SetLimits, "setLimits", "min", "max")},
		{"setLength", js.method(world.SetLength, "setLength", "length", "")},
		{"setSpring", js.method(world.SetSpring, "setSpring", "hertz", "damping")},
	}
}

// method returns a method that changes one or two numbers of a joint.
func (js *joints) method(kind world.OpKind, name, a, b string) func(call, *handle) int {
	whatA, whatB := name+": "+a, name+": "+b
	return func(L call, h *handle) int {
		L.charge(3 * changeCost)
		js.scene.look(L, h)
		if !h.isJoint() {
			L.RaiseError("%s is for joints, and this is a %s", name, h.Class.def().Name)
		}
		op := world.Op{Target: h.ID, Kind: kind, A: L.number(2, whatA)}
		if b != "" {
			op.B = L.number(3, whatB)
		}
		js.scene.do(L, &op)
		return 0
	}
}
