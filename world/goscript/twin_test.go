package goscript_test

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// twin is a game with the same rules as testdata/*.lua.
type twin struct {
	*goscript.Game
	ship, bullet, crate, drone, pad  *goscript.Class
	left, right, accel, launch, tows goscript.Button
	aim, turn                        goscript.Axis
	push                             goscript.Button
	fuel, bumps, boxX, boxY, hit, n  goscript.Number
	team, walked, steps, round       goscript.Number
	hot, several                     goscript.Bool
	name, kind                       goscript.Text
	wins                             goscript.Number
	vent, chime                      goscript.Timer
	target, tow, by                  goscript.Ref
	hits, slots                      goscript.List
}

func newTwin() *twin {
	g := &twin{Game: goscript.NewGame("twin", "1")}
	g.declareShip()
	g.declareRest()
	g.vent = g.ship.Timer("vent", g.vents)
	g.chime = g.Timer("chime", func(a goscript.Actor, self goscript.Object) { g.round.Add(self, 0.25) })
	g.wins = g.Stats.Number("wins", 0)
	g.ship.Hooks = goscript.Hooks{OnSpawn: g.launched, ApplyInput: g.fly, OnContact: g.bump, OnJointBreak: g.torn, Tick: g.look}
	g.bullet.OnContact = g.strike
	g.bullet.OnRemove = func(a goscript.Actor, self goscript.Object) {
		if p := self.Body().Pose(); a.Random() < 0.2 {
			a.Spawn(g.crate, goscript.At(p.X, p.Y))
		}
	}
	g.drone.Think = func(a goscript.Actor, _ goscript.Object) (in world.Input) {
		if a.Random() < 0.5 {
			g.push.Press(&in, 1)
		}
		g.turn.Set(&in, float64(a.Random()*2)-1)
		return in
	}
	g.drone.ApplyInput = func(_ goscript.Actor, self goscript.Object, in *world.Input) {
		way := -0.05
		if g.push.Down(in) {
			way = 0.05
		}
		met := self.Body().MoveAndSlide(way, 0.1*g.turn.Value(in))
		g.walked.Add(self, float64(1+len(met)))
	}
	g.pad.OnTrigger = func(_ goscript.Actor, self, other goscript.Object) {
		g.steps.Add(self, 1)
		other.Body().SetVelocity(0, 2)
	}
	g.GameHooks = goscript.GameHooks{OnStart: g.start, OnJoin: g.welcome, Tick: g.rounds}
	return g
}

func (g *twin) declareShip() {
	b := goscript.Dynamic(physics.CircleShape(0.5))
	b.Layer, b.Def.LinearDamping, b.Def.AngularDamping = "ship", 0.5, 2
	b.Carried = true
	g.ship = g.Class(world.Class{Name: "Ship", Body: b, Seen: &world.SeenRules{}})
	g.left, g.right, g.accel = g.ship.Button("Left"), g.ship.Button("Right"), g.ship.Button("Accel")
	g.launch, g.tows, g.aim = g.ship.Button("Fire").Counted(), g.ship.Button("Tow").Counted(), g.ship.Axis("aim", -1, 1).Step(0.01)
	g.fuel, g.bumps, g.hot = g.ship.Number("fuel", 100).Range(0, 100).Step(0.5), g.ship.Number("bumps", 0), g.ship.Bool("hot", false)
	g.name, g.target, g.tow = g.ship.Text("name", 12, "ship"), g.ship.Ref("target"), g.ship.Ref("tow")
	g.hits, g.slots = g.ship.List("hits", 4), g.ship.List("slots", 3)
	g.hit, g.kind, g.n = g.hits.Number("", 0), g.slots.Text("kind", 4, ""), g.slots.Number("n", 1)
	g.boxX, g.boxY, g.team = g.ship.Number("box.x", 0), g.ship.Number("box.y", 0), g.ship.Aux().Number("team", 0)
}

func (g *twin) declareRest() {
	shot := goscript.Dynamic(physics.CircleShape(0.1))
	shot.Def.Bullet, shot.Carried = true, true
	g.bullet = g.Class(world.Class{Name: "Bullet", Order: 1, Body: shot})
	g.by = g.bullet.Ref("by")
	box := goscript.Dynamic(physics.BoxShape(0.8, 0.8))
	box.Def.Friction, box.Def.Restitution, box.Def.LinearDamping, box.Def.AngularDamping = 0.4, 0.2, 0.3, 0.5
	box.Carried = true
	g.crate = g.Class(world.Class{Name: "Crate", Body: box})
	hull := goscript.Kinematic(physics.CircleShape(0.4))
	hull.Carried = true
	g.drone = g.Class(world.Class{Name: "Drone", Order: -1, Body: hull})
	g.push, g.turn, g.walked = g.drone.Button("Push").Once(), g.drone.Axis("turn", -1, 1).Decay(0.2), g.drone.Number("walked", 0)
	area := goscript.Static(physics.BoxShape(3, 3))
	area.Def.Sensor = true
	area.Carried = true
	g.pad = g.Class(world.Class{Name: "Pad", Body: area})
	g.steps, g.round, g.several = g.pad.Number("steps", 0), g.Number("round", 1), g.Bool("told", false)
}

func (g *twin) launched(_ goscript.Actor, self goscript.Object) {
	g.team.Set(self, float64(self.Owner()%2))
	g.name.Set(self, fmt.Sprint("ship ", self.Owner()))
}

func (g *twin) fly(a goscript.Actor, self goscript.Object, in *world.Input) {
	body := self.Body()
	body.SetTorque(3 * (g.left.Value(in) - g.right.Value(in)))
	body.SetDirectionalForce(body.Pose().Angle+g.aim.Value(in), g.accel.Held(in)*20)
	if g.accel.Down(in) {
		g.fuel.Add(self, -0.25)
	}
	if g.launch.Down(in) && a.Tick()%5 == 0 {
		g.fire(a, self)
	}
	if g.tows.Down(in) && a.Tick()%9 == 0 {
		g.haul(a, self)
	}
	away := 0.0
	if g.tows.Released(a) {
		away = 0.1
	}
	body.ApplyImpulse(0.1*float64(g.launch.Presses(a)), away)
	if g.tows.Pressed(a) {
		g.fuel.Add(self, -0.5)
		if left, running := g.vent.Left(a); !running {
			g.vent.After(a, 0.2)
		} else if left > 0.1 {
			g.vent.Stop(a)
		}
	}
}

func (g *twin) vents(a goscript.Actor, self goscript.Object) {
	g.fuel.Add(self, -1)
	self.Body().ApplyImpulse(0, 0.1)
	if g.fuel.Get(self) < 90 {
		panic("a timer that fails")
	}
	if a.Random() < 0.5 {
		g.vent.Every(a, 0.1)
	}
}

func (g *twin) fire(a goscript.Actor, self goscript.Object) {
	body := self.Body()
	p := body.Pose()
	s, c := detmath.Sincos(p.Angle)
	a.Spawn(g.bullet, goscript.At(p.X+c, p.Y+s), goscript.Facing(p.Angle), goscript.Moving(14*c, 14*s), goscript.Turning(1), g.by.As(self))
	body.ApplyImpulse(-0.2*c, -0.2*s)
	var hit goscript.Hit
	var ok bool
	a.AsSeen(func() { hit, ok = a.Raycast(p.X, p.Y, p.X+float64(9*c), p.Y+float64(9*s), "ship") })
	if !ok {
		return
	}
	g.target.Set(self, hit.Object)
	g.boxX.Set(self, hit.X)
	g.boxY.Set(self, hit.Y)
	if g.hits.Len(self) == 4 {
		g.hits.Remove(self, 0)
	}
	g.hits.Append(self, g.hit.As(a.Random()))
	hit.Object.Body().ApplyImpulse(0.1*c, 0.1*s)
}

func (g *twin) haul(a goscript.Actor, self goscript.Object) {
	if tow := g.tow.Get(self); tow.Valid() {
		tow.Remove()
		g.tow.Set(self, goscript.Object{})
		return
	}
	p := self.Body().Pose()
	crate := a.Nearest(g.crate, p.X, p.Y, 5)
	none := goscript.Object{}
	switch {
	case crate != none && a.Random() < 0.7:
		j := goscript.Rope(self, crate)
		j.BreakForce = 90
		g.tow.Set(self, a.Tie(j).Object())
	case crate != none && crate.Body().Holder() == none:
		crate.Body().Attach(self, 1, 0.25)
	case crate != none:
		crate.Body().Detach()
	default:
		g.tow.Set(self, a.Tie(goscript.Hinge(self, none)).Object())
	}
}

func (g *twin) bump(_ goscript.Actor, self, _ goscript.Object, c *world.Contact) {
	g.bumps.Add(self, c.Speed)
	g.hot.Set(self, c.Impulse > 0.5)
}

func (g *twin) torn(a goscript.Actor, self, _ goscript.Object, _ *world.JointBreak) {
	g.fuel.Add(self, -1)
	if g.slots.Len(self) == 3 {
		g.slots.Clear(self)
	}
	g.slots.Append(self, g.kind.As("rope"), g.n.As(float64(len(a.OverlapCircle(0, 0, 6)))))
	g.n.At(0).Add(self, float64(g.slots.Len(self)))
}

func (g *twin) look(a goscript.Actor, self goscript.Object) {
	target := g.target.Get(self)
	if target != (goscript.Object{}) && !target.Valid() {
		target = goscript.Object{}
		g.target.Set(self, target)
	}
	if target != (goscript.Object{}) && a.Tick()%30 == 0 {
		g.boxX.Set(target, g.fuel.Get(self))
		g.boxY.Set(target, 1)
	}
	if g.fuel.Get(self) == 0 {
		a.Spawn(g.ship, goscript.OwnedBy(self.Owner()), goscript.At(float64(a.Random()*8)-4, float64(a.Random()*8)-4), g.fuel.As(50))
		self.Remove()
	}
}

func (g *twin) strike(a goscript.Actor, self, other goscript.Object, _ *world.Contact) {
	if by := g.by.Get(self); by.Valid() && other != by {
		g.bumps.Add(by, 100)
		if s := g.Stats.Of(a, by.Owner()); s.Valid() {
			g.wins.Add(s, 1+float64(g.wins.Get(s)/64))
		}
	}
	a.Cue(goscript.Cue{Name: "hit", When: world.CueConfirmed}, goscript.CueText("who", other.ID().String()), goscript.CueBool("loud", true))
	self.Remove()
}

func (g *twin) start(a goscript.Actor) {
	g.chime.Every(a, 0.75)
	a.Spawn(g.drone, goscript.At(6, 6))
	a.Spawn(g.drone, goscript.At(-6, 5))
	a.Spawn(g.pad, goscript.At(0, -6))
}

func (g *twin) welcome(a goscript.Actor, player world.PlayerID) {
	x, y := float64(a.Random()*10)-5, float64(a.Random()*10)-5
	a.Spawn(g.ship, goscript.OwnedBy(player), goscript.At(x, y), goscript.Facing(a.Random()))
	g.wins.Add(g.Stats.Of(a, player), float64(player))
}

// lineUp gives the first players drones, fills up the drones, and begins the counts of the players anew.
func (g *twin) lineUp(a goscript.Actor) {
	for _, p := range a.Players() {
		if d := goscript.LineupOf(a).TakeOver(p, g.drone); d.ID() != 0 {
			g.walked.Set(d, 0)
		}
	}
	for range goscript.LineupOf(a).Missing(g.drone, 3) {
		a.Spawn(g.drone)
	}
	if len(a.Players()) > 1 {
		goscript.LineupOf(a).ResetStats()
	}
}

func (g *twin) rounds(a goscript.Actor) {
	if a.Tick()%60 != 0 {
		return
	}
	g.round.Add(a.Match(), 1)
	g.several.Set(a.Match(), len(a.Players()) > 1)
	for _, pad := range a.Objects(g.pad) {
		g.steps.Set(pad, 0)
	}
	if int(g.round.Get(a.Match()))%3 == 0 {
		g.lineUp(a)
	}
	if int(g.round.Get(a.Match()))%4 == 0 {
		panic("a hook that fails")
	}
}
