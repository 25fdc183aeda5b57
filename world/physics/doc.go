// Package physics moves rigid bodies in the plane. It is made to be rewound:
// everything that influences the future is in a State of flat slices, which a copy
// saves and a copy restores. The same State gives the same bits on every CPU, in
// every order of slots, with a fresh Solver as with a used one.
//
// A Def is what all bodies of one kind share, such as shape, density and friction.
// It never changes and is not part of the State. A Body is the state of one body. Its
// Key names it for good; its slot is only its present index. A Contact is a pair of
// bodies that touch, with the impulses that the next step starts from. A Joint ties
// two bodies, or one to the world. A Solver steps a State and reports which bodies
// began and ceased to touch (Events), which hit hard (Hits), and which joints broke
// (JointEvents).
//
//	ball := physics.NewDef(physics.Dynamic, physics.CircleShape(0.5))
//	if err := ball.Prepare(); err != nil { ... }
//	defs := []physics.Def{ball}
//	var s physics.State
//	s.Bodies = append(s.Bodies, physics.NewBody(1, 0, physics.Vec{Y: 10}, 0))
//	var sv physics.Solver
//	sv.Step(&s, defs, physics.NewParams(60))
//	begins, ends := sv.Events()
//
// Package space, in the folder below, is a shorter way to build such a world and to change
// it, with errors.
//
// Step returns no errors: it runs in every tick, ignores invalid values, and clamps
// numbers to their limits. Check reports such values in a State that was built by hand: a
// Def that was not prepared, a key that two bodies have, a motor whose flag is off.
//
// # How a step goes
//
// A Solver has two parts. A stepper does whole steps (stepper.go). The partial step has a
// stepper of its own for the bodies that it steps again. A stepper is composed of parts,
// one for each phase of a step. Each owns its results, and gets its inputs as arguments:
//
//   - rankedBodies are the bodies in the order of their keys: where they stand, and how
//     the step moves them (bodies.go, movement.go).
//   - sleepers decide which islands sleep through the step (sleep.go).
//   - broadphase finds candidate pairs with a sweep over boxes that is made anew in each
//     step (broadphase.go, lanes.go, boxsorter.go, pairlist.go).
//   - pairings are the pairs that have a manifold, and carry over the contacts of the
//     previous step (pairings.go, pairing.go). A manifold is the one or two points where
//     two shapes touch or soon will. It is computed from the two bodies alone
//     (manifold.go, collide_*.go, shapeline.go).
//   - contactSolver has the constraints of contacts in rounds; no two contacts of a round
//     push the same body (contactsolver.go, rounds.go, contactvisits.go). A body that bears
//     many times its own mass gets stiffer contacts and more visits (burden.go). At the end
//     restitution is applied (bounce.go).
//   - jointSolver has the joints that hold (jointsolver.go, jointed.go, jointkinds.go).
//   - ccd takes fast bodies back that would pass through others (ccd.go, impact.go).
//   - eventBuilder makes the events (stepevents.go).
//
// In each sub-step forces change the velocities, joints and contacts make impulses with
// soft constraints, the bodies move, and joints and contacts make impulses once more
// without the part that pushes overlapping bodies apart. Erin Catto describes the method
// under the name "soft step" in "Solver2D" (box2d.org, 2024). docs/physics.md has
// measurements of how well this works.
//
// With Solver.Check each part asserts what the others rely on, such as that no round
// pushes a body twice (invariant.go).
//
// # Shapes
//
// A body has one Shape, or several with positions of their own: a circle, a convex
// polygon with sharp or rounded corners, or a capsule. Bodies that are not dynamic
// can also have segments, which can be hit from both sides, and links of a chain
// (ChainShapes), which can be hit from one side and are smooth at their joints. A
// Contact belongs to two shapes, an Event to two bodies. Round shapes can resist
// rolling (Def.Rolling), and a surface can move like a conveyor (Def.SurfaceSpeed).
//
// # Joints
//
// State.AddJoint ties bodies by a Distance (rod, rope, spring), Hinge, Weld, Slider,
// Wheel or Target. All of a Joint is state, so a script can change its motor or its
// limits between steps. A Joint can break under a force or torque. JointEvents reports
// joints that broke, and joints that lost a body. Springs act once per sub-step and are
// no faster than a quarter of the sub-step rate. A joint itself is a spring of 75 Hz,
// so a weight of many times the mass of the chain above it stretches that chain a
// little.
//
// # Fast bodies
//
// Contacts are made for everything that a body may meet on its way within the step,
// so fast bodies do not pass through thin ones. A body that is struck within the
// step, or that spins, can leave that way. Then ccd.go takes it back to where it met
// a static body and, for a bullet, to where it met a moving one.
//
// # Crowds
//
// The number of pairs of bodies in one place grows with the square of their number. A
// step handles Params.MostPairs of them, those with static and sleeping bodies first.
// Other pairs are ignored: such bodies pass through each other until there is room.
// Which pairs are handled depends on the boxes of all bodies. This is the only thing
// that connects all islands. Solver.Crowded reports it, and such a step is never done
// in part.
//
// # Queries and movers
//
// A Finder answers Raycast, RaycastAll, ShapeCast, OverlapCircle, OverlapBox, OverlapShape
// and Nearest for any State, the present one or a stored one. They see the layers of a mask
// and answer in a defined order. A Finder counts the work of its queries, and makes an index
// after some of them; neither what they find nor their work depends on the index. A Mover
// moves a shape by a distance without forces, and slides it along obstacles.
//
// # Sleep
//
// With Params.SleepAfter, an island falls asleep when all of its bodies have been at
// rest for that long: its velocities become 0, and steps leave its bodies, contacts
// and joints as they are. Sleep is part of the state (Body.Rest). An island wakes when
// one of its bodies is awake, was pushed, moved or removed, when one of its joints was
// made, removed or changed, when what it rests on moves or is removed, and when a body
// hits it, in the same step. It does not notice a static body that is moved by hand, a
// Def that changes under its bodies, or other gravity: call Body.Wake for these. A Def
// with NoSleep keeps what it touches awake.
//
// # What keeps it exact
//
// A step of a body depends on its island and on what the boxes of the island overlap,
// and on nothing else.
//
// Every order that matters is by key, and by round, which follows from the keys of an
// island: the order of bodies, of pairs, of joints. No number that belongs to the
// whole world enters the arithmetic of a body. So an island steps to the same bits
// alone as among others. Static bodies are never written. A product that is added to
// something is written float64(a*b), which forbids a fused multiply-add.
//
// # Partial steps
//
// Record records what a step did, as a Trace. When what the step started from has
// changed for a few bodies, StepPart repeats the step for the bodies that can come out
// differently, and leaves the bits that a whole step would. If you change what a step
// reads, make sure that the following rules still hold. TestPartEqualsWhole tests them.
//
//   - A step of a body reads the body and its Def, its contacts with their impulses,
//     its joints, and the bodies whose boxes overlap its own. A box is that of bounds:
//     everything that the body can meet with the velocity and the forces that it starts
//     with.
//   - A pair of bodies is handled as before if both are as they were, and sleep or wake
//     as they did. So the part includes, for a body that differs, all bodies that its box
//     overlaps now or overlapped in the recorded step. For all other bodies the record is
//     enough.
//   - The part includes the ring of each dynamic body: all bodies that a constraint ties
//     to it, even by a constraint that pushed nothing, by a joint, or by a contact
//     between sleeping bodies.
//   - Static and kinematic bodies tie nothing together. Those near a body, or joined to
//     it, are present when it is stepped.
//   - A bullet reads the paths of the moving bodies that its box overlaps, and is in
//     their ring. A fast body reads the static bodies along its path, which can leave its
//     box: ccd.Ways holds what firstImpact looked at.
//   - Which bodies wake, or sleep on, is known when the part has been stepped. A body
//     that does not do as in the record counts as one that differs.
//   - A sensor changes the motion of no body. Its contacts and events with bodies that
//     are as they were stay, even where those bodies are stepped again.
//   - Which pairs a crowd leaves out depends on all bodies. If the recorded pairs and
//     those of the part are more than a step handles, everything is stepped.
//   - The ends of contacts with a removed body are reported again if the other body is
//     fixed or is stepped.
//   - Impulses of contacts and joints count, and so does every bit: -0 is not 0.
//
// # Units
//
// Metres, kilograms, seconds, newtons, radians; y up, angles counter-clockwise
// in (-pi, pi].
//
// # What it leaves out
//
// Pairs of static or kinematic bodies do not collide. A sensor of any type reports kinematic bodies, and one that
// is not dynamic reports no static ones. A
// kinematic body that moves further in a step than the body it pushes is thick may
// pass through it.
//
// # Concurrency
//
// A Solver serves one goroutine at a time, and so does the State that it steps. Queries and
// other functions that only read a State may run at the same time as each other. Defs never
// change once they are prepared and may be shared. Solvers have nothing in common.
package physics
