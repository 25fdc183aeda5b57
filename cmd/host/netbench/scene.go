package netbench

import (
	"cmp"
	"embed"
	"io/fs"
	"math"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Scene is what a match plays.
type Scene struct {
	Name       string
	about      string
	players    int
	predicting int // of the players: the first
	watching   int // of the players: those after them
	chase      bool
	loose      int // bodies besides those of players
	level      func(b *bundle.Bundle, loose int)

	game    string // built in, or in games; "": the arena, with the level
	act     func(p *player, r world.Reader, slot int, in *world.Input)
	press   string  // the cue of what players press now and then
	counts  counted // presses, in the state of some classes
	carried carried
	speed   float64 // of objects without velocity, m/s
}

// counted are fields of classes in which scripts count presses, and what they hit.
type counted struct {
	presses, hits string
	classes       []string
}

// carried says of which class carried objects are, and where at their holders.
type carried struct {
	class string
	at    physics.Vec
}

// Line is a kind of connection; its profile holds each way.
type Line struct {
	Name    string
	Profile memlink.Profile
}

// Lines returns the connections that scenes are measured over.
func Lines() []Line {
	return []Line{{"off", memlink.Off()}, {"average", memlink.Average()}, {"bad", memlink.Bad()},
		{"awful", memlink.Awful()}, {"burst", memlink.Burst()}}
}

// Scenes returns all scenes.
func Scenes() []Scene {
	return []Scene{
		{
			Name:       "net-lone",
			about:      "4 ships far from each other, which nothing disturbs",
			players:    4,
			predicting: 4,
			level:      desert,
		},
		{
			Name:       "net-bump-16",
			about:      "16 ships chase and bump each other in the arena",
			players:    16,
			predicting: 4,
			chase:      true,
			level:      arena,
		},
		{
			Name:       "net-64",
			about:      "64 ships and 1,000 loose bodies",
			players:    64,
			predicting: 1,
			loose:      1000,
			level:      crowd,
		},
		{
			Name:     "net-watch",
			about:    "the arena with 16 chasing ships, watched",
			players:  16,
			watching: 2,
			chase:    true,
			level:    arena,
		},
		{Name: "net-possession", about: "8 runners who pass a ball and steal it", players: 8, predicting: 8,
			game: "possession", act: carry, press: "kicked",
			carried: carried{"Ball", physics.Vec{X: 0.9, Y: 0.2}}},
		{Name: "net-grapple", about: "8 runners of the built-in game on ropes", players: 8, predicting: 8,
			game: "grapple", act: swing, press: "shot"},
		{Name: "net-range", about: "8 fighters of all levels of detail who shoot at moving ones", players: 8,
			predicting: 8,
			game:       "range", act: snipe, press: "shot",
			counts: counted{"shots", "hits", []string{"Fighter", "Runner", "Drifter"}}},
		{Name: "net-walkers", about: "8 walkers, interpolated on other screens", players: 8, predicting: 8,
			game: "walkers", act: stroll, press: "wave", counts: counted{"waves", "", []string{"Walker"}},
			speed: 4 * math.Sqrt2},
		{Name: "net-drift", about: "1,000 drifting discs, watched", players: 1, watching: 1, loose: 1000, level: drift},
	}
}

//go:embed games
var games embed.FS

// bundle returns the scene as a game.
func (s *Scene) bundle() (*bundle.Bundle, error) {
	name := cmp.Or(s.game, "arena")
	fsys, builtin := scripts.Builtin(name)
	if !builtin {
		var err error
		if fsys, err = fs.Sub(games, "games/"+name); err != nil {
			return nil, err
		}
	}
	game, err := scripts.Load(fsys, name)
	if err != nil {
		return nil, err
	}
	if s.level != nil {
		s.level(game.Bundle, s.loose)
	}
	return game.Bundle, nil
}

// arena is the arena as it is played.
func arena(*bundle.Bundle, int) {}

// square makes the level a square with walls, and nothing in it.
func square(b *bundle.Bundle, side float64) {
	s := &b.Setup
	long, half := side+2, side/2+0.5
	s.Width, s.Height, s.Spawns = side, side, nil
	s.Walls = []world.Wall{
		{Y: half, W: long, H: 1},
		{Y: -half, W: long, H: 1},
		{X: half, W: 1, H: long},
		{X: -half, W: 1, H: long},
	}
}

// desert is so wide that ships never meet.
func desert(b *bundle.Bundle, _ int) { square(b, 20_000) }

// crowd is the square of the scene arena-10.
func crowd(b *bundle.Bundle, loose int) {
	square(b, 142)
	b.Setup.Spawns = []world.Spawn{
		{Class: "Crate", Count: loose / 2, W: 140, H: 140, Speed: 1},
		{Class: "Ball", Count: loose / 2, W: 140, H: 140, Speed: 1},
	}
}

// discs are bodies that never stop, and that have nothing to replicate but their motion.
const discs = `
Disc = object "Disc" {
  body = { type = "dynamic", shape = { circle = 0.4 }, restitution = 1, friction = 0,
    linear_damping = 0, angular_damping = 0 },
}
`

// drift is discs in a wide space. Nobody steers anything.
func drift(b *bundle.Bundle, loose int) {
	square(b, 1000)
	b.Files = []world.Source{{Name: "disc.lua", Text: discs}}
	b.Setup.Spawns = []world.Spawn{{Class: "Disc", Count: loose, W: 900, H: 900, Speed: 3}}
}
