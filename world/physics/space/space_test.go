package space_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
	"pgregory.net/rapid"
)

// yard is a floor with a crate on it, a ball that hangs from the world by a hinge with a
// motor, and a zone that senses what is in it.
type yard struct {
	*space.Space
	floorDef, crateDef, ballDef, zoneDef space.DefID
	floor, crate, ball, zone             space.BodyID
	hinge                                space.JointID
}

func newYard() *yard {
	s := space.Must(space.New(physics.NewParams(60)))
	y := &yard{Space: s}
	y.floorDef = space.Must(s.AddDef(physics.NewDef(physics.Static, physics.BoxShape(20, 1))))
	y.crateDef = space.Must(s.AddDef(physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1))))
	y.ballDef = space.Must(s.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(0.5))))
	zone := physics.NewDef(physics.Static, physics.BoxShape(2, 2))
	zone.Sensor = true
	y.zoneDef = space.Must(s.AddDef(zone))
	y.floor = space.Must(s.AddBody(y.floorDef, physics.Pose{Y: -0.5}))
	y.crate = space.Must(s.AddBody(y.crateDef, physics.Pose{Y: 0.5}))
	y.ball = space.Must(s.AddBody(y.ballDef, physics.Pose{X: 4, Y: 3}))
	y.zone = space.Must(s.AddBody(y.zoneDef, physics.Pose{X: -4, Y: 1}))
	y.hinge = space.Must(s.AddJoint(space.Joint{Kind: physics.Hinge, A: y.ball, At: physics.Vec{X: 4, Y: 3}, Motor: &space.Motor{Speed: 2, MaxForce: 10}}))
	return y
}

func (y *yard) steps(n int) {
	for range n {
		y.Step()
	}
}

// What is refused is refused with a reason, and changes nothing: not the state, and not the
// ids that come next.
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
		"joint of nothing": {func(y *yard) error { _, err := y.AddJoint(space.Joint{Kind: physics.Hinge}); return err }, "A: bad id: 0 is no body"},
		"joint of a stranger": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Hinge, A: y.crate, B: 99})
			return err
		}, "joint of bodies 2 and 99: B: bad id: body 99 was not added"},
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
		"no axis": {func(y *yard) error { _, err := y.AddJoint(space.Joint{Kind: physics.Slider, A: y.crate}); return err }, "Axis = (0, 0): give a direction"},
		"axis NaN": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Slider, A: y.crate, Axis: physics.Vec{X: math.NaN()}})
			return err
		}, "axis = NaN"},
		"axis of a weld": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate, Axis: physics.Vec{X: 1}})
			return err
		}, "Axis counts for Slider and Wheel only"},
		"to of a weld": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate, To: physics.Vec{X: 1}})
			return err
		}, "To counts for Distance and Target only"},
		"length of a weld": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Weld, A: y.crate, Length: 1})
			return err
		}, "Length = 1 counts for Distance only"},
		"rod of no length": {func(y *yard) error { _, err := y.AddJoint(space.Joint{Kind: physics.Distance, A: y.crate}); return err }, "Length = 0: a rod needs a length"},
		"target, no force": {func(y *yard) error {
			_, err := y.AddJoint(space.Joint{Kind: physics.Target, A: y.crate, Spring: &space.Spring{Hertz: 3}})
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

// Ids of what was removed, or broke, are noticed however often the slot is used again.
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

// Events tell who began to touch, who visits whom and what broke, also of bodies that were
// removed.
func TestEvents(t *testing.T) {
	y := newYard()
	y.steps(1)
	if e := y.Events(); len(e.Begins) != 1 || e.Begins[0].A != y.floor || e.Begins[0].B != y.crate || len(e.Enters) != 0 {
		t.Errorf("the crate lies on the floor: %+v", e)
	}
	visitor := space.Must(y.AddBody(y.ballDef, physics.Pose{X: -4, Y: 1.2}))
	y.steps(1)
	if e := y.Events(); !slices.Equal(e.Enters, []space.Visit{{Sensor: y.zone, Visitor: visitor}}) {
		t.Errorf("a ball in the zone: %+v", e)
	}
	if err := errors.Join(y.RemoveBody(y.zone), y.RemoveBody(y.crate), y.RemoveBody(y.ball)); err != nil {
		t.Fatal(err)
	}
	space.Must(y.AddBody(y.crateDef, physics.Pose{X: 8, Y: 8})) // into one of the slots
	y.steps(1)
	e := y.Events()
	if !slices.Equal(e.Leaves, []space.Visit{{Sensor: y.zone, Visitor: visitor}}) {
		t.Errorf("the zone was removed: %+v", e.Leaves)
	}
	if len(e.Ends) != 1 || e.Ends[0].A != y.floor || e.Ends[0].B != y.crate {
		t.Errorf("the crate was removed: %+v", e.Ends)
	}
	if len(e.Breaks) != 0 {
		t.Errorf("%+v of a joint with the world, of which the only body was removed", e.Breaks)
	}
	y.steps(60)
	if len(y.Events().Hits) > 0 {
		t.Errorf("at rest: %+v", y.Events().Hits)
	}
}

func TestHitsAndBreaks(t *testing.T) {
	y := newYard()
	falling := space.Must(y.AddBody(y.crateDef, physics.Pose{X: 6, Y: 4}))
	tied := space.Must(y.AddJoint(space.Joint{Kind: physics.Weld, A: y.ball, B: y.crate, At: physics.Vec{X: 2, Y: 2}, BreakForce: 1}))
	hits, breaks := 0, 0
	for range 90 {
		y.Step()
		for _, h := range y.Events().Hits {
			if h.B == falling && h.A == y.floor && h.Speed > 5 {
				hits++
			}
		}
		for _, b := range y.Events().Breaks {
			if b.Joint == tied && b.Broke && b.Force > 1 && b.A == y.ball && b.B == y.crate {
				breaks++
			}
		}
	}
	if hits != 1 || breaks != 1 {
		t.Errorf("%d hits of the falling crate and %d breaks, want one of each", hits, breaks)
	}
}

// A Restore to any step, and the same calls again, give the same hashes, ids and events.
func TestRestore(t *testing.T) {
	draws.CheckN(t, draws.Pick(60, 600), func(rt *rapid.T) {
		calls := rapid.SliceOfN(rapid.Custom(drawCall), 40, 120).Draw(rt, "calls")
		at := rapid.IntRange(0, len(calls)-1).Draw(rt, "saved at")
		a := newSpaced(rt)
		var saved space.Saved
		a.Save(&saved) // its memory is used again
		play := func(w *spaced, from int) (told []string) {
			for i, c := range calls[from:] {
				if w == a && from == 0 && i == at {
					w.Save(&saved)
				}
				w.make(c)
				told = append(told, w.story())
			}
			return told
		}
		first := play(a, 0)
		hash, bodies, joints := a.Hash(), slices.Clone(a.bodies), slices.Clone(a.joints)

		// The lists of ids as they were then, by making the calls up to there once more.
		then := newSpaced(rt)
		for _, c := range calls[:at] {
			then.make(c)
		}
		for _, w := range []*spaced{a, newSpaced(rt)} { // the same Space, and another one
			w.bodies, w.joints = slices.Clone(then.bodies), slices.Clone(then.joints)
			w.Restore(&saved)
			if w.Hash() != then.Hash() || w.Hash() != saved.State().Hash() {
				rt.Fatalf("restored to %016x, want %016x", w.Hash(), then.Hash())
			}
			again := play(w, at)
			from := slices.IndexFunc(calls[at:], func(c call) bool { return c.kind == step })
			if from >= 0 && !slices.Equal(again[from:], first[at+from:]) {
				rt.Fatal("the events of the second time are others")
			}
			if w.Hash() != hash || !slices.Equal(w.bodies, bodies) || !slices.Equal(w.joints, joints) {
				rt.Fatalf("the second time: hash %016x, want %016x; bodies %v, want %v; joints %v, want %v", w.Hash(), hash, w.bodies, bodies, w.joints, joints)
			}
		}
	})
}

// Defs that were added after a Save are gone after Restore, and do not reach into what the
// Saved has.
func TestRestoreDefs(t *testing.T) {
	y := newYard()
	var saved space.Saved
	y.Save(&saved)
	big := space.Must(y.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(3))))
	y.Restore(&saved)
	if _, err := y.AddBody(big, physics.Pose{Y: 9}); !errors.Is(err, space.ErrID) {
		t.Errorf("a Def of the future: %v", err)
	}
	small := space.Must(y.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(0.1))))
	other := space.Must(space.New(physics.NewParams(30)))
	other.Restore(&saved)
	otherBig := space.Must(other.AddDef(physics.NewDef(physics.Dynamic, physics.CircleShape(5))))
	if big != small || small != otherBig {
		t.Errorf("the Defs added after the Restore are %d, %d and %d, want the same", big, small, otherBig)
	}
	_, defs, p := y.Flat()
	_, otherDefs, otherP := other.Flat()
	if defs[small-1].Shape.Radius != 0.1 || otherDefs[otherBig-1].Shape.Radius != 5 || p != otherP {
		t.Error("two Spaces write into each other's Defs, or have other Params than those saved")
	}
}

// Load makes a Space of a flat state, which goes on as the state does.
func TestLoad(t *testing.T) {
	y := newYard()
	y.steps(30)
	state, defs, p := y.Flat()
	s, err := space.Load(state, defs, p)
	if err != nil {
		t.Fatal(err)
	}
	for range 30 {
		y.Step()
		s.Step()
	}
	if s.Hash() != y.Hash() {
		t.Error("the loaded Space goes another way")
	}
	if a, b := space.Must(y.AddBody(y.crateDef, physics.Pose{Y: 9})), space.Must(s.AddBody(y.crateDef, physics.Pose{Y: 9})); a != b {
		t.Errorf("the next body is %d, and %d in the loaded Space", a, b)
	}
	state.Bodies[1].Def = 9
	if _, err := space.Load(state, defs, p); err == nil || !strings.Contains(err.Error(), "body 0000000000000002 in slot 1: Def = 9") {
		t.Errorf("a state with a Def out of range: %v", err)
	}
}

// Sleepers wake when a static body appears near them or moves, and when gravity changes.
func TestWakes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(y *yard) error
		wakes  bool
	}{
		"nothing":       {func(y *yard) error { return nil }, false},
		"far wall":      {func(y *yard) error { _, err := y.AddBody(y.floorDef, physics.Pose{Y: 40}); return err }, false},
		"wall":          {func(y *yard) error { _, err := y.AddBody(y.floorDef, physics.Pose{Y: 2}); return err }, true},
		"floor moved":   {func(y *yard) error { return y.ChangeBody(y.floor, func(b *physics.Body, _ *physics.Def) { b.Y -= 5 }) }, true},
		"floor removed": {func(y *yard) error { return y.RemoveBody(y.floor) }, true},
		"gravity": {func(y *yard) error {
			_, _, p := y.Flat()
			p.GravityX = 4
			return y.SetParams(p)
		}, true},
		"pushed": {func(y *yard) error {
			return y.ChangeBody(y.crate, func(b *physics.Body, d *physics.Def) { b.ApplyImpulse(d, 1, 0) })
		}, true},
	} {
		y := newYard()
		y.steps(120)
		if b := space.Must(y.Body(y.crate)); !b.Asleep() {
			t.Fatal("the crate does not sleep")
		}
		if err := c.change(y); err != nil {
			t.Fatal(err)
		}
		y.Step()
		if b := space.Must(y.Body(y.crate)); b.Asleep() == c.wakes {
			t.Errorf("%s: asleep %v", name, b.Asleep())
		}
	}
}

func TestQueries(t *testing.T) {
	y := newYard()
	all := y.Query(space.Filter{})
	if hit, ok := all.Raycast(physics.Vec{Y: 5}, physics.Vec{Y: -5}); !ok || hit.Body != y.crate || hit.Point.Y != 1 || hit.Normal.Y != 1 || hit.Fraction != 0.4 {
		t.Errorf("ray from above: %+v %v", hit, ok)
	}
	if hit, ok := y.Query(space.Filter{Ignore: y.crate}).Raycast(physics.Vec{Y: 5}, physics.Vec{Y: -5}); !ok || hit.Body != y.floor {
		t.Errorf("ray through the crate: %+v %v", hit, ok)
	}
	if _, ok := y.Query(space.Filter{Layers: 2}).Raycast(physics.Vec{Y: 5}, physics.Vec{Y: -5}); ok {
		t.Error("a ray sees a layer that it does not look at")
	}
	hits := all.RaycastAll(physics.Vec{Y: 5}, physics.Vec{Y: -5}, nil)
	if len(hits) != 2 || hits[0].Body != y.crate || hits[1].Body != y.floor {
		t.Errorf("all on the ray: %+v", hits)
	}
	if hit, ok, err := all.ShapeCast(physics.CircleShape(0.5), physics.Pose{X: 4, Y: 9}, physics.Vec{Y: -9}); err != nil || !ok || hit.Body != y.ball {
		t.Errorf("cast: %+v %v %v", hit, ok, err)
	}
	if ids, err := all.Overlap(physics.BoxShape(1, 1), physics.Pose{Y: 0.1}, nil); err != nil || !slices.Equal(ids, []space.BodyID{y.floor, y.crate}) {
		t.Errorf("overlap: %v %v", ids, err)
	}
	if ids, err := y.Query(space.Filter{Ignore: y.floor}).Overlap(physics.BoxShape(1, 1), physics.Pose{Y: 0.1}, nil); err != nil || !slices.Equal(ids, []space.BodyID{y.crate}) {
		t.Errorf("overlap but for the floor: %v %v", ids, err)
	}
	if found, ok := all.Nearest(physics.Vec{X: 4, Y: 5}, 3); !ok || found.Body != y.ball || math.Abs(found.Distance-1.5) > 1e-9 {
		t.Errorf("nearest: %+v %v", found, ok)
	}
	if _, ok := all.Nearest(physics.Vec{X: 4, Y: 50}, 3); ok {
		t.Error("the nearest is farther than asked for")
	}
}

// Bodies gives all, in the order in which they were added, and may be left early.
func TestBodies(t *testing.T) {
	y := newYard()
	if err := y.RemoveBody(y.crate); err != nil {
		t.Fatal(err)
	}
	late := space.Must(y.AddBody(y.crateDef, physics.Pose{Y: 9}))
	var ids []space.BodyID
	for id, b := range y.Bodies {
		if b.Key != uint64(id) {
			t.Errorf("body %d has key %d", id, b.Key)
		}
		ids = append(ids, id)
	}
	if want := []space.BodyID{y.floor, y.ball, y.zone, late}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
	for range y.Bodies {
		break
	}
}

// Save, Restore, Step and reading allocate nothing once their memory is large enough.
func TestAllocations(t *testing.T) {
	y := newYard()
	var saved space.Saved
	y.steps(10)
	y.Save(&saved)
	n := testing.AllocsPerRun(20, func() {
		y.Restore(&saved)
		y.Step()
		y.Save(&saved)
		b, _ := y.Body(y.crate)
		_, ok := y.Query(space.Filter{Ignore: y.ball}).Raycast(b.Position(), physics.Vec{Y: -9})
		if !ok || len(y.Events().Begins) > 1 {
			t.Error("no floor")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a step, want 0", n)
	}
}
