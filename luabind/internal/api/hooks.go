package api

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
)

// What gameAPI and viewAPI describe. Reading a description takes long next to looking one name up in it, so it is read
// once; nothing changes it.
var (
	ofGame = gameAPI()
	ofView = viewAPI()
)

// ObjectHooks returns the hooks of a class.
func ObjectHooks() []world.Hook {
	return []world.Hook{world.OnSpawn, world.ApplyInput, world.Think, world.OnTick, world.OnContact, world.OnContactEnd,
		world.OnTrigger, world.OnJointBreak, world.OnRemove, world.OnMigrate, world.Simulate, world.Verify}
}

// GameHooks returns the hooks of game.lua.
func GameHooks() []world.Hook {
	return []world.Hook{world.OnStart, world.OnJoin, world.OnLeave, world.OnGameTick, world.OnMigrate}
}

// HookMember returns the description of a hook of a class, nil if there is none.
func HookMember(name string) *Member {
	for _, s := range ofGame {
		if s.Kind == Hooks && s.Of == "Object" {
			return memberNamed(name, s.Members)
		}
	}
	return nil
}

// GameHookMember returns the description of a hook of game.lua, nil if there is none.
func GameHookMember(name string) *Member {
	for _, s := range ofGame {
		if s.Kind == Hooks && s.Of == "" {
			return memberNamed(name, s.Members)
		}
	}
	return nil
}

// InputMethod returns the description of a method of an input, nil if there is none.
func InputMethod(name string) *Member {
	for _, s := range ofGame {
		if s.Kind == Methods && s.Of == "Input" {
			return memberNamed(name, s.Members)
		}
	}
	return nil
}

// Relevant is the function of game.lua that decides which objects clients receive. It
// is not a hook of the simulation: it runs on the host, between ticks, and changes
// nothing.
const Relevant = "relevant"

// Predicted is the function of game.lua that decides which objects a client predicts in all ticks. It runs on
// that client, between ticks, and changes nothing.
const Predicted = "predicted"

// FilterChat is the function of game.lua that decides about lines of chat. It runs on the host, between ticks, and
// changes nothing.
const FilterChat = "filterChat"

// IsFilter reports whether a name is that of a function of game.lua which decides about objects, or lines of chat,
// between
// ticks.
func IsFilter(name string) bool { return name == Relevant || name == Predicted || name == FilterChat }

// The functions that start a timer.
const (
	After = "after"
	Every = "every"
)

// NamesTimer returns which argument of a function is the name of a timer, from 1; 0 if none is.
func NamesTimer(function string) int {
	switch function {
	case After, Every:
		return 2
	case "stopTimer", "timeLeft":
		return 1
	}
	return 0
}

// StartsTimer reports whether a function starts a timer. Its second argument is the name of a function.
func StartsTimer(function string) bool { return function == After || function == Every }

// The methods of an input.
const (
	Held     = "held"
	Pressed  = "pressed"
	Released = "released"
	Presses  = "presses"
)

// InputMethods returns the names of the methods of an input.
func InputMethods() []string { return namesOf("Input", ofGame) }

// CountsPresses reports whether a method of an input needs the presses of the button that it names to be
// counted.
func CountsPresses(method string) bool {
	return method == Pressed || method == Released || method == Presses
}

// LikeHook finds the hook that a name is (exact), or resembles: with other
// capitals, with an "on" too many, or with one letter wrong in a long name.
// Without one it returns world.HookCount.
func LikeHook(name string, hooks []world.Hook) (h world.Hook, exact bool) {
	for _, h := range hooks {
		if name == h.String() {
			return h, true
		}
	}
	low := strings.ToLower(name)
	for _, h := range hooks {
		hook := strings.ToLower(h.String())
		if low == hook || low == "on"+hook || len(low) >= 6 && ident.Distance(low, hook) == 1 {
			return h, false
		}
	}
	return world.HookCount, false
}

// botAPI describes what bots can use besides the functions that look at the
// world.
func botAPI() []Section {
	return []Section{
		{Title: "A bot's world", Of: "BotWorld", Kind: Functions,
			Text: "`client -bot FILE.lua` calls `bot(me, world)` each tick for the inputs of the object me. world " +
				"has objects, nearest, raycast, players, now, random, arena and the like, and:",
			Members: list(
				"steer(turn: number, push: number, x: number, y: number) -> inputs?: table",
				"the inputs that steer me, derived from their names. Inputs that turn or push get turn (-1 to 1, "+
					"counter-clockwise) and push (-1 to 1); inputs that move right, left, up and down, or aim, get "+
					"the direction x, y. nil if the names say nothing",
				"anything() -> inputs: table", "random inputs, each held for 10 to 40 ticks",
			)},
	}
}
