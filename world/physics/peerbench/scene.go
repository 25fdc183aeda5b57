package main

import (
	"math"
	"math/rand/v2"
)

// A scene is the same for all engines. Friction, restitution and damping are the same
// for all of its bodies, because engines mix those of a pair in different ways.
type scene struct {
	name                 string
	warm                 int     // steps before the timed ones
	goal                 float64 // how many times as long cp is to take, at least
	gravity              float64 // m/s2, along y
	friction             float64 // of every pair
	restitution, damping float64 // of every pair; a second, linear and angular
	kinds                []kind
	bodies               []body
}

// A kind of body is a circle of a radius, or a polygon with corners
// counter-clockwise about its centre of mass; 1 kg a square metre unless it is
// static.
type kind struct {
	static  bool
	radius  float64
	corners []point
}

type body struct {
	kind      int     // in the scene's kinds
	x, y      float64 // m
	angle     float64 // rad
	vx, vy, w float64 // m/s, rad/s
}

type point struct{ x, y float64 }

func box(w, h float64) []point {
	return []point{{-w / 2, -h / 2}, {w / 2, -h / 2}, {w / 2, h / 2}, {-w / 2, h / 2}}
}

func hexagon(r float64) (corners []point) {
	for i := range 6 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		corners = append(corners, point{r * cos, r * sin})
	}
	return corners
}

// of returns the kind of the i-th body.
func (sc *scene) of(i int) *kind { return &sc.kinds[sc.bodies[i].kind] }

// dynamic returns the number of bodies that are not static.
func (sc *scene) dynamic() (n int) {
	for i := range sc.bodies {
		if !sc.of(i).static {
			n++
		}
	}
	return n
}

// scenes returns those of the table: issues and docs speak of them by these names.
func scenes() []scene {
	return []scene{
		arena("arena, 10 %", 1060, 83, 1.5),
		arena("arena, 40 %", 1060, 48, 1),
		pyramid("pyramid of 20 rows", 20),
		falling("2,000 falling circles", 2000),
		pile("pile of 1,060", 1060),
		arena("sparse field of 5,000", 5000, 500, 1),
	}
}

// arena returns a walled square without gravity in which circles, boxes and
// hexagons fly about.
func arena(name string, n int, side, goal float64) scene {
	sc := scene{name: name, warm: 30, goal: goal, friction: 0.3, restitution: 0.4, damping: 0.1}
	sc.walls(side, side)
	loose := sc.add(circle, crate, rock)
	r := rand.New(rand.NewPCG(7, 7))
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }
	for i := range n {
		b := body{kind: loose + mixed[i%4]}
		b.x, b.y, b.angle = between(1-side/2, side/2-1), between(1-side/2, side/2-1), between(-3, 3)
		b.vx, b.vy, b.w = between(-4, 4), between(-4, 4), between(-2, 2)
		sc.bodies = append(sc.bodies, b)
	}
	return sc
}

// What flies about and lies in piles, and in which turn.
var (
	circle = kind{radius: 0.5}
	crate  = kind{corners: box(0.9, 0.7)}
	rock   = kind{corners: hexagon(0.5)}
	mixed  = [4]int{0, 0, 1, 2}
)

// add adds kinds and gives the index of the first.
func (sc *scene) add(kinds ...kind) (first int) {
	first = len(sc.kinds)
	sc.kinds = append(sc.kinds, kinds...)
	return first
}

// walls puts four static boxes round an area of full size w, h.
func (sc *scene) walls(w, h float64) {
	long := sc.add(kind{static: true, corners: box(w+4, 2)}, kind{static: true, corners: box(2, h+4)})
	sc.bodies = append(sc.bodies, body{kind: long, y: -h/2 - 1}, body{kind: long, y: h/2 + 1},
		body{kind: long + 1, x: -w/2 - 1}, body{kind: long + 1, x: w/2 + 1})
}

// pyramid returns boxes of 1 m in rows, each one shorter, on a floor.
func pyramid(name string, rows int) scene {
	sc := scene{name: name, warm: 100, goal: 1, gravity: -10, friction: 0.6}
	floor := sc.add(kind{static: true, corners: box(200, 2)}, kind{corners: box(1, 1)})
	sc.bodies = []body{{kind: floor, y: -1}}
	for row := range rows {
		for i := range rows - row {
			sc.bodies = append(sc.bodies, body{kind: floor + 1,
				x: 1.05 * (float64(i) - float64(rows-row-1)/2), y: 0.5 + float64(row)})
		}
	}
	return sc
}

// falling returns circles that rain onto a floor between walls.
func falling(name string, n int) scene {
	sc := scene{name: name, warm: 240, goal: 1.5, gravity: -10, friction: 0.4, restitution: 0.4}
	sc.walls(60, 80)
	ball := sc.add(circle)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range n {
		sc.bodies = append(sc.bodies, body{kind: ball,
			x: float64(i%50)*1.15 - 28 + 0.1*r.Float64(), y: float64(i/50)*1.15 - 38})
	}
	return sc
}

// pile returns circles, boxes and hexagons that have come down in a bin.
func pile(name string, n int) scene {
	sc := scene{name: name, warm: 240, goal: 1, gravity: -10, friction: 0.4}
	sc.walls(40, 60)
	loose := sc.add(circle, crate, rock)
	r := rand.New(rand.NewPCG(5, 5))
	for i := range n {
		b := body{kind: loose + mixed[i%4]}
		b.x, b.y, b.angle = float64(i%33)*1.15-18.5+0.1*r.Float64(), float64(i/33)*1.15-28.5, 6*r.Float64()-3
		sc.bodies = append(sc.bodies, b)
	}
	return sc
}
