package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/localpage"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// options are the client's flags.
type options struct {
	addr           string // "": a room in this process
	game           string // of that room; "": firstGame
	page           pageOptions
	name           string
	token          []byte
	several        severalOptions
	simulate       simulateOptions
	watch          bool
	headless       bool
	bot            string
	runFor         time.Duration
	waits          waits
	report, hashes string
	profile        memlink.Profile
	seed           uint64
}

// simulateOptions are the flags about simulating.
type simulateOptions struct {
	predict    bool
	catchUp    int // ticks; 0: the default
	prediction client.Prediction
}

// severalOptions are the flags about several players. 0: it was not given, and there is one.
type severalOptions struct {
	count int // headless
	views int // with a page each
}

// pageOptions are the flags of the game page.
type pageOptions struct {
	addr  cli.Addr
	names []string // by which browsers may address the page as well
	open  bool     // in a browser
}

const usage = `[flags] [ADDR | GAME]

Plays in a room. ADDR is the host's UDP address. Without one, the client starts
a room of its own in this process and joins it. GAME is the built-in game of that
room; the default is soccer. Examples:

  client 192.168.1.20:7777
  client grapple
  client -headless -bot chase -net bad -for 20s 127.0.0.1:7777

client fork DIR writes the game that was played last into a folder, and
client fork -h says more.

Every flag can be set in the environment, too: HINDCAST_NAME is -name.`

func parse(args []string) (o options, err error) {
	fs := cli.NewFlags("client", usage)
	fs.StringVar(&o.page.addr.Text, "http", "127.0.0.1:7779", "`ADDR` where the game page is served")
	names := localpage.NamesFlag(fs)
	fs.BoolVar(&o.page.open, "open", true, "open the page in a browser")
	fs.StringVar(&o.name, "name", "", "the player's `NAME`, at most 32 bytes (default: the name of the login; "+
		"a bot is called as it plays, such as chase bot 1)")
	token := fs.String("token", "", "`FILE` with a token to join with, if the host asks for one")
	fs.IntVar(&o.several.count, "count", 0, "run `N` headless players in this process")
	fs.IntVar(&o.several.views, "views", 0, "show `N` players side by side on one page, 2 to 9: click one to steer it")
	fs.BoolVar(&o.simulate.predict, "predict", true,
		"simulate; -predict=false only sends, receives and acknowledges (load tests)")
	fs.IntVar(&o.simulate.catchUp, "catch-up", 0,
		"simulate at most `N` ticks in one go (0: 64 while joining, then 16); fewer keep a slow machine responsive")
	fs.IntVar(&o.simulate.prediction.InputDelay, "input-delay", 0,
		"use each input `N` ticks later, so that less is guessed and run again")
	fs.IntVar(&o.simulate.prediction.Window, "window", 0,
		"simulate at most `N` ticks beyond the newest one heard of the host (0: as many as the line takes, and "+
			"half a second)")
	fs.BoolVar(&o.watch, "watch", false,
		"be a spectator, who owns nothing: do not join the match, and show what the host replicates, slightly delayed")
	fs.BoolVar(&o.headless, "headless", false, "no page: a bot plays")
	fs.StringVar(&o.bot, "bot", "",
		"the bot that plays: the `NAME` of a built-in bot (idle, circle, random, chase), or a Lua file")
	fs.DurationVar(&o.runFor, "for", 0, "leave after playing for `DUR` (default: never)")
	fs.StringVar(&o.report, "report", "", "on exit, write the JSON report to `FILE` (\"-\": standard output)")
	fs.StringVar(&o.hashes, "hashes", "", "write one line for each confirmed tick to `FILE`: TICK HASH")
	fs.DurationVar(&o.waits.longest, "wait", 0,
		"when the host has stopped, wait for `DUR` for it to be started again (default: the game's grace time; 0: "+
			"end at once)")
	profile := fs.String("net", "off",
		"simulate a connection of this `PROFILE`, each way: off, lan, average, bad, awful, burst, or "+
			"delay=80ms,jitter=20ms,loss=5%,burst=50ms,dup=1%,reorder=2%,rate=1mbit")
	fs.Uint64Var(&o.seed, "seed", 1, "seed `N` of -net and of bots, and of a room of the client's own")
	words, err := fs.Parse(args)
	if err != nil {
		return o, err
	}
	if err := cli.AtMost(1, words); err != nil {
		return o, err
	}
	if len(words) > 0 {
		if o.addr, o.game, err = where(words[0]); err != nil {
			return o, err
		}
	}
	o.page.names = names()
	o.page.addr.Asked, o.waits.asked = fs.IsSet("http"), fs.IsSet("wait")
	if o, err = o.checked(fs, *token, *profile); err != nil {
		return o, cli.Fail(cli.Usage, err)
	}
	return o, nil
}

// where returns where a word of the command line says to play: in the room at an address, or
// in one of the client's own with a built-in game.
func where(word string) (addr, game string, err error) {
	if _, ok := scripts.Builtin(word); ok {
		return "", word, nil
	}
	if err = cli.CheckAddr(word); err == nil {
		return word, "", nil
	}
	if info, no := os.Stat(word); no == nil && info.IsDir() {
		return "", "", cli.Fail(
			cli.Config,
			fmt.Errorf("%s is a folder: start the game in it with host %s, then join with client 127.0.0.1:7777",
				word, cli.Word(word)),
		)
	}
	if _, number := strconv.Atoi(word); number == nil || word == "localhost" || strings.ContainsAny(word, ".:") {
		return "", "", cli.Fail(cli.Network, fmt.Errorf("the host's address: %w", err))
	}
	return "", "", cli.Fail(cli.Config, fmt.Errorf("%s: neither a built-in game (%s) nor a command (fork and "+
		"version); the address of a host needs its port, as in %s:7777", word, world.Listed(scripts.Games()), word))
}

// checked returns the options with the values of token and profile, and with
// what some flags imply for others.
func (o options) checked(fs *cli.Flags, token, profile string) (_ options, err error) {
	if o.profile, err = memlink.ParseProfile(profile); err != nil {
		return o, fmt.Errorf("-net: %w", err)
	}
	if token != "" {
		if o.token, err = scripts.ReadFile(token, wire.MaxToken); err != nil {
			return o, fmt.Errorf("-token: %w", err)
		}
	}
	switch {
	case fs.IsSet("count") && (o.several.count < 1 || o.several.count > 1000):
		return o, fmt.Errorf("-count %d: must be 1 to 1000", o.several.count)
	case fs.IsSet("views") && (o.several.views < 1 || o.several.views > 9):
		return o, fmt.Errorf("-views %d: must be 1 to 9", o.several.views)
	case o.several.views > 0 && (o.headless || o.several.count > 0 || !o.simulate.predict && !o.watch):
		return o, errors.New("-views is for clients with a page: leave out -headless, -count and -predict=false")
	case o.simulate.catchUp < 0 || o.simulate.catchUp > client.MaxCatchUp:
		return o, fmt.Errorf("-catch-up %d: must be 1 to %d ticks, or 0 for the default", o.simulate.catchUp,
			client.MaxCatchUp)
	case o.kind() != client.Predictor && o.simulate.prediction != client.Prediction{}:
		return o, errors.New("-input-delay and -window are for clients that simulate")
	case o.watch && o.bot != "":
		return o, errors.New("-watch plays nothing: leave out -bot, or -watch")
	case o.waits.longest < 0:
		return o, fmt.Errorf("-wait %v: must not be negative", o.waits.longest)
	case o.runFor < 0:
		return o, fmt.Errorf("-for %v: must not be negative", o.runFor)
	case len(o.name) > 32:
		return o, fmt.Errorf("-name: %d bytes; at most 32", len(o.name))
	}
	if err := o.simulate.prediction.Check(); err != nil {
		return o, err
	}
	o.headless = o.headless || o.several.count > 0 || !o.simulate.predict && !o.watch
	if err := o.page.addr.Check("-http"); err != nil && !o.headless {
		return o, err
	}
	if o.headless && o.bot == "" {
		o.bot = "idle"
	}
	return o, nil
}

// players returns how many players this process runs.
func (o options) players() int { return max(o.several.count, o.several.views, 1) }

// many reports whether the number of players was given: then their names, hashes and reports are numbered.
func (o options) many() bool { return o.several.count > 0 || o.several.views > 0 }

// asks reports whether players answer on their pages what the game asks them. Bots do not, and who gives a name on
// the command line wants to play at once.
func (o options) asks() bool { return !o.headless && o.bot == "" && o.name == "" }

// looksOn reports whether players are onlookers: spectators always, others until they have closed the start screen of
// their pages. Several players side by side join at once.
func (o options) looksOn() bool { return o.watch || o.asks() && o.several.views == 0 }

// kind returns the kind of the clients.
func (o options) kind() client.Kind {
	switch {
	case o.watch:
		return client.Spectator
	case !o.simulate.predict:
		return client.InputOnly
	}
	return client.Predictor
}
