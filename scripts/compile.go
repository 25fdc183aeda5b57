package scripts

import (
	"cmp"
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
	bare := withoutSpawns(b.Setup)
	if alone, bareErr := compile(b.Files, bare); bareErr != nil {
		err = bareErr // without what follows from the level
	} else if problems := g.badSpawns(alone.Schema()); len(problems) > 0 {
		return nil, join(problems)
	}
	return nil, g.Placed(err)
}

// Placed adds the game's folder to the files that *world.ScriptErrors in err name, and joins them in the order of their
// places: how far loading got before it found each says nothing to those who read them.
func (g *Game) Placed(err error) error {
	list := g.inFolder(err)
	slices.SortStableFunc(list, func(a, b error) int {
		var p, q *Problem
		if !errors.As(a, &p) || !errors.As(b, &q) {
			return 0
		}
		return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line))
	})
	return errors.Join(list...)
}

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
		for _, s := range fixed.Settings {
			out = append(out, &Problem{
				File:    world.InFolder(g.dir, gameTOML),
				Line:    max(g.lines[s], 1),
				Message: (&bundle.FixedError{Settings: []string{s}}).Error(),
			})
		}
		return out
	}
	return []error{err}
}

// unknownLayers returns what a schema says against the layers of [snapshots.layers] and [prediction.layers].
func (g *Game) unknownLayers(schema *world.Schema) (out []*Problem) {
	known, rules := schema.Layers(), &g.Bundle.Rules
	for i, l := range slices.Concat(rules.Snapshots.Layers, rules.Prediction.Layers) {
		section := "snapshots"
		if i >= len(rules.Snapshots.Layers) {
			section = "prediction"
		}
		if slices.Contains(known, l.Layer) {
			continue
		}
		hint := allOf(known)
		if like := nearest(l.Layer, known); like != "" {
			hint = "did you mean " + like + "?"
		}
		line := 1
		if i < len(g.layerLines) {
			line = g.layerLines[i]
		}
		out = append(out, &Problem{File: world.InFolder(g.dir, gameTOML), Line: line,
			Message: fmt.Sprintf("%s.layers.%s: no class is on that layer; %s", section, l.Layer, hint)})
	}
	return out
}

// checkSpawnField returns an error if a class does not take a value of [spawn.fields].
func checkSpawnField(c *world.Class, v world.NamedValue) error {
	isRef := func(f world.Field) bool { return f.Name == v.Name && f.Kind == world.Ref }
	if slices.ContainsFunc(c.Declared(), isRef) {
		return fmt.Errorf("%s.%s is a ref and cannot be set here, because no object exists yet; set it in "+
			"%s:onSpawn, or in onStart of game.lua", c.Name, v.Name, c.Name)
	}
	return c.CheckValues([]world.NamedValue{v})
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
