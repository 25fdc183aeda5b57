package physics

// motions are how a step moves its bodies.
type motions struct {
	moving []movement // by rank; and the world, last
	active []int32    // ranks of the bodies with a constraint
}

// reset makes room for n bodies, of any content. The world, to which joints may tie, rests.
func (ms *motions) reset(n int) {
	ms.moving, ms.active = resize(ms.moving, n+1), ms.active[:0]
	ms.moving[n] = movement{cos: 1}
}

// all returns those of all ranks, and that of the world.
func (ms *motions) all() []movement { return ms.moving }

// of returns that of a rank.
func (ms *motions) of(rank int32) *movement { return &ms.moving[rank] }

// activate takes the body that o is among those that the sub-steps move, if the step moves it.
func (ms *motions) activate(rank int32, o *outline) {
	if m := &ms.moving[rank]; !m.constrained && o.moves() {
		m.constrained = true
		ms.active = append(ms.active, rank)
	}
}

// accelerate does one sub-step of forces and damping, of the bodies with a constraint.
func (ms *motions) accelerate() {
	for _, rank := range ms.active {
		ms.moving[rank].accelerate()
	}
}

// move moves the bodies with a constraint by a sub-step of h seconds.
func (ms *motions) move(h float64) {
	for _, rank := range ms.active {
		ms.moving[rank].advance(h)
		ms.moving[rank].setTurn()
	}
}

// check asserts that the bodies with a constraint, of n bodies, are listed once.
func (ms *motions) check(n int) {
	constrained := 0
	for rank := range ms.moving {
		if ms.moving[rank].constrained {
			constrained++
		}
	}
	if constrained != len(ms.active) || !distinct(ms.active, n) {
		violated("%d bodies with a constraint, listed %v", constrained, ms.active)
	}
}
