package main

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/lint"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// lacks says which scripts of a game are missing, empty or shorter in another one, which takes its place; "": none.
func lacks(before, after *scripts.Game) string {
	var what []string
	for _, old := range before.Bundle.Files {
		i := slices.IndexFunc(after.Bundle.Files, func(f world.Source) bool { return f.Name == old.Name })
		switch {
		case blank(old):
		case i < 0:
			what = append(what, after.Path(old.Name)+" is gone")
		case blank(after.Bundle.Files[i]):
			what = append(what, after.Path(old.Name)+" is empty")
		case cutShort(old.Text, after.Bundle.Files[i].Text):
			what = append(what, after.Path(old.Name)+lostEnd)
		}
	}
	return strings.Join(what, ", ")
}

// lostEnd is what lacks says of a script that is the beginning of what it was.
const lostEnd = " has lost its end"

// onlyCut reports whether another game has all scripts of a game, and says something in each.
func onlyCut(before, after *scripts.Game) bool {
	return !slices.ContainsFunc(before.Bundle.Files, func(old world.Source) bool {
		i := slices.IndexFunc(after.Bundle.Files, func(f world.Source) bool { return f.Name == old.Name })
		return i < 0 || blank(after.Bundle.Files[i])
	})
}

// completed returns a game with what it lacks of an earlier one.
func completed(before, game *scripts.Game) *scripts.Game {
	whole, b := *game, *game.Bundle
	whole.Bundle, b.Files = &b, slices.Clone(b.Files)
	for _, old := range before.Bundle.Files {
		i := slices.IndexFunc(b.Files, func(f world.Source) bool { return f.Name == old.Name })
		switch {
		case i < 0:
			b.Files = append(b.Files, old)
		case blank(b.Files[i]) || cutShort(old.Text, b.Files[i].Text):
			b.Files[i] = old
		}
	}
	return &whole
}

// because puts lack before the mistakes of a game that follow from it. One in the file that lacks something says so by
// itself. A file that is gone or empty from which none follows comes last.
func (r *reloader) because(lack string, game *scripts.Game, why []string) []string {
	if lack == "" {
		return why
	}
	unrelated := r.unrelated(game)
	for i, m := range why {
		file, _, _ := strings.Cut(m, ".lua:")
		if !strings.HasPrefix(lack, file+".lua ") && !slices.Contains(unrelated, m) {
			why[i] = lack + ", and so: " + m
		}
	}
	for part := range strings.SplitSeq(lack, ", ") { // what no mistake follows from is none the less so
		if strings.HasSuffix(part, lostEnd) {
			continue // somebody may have meant it
		}
		file, _, _ := strings.Cut(part, ".lua ")
		said := func(m string) bool { return strings.HasPrefix(m, file+".lua:") || strings.Contains(m, part+",") }
		if !slices.ContainsFunc(why, said) {
			why = append(why, part)
		}
	}
	return why
}

// leftOutside says how many objects a smaller arena leaves outside that were inside; "": none.
func leftOutside(s *world.State, schema *world.Schema, before, after *world.Setup) string {
	if len(before.Levels)+len(after.Levels) > 0 { // which have sizes of their own
		return ""
	}
	all, owned := 0, 0
	for _, slot := range s.Run {
		b, o := s.Body(int(slot)), &s.Objects[slot]
		in := func(a *world.Setup) bool { return math.Abs(b.X) <= a.Width/2 && math.Abs(b.Y) <= a.Height/2 }
		if b.Key == 0 || schema.Classes[o.Class].Name == world.WallClass || !in(before) || in(after) {
			continue
		}
		if all++; o.Owner != 0 {
			owned++
		}
	}
	switch {
	case all == 0:
		return ""
	case all == 1 && owned == 1:
		return "; an object of a player is outside now" + staysThere
	case all == 1:
		return "; an object is outside now" + staysThere
	case owned == 0:
		return fmt.Sprintf("; %d objects are outside now%s", all, staysThere)
	}
	return fmt.Sprintf("; %d objects are outside now, %d of them of players%s", all, owned, staysThere)
}

// blank reports whether a script says nothing.
func blank(f world.Source) bool { return strings.TrimSpace(f.Text) == "" }

// cutShort reports whether a script has become the beginning of what it was, spaces and lines at its end aside.
func cutShort(old, text string) bool {
	text = strings.TrimSpace(text)
	return len(text) < len(strings.TrimSpace(old)) && strings.HasPrefix(strings.TrimSpace(old), text)
}

// maxLost is how many classes and hooks a warning names.
const maxLost = 6

// lost is a class that is not declared any more or, of one that is, a hook that is not there any more.
type lost struct {
	class string
	hook  world.Hook // world.HookCount: the class
}

func (l lost) String() string {
	if l.hook == world.HookCount {
		return "class " + l.class
	}
	return l.hook.Of(l.class)
}

// removed warns of the classes that are not declared any more, and of the others' hooks that are not there any more;
// "": there are none. game is the one that has them.
func removed(game *scripts.Game, before, after *world.Schema) string {
	var gone []lost
	classes := false
	for i := range before.Classes {
		old := &before.Classes[i]
		j, stays := after.ClassByName(old.Name)
		switch {
		case !stays && old.OnlyEntered():
			continue
		case !stays:
			gone, classes = append(gone, lost{old.Name, world.HookCount}), true
			continue
		}
		for h := range world.HookCount {
			asks := h == world.OnJoin && after.Asks() // it runs with the answers then, and is no hook
			if old.Hooks.Has(h) && !after.Classes[j].Hooks.Has(h) && !asks {
				gone = append(gone, lost{old.Name, h})
			}
		}
	}
	if len(gone) == 0 {
		return ""
	}
	what := named(game, gone)
	switch {
	case len(gone) == 1 && classes:
		return what + " is not declared any more: if that lasts for a second, it and its objects are removed"
	case len(gone) == 1:
		return what + " is not there any more: if that lasts for a second, it is removed"
	case classes:
		return what + " are not there any more: if that lasts for a second, they and the objects of these " +
			"classes are removed"
	}
	return what + " are not there any more: if that lasts for a second, they are removed"
}

// named names what is lost, by the file that declares it: FILE: names; FILE: names. It names maxLost at most.
func named(game *scripts.Game, gone []lost) string {
	vm, _ := compiled(game)
	var parts, names []string
	file := ""
	end := func() {
		if file != "" && len(names) > 0 {
			names[0] = file + ": " + names[0]
		}
		if len(names) > 0 {
			parts = append(parts, strings.Join(names, ", "))
		}
		names = nil
	}
	for _, l := range gone[:min(len(gone), maxLost)] {
		in := fileOf(game, vm, l)
		if in != file {
			end()
		}
		file, names = in, append(names, l.String())
	}
	end()
	what := strings.Join(parts, "; ")
	if more := len(gone) - maxLost; more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	return what
}

// fileOf returns the file that declares what is lost; "": that is not known.
func fileOf(game *scripts.Game, vm *luabind.VM, l lost) string {
	if vm == nil {
		return ""
	}
	place := func() (string, int, bool) { return vm.HookPlace(l.class, l.hook) }
	if l.hook == world.HookCount {
		place = func() (string, int, bool) { return vm.ClassPlace(l.class) }
	}
	file, _, ok := place()
	if !ok {
		return ""
	}
	return game.Path(file)
}

// compiled returns the interpreter of a game in Lua.
func compiled(game *scripts.Game) (vm *luabind.VM, ok bool) {
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return nil, false
	}
	vm, ok = script.(*luabind.VM)
	return vm, ok
}

// warnings returns what host check would find in scripts that load. These are likely mistakes.
func warnings(game *scripts.Game) []lint.Finding {
	if cause := blanks(game.Bundle.Files, game.Path); len(cause) > 0 {
		return cause
	}
	return unrun(game, game.Folder(), game.Bundle.Setup)
}

// texts returns a line for each finding.
func texts(found []lint.Finding) (lines []string) {
	for _, f := range found {
		lines = append(lines, f.String())
	}
	return lines
}

// logged logs likely mistakes, a line each.
func logged(lines []string, log *slog.Logger) []string {
	for _, line := range lines {
		log.Warn(line)
	}
	return lines
}

// warnings returns, a line each, what host check would find in a game that is to be in force. lack says which of its
// files are gone, empty or cut: what is found in others that are as before for the first time follows from that, and is
// one line.
func (r *reloader) warnings(game *scripts.Game, lack string) (lines []string) {
	found := warnings(game)
	if lack == "" || len(blanks(game.Bundle.Files, game.Path)) > 0 {
		return texts(found)
	}
	of := func(g *scripts.Game, name string) world.Source {
		files := slices.Concat(g.Bundle.Files, g.Tests, g.Bots)
		i := slices.IndexFunc(files, func(f world.Source) bool { return game.Path(f.Name) == name })
		if i < 0 {
			return world.Source{}
		}
		return files[i]
	}
	before := warnings(r.inForce)
	var places []string
	found = slices.DeleteFunc(found, func(f lint.Finding) bool {
		if of(r.inForce, f.File) != of(game, f.File) || slices.Contains(before, f) {
			return false
		}
		places = append(places, fmt.Sprintf("%s:%d", f.File, f.Line))
		return true
	})
	if places = slices.Compact(places); len(places) > 0 {
		lines = append(lines, lack+", and "+naming(places)+" what was in it")
	}
	return append(lines, texts(found)...)
}

// maxPlaces is how many places a warning names.
const maxPlaces = 4

// naming says that places name something.
func naming(places []string) string {
	switch more := len(places) - maxPlaces; {
	case len(places) == 1:
		return places[0] + " names"
	case more > 0:
		return fmt.Sprintf("%s and %d more lines name", strings.Join(places[:maxPlaces], ", "), more)
	}
	return world.Listed(places) + " name"
}

// placedFields places an error about fields that have another type than before at their declarations.
func placedFields(err error, script world.Script) error {
	vm, isVM := script.(*luabind.VM)
	retyped := (*bundle.RetypedError)(nil)
	if !isVM || !errors.As(err, &retyped) {
		return err
	}
	errs := make([]error, len(retyped.Fields))
	for i, f := range retyped.Fields {
		errs[i] = &bundle.RetypedError{Fields: []world.RetypedField{f}}
		if file, line, ok := vm.FieldPlace(f.Class, f.Field, f.Aux); ok {
			errs[i] = &world.ScriptError{File: file, Line: line, Message: errs[i].Error()}
		}
	}
	return errors.Join(errs...)
}
