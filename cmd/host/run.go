package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/cmd/host/localpage"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// options are the flags of host run.
type options struct {
	listen, http   cli.Addr
	runFor         time.Duration
	seed           uint64
	seedSet        bool
	faultTick      world.Tick
	faultObject    int
	report, hashes string
	record         string
	watch, verify  bool
	game           string
	httpHosts      []string
	metrics        cli.Addr
}

const runUsage = `[run] [flags] [GAME]

Runs a room. GAME is a folder with game.toml and *.lua, or the name of a built-in
game; the default is the first built-in game. Example:

  host -listen 0.0.0.0:7777 mygame

host help lists the other commands. Every flag can be set in the environment,
too: HINDCAST_LISTEN is -listen.`

func parseRun(args []string) (o options, err error) {
	fs := cli.NewFlags("host", runUsage)
	fs.StringVar(&o.listen.Text, "listen", "127.0.0.1:7777", "UDP `ADDR` that players join")
	fs.StringVar(&o.http.Text, "http", "127.0.0.1:7778",
		"`ADDR` of the inspector, /metrics and /healthz; \"\" turns it off")
	names := localpage.NamesFlag(fs)
	fs.StringVar(&o.metrics.Text, "metrics", "",
		"serve /metrics and /healthz alone, to everybody who connects to `ADDR`")
	fs.DurationVar(&o.runFor, "for", 0, "stop after `DUR` (default: never)")
	fs.Uint64Var(&o.seed, "seed", 0, "the room's seed `N` (default: the game's)")
	fault := fs.String("fault", "",
		"`tick=T,object=N`: flip one bit of the Nth object after tick T, to see that every program notices")
	fs.StringVar(&o.record, "record", "",
		"write a replay of the match to `FILE`, for host replay; an older replay is kept as FILE.1")
	fs.StringVar(&o.report, "report", "", "on exit, write the JSON report to `FILE` (\"-\": standard output)")
	fs.BoolVar(&o.watch, "watch", true, "reload scripts when they change")
	fs.StringVar(&o.hashes, "hashes", "", "write one line for each confirmed tick to `FILE`: TICK HASH")
	fs.BoolVar(&o.verify, "verify", false, "check mode: do every rewind in full as well, and compare")
	words, err := fs.Parse(args)
	if err != nil {
		return o, err
	}
	if len(words) > 0 && words[0] == "run" { // flags may precede it
		words = words[1:]
	}
	switch {
	case len(words) > 1:
		return o, cli.Fail(
			cli.Usage,
			fmt.Errorf("unexpected %q: %s is no command, and a room runs one game; host help lists the commands",
				words[1], words[0]),
		)
	case len(words) == 1:
		o.game = words[0]
	}
	if err := o.listen.Check("-listen"); err != nil {
		return o, err
	}
	if err := o.http.Check("-http"); err != nil && o.http.Text != "" {
		return o, err
	}
	if err := o.metrics.Check("-metrics"); err != nil && o.metrics.Text != "" {
		return o, err
	}
	o.httpHosts, o.metrics.Asked = names(), true
	o.listen.Asked, o.http.Asked, o.seedSet = fs.IsSet("listen"), fs.IsSet("http"), fs.IsSet("seed")
	if o.faultTick, o.faultObject, err = parseFault(*fault); err != nil {
		return o, cli.Fail(cli.Usage, err)
	}
	if o.runFor < 0 {
		return o, cli.Fail(cli.Usage, fmt.Errorf("-for %v: must not be negative", o.runFor))
	}
	return o, nil
}

// parseFault reads tick=T,object=N.
func parseFault(s string) (t world.Tick, object int, err error) {
	if s == "" {
		return 0, 0, nil
	}
	bad := fmt.Errorf("-fault %q: want tick=T,object=N with whole numbers from 1", s)
	for _, part := range strings.Split(s, ",") {
		name, value, _ := strings.Cut(part, "=")
		n, err := strconv.ParseUint(value, 10, 31)
		if err != nil || n == 0 {
			return 0, 0, bad
		}
		switch name {
		case "tick":
			t = world.Tick(n)
		case "object":
			object = int(n)
		default:
			return 0, 0, bad
		}
	}
	if t == 0 || object == 0 {
		return 0, 0, bad
	}
	return t, object, nil
}

// settings returns the flags that were given in the place of a key of game.toml, by the key.
func (o *options) settings() map[string]string {
	flags := map[string]string{}
	for _, f := range []struct {
		set       bool
		key, flag string
	}{{o.seedSet, "seed", "-seed"}, {o.listen.Asked, "net.port", "-listen"}, {o.http.Asked, "net.http", "-http"}} {
		if f.set {
			flags[f.key] = f.flag
		}
	}
	return flags
}

// runRoom runs a room until it is interrupted or its time is up. After an edit that a room cannot take
// up while it runs, another one takes its place.
func runRoom(ctx context.Context, args []string) error {
	o, err := parseRun(args)
	if err != nil {
		return err
	}
	log := cli.NewLogger(slog.LevelInfo)
	game, err := openGame(o.game)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	if o.seedSet {
		game.Bundle.Setup.Seed = o.seed
	}
	hashes, err := cli.NewHashFile(o.hashes)
	if err != nil {
		return err
	}
	var watch *gameWatch
	if o.watch && game.dir != "" {
		if watch, err = watchGame(game.dir); err != nil {
			return errors.Join(err, hashes.Close())
		}
	}
	return errors.Join(newService(&o, game, watch, hashes, log).run(ctx), hashes.Close())
}

// listen opens the socket that players join on.
func listen(at cli.Addr, log *slog.Logger) (*kcplink.Link, error) {
	return cli.Listen(at, cli.Service{Network: "UDP", Use: "players join", Flag: "-listen"}, log,
		func(addr string) (*kcplink.Link, error) { return kcplink.Listen(addr, linkOptions()) },
		func(l *kcplink.Link) string { return l.LocalAddr().String() })
}

func linkOptions() kcplink.Options {
	return kcplink.Options{Protocol: wire.Version}
}

// local returns a port on loopback; "" for 0.
func local(port int) string {
	if port == 0 {
		return ""
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}

// udpPort returns the port of an address, 0 if it has none.
func udpPort(addr string) int {
	_, text, _ := net.SplitHostPort(addr)
	port, _ := strconv.Atoi(text)
	return port
}
