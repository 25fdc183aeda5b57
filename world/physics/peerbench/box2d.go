package main

import "github.com/ByteArena/box2d"

// Box2D's usual iterations.
const (
	box2dVelocities = 8
	box2dPositions  = 3
)

// box2D is ByteArena/box2d.
type box2D struct {
	world  box2d.B2World
	bodies []*box2d.B2Body
}

func newBox2D(sc *scene) engine {
	e := &box2D{world: box2d.MakeB2World(box2d.MakeB2Vec2(0, sc.gravity))}
	e.world.SetAllowSleeping(false)
	for i := range sc.bodies {
		e.add(sc, &sc.bodies[i], sc.of(i))
	}
	return e
}

func (e *box2D) add(sc *scene, b *body, k *kind) {
	def := box2d.MakeB2BodyDef()
	def.Position.Set(b.x, b.y)
	def.Angle = b.angle
	def.LinearDamping, def.AngularDamping = sc.damping, sc.damping
	if !k.static {
		def.Type = box2d.B2BodyType.B2_dynamicBody
		def.LinearVelocity.Set(b.vx, b.vy)
		def.AngularVelocity = b.w
	}
	fixture := box2d.MakeB2FixtureDef()
	fixture.Filter = box2d.MakeB2Filter() // without it nothing collides
	fixture.Density, fixture.Friction, fixture.Restitution = 1, sc.friction, sc.restitution
	fixture.Shape = k.box2dShape()
	made := e.world.CreateBody(&def)
	made.CreateFixtureFromDef(&fixture)
	e.bodies = append(e.bodies, made)
}

func (k *kind) box2dShape() box2d.B2ShapeInterface {
	if k.corners == nil {
		circle := box2d.MakeB2CircleShape()
		circle.M_radius = k.radius
		return &circle
	}
	var corners []box2d.B2Vec2
	for _, p := range k.corners {
		corners = append(corners, box2d.MakeB2Vec2(p.x, p.y))
	}
	polygon := box2d.MakeB2PolygonShape()
	polygon.Set(corners, len(corners))
	return &polygon
}

func (e *box2D) step() { e.world.Step(tick, box2dVelocities, box2dPositions) }

func (e *box2D) at(i int) (x, y, angle float64) {
	b := e.bodies[i]
	return b.GetPosition().X, b.GetPosition().Y, b.GetAngle()
}

func (e *box2D) mass(i int) float64 { return e.bodies[i].GetMass() }
