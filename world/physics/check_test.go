package physics

import (
	"math"
	"strings"
	"testing"
)

// bench returns a floor, a crate on it and a wheel on an axle of the world, with a motor:
// slots and Defs 0, 1 and 2, and a joint.
func bench(t testing.TB) *scene {
	sc := &scene{rules: NewParams(60)}
	floor := sc.def(t, NewDef(Static, BoxShape(20, 1)))
	crate := sc.def(t, NewDef(Dynamic, BoxShape(1, 1)))
	wheel := sc.def(t, NewDef(Dynamic, CircleShape(0.5)))
	sc.Bodies = append(sc.Bodies, NewBody(1, floor, Vec{Y: -0.5}, 0), NewBody(2, crate, Vec{Y: 0.5}, 0), NewBody(3, wheel, Vec{X: 4, Y: 3}, 0))
	j := NewJoint(9, Hinge, &sc.Bodies[2], nil, Vec{X: 4, Y: 3})
	j.Flags, j.Speed, j.MaxForce = JointMotor, 2, 10
	if err := sc.AddJoint(sc.defs, j); err != nil {
		t.Fatal(err)
	}
	return sc
}

// retie replaces the joint of a bench.
func (sc *scene) retie(kind JointKind, change func(j *Joint)) {
	j := NewJoint(9, kind, &sc.Bodies[2], nil, Vec{X: 4, Y: 3})
	change(&j)
	j.SlotA, j.SlotB = 2, -1
	sc.Joints = []Joint{j}
}

func (sc *scene) check() []Finding { return Check(&sc.State, sc.defs, sc.rules) }

// Each mistake that users of Box2D make at first: Check finds it in its place, and finds
// nothing else.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		wrong func(sc *scene)
		kind  FindingKind
		want  string // parts of the finding, each after the one before
	}{
		"no DT":             {func(sc *scene) { sc.rules.DT = 0 }, Ignored, "params: DT = 0: Step does nothing"},
		"DT in Hz":          {func(sc *scene) { sc.rules.DT = 60 }, Ignored, "params: DT = 60 s is longer|1.0/60"},
		"DT in ms":          {func(sc *scene) { sc.rules.DT = 16 }, Ignored, "DT = 16 s"},
		"no sub-steps":      {func(sc *scene) { sc.rules.Substeps = 0 }, Ignored, "Substeps = 0 counts as 1"},
		"gravity NaN":       {func(sc *scene) { sc.rules.GravityY = math.NaN() }, Ignored, "must be finite"},
		"sleep below 0":     {func(sc *scene) { sc.rules.SleepAfter = -1 }, Ignored, "SleepAfter = -1 counts as 0"},
		"hit speed NaN":     {func(sc *scene) { sc.rules.HitSpeed = math.NaN() }, Ignored, "HitSpeed = NaN counts as 0"},
		"bounce below 0":    {func(sc *scene) { sc.rules.BounceSpeed = -1 }, Ignored, "BounceSpeed = -1 counts as 0"},
		"pairs below 0":     {func(sc *scene) { sc.rules.MostPairs = -1 }, Ignored, "MostPairs = -1 counts as 0"},
		"not prepared":      {func(sc *scene) { sc.defs[1] = NewDef(Dynamic, BoxShape(1, 1)) }, Ignored, "def 1: it is not prepared: call Prepare"},
		"changed shape":     {func(sc *scene) { sc.defs[1].Shape = CircleShape(2) }, Ignored, "def 1: its shapes or masses were changed after Prepare"},
		"changed mass":      {func(sc *scene) { sc.defs[1].Mass = 50 }, Ignored, "changed after Prepare"},
		"changed badly":     {func(sc *scene) { sc.defs[1].Friction = -1 }, Ignored, "which would refuse it now: bad body definition: friction"},
		"shape and shapes":  {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.Shapes = []Shape{CircleShape(0.5)} }) }, Ignored, "Shape has no effect beside Shapes"},
		"no gravity scale":  {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.GravityScale = 0 }) }, Weightless, "def 1: GravityScale = 0|NewDef"},
		"no layer":          {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.Layer = 0 }) }, Untouchable, "def 1: Layer = 0|queries do not see"},
		"no collides":       {func(sc *scene) { sc.redo(t, 0, func(d *Def) { d.Collides = 0 }) }, Untouchable, "def 0: Collides = 0"},
		"one-way layers":    {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.Layer, d.Collides = 2, 4 }) }, Untouchable, "def 1: its bodies collide with no others: two bodies collide if each has the layer of the other in Collides, and with def 0 only one"},
		"layers apart":      {func(sc *scene) { sc.apart(t) }, Untouchable, "Layer = 0x2 and Collides = 0x2 match no other Def"},
		"damped floor":      {func(sc *scene) { sc.redo(t, 0, func(d *Def) { d.LinearDamping = 1 }) }, Ignored, "def 0: LinearDamping counts for dynamic bodies only"},
		"static bullet":     {func(sc *scene) { sc.redo(t, 0, func(d *Def) { d.Bullet = true }) }, Ignored, "Bullet counts for dynamic"},
		"fixed inertia":     {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.FixedRotation, d.Inertia = true, 5 }) }, Ignored, "Inertia = 5 has no effect"},
		"no key":            {func(sc *scene) { sc.Bodies[1].Key = 0 }, Ignored, "body 0000000000000000 in slot 1: Key = 0"},
		"def out of range":  {func(sc *scene) { sc.Bodies[1].Def = 7 }, Ignored, "body 0000000000000002 in slot 1: Def = 7: there are 3 Defs"},
		"key twice":         {func(sc *scene) { sc.Bodies[1].Key = 1 }, Ignored, "in slot 1: the body in slot 0 has the same key"},
		"literal body":      {func(sc *scene) { sc.Bodies[1].Cos, sc.Bodies[1].Sin = 0, 0 }, Ignored, "Cos, Sin = 0, 0 do not belong to Angle = 0|NewBody"},
		"angle written":     {func(sc *scene) { sc.Bodies[1].Angle = 1 }, Ignored, "do not belong to Angle = 1|SetAngle"},
		"angle in degrees":  {func(sc *scene) { sc.Bodies[1].Angle = 90 }, Ignored, "Angle = 90: must be in (-pi, pi] radians"},
		"far away":          {func(sc *scene) { sc.Bodies[1].X = 2e5 }, Ignored, "X, Y = 200000, 0.5: Step holds"},
		"too fast":          {func(sc *scene) { sc.Bodies[1].VX = 2000 }, Ignored, "VX, VY = 2000, 0: Step holds the speed at 1000"},
		"spins too fast":    {func(sc *scene) { sc.Bodies[1].W = -2000 }, Ignored, "W = -2000: Step holds it at 1000"},
		"force NaN":         {func(sc *scene) { sc.Bodies[1].FX = math.NaN() }, Ignored, "is NaN: Step drops all forces"},
		"moving floor":      {func(sc *scene) { sc.Bodies[0].VX = 1 }, Ignored, "a static body does not move; make it Kinematic"},
		"pushed floor":      {func(sc *scene) { sc.Bodies[0].FX = 1 }, Ignored, "a force on a static body"},
		"pushed lift":       {func(sc *scene) { sc.redo(t, 0, func(d *Def) { d.Type = Kinematic }); sc.Bodies[0].ApplyForce(1, 0) }, Ignored, "a force on a kinematic body"},
		"fixed spin":        {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.FixedRotation = true }); sc.Bodies[1].W = 1 }, Ignored, "W = 1: the Def has FixedRotation"},
		"fixed torque":      {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.FixedRotation = true }); sc.Bodies[1].ApplyTorque(1) }, Ignored, "a torque on a body with FixedRotation"},
		"no motor flag":     {func(sc *scene) { sc.Joints[0].Flags = 0 }, Ignored, "joint 0000000000000009: Speed = 2, MaxForce = 10: the motor is off; add JointMotor"},
		"no motor force":    {func(sc *scene) { sc.Joints[0].MaxForce = 0 }, Ignored, "MaxForce = 0: the motor has no force"},
		"weld with motor":   {func(sc *scene) { sc.retie(Weld, func(j *Joint) { j.Flags, j.Speed = JointMotor, 3 }) }, Ignored, "Speed = 3, MaxForce = 0: this kind has no motor"},
		"no limits flag":    {func(sc *scene) { sc.retie(Hinge, func(j *Joint) { j.Min, j.Max = -1, 1 }) }, Ignored, "Min = -1, Max = 1: the limits are off; add JointLimits"},
		"weld with limits":  {func(sc *scene) { sc.retie(Weld, func(j *Joint) { j.Flags = JointLimits }) }, Ignored, "this kind has no limits"},
		"limits in degrees": {func(sc *scene) { sc.retie(Hinge, func(j *Joint) { j.Flags, j.Min, j.Max = JointLimits, -45, 45 }) }, Ignored, "min = -45: must be -3.1 to 3.1"},
		"rope of no length": {func(sc *scene) { sc.retie(Distance, func(j *Joint) { j.Flags = JointLimits }) }, Ignored, "Max = 0: the anchors cannot be that near"},
		"no spring flag":    {func(sc *scene) { sc.retie(Wheel, func(j *Joint) { j.Hertz, j.Damping = 4, 0.7 }) }, Ignored, "Hertz = 4, Damping = 0.7: the spring is off; add JointSpring"},
		"no spring hertz":   {func(sc *scene) { sc.retie(Wheel, func(j *Joint) { j.Flags = JointSpring }) }, Ignored, "Hertz = 0: the spring has no force"},
		"spring too fast":   {func(sc *scene) { sc.retie(Hinge, func(j *Joint) { j.Flags, j.Hertz = JointSpring, 100 }) }, Ignored, "Hertz = 100 acts as 60"},
		"stiff weld":        {func(sc *scene) { sc.retie(Weld, func(j *Joint) { j.Damping = 1 }) }, Ignored, "Damping = 1: without Hertz the weld is stiff"},
		"stiff turn":        {func(sc *scene) { sc.retie(Weld, func(j *Joint) { j.TurnDamping = 1 }) }, Ignored, "TurnDamping = 1: without TurnHertz"},
		"turn of a hinge":   {func(sc *scene) { sc.retie(Hinge, func(j *Joint) { j.TurnHertz = 5 }) }, Ignored, "TurnHertz = 5, TurnDamping = 0 count for Weld only"},
		"target, no hertz":  {func(sc *scene) { sc.retie(Target, func(j *Joint) { j.MaxForce = 5 }) }, Ignored, "Hertz = 0: the target does not pull"},
		"target, no force":  {func(sc *scene) { sc.retie(Target, func(j *Joint) { j.Hertz = 5 }) }, Ignored, "MaxForce = 0: the target does not pull"},
		"axis of a hinge":   {func(sc *scene) { sc.retie(Hinge, func(j *Joint) { j.Axis = 1 }) }, Ignored, "Axis = 1 counts for Slider and Wheel only"},
		"length of a hinge": {func(sc *scene) { sc.retie(Hinge, func(j *Joint) { j.Length = 1 }) }, Ignored, "Length = 1 counts for Distance only"},
		"torque of a rod":   {func(sc *scene) { sc.retie(Distance, func(j *Joint) { j.Length, j.BreakTorque = 1, 1 }) }, Ignored, "BreakTorque = 1: this kind holds no angle"},
		"rod of no length":  {func(sc *scene) { sc.retie(Distance, func(j *Joint) {}) }, Ignored, "Length = 0: a rod needs a length"},
		"anchors in world":  {func(sc *scene) { sc.retie(Hinge, func(j *Joint) { j.AnchorA = j.AnchorB }) }, Ignored, "its anchors are 5 m apart|Body.ToBody"},
		"joint appended":    {func(sc *scene) { sc.Joints[0].SlotA = 0 }, Ignored, "its bodies are not in slots 0 and -1|State.AddJoint"},
		"joints unsorted":   {func(sc *scene) { sc.Joints = append(sc.Joints, sc.Joints[0]) }, Ignored, "or its key occurs twice"},
		"joint of a floor":  {func(sc *scene) { sc.pinFloor() }, Ignored, "neither of its bodies is dynamic"},
		"slots moved":       {func(sc *scene) { sc.swapSlots() }, Ignored, "contact 0000000000000001-0000000000000002: its bodies are not in slots"},
	} {
		t.Run(name, func(t *testing.T) {
			sc := bench(t)
			c.wrong(sc)
			found := sc.check()
			if len(found) != 1 || found[0].Kind != c.kind || !hasInOrder(found[0].Error(), c.want) {
				t.Errorf("found %q, want %q of kind %d alone", found, c.want, c.kind)
			}
		})
	}
}

// redo changes a Def and prepares it again.
func (sc *scene) redo(t *testing.T, def int, change func(d *Def)) {
	t.Helper()
	change(&sc.defs[def])
	if err := sc.defs[def].Prepare(); err != nil {
		t.Fatal(err)
	}
}

// apart puts the crate on a layer of its own.
func (sc *scene) apart(t *testing.T) {
	for def := range sc.defs {
		sc.redo(t, def, func(d *Def) { d.Layer, d.Collides = 1, 1 })
	}
	sc.redo(t, 1, func(d *Def) { d.Layer, d.Collides = 2, 2 })
}

func (sc *scene) pinFloor() {
	sc.Joints = []Joint{NewJoint(9, Hinge, &sc.Bodies[0], nil, Vec{})}
	sc.Joints[0].SlotB = -1
}

// swapSlots takes a body out as one takes an element out of a slice.
func (sc *scene) swapSlots() {
	sc.Joints = nil
	sc.run(&Solver{Check: true}, 5)
	sc.Bodies = sc.Bodies[1:]
}

func hasInOrder(text, parts string) bool {
	for part := range strings.SplitSeq(parts, "|") {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// Check finds nothing in correct states, before and after steps.
func TestCheckFindsNothingInScenes(t *testing.T) {
	scenes := map[string]*scene{"bench": bench(t), "workshop": workshop(t), "park": park(t), "storm": storm(t), "quarry": quarry(t, 40),
		"pyramid": heavyPyramid(t, 8), "card house": cardHouse(t, 3), "arena": arena(t, 100, 30)}
	for name, sc := range scenes {
		sv := Solver{Check: true}
		for tick := range 120 {
			if tick%40 == 0 || tick == 1 {
				for _, f := range sc.check() {
					t.Errorf("%s after %d steps: %v", name, tick, f)
				}
			}
			sc.run(&sv, 1)
		}
		if len(sc.Contacts)+len(sc.Joints) == 0 {
			t.Errorf("%s: nothing touches: the scene tests little", name)
		}
	}
}

// Step does what Check says about the Defs: with each finding a body stays where it is,
// or falls through the floor.
func TestCheckPredictsStep(t *testing.T) {
	for name, c := range map[string]struct {
		wrong func(sc *scene)
		y     float64 // of the crate after a second
	}{
		"right":        {func(*scene) {}, 1.5},
		"not prepared": {func(sc *scene) { sc.defs[1] = NewDef(Dynamic, BoxShape(1, 1)) }, 3},
		"out of range": {func(sc *scene) { sc.Bodies[1].Def = 7 }, 3},
		"weightless":   {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.GravityScale = 0 }) }, 3},
		"untouchable":  {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.Layer = 0 }) }, -2},
		"one way":      {func(sc *scene) { sc.redo(t, 1, func(d *Def) { d.Layer, d.Collides = 2, 4 }) }, -2},
	} {
		sc := bench(t)
		sc.Bodies[1].Y = 3
		c.wrong(sc)
		sc.run(&Solver{Check: true}, 60)
		if y := sc.Bodies[1].Y; c.y == 3 && y != 3 || c.y == 1.5 && !(y > 0.4 && y < 3) || c.y < 0 && y > 0 {
			t.Errorf("%s: the crate is at %v m after a second, want about %v", name, y, c.y)
		}
	}
}

// A body whose Def does not exist is not blocked, and causes no panic.
func TestBlockedWithUnknownDef(t *testing.T) {
	sc := bench(t)
	sc.Bodies[1].Def = 7
	if Blocked(&sc.State, sc.defs, &sc.Bodies[1], Vec{Y: -5}, 0) {
		t.Error("a body without a Def is blocked")
	}
}

// Check finds nothing in the results of NewDef and NewParams, and Prepare refuses none of
// their shapes.
func TestDefaults(t *testing.T) {
	for _, kind := range []BodyType{Static, Kinematic, Dynamic} {
		for _, shapes := range [][]Shape{{BoxShape(1, 1)}, {CircleShape(1), CircleAt(Vec{X: 1}, 0.5)}} {
			d := NewDef(kind, shapes...)
			if err := d.Prepare(); err != nil {
				t.Error(err)
			}
			if found := CheckDef(&d, NewParams(60)); found != nil {
				t.Errorf("type %d: %v", kind, found)
			}
		}
	}
	if d := NewDef(Dynamic); d.Prepare() == nil {
		t.Error("a Def without a shape is prepared")
	}
	if found := CheckParams(NewParams(20)); found != nil {
		t.Error(found)
	}
}
