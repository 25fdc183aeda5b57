package simtest

import (
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// Game loads a game that is built in.
func Game(tb TB, name string) *scripts.Game {
	tb.Helper()
	fsys, ok := scripts.Builtin(name)
	if !ok {
		tb.Fatalf("no game %s", name)
	}
	g, err := scripts.Load(fsys, name)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// Bot returns the controls of a built-in bot. An error of the bot fails the test.
func Bot(tb TB, name string) client.Controls {
	tb.Helper()
	source, ok := scripts.Bot(name)
	if !ok {
		tb.Fatalf("no bot %s", name)
	}
	b, err := luabind.NewBot(name+".lua", source)
	if err != nil {
		tb.Fatal(err)
	}
	return &bot{tb, b}
}

type bot struct {
	tb  TB
	bot *luabind.Bot
}

func (b *bot) Input(r world.Reader, slot int) world.Input {
	in, err := b.bot.Decide(r, slot, r.Class(slot))
	if err != nil {
		b.tb.Error(err)
	}
	return in
}
