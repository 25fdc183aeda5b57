package physics

import (
	"math"

	"github.com/hindcast/hindcast/world/detmath"
)

const (
	touchGap    = 0.1 * slop // metres at which two outlines count as meeting
	leastGap    = 1e-9       // metres: nearer than twice this they overlap
	impactSteps = 32
)

// meeting is an impact: its time as a share of the way, its point from the centre of mass of one
// body, and the direction in which the other body is.
type meeting struct {
	t      float64
	at     Vec
	normal Vec
}

func (a meeting) orEarlier(b meeting) meeting {
	if b.t < a.t {
		return b
	}
	return a
}

// impact returns when p, which moves by m, and q, which moves by n, first meet: at 1
// if they do not, or overlap from the start. d leads
// from p's centre to q's. It advances by no more than what the two can close
// in along the line between their nearest points (conservative advancement:
// Brian Mirtich, "Impulse-based Dynamic Simulation", 1996).
func (p *corners) impact(m *movement, reach float64, q *corners, n *movement, d Vec) (hit meeting) {
	move := m.d.sub(n.d)
	spin := float64(math.Abs(m.turn)*reach) + float64(math.Abs(n.turn)*q.farthest())
	skin := p.radius + q.radius
	target := touchGap
	for step := range impactSteps {
		pt, qt := p.turnedFurther(float64(m.turn*hit.t)), q.turnedFurther(float64(n.turn*hit.t))
		var apart float64
		hit.at, hit.normal, apart = pt.partGap(&qt, d.addScaled(move, -hit.t))
		gap := apart - skin
		if step == 0 {
			if target = min(target, gap/2); !(target > leastGap) || !p.faces(q, d) {
				return meeting{t: 1}
			}
		}
		if gap <= target {
			return hit
		}
		rate := move.dot(hit.normal) + spin
		if !(rate > 0) {
			return meeting{t: 1}
		}
		if hit.t += (gap - float64(target/2)) / rate; hit.t >= 1 {
			return meeting{t: 1}
		}
	}
	return hit
}

// faces reports whether q is on the side from which p can be hit, and the other way round: a link of
// a chain can be hit from one side.
func (p *corners) faces(q *corners, d Vec) bool {
	if p.kind == Link && p.normals[0].dot(d.sub(p.points[0])) < 0 {
		return false
	}
	return q.kind != Link || q.normals[0].dot(d.add(q.points[0])) <= 0
}

// farthest returns the greatest distance of the outline from the centre of mass.
func (c *corners) farthest() float64 {
	far := 0.0
	for i := range c.count {
		far = max(far, c.points[i].length())
	}
	return far + c.radius
}

// turnedFurther returns the corners, turned further.
func (c *corners) turnedFurther(turn float64) corners {
	t := *c
	if turn == 0 {
		return t
	}
	sin, cos := detmath.Sincos(turn)
	for i := range t.count {
		t.points[i] = c.points[i].rotate(cos, sin)
		t.normals[i] = c.normals[i].rotate(cos, sin)
	}
	return t
}

// partGap returns how far apart the hulls of p and q at d are, 0 if they overlap,
// the nearest point of p, and the direction from there to q.
func (p *corners) partGap(q *corners, d Vec) (at, towards Vec, gap float64) {
	if p.encloses(q.points[0].add(d)) || q.encloses(p.points[0].sub(d)) {
		return Vec{}, Vec{1, 0}, 0
	}
	best := -1.0
	for i := range p.count {
		s := p.sideOf(i, Vec{})
		for j := range q.count {
			o := q.sideOf(j, d)
			if crosses(s, o) {
				return Vec{}, Vec{1, 0}, 0
			}
			on, off, _ := nearest(s, o)
			if dd := off.sub(on).lengthSquared(); best < 0 || dd < best {
				best, at, towards = dd, on, off.sub(on)
			}
		}
	}
	towards, gap = towards.normal()
	return at, towards, gap
}

// encloses reports whether a point is inside a hull that has an inside.
func (c *corners) encloses(at Vec) bool {
	for i := range c.count {
		if c.normals[i].dot(at.sub(c.points[i])) > 0 {
			return false
		}
	}
	return c.count > 2
}
