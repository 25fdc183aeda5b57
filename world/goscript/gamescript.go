package goscript

import "github.com/hindcast/hindcast/world"

// gameScript has the hooks of the game, and its functions for the host program.
type gameScript struct {
	GameHooks
	functions []function
	declared  *declaration
}

// invoke calls a hook or a function of the game.
func (g *gameScript) invoke(actor Actor, h world.Hook, a *world.Args) {
	switch h {
	case world.OnStart:
		g.OnStart(actor)
	case world.OnJoin:
		g.OnJoin(actor, a.Player)
	case world.OnLeave:
		g.OnLeave(actor, a.Player)
	case world.OnGameTick:
		g.Tick(actor)
	case world.OnMigrate:
		g.Migrate(actor, Old{actor.of.stage(), a.From, a.Old})
	case world.OnTimer:
		g.declared.timer(a.Timer).call(actor, actor.Match())
	case world.HostEvent:
		for i := range g.functions {
			if g.functions[i].Name == a.Event.Name {
				g.functions[i].Call(actor, Arguments{actor.of.stage(), a.Event.Values})
			}
		}
	}
}
