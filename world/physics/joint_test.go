package physics

import (
	"fmt"
	"math"
	"testing"
)

// tie adds a joint to a scene; its key is spread as those of bodies are.
func (sc *scene) tie(t testing.TB, j Joint) uint64 {
	t.Helper()
	if j.Key == 0 {
		j.Key = mix(uint64(len(sc.Joints)) + 1000)
	}
	if err := sc.AddJoint(sc.defs, j); err != nil {
		t.Fatal(err)
	}
	return j.Key
}

func (sc *scene) joint(t testing.TB, key uint64) *Joint {
	t.Helper()
	i, ok := sc.FindJoint(key)
	if !ok {
		t.Fatalf("joint %016x is not there", key)
	}
	return &sc.Joints[i]
}

// periodOf steps until value has risen through zero n+1 times and gives the
// mean time between.
func periodOf(t *testing.T, sc *scene, n int, value func() float64) float64 {
	t.Helper()
	sv := Solver{Check: true}
	var first, last float64
	rises := 0
	before := value()
	for tick := range 60 * 120 {
		sc.run(&sv, 1)
		now := value()
		if before < 0 && now >= 0 {
			last = (float64(tick) + before/(before-now)) * sc.rules.DT
			if rises == 0 {
				first = last
			}
			if rises++; rises > n {
				return (last - first) / float64(n)
			}
		}
		before = now
	}
	t.Fatalf("%d rises in two minutes, want %d", rises, n+1)
	return 0
}

// Pendulums made with each kind of joint keep their period within 1 %.
func TestQualityPendulum(t *testing.T) {
	const length, swing = 2.0, 0.3
	// Period at a finite swing: T0 (1 + a^2/16 + 11 a^4/3072).
	stretch := 1 + swing*swing/16 + 11*swing*swing*swing*swing/3072
	bob := Def{Type: Dynamic, Shape: CircleShape(0.2), GravityScale: 1}
	radius2 := 0.2 * 0.2 / 2 // inertia of a disc by its mass
	for name, c := range map[string]struct {
		kind  JointKind
		about float64 // m2: inertia about the pivot by mass
	}{
		"rod":   {Distance, length * length}, // the bob keeps its angle
		"hinge": {Hinge, length*length + radius2},
	} {
		sc := &scene{rules: rules60}
		d := sc.def(t, bob)
		sc.put(d, length*math.Sin(swing), 5-length*math.Cos(swing), 0)
		b := &sc.Bodies[0]
		if c.kind == Distance {
			sc.tie(t, NewDistance(0, b, nil, b.Position(), Vec{0, 5}))
		} else {
			sc.tie(t, NewJoint(0, c.kind, b, nil, Vec{0, 5}))
		}
		want := 2 * math.Pi * math.Sqrt(c.about/(10*length)) * stretch
		got := periodOf(t, sc, 10, func() float64 { return sc.Bodies[0].X })
		figure(t, "pendulum on a "+name+": period off", 100*math.Abs(got/want-1), 1, "%")
		if l := math.Hypot(sc.Bodies[0].X, sc.Bodies[0].Y-5); !near(l, length, 0.01*length) {
			t.Errorf("%s: length %v m after 10 swings, want %v", name, l, length)
		}
	}
}

// Springs along a line, round a hinge and of a wheel keep their period within
// 1 %, and swing on where nothing damps them.
func TestQualitySpring(t *testing.T) {
	for _, hertz := range []float64{0.5, 1, 3} {
		for _, kind := range []JointKind{Distance, Slider, Wheel, Hinge} {
			sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
			d := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.5, 0.5)})
			sc.put(d, 3, 0, 0)
			b := &sc.Bodies[0]
			j := NewJoint(0, kind, b, nil, b.Position())
			if kind == Distance {
				j = NewDistance(0, b, nil, b.Position(), Vec{0, 0})
			}
			j.Flags, j.Hertz = JointSpring, hertz
			sc.tie(t, j)
			value, start := func() float64 { return sc.Bodies[0].X - 3 }, 0.5
			if kind == Hinge {
				value, start = func() float64 { return sc.Bodies[0].Angle }, 0.5
				b.SetAngle(start)
			} else {
				b.X += start
			}
			got := periodOf(t, sc, 10, value)
			figure(t, fmt.Sprintf("spring in a %s joint at %v Hz: period off", jointName(kind), hertz), 100*math.Abs(got*hertz-1), 1, "%")
			least := 0.0
			sv := Solver{Check: true}
			for range int(60 / hertz) {
				sc.run(&sv, 1)
				least = min(least, value())
			}
			if !near(least, -start, 0.05*start) {
				t.Errorf("kind %d, %v Hz: swings to %v after 10 periods, want %v", kind, hertz, least, -start)
			}
		}
	}
}

// A spring comes to rest as its damping says: the ratio of two swings.
func TestSpringDamping(t *testing.T) {
	const zeta = 0.2
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5)})
	sc.put(d, 3, 0, 0)
	j := NewDistance(0, &sc.Bodies[0], nil, Vec{3, 0}, Vec{})
	j.Flags, j.Hertz, j.Damping = JointSpring, 1, zeta
	sc.tie(t, j)
	sc.Bodies[0].X = 3.5
	sv := Solver{Check: true}
	least := 0.0
	for range 60 {
		sc.run(&sv, 1)
		least = min(least, sc.Bodies[0].X-3)
	}
	want := -0.5 * math.Exp(-math.Pi*zeta/math.Sqrt(1-zeta*zeta))
	if !near(least, want, 0.02) {
		t.Errorf("the first swing back goes to %v, want %v", least, want)
	}
}

// A stiff spring of any frequency stays calm.
func TestStiffSpringsAreStable(t *testing.T) {
	for _, hertz := range []float64{20, 60, 200, 1000} {
		sc := &scene{rules: rules60}
		d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.2), GravityScale: 1})
		for i := range 10 {
			sc.put(d, 0, -float64(i+1), 0)
			var above *Body
			if i > 0 {
				above = &sc.Bodies[i-1]
			}
			j := NewDistance(0, &sc.Bodies[i], above, Vec{0, -float64(i + 1)}, Vec{0, -float64(i)})
			j.Flags, j.Hertz = JointSpring, hertz
			sc.tie(t, j)
		}
		sc.Bodies[9].VX, sc.Bodies[4].VY = 5, 5
		sc.run(&Solver{Check: true}, 600)
		for i := range sc.Bodies {
			if b := &sc.Bodies[i]; !(b.Position().length() < 12) || !(Vec{b.VX, b.VY}.length() < 15) {
				t.Errorf("%v Hz: body %d flew to %v at %v, %v", hertz, i, b.Position(), b.VX, b.VY)
			}
		}
	}
}

// hangingRope returns links of 1 kg below each other and a weight at the end.
func hangingRope(t testing.TB, links int, length, weight float64, kind JointKind) *scene {
	sc := &scene{rules: rules60}
	link := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.1, length), Mass: 1, GravityScale: 1})
	load := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.5, 0.5), Mass: weight, GravityScale: 1})
	for i := range links + 1 {
		def, y := link, -length*(float64(i)+0.5)
		if i == links {
			def = load
		}
		sc.put(def, 0, y, 0)
		top := Vec{0, -length * float64(i)}
		var above *Body
		if i > 0 {
			above = &sc.Bodies[i-1]
		}
		b := &sc.Bodies[i]
		j := NewJoint(0, Hinge, b, above, top)
		if kind == Distance {
			j = NewDistance(0, b, above, b.Position(), top.add(Vec{0, length / 2}))
			if i == 0 {
				j = NewDistance(0, b, nil, b.Position(), top)
			}
			j.Flags, j.Max = JointLimits, j.Length
		}
		sc.tie(t, j)
	}
	return sc
}

func jointName(k JointKind) string {
	return [...]string{Distance: "distance", Hinge: "hinge", Weld: "weld", Slider: "slider", Wheel: "wheel", Target: "target"}[k]
}

// A rope of 40 links of 1 kg with 20 kg at its end keeps its length within
// 2 %: hanging still, and struck.
func TestQualityRope(t *testing.T) {
	for _, kind := range []JointKind{Hinge, Distance} {
		for _, push := range []float64{0, 40} {
			sc := hangingRope(t, 40, 0.5, 20, kind)
			length := -sc.Bodies[40].Y
			sc.Bodies[40].VX = push / 20
			sv := Solver{Check: true}
			worst := 0.0
			for range 600 {
				sc.run(&sv, 1)
				worst = max(worst, sc.Bodies[40].Position().length()/length-1)
			}
			figure(t, fmt.Sprintf("rope of 40 links of 1 kg with 20 kg at its end, %s joints, struck with %v N s: stretch", jointName(kind), push), 100*worst, 2, "%")
		}
	}
}

// A beam of welded links sags, since welds are springs: it had better be one
// body of several shapes.
func TestQualityWeldedBeam(t *testing.T) {
	const links, length = 6, 0.5
	sc := &scene{rules: rules60}
	link := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(length, 0.2), Mass: 1, GravityScale: 1})
	var before *Body
	for i := range links {
		at := Vec{length * float64(i), 0}
		slot := sc.put(link, at.X+length/2, 0, 0)
		if i > 0 {
			before = &sc.Bodies[slot-1]
		}
		sc.tie(t, NewJoint(0, Weld, &sc.Bodies[slot], before, at))
	}
	sc.run(&Solver{Check: true}, 600)
	figure(t, "beam of 6 links welded to a wall: sag of its end, as a share of its length", -100*sc.Bodies[links-1].Y/(links*length), 6, "%")
}
