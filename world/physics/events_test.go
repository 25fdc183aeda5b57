package physics

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"testing"
)

func compareEvents(a, b Event) int {
	if c := cmp.Compare(a.KeyA, b.KeyA); c != 0 {
		return c
	}
	return cmp.Compare(a.KeyB, b.KeyB)
}

func TestEventsMatchContacts(t *testing.T) {
	sc := arena(t, 160, 20)
	sensor := sc.def(t, Def{Type: Static, Shape: BoxShape(6, 6), Sensor: true})
	sc.put(sensor, 3, 3, 0.3)
	sv := Solver{Check: true}
	touching := map[[2]uint64]bool{}
	begun, ended, sensed := 0, 0, 0
	for tick := range 300 {
		sc.steer(tick)
		if tick%100 == 50 {
			sc.Remove(tick / 2)
		}
		sc.run(&sv, 1)
		begins, ends := sv.Events()
		for _, list := range [][]Event{begins, ends} {
			if !slices.IsSortedFunc(list, compareEvents) {
				t.Fatalf("tick %d: events are out of order", tick)
			}
		}
		for _, e := range ends {
			pair := [2]uint64{e.KeyA, e.KeyB}
			if !touching[pair] {
				t.Fatalf("tick %d: %x ended without a beginning", tick, pair)
			}
			delete(touching, pair)
		}
		for _, e := range begins {
			pair := [2]uint64{e.KeyA, e.KeyB}
			if touching[pair] || e.KeyA >= e.KeyB || sc.Bodies[e.A].Key != e.KeyA || sc.Bodies[e.B].Key != e.KeyB {
				t.Fatalf("tick %d: bad beginning %+v", tick, e)
			}
			if !near(e.Normal.length(), 1, 1e-12) || e.Speed < 0 || e.Impulse < 0 {
				t.Fatalf("tick %d: bad numbers in %+v", tick, e)
			}
			if e.Sensor {
				sensed++
			}
			touching[pair] = true
		}
		begun, ended = begun+len(begins), ended+len(ends)
		if len(touching) != len(sc.Contacts) {
			t.Fatalf("tick %d: %d pairs touch by events, %d by contacts", tick, len(touching), len(sc.Contacts))
		}
	}
	if begun < 500 || ended < 500 || sensed < 20 {
		t.Errorf("%d beginnings, %d ends, %d of a sensor: the scene tests little", begun, ended, sensed)
	}
}

func TestContactEventHasTheImpactSpeed(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	d := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Mass: 2, Restitution: 0.5})
	wall := sc.def(t, Def{Type: Static, Shape: BoxShape(1, 10)})
	sc.putKey(9, d, 0, 0)
	sc.putKey(4, wall, 3, 0)
	sc.Bodies[0].VX = 6
	sv := Solver{Check: true}
	for range 60 {
		sc.run(&sv, 1)
		begins, _ := sv.Events()
		if len(begins) == 0 {
			continue
		}
		e := begins[0]
		if e.A != 1 || e.B != 0 || e.KeyA != 4 || e.KeyB != 9 {
			t.Errorf("the pair is %+v, want wall and ball, by key", e)
		}
		if !near(e.Normal.X, -1, 1e-12) || !near(e.Speed, 6, 1e-9) || !near(e.Impulse, 2*6*1.5, 0.1) {
			t.Errorf("normal %v speed %v impulse %v, want (-1, 0), 6 and 18", e.Normal, e.Speed, e.Impulse)
		}
		if !near(e.Point.X, 2.5, 0.1) || !near(e.Point.Y, 0, 1e-9) {
			t.Errorf("the point is %v, want about (2.5, 0)", e.Point)
		}
		return
	}
	t.Error("the ball never reached the wall")
}

// A box that comes to rest begins to touch once.
func TestRestingMakesOneEvent(t *testing.T) {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2), Friction: 0.5})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Friction: 0.5, GravityScale: 1, Restitution: 0.1})
	sc.put(floor, 0, -1, 0)
	sc.put(box, 0, 1.5, 0.4)
	sv := Solver{Check: true}
	begun, ended := 0, 0
	for range 600 {
		sc.run(&sv, 1)
		begins, ends := sv.Events()
		begun, ended = begun+len(begins), ended+len(ends)
	}
	if begun != ended+1 || begun > 3 {
		t.Errorf("%d beginnings and %d ends while a box comes to rest", begun, ended)
	}
}

func TestSensorPushesNothing(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
	zone := sc.def(t, Def{Type: Static, Shape: CircleShape(1), Sensor: true})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5)})
	ghost := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.5), Sensor: true})
	sc.putKey(1, zone, 5, 0)
	sc.putKey(2, ball, 0, 0)
	sc.putKey(3, ghost, 2, 0.2)
	sc.Bodies[1].VX = 6
	sv := Solver{Check: true}
	var log []string
	for range 120 {
		sc.run(&sv, 1)
		begins, ends := sv.Events()
		for _, e := range begins {
			if !e.Sensor || e.Impulse != 0 {
				t.Errorf("sensor event %+v", e)
			}
			log = append(log, "begin "+string(rune('0'+e.KeyA))+string(rune('0'+e.KeyB)))
		}
		for _, e := range ends {
			log = append(log, "end "+string(rune('0'+e.KeyA))+string(rune('0'+e.KeyB)))
		}
	}
	if want := []string{"begin 23", "end 23", "begin 12", "end 12"}; !slices.Equal(log, want) {
		t.Errorf("events %v, want %v", log, want)
	}
	if sc.Bodies[1].VX != 6 || sc.Bodies[2].VX != 0 {
		t.Error("a sensor pushed")
	}
}

func TestLayers(t *testing.T) {
	for _, c := range []struct {
		layerA, meetsA, layerB, meetsB uint64
		want                           bool
	}{
		{1, 2, 2, 1, true}, {1, 2, 2, 2, false}, {1, 1, 2, 1, false}, {1, 3, 2, 3, true}, {0, 3, 2, 3, false}, {1, 0, 2, 3, false},
	} {
		sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
		for _, d := range []Def{
			{Type: Dynamic, Shape: CircleShape(1), Density: 1, Layer: c.layerA, Collides: c.meetsA},
			{Type: Dynamic, Shape: CircleShape(1), Density: 1, Layer: c.layerB, Collides: c.meetsB}} {
			if err := d.Prepare(); err != nil {
				t.Fatal(err)
			}
			sc.defs = append(sc.defs, d)
		}
		sc.put(0, 0, 0, 0)
		sc.put(1, 1, 0, 0)
		sc.run(&Solver{Check: true}, 1)
		if got := len(sc.Contacts) == 1; got != c.want {
			t.Errorf("%+v: collide %v", c, got)
		}
	}
}

func TestRemovedBodyEndsItsContacts(t *testing.T) {
	sc := &scene{rules: rules60}
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(50, 2), Friction: 0.5})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), Friction: 0.5, GravityScale: 1})
	sc.putKey(20, floor, 0, -1)
	for i, key := range []uint64{10, 30, 5} {
		sc.putKey(key, box, 0, 0.5+float64(i))
	}
	sv := Solver{Check: true}
	sc.run(&sv, 60) // 10-20, 10-30, 5-30 touch
	if len(sc.Contacts) != 3 {
		t.Fatalf("%d contacts, want 3", len(sc.Contacts))
	}
	sc.Remove(1) // key 10
	sc.Remove(3) // key 5
	saved := sc.copy()
	want := []Event{{A: -1, B: 0, KeyA: 10, KeyB: 20}, {A: -1, B: 2, KeyA: 10, KeyB: 30}}
	want = append([]Event{{A: -1, B: 2, KeyA: 5, KeyB: 30}}, want...)
	for _, again := range []*scene{sc, saved.copy(), withNewcomer(saved.copy(), box)} {
		fresh := &Solver{Check: true}
		again.run(fresh, 1)
		if _, ends := fresh.Events(); !slices.Equal(ends, want) {
			t.Errorf("ends %+v, want %+v", ends, want)
		}
		again.run(fresh, 1)
		if _, ends := fresh.Events(); len(ends) != 0 {
			t.Errorf("ends are reported twice: %+v", ends)
		}
	}
	gone := saved.copy()
	gone.Remove(2)
	gone.Remove(0)
	gone.run(&sv, 1)
	if _, ends := sv.Events(); len(ends) != 0 || len(gone.Contacts) != 0 {
		t.Errorf("nobody is left, but %+v ended", ends)
	}
}

// withNewcomer uses a freed slot for another body before the next step.
func withNewcomer(sc *scene, def uint32) *scene {
	sc.Bodies[1] = NewBody(11, def, Vec{20, 0.5}, 0)
	return sc
}

// TestSensorsReportKinematicBodies: a sensor of any type reports kinematic bodies, but those that are unsensed only if it
// is dynamic. It reports static bodies only if it is dynamic.
func TestSensorsReportKinematicBodies(t *testing.T) {
	types := map[string]Def{
		"static":    {Type: Static},
		"kinematic": {Type: Kinematic},
		"unsensed":  {Type: Kinematic, Unsensed: true},
		"dynamic":   {Type: Dynamic},
	}
	const reported = "dynamic of dynamic, dynamic of kinematic, dynamic of static, dynamic of unsensed, kinematic of dynamic, " +
		"kinematic of kinematic, static of dynamic, static of kinematic, unsensed of dynamic, unsensed of kinematic"
	var got []string
	for _, sensing := range slices.Sorted(maps.Keys(types)) {
		for _, passing := range slices.Sorted(maps.Keys(types)) {
			sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4}}
			sensor, other := types[sensing], types[passing]
			sensor.Shape, sensor.Sensor, other.Shape = CircleShape(1), true, BoxShape(0.4, 0.4)
			sc.putKey(1, sc.def(t, sensor), 0, 0)
			sc.putKey(2, sc.def(t, other), -3, 0)
			moves := 1
			if other.Type == Static {
				moves = 0
			}
			sc.Bodies[moves].VX = float64(6 * (2*moves - 1)) // towards the other
			if sensor.Type == Static && other.Type == Static {
				sc.Bodies[moves].VX = 0
				sc.Bodies[1].X = 0
			}
			sv := Solver{Check: true}
			begun, ended := 0, 0
			for range 120 {
				sc.run(&sv, 1)
				begins, ends := sv.Events()
				begun, ended = begun+len(begins), ended+len(ends)
			}
			if begun != ended || begun > 1 {
				t.Errorf("%s of %s: %d beginnings, %d ends", sensing, passing, begun, ended)
			}
			if begun == 1 {
				got = append(got, sensing+" of "+passing)
			}
			if can := sc.defs[0].CanTouch(&sc.defs[1]); can != (begun == 1) {
				t.Errorf("%s of %s: can touch: %v", sensing, passing, can)
			}
		}
	}
	if text := strings.Join(got, ", "); text != reported {
		t.Errorf("reported are %s, want %s", text, reported)
	}
}

// TestCanTouch: bodies can touch if one of them can be pushed or is sensed, not both are sensors, and both agree in their
// layers.
func TestCanTouch(t *testing.T) {
	def := func(of BodyType, sensor bool, layer, collides uint64) *Def {
		d := NewDef(of, CircleShape(1))
		d.Sensor, d.Layer, d.Collides = sensor, layer, collides
		return &d
	}
	for _, test := range []struct {
		a, b *Def
		want bool
	}{
		{def(Dynamic, false, 1, 1), def(Static, false, 1, 1), true},
		{def(Kinematic, false, 1, 1), def(Static, false, 1, 1), false},
		{def(Kinematic, false, 1, 1), def(Kinematic, false, 1, 1), false},
		{def(Dynamic, true, 1, 1), def(Dynamic, true, 1, 1), false},
		{def(Dynamic, false, 1, 2), def(Dynamic, false, 2, 1), true},
		{def(Dynamic, false, 1, 3), def(Dynamic, false, 2, 2), false},
		{def(Dynamic, false, 1, 1), &Def{Layer: 1, Collides: 1}, false},
	} {
		if a, b := test.a.CanTouch(test.b), test.b.CanTouch(test.a); a != test.want || b != test.want {
			t.Errorf("%+v and %+v: %v and %v", test.a, test.b, a, b)
		}
	}
}

// TestContactBecomesSensed: where both bodies have become fixed by other Defs, and one a sensor, the contact that they had
// is not kept beside the one that the sensor makes.
func TestContactBecomesSensed(t *testing.T) {
	sc := &scene{rules: Params{DT: 1.0 / 60, Substeps: 4, SleepAfter: 0.5}}
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(1, 1), GravityScale: 1})
	lift := sc.def(t, Def{Type: Kinematic, Shape: BoxShape(1, 1)})
	floor := sc.def(t, Def{Type: Static, Shape: BoxShape(9, 1)})
	zone := sc.def(t, Def{Type: Static, Shape: BoxShape(9, 1), Sensor: true})
	sc.putKey(1, floor, 0, 0)
	sc.putKey(2, box, 0, 1)
	sv := Solver{Check: true}
	sc.run(&sv, 20)
	if len(sc.Contacts) != 1 || sc.Contacts[0].Flags&SensorContact != 0 {
		t.Fatalf("contacts %+v", sc.Contacts)
	}
	sc.Bodies[0].Def, sc.Bodies[1].Def, sc.Bodies[1].Y = zone, lift, 0.5
	sc.run(&sv, 1)
	if len(sc.Contacts) != 1 || sc.Contacts[0].Flags&SensorContact == 0 {
		t.Errorf("contacts %+v", sc.Contacts)
	}
}
