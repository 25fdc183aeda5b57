package physics

// Blocked reports whether a static body with which the body collides stands between its
// position and another one. It moves a circle of half the least thickness of the body from
// the present centre of mass to the one at the other position and angle (radians). A body
// that the circle touches or overlaps a little at the start does not block it. Nothing
// blocks a body without a Def that is prepared.
func Blocked(s *State, defs []Def, b *Body, to Vec, angle float64) bool {
	d := b.def(defs)
	if d == nil {
		return false
	}
	there := *b
	there.X, there.Y = to.X, to.Y
	there.SetAngle(angle)
	from := b.CentreOfMass(d)
	way := there.CentreOfMass(d).sub(from)
	radius := max(d.thickness()/2, MinSize)
	probe := CircleShape(radius)
	p := castCorners(&probe, 0)
	for slot := range s.Bodies {
		o := &s.Bodies[slot]
		e, seen := o.visible(defs, d.Collides, b.Key)
		if !seen || e.Type != Static || e.Collides&d.Layer == 0 ||
			!nearSegment(o.CentreOfMass(e), e.radius()+radius, from, from.add(way)) {
			continue
		}
		if _, _, met := o.cast(e, &p, from, way); met {
			return true
		}
	}
	return false
}
