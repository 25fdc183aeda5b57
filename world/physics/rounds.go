package physics

import "math/bits"

const (
	mostRounds = 16             // of contacts of one point, and of two
	rest       = 2 * mostRounds // of those that have no round
)

// rounds are lists of constraints: mostRounds of those of one point, as many
// of those of two, and the rest. In a round no two push the same body, so a
// processor need not wait for one before it begins the next: it works on
// several at once. And as all have as many points, it need not guess how many.
//
// The rest are those for which there is no round left, and of bodies that did
// not touch before the step. Most of these push nothing, and then they must not
// matter: a round that one of them took would be lost to others.
type rounds [rest + 1]constraints

// roundOf is the first round in which none of two bodies has a constraint of
// so many points, of those that can be pushed. Constraints of an island ask in
// the order of their keys, so the round follows from the island alone.
func roundOf(a, b *movement, count int) int {
	first := mostRounds * (count - 1)
	var taken uint32
	if a.InvM > 0 {
		taken = a.Rounds
	}
	if b.InvM > 0 {
		taken |= b.Rounds
	}
	round := bits.TrailingZeros16(^uint16(taken >> first))
	if round == mostRounds {
		return rest
	}
	a.Rounds |= 1 << (first + round)
	b.Rounds |= 1 << (first + round)
	return first + round
}

// reset empties all rounds.
func (r *rounds) reset() {
	for i := range r {
		r[i].reset()
	}
}

// warmStart does so for all rounds.
func (r *rounds) warmStart(moving []movement) {
	for i := range r {
		r[i].warmStart(moving)
	}
}

// visit does so for all rounds.
func (r *rounds) visit(moving []movement, to *aims, moved bool) {
	for i := range r {
		cs := &r[i]
		switch {
		case len(cs.Pairs) == 0:
		case i < mostRounds:
			cs.visitOnes(moving, 0, len(cs.Pairs), to, moved)
		case i < 2*mostRounds:
			cs.visitTwos(moving, 0, len(cs.Pairs), to, moved)
		default:
			for at := range cs.Pairs {
				cs.visit(moving, at, to, moved)
			}
		}
	}
}

// bounce does so for all rounds.
func (r *rounds) bounce(moving []movement, speed float64) {
	for i := range r {
		r[i].bounce(moving, speed)
	}
}
