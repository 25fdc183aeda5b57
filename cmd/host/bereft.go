package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// bereft are the players whose objects were all removed with their classes, and who have none since.
type bereft []world.PlayerID

// under returns who is bereft when the scripts of a schema are in force, and whether somebody was not before. s is a
// state under the schema from, which those announced last, newest, may replace in a moment.
func (b bereft) under(s *world.State, from, newest, to *world.Schema) (left bereft, more bool) {
	owns, keeps := map[world.PlayerID]bool{}, map[world.PlayerID]bool{}
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		class := from.Classes[o.Class].Name
		if o.Owner == 0 || world.BuiltIn(class) {
			continue
		}
		_, lives := newest.ClassByName(class)
		_, stays := to.ClassByName(class)
		owns[o.Owner], keeps[o.Owner] = true, keeps[o.Owner] || lives && stays
	}
	for _, p := range b {
		if !keeps[p] {
			left = append(left, p)
		}
	}
	for p := range owns { // sorted below
		if !keeps[p] && !slices.Contains(b, p) {
			left, more = append(left, p), true
		}
	}
	slices.Sort(left)
	return left, more
}

// Gone says who they are, and how they get objects.
func (b bereft) Gone() string {
	return b.who(" no object any more: the class is gone, and also if it comes back, ") + b.remedy()
}

// Back says that the class is back, and that they have no object yet.
func (b bereft) Back() string {
	return b.who(" no object yet, although a class is back: ") + b.remedy()
}

// Over says that it is over.
func (b bereft) Over() string { return b.who(" an object now") }

// Begins says that it ends because the room starts again.
func (b bereft) Begins() string {
	return b.who(" no object until then: onJoin is called for everybody in the room that begins")
}

func (b bereft) remedy() string {
	objects := "another one"
	if len(b) > 1 {
		objects = "others"
	}
	return "onJoin gives " + objects + " only when the room starts again: save another seed in game.toml, or start the " +
		"host again"
}

// who names them, with the verb and what they have.
func (b bereft) who(what string) string {
	var names []string
	for _, p := range b {
		names = append(names, fmt.Sprint(p))
	}
	if n := len(names); n > 1 {
		return "players " + strings.Join(names[:n-1], ", ") + " and " + names[n-1] + " have" + what
	}
	return "player " + names[0] + " has" + what
}
