package space

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// Saved is all of a Space at one time. It keeps its memory from Save to Save, so a ring of
// them, one for each step, costs a copy of the bodies, contacts and joints a step.
type Saved struct{ then content }

// Save copies the Space to a Saved.
func (s *Space) Save(to *Saved) { to.then.copyFrom(&s.now) }

// Restore restores the Space to the saved one: bodies, joints, Defs, Params, and the ids
// to be given next. It may be a Saved of another Space, of which this one then is a copy.
// After it, Events has no events.
func (s *Space) Restore(from *Saved) {
	s.now.copyFrom(&from.then)
	s.events.clear()
	s.stepped = false
}

// State returns the saved State, for physics.Solver.StepPart and for comparisons. It
// belongs to the Saved.
func (v *Saved) State() *physics.State { return &v.then.state }

// copyFrom makes c equal to src in the memory that c has. Defs never change, so the two
// share them; what one adds the other does not get.
func (c *content) copyFrom(src *content) {
	c.state.CopyFrom(&src.state)
	c.bodies.copyFrom(&src.bodies)
	c.params, c.lastJoint = src.params, src.lastJoint
	c.defs, c.meant = slices.Clip(src.defs), slices.Clip(src.meant)
}
