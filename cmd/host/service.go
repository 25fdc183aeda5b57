package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// service is one run of the host: a room, and those that take its place. A game is edited while people
// play. What a room cannot take up while it runs, such as another tick rate, begins with the next room,
// at the same addresses, to which the players return by themselves.
type service struct {
	opts         *options
	log          *slog.Logger
	hashes       *cli.HashFile
	watch        *gameWatch // nil: the game is not watched
	game         *openedGame
	listen, http cli.Addr
	before       *host.Host // of the room before; nil: there was none
	notes        []string   // for the clients of the next room, of settings that the one before did not put in force
	memory       *memory
}

func newService(o *options, game *openedGame, watch *gameWatch, hashes *cli.HashFile, log *slog.Logger) *service {
	return &service{
		opts:   o,
		log:    log,
		hashes: hashes,
		watch:  watch,
		game:   game,
		listen: o.listen.Or(local(game.Port)),
		http:   o.http.Or(local(game.HTTP)),
		memory: newMemory(),
	}
}

// run runs rooms until ctx or the time of -for ends. The last one restarts, as far as its clients know: it may
// be started again.
func (s *service) run(ctx context.Context) error {
	ending, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	defer context.AfterFunc(ctx, func() { end(&room.RestartError{Reason: interruption(ctx)}) })()
	if s.opts.runFor > 0 {
		defer time.AfterFunc(s.opts.runFor, func() {
			end(&room.RestartError{Reason: fmt.Sprintf("the time of the host is over (-for %v)", s.opts.runFor)})
		}).Stop()
	}
	for {
		report, err := s.room(ending)
		if err != nil || ending.Err() != nil {
			if report == nil {
				return err
			}
			if stopped := (*room.RestartError)(nil); errors.As(context.Cause(ending), &stopped) {
				s.log.Info("the host has stopped", "reason", stopped.Reason)
			}
			return errors.Join(err, cli.WriteReport(s.opts.report, *report))
		}
	}
}

// interruption says how the program was told to end.
func interruption(ctx context.Context) string {
	if cause := context.Cause(ctx); cause != nil && strings.HasPrefix(cause.Error(), syscall.SIGTERM.String()) {
		return "the host was told to end (SIGTERM)"
	}
	return "the host was interrupted"
}

// room runs one room to its end. The report is nil if the room could not be opened.
func (s *service) room(ctx context.Context) (*room.Report, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	link, err := listen(s.listen, s.log)
	if err != nil {
		return nil, cli.Fail(cli.Network, err)
	}
	tape, err := record(s.opts.record, s.log)
	if err != nil {
		return nil, errors.Join(err, link.Shutdown(""))
	}
	driver, port := room.NewDriver(), s.game.HTTP
	host, err := s.host(link, tape, driver)
	if err != nil {
		return nil, errors.Join(cli.Fail(cli.Config, err), link.Shutdown(""))
	}
	host.SetAssets(driver.Now(), s.game.Assets)
	if s.before != nil {
		host.Replace(s.before)
		s.before = nil
	}
	inspector, err := openInspector(s.http, s.opts.httpHosts, host, driver, s.game.problems, s.log)
	if err != nil {
		return nil, errors.Join(cli.Fail(cli.Network, err), link.Shutdown(""))
	}
	defer inspector.close()
	if err := inspector.openMetrics(s.opts.metrics, s.log); err != nil {
		return nil, errors.Join(cli.Fail(cli.Network, err), link.Shutdown(""))
	}
	s.listen, s.http = cli.Addr{Text: link.LocalAddr().String(), Asked: true}, inspector.addr()
	if s.game.dir != "" {
		lines := logged(texts(warnings(s.game.Game)), s.log)
		s.game.problems.Reloaded(0, lines)
		host.Warn(append(lines, s.notes...)...)
		s.notes = nil
	}
	stop := func() {}
	if s.watch != nil {
		stop = s.watch.start(reloader{host: host, driver: driver, log: s.log, inForce: s.game.Game,
			problems: s.game.problems, flags: s.opts.settings(), port: udpPort(s.listen.Text),
			move: func(to int) error {
				// the default, if the key is gone
				at := cli.Addr{Text: cmp.Or(local(to), s.opts.http.Text), Asked: true}
				err := inspector.move(at, s.opts.httpHosts, s.log)
				if err == nil {
					port = to
				}
				return err
			},
			replace: func(by *scripts.Game, why string, notes []string) {
				s.notes = notes
				s.game = &openedGame{by, s.game.dir, &problems{folder: s.game.dir}}
				end(&room.RestartError{Reason: why})
			}})
	}
	fmt.Printf("listening on %s\n", link.LocalAddr())
	err = driver.Run(ctx, host)
	stop() // it may move the inspector
	if errors.Is(err, timeline.ErrDesync) {
		err = errors.Join(err, writeDesyncReplay(".", host, s.log))
	}
	s.before, s.http = host, inspector.addr()
	if s.game.HTTP != port { // edited, perhaps together with what restarts the room
		s.http = s.opts.http.Or(local(s.game.HTTP))
	}
	report := host.Report(driver.Now())
	return &report, errors.Join(err, tape.Close())
}

// host makes the host of a room.
func (s *service) host(link *kcplink.Link, tape *recording, driver *room.Driver) (*host.Host, error) {
	return host.New(host.Config{
		Bundle:    s.game.Bundle,
		Compile:   compiler(s.game),
		Link:      link,
		Random:    rand.Reader,
		Log:       s.log,
		Confirmed: s.hashes.Line,
		Verify:    s.opts.verify,
		Recorder:  tape.recorder(),
		Folder:    s.game.dir,
		Fault:     timeline.Fault{Tick: s.opts.faultTick, Object: s.opts.faultObject},
		Stopwatch: driver.Now,
		Stop:      driver.Stopping,
		On: host.Callbacks{
			Left:        func(world.PlayerID, string, string) { s.memory.Left() },
			ScriptError: s.game.problems.Failed,
		},
	})
}
