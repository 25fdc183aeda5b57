package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/wire"
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
	schema *world.Schema // of the scripts in force when it was asked last; nil: it has not been
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
	if s := r.Schema(); s != c.schema {
		c.lines.over(c.player)
		c.schema = s
	}
	class := r.Class(slot)
	in, err := c.bot.Decide(r, slot, class)
	for _, se := range c.bot.Ignored() {
		c.mistaken(slog.LevelWarn, se, r.Tick())
	}
	switch {
	case err != nil:
		c.mistaken(slog.LevelError, err, r.Tick())
	case c.bot.Lost():
		text := fmt.Sprintf("bot %s does not know what the inputs of %s do (%s) and presses "+
			"them at random; write a bot of your own in Lua, see docs/scripting.md",
			c.name, class.Name, world.Listed(inputNames(class)))
		c.lines.say(c.player, text, slog.LevelWarn, text, "bot", c.player)
	}
	return in
}

// mistaken logs a mistake in the bot's file. One whose text has other numbers is the same one.
func (c *botControls) mistaken(level slog.Level, err error, t world.Tick) {
	key, what := err.Error(), err.Error()
	var object world.ObjectID
	if se := (*world.ScriptError)(nil); errors.As(err, &se) {
		what, object = se.Place()+": "+se.Message, se.Object
		key = wire.MistakeKey(se.Place(), se.Message)
	}
	c.lines.say(c.player, key, level, fmt.Sprintf("bot %s: %s", c.name, what), "bot", c.player, "tick", uint32(t),
		"object", object.String())
}

func inputNames(c *world.Class) (names []string) {
	for i := range c.Inputs {
		names = append(names, c.Inputs[i].Name)
	}
	return names
}

// maxBotMistakes is how many mistakes of bots are logged that are not over.
const maxBotMistakes = 20

// botLog logs each mistake of the bots of this process once under the same scripts, and when it is over. It is safe for
// concurrent use.
type botLog struct {
	log *slog.Logger

	mu   sync.Mutex
	open []botMistake // logged, and not over
}

// botMistake is a mistake that players' bots have made under the scripts that are in force for them.
type botMistake struct {
	key, text string
	players   []int
}

func newBotLog(log *slog.Logger) *botLog { return &botLog{log: log} }

// say logs what is wrong with the bot of a player, unless a mistake with that key is in the log.
func (l *botLog) say(player int, key string, level slog.Level, text string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.open, func(m botMistake) bool { return m.key == key })
	switch {
	case i >= 0 && !slices.Contains(l.open[i].players, player):
		l.open[i].players = append(l.open[i].players, player)
	case i < 0 && len(l.open) < maxBotMistakes:
		l.open = append(l.open, botMistake{key, text, []int{player}})
		l.log.Log(context.Background(), level, text, args...)
	}
}

// over notes that other scripts are in force for a player, and logs which mistakes are over for all.
func (l *botLog) over(player int) {
	for _, text := range l.without(player) {
		l.log.Info(text + ": over, other scripts are in force")
	}
}

// leave notes that a player has left. What was wrong with that bot is not mended.
func (l *botLog) leave(player int) { l.without(player) }

// without drops a player's mistakes, and returns those that no other player has made.
func (l *botLog) without(player int) (texts []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.open[:0]
	for _, m := range l.open {
		m.players = slices.DeleteFunc(m.players, func(p int) bool { return p == player })
		if len(m.players) == 0 {
			texts = append(texts, m.text)
		} else {
			kept = append(kept, m)
		}
	}
	l.open = kept
	return texts
}
