package main

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// losses finds out that a player has no object because of the scripts: saved ones do not declare its class any more, or
// onJoin failed. If the class is declared again, or onJoin is mended, the player has none yet: onJoin is not called for
// those who are there.
type losses struct {
	schema  *world.Schema  // of the last look; nil: there was none
	all     []int          // the objects then, by class
	own     []int          // those of the player
	owned   bool           // the player has had an object since again ...
	told    bool           // ... or none because onJoin failed then
	failed  []wire.Failure // what the host tells of
	lost    loss           // the last one; the zero loss: none, or there is an object again
	failing bool           // the scripts in force are those under which onJoin failed
	earlier bool           // lost is of a room that is over
	said    string         // what the player has lost; "": nothing, or there is an object again
}

// loss is why a player has no object.
type loss struct {
	class   string     // that was not declared any more while the player had an object of it; "": onJoin failed
	place   string     // FILE:LINE where onJoin failed; "": not known
	tick    world.Tick // since which the class was not declared, or in which onJoin failed; 0: nothing is lost
	objects int        // that the class had
}

// look looks at a state of the room, which may be nil. from is the tick since which the scripts are in force in it. It
// reports whether said has changed.
func (l *losses) look(player world.PlayerID, schema *world.Schema, s *world.State, from world.Tick) bool {
	if schema == nil || s == nil {
		return false
	}
	was := l.said
	if l.schema == nil && l.lost.tick > s.Tick {
		l.earlier = true
	}
	if l.schema != nil && l.schema != schema {
		for i, n := range l.own {
			name := l.schema.Classes[i].Name
			if _, stays := schema.ClassByName(name); n > 0 && !stays {
				l.lost = loss{class: name, tick: from, objects: l.all[i]}
			}
		}
	}
	l.schema = schema
	if l.count(player, s) > 0 {
		l.lost, l.owned, l.earlier = loss{}, true, false
	}
	at := slices.IndexFunc(l.failed, func(f wire.Failure) bool {
		return f.Hook == world.OnJoin.String() && f.Tick >= from
	})
	l.failing = at >= 0
	if l.failing && !l.owned && !l.told && (l.lost.class == "" || l.earlier) {
		l.lost, l.told, l.earlier = loss{place: l.failed[at].Place, tick: l.failed[at].Tick}, true, false
	}
	l.said = l.lost.under(schema, l.failing)
	return l.said != was
}

// under says what is lost, and what to do about it, under scripts that may declare the class again, or whose onJoin
// may be another one than that which fails.
func (l loss) under(schema *world.Schema, failing bool) string {
	switch {
	case l.tick == 0:
		return ""
	case l.class == "":
		at, mend := fmt.Sprintf("tick %d)", l.tick), ""
		if l.place != "" {
			at = l.place + ", " + at
		}
		if failing {
			mend = "mend it, then "
		} else {
			at += " under the scripts of before"
		}
		return "you have no object: onJoin failed (" + at + ", and is not called again for those who are there: " +
			mend + another
	}
	is := "not declared any more: its objects"
	if _, declared := schema.ClassByName(l.class); declared {
		is = "declared again; the objects that it had"
	}
	return fmt.Sprintf("the class %s is %s were removed in tick %d (%d of them, yours too); onJoin gives you another "+
		"one when the room starts again: %s", l.class, is, l.tick, l.objects, another)
}

// another is how a player gets an object whom onJoin has not given one.
const another = "save another seed in game.toml, or start the host again"

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

// again begins anew with another client: the room may be another one. starts reports that it is.
func (l *losses) again(starts bool) {
	l.schema, l.owned, l.told, l.failed, l.earlier = nil, false, false, nil, l.earlier || starts
}
