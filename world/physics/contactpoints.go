package physics

// touchReach is how far apart, in metres, two outlines may be that still count as touching for ContactPoints: after a
// step they may have moved.
const touchReach = 10 * speculative

// ContactPoints appends the points in the world in which the bodies of a contact of s touch.
func ContactPoints(s *State, defs []Def, c *Contact, out []Vec) []Vec {
	if c.Count == 0 || c.Gone() {
		return out
	}
	a, b := &s.Bodies[c.SlotA], &s.Bodies[c.SlotB]
	da, db := &defs[a.Def], &defs[b.Def]
	var p, q corners
	p.turn(&da.pieces()[c.PartA], da.centreOfMass(), a.Cos, a.Sin)
	q.turn(&db.pieces()[c.PartB], db.centreOfMass(), b.Cos, b.Sin)
	at := a.CentreOfMass(da)
	var m manifold
	m.meet(&p, &q, b.CentreOfMass(db).sub(at), touchReach)
	for i := range m.count {
		out = append(out, at.add(m.points[i].at))
	}
	return out
}
