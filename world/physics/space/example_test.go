package space_test

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/physics"
	"github.com/hindcast/hindcast/world/physics/space"
)

// A car drives over a bridge of planks, and brakes when a ray sees a wall.
func Example() {
	s := space.Must(space.New(physics.NewParams(60)))
	def := func(t physics.BodyType, layer uint64, shape physics.Shape) space.DefID {
		d := physics.NewDef(t, shape)
		d.Friction, d.Layer = 0.9, layer
		return space.Must(s.AddDef(d))
	}
	const ground, vehicle = 1, 2 // layers
	block := def(physics.Static, ground, physics.BoxShape(10, 2))
	plank := def(physics.Dynamic, ground, physics.BoxShape(1, 0.2))
	body := def(physics.Dynamic, vehicle, physics.BoxShape(2, 0.5))
	tyre := def(physics.Dynamic, vehicle, physics.CircleShape(0.4))

	// Two banks, 12 m apart, and between them planks, each hinged to the one before.
	left := space.Must(s.AddBody(block, physics.Pose{X: -11, Y: -1}))
	right := space.Must(s.AddBody(block, physics.Pose{X: 11, Y: -1}))
	space.Must(s.AddBody(block, physics.Pose{X: 15, Y: 5, Angle: math.Pi / 2})) // the wall
	hinge := func(a, b space.BodyID, x float64) {
		space.Must(s.AddJoint(space.Joint{Kind: physics.Hinge, A: a, B: b, At: physics.Vec{X: x, Y: -0.1}}))
	}
	last := left
	for x := -6.0; x < 6; x++ {
		next := space.Must(s.AddBody(plank, physics.Pose{X: x + 0.5, Y: -0.1}))
		hinge(last, next, x)
		last = next
	}
	hinge(last, right, 6)

	// A car with two wheels, each on a spring and with a motor.
	car := space.Must(s.AddBody(body, physics.Pose{X: -10, Y: 0.9}))
	axle := func(x float64) (wheel space.BodyID, joint space.JointID) {
		wheel = space.Must(s.AddBody(tyre, physics.Pose{X: x, Y: 0.5}))
		return wheel, space.Must(s.AddJoint(space.Joint{
			Kind: physics.Wheel, A: car, B: wheel, At: physics.Vec{X: x, Y: 0.5}, Axis: physics.Vec{Y: 1},
			Spring: &space.Spring{Hertz: 4, Damping: 0.7},
			Limits: &space.Limits{Min: -0.2, Max: 0.2},
			Motor:  &space.Motor{Speed: -15, MaxForce: 10}, // clockwise: to the right
		}))
	}
	_, rear := axle(-10.7)
	wheel, front := axle(-9.3)

	eyes := s.Query(space.Filter{Layers: ground})
	crossed, braked := false, false
	for tick := 1; tick <= 360; tick++ {
		s.Step()
		for _, e := range s.Events().Begins {
			if e.A == right && e.B == wheel && !crossed {
				crossed = true
				fmt.Printf("tick %d: over the bridge\n", tick)
			}
		}
		b := space.Must(s.Body(car))
		wall, seen := eyes.Raycast(b.Position(), b.ToWorld(physics.Vec{X: 5}))
		if seen && wall.Normal.X < -0.9 && !braked {
			braked = true
			fmt.Printf("tick %d: a wall in %.1f m: brake\n", tick, 5*wall.Fraction)
			for _, joint := range []space.JointID{rear, front} {
				err := s.ChangeJoint(joint, func(j *physics.Joint) { j.Speed = 0 })
				if err != nil {
					fmt.Println(err)
				}
			}
		}
		if tick%120 == 0 {
			fmt.Printf("tick %d: x = %.1f m\n", tick, b.X)
		}
	}
	// Output:
	// tick 120: x = 0.0 m
	// tick 171: over the bridge
	// tick 213: a wall in 4.9 m: brake
	// tick 240: x = 10.9 m
	// tick 360: x = 10.8 m
}

// An error names the argument that is wrong.
func ExampleSpace_AddJoint() {
	s := space.Must(space.New(physics.NewParams(60)))
	def := space.Must(s.AddDef(physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1))))
	door := space.Must(s.AddBody(def, physics.Pose{Y: 3}))
	_, err := s.AddJoint(space.Joint{Kind: physics.Hinge, A: door, At: physics.Vec{Y: 3}, Motor: &space.Motor{Speed: 2}})
	fmt.Println(err)
	fmt.Println(s.RemoveBody(door))
	_, err = s.Body(door)
	fmt.Println(err)
	_, err = s.AddDef(physics.Def{Type: physics.Dynamic, Shape: physics.BoxShape(1, 1), Density: 1})
	fmt.Println(err)
	// Output:
	// joint of body 1 and the world: MaxForce = 0: the motor has no force; give N, or N m for Hinge and Wheel
	// <nil>
	// bad id: body 1 was removed
	// def 2: GravityScale = 0: gravity does not move its bodies; NewDef gives 1
	// def 2: Layer = 0: its bodies collide with nothing, and queries do not see them; NewDef gives 1
	// def 2: Collides = 0: its bodies collide with nothing; NewDef gives all layers
}

// Save and Restore rewind: the second before the shot is played again, with another shot.
func ExampleSpace_Restore() {
	s := space.Must(space.New(physics.NewParams(60)))
	floor := space.Must(s.AddDef(physics.NewDef(physics.Static, physics.BoxShape(40, 1))))
	crate := space.Must(s.AddDef(physics.NewDef(physics.Dynamic, physics.BoxShape(1, 1))))
	space.Must(s.AddBody(floor, physics.Pose{Y: -0.5}))
	var top space.BodyID
	for i := range 5 {
		top = space.Must(s.AddBody(crate, physics.Pose{Y: 0.5 + float64(i)}))
	}

	var history [61]space.Saved // one for each tick
	play := func(from, shotAt int, speed float64) {
		for tick := from; tick < 60; tick++ {
			if tick == shotAt {
				push := func(b *physics.Body, d *physics.Def) { b.ApplyImpulse(d, speed, 0) }
				if err := s.ChangeBody(top, push); err != nil {
					fmt.Println(err)
				}
			}
			s.Step()
			s.Save(&history[tick+1])
		}
		b := space.Must(s.Body(top))
		fmt.Printf("%016x: the top crate is at %.2f, %.2f\n", s.Hash(), b.X, b.Y)
	}
	s.Save(&history[0])
	play(0, 20, 2)
	s.Restore(&history[20]) // what if the shot had been harder?
	play(20, 20, 4)
	s.Restore(&history[0])
	play(0, 20, 2)
	// Output:
	// 338458340de0b67c: the top crate is at 0.30, 4.50
	// 6669d3458d38b55b: the top crate is at 2.06, 3.30
	// 338458340de0b67c: the top crate is at 0.30, 4.50
}
