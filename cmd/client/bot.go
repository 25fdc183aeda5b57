package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// controls are what the i-th player plays with: a bot, or the page's keys.
func (s *session) controls(i int) (runtime.Controls, error) {
	if s.opts.bot == "" {
		return s.page.Controls(), nil
	}
	name, source, err := botSource(s.opts.bot)
	if err != nil {
		return nil, err
	}
	bot, err := luabind.NewBot(name, source)
	if err != nil {
		return nil, err
	}
	return &botControls{bot: bot, name: s.opts.bot, player: i + 1, log: s.log, told: &s.told}, nil
}

// botSource finds a bot: a Lua file, or the name of one built in.
func botSource(name string) (file, source string, err error) {
	if strings.HasSuffix(name, ".lua") {
		text, err := os.ReadFile(name)
		return name, string(text), err
	}
	source, ok := scripts.Bot(name)
	if !ok {
		return "", "", fmt.Errorf("-bot %s: no such bot; there are %s, or give a .lua file", name, world.Listed(scripts.Bots()))
	}
	return name + ".lua", source, nil
}

// botControls asks a bot; from an error on the ship is left alone for that tick.
type botControls struct {
	bot    *luabind.Bot
	name   string
	player int // of this process, from 1
	log    *slog.Logger
	told   *map[string]bool // what was logged, of any player's bot: shared by all
}

func (c *botControls) Input(w *world.World, slot int) world.Input {
	class := w.Class(slot)
	in, err := c.bot.Decide(w, slot, class)
	if err != nil {
		c.failed(err, w.Now.Tick)
	} else if c.bot.Lost() && c.once("lost in "+class.Name) {
		c.log.Warn(fmt.Sprintf("bot %s does not know what the inputs of %s do (%s): it presses them at random; a bot of your own is a Lua file, see docs/scripting.md",
			c.name, class.Name, world.Listed(inputNames(class))), "bot", c.player)
	}
	return in
}

func (c *botControls) failed(err error, t world.Tick) {
	what := err.Error()
	var object world.ObjectID
	if se := (*world.ScriptError)(nil); errors.As(err, &se) {
		what, object = fmt.Sprintf("%s:%d: %s", se.File, se.Line, se.Message), se.Object
	}
	if c.once(what) {
		c.log.Error(fmt.Sprintf("bot %s: %s", c.name, what), "bot", c.player, "tick", uint32(t), "object", object.String())
	}
}

// once reports whether something was not told yet.
func (c *botControls) once(what string) bool {
	if (*c.told)[what] || len(*c.told) >= maxTold {
		return false
	}
	if *c.told == nil {
		*c.told = map[string]bool{}
	}
	(*c.told)[what] = true
	return true
}

// maxTold is how many different things are told of bots.
const maxTold = 20

func inputNames(c *world.Class) (names []string) {
	for i := range c.Inputs {
		names = append(names, c.Inputs[i].Name)
	}
	return names
}
