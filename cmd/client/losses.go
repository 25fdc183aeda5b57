package main

import (
	"fmt"

	"github.com/hindcast/hindcast/world"
)

// losses finds out that a player has no object any more because saved scripts do not declare its class. If the class
// is declared again, its objects do not come back, and onJoin is not called for those who are there.
type losses struct {
	schema *world.Schema // of the last look; nil: there was none
	all    []int         // the objects then, by class
	own    []int         // those of the player
	said   string        // what the player has lost; "": nothing, or there is an object again
}

// look looks at a state of the room, which may be nil. from is the tick since which the scripts are in force in it. It
// reports whether said has changed.
func (l *losses) look(player world.PlayerID, schema *world.Schema, s *world.State, from world.Tick) bool {
	if schema == nil || s == nil {
		return false
	}
	was := l.said
	if l.schema != nil && l.schema != schema {
		for i, n := range l.own {
			name := l.schema.Classes[i].Name
			if _, stays := schema.ClassByName(name); n > 0 && !stays {
				l.said = fmt.Sprintf("the class %s is not declared any more: its objects were removed in tick %d "+
					"(%d of them, yours too); if it comes back, you get a new one when the room starts again: save "+
					"another seed in game.toml, or start the host again", name, from, l.all[i])
			}
		}
	}
	l.schema = schema
	if l.count(player, s) > 0 {
		l.said = ""
	}
	return l.said != was
}

// count counts the objects in a state, and returns how many are the player's.
func (l *losses) count(player world.PlayerID, s *world.State) (owned int) {
	n := len(l.schema.Classes)
	if len(l.all) != n {
		l.all, l.own = make([]int, n), make([]int, n)
	}
	clear(l.all)
	clear(l.own)
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		l.all[o.Class]++
		if o.Owner == player && player != 0 && !world.BuiltIn(l.schema.Classes[o.Class].Name) {
			l.own[o.Class]++
			owned++
		}
	}
	return owned
}

// again begins anew with another client: the room may be another one.
func (l *losses) again() { l.schema = nil }
