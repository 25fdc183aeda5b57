package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
)

// session is one run of the client: the players of this process, and the page
// that shows the first of them.
type session struct {
	opts     options
	log      *slog.Logger
	programs *programs
	players  []*player // each is run by a goroutine of its own
	ownRoom  bool      // the host runs in this process
	bots     *botLog
	page     *page // of the first player; nil when headless
	stop     context.CancelFunc
}

// play joins a room and stays until the room ends, the program is interrupted,
// or time is up.
func play(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	log := cli.NewLogger(slog.LevelInfo)
	s := &session{opts: o, log: log, programs: newPrograms(), bots: newBotLog(log)}
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	if o.addr == "" {
		own, err := startRoom(ctx, o.game, o.seed, s.programs.compile, s.log)
		if err != nil {
			return err
		}
		defer own.wait()
		defer s.stop()
		s.opts.addr, s.ownRoom = own.address(), true
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

// joinTime is how long it may take to get into a room.
const joinTime = 15 * time.Second

// run runs the players to their end and writes the requested files.
func (s *session) run(ctx context.Context) error {
	if s.opts.runFor > 0 { // -for counts from the moment the player plays; getting in has its own limit
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.opts.runFor+joinTime)
		defer cancel()
	}
	var playing sync.WaitGroup
	for _, p := range s.players {
		playing.Go(func() { s.runPlayer(ctx, p) })
	}
	playing.Wait()
	reports := make([]runtime.Report, len(s.players))
	for i, p := range s.players {
		reports[i] = p.report()
	}
	var report any = reports
	if s.opts.count == 0 {
		report = reports[0]
	}
	return errors.Join(s.outcome(), cli.WriteReport(s.opts.report, report), s.shutdown())
}

// outcome returns the error with which the run ended: that of the first client that
// has one. A desync counts before all others.
func (s *session) outcome() error {
	for _, p := range s.players {
		if d := p.desync(); d != nil {
			return d
		}
	}
	for _, p := range s.players {
		err := p.err()
		if errors.Is(err, runtime.ErrStopped) {
			s.log.Info("the room has ended")
		}
		switch cli.CodeOf(err) {
		case cli.OK:
		case cli.Failure: // scripts or a world that this client cannot use
			return cli.Fail(cli.Config, err)
		default:
			return err
		}
	}
	return nil
}

// runPlayer runs a player's clients, one after the other: a new one when the connection was lost.
func (s *session) runPlayer(ctx context.Context, p *player) {
	defer s.finish(p)
	for again := true; again; again = p.mayReturn(s.log) && s.redial(ctx, p) {
		p.run(ctx, func(now time.Duration) { s.look(p, now) })
	}
}

// redial gives a player who has lost the connection a new client. It reports false if ctx ends
// before.
func (s *session) redial(ctx context.Context, p *player) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(retryTime):
		}
		link, err := s.dial(p.index())
		if err == nil {
			p.reconnect(link)
			return true
		}
		s.log.Warn("cannot connect again", "error", err)
		if !p.mayReturn(s.log) {
			return false
		}
	}
}

// finish notes that a player will play no more.
func (s *session) finish(p *player) {
	p.finish()
	s.stopWhenFinished()
}

// stopWhenFinished ends the session when every player has played for the time of -for.
func (s *session) stopWhenFinished() {
	if !slices.ContainsFunc(s.players, func(p *player) bool { return !p.isFinished() }) {
		s.stop()
	}
}

// look is called on the driving goroutine of a player, again and again.
func (s *session) look(p *player, now time.Duration) {
	if d := p.desync(); d != nil && d.Named {
		s.stop()
	}
	p.follow(now, s.opts.runFor, s.log)
	s.stopWhenFinished()
}

// addPlayer makes the i-th player, dials the host for it and makes its client.
func (s *session) addPlayer(i int) error {
	var shown *page
	if i == 0 {
		shown = s.page
	}
	p := newPlayer(i+1, shown)
	s.players = append(s.players, p)
	path := s.opts.hashes
	if s.opts.count > 0 && path != "" {
		path = fmt.Sprintf("%s.%d", path, i+1)
	}
	confirmed, err := p.writeHashes(path)
	if err != nil {
		return err
	}
	controls, err := s.controls(i)
	if err != nil {
		return cli.Fail(cli.Config, err)
	}
	cfg := runtime.ClientConfig{Compile: s.programs.compile, Name: s.playerName(i), Token: s.opts.token,
		Controls: controls, Log: s.playerLog(i), Kind: s.opts.kind(), CatchUp: s.opts.simulate.catchUp, Confirmed: confirmed, Cache: openBundles(s.log)}
	if s.opts.count == 0 && !s.ownRoom {
		cfg.Ticket = p.keepTicket(s.opts.addr, cfg.Name, s.log)
	}
	if shown != nil {
		s.showOn(&cfg, p)
	}
	link, err := s.dial(i)
	if err != nil {
		return cli.Fail(cli.Network, err)
	}
	p.join(cfg, link)
	return nil
}

// showOn shows on the page what happens to a player.
func (s *session) showOn(cfg *runtime.ClientConfig, p *player) {
	cfg.Chat = func(from world.PlayerID, text string) { s.page.Chat(speaker(from), text) }
	cfg.Cues = p.cues()
	cfg.Moved = s.page.Moved
}

// dial connects the i-th player to the host, over the line that -net describes.
func (s *session) dial(i int) (*kcplink.Link, error) {
	o := kcplink.Options{Protocol: wire.Version}
	if s.opts.profile != (memlink.Profile{}) {
		o.Up = memlink.NewShaper(s.opts.profile, s.opts.seed+uint64(2*i)*7919)
		o.Down = memlink.NewShaper(s.opts.profile, s.opts.seed+uint64(2*i+1)*7919)
	}
	return kcplink.Dial(s.opts.addr, o)
}

// controls returns the controls of the i-th player: a bot, or the page's keys.
func (s *session) controls(i int) (runtime.Controls, error) {
	if s.opts.bot == "" {
		return s.page.Controls(), nil
	}
	return newBotControls(s.opts.bot, i+1, s.bots)
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

// playerLog returns the log of the i-th player's client. Only the first one logs.
func (s *session) playerLog(i int) *slog.Logger {
	if i > 0 {
		return nil
	}
	return s.log
}

// openPage serves the game page, at a free port if the default one is taken.
func (s *session) openPage() (err error) {
	s.page, err = cli.Listen(s.opts.page.addr, cli.Service{Network: "HTTP", Use: "the game page is", Flag: "-http"}, s.log,
		func(addr string) (*page, error) { return newPage(addr, s.log) }, (*page).URL)
	if err != nil {
		return fmt.Errorf("game page: %w", err)
	}
	fmt.Printf("play at %s\n", s.page.URL())
	if s.opts.page.open {
		openBrowser(s.page.URL())
	}
	return nil
}

func (s *session) closePage() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.page.Close(ctx); err != nil {
		s.log.Warn("closing the game page", "error", err)
	}
}

func (s *session) shutdown() error {
	var errs []error
	for _, p := range s.players {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

// speaker returns the name of the player who sent a line of chat.
func speaker(p world.PlayerID) string {
	if p == 0 {
		return "host"
	}
	return fmt.Sprintf("player %d", p)
}
