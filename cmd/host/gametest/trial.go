package gametest

import (
	"errors"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// The size of a trial run.
const (
	trialTicks   = 90
	shownTicks   = 600 // with a view.lua: cues and changes of the match come later
	trialPlayers = 2
)

// Trial plays a game for a moment, with two players who press random keys, and shows it with its view.lua; then
// again with one more object of each class, close to each other. It returns the
// errors of hooks and of view.lua, each once. Of the second run it returns only the errors of
// hooks that exceed their budget, because the game may never spawn such objects.
func Trial(game *scripts.Game) []*world.ScriptError {
	script, err := game.Compile(luabind.Compile)
	if err != nil {
		return nil
	}
	f := newFaults()
	shows, ticks := newShownTrial(game, f), trialTicks
	if shows != nil {
		ticks = shownTicks
	}
	trial(script, f, nil, ticks, shows)
	found := scriptErrors(f, func(*world.ScriptError) bool { return true })
	lone := newFaults()
	fresh, err := game.Compile(luabind.Compile)
	if err != nil {
		return found
	}
	trial(fresh, lone, classesOf(fresh.Schema()), trialTicks, nil)
	return append(found, scriptErrors(lone, func(e *world.ScriptError) bool { return e.Budget && !contains(found, e) })...)
}

func classesOf(schema *world.Schema) (names []string) {
	for _, c := range schema.Classes {
		if !world.BuiltIn(c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// trial plays a game for some ticks, with one more object of each class in also.
func trial(script world.Script, f *faults, also []string, ticks int, shows *shownTrial) {
	keys := newHeld()
	a, err := openAlone(&watched{Script: script, faults: f, prints: func(string) {}}, keys, trialPlayers)
	if err != nil {
		return
	}
	for i, class := range also {
		at := world.Placement{Pose: physics.Pose{X: 0.4 * float64(i)}, Owner: world.PlayerID(i % (trialPlayers + 1))}
		if _, err := a.spawn(class, at, nil); err != nil {
			return
		}
	}
	schema := script.Schema()
	for tick := range ticks {
		for p := 1; p <= trialPlayers; p++ {
			inputs := make([]world.Input, len(schema.Classes))
			for c := range inputs {
				inputs[c] = world.Conform(schema.Classes[c].Inputs, pressed(tick/5*7+p))
			}
			keys.hold(world.PlayerID(p), inputs)
		}
		if a.step(1) != nil {
			return
		}
		if shows != nil {
			a.show(shows)
		}
	}
}

// pressed returns the n-th of many different inputs.
func pressed(n int) (in world.Input) {
	bits := uint32(n) * 2654435761 // Knuth's multiplicative hash
	in.Buttons = bits ^ bits>>16
	for i := range in.Axes {
		in.Axes[i] = float64(int8(bits>>i)) / 64
	}
	return in
}

func scriptErrors(f *faults, keep func(*world.ScriptError) bool) (out []*world.ScriptError) {
	for _, err := range f.take() {
		var se *world.ScriptError
		if errors.As(err, &se) && keep(se) && !contains(out, se) {
			out = append(out, se)
		}
	}
	return out
}

// contains reports whether the list has the same error, of whatever object.
func contains(list []*world.ScriptError, e *world.ScriptError) bool {
	for _, o := range list {
		if o.Error() == e.Error() {
			return true
		}
	}
	return false
}
