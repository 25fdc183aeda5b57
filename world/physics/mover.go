package physics

// Mover moves a shape without forces, like a character in a platform game: by a distance, and along
// the obstacles that it hits. It reads a State and does not change it, so a script may use it with
// any stored State, and write the position back.
//
// Source: "Networked Physics Controller" (Michael Szolowicz), whose character moves axis by axis and
// slides along what it hits (ByAxis).
type Mover struct {
	Shape  Shape
	Angle  float64 // radians
	Mask   uint64  // the layers of obstacles
	Ignore uint64  // key of a body that does not: its own
	Slides int     // most bodies it slides along in a move; 0: 4
	ByAxis bool    // move along x, then along y, and stop at the obstacles of each

	Freed float64 // metres by which the last Move first pushed it out of obstacles, in total
}

// Bump is a contact of a Mover with an obstacle.
type Bump struct {
	Slot   int // of the body
	Point  Vec // in the world, metres
	Normal Vec // unit vector out of the obstacle
	// Taken is how many metres of the move, along the normal, the obstacle prevented. A
	// mover has no mass: for a character of m kg that moves so in dt seconds, what stopped
	// it was an impulse of m * Taken / dt.
	Taken float64
}

const (
	defaultSlides = 4
	freeRounds    = 8
)

// Move returns the position of the shape after a move, and appends a bump for each
// obstacle that it hit, in that order. If it overlaps bodies at the start, it is first
// pushed out of them, out of the deepest first; these are not bumps.
func (mv *Mover) Move(f *Finder, from, move Vec, out []Bump) (to Vec, bumps []Bump) {
	if !from.finite() || !move.finite() || mv.Shape.Check() != nil {
		return from, out
	}
	mv.Freed = 0
	at := mv.free(f, from)
	if mv.ByAxis {
		at, _, out = mv.advance(f, at, Vec{move.X, 0}, out)
		at, _, out = mv.advance(f, at, Vec{0, move.Y}, out)
		return at, out
	}
	slides := mv.Slides
	if slides <= 0 {
		slides = defaultSlides
	}
	start, left := len(out), move
	for range slides + 1 {
		at, left, out = mv.advance(f, at, left, out)
		left = slide(left, move, out[start:])
		if left == (Vec{}) {
			break
		}
	}
	return at, out
}

// advance moves straight to the first obstacle and returns the rest of the way.
func (mv *Mover) advance(f *Finder, at, way Vec, out []Bump) (to, left Vec, bumps []Bump) {
	if way == (Vec{}) {
		return at, way, out
	}
	hit, ok := f.ShapeCast(&mv.Shape, at, mv.Angle, way, mv.Mask, mv.Ignore)
	if !ok {
		return at.add(way), Vec{}, out
	}
	left = way.scale(1 - hit.Fraction)
	out = append(out, Bump{Slot: hit.Slot, Point: hit.Point, Normal: hit.Normal, Taken: max(-left.dot(hit.Normal), 0)})
	return at.addScaled(way, hit.Fraction), left, out
}

// slide returns what is left of a way along all that was met: nothing where two
// obstacles make a corner, or where it would lead back.
func slide(left, move Vec, met []Bump) Vec {
	for range met {
		for i := range met {
			n := met[i].Normal
			if into := left.dot(n); into < 0 {
				left = left.addScaled(n, -into)
			}
		}
	}
	for i := range met {
		if left.dot(met[i].Normal) < -1e-9 {
			return Vec{}
		}
	}
	if left.dot(move) <= 0 || left.length() < 1e-9 {
		return Vec{}
	}
	return left
}

// free returns a position near at where the shape overlaps nothing, or less.
func (mv *Mover) free(f *Finder, at Vec) Vec {
	p := castCorners(&mv.Shape, mv.Angle)
	reach := p.farthest()
	for range freeRounds {
		var out Vec
		deepest, lowest := -castGap/4, uint64(0)
		round := stripOf(at, at, reach)
		f.each(&round, func(slot int32) {
			b, d, seen := f.visible(slot, mv.Mask, mv.Ignore)
			if !seen || b.CentreOfMass(d).sub(at).length() > d.radius()+reach+slop {
				return
			}
			if !f.do(pushWork * len(d.pieces())) {
				return
			}
			way, depth := b.pushesOut(d, &p, at)
			if depth < deepest || depth == deepest && b.Key < lowest {
				out, deepest, lowest = way, depth, b.Key
			}
		})
		if out == (Vec{}) || f.Over() {
			break
		}
		at = at.add(out)
		mv.Freed += out.length()
	}
	return at
}

// pushesOut returns how to bring p out of the part of b that it is deepest in, and
// how deep that is, below 0.
func (b *Body) pushesOut(d *Def, p *corners, at Vec) (way Vec, depth float64) {
	var q corners
	var m manifold
	apart := b.CentreOfMass(d).sub(at)
	for i := range d.pieces() {
		q.turn(&d.pieces()[i], d.centreOfMass(), b.Cos, b.Sin)
		m.meet(p, &q, apart, 0)
		for j := range m.count {
			if separation := m.points[j].separation; separation < depth {
				way, depth = m.normal.scale(separation-float64(castGap/2)), separation
			}
		}
	}
	return way, depth
}
