package physics

import "math/bits"

const (
	mostRounds = 16             // of contacts of one point, and of two
	rest       = 2 * mostRounds // of those that have no round
	roundLists = rest + 1
)

// rounds are lists of constraints: mostRounds of those of one point, as many
// of those of two, and the rest. In a round no two push the same body, so a
// processor need not wait for one before it begins the next: it works on
// several at once. And as all have as many points, it need not guess how many.
//
// The rest are those for which there is no round left, and of bodies that did
// not touch before the step. Most of these push nothing, and then they must not
// matter: a round that one of them took would be lost to others.
type rounds struct {
	lists [roundLists]constraints
	used  uint64 // a bit for each list that is not empty: few are, where few bodies touch
}

// pickRound returns the first round in which none of two bodies has a constraint of
// so many points, of those that can be pushed. Constraints of an island ask in
// the order of their keys, so the round follows from the island alone.
func (a *movement) pickRound(b *movement, count int) int {
	first := mostRounds * (count - 1)
	var taken uint32
	if a.invM > 0 {
		taken = a.rounds
	}
	if b.invM > 0 {
		taken |= b.rounds
	}
	round := bits.TrailingZeros16(^uint16(taken >> first))
	if round == mostRounds {
		return rest
	}
	a.rounds |= 1 << (first + round)
	b.rounds |= 1 << (first + round)
	return first + round
}

// at returns a list.
func (r *rounds) at(round int) *constraints { return &r.lists[round] }

// open returns a list that is not going to be empty.
func (r *rounds) open(round int) *constraints {
	r.used |= 1 << round
	return &r.lists[round]
}

// reset empties all lists.
func (r *rounds) reset() {
	for used := r.used; used != 0; used &= used - 1 {
		r.lists[bits.TrailingZeros64(used)].reset()
	}
	r.used = 0
}

// warmStart does so for all lists.
func (r *rounds) warmStart(moving []movement) {
	for used := r.used; used != 0; used &= used - 1 {
		r.lists[bits.TrailingZeros64(used)].warmStart(moving)
	}
}

// visit does so for all lists.
func (r *rounds) visit(moving []movement, to *aims, moved bool) {
	for used := r.used; used != 0; used &= used - 1 {
		i := bits.TrailingZeros64(used)
		cs := &r.lists[i]
		switch {
		case i < mostRounds:
			cs.visitOnes(moving, 0, cs.len(), to, moved)
		case i < 2*mostRounds:
			cs.visitTwos(moving, 0, cs.len(), to, moved)
		default:
			for at := range cs.len() {
				cs.visit(moving, at, to, moved)
			}
		}
	}
}

// bounce does so for all lists.
func (r *rounds) bounce(moving []movement, speed float64) {
	for used := r.used; used != 0; used &= used - 1 {
		r.lists[bits.TrailingZeros64(used)].bounce(moving, speed)
	}
}

// each calls f for all lists that are not empty.
func (r *rounds) each(f func(cs *constraints)) {
	for used := r.used; used != 0; used &= used - 1 {
		f(&r.lists[bits.TrailingZeros64(used)])
	}
}

// check asserts that the lists that are not empty are known.
func (r *rounds) check() {
	for i := range r.lists {
		if n := r.lists[i].len(); n > 0 != (r.used>>i&1 == 1) {
			violated("round %d has %d constraints, and %b are used", i, n, r.used)
		}
	}
}
