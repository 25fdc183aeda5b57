package physics

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrShape is the reason why a shape is refused, wrapped with the details.
var ErrShape = errors.New("bad shape")

// ShapeKind is the kind of a shape.
type ShapeKind uint8

// The kinds of shape.
const (
	Circle  ShapeKind = iota
	Polygon           // convex, with rounded corners where Radius is above 0
	Capsule           // all points within Radius of the line between two points
	Segment           // a line between two points, without thickness, hit from both sides
	Link              // a segment of a chain, hit from one side: see ChainShapes
)

// Limits of shapes.
const (
	MaxPoints = 8    // corners of a polygon
	MinSize   = 0.01 // metres: the least radius, side and thickness
	MaxSize   = 2e5  // metres: the greatest radius and distance of a corner from the origin
)

// Shape is the outline of a body, or of a part of it, in the body's frame, in
// metres. A circle is about Points[0] and has Count 0. A polygon is convex,
// its points counter-clockwise; Normals holds the outward unit normal of the
// edge from point i to point i+1. Capsules and segments have two points, and a
// link two more, the ends of its neighbours. Other points and normals are zero.
type Shape struct {
	Kind    ShapeKind
	link    linkEnds
	Radius  float64 // of a circle, a capsule, and of the corners of a polygon
	Count   int
	Points  [MaxPoints]Vec
	Normals [MaxPoints]Vec
}

// CircleShape returns a circle of radius r metres about the body's origin.
// Def.Prepare refuses a radius out of range.
func CircleShape(r float64) Shape { return Shape{Kind: Circle, Radius: r} }

// BoxShape returns a box of full width w and height h metres about the body's
// origin. Def.Prepare refuses sides out of range.
func BoxShape(w, h float64) Shape {
	x, y := w/2, h/2
	return Shape{Kind: Polygon, Count: 4,
		Points:  [MaxPoints]Vec{{-x, -y}, {x, -y}, {x, y}, {-x, y}},
		Normals: [MaxPoints]Vec{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}}
}

// PolygonShape returns the convex hull of 3 to 8 points in metres. The origin stays
// the body's origin. Points inside the hull, or within 5 mm of the line
// between their neighbours, are dropped. The same points in another order give
// the same shape. It returns an error that wraps ErrShape for other numbers of points,
// and for points that make no area.
func PolygonShape(points []Vec) (Shape, error) {
	if len(points) < 3 || len(points) > MaxPoints {
		return Shape{}, fmt.Errorf("%w: %d points, a polygon has 3 to %d", ErrShape, len(points), MaxPoints)
	}
	for i, p := range points {
		if !p.finite() || p.length() > MaxSize {
			return Shape{}, fmt.Errorf("%w: point %d is (%v, %v): must be finite and within %v m of the origin",
				ErrShape, i+1, p.X, p.Y, float64(MaxSize))
		}
	}
	hull := fromFirst(simplify(convexHull(points)))
	if len(hull) < 3 {
		return Shape{}, fmt.Errorf("%w: the points are collinear or nearer than %v m to each other", ErrShape, slop)
	}
	s := Shape{Kind: Polygon, Count: len(hull)}
	copy(s.Points[:], hull)
	for i := range hull {
		edge := hull[(i+1)%len(hull)].sub(hull[i])
		n, _ := Vec{edge.Y, -edge.X}.normal()
		s.Normals[i] = n
	}
	return s, s.Check()
}

// convexHull returns the corners counter-clockwise, after A. M. Andrew, "Another efficient algorithm for convex hulls
// in two dimensions", 1979.
func convexHull(points []Vec) []Vec {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, compareVec)
	sorted = slices.Compact(sorted)
	lower := halfHull(sorted)
	slices.Reverse(sorted)
	upper := halfHull(sorted)
	return append(lower[:len(lower)-1], upper[:len(upper)-1]...)
}

func compareVec(a, b Vec) int {
	if c := cmp.Compare(a.X, b.X); c != 0 {
		return c
	}
	return cmp.Compare(a.Y, b.Y)
}

// fromFirst turns the ring of corners so that the first in order comes first.
func fromFirst(hull []Vec) []Vec {
	if len(hull) == 0 {
		return hull
	}
	at := slices.Index(hull, slices.MinFunc(hull, compareVec))
	return append(slices.Clone(hull[at:]), hull[:at]...)
}

func halfHull(sorted []Vec) []Vec {
	var chain []Vec
	for _, p := range sorted {
		for len(chain) >= 2 {
			a, b := chain[len(chain)-2], chain[len(chain)-1]
			if b.sub(a).cross(p.sub(a)) > 0 {
				break
			}
			chain = chain[:len(chain)-1]
		}
		chain = append(chain, p)
	}
	return chain
}

// simplify drops corners that stand out by less than slop, the flattest first.
func simplify(hull []Vec) []Vec {
	for len(hull) >= 3 {
		flattest, least := -1, slop
		for i, p := range hull {
			before, after := hull[(i+len(hull)-1)%len(hull)], hull[(i+1)%len(hull)]
			along, _ := after.sub(before).normal()
			if out := math.Abs(along.cross(p.sub(before))); out < least {
				flattest, least = i, out
			}
		}
		if flattest < 0 {
			break
		}
		hull = slices.Delete(hull, flattest, flattest+1)
	}
	return hull
}

// linked returns the data of a link's neighbours.
func (s *Shape) linked() linkEnds { return s.link }

// Check returns an error that wraps ErrShape for a shape that the engine cannot collide:
// too small, too large or not convex.
func (s *Shape) Check() error {
	switch s.Kind {
	case Circle, Capsule:
		if !(s.Radius >= MinSize && s.Radius <= MaxSize) {
			return fmt.Errorf("%w: radius = %v: must be %v to %v m", ErrShape, s.Radius, MinSize, float64(MaxSize))
		}
		if s.Kind == Capsule {
			return s.checkLine()
		}
		return checkPoint(1, s.Points[0])
	case Polygon:
		return s.checkPolygon()
	case Segment, Link:
		return s.checkLine()
	}
	return fmt.Errorf("%w: kind %d: must be Circle, Polygon, Capsule, Segment or Link", ErrShape, s.Kind)
}

func checkPoint(number int, p Vec) error {
	if !p.finite() || p.length() > MaxSize {
		return fmt.Errorf("%w: point %d is (%v, %v): must be finite and within %v m of the origin", ErrShape,
			number, p.X, p.Y, float64(MaxSize))
	}
	return nil
}

func (s *Shape) checkPolygon() error {
	if s.Count < 3 || s.Count > MaxPoints {
		return fmt.Errorf("%w: %d points, a polygon has 3 to %d", ErrShape, s.Count, MaxPoints)
	}
	if !(s.Radius >= 0 && s.Radius <= MaxSize) {
		return fmt.Errorf("%w: radius = %v: must be 0 to %v m", ErrShape, s.Radius, float64(MaxSize))
	}
	for i := range s.Count {
		p, n := s.Points[i], s.Normals[i]
		edge := s.Points[(i+1)%s.Count].sub(p)
		switch l := edge.length(); {
		case !p.finite() || !n.finite() || p.length() > MaxSize:
			return fmt.Errorf("%w: corner %d is (%v, %v): must be finite and within %v m of the origin", ErrShape,
				i+1, p.X, p.Y, float64(MaxSize))
		case !(l >= slop):
			return fmt.Errorf("%w: side %d is %v m long: at least %v", ErrShape, i+1, l, slop)
		case !(n.cross(edge) >= 0.999*l) || !(math.Abs(n.length()-1) < 1e-9):
			return fmt.Errorf("%w: normal %d does not point out of side %d: use BoxShape or PolygonShape", ErrShape,
				i+1, i+1)
		}
		if err := s.checkThickness(i); err != nil {
			return err
		}
	}
	return nil
}

// checkThickness refuses a polygon that is thinner than MinSize seen along
// side i, or not convex there.
func (s *Shape) checkThickness(i int) error {
	depth := 0.0
	for j := range s.Count {
		d := s.Normals[i].dot(s.Points[i].sub(s.Points[j]))
		if d < -1e-9*MaxSize {
			return fmt.Errorf("%w: corner %d lies outside of side %d: not convex", ErrShape, j+1, i+1)
		}
		depth = max(depth, d)
	}
	if depth < MinSize {
		return fmt.Errorf("%w: %v m thick at side %d: at least %v", ErrShape, depth, i+1, MinSize)
	}
	return nil
}
