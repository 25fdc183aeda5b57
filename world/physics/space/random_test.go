package space_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
	"pgregory.net/rapid"
)

// call is one call on a world, as data: the same list of calls is made on several.
type call struct {
	kind     callKind
	def      int    // of defs
	body     [2]int // numbers in the list of bodies added so far
	joint    int    // number in the list of joints added so far
	of       physics.JointKind
	at       physics.Vec
	x, angle float64
	parts    int // bits: which parts a joint has
}

type callKind int

const (
	step callKind = iota
	addBody
	addJoint
	removeBody
	removeJoint
	push
	turnMotor
	setGravity
	callKinds
)

// materials returns the Defs of the random worlds.
func materials() []physics.Def {
	slippery := physics.NewDef(physics.Dynamic, physics.BoxShape(0.8, 0.5))
	slippery.Friction = 0.1
	zone := physics.NewDef(physics.Dynamic, physics.CircleShape(1.5))
	zone.Sensor, zone.GravityScale = true, 0
	return []physics.Def{
		physics.NewDef(physics.Static, physics.BoxShape(30, 1)),
		physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1)),
		physics.NewDef(physics.Dynamic, physics.CircleShape(0.4)),
		physics.NewDef(physics.Kinematic, physics.CapsuleShape(physics.Vec{X: -1}, physics.Vec{X: 1}, 0.3)),
		slippery,
		zone,
	}
}

func drawCall(t *rapid.T) call {
	in := func(lo, hi float64) float64 { return rapid.Float64Range(lo, hi).Draw(t, "number") }
	upTo := func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
	kind := callKind(upTo(int(callKinds) + 4))
	if kind >= callKinds {
		kind = step
	}
	return call{kind: kind, def: 1 + upTo(len(materials())-1), body: [2]int{upTo(40), upTo(40)}, joint: upTo(20),
		of: physics.Distance + physics.JointKind(upTo(6)), at: physics.Vec{X: in(-12, 12), Y: in(0.5, 8)}, x: in(-5, 5), angle: in(-3, 3), parts: upTo(16)}
}

// world is what a list of calls is made on.
type world interface {
	make(c call)
	hash() uint64
	story() string // of the last step
}

// spaced makes calls on a Space.
type spaced struct {
	*space.Space
	t      rapid.TB
	defs   []space.DefID
	bodies []space.BodyID
	joints []space.JointID
}

func newSpaced(t rapid.TB) *spaced {
	s := &spaced{t: t}
	var err error
	if s.Space, err = space.New(physics.NewParams(60)); err != nil {
		t.Fatal(err)
	}
	for _, d := range materials() {
		id, err := s.AddDef(d, physics.Weightless)
		if err != nil {
			t.Fatal(err)
		}
		s.defs = append(s.defs, id)
	}
	s.bodies = append(s.bodies, space.Must(s.AddBody(s.defs[0], physics.Pose{Y: -0.5})))
	return s
}

func (s *spaced) make(c call) {
	a, b := s.bodies[c.body[0]%len(s.bodies)], s.bodies[c.body[1]%len(s.bodies)]
	var err error
	switch c.kind {
	case step:
		s.Step()
	case addBody:
		id, err := s.AddBody(s.defs[c.def], physics.Pose{X: c.at.X, Y: c.at.Y, Angle: c.angle})
		if err != nil {
			s.t.Fatal(err)
		}
		s.bodies = append(s.bodies, id)
	case addJoint:
		if id, err := s.AddJoint(c.spec(a, b)); err == nil {
			s.joints = append(s.joints, id)
		}
	case removeBody:
		if a != s.bodies[0] {
			err = s.RemoveBody(a)
		}
	case removeJoint:
		if len(s.joints) > 0 {
			err = s.RemoveJoint(s.joints[c.joint%len(s.joints)])
		}
	case push:
		err = s.ChangeBody(a, func(b *physics.Body, d *physics.Def) { b.ApplyImpulse(d, c.x, c.angle) })
	case turnMotor:
		if len(s.joints) > 0 {
			err = s.ChangeJoint(s.joints[c.joint%len(s.joints)], func(j *physics.Joint) { setMotor(j, c.x) })
		}
	case setGravity:
		_, _, p := s.Flat()
		p.GravityX = c.x
		err = s.SetParams(p)
	}
	_ = err // of ids that name nothing any more
}

func setMotor(j *physics.Joint, speed float64) {
	if j.Flags&physics.JointMotor != 0 {
		j.Speed = speed
	}
}

// spec returns the joint of a call. Not all fit: a Distance has no motor.
func (c *call) spec(a, b space.BodyID) space.Joint {
	j := space.Joint{Kind: c.of, A: a, B: b, At: c.at, Collide: c.parts&1 != 0}
	switch c.of {
	case physics.Distance, physics.Target:
		j.To = &physics.Vec{X: c.at.X + c.x, Y: c.at.Y}
	case physics.Slider, physics.Wheel:
		j.Axis = physics.Vec{X: 1, Y: c.x}
	}
	if c.of == physics.Target {
		j.MaxForce = 40
	}
	if c.parts&2 != 0 || c.of == physics.Target {
		j.Spring = &space.Spring{Hertz: 3, Damping: 0.5}
	}
	if c.parts&4 != 0 {
		j.Motor = &space.Motor{Speed: 2, MaxForce: 20}
	}
	if c.parts&8 != 0 {
		j.Limits = &space.Limits{Min: -1, Max: 1}
	}
	if c.parts == 0 {
		j.BreakForce = 30
	}
	return j
}

func (s *spaced) hash() uint64 { return s.Hash() }

func (s *spaced) story() string {
	e := s.Events()
	return fmt.Sprint(e.Begins, e.Ends, e.Hits, e.Enters, e.Leaves, e.Breaks, e.Clamped, e.Crowded)
}

// flat makes the same calls with package physics alone, and takes a new slot for each body.
type flat struct {
	physics.State
	t       rapid.TB
	defs    []physics.Def
	params  physics.Params
	solver  physics.Solver
	nextKey [2]uint64 // of a body, of a joint
	joints  []uint64
	sensors []bool // by key
}

func newFlat(t rapid.TB) *flat {
	f := &flat{t: t, defs: materials(), params: physics.NewParams(60), solver: physics.Solver{Check: true}, nextKey: [2]uint64{1, 1}, sensors: []bool{false}}
	for i := range f.defs {
		if err := f.defs[i].Prepare(); err != nil {
			t.Fatal(err)
		}
	}
	f.add(0, physics.Vec{Y: -0.5}, 0)
	return f
}

func (f *flat) add(def int, at physics.Vec, angle float64) {
	f.Bodies = append(f.Bodies, physics.NewBody(f.nextKey[0], uint32(def), at, angle))
	f.sensors = append(f.sensors, f.defs[def].Sensor)
	f.nextKey[0]++
}

func (f *flat) make(c call) {
	a, b := c.body[0]%len(f.Bodies), c.body[1]%len(f.Bodies)
	switch c.kind {
	case step:
		f.solver.Step(&f.State, f.defs, f.params)
	case addBody:
		f.add(c.def, c.at, c.angle)
	case addJoint:
		f.addJoint(c, &f.Bodies[a], &f.Bodies[b])
	case removeBody:
		if a != 0 {
			f.Remove(a)
		}
	case removeJoint:
		if len(f.joints) > 0 {
			f.RemoveJoint(f.joints[c.joint%len(f.joints)])
		}
	case push:
		if body := f.Bodies[a]; f.defs[body.Def].Type == physics.Dynamic && body.Key != 0 {
			body.ApplyImpulse(&f.defs[body.Def], c.x, c.angle)
			if len(physics.CheckBody(&body, f.defs)) == 0 { // it may be too fast, and a Space refuses that
				f.Bodies[a] = body
			}
		}
	case turnMotor:
		if len(f.joints) > 0 {
			if i, ok := f.FindJoint(f.joints[c.joint%len(f.joints)]); ok {
				setMotor(&f.Joints[i], c.x)
			}
		}
	case setGravity:
		if f.params.GravityX == c.x {
			return
		}
		f.params.GravityX = c.x
		for i := range f.Bodies {
			f.Bodies[i].Wake()
		}
	}
}

func (f *flat) addJoint(c call, a, b *physics.Body) {
	spec := c.spec(0, 0)
	if a.Key == 0 || b.Key == 0 {
		return
	}
	j := physics.NewJoint(f.nextKey[1], spec.Kind, a, b, c.at)
	switch spec.Kind {
	case physics.Distance:
		j = physics.NewDistance(j.Key, a, b, c.at, *spec.To)
	case physics.Target:
		j.AnchorB, j.MaxForce = b.ToBody(*spec.To), spec.MaxForce
	case physics.Slider, physics.Wheel:
		j.Axis = detmath.Wrap(detmath.Atan2(spec.Axis.Y, spec.Axis.X) - a.Angle)
	}
	if spec.Collide {
		j.Flags |= physics.JointCollide
	}
	if spec.Spring != nil {
		j.Flags, j.Hertz, j.Damping = j.Flags|physics.JointSpring, 3, 0.5
	}
	if spec.Motor != nil {
		j.Flags, j.Speed, j.MaxForce = j.Flags|physics.JointMotor, 2, 20
	}
	if spec.Limits != nil {
		j.Flags, j.Min, j.Max = j.Flags|physics.JointLimits, -1, 1
	}
	j.BreakForce = spec.BreakForce
	if len(physics.CheckJoint(&j, f.params)) == 0 && f.AddJoint(f.defs, j) == nil {
		f.joints = append(f.joints, j.Key)
		f.nextKey[1]++
	}
}

func (f *flat) hash() uint64 { return f.Hash() }

// story has the events as a Space tells them.
func (f *flat) story() string {
	var e space.Events
	begins, ends := f.solver.Events()
	visits := func(ev physics.Event) (all []space.Visit) {
		if f.sensors[ev.KeyA] {
			all = append(all, space.Visit{Sensor: space.BodyID(ev.KeyA), Visitor: space.BodyID(ev.KeyB)})
		}
		if f.sensors[ev.KeyB] {
			all = append(all, space.Visit{Sensor: space.BodyID(ev.KeyB), Visitor: space.BodyID(ev.KeyA)})
		}
		return all
	}
	touch := func(ev physics.Event) space.Touch {
		return space.Touch{A: space.BodyID(ev.KeyA), B: space.BodyID(ev.KeyB), Point: ev.Point, Normal: ev.Normal, Impulse: ev.Impulse, Speed: ev.Speed}
	}
	for _, ev := range begins {
		if ev.Sensor {
			e.Enters = append(e.Enters, visits(ev)...)
		} else {
			e.Begins = append(e.Begins, touch(ev))
		}
	}
	for _, ev := range ends {
		if ev.Sensor {
			e.Leaves = append(e.Leaves, visits(ev)...)
		} else {
			e.Ends = append(e.Ends, touch(ev))
		}
	}
	for _, ev := range f.solver.Hits() {
		e.Hits = append(e.Hits, touch(ev))
	}
	for _, j := range f.solver.JointEvents() {
		e.Breaks = append(e.Breaks, space.Break{Joint: space.JointID(j.Key), A: space.BodyID(j.KeyA), B: space.BodyID(j.KeyB), Broke: j.Broke, Force: j.Force, Torque: j.Torque})
	}
	return fmt.Sprint(e.Begins, e.Ends, e.Hits, e.Enters, e.Leaves, e.Breaks, f.solver.Clamped, f.solver.Crowded)
}

// The same calls in the same order have the same hash, ids and events: in two Spaces, and
// with package physics alone.
func TestSpaceEqualsFlat(t *testing.T) {
	var steps, joints, visits, breaks, reused int
	missing := func() string {
		if steps < 1000 || joints < 100 || visits < 50 || breaks < 20 || reused < 100 {
			return fmt.Sprintf("%d steps, %d joints, %d visits, %d breaks, %d slots used again", steps, joints, visits, breaks, reused)
		}
		return ""
	}
	draws.Until(t, draws.Pick(100, 1500), missing, func(rt *rapid.T) {
		calls := rapid.SliceOfN(rapid.Custom(drawCall), 60, 200).Draw(rt, "calls")
		a, b, f := newSpaced(rt), newSpaced(rt), newFlat(rt)
		for i, c := range calls {
			for _, w := range []world{a, b, f} {
				w.make(c)
			}
			if a.hash() != b.hash() || a.hash() != f.hash() {
				rt.Fatalf("call %d, %+v: hashes %016x, %016x in Spaces, %016x flat", i, c, a.hash(), b.hash(), f.hash())
			}
			if c.kind == step && (a.story() != b.story() || a.story() != f.story()) {
				rt.Fatalf("call %d: events\n%s in a Space\n%s flat", i, a.story(), f.story())
			}
			if c.kind == step {
				steps++
				visits += len(a.Events().Enters)
				breaks += len(a.Events().Breaks)
			}
		}
		if !slices.Equal(a.bodies, b.bodies) || !slices.Equal(a.joints, b.joints) {
			rt.Fatalf("ids %v %v, then %v %v", a.bodies, a.joints, b.bodies, b.joints)
		}
		joints += len(a.joints)
		state, _, _ := a.Flat()
		reused += len(f.Bodies) - len(state.Bodies)
	})
	t.Logf("%d steps, %d joints, %d visits, %d breaks, %d slots used again", steps, joints, visits, breaks, reused)
}
