package goscript

import "github.com/hindcast/hindcast/world"

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
