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

// constraintList says in which of the solver's lists a constraint is.
type constraintList uint8

// The first round of each kind; the burdened have one list.
const (
	freeList     constraintList = 0
	fixedList                   = freeList + constraintList(len(rounds{}))
	burdenedList                = fixedList + constraintList(len(rounds{}))
)

// listOf chooses the list for the constraint of two bodies, with so many points.
func (sv *Solver) listOf(a, b int32, count int, touched bool) constraintList {
	fixed := sv.bodies.Outlines[a].fixed() || sv.bodies.Outlines[b].fixed()
	if ratio := sv.burdens.ratio(a, b, sv.bodies.Outlines); ratio > 0 {
		soft := sv.soft
		if fixed {
			soft = sv.hard
		}
		soft = soft.under(ratio)
		sv.yields = append(sv.yields, yield{soft.aims(1 / sv.rules.H), soft.relaxed().aims(1 / sv.rules.H)})
		return burdenedList
	}
	round := constraintList(rest)
	if touched {
		round = constraintList(roundOf(&sv.bodies.Moving[a], &sv.bodies.Moving[b], count))
	}
	if fixed {
		return fixedList + round
	}
	return freeList + round
}

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

func (sv *Solver) listed(list constraintList) *constraints {
	switch {
	case list < fixedList:
		return &sv.free[list]
	case list < burdenedList:
		return &sv.fixed[list-fixedList]
	}
	return &sv.burdened
}

// resetLists empties all of them.
func (sv *Solver) resetLists() {
	for list := range burdenedList + 1 {
		sv.listed(list).reset()
	}
}

// warmStart does so for all rounds.
func (r *rounds) warmStart(moving []movement) {
	for i := range r {
		r[i].warmStart(moving)
	}
}

// visit does so for all rounds.
func (r *rounds) visit(moving []movement, to aims, moved bool) {
	for i := range r {
		cs := &r[i]
		switch {
		case len(cs.Pairs) == 0:
		case i < mostRounds:
			cs.visitOnes(moving, 0, len(cs.Pairs), &to, moved)
		case i < 2*mostRounds:
			cs.visitTwos(moving, 0, len(cs.Pairs), &to, moved)
		default:
			for at := range cs.Pairs {
				cs.visit(moving, at, &to, moved)
			}
		}
	}
}

// bounceRounds does so for all rounds.
func (sv *Solver) bounceRounds(r *rounds) {
	for i := range r {
		sv.bounce(&r[i])
	}
}
