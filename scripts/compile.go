package scripts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Compile compiles the game's scripts. Unlike those of compile, its errors name the
// files with the game's folder, and a [[spawn]] of a class that no script declares,
// or with fields that the class does not take, is reported with its line in game.toml.
func (g *Game) Compile(compile world.Compile) (world.Script, error) {
	b := g.Bundle
	script, err := compile(b.Files, b.Setup)
	if err == nil {
		if problems := g.unknownLayers(script.Schema()); len(problems) > 0 {
			return nil, join(problems)
		}
		return script, nil
	}
	bare := b.Setup
	bare.Spawns = nil
	if alone, bareErr := compile(b.Files, bare); bareErr != nil {
		err = bareErr // without what follows from the level
	} else if problems := g.badSpawns(alone.Schema()); len(problems) > 0 {
		return nil, join(problems)
	}
	return nil, errors.Join(g.inFolder(err)...)
}

// Placed adds the game's folder to the files that *world.ScriptErrors in err name.
func (g *Game) Placed(err error) error { return errors.Join(g.inFolder(err)...) }

// Problems is Placed of several errors; nil for none.
func (g *Game) Problems(errs ...error) error {
	if len(errs) == 0 {
		return nil
	}
	return g.Placed(errors.Join(errs...))
}

// Folder returns the game's folder, as the caller of Load named it.
func (g *Game) Folder() string { return g.dir }

// Path returns the path of one of the game's files, with its folder.
func (g *Game) Path(file string) string { return world.InFolder(g.dir, file) }

// inFolder splits an error that joins others, and adds the folder to the files'
// names.
func (g *Game) inFolder(err error) (out []error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			out = append(out, g.inFolder(e)...)
		}
		return out
	}
	if se := (*world.ScriptError)(nil); errors.As(err, &se) {
		return []error{&Problem{File: world.InFolder(g.dir, se.File), Line: se.Line, Message: se.Message}}
	}
	if fixed := (*bundle.FixedError)(nil); errors.As(err, &fixed) {
		return []error{&Problem{File: world.InFolder(g.dir, gameTOML), Line: g.lineOf(fixed), Message: fixed.Error()}}
	}
	return []error{err}
}

// lineOf returns the line of game.toml with the setting that cannot change; 1 if it has
// no such line.
func (g *Game) lineOf(e *bundle.FixedError) int {
	at := e.Setting
	switch e.Setting {
	case "wall": // the walls around the arena come first
		written := 0
		for g.lines[element("wall", written+1)] > 0 {
			written++
		}
		at = "arena"
		if n := e.Index - (len(g.Bundle.Setup.Walls) - written); n >= 0 {
			at = element("wall", n+1)
		}
	case "spawn":
		at = element("spawn", e.Index+1)
	}
	return max(g.lines[at], 1)
}

func (g *Game) unknownLayers(schema *world.Schema) (out []*Problem) {
	known := schema.Layers()
	for i, l := range g.Bundle.Rules.Snapshots.Layers {
		if slices.Contains(known, l.Layer) {
			continue
		}
		hint := "there are " + strings.Join(known, ", ")
		if like := nearest(l.Layer, known); like != "" {
			hint = "did you mean " + like + "?"
		}
		line := 1
		if i < len(g.layerLines) {
			line = g.layerLines[i]
		}
		out = append(out, &Problem{File: world.InFolder(g.dir, gameTOML), Line: line,
			Message: fmt.Sprintf("snapshots.layers.%s: no class is on that layer; %s", l.Layer, hint)})
	}
	return out
}

// badSpawns returns what a schema says against each [[spawn]]: its class, or fields of it.
func (g *Game) badSpawns(schema *world.Schema) (out []*Problem) {
	for i, sp := range g.Bundle.Setup.Spawns {
		ci, ok := schema.ClassByName(sp.Class)
		if !ok {
			out = append(out, g.unknownClass(schema, i))
			continue
		}
		at, wrong := element("spawn", i+1)+".fields", ""
		for _, v := range sp.Fields {
			name := strings.TrimPrefix(v.Name, "#")
			if rest, in := strings.CutPrefix(name, wrong); in && wrong != "" && strings.IndexAny(rest, ".[") == 0 {
				continue // a list has one problem, not one for each item
			}
			if err := schema.Classes[ci].CheckValues([]world.NamedValue{v}); err != nil {
				wrong = name
				out = append(out, &Problem{File: world.InFolder(g.dir, gameTOML), Line: g.lineOfLeaf(at, v.Name),
					Message: fmt.Sprintf("%s: %v", at, err)})
			}
		}
	}
	return out
}

func (g *Game) unknownClass(schema *world.Schema, i int) *Problem {
	var known []string
	for _, c := range schema.Classes {
		if !world.BuiltIn(c.Name) {
			known = append(known, c.Name)
		}
	}
	class := g.Bundle.Setup.Spawns[i].Class
	hint := fmt.Sprintf("there are %s", world.Listed(known))
	if like := nearest(class, known); like != "" {
		hint = "did you mean " + like + "?"
	}
	return &Problem{File: world.InFolder(g.dir, gameTOML), Line: g.spawnLines[i],
		Message: fmt.Sprintf("spawn[%d].class = %q: no script declares it; %s", i+1, class, hint)}
}

// lineOfLeaf returns the line that sets a leaf of a field in the table at: of the leaf itself or,
// if the leaf follows from another value, of the innermost value around it.
func (g *Game) lineOfLeaf(at, leaf string) int {
	path := at + "." + strings.TrimPrefix(leaf, "#")
	for g.lines[path] == 0 && path != at {
		path = path[:strings.LastIndexAny(path, ".[")]
	}
	return max(g.lines[path], 1)
}
