package goscript

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Game is a game whose rules are in Go: its classes, the fields of the match, and
// the hooks of the match. Declare everything in one goroutine, then call Compile.
type Game struct {
	GameHooks
	Fields // of the match: read and written through Actor.Match

	Stats // what each player has

	id        identity
	classes   []*Class
	functions []function
	at        place
}

// Stats are the fields that each player has. They stay while a player is away within the grace time,
// and outlive the player's objects.
type Stats struct{ Fields }

// Of returns the object with the fields of a player. It is not Valid for a player who is
// not in the room.
func (s Stats) Of(a Actor, p world.PlayerID) Object {
	if pl, here := a.of.stage().world().State().PlayerByID(p); here {
		return a.of.stage().object(pl.Object())
	}
	return Object{}
}

// match returns the declaration of the match.
func (g *Game) match() *declaration { return g.Fields.of }

// GameHooks are the hooks of a game. All are optional. The acting object is the game
// object, which has no body.
type GameHooks struct {
	// OnStart is called when a level has begun: in tick 1, and after Levels.Change. Levels.InForce has its name.
	OnStart func(a Actor)
	// OnJoin is called when a player joins for the first time.
	OnJoin func(a Actor, player world.PlayerID)
	// OnLeave is called when the grace time of a player who left is over. Without
	// it, or if it fails, the player's objects are removed.
	OnLeave func(a Actor, player world.PlayerID)
	// Tick is called once per tick, after those of all objects.
	Tick func(a Actor)
	// Migrate fills the fields of the match at a bundle switch.
	Migrate func(a Actor, old Old)
	// Relevant reports whether the owner of viewer is sent object. It may look at
	// the world, and changes nothing. The acting object is viewer.
	Relevant func(a Actor, viewer, object Object) bool
	// Predicted reports whether the client of the owner of viewer predicts object. Otherwise
	// that client simulates it in complete ticks only. The rest is as for Relevant.
	Predicted func(a Actor, viewer, object Object) bool
}

// NewGame begins a game. Host and clients must have the same name and version:
// raise the version with every change of the rules. Both are 1 to 64 bytes long.
func NewGame(name, version string) *Game {
	g := &Game{id: identity{name: name, version: version}, at: caller()}
	g.Fields.of = newDeclaration(world.Class{Name: world.GameClass}, g.at)
	g.Stats.of = newDeclaration(world.Class{Name: world.PlayerClass}, g.at)
	for _, part := range [...]struct{ what, text string }{{"name", name}, {"version", version}} {
		if part.text == "" || len(part.text) > world.MaxClassName {
			g.match().
				problem(g.at, "a game has a %s of 1 to %d bytes, not %d", part.what, world.MaxClassName, len(part.text))
		}
	}
	return g
}

// Class declares a class. Of spec it takes everything but Fields, Inputs, Timers and
// Hooks, which are declared with the methods and the fields of the Class, and Extends, which Extend sets.
func (g *Game) Class(spec world.Class) *Class {
	g.match().mayDeclare()
	c := &Class{}
	c.Fields = Fields{of: newDeclaration(spec, caller())}
	g.classes = append(g.classes, c)
	return c
}

// Levels returns the levels of the Setup, for a hook.
func (g *Game) Levels(a Actor) Levels { return Levels{a.of.stage()} }

// Source returns the file that names the game in a bundle: put it, and nothing else, into
// the Files of the bundle. It holds the name and the version of the game and a hash of
// what it declares. Nothing can be declared after it.
func (g *Game) Source() world.Source {
	g.layOut()
	return world.Source{Name: g.id.name + ".go", Text: g.id.text()}
}

// identity returns the identity of the game on the wire.
func (g *Game) identity() identity { return g.id }

// layOut ends the declarations: it numbers fields and inputs.
func (g *Game) layOut() {
	if g.match().isLaidOut() {
		return
	}
	g.match().layOut(g.GameHooks.set())
	sum := sha256.New()
	for _, c := range g.classes {
		c.inherit() // from a class that is laid out, because it was declared before
		c.declared().layOut(c.Hooks.set())
	}
	g.Stats.of.layOut(0)
	for _, d := range declarationsOf(g) {
		describe(d, sum)
	}
	fmt.Fprintf(sum, "%+v\n", sortedFunctions(g.functions))
	g.id.digest = fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// declarationsOf returns those of all classes once they are laid out, then the match, then what each player has if
// that is anything.
func declarationsOf(g *Game) (all []*declaration) {
	for _, c := range g.classes {
		all = append(all, c.declared())
	}
	all = append(all, g.match())
	if stats, _ := g.Stats.of.class(); len(stats.Fields) > 0 {
		all = append(all, g.Stats.of)
	}
	return all
}

// script makes a Script for a level.
func (g *Game) script(setup world.Setup) (world.Script, error) {
	if err := setup.Check(); err != nil {
		return nil, err
	}
	var classes []world.Class
	var errs []error
	for _, d := range declarationsOf(g) {
		class, err := d.class()
		classes, errs = append(classes, class), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	schema, err := world.NewSchema(classes, setup, sortedFunctions(g.functions)...)
	if err != nil {
		return nil, g.at.problem("%s", err)
	}
	return newScript(schema, g.classes, gameScript{g.GameHooks, g.functions, g.match()}, declarationsOf(g)), nil
}

// Compile returns the world.Compile for hosts, clients and players of replays of
// some games. A bundle names one of them by its Source; for any other bundle the
// error wraps ErrGame. Several games are several versions of one, for a room that
// switches between them. What Compile returns is safe for concurrent use.
func Compile(games ...*Game) world.Compile {
	games = slices.DeleteFunc(slices.Clone(games), func(g *Game) bool { return g == nil })
	for _, g := range games {
		g.layOut()
	}
	return func(files []world.Source, setup world.Setup) (world.Script, error) {
		for _, g := range games {
			if len(files) == 1 && files[0] == g.Source() {
				return g.script(setup)
			}
		}
		return nil, refusal(files, games)
	}
}

// ErrGame is wrapped by the error about a bundle that is of another game, or of
// another version, than the program has.
var ErrGame = errors.New("another game, or another version of it")

// Levels are the levels of a game, as a hook sees them.
type Levels struct{ on *stage }

// InForce returns the level in force.
func (l Levels) InForce() world.Level { return world.LevelsOf(l.on.world()).InForce() }

// Change asks for a level of the Setup by its name, or for world.MainLevel. It begins when the tick ends: its walls
// and objects replace those of the level in force, and OnStart is called. It fails for an unknown name.
func (l Levels) Change(name string) {
	if err := world.LevelsOf(l.on.mayChange()).Change(name); err != nil {
		fail("level: %v", err)
	}
}
