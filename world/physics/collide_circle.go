package physics

// collideCircles makes the manifold of circle A about 0 and circle B about d.
func collideCircles(m *manifold, ra, rb float64, d Vec, limit float64) {
	reach := ra + rb + limit
	if d.lengthSquared() > float64(reach*reach) {
		return
	}
	n, length := d.normal()
	m.Normal = n
	m.Round = ra + rb
	m.Count = 1
	m.Points[0] = manifoldPoint{
		At:         n.scale((ra + length - rb) / 2),
		Separation: length - m.Round,
	}
}

// collidePolygonCircle makes the manifold of polygon A, or of a capsule or
// segment, and a circle of radius r about d.
func collidePolygonCircle(m *manifold, p *corners, r float64, d Vec, limit float64) {
	skin := p.Radius
	reach := r + skin // of both round parts together
	edge, deepest := 0, 0.0
	for i := range p.Count {
		s := p.Normals[i].dot(d.sub(p.Points[i]))
		if i == 0 || s > deepest {
			edge, deepest = i, s
		}
	}
	if deepest > reach+limit {
		return
	}
	n, distance := p.Normals[edge], deepest
	if deepest > 0 || p.Count == 2 {
		v1, v2 := p.Points[edge], p.Points[next(edge, p.Count)]
		switch along := v2.sub(v1); {
		case d.sub(v1).dot(along) < 0:
			n, distance = d.sub(v1).normal()
			m.Round = reach
		case d.sub(v2).dot(along) > 0:
			n, distance = d.sub(v2).normal()
			m.Round = reach
		}
		if distance < slop*1e-6 { // the centre is on the corner: it gives no direction
			n = p.Normals[edge]
		}
	}
	if distance > reach+limit {
		return
	}
	m.Normal = n
	m.Count = 1
	separation := distance - reach
	m.Points[0] = manifoldPoint{At: d.addScaled(n, -(r + float64(separation/2))), Separation: separation}
}

// next returns the index after i of n that go round.
func next(i, n int) int {
	if i++; i < n {
		return i
	}
	return 0
}
