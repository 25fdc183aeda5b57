package physics

import "math"

// kernel returns that of a part, turned.
func (o *outline) kernel(part int32) (c corners) {
	c.turn(&o.def.pieceKernels()[part], o.def.centreOfMass(), o.cos, o.sin)
	return c
}

// core returns the radius of the greatest circle about the middle of a shape that
// stays inside: how thin it is.
func (s *Shape) core() float64 {
	if s.Kind != Polygon {
		return s.Radius
	}
	return s.inner() + s.Radius
}

// inner returns the core of a polygon without its radius.
func (s *Shape) inner() float64 {
	middle := s.massOfPolygon(1).centre
	least := math.Inf(1)
	for i := range s.Count {
		least = min(least, s.Normals[i].dot(s.Points[i].sub(middle)))
	}
	return least
}

// kernel returns the shape half as thick.
func (s *Shape) kernel() Shape {
	k := *s
	if s.Kind != Polygon {
		k.Radius = s.Radius / 2
		return k
	}
	off := float64(s.core() / 2)
	k.Radius = max(s.Radius-off, 0)
	if off -= s.Radius; off > 0 {
		k.inset(s, off)
	}
	return k
}

// inset moves the sides of polygon s inwards by off, less than its core.
func (k *Shape) inset(s *Shape, off float64) {
	hull := s.Points[:s.Count]
	for i := range s.Count {
		n := s.Normals[i]
		hull = clipHull(hull, n, n.dot(s.Points[i])-off)
	}
	*k = Shape{Kind: Polygon}
	for i, p := range hull {
		after := hull[next(i, len(hull))]
		n, length := Vec{after.Y - p.Y, p.X - after.X}.normal()
		if length > 1e-9 && k.Count < MaxPoints {
			k.Points[k.Count], k.Normals[k.Count] = p, n
			k.Count++
		}
	}
}

// clipHull returns the part of a convex hull that is not beyond a line: n . p <= at.
func clipHull(hull []Vec, n Vec, at float64) (kept []Vec) {
	for i, p := range hull {
		q := hull[next(i, len(hull))]
		dp, dq := n.dot(p)-at, n.dot(q)-at
		if dp <= 0 {
			kept = append(kept, p)
		}
		if dp < 0 && dq > 0 || dp > 0 && dq < 0 {
			kept = append(kept, p.addScaled(q.sub(p), dp/(dp-dq)))
		}
	}
	return kept
}
