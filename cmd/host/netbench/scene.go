package netbench

import (
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// Scene is what a match plays.
type Scene struct {
	Name       string
	About      string
	Players    int
	Predicting int // of the Players: the first
	Watching   int // of the Players: those after them
	chase      bool
	loose      int // bodies besides those of players
	level      func(b *bundle.Bundle, loose int)
}

// Line is a kind of connection; its profile holds each way.
type Line struct {
	Name    string
	Profile memlink.Profile
}

// Lines returns the connections that scenes are measured over.
func Lines() []Line {
	return []Line{{"off", memlink.Off()}, {"average", memlink.Average()}, {"bad", memlink.Bad()}, {"awful", memlink.Awful()}, {"burst", memlink.Burst()}}
}

// Scenes returns all scenes.
func Scenes() []Scene {
	return []Scene{
		{Name: "net-lone", About: "4 ships far from each other, which nothing disturbs", Players: 4, Predicting: 4, level: desert},
		{Name: "net-bump-16", About: "16 ships chase and bump each other in the arena", Players: 16, Predicting: 4, chase: true, level: arena},
		{Name: "net-64", About: "64 ships and 1,000 loose bodies", Players: 64, Predicting: 1, loose: 1000, level: crowd},
		{Name: "net-watch", About: "the arena with 16 chasing ships, watched", Players: 16, Watching: 2, chase: true, level: arena},
		{Name: "net-drift", About: "1,000 drifting discs, watched", Players: 1, Watching: 1, loose: 1000, level: drift},
	}
}

// bundle returns the scene as a game: the arena's scripts on the scene's level.
func (s *Scene) bundle() (*bundle.Bundle, error) {
	fsys, _ := scripts.Builtin("arena")
	game, err := scripts.Load(fsys, "arena")
	if err != nil {
		return nil, err
	}
	s.level(game.Bundle, s.loose)
	return game.Bundle, nil
}

// arena is the arena as it is played.
func arena(*bundle.Bundle, int) {}

// square makes the level a square with walls, and nothing in it.
func square(b *bundle.Bundle, side float64) {
	s := &b.Setup
	long, half := side+2, side/2+0.5
	s.Width, s.Height, s.Spawns = side, side, nil
	s.Walls = []world.Wall{{Y: half, W: long, H: 1}, {Y: -half, W: long, H: 1}, {X: half, W: 1, H: long}, {X: -half, W: 1, H: long}}
}

// desert is so wide that ships never meet.
func desert(b *bundle.Bundle, _ int) { square(b, 20_000) }

// crowd is the square of the scene arena-10.
func crowd(b *bundle.Bundle, loose int) {
	square(b, 142)
	b.Setup.Spawns = []world.Spawn{{Class: "Crate", Count: loose / 2, W: 140, H: 140, Speed: 1}, {Class: "Ball", Count: loose / 2, W: 140, H: 140, Speed: 1}}
}

// discs are bodies that never stop, and that have nothing to replicate but their motion.
const discs = `
Disc = object "Disc" {
  body = { type = "dynamic", shape = { circle = 0.4 }, restitution = 1, friction = 0, linear_damping = 0, angular_damping = 0 },
}
`

// drift is discs in a wide space. Nobody steers anything.
func drift(b *bundle.Bundle, loose int) {
	square(b, 1000)
	b.Files = []world.Source{{Name: "disc.lua", Text: discs}}
	b.Setup.Spawns = []world.Spawn{{Class: "Disc", Count: loose, W: 900, H: 900, Speed: 3}}
}
