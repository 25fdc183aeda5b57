package space_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// A call that is refused returns the reason and changes nothing: neither the state nor the
// next ids.
func TestRefused(t *testing.T) {
	pose := physics.Pose{Y: 5}
	for name, c := range map[string]struct {
		call func(y *yard) error
		want string
	}{
		"no def":           {func(y *yard) error { _, err := y.AddBody(0, pose); return err }, "body of def 0: bad id: there are 4 Defs"},
		"def out of range": {func(y *yard) error { _, err := y.AddBody(5, pose); return err }, "use the id that AddDef returned"},
		"degrees":          {func(y *yard) error { _, err := y.AddBody(y.crateDef, physics.Pose{Angle: 90}); return err }, "Angle = 90: give radians"},
		"angle NaN":        {func(y *yard) error { _, err := y.AddBody(y.crateDef, physics.Pose{Angle: math.NaN()}); return err }, "Angle = NaN"},
		"far":              {func(y *yard) error { _, err := y.AddBody(y.crateDef, physics.Pose{X: 1e6}); return err }, "body of def 2: X, Y = 1e+06, 0: Step holds"},
		"bad shape": {func(y *yard) error {
			_, err := y.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(0)))
			return err
		}, "def 5: bad body definition: shape 1: bad shape: radius = 0"},
		"no layer": {func(y *yard) error {
			d := physics.NewDef(physics.Dynamic, physics.CircleShape(1))
			d.Layer = 0
			_, err := y.AddDef(d, physics.Weightless)
			return err
		}, "def 5: Layer = 0"},
		"meant mistake": {func(y *yard) error {
			d := physics.NewDef(physics.Static, physics.CircleShape(1))
			d.Bullet = true
			_, err := y.AddDef(d, physics.Ignored)
			return err
		}, "Bullet counts for dynamic bodies only"},
		"joint of nothing": {func(y *yard) error { _, err := y.AddJoint(space.Joint{Kind: physics.Hinge}); return err }, "body A: bad id: 0 is no body"},
		"joint of a stranger": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Hinge, A: y.crate, B: 99})
			return err
		}, "joint of bodies 2 and 99: body B: bad id: body 99 was not added"},
		"joint of itself": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Hinge, A: y.crate, B: y.crate})
			return err
		}, "it needs a key, a body A, and another B"},
		"joint of the floor": {func(y *yard) error { _, err := y.AddJoint(space.Joint{Kind: physics.Hinge, A: y.floor}); return err }, "neither body"},
		"no kind":            {func(y *yard) error { _, err := y.AddJoint(space.Joint{A: y.crate}); return err }, "must be Distance, Hinge"},
		"motor without force": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Hinge, A: y.crate, Motor: &space.Motor{Speed: 1}})
			return err
		}, "joint of body 2 and the world: MaxForce = 0"},
		"weld with motor": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate, Motor: &space.Motor{Speed: 1, MaxForce: 1}})
			return err
		}, "this kind has no motor"},
		"no axis": {func(y *yard) error { _, err := y.AddJoint(space.Joint{Kind: physics.Slider, A: y.crate}); return err }, "the Axis is (0, 0): give a direction"},
		"axis NaN": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Slider, A: y.crate, Axis: physics.Vec{X: math.NaN()}})
			return err
		}, "axis = NaN"},
		"axis of a weld": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate, Axis: physics.Vec{X: 1}})
			return err
		}, "Axis counts for Slider and Wheel only"},
		"to of a weld": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate, To: &physics.Vec{X: 1}})
			return err
		}, "To counts for Distance and Target only"},
		"length of a weld": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate, Length: 1})
			return err
		}, "Length = 1 counts for Distance only"},
		"rod of no length": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Distance, A: y.crate, To: new(physics.Vec)})
			return err
		}, "Length = 0: a rod needs a length"},
		"rod to nowhere": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Distance, A: y.crate})
			return err
		}, "To is nil: give the place"},
		"target, no force": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Target, A: y.crate, To: &physics.Vec{Y: 1}, Spring: &space.Spring{Hertz: 3}})
			return err
		}, "MaxForce = 0: the target does not pull"},
		"angle written": {func(y *yard) error {
			return y.ChangeBody(y.crate, func(b *physics.Body, _ *physics.Def) { b.Angle = 1 })
		}, "body 2: Cos, Sin = 1, 0 do not belong"},
		"pushed floor": {func(y *yard) error {
			return y.ChangeBody(y.floor, func(b *physics.Body, _ *physics.Def) { b.ApplyForce(1, 0) })
		}, "body 1: a force on a static body"},
		"velocity NaN": {func(y *yard) error {
			return y.ChangeBody(y.crate, func(b *physics.Body, _ *physics.Def) { b.VX = math.NaN() })
		}, "VX, VY = NaN, 0"},
		"other key":           {func(y *yard) error { return y.ChangeBody(y.crate, func(b *physics.Body, _ *physics.Def) { b.Key = 7 }) }, "Key or Def were changed"},
		"other def":           {func(y *yard) error { return y.ChangeBody(y.crate, func(b *physics.Body, _ *physics.Def) { b.Def = 0 }) }, "Key or Def were changed"},
		"no body":             {func(y *yard) error { return y.ChangeBody(0, func(*physics.Body, *physics.Def) { t.Error("called") }) }, "bad id: 0 is no body"},
		"limits without flag": {func(y *yard) error { return y.ChangeJoint(y.hinge, func(j *physics.Joint) { j.Max = 1 }) }, "joint 1: Min = 0, Max = 1: the limits are off; add JointLimits"},
		"joint to another":    {func(y *yard) error { return y.ChangeJoint(y.hinge, func(j *physics.Joint) { j.KeyB = 2 }) }, "its Key, bodies or Kind were changed"},
		"speed NaN":           {func(y *yard) error { return y.ChangeJoint(y.hinge, func(j *physics.Joint) { j.Speed = math.NaN() }) }, "speed = NaN"},
		"no joint":            {func(y *yard) error { return y.ChangeJoint(0, func(*physics.Joint) { t.Error("called") }) }, "bad id: 0 is no joint"},
		"joint of the future": {func(y *yard) error { return y.RemoveJoint(2) }, "joint 2 was not added"},
		"body of the future":  {func(y *yard) error { return y.RemoveBody(9) }, "body 9 was not added"},
		"rules in ms":         {func(y *yard) error { return y.SetParams(physics.Params{DT: 16, Substeps: 4}) }, "params: DT = 16 s"},
		"cast of nothing": {func(y *yard) error {
			_, _, err := y.Query(space.Filter{}).ShapeCast(physics.Shape{}, pose, physics.Vec{Y: -9})
			return err
		}, "shape cast: bad shape"},
		"overlap of nothing": {func(y *yard) error {
			_, err := y.Query(space.Filter{}).Overlap(physics.CircleShape(-1), pose, nil)
			return err
		}, "overlap: bad shape: radius = -1"},
	} {
		y, twin := newYard(), newYard()
		err := c.call(y)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		for _, one := range []*yard{y, twin} {
			one.crate = space.Must(one.AddBody(one.crateDef, pose))
			one.hinge = space.Must(one.AddJoint(space.Joint{Kind: physics.Weld, A: one.crate, B: one.ball, At: physics.Vec{X: 3, Y: 4}}))
			one.zoneDef = space.Must(one.AddDef(physics.NewDef(physics.Static, physics.CircleShape(1))))
			one.steps(3)
		}
		if y.crate != twin.crate || y.hinge != twin.hinge || y.zoneDef != twin.zoneDef || y.Hash() != twin.Hash() {
			t.Errorf("%s: after the refused call, ids and hash are others than without it", name)
		}
	}
}

// A Finding can be told from other errors.
func TestFindingInError(t *testing.T) {
	y := newYard()
	d := physics.NewDef(physics.Dynamic, physics.CircleShape(1))
	d.GravityScale = 0
	_, err := y.AddDef(d)
	var f physics.Finding
	if !errors.As(err, &f) || f.Kind != physics.Weightless || f.Where != "def 5" {
		t.Errorf("%v holds %+v, want a Finding of kind Weightless", err, f)
	}
	if _, err := y.AddDef(d, physics.Weightless); err != nil {
		t.Error(err)
	}
}

// The methods of a Space that New did not make return an error that says so.
func TestZeroSpace(t *testing.T) {
	var s space.Space
	if _, err := s.AddDef(physics.NewDef(physics.Static, physics.CircleShape(1))); err == nil || !strings.Contains(err.Error(), "make it with New") {
		t.Error(err)
	}
}

// Gravity that comes later finds the Defs that are weightless without being meant to be.
func TestGravityLater(t *testing.T) {
	p := physics.NewParams(60)
	p.GravityY = 0
	s := space.Must(space.New(p))
	d := physics.NewDef(physics.Dynamic, physics.CircleShape(1))
	d.GravityScale = 0
	id := space.Must(s.AddDef(d))
	p.GravityY = -10
	if err := s.SetParams(p); err == nil || !strings.Contains(err.Error(), "def 1: GravityScale = 0") {
		t.Errorf("gravity for def %d, which has no weight: %v", id, err)
	}
	if _, _, now := s.Flat(); now.GravityY != 0 {
		t.Error("the refused gravity counts")
	}
}

// Ids of removed bodies and of broken joints are errors, however often the slot is used
// again.
func TestStaleIDs(t *testing.T) {
	y := newYard()
	old := []space.BodyID{y.crate}
	for range 20 {
		if err := y.RemoveBody(old[len(old)-1]); err != nil {
			t.Fatal(err)
		}
		old = append(old, space.Must(y.AddBody(y.crateDef, physics.Pose{Y: 3})))
		for _, id := range old[:len(old)-1] {
			if _, err := y.Body(id); !errors.Is(err, space.ErrID) || !strings.Contains(err.Error(), "was removed") {
				t.Fatalf("body %d, of which the slot is used again: %v", id, err)
			}
		}
	}
	if state, _, _ := y.Flat(); len(state.Bodies) != 4 {
		t.Errorf("%d slots, want 4: they are used again", len(state.Bodies))
	}
	brittle := space.Must(y.AddJoint(space.Joint{Kind: physics.Hinge, A: old[len(old)-1], At: physics.Vec{Y: 3}, BreakForce: 1e-3}))
	y.steps(2)
	for _, id := range []space.JointID{brittle, y.hinge} {
		_, err := y.Joint(id)
		if broke := id == brittle; broke != errors.Is(err, space.ErrID) {
			t.Errorf("joint %d, broken: %v: %v", id, broke, err)
		}
	}
	if err := y.RemoveBody(y.ball); err != nil {
		t.Fatal(err)
	}
	if _, err := y.Joint(y.hinge); !errors.Is(err, space.ErrID) {
		t.Errorf("the joint of a removed body: %v", err)
	}
}
