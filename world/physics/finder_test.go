package physics

import (
	"fmt"
	"math"
	"testing"
)

// TestFindersAgree: queries find the same, and are the same work, with and without an index, also of bodies that have
// moved since it was made.
func TestFindersAgree(t *testing.T) {
	all := 0
	for seed := range uint64(20) {
		sc := queryScene(t, seed)
		r := random(seed + 77)
		for range 200 {
			b := sc.State.Bodies[int(r.next()%uint64(len(sc.State.Bodies)))]
			b.Key = uint64(len(sc.State.Bodies) + 1000)
			b.X, b.Y = r.between(-30, 30), r.between(-30, 30)
			sc.State.Bodies = append(sc.State.Bodies, b)
		}
		sc.State.Bodies[3].X = math.Inf(1) // as no step leaves them
		sc.State.Bodies[7].Y = math.NaN()
		sc.State.Bodies[9].X = 1e200
		var shown State
		shown.CopyFrom(&sc.State)
		apart := []int32{0, 5, 11, 40, 90}
		for _, slot := range apart {
			shown.Bodies[slot].X += r.between(-9, 9)
		}
		shown.Bodies[11] = Body{}
		indexed, plain := NewFinder(&sc.State, sc.defs), NewFinder(&sc.State, sc.defs)
		indexed.scans = scansForTree
		for i := range 60 {
			if i == 30 {
				indexed.Move(&sc.State, &shown, apart)
				plain.Move(&sc.State, &shown, apart)
			}
			plain.scans = -1000
			ask := asked(&r)
			indexed.Limit(0)
			plain.Limit(0)
			with, without := ask(indexed), ask(plain)
			if with != without || indexed.Work() != plain.Work() {
				t.Fatalf("with an index: %s, work %d\nwithout one: %s, work %d", with, indexed.Work(),
					without, plain.Work())
			}
			all += plain.Work()
		}
		if !indexed.made || plain.made {
			t.Fatal("the index is not in use, or is used by both")
		}
	}
	if all < 100000 {
		t.Errorf("the queries were only work of %d", all)
	}
}

// asked returns a query of any kind.
func asked(r *random) func(f *Finder) string {
	from, to := Vec{r.between(-40, 40), r.between(-40, 40)}, Vec{r.between(-40, 40), r.between(-40, 40)}
	far := r.between(0, 20)
	shape := BoxShape(r.between(0.1, 9), r.between(0.1, 9))
	kind := int(r.next() % uint64(8))
	switch int(r.next() % uint64(12)) {
	case 0:
		to = from
	case 1:
		to.Y = from.Y
	case 2:
		from = Vec{1e300, 2}
	case 3:
		far = math.Inf(1)
	}
	return func(f *Finder) string {
		switch kind {
		case 0:
			return fmt.Sprint(f.Raycast(from, to, 3, 0))
		case 1:
			return fmt.Sprint(f.RaycastAll(from, to, 3, 2, nil))
		case 2:
			return fmt.Sprint(f.ShapeCast(&shape, from, 0.3, to.sub(from), 3, 0))
		case 3:
			return fmt.Sprint(f.OverlapCircle(from, far, 3, nil))
		case 4:
			return fmt.Sprint(f.OverlapBox(from, far, 3, 0.2, 1, nil))
		case 5:
			return fmt.Sprint(f.Nearest(from, far, 3, 0))
		case 6:
			mv := Mover{Shape: shape, Mask: 3}
			return fmt.Sprint(mv.Move(f, from, to.sub(from), nil))
		}
		best, slot := far*far, int32(-1)
		f.Closest(from, best, math.MaxInt, func(at int32, far float64) float64 {
			b := &f.state.Bodies[at]
			if d := b.Position().sub(from).lengthSquared(); d < far || d == far && at < slot {
				best, slot = d, at
			}
			return best
		})
		return fmt.Sprint(best, slot, min(f.Count(from, far, 50), 51))
	}
}

// TestWorkGrowsWithBodies: a query is more work the more bodies reach to where it looks, and no more for those
// elsewhere.
func TestWorkGrowsWithBodies(t *testing.T) {
	shape := CircleShape(0.5)
	for name, ask := range map[string]func(f *Finder){
		"ray":      func(f *Finder) { f.Raycast(Vec{-1, 0}, Vec{9, 0}, 1, 0) },
		"rays":     func(f *Finder) { f.RaycastAll(Vec{-1, 0}, Vec{9, 0}, 1, 0, nil) },
		"cast":     func(f *Finder) { f.ShapeCast(&shape, Vec{-1, 0}, 0, Vec{10, 0}, 1, 0) },
		"circle":   func(f *Finder) { f.OverlapCircle(Vec{}, 1, 1, nil) },
		"box":      func(f *Finder) { f.OverlapBox(Vec{}, 1, 1, 0, 1, nil) },
		"nearest":  func(f *Finder) { f.Nearest(Vec{}, 1, 1, 0) },
		"no layer": func(f *Finder) { f.OverlapCircle(Vec{}, 1, 2, nil) },
		"mover": func(f *Finder) {
			mv := Mover{Shape: shape, Mask: 1}
			mv.Move(f, Vec{-2, 0}, Vec{3, 0}, nil)
		},
	} {
		for _, n := range []int{0, 10, 1000} {
			s, defs := crowd(n + 500)
			for i := range s.Bodies {
				s.Bodies[i].X, s.Bodies[i].Y = 0, 0
				if i >= n {
					s.Bodies[i].X = 100
				}
			}
			f := NewFinder(s, defs)
			ask(f)
			if work := f.Work(); work < n*bodyWork || n == 0 && work != 0 {
				t.Errorf("%s: %d bodies are work of %d", name, n, work)
			}
			f.Limit(max(n/2, 1))
			if ask(f); n > 0 && !f.Over() {
				t.Errorf("%s: %d bodies are not above a limit of %d", name, n, n/2)
			}
		}
	}
}
