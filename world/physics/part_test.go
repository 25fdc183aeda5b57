package physics

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"pgregory.net/rapid"
)

// playground has what the other scenes lack: sensors of every kind, platforms,
// stacks that sleep beside them, bullets, and a rope that breaks.
func playground(t testing.TB) *scene {
	sc := (&scene{rules: rules60}).sleepy()
	sc.rules.HitSpeed = 0.5
	floor := sc.def(t, Def{Type: Static, Shapes: flatChain(t, 20, 0), Friction: 0.6})
	shelf := sc.def(t, Def{Type: Static, Shape: BoxShape(3, 0.1), Friction: 0.6})
	zone := sc.def(t, Def{Type: Static, Shape: BoxShape(4, 3), Sensor: true})
	lift := sc.def(t, Def{Type: Kinematic, Shape: BoxShape(3, 0.3), Friction: 0.8})
	eye := sc.def(t, Def{Type: Kinematic, Shape: CircleShape(1.2), Sensor: true})
	wagon := sc.def(t, Def{Type: Kinematic, Shape: BoxShape(1, 0.4)})
	box := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.8, 0.6), Friction: 0.6, GravityScale: 1})
	ball := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.3), Friction: 0.4, Restitution: 0.5, GravityScale: 1})
	drone := sc.def(t, Def{Type: Dynamic, Shape: CircleShape(0.9), Sensor: true})
	shot := sc.def(t, Def{Type: Dynamic, Shape: BoxShape(0.3, 0.08), Bullet: true, GravityScale: 0.2})
	sc.put(floor, 0, 0, 0)
	sc.put(shelf, -6, 3, 0.1)
	sc.put(shelf, 7, 4, -0.2)
	sc.put(zone, 0, 2, 0)
	sc.Bodies[sc.put(lift, 4, 1, 0)].VY = 0.5
	sc.Bodies[sc.put(eye, -4, 1, 0)].VX = 1
	for i, x := range []float64{-3, 3, 6} {
		sc.Bodies[sc.put(wagon, x, 2.5, 0)].VX = []float64{2, -2, -1.5}[i]
	}
	for i := range 4 {
		for row := range 3 {
			sc.put(box, -12+1.1*float64(i), 0.31+0.61*float64(row), 0)
		}
	}
	r := random(17)
	for i := range 24 {
		slot := sc.put([...]uint32{ball, box, drone, ball, shot, ball}[i%6], r.between(-9, 14), r.between(0.5, 6), r.between(-1, 1))
		sc.Bodies[slot].VX, sc.Bodies[slot].VY = r.between(-5, 5), r.between(-2, 3)
		if i%6 == 4 {
			sc.Bodies[slot].VX *= 20
		}
	}
	sc.rope(t, box, Vec{6, 8}, 7)
	return sc
}

// A diceman makes actions up.
type diceman struct {
	n     func(n int) int // at random, below n
	sc    *scene
	slots int // taken so far
}

func (d *diceman) between(lo, hi float64) float64 {
	return lo + float64(float64(d.n(1<<16))/(1<<16)*(hi-lo))
}

func (d *diceman) action() action {
	slot := d.n(d.slots)
	switch d.n(16) {
	case 0, 1:
		return force(slot, d.between(-80, 80), d.between(-80, 80))
	case 2, 3:
		return kick(slot, d.between(-6, 6), d.between(-6, 6), d.between(-3, 3))
	case 4:
		return shift(slot, d.between(-0.3, 0.3), d.between(-0.3, 0.3))
	case 5:
		at := d.sc.Bodies[d.n(len(d.sc.Bodies))].Position()
		return place(slot, at.X+d.between(-1, 1), at.Y+d.between(-1, 1), d.between(-3, 3))
	case 6, 7:
		at := d.sc.Bodies[d.n(len(d.sc.Bodies))].Position()
		d.slots++
		return spawn(d.slots-1, uint32(d.n(len(d.sc.defs))), at.X+d.between(-2, 2), at.Y+d.between(-2, 2), d.between(-9, 9), d.between(-9, 9))
	case 8:
		return remove(slot)
	case 9:
		return tieTo(uint64(1000+d.n(50)), Distance+JointKind(d.n(6)), slot, d.n(d.slots+1)-1, d.between(0, 50))
	case 10:
		return tune(d.n(100), d.n(3) == 0, func(j *Joint) { j.Speed, j.MaxForce, j.BreakForce = 3, 50, 400 })
	case 11:
		return write(slot, func(b *Body) { b.Wake() })
	case 12:
		to := uint32(d.n(len(d.sc.defs)))
		defs := d.sc.defs
		return write(slot, func(b *Body) {
			if defs[to].Type == defs[b.Def].Type {
				b.Def = to
			}
		})
	case 13:
		return write(slot, func(b *Body) { b.FX = math.Copysign(0, -1) })
	case 14:
		return write(slot, func(b *Body) { b.FX, b.Torque = float64(slot%7)-3, 0.1 })
	default:
		return kick(slot, d.between(-90, 90), d.between(-90, 90), d.between(-30, 30))
	}
}

// fill draws what the scripts of the past ticks do.
func (d *diceman) fill(h *past, actions int) {
	for range actions {
		tick := d.n(len(h.scripts))
		h.scripts[tick] = append(h.scripts[tick], d.action())
	}
	for range actions / 8 {
		tick := d.n(len(h.removes))
		h.removes[tick] = append(h.removes[tick], d.n(d.slots))
	}
}

// change draws a late change: one action or one removal is added or dropped.
func (d *diceman) change(h *past, tick int) {
	switch scripts, removes := h.scripts[tick], h.removes[tick]; d.n(6) {
	case 0:
		if len(scripts) > 0 {
			h.scripts[tick] = scripts[1:]
		}
	case 1:
		h.removes[tick] = append(removes, d.n(d.slots))
	case 2:
		if len(removes) > 0 {
			h.removes[tick] = removes[1:]
		}
	default:
		h.scripts[tick] = append(scripts, d.action())
	}
}

// rewrite plays a generated past, and changes it a few times afterwards.
func rewrite(t testing.TB, sc *scene, n func(n int) int, anySize bool) *past {
	t.Helper()
	h := newPast(sc, 24)
	h.sv.partial.anySize = anySize
	h.rewrite(t, &diceman{n: n, sc: sc, slots: len(sc.Bodies)})
	return h
}

func (h *past) rewrite(t testing.TB, d *diceman) {
	t.Helper()
	d.fill(h, 4+d.n(12))
	h.play()
	for round := range 3 {
		from := d.n(len(h.scripts))
		d.change(h, from)
		if round > 0 {
			d.change(h, min(from+d.n(5), len(h.scripts)-1))
		}
		h.again(t, from, d.n(2) == 0)
	}
}

func partScenes(t testing.TB) map[string]*scene {
	return map[string]*scene{
		"arena sparse": arena(t, 60, 20), "arena dense": arena(t, 60, 12), "pyramid": heavyPyramid(t, 5),
		"falling": falling(t, 60), "workshop": workshop(t), "storm": storm(t), "park": park(t), "quarry": restingQuarry(t),
		"piles": piles(t), "playground": playground(t),
	}
}

// Every scene, with generated scripts that change late, is stepped again in part and as a
// whole. All bits of bodies, contacts, joints, events and traces agree.
func TestPartEqualsWhole(t *testing.T) {
	for name, sc := range partScenes(t) {
		t.Run(name, func(t *testing.T) {
			sv := Solver{Check: true}
			var sum past
			for seed := range 8 {
				r := random(seed)
				sc.run(&sv, 12)
				h := rewrite(t, sc, func(n int) int { return int(r.next() % uint64(n)) }, seed%4 != 0)
				sum.parts, sum.quiet, sum.events = sum.parts+h.parts, sum.quiet+h.quiet, sum.events+h.events
				sum.solved, sum.total = sum.solved+h.solved, sum.total+h.total
				sum.changed, sum.needless = sum.changed+h.changed, sum.needless+h.needless
			}
			t.Logf("%d steps in part, %d of nothing, %d bodies stepped instead of %d, events of %d", sum.parts, sum.quiet, sum.solved, sum.total, sum.events)
			if sum.needless*100 > sum.changed {
				t.Errorf("%d of %d slots that Part says differ do not", sum.needless, sum.changed)
			}
			if most := sum.total * 2 / 3; sum.parts < 120 || sum.quiet < 10 || sum.events < 50 || sum.solved > most && name != "pyramid" {
				t.Errorf("the test shows little")
			}
		})
	}
}

func TestPartEqualsWholeProperty(t *testing.T) {
	sc := playground(t)
	sc.run(&Solver{Check: true}, 40)
	draws.Check(t, func(rt *rapid.T) {
		rewrite(drawn{t, rt}, sc, func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "die") }, true)
	})
}

// drawn fails the case that rapid draws, so that it is made small and shown.
type drawn struct {
	testing.TB
	rt *rapid.T
}

func (d drawn) Fatalf(format string, args ...any) { d.rt.Fatalf(format, args...) }
func (d drawn) Fatal(args ...any)                 { d.rt.Fatal(args...) }
func (d drawn) Errorf(format string, args ...any) { d.rt.Fatalf(format, args...) }

func TestPartOfArena(t *testing.T) {
	for _, side := range []float64{84, 49} {
		h := newPast(arena(t, 300, side/2), 24)
		for tick := range h.scripts {
			h.scripts[tick] = append(h.scripts[tick], force(10+tick, 20, 5))
		}
		h.play()
		h.scripts[4] = append(h.scripts[4], force(50, -40, 3), kick(77, 3, 3, 1))
		h.scripts[6] = append(h.scripts[6], force(50, 40, 3))
		h.again(t, 4, true)
		t.Logf("side %v: %d in part, %d whole, %d bodies solved", side, h.parts, h.wholes, h.solved)
		if h.parts < 20 || h.solved > 300*20/4 {
			t.Errorf("side %v: %d in part, %d whole, %d bodies solved", side, h.parts, h.wholes, h.solved)
		}
	}
}
