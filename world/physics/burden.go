package physics

// Visits to one contact after the other carry a load from body to body a little at a
// time, and a spring that suits a light body yields to a heavy one. So a body that
// bears one of many times its mass is burdened: its contacts are stiffer in
// proportion, and are visited more often. Which bodies are burdened follows from the
// contacts before the step, and so from the island alone.

const (
	heavyRatio   = 8.0 // a burden has at least so many times the mass of the body that bears it
	burdenReach  = 32  // rounds in which it passes down from body to body
	burdenStiff  = 8.0 // masses of that body from which contacts get stiffer, in proportion
	burdenHaste  = 1.5 // how far a visit goes, by how far it aims
	burdenVisits = 6   // a sub-step, and as many after the bodies have moved
)

// burdens has the bodies that each body bears, by rank.
type burdens struct {
	any   bool
	mass  []float64 // kg of the heaviest that rests on the body, through others or not; 0: of none
	rests []restsOn
}

// restsOn is a contact of two bodies of which one is lower.
type restsOn struct{ upper, lower int32 }

// find goes from heavy bodies down to all bodies on which they rest.
func (bs *burdens) find(s *State, defs []Def, bodies *rankedBodies, rules *stepRules) {
	bs.any = false
	outlines := bodies.outlines()
	if !differInMass(defs) {
		return
	}
	bs.listRests(s, bodies, Vec{rules.GravityX, rules.GravityY})
	bs.mass = resize(bs.mass, len(outlines))
	clear(bs.mass)
	for range burdenReach {
		changed := false
		for _, r := range bs.rests {
			own := outlines[r.lower].def.bodyMass()
			load := max(bs.mass[r.upper], outlines[r.upper].def.bodyMass())
			if load >= float64(heavyRatio*own) && load > bs.mass[r.lower] {
				bs.mass[r.lower], changed = load, true
			}
		}
		if !changed {
			return
		}
		bs.any = true
	}
}

// differInMass reports whether any body can be a burden to another.
func differInMass(defs []Def) bool {
	least, most := MaxMass, 0.0
	for i := range defs {
		if d := &defs[i]; d.ready() && d.Type == Dynamic {
			least, most = min(least, d.bodyMass()), max(most, d.bodyMass())
		}
	}
	return most >= float64(heavyRatio*least)
}

// listRests lists the contacts between bodies that the step moves, in the
// order of the State.
func (bs *burdens) listRests(s *State, bodies *rankedBodies, gravity Vec) {
	bs.rests = bs.rests[:0]
	outlines, ranks := bodies.outlines(), bodies.ranks()
	for i := range s.Contacts {
		c := &s.Contacts[i]
		if !c.joins() {
			continue
		}
		a, b := ranks.at(c.SlotA, c.KeyA), ranks.at(c.SlotB, c.KeyB)
		if a < 0 || b < 0 || outlines[a].isFixed() || outlines[b].isFixed() {
			continue
		}
		oa, ob := &outlines[a], &outlines[b]
		down := ob.centre.sub(oa.centre).dot(gravity)
		if float64(down*oa.def.GravityScale) > 0 {
			bs.rests = append(bs.rests, restsOn{a, b})
		}
		if float64(down*ob.def.GravityScale) < 0 {
			bs.rests = append(bs.rests, restsOn{b, a})
		}
	}
}

// ratio returns how many times as heavy a burden of a or b is as the body that bears it, or 0
// if there is none.
func (bs *burdens) ratio(a, b int32, outlines []outline) (ratio float64) {
	if !bs.any {
		return 0
	}
	for _, rank := range [...]int32{a, b} {
		if m := bs.mass[rank]; m > 0 {
			ratio = max(ratio, m/outlines[rank].def.bodyMass())
		}
	}
	return ratio
}

// under returns the softness of a contact under a burden.
func (f softness) under(ratio float64) softness {
	f.impulse = float64(f.impulse * min(1, burdenStiff/ratio))
	f.mass = float64(burdenHaste * (1 - f.impulse))
	f.rigid = burdenHaste
	return f
}

// yield is what the visits to a burdened constraint aim at, before the bodies have moved and
// after.
type yield struct{ soft, relaxed aims }

// pushBurdened visits the constraints of burdened bodies, each with its own softness.
func (cs *constraints) pushBurdened(moving []movement, yields []yield) {
	for range burdenVisits {
		for i := range yields {
			cs.visit(moving, i, &yields[i].soft, false)
		}
	}
}

// relaxBurdened is pushBurdened after the bodies have moved. The last visit counts.
func (cs *constraints) relaxBurdened(moving []movement, yields []yield) {
	for i := range cs.pairs {
		c := &cs.pairs[i]
		c.measure(&moving[c.a], &moving[c.b], cs.pointsOf(c))
	}
	for visit := range burdenVisits {
		for i := range yields {
			cs.visit(moving, i, &yields[i].relaxed, visit == burdenVisits-1)
		}
	}
}
