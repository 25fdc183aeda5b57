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
	lost   loss          // the last one; the zero loss: none, or there is an object again
	said   string        // what the player has lost; "": nothing, or there is an object again
}

// loss is a class that was not declared any more while the player had an object of it.
type loss struct {
	class   string
	tick    world.Tick // since which it was not
	objects int        // that it had
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
				l.lost = loss{name, from, l.all[i]}
			}
		}
	}
	l.schema = schema
	if l.count(player, s) > 0 {
		l.lost = loss{}
	}
	l.said = l.lost.under(schema)
	return l.said != was
}

// under says what is lost, and what to do about it, under scripts that may declare the class again.
func (l loss) under(schema *world.Schema) string {
	if l.class == "" {
		return ""
	}
	is, back := "not declared any more: its objects", "if it comes back, you get a new one"
	if _, declared := schema.ClassByName(l.class); declared {
		is, back = "declared again; the objects that it had", "you get a new one"
	}
	return fmt.Sprintf("the class %s is %s were removed in tick %d (%d of them, yours too); %s when the room starts "+
		"again: save another seed in game.toml, or start the host again", l.class, is, l.tick, l.objects, back)
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
