package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// session is everything that one run of the client holds.
type session struct {
	opts     options
	log      *slog.Logger
	driver   *runtime.Driver
	programs programs
	clients  []*runtime.Client
	links    []*kcplink.Link
	hashes   []*cli.HashFile
	players  []player
	ownRoom  bool
	told     map[string]bool // of bots; the driver's goroutine only
	page     *page           // nil when headless
	cues     *cueShow        // likewise
	view     runtime.View
	shown    time.Duration
	stop     context.CancelFunc
}

// play joins a room and stays until it is over, interrupted, or time is up.
func play(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	s := &session{opts: o, log: cli.NewLogger(slog.LevelInfo), driver: runtime.NewDriver(),
		programs: programs{made: map[bundle.Hash]*luabind.Program{}}}
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	if o.addr == "" {
		own, err := startRoom(ctx, o.seed, s.programs.compile, s.log)
		if err != nil {
			return err
		}
		defer own.wait()
		defer s.stop()
		s.opts.addr, s.ownRoom = own.addr, true
	}
	if !o.headless {
		if err := s.openPage(); err != nil {
			return cli.Fail(cli.Network, err)
		}
		defer s.closePage()
	}
	for i := range o.players() {
		if err := s.addPlayer(i); err != nil {
			return errors.Join(err, s.shutdown())
		}
	}
	return s.run(ctx)
}

// run drives the clients to their end and writes what was asked for.
func (s *session) run(ctx context.Context) error {
	if s.opts.runFor > 0 { // of play; getting in has its own limit
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.opts.runFor+joinTime)
		defer cancel()
	}
	s.driver.Clients(ctx, s.clients, s.each)
	reports := make([]runtime.Report, len(s.clients))
	for i, c := range s.clients {
		reports[i] = c.Report(s.driver.Now())
	}
	var report any = reports
	if s.opts.count == 0 {
		report = reports[0]
	}
	return errors.Join(s.outcome(), cli.WriteReport(s.opts.report, report), s.shutdown())
}

// outcome is how the stay ended: for the first client with which it was not well.
func (s *session) outcome() error {
	for _, c := range s.clients {
		if d := c.Desync(); d != nil {
			return d
		}
	}
	for _, c := range s.clients {
		err := c.Err()
		if errors.Is(err, runtime.ErrStopped) {
			s.log.Info("the room has ended")
		}
		if cli.CodeOf(err) != cli.OK {
			return cli.FailUnlessKnown(cli.Config, err) // scripts or a world that this client cannot use
		}
	}
	return nil
}

// joinTime is how long getting into a room may take.
const joinTime = 15 * time.Second

// timeIsUp reports whether every client has played for as long as -for says.
func (s *session) timeIsUp(now time.Duration) bool {
	for i, c := range s.clients {
		if c.Err() == nil && s.players[i].played+c.Played(now) < s.opts.runFor {
			return false
		}
	}
	return s.opts.runFor > 0
}

// each is called after every round of the driver.
func (s *session) each(now time.Duration) {
	for _, c := range s.clients {
		if d := c.Desync(); d != nil && d.Named {
			s.stop()
		}
	}
	s.comeBack(now)
	if s.timeIsUp(now) {
		s.stop()
	}
	if s.page != nil && now-s.shown >= time.Second/60 {
		s.shown = now
		s.clients[0].View(&s.view)
		s.page.Publish(&s.view)
		s.cues.drawn()
		for text, ok := s.page.Said(); ok; text, ok = s.page.Said() {
			s.clients[0].Say(now, text)
		}
	}
}

// addPlayer dials the host for the i-th player, with his line and his controls.
func (s *session) addPlayer(i int) error {
	link, err := kcplink.Dial(s.opts.addr, s.linkOptions(i))
	if err != nil {
		return cli.Fail(cli.Network, err)
	}
	s.links = append(s.links, link)
	path := s.opts.hashes
	if s.opts.count > 0 && path != "" {
		path = fmt.Sprintf("%s.%d", path, i+1)
	}
	hashes, err := cli.NewHashFile(path)
	if err != nil {
		return err
	}
	s.hashes = append(s.hashes, hashes)
	controls, err := s.controls(i)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	var file *ticketFile
	if s.opts.count == 0 && !s.ownRoom {
		file = openTicket(s.opts.addr, s.playerName(i), s.log)
	}
	cfg := runtime.ClientConfig{Link: link, Ticket: file.ticket(), Compile: s.programs.compile, Name: s.playerName(i), Token: s.opts.token,
		Controls: controls, Log: s.playerLog(i), Blind: !s.opts.predict || s.opts.watch, Watch: s.opts.watch, Confirmed: hashes.Line, Stopwatch: s.driver.Now, Cache: openBundles(s.log)}
	if s.page != nil {
		cfg.Chat = func(from world.PlayerID, text string) { s.page.Chat(fmt.Sprintf("player %d", from), text) }
		if i == 0 {
			s.cues = s.newCueShow()
			cfg.Cues, cfg.Moved = s.cues.take, s.page.Moved
		}
	}
	s.players = append(s.players, player{config: cfg, file: file})
	s.clients = append(s.clients, runtime.NewClient(cfg))
	return nil
}

// newCueShow shows the first player's cues on the page.
func (s *session) newCueShow() *cueShow {
	return &cueShow{bundle: func() *bundle.Bundle { return s.clients[0].Bundle() },
		player: func() world.PlayerID { return s.clients[0].Player() }, show: s.page.Cue, log: s.log}
}

func (s *session) linkOptions(i int) kcplink.Options {
	o := kcplink.Options{Protocol: wire.Version}
	if s.opts.profile != (memlink.Profile{}) {
		o.Up = memlink.NewShaper(s.opts.profile, s.opts.seed+uint64(2*i)*7919)
		o.Down = memlink.NewShaper(s.opts.profile, s.opts.seed+uint64(2*i+1)*7919)
	}
	return o
}

func (s *session) playerName(i int) string {
	switch {
	case s.opts.name != "" && s.opts.count == 0:
		return s.opts.name
	case s.opts.name != "":
		return fmt.Sprintf("%s %d", s.opts.name, i+1)
	case s.opts.bot != "":
		return fmt.Sprintf("%s bot %d", strings.TrimSuffix(s.opts.bot, ".lua"), i+1)
	}
	name, err := os.Hostname()
	if err != nil || len(name) > 32 {
		return "player"
	}
	return name
}

// playerLog is quiet about all but the first of many players.
func (s *session) playerLog(i int) *slog.Logger {
	if i > 0 {
		return nil
	}
	return s.log
}

func (s *session) shutdown() error {
	var errs []error
	for _, h := range s.hashes {
		errs = append(errs, h.Close())
	}
	for i := range s.players {
		errs = append(errs, s.players[i].file.Close())
	}
	for _, l := range s.links {
		errs = append(errs, l.Shutdown("left"))
	}
	return errors.Join(errs...)
}
