package physics

import (
	"math"
	"slices"
)

// Continuous collision. Contacts are made for what a body may meet with the
// velocities at the start of a step; this is for what they cannot see: a body
// that is struck in the step, and one that spins. A body that moved far for
// its size is taken back along its way, as a straight line and an even turn,
// to where its kernel first met a static body: the kernel is its shape, half as
// thick, so that what slides, rests or grazes is left alone and contacts do
// the rest. It is alone in that, so nothing ties islands together. A bullet is
// also taken back to where it met moving bodies near it; they are not changed.

const stuck = 1.0 / 64 // share of the way; an impact before it counts as contact from the start

// ccd shortens the ways of bodies that would pass through others.
type ccd struct {
	ways []way // of fast bodies
	cuts []cut
}

// way is the region in which a fast body of a rank looked for static ones.
type way struct {
	rank   int32
	extent extent
}

// cut is an impact of a bullet.
type cut struct {
	bullet int32
	t      float64
}

// fastWays returns the ways of fast bodies.
func (cc *ccd) fastWays() []way { return cc.ways }

// forget makes that no body was fast.
func (cc *ccd) forget() { cc.ways = cc.ways[:0] }

// sweep shortens the ways of bodies; pairs are those of which the boxes overlap.
func (cc *ccd) sweep(pairs []uint64, bodies *rankedBodies, bp *broadphase, joints *jointSolver) {
	cc.forget()
	bullets := false
	outlines, moving := bodies.outlines(), bodies.motions().all()
	for rank := range outlines {
		o, m := &outlines[rank], &moving[rank]
		if o.kind != Dynamic || o.asleep || o.def.Sensor || !m.d.finite() || !finite(m.turn) || !m.isFast(o.def) {
			continue
		}
		bullets = bullets || o.def.Bullet
		if hit := cc.firstImpact(int32(rank), bodies, bp, joints); hit.t < 1 {
			m.shorten(hit.t)
			m.stopAt(hit)
		}
	}
	if bullets {
		cc.sweepBullets(pairs, bodies, joints)
	}
}

// firstImpact returns when a body first meets a static one: at 1 if it meets none.
func (cc *ccd) firstImpact(rank int32, bodies *rankedBodies, bp *broadphase, joints *jointSolver) meeting {
	o, m := bodies.outline(rank), bodies.motions().of(rank)
	along := bp.wayBox(o.centre, m.d, o.def.radius())
	cc.ways = append(cc.ways, way{rank, bp.extent(&along)})
	first := meeting{t: 1}
	bp.eachStatic(&along, func(b *box) {
		other := bodies.outline(b.rank)
		if o.def.meets(other.def) && !joints.keepApart(rank, b.rank) {
			_, q := bodies.turned(b.part)
			first = first.orEarlier(o.impactWith(m, q, other.centre))
		}
	})
	return first
}

// impactWith returns when any part of a body meets q about centre, which does not move.
func (o *outline) impactWith(m *movement, q *corners, centre Vec) meeting {
	first := meeting{t: 1}
	for i := range o.def.pieceKernels() {
		p := o.kernel(int32(i))
		first = first.orEarlier(p.impact(m, o.def.radius(), q, &movement{}, centre.sub(o.centre)))
	}
	return first
}

// sweepBullets shortens the ways of bullets that would pass through a moving
// body whose box their own met at the start of the step.
func (cc *ccd) sweepBullets(pairs []uint64, bodies *rankedBodies, joints *jointSolver) {
	cc.cuts = cc.cuts[:0]
	for _, packed := range pairs {
		pa, pb := int32(packed>>32), int32(uint32(packed))
		a, b := bodies.parts().at(pa), bodies.parts().at(pb)
		oa, ob := bodies.outline(a.rank), bodies.outline(b.rank)
		if !oa.def.Bullet && !ob.def.Bullet || oa.def.Sensor || ob.def.Sensor || !oa.moves() || !ob.moves() ||
			joints.keepApart(a.rank, b.rank) {
			continue
		}
		if oa.def.Bullet {
			cc.meetBullet(a, pb, bodies)
		}
		if ob.def.Bullet {
			cc.meetBullet(b, pa, bodies)
		}
	}
	// Only now, so that each bullet sees the complete ways of the others.
	slices.SortStableFunc(cc.cuts, func(x, y cut) int {
		if x.t < y.t {
			return -1
		}
		return int(math.Copysign(1, x.t-y.t))
	})
	for _, c := range cc.cuts {
		if m := bodies.motions().of(c.bullet); !m.cut {
			m.shorten(c.t)
			m.cut = true
		}
	}
}

// meetBullet notes when a part of a bullet meets a part of a moving body.
func (cc *ccd) meetBullet(bullet part, other int32, bodies *rankedBodies) {
	o, m := bodies.outline(bullet.rank), bodies.motions().of(bullet.rank)
	if o.kind != Dynamic || !m.isFast(o.def) {
		return
	}
	p := o.kernel(bullet.index)
	by, q := bodies.turned(other)
	hit := p.impact(m, o.def.radius(), q, bodies.motions().of(bodies.parts().at(other).rank), by.centre.sub(o.centre))
	if hit.t < 1 {
		cc.cuts = append(cc.cuts, cut{bullet.rank, hit.t})
	}
}

// isFast reports whether a body moved so far that it could have passed through something thin.
func (m *movement) isFast(d *Def) bool {
	return m.d.length()+float64(math.Abs(m.turn)*d.radius()) > d.thickness()/2
}

// stopAt removes the approach from the velocity of a body that met a static one where it already was
// at the start of the step. Contacts could not stop it, because they are straight.
func (m *movement) stopAt(hit meeting) {
	if hit.t > stuck {
		return
	}
	lever := hit.at.cross(hit.normal)
	approach := m.v.dot(hit.normal) + float64(m.w*lever)
	k := m.invM + float64(m.invI*float64(lever*lever))
	if approach > 0 && k > 0 {
		impulse := approach / k
		m.v = m.v.addScaled(hit.normal, -float64(impulse*m.invM))
		m.w -= float64(float64(impulse*m.invI) * lever)
	}
}

func (m *movement) shorten(t float64) {
	m.d = m.d.scale(t)
	m.turn = float64(m.turn * t)
}
