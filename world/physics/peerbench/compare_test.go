package main

import (
	"math"
	"strings"
	"testing"
)

// Every engine gets the same scene: the same mass, and the same path of a body that
// touches no other.
func TestEnginesGetTheSameScene(t *testing.T) {
	for _, sc := range scenes() {
		first := newOurs(&sc)
		for _, m := range makers()[1:] {
			e := m.make(&sc)
			for i := range sc.bodies {
				x, y, _ := first.at(i)
				ex, ey, _ := e.at(i)
				if x != ex || y != ey {
					t.Fatalf("%s: %s: body %d is at %v, %v, not at %v, %v", sc.name, m.name, i, ex, ey, x, y)
				}
				if !sc.of(i).static && math.Abs(e.mass(i)-first.mass(i)) > 1e-9 {
					t.Fatalf("%s: %s: body %d has %v kg, not %v", sc.name, m.name, i, e.mass(i), first.mass(i))
				}
			}
		}
	}
	alone := scene{gravity: -10, damping: 0.1, kinds: []kind{circle}, bodies: []body{{vx: 3}}}
	for _, m := range makers() {
		e := m.make(&alone)
		for range 60 {
			e.step()
		}
		if x, y, _ := e.at(0); math.Abs(x-2.85) > 0.02 || math.Abs(y+4.85) > 0.1 {
			t.Errorf("%s: after a second of free fall at %v, %v", m.name, x, y)
		}
	}
}

// When the timing begins, no body has left through a wall in any engine, and about the
// same number of bodies touch.
func TestEnginesHaveSimilarContacts(t *testing.T) {
	for _, sc := range []scene{arena("arena", 300, 25, 1), pyramid("pyramid", 6), falling("falling", 150), pile("pile", 120)} {
		var shares []float64
		for _, m := range makers() {
			e := m.make(&sc)
			for range sc.warm {
				e.step()
			}
			for i := range sc.bodies {
				if x, y, _ := e.at(i); math.Abs(x) > 100 || y < -41.5 || sc.name == "pyramid" && y < -1 {
					t.Fatalf("%s: %s: body %d is at %v, %v", sc.name, m.name, i, x, y)
				}
			}
			shares = append(shares, touching(&sc, e))
		}
		for i, s := range shares {
			if s == 0 || math.Abs(s-shares[0]) > 0.25 {
				t.Errorf("%s: %v of the bodies touch: %s differs", sc.name, shares, makers()[i].name)
			}
		}
	}
}

func TestTable(t *testing.T) {
	r := compare(arena("small", 20, 10, 1e9), 3, 2)
	if got := r.row(); strings.Count(got, "|") != strings.Count(strings.SplitN(header, "\n", 2)[0], "|") ||
		!strings.Contains(got, "| small | 24 |") {
		t.Errorf("row %q does not fit the header", got)
	}
	if got := goals([]result{r}); len(got) != 1 || !strings.Contains(got[0], "MISSED") {
		t.Errorf("a goal that cannot be met: %q", got)
	}
	r.scene.goal = 0
	if got := goals([]result{r}); !strings.Contains(got[0], "met") {
		t.Errorf("a goal that cannot be missed: %q", got)
	}
	for want, values := range map[float64][]float64{2: {3, 1, 2}, 2.5: {4, 1, 2, 3}} {
		if got := median(values); got != want {
			t.Errorf("median of %v = %v, want %v", values, got, want)
		}
	}
}
