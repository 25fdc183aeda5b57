package main

import (
	"fmt"
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
	return &botControls{bot: bot, log: func(err error) { s.log.Error("bot: "+err.Error(), "bot", i+1) }}, nil
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

// botControls asks a bot; its first error is shown, and from an error on the
// ship is left alone for that tick.
type botControls struct {
	bot   *luabind.Bot
	log   func(error)
	shown bool
}

func (c *botControls) Input(w *world.World, slot int) world.Input {
	in, err := c.bot.Decide(w, slot, w.Class(slot))
	if err != nil && !c.shown {
		c.shown = true
		c.log(err)
	}
	return in
}
