package stub

import (
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
	"github.com/hindcast/hindcast/world/physics"
)

// The buttons of ships.
const (
	Accel = 1 << iota
	Left
	right
)

// Compile returns a Script in Go, for tests that are not about Lua: ships that fly, and
// crates. It uses the files only for levels of detail: "Ship:interpolate" in the first one
// gives ships that level.
func Compile(files []world.Source, setup world.Setup) (world.Script, error) {
	classes := []world.Class{{
		Name: "Crate",
		Body: goscript.Dynamic(physics.BoxShape(0.8, 0.8)),
	}, {
		Name: "Ship",
		Body: goscript.Dynamic(physics.CircleShape(0.5)),
	}}
	crate, ship := &classes[0].Body.Def, &classes[1].Body.Def
	crate.Friction, crate.Restitution, crate.LinearDamping, crate.AngularDamping = 0.4, 0.2, 0.3, 0.5
	ship.Restitution, ship.LinearDamping, ship.AngularDamping = 0.4, 0.5, 2
	giveLevels(classes, files)
	g := goscript.NewGame("stub", "1")
	g.Class(classes[0])
	ships(g, g.Class(classes[1]))
	return goscript.Compile(g)([]world.Source{g.Source()}, setup)
}

// ships declares the classes of ships.
func ships(g *goscript.Game, ship *goscript.Class) {
	left, right, accel := ship.Button("Turnleft"), ship.Button("Turnright"), ship.Button("Accel")
	bumps := ship.Number("bumps", 0)
	ship.Number("fuel", 100)
	ship.ApplyInput = func(_ goscript.Actor, self goscript.Object, in *world.Input) {
		body := self.Body()
		body.SetTorque(3 * (left.Value(in) - right.Value(in)))
		body.SetDirectionalForce(body.Pose().Angle, 20*accel.Held(in))
	}
	ship.OnContact = func(_ goscript.Actor, self, _ goscript.Object, _ *world.Contact) { bumps.Add(self, 1) }
	g.OnJoin = func(a goscript.Actor, player world.PlayerID) {
		a.Spawn(ship, goscript.At((a.Random()-0.5)*10, (a.Random()-0.5)*10), goscript.OwnedBy(player))
	}
}

// Game returns an arena of 20 x 20 m with walls and crates.
func Game() *bundle.Bundle {
	b := bundle.New("stub")
	s := &b.Setup
	s.Width, s.Height = 20, 20
	s.Walls = []world.Wall{{
		X: 0,
		Y: 10.5,
		W: 22,
		H: 1,
	}, {
		X: 0,
		Y: -10.5,
		W: 22,
		H: 1,
	}, {
		X: 10.5,
		Y: 0,
		W: 1,
		H: 20,
	}, {
		X: -10.5,
		Y: 0,
		W: 1,
		H: 20,
	}}
	s.Spawns = []world.Spawn{{Class: "Crate", Count: 12, W: 16, H: 16, Speed: 1}}
	return b
}

// Wanderer is a player who holds some buttons for a while, then others. A button goes down
// within a tick. The choices follow from the seed.
type Wanderer struct{ Seed uint64 }

// Input returns the input of the coming tick.
func (c *Wanderer) Input(r world.Reader, slot int) world.Input {
	period := uint64(r.Tick()) / 20
	x := (period + c.Seed*1000003) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	in := world.Input{Buttons: uint32(x>>7) & 3 * Left}
	if x>>13&1 != 0 && r.Tick()%20 == 0 {
		in.Press(0, float64(x>>20&63)/world.PressParts) // Accel
	} else if x>>13&1 != 0 {
		in.Buttons |= Accel
	}
	return in
}
