// Package physics moves rigid bodies in the plane. It is made to be rewound:
// everything that influences the future lies in a State of flat slices that a
// copy saves and a copy restores, and the same State gives the same bits on
// every CPU, in every order of slots, with a fresh Solver as with an old one.
//
// A Def is what all bodies of one kind share: shape, density, friction and so
// on. It never changes and is not part of the State. A Body is the state of
// one body; its Key names it for good, its slot is only where it lies now. A
// Contact is a pair of bodies that touch, with the impulses that the next step
// starts from. A Joint ties two bodies, or one to the world. A Solver steps a
// State and reports who began and ceased to touch (Events), who hit hard
// (Hits), and which joints broke (JointEvents).
//
//	ball := physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5),
//		Density: 1, GravityScale: 1, Layer: 1, Collides: 1}
//	if err := ball.Prepare(); err != nil { ... }
//	defs := []physics.Def{ball}
//	var s physics.State
//	s.Bodies = append(s.Bodies, physics.NewBody(1, 0, physics.Vec{Y: 10}, 0))
//	var sv physics.Solver
//	sv.Step(&s, defs, physics.Params{DT: 1.0 / 60, GravityY: -10, Substeps: 4})
//	begins, ends := sv.Events()
//
// # How a step goes
//
// Candidate pairs come from a sweep over boxes that is made anew each step
// (broadphase.go). A manifold, the one or two points where two shapes touch or
// soon will, is computed from their two bodies alone (collide_*.go,
// shapeline.go). The solver
// runs sub-steps: velocities, impulses of joints and contacts with soft
// constraints, positions, and once more the impulses without the push apart
// (solver.go, contactsolve.go, joint*.go). Contacts are visited in rounds, in
// which no two push the same body (rounds.go). At the end it applies restitution
// (bounce.go). The method is the one that Erin Catto describes under the name
// "soft step" in "Solver2D" (box2d.org, 2024). What bears a body of many times
// its mass gets stiffer contacts and more visits (burden.go). How well all of
// it holds is in docs/physics.md.
//
// # Shapes
//
// A body has a Shape, or several Shapes with places of their own: a circle, a
// convex polygon with sharp or rounded corners, a capsule; and what is not
// dynamic also segments, hit from both sides, and the links of a chain
// (ChainShapes), hit from one side and smooth over their joints. A Contact is
// of two shapes, an Event of two bodies. What is round may resist rolling
// (Def.Rolling), and a surface may run (Def.SurfaceSpeed).
//
// # Joints
//
// State.AddJoint ties bodies by a Distance (rod, rope, spring), Hinge, Weld,
// Slider, Wheel or Target. All of a Joint is state: a script may change its
// motor or limits between steps. A Joint may break under a force or torque;
// Solver.JointEvents tells of those that broke, and of those of which a body
// was removed. Springs act once a sub-step and are no faster than a quarter of
// the sub-step rate; what a joint holds is itself a spring of 75 Hz, so that a
// weight that is many times what hangs above it stretches a chain a little.
//
// # Fast bodies
//
// Contacts are made for all that a body may meet on its way within the step,
// so fast bodies do not pass through thin ones. Who is struck in the step, or
// spins, may leave that way: then ccd.go takes it back to where it met a
// static body, and a bullet to where it met a moving one.
//
// # Crowds
//
// Bodies at one place are as many pairs as their number squared. A step looks at
// Params.MostPairs of them, those with static bodies and sleepers first, and at others
// not at all: they pass through each other until there is room. Which ones
// follows from the boxes of all bodies, so this is the one thing that ties all
// islands together; Solver.Crowded tells when it happened, and such a step is
// never done in part.
//
// # Queries and movers
//
// Raycast, RaycastAll, ShapeCast, OverlapCircle, OverlapBox, OverlapShape and
// Nearest look at any State, the present one or a stored one, see the layers
// of a mask, and answer in a defined order. A Mover
// leads a shape along a way and along what it hits, without forces.
//
// # Sleep
//
// With Params.SleepAfter, an island of which all bodies have been at rest for
// that long sleeps: its velocities become 0, and steps leave its bodies,
// contacts and joints as they are. Who sleeps is state (Body.Rest). An island
// wakes when one of its bodies is awake, was pushed, moved or removed, when a
// joint of it was made, removed or changed, when what it rests on moves or
// goes, and when somebody hits it, in the same step. Not seen are a static
// body that is moved by hand, a Def that changes under its bodies, and another
// gravity: then call Body.Wake. A Def with NoSleep keeps what it touches awake.
//
// # What keeps it exact
//
// A step of a body depends on its island, on what the island's boxes overlap,
// and on nothing else.
//
// Every order that matters is by key, and by round, which follows from the keys
// of an island: of bodies, of pairs, of joints. No number that belongs to the whole
// world enters the arithmetic of a body, so an island steps to the same bits
// alone as among others. Static bodies are never written. A product that
// meets a sum is written float64(a*b), which forbids a fused multiply-add.
//
// # Steps in part
//
// Record writes down what a step did, as a Trace. When what the step started
// from has changed for a few bodies, StepPart does it again for those that can
// come out differently, and leaves the bits that a whole step would. Whoever
// changes what a step reads must see that these rules still hold, and that
// TestPartEqualsWhole does:
//
//   - A step of a body reads itself and its Def, its contacts with their
//     impulses, its joints, and the bodies whose boxes overlap its own. A box is
//     that of gather: all that the body can meet with the velocity and the
//     forces that it starts with.
//   - A pair of bodies is treated as before if both are as they were and sleep
//     or wake as they did. So one that differs brings all that its box overlaps,
//     as it was and as it is; for the others what they did before is enough.
//   - Dynamic bodies come with all that a constraint tied to them, also one that
//     pushed nobody, or a joint, or a contact between sleepers: with their ring.
//   - Static and kinematic bodies tie nobody, but those near a body, or joined
//     to it, are there when it is stepped.
//   - A bullet reads the ways of the moving bodies that its box overlaps, and is
//     in their ring. A fast body reads the static ones along its way, which can
//     leave its box: what firstImpact looked at is kept in ways.
//   - Who wakes, or sleeps on, is known when the part has been stepped, and
//     counts as one that differs.
//   - A sensor changes nobody's motion: its contacts and events with bodies that
//     are as they were stay, even where those are stepped again.
//   - Which pairs a crowd leaves out depends on everybody: where the recorded
//     pairs and those of the part come to more than a step looks at, all is stepped.
//   - Ends of contacts with a body that is gone are told again where the other
//     is fixed, and where it is stepped.
//   - Impulses of contacts and joints count, and so does each bit: -0 is not 0.
//
// # Units
//
// Metres, kilograms, seconds, newtons, radians; y up, angles counter-clockwise
// in (-pi, pi].
//
// # What it leaves out
//
// Pairs of bodies that are both static or kinematic do not collide, not even
// with a sensor. A kinematic body that is faster than what it pushes is thick
// may pass through it.
package physics
