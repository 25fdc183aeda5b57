package physics

// collideCircles makes the manifold of circle A about 0 and circle B about d.
func (m *manifold) collideCircles(ra, rb float64, d Vec, limit float64) {
	reach := ra + rb + limit
	if d.lengthSquared() > float64(reach*reach) {
		return
	}
	n, length := d.normal()
	m.normal = n
	m.round = ra + rb
	m.count = 1
	m.points[0] = manifoldPoint{
		at:         n.scale((ra + length - rb) / 2),
		separation: length - m.round,
	}
}

// collidePolygonCircle makes the manifold of polygon A, or of a capsule or
// segment, and a circle of radius r about d.
func (m *manifold) collidePolygonCircle(p *corners, r float64, d Vec, limit float64) {
	skin := p.radius
	reach := r + skin // of both round parts together
	edge, deepest := 0, 0.0
	for i := range p.count {
		s := p.normals[i].dot(d.sub(p.points[i]))
		if i == 0 || s > deepest {
			edge, deepest = i, s
		}
	}
	if deepest > reach+limit {
		return
	}
	n, distance := p.normals[edge], deepest
	if deepest > 0 || p.count == 2 {
		v1, v2 := p.points[edge], p.points[next(edge, p.count)]
		switch along := v2.sub(v1); {
		case d.sub(v1).dot(along) < 0:
			n, distance = d.sub(v1).normal()
			m.round = reach
		case d.sub(v2).dot(along) > 0:
			n, distance = d.sub(v2).normal()
			m.round = reach
		}
		if distance < slop*1e-6 { // the centre is on the corner: it gives no direction
			n = p.normals[edge]
		}
	}
	if distance > reach+limit {
		return
	}
	m.normal = n
	m.count = 1
	separation := distance - reach
	m.points[0] = manifoldPoint{at: d.addScaled(n, -(r + float64(separation/2))), separation: separation}
}

// next returns the index after i of n that go round.
func next(i, n int) int {
	if i++; i < n {
		return i
	}
	return 0
}
