package physics

import (
	"cmp"
	"slices"
)

// part is one shape of a body.
type part struct{ rank, index int32 }

// bodyParts are the shapes of the body of rank 0, of rank 1, and so on, with their corners.
type bodyParts struct {
	list    []part
	corners []corners // by part
	several bool      // a body has more than one part
	bullets bool      // a body is a bullet
}

// reset forgets all parts.
func (ps *bodyParts) reset() { ps.list, ps.several, ps.bullets = ps.list[:0], false, false }

// add adds the parts of a body, and returns the index of the first.
func (ps *bodyParts) add(rank int32, d *Def) (first int32) {
	first = int32(len(ps.list))
	for i := range d.pieces() {
		ps.list = append(ps.list, part{rank, int32(i)})
	}
	ps.several = ps.several || len(d.pieces()) > 1
	ps.bullets = ps.bullets || d.Bullet
	return first
}

// clearCorners makes that no corners are filled, when all parts are there.
func (ps *bodyParts) clearCorners() {
	ps.corners = resize(ps.corners, len(ps.list))
	for i := range ps.corners {
		ps.corners[i].count = 0
	}
}

// all returns the parts. Pairs of bodies are pairs of their indices.
func (ps *bodyParts) all() []part { return ps.list }

// at returns a part.
func (ps *bodyParts) at(i int32) part { return ps.list[i] }

// turned returns the corners of a part of the body that o is.
func (ps *bodyParts) turned(i int32, o *outline) *corners {
	return o.turnedCorners(&ps.corners[i], ps.list[i].index)
}

// haveBullets reports whether a body is a bullet.
func (ps *bodyParts) haveBullets() bool { return ps.bullets }

// order brings pairs of parts, which are in the order of (part, part), in
// that of (body, body, part, part).
func (ps *bodyParts) order(pairs []uint64) []uint64 {
	if ps.several {
		slices.SortFunc(pairs, func(x, y uint64) int {
			xa, xb, ya, yb := ps.list[x>>32], ps.list[uint32(x)], ps.list[y>>32], ps.list[uint32(y)]
			return cmp.Or(cmp.Compare(xa.rank, ya.rank), cmp.Compare(xb.rank, yb.rank),
				cmp.Compare(xa.index, ya.index), cmp.Compare(xb.index, yb.index))
		})
	}
	return pairs
}

// check asserts that the parts are those of the bodies, in their order.
func (ps *bodyParts) check(bodies []outline) {
	at := 0
	for rank := range bodies {
		o := &bodies[rank]
		if o.def == nil {
			continue
		}
		for i := range o.def.pieces() {
			if at >= len(ps.list) || ps.list[at] != (part{int32(rank), int32(i)}) {
				violated("part %d is not shape %d of rank %d", at, i, rank)
			}
			at++
		}
	}
	if at != len(ps.list) {
		violated("%d parts, %d listed", at, len(ps.list))
	}
}
