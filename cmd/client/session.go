package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/user"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/luabind/programs"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
)

// session is one run of the client: the players of this process, and the pages
// that show them.
type session struct {
	opts     options
	log      *slog.Logger
	programs *programs.Cache
	players  []*player // each is run by a goroutine of its own
	own      *ownRoom  // the room in this process; nil: the host is elsewhere
	bots     *botLog
	pages    *pageServer // nil when headless
	stop     context.CancelFunc
	why      string      // why it has ended, for the pages
	timeUp   atomic.Bool // a player has played for the time of -for
}

// play joins a room and stays until the room ends, the program is interrupted,
// or time is up.
func play(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	log := cli.NewLogger(slog.LevelInfo)
	s := &session{opts: o, log: log, programs: new(programs.Cache), bots: newBotLog(log)}
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	if o.addr == "" {
		own, err := startRoom(ctx, o.game, o.seed, s.programs.Compile, s.log)
		if err != nil {
			return err
		}
		defer own.wait()
		defer s.stop()
		s.opts.addr, s.own = own.address(), own
	}
	if !o.headless {
		if err := s.openPages(); err != nil {
			return cli.Fail(cli.Network, err)
		}
		defer s.closePages()
	}
	for i := range o.players() {
		if err := s.addPlayer(i); err != nil {
			return errors.Join(err, s.shutdown())
		}
	}
	return s.run(ctx)
}

// joinTime is how long it may take to get into a room, on a machine that is busy.
const joinTime = time.Minute

// run runs the players to their end and writes the requested files.
func (s *session) run(ctx context.Context) error {
	// -for counts from the moment the player plays. Getting in has its own limit, unless a person decides when.
	if s.opts.runFor > 0 && !s.opts.asks() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.opts.runFor+joinTime,
			fmt.Errorf("the client was not in the room within %v", joinTime))
		defer cancel()
	}
	var playing sync.WaitGroup
	for _, p := range s.players {
		playing.Go(func() { s.runPlayer(ctx, p) })
	}
	playing.Wait()
	reports := make([]room.Report, len(s.players))
	for i, p := range s.players {
		reports[i] = p.report()
	}
	var report any = reports
	if !s.opts.many() {
		report = reports[0]
	}
	s.why = s.reason()
	return errors.Join(s.outcome(), cli.WriteReport(s.opts.report, report), s.shutdown())
}

// reason says in words why the run has ended.
func (s *session) reason() string {
	if s.timeUp.Load() {
		return fmt.Sprintf("-for %v is over", s.opts.runFor)
	}
	for _, p := range s.players {
		if err := p.err(); err != nil && !errors.Is(err, room.ErrLeft) {
			return err.Error()
		}
	}
	if slices.ContainsFunc(s.players, func(p *player) bool { return p.left }) {
		return "you have left"
	}
	return "it was stopped"
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
		if errors.Is(err, client.ErrStopped) {
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
		run, giveUp := context.WithCancelCause(ctx)
		p.giveUp = giveUp
		p.run(run, func(now time.Duration) { s.look(p, now) })
		giveUp(nil)
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
		link, err := s.dial(p)
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
	s.bots.leave(slices.Index(s.players, p) + 1)
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
	was := p.isFinished()
	if p.follow(now, s.opts.runFor, s.log); !was && p.isFinished() {
		s.timeUp.Store(true)
	}
	if s.own != nil && p == s.players[0] { // the others' goroutines leave the room alone
		s.own.serve()
	}
	s.stopWhenFinished()
}

// addPlayer makes the i-th player, dials the host for it and makes its client.
func (s *session) addPlayer(i int) error {
	p := newPlayer(s.pages.page(i), line{profile: s.opts.profile, seed: s.opts.seed + uint64(2*i)*7919},
		newEntrance(s.opts), s.opts.waits)
	s.players = append(s.players, p)
	if s.own != nil && i == 0 {
		s.own.showOn(s.pages.page(i))
	}
	path := s.opts.hashes
	if s.opts.many() && path != "" {
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
	cfg := client.Config{Compile: s.programs.Compile, Background: func(job func()) { go job() },
		Name: s.playerName(i), Token: s.opts.token,
		Controls: controls, Log: s.playerLog(i), Kind: s.opts.kind(), CatchUp: s.opts.simulate.catchUp,
		Prediction: s.opts.simulate.prediction, Confirmed: confirmed, Cache: openBundles(s.log)}
	if s.opts.several.count == 0 && s.own == nil {
		cfg.Ticket = p.keepTicket(s.opts.addr, cfg.Name, s.log)
	}
	p.showOn(&cfg)
	link, err := s.dial(p)
	if err != nil {
		return cli.Fail(cli.Network, err)
	}
	p.join(cfg, link)
	return nil
}

// dial connects a player to the host, over the line that -net describes or that was chosen on the page.
func (s *session) dial(p *player) (*kcplink.Link, error) {
	return kcplink.Dial(s.opts.addr, p.options(kcplink.Options{Protocol: wire.Version}))
}

// controls returns the controls of the i-th player: a bot, or the keys of its page.
func (s *session) controls(i int) (client.Controls, error) {
	if s.opts.bot == "" {
		return s.pages.page(i).Controls(), nil
	}
	return newBotControls(s.opts.bot, i+1, s.bots)
}

func (s *session) playerName(i int) string {
	switch {
	case s.opts.name != "" && !s.opts.many():
		return s.opts.name
	case s.opts.name != "":
		return fmt.Sprintf("%s %d", s.opts.name, i+1)
	case s.opts.bot != "" && !s.opts.watch:
		return fmt.Sprintf("%s bot %d", strings.TrimSuffix(s.opts.bot, ".lua"), i+1)
	}
	if s.opts.many() {
		return fmt.Sprintf("%s %d", loginName(), i+1)
	}
	return loginName()
}

// loginName returns the name with which the user has logged in, "player" if there is none that fits: a name of the
// machine says nothing to the others.
func loginName() string {
	u, err := user.Current()
	if err != nil {
		return "player"
	}
	name := u.Username[strings.LastIndexByte(u.Username, '\\')+1:] // without the domain, on Windows
	if name == "" || len(name) > 28 {
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

// openPages serves the game pages, at a free port if the default one is taken.
func (s *session) openPages() (err error) {
	s.pages, err = cli.Listen(
		s.opts.page.addr,
		cli.Service{Network: "HTTP", Use: "the game page is", Flag: "-http"},
		s.log,
		func(addr string) (*pageServer, error) {
			return servePages(addr, s.opts.players(), s.log, s.opts.page.names...)
		},
		(*pageServer).URL,
	)
	if err != nil {
		return fmt.Errorf("game page: %w", err)
	}
	fmt.Printf("play at %s\n", s.pages.URL())
	if s.opts.page.open {
		openBrowser(s.pages.URL())
	}
	return nil
}

func (s *session) closePages() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := s.pages.Close(ctx, s.why); err != nil {
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
