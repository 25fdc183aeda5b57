package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// botControls are the client.Controls of a bot. In a tick in which the bot
// fails, its objects have the neutral input.
type botControls struct {
	bot    *luabind.Bot
	name   string
	player int // of this process, from 1
	lines  *botLog
}

// newBotControls loads a bot: a Lua file, or the name of one built in.
func newBotControls(name string, player int, lines *botLog) (*botControls, error) {
	file, source, err := botSource(name)
	if err != nil {
		return nil, err
	}
	bot, err := luabind.NewBot(file, source)
	if err != nil {
		return nil, err
	}
	return &botControls{bot: bot, name: name, player: player, lines: lines}, nil
}

func botSource(name string) (file, source string, err error) {
	if strings.HasSuffix(name, ".lua") {
		text, err := scripts.ReadFile(name, scripts.MaxFileBytes)
		return name, string(text), err
	}
	source, ok := scripts.Bot(name)
	if !ok {
		return "", "", fmt.Errorf("-bot %s: no such bot; there are %s, or give a .lua file", name,
			world.Listed(scripts.Bots()))
	}
	return name + ".lua", source, nil
}

// Input returns the bot's input for an object.
func (c *botControls) Input(r world.Reader, slot int) world.Input {
	class := r.Class(slot)
	in, err := c.bot.Decide(r, slot, class)
	switch {
	case err != nil:
		c.failed(err, r.Tick())
	case c.bot.Lost():
		c.lines.once(slog.LevelWarn, fmt.Sprintf("bot %s does not know what the inputs of %s do (%s) and presses "+
			"them at random; write a bot of your own in Lua, see docs/scripting.md",
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
	c.lines.once(slog.LevelError, fmt.Sprintf("bot %s: %s", c.name, what), "bot", c.player, "tick", uint32(t),
		"object", object.String())
}

func inputNames(c *world.Class) (names []string) {
	for i := range c.Inputs {
		names = append(names, c.Inputs[i].Name)
	}
	return names
}

// maxBotMessages is how many different messages about bots are logged.
const maxBotMessages = 20

// botLog logs each different message about the bots of this process once. It is safe for
// concurrent use.
type botLog struct {
	log *slog.Logger

	mu     sync.Mutex
	logged map[string]bool
}

func newBotLog(log *slog.Logger) *botLog { return &botLog{log: log, logged: map[string]bool{}} }

func (l *botLog) once(level slog.Level, message string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.logged[message] || len(l.logged) >= maxBotMessages {
		return
	}
	l.logged[message] = true
	l.log.Log(context.Background(), level, message, args...)
}
