package stub

import (
	"math"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Ships is a Script in Go, for tests that are not about Lua: ships that fly, and crates.
// "Ship:interpolate" in its first file gives ships that level of detail.
type Ships struct{ schema *world.Schema }

// The buttons of ships.
const (
	Left = 1 << iota
	right
	Accel
)

// Compile returns the Script Ships. It uses the files only for levels of detail.
func Compile(files []world.Source, setup world.Setup) (world.Script, error) {
	ship := world.Class{Name: "Ship", Hooks: 1<<world.ApplyInput | 1<<world.OnContact,
		Inputs: []world.InputField{{Name: "Turnleft"}, {Name: "Turnright", Index: 1}, {Name: "Accel", Index: 2}},
		Fields: []world.Field{{Name: "fuel", Default: []uint64{math.Float64bits(100)}}, {Name: "bumps", Default: []uint64{0}}},
		Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1,
			Friction: 0.3, Restitution: 0.4, LinearDamping: 0.5, AngularDamping: 2, GravityScale: 1}}}
	crate := world.Class{Name: "Crate", Body: &world.BodySpec{Def: physics.Def{Type: physics.Dynamic,
		Shape: physics.BoxShape(0.8, 0.8), Density: 1, Friction: 0.4, Restitution: 0.2, LinearDamping: 0.3, AngularDamping: 0.5, GravityScale: 1}}}
	game := world.Class{Name: world.GameClass, Hooks: 1 << world.OnJoin}
	classes := []world.Class{crate, ship, game}
	giveLevels(classes, files)
	schema, err := world.NewSchema(classes, setup)
	return &Ships{schema}, err
}

// Schema is what the game declares.
func (s *Ships) Schema() *world.Schema { return s.schema }

// Call runs a hook.
func (s *Ships) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	id := w.State().Objects[slot].ID
	switch h {
	case world.OnJoin:
		_, err := w.Spawn("Ship", world.Placement{Pose: physics.Pose{X: (w.Random() - 0.5) * 10, Y: (w.Random() - 0.5) * 10}, Owner: a.Player})
		return err
	case world.OnContact:
		row := w.State().Row(slot)
		return w.Do(world.Op{Target: id, Kind: world.SetWord, Field: 1, Word: math.Float64bits(math.Float64frombits(row[1]) + 1)})
	case world.ApplyInput:
		return s.fly(w, slot, a.Input)
	}
	return nil
}

func (s *Ships) fly(w world.Actor, slot int, in world.Input) error {
	o, b := w.State().Objects[slot].ID, w.State().Body(slot)
	turn, push := 0.0, 0.0
	if in.Buttons&Left != 0 {
		turn++
	}
	if in.Buttons&right != 0 {
		turn--
	}
	if parts := in.HeldParts(2); parts > 0 { // Accel
		push = 20 * float64(parts) / world.PressParts
	}
	if err := w.Do(world.Op{Target: o, Kind: world.SetTorque, A: 3 * turn}); err != nil {
		return err
	}
	return w.Do(world.Op{Target: o, Kind: world.SetDirectionalForce, A: b.Angle, B: push})
}

// Game is an arena of 20 x 20 m with walls and crates.
func Game() *bundle.Bundle {
	b := &bundle.Bundle{Game: "stub", Setup: bundle.DefaultSetup(), Rules: bundle.DefaultRules()}
	s := &b.Setup
	s.Width, s.Height = 20, 20
	s.Walls = []world.Wall{{X: 0, Y: 10.5, W: 22, H: 1}, {X: 0, Y: -10.5, W: 22, H: 1}, {X: 10.5, Y: 0, W: 1, H: 20}, {X: -10.5, Y: 0, W: 1, H: 20}}
	s.Spawns = []world.Spawn{{Class: "Crate", Count: 12, W: 16, H: 16, Speed: 1}}
	return b
}

// Wanderer is a player who holds some buttons for a while, then others. A button goes down
// within a tick. The choices follow from the seed.
type Wanderer struct{ Seed uint64 }

// Input is the input of the coming tick.
func (c *Wanderer) Input(r world.Reader, slot int) world.Input {
	period := uint64(r.Tick()) / 20
	x := (period + c.Seed*1000003) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	in := world.Input{Buttons: uint32(x>>7) & (Left | right)}
	if x>>13&1 != 0 && r.Tick()%20 == 0 {
		in.Press(2, float64(x>>20&63)/world.PressParts)
	} else if x>>13&1 != 0 {
		in.Buttons |= Accel
	}
	return in
}
