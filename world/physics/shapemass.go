package physics

import (
	"math"

	"github.com/hindcast/hindcast/world/detmath"
)

// massData is the mass, the centre of mass and the inertia about it.
type massData struct {
	mass, inertia float64
	centre        Vec
}

// massOf returns exact for a uniform density in kg a square metre.
func (s *Shape) massOf(density float64) massData {
	switch s.Kind {
	case Circle:
		m := float64(density * float64(math.Pi*float64(s.Radius*s.Radius)))
		return massData{mass: m, inertia: float64(m*float64(s.Radius*s.Radius)) / 2, centre: s.Points[0]}
	case Capsule:
		return s.massOfCapsule(density)
	case Segment, Link:
		return massData{centre: s.Points[0].add(s.Points[1]).scale(0.5)}
	}
	if s.Radius > 0 {
		return s.massOfRounded(density)
	}
	return s.massOfPolygon(density)
}

// massOfRounded adds a box along every side and a sector at every corner.
func (s *Shape) massOfRounded(density float64) massData {
	r := s.Radius
	pieces := [1 + 2*MaxPoints]massData{s.massOfPolygon(density)}
	n := 1
	for i := range s.Count {
		a, b := s.Points[i], s.Points[next(i, s.Count)]
		length := b.sub(a).length()
		m := float64(density * float64(r*length))
		pieces[n] = massData{mass: m, centre: a.add(b).scale(0.5).addScaled(s.Normals[i], r/2),
			inertia: float64(m*(float64(r*r)+float64(length*length))) / 12}
		pieces[n+1] = sector(b, s.Normals[i], s.Normals[next(i, s.Count)], r, density)
		n += 2
	}
	return sumMasses(pieces[:n])
}

// sector returns the piece of a disc of radius r about c from direction p to q.
func sector(c, p, q Vec, r, density float64) massData {
	angle := detmath.Atan2(p.cross(q), p.dot(q))
	middle, _ := p.add(q).normal()
	m := float64(density * float64(float64(float64(r*r)*angle)/2))
	far := 0.0 // of the centre of mass from c
	if angle > 0 {
		sin, _ := detmath.Sincos(angle / 2)
		far = float64(4*float64(r*sin)) / float64(3*angle)
	}
	about := float64(m * (float64(float64(r*r)/2) - float64(far*far)))
	return massData{mass: m, inertia: about, centre: c.addScaled(middle, far)}
}

func (s *Shape) massOfPolygon(density float64) massData {
	origin := s.Points[0]
	var area, second float64
	var weighted Vec
	for i := 1; i+1 < s.Count; i++ {
		a, b := s.Points[i].sub(origin), s.Points[i+1].sub(origin)
		twice := a.cross(b)
		area += float64(twice / 2)
		weighted = weighted.addScaled(a.add(b), twice/6)
		second += float64(twice*(a.dot(a)+a.dot(b)+b.dot(b))) / 12
	}
	c := Vec{weighted.X / area, weighted.Y / area}
	mass := float64(density * area)
	about := float64(density*second) - float64(mass*c.lengthSquared())
	return massData{mass: mass, inertia: about, centre: origin.add(c)}
}

// massOfCapsule adds a box and two half discs.
func (s *Shape) massOfCapsule(density float64) massData {
	r := s.Radius
	rr := float64(r * r)
	length := s.Points[1].sub(s.Points[0]).length()
	box := float64(density * float64(2*float64(r*length)))
	disc := float64(density * float64(math.Pi*rr))
	// A half disc's centre is 4r/(3 pi) off its diameter.
	lc := float64(4*r) / (3 * math.Pi)
	half := length / 2
	inertia := float64(box*(float64(4*rr)+float64(length*length))) / 12
	inertia += float64(disc * (float64(rr/2) + float64(half*half) + float64(2*float64(half*lc))))
	return massData{mass: box + disc, inertia: inertia, centre: s.Points[0].add(s.Points[1]).scale(0.5)}
}

// massOfParts is that of several shapes on one body. Where they overlap, both
// count.
func massOfParts(parts []Shape, density float64) massData {
	if len(parts) == 1 {
		return parts[0].massOf(density)
	}
	masses := make([]massData, len(parts))
	for i := range parts {
		masses[i] = parts[i].massOf(density)
	}
	return sumMasses(masses)
}

func sumMasses(pieces []massData) (sum massData) {
	var weighted Vec
	for _, m := range pieces {
		sum.mass += m.mass
		weighted = weighted.addScaled(m.centre, m.mass)
	}
	if sum.mass > 0 {
		sum.centre = Vec{weighted.X / sum.mass, weighted.Y / sum.mass}
	}
	for _, m := range pieces {
		sum.inertia += m.inertia + float64(m.mass*m.centre.sub(sum.centre).lengthSquared())
	}
	return sum
}

// reach returns the greatest distance of the outline from c.
func (s *Shape) reach(c Vec) float64 {
	if s.Kind == Circle {
		return s.Radius + s.Points[0].sub(c).length()
	}
	far := 0.0
	for i := range s.Count {
		far = max(far, s.Points[i].sub(c).length())
	}
	return far + s.Radius
}
