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
	Fields // of the match: read and written through Actor.Game

	id        identity
	classes   []*Class
	functions []function
	match     *declaration
	at        place
	laidOut   bool
}

// GameHooks are the hooks of a game. All are optional. The acting object is the game
// object, which has no body.
type GameHooks struct {
	// OnStart is called in tick 1, after the level was spawned.
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
}

// NewGame begins a game. Host and clients must have the same name and version:
// raise the version with every change of the rules. Both are 1 to 64 bytes long.
func NewGame(name, version string) *Game {
	g := &Game{id: identity{name: name, version: version}, at: caller()}
	g.match = newDeclaration(world.Class{Name: world.GameClass}, g.at)
	g.Fields = Fields{of: g.match}
	for _, part := range [...]struct{ what, text string }{{"name", name}, {"version", version}} {
		if part.text == "" || len(part.text) > world.MaxClassName {
			g.match.problem(g.at, "a game has a %s of 1 to %d bytes, not %d", part.what, world.MaxClassName, len(part.text))
		}
	}
	return g
}

// Class declares a class. Of spec it takes everything but Fields, Inputs and
// Hooks, which are declared with the methods and the fields of the Class.
func (g *Game) Class(spec world.Class) *Class {
	g.match.mayDeclare()
	c := &Class{}
	c.Fields = Fields{of: newDeclaration(spec, caller())}
	g.classes = append(g.classes, c)
	return c
}

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
	if g.laidOut {
		return
	}
	g.laidOut = true
	g.match.layOut(g.GameHooks.set())
	sum := sha256.New()
	for _, c := range g.classes {
		c.declared().layOut(c.Hooks.set())
		c.declared().describe(sum)
	}
	g.match.describe(sum)
	fmt.Fprintf(sum, "%+v\n", g.sortedFunctions())
	g.id.digest = fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// declarations returns those of all classes, the match last, as in a game of Lua
// scripts.
func (g *Game) declarations() (all []*declaration) {
	for _, c := range g.classes {
		all = append(all, c.declared())
	}
	return append(all, g.match)
}

// script makes a Script for a level.
func (g *Game) script(setup world.Setup) (world.Script, error) {
	if err := setup.Check(); err != nil {
		return nil, err
	}
	var classes []world.Class
	var errs []error
	for _, d := range g.declarations() {
		class, err := d.class()
		classes, errs = append(classes, class), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	schema, err := world.NewSchema(classes, setup, g.sortedFunctions()...)
	if err != nil {
		return nil, g.at.problem("%s", err)
	}
	return newScript(schema, g.classes, gameScript{g.GameHooks, g.functions}, g.match), nil
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
