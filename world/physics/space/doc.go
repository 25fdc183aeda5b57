// Package space is a world of rigid bodies that a program builds and changes by calls:
// the short way to use package physics by itself. It adds nothing to the simulation.
//
//	s, err := space.New(physics.NewParams(60))
//	floor, err := s.AddDef(physics.NewDef(physics.Static, physics.BoxShape(20, 1)))
//	crate, err := s.AddDef(physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1)))
//	s.AddBody(floor, physics.Pose{Y: -0.5})
//	id, err := s.AddBody(crate, physics.Pose{Y: 4})
//	for range 60 {
//		s.Step()
//	}
//	b, err := s.Body(id)
//
// A Def is what bodies of one kind share. AddDef, AddBody and AddJoint return ids, which
// the other methods take. Must turns an error into a panic, for levels written in code.
//
// # What is refused
//
// A Space refuses what a step would ignore: each error says what is wrong, where, and what
// to do. Besides the errors of package physics there are physics.Findings, such as a motor
// without force, or a Def without a layer. AddDef takes the kinds of findings that are
// intended. A call that returns an error has changed nothing. All of this happens when
// something is added or changed; Step checks nothing.
//
// # Ids
//
// A BodyID is the Key of the body in the flat State, and a JointID that of the joint. A
// Space counts them up and never uses one again, so the id of a removed body or of a
// broken joint is always detected: the error is ErrID. 0 is no id.
//
// # Rewinds
//
// Save copies all of a Space but the events of the last step, and Restore copies it back.
// The same calls after a Restore give the same ids and the same bits, on every CPU. Ids
// that were returned after the Save are returned again by the next calls.
//
// # The flat state
//
// Flat returns the State, the Defs and the Params, which are also what package physics
// takes: to hash single bodies, to write them as bytes, to compare two states, or to move a
// physics.Mover. Load makes a Space of a State. To repeat steps of the past in part, keep a
// Saved for each step and the physics.Trace that Record writes, and hand them to
// physics.Solver.StepPart.
//
// # Concurrency
//
// A Space may be used by one goroutine at a time. Methods that only read (Body, Bodies,
// Joint, Query and its methods, Hash, Save, Flat) may run at the same time as each other.
// Different Spaces have nothing in common.
package space
