package physics

// castGap is the distance, in metres, that a cast shape keeps from the body that it
// meets.
const castGap = 0.1 * slop

// ShapeCast moves a shape, turned by angle about its origin at from, in a straight line by move,
// and returns the first body that it meets. Of two bodies met at once it returns the one with the
// lower key. The shape stops half a millimetre in front of the body, or at 0 if they overlap from
// the start. Normal points out of the body or, if they overlap from the start, against the move.
// The body with key ignore is left out. A shape that Def.Prepare would refuse meets nothing.
func (f *Finder) ShapeCast(shape *Shape, from Vec, angle float64, move Vec,
	mask, ignore uint64) (first Hit, ok bool) {
	if !from.finite() || !move.finite() || !finite(angle) || shape.Check() != nil {
		return first, false
	}
	p := castCorners(shape, angle)
	reach := p.farthest()
	way := stripOf(from, from.add(move), reach)
	f.each(&way, func(slot int32) {
		b, d, seen := f.visible(slot, mask, ignore)
		if !seen || !nearSegment(b.CentreOfMass(d), d.radius()+reach, from, from.add(move)) {
			return
		}
		if !f.do(castWork * len(d.pieces())) {
			return
		}
		hit, work, met := b.cast(d, &p, from, move)
		if !f.do(work) || !met {
			return
		}
		hit.Slot = int(slot)
		if !ok || compareHits(f.state, hit, first) < 0 {
			first, ok = hit, true
		}
	})
	return first, ok
}

// castCorners returns a shape turned about its origin.
func castCorners(shape *Shape, angle float64) (c corners) {
	at := NewBody(0, 0, Vec{}, angle)
	c.turn(shape, Vec{}, at.Cos, at.Sin)
	return c
}

// cast meets the parts of one body. It also returns how much work the steps towards that were.
func (b *Body) cast(d *Def, p *corners, from, move Vec) (first Hit, work int, ok bool) {
	var q corners
	apart := b.CentreOfMass(d).sub(from)
	for i := range d.pieces() {
		q.turn(&d.pieces()[i], d.centreOfMass(), b.Cos, b.Sin)
		hit, n, met := p.castPart(&q, apart, move)
		work += n * (stepWork + stepPairWork*p.count*q.count)
		if !met || ok && hit.t >= first.Fraction {
			continue
		}
		ok = true
		first = Hit{Fraction: hit.t, Normal: Vec{}.sub(hit.normal), // neg would make -0 of 0
			Point: from.addScaled(move, hit.t).add(hit.at).addScaled(hit.normal, p.radius)}
		if hit.t == 0 && hit.normal == (Vec{}) {
			first.Normal, _ = move.neg().normal()
			first.Point = from
		}
	}
	return first, work, ok
}

// castPart moves p along move until it is castGap away from q at d. If they overlap at the start,
// the normal is 0. It uses conservative advancement, like impact.
func (p *corners) castPart(q *corners, d, move Vec) (hit meeting, steps int, ok bool) {
	if !p.faces(q, d) {
		return hit, 0, false
	}
	skin := p.radius + q.radius
	for step := range impactSteps {
		var apart float64
		hit.at, hit.normal, apart = p.partGap(q, d.addScaled(move, -hit.t))
		gap := apart - skin
		if step == 0 && gap <= 0 {
			return meeting{}, step + 1, true
		}
		rate := move.dot(hit.normal)
		if !(float64(rate*(1-hit.t)) > min(gap, castGap)/1024) {
			return hit, step + 1, false // it moves away, or along
		}
		if gap <= castGap {
			return hit, step + 1, true
		}
		if hit.t += (gap - float64(castGap/2)) / rate; hit.t > 1 {
			return hit, step + 1, false
		}
	}
	return hit, impactSteps, true
}
