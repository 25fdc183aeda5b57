package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// ownRoom is a room in this process, on loopback. It plays one game after the other, at the same address.
type ownRoom struct {
	addr    string
	done    chan struct{}
	compile world.Compile
	seed    uint64
	log     *slog.Logger
	now     atomic.Pointer[match]
	next    atomic.Pointer[string] // the game that is played next; nil: none
	asked   atomic.Bool            // somebody wants a pause
	paused  atomic.Bool
	page    *page // of the room's player; nil: there is none
	shown   bool  // on the page, by the player's goroutine
}

// match is one game of an ownRoom.
type match struct {
	driver *room.Driver
	host   *host.Host // driver's
	end    context.CancelCauseFunc
}

// firstGame is what a player who names neither a game nor an address plays.
const firstGame = "soccer"

// startRoom runs built-in games until ctx is done, first the one with a name; "" is firstGame.
func startRoom(ctx context.Context, name string, seed uint64, compile world.Compile,
	log *slog.Logger) (*ownRoom, error) {
	if name == "" {
		name = firstGame
	}
	r := &ownRoom{done: make(chan struct{}), compile: compile, seed: seed, log: log}
	run, err := r.open(name, cli.Addr{Text: "127.0.0.1:7777"}, nil)
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(r.done)
		for run != nil {
			before := r.now.Load()
			if err := run(ctx); err != nil {
				log.Error("this client's own room: " + err.Error())
			}
			run = nil
			if next := r.next.Swap(nil); next != nil && ctx.Err() == nil {
				if run, err = r.open(*next, cli.Addr{Text: r.addr, Asked: true}, before.host); err != nil {
					log.Error("this client's own room: " + err.Error())
				}
			}
		}
	}()
	return r, nil
}

// open makes the match of a built-in game, which begins when run is called. The players of the match before return to
// it; nil: there was none.
func (r *ownRoom) open(name string, addr cli.Addr, before *host.Host) (run func(context.Context) error, err error) {
	fsys, _ := scripts.Builtin(name)
	game, err := scripts.Load(fsys, name)
	if err != nil {
		return nil, cli.Fail(cli.Config, err)
	}
	game.Bundle.Setup.Seed = r.seed
	options := kcplink.Options{Protocol: wire.Version}
	link, err := cli.Listen(addr, cli.Service{Network: "UDP", Use: "this client's own room is"}, r.log,
		func(addr string) (*kcplink.Link, error) { return kcplink.Listen(addr, options) },
		func(l *kcplink.Link) string { return l.LocalAddr().String() })
	if err != nil {
		return nil, cli.Fail(cli.Network, err)
	}
	driver := room.NewDriver()
	host, err := host.New(host.Config{Bundle: game.Bundle, Compile: r.compile, Link: link, Random: rand.Reader,
		Log: r.log.With("role", "host"), Stopwatch: driver.Now, Stop: driver.Stopping})
	if err != nil {
		return nil, errors.Join(cli.Fail(cli.Config, err), link.Shutdown(""))
	}
	host.SetAssets(driver.Now(), game.Assets)
	if before == nil {
		r.addr = link.LocalAddr().String()
	} else {
		host.Replace(before)
	}
	ending, end := context.WithCancelCause(context.Background())
	r.now.Store(&match{driver: driver, host: host, end: end})
	return func(ctx context.Context) error {
		defer context.AfterFunc(ctx, func() { end(ctx.Err()) })()
		return driver.Run(ending, host)
	}, nil
}

// change plays another built-in game from now on.
func (r *ownRoom) change(name string) {
	if _, ok := scripts.Builtin(name); !ok {
		return
	}
	r.next.Store(&name)
	r.now.Load().end(&room.RestartError{Reason: "the next game is " + name})
}

// Pause stops the match, or lets it go on. It goes on while others are in the room, too.
func (r *ownRoom) Pause(on bool) {
	r.asked.Store(on)
	r.look()
}

// showOn makes serve listen to the page of the room's player, and offers the games there; nil: there is none.
func (r *ownRoom) showOn(p *page) {
	if r.page = p; p != nil {
		p.tell(func(f *feed) { f.choose(func(s *pageSettings) { s.Games = scripts.Games() }) })
	}
}

// serve pauses, or goes on, as the player asks on the page, and shows there whether there is a pause. One
// goroutine calls it.
func (r *ownRoom) serve() {
	p := r.page
	if p == nil {
		return
	}
	if name, ok := p.Requests().NextGame(); ok {
		r.change(name)
	}
	if on := p.Requests().Pausing(); on != r.asked.Load() {
		r.Pause(on)
	}
	if paused := r.Paused(); paused != r.shown {
		r.shown = paused
		p.tell(func(f *feed) { f.choose(func(s *pageSettings) { s.Paused = paused }) })
	}
}

// Paused reports whether the match is stopped. It looks whether somebody has come meanwhile.
func (r *ownRoom) Paused() bool {
	if r.asked.Load() {
		r.look()
	}
	return r.paused.Load()
}

// look does what was asked, as soon as the host has time.
func (r *ownRoom) look() {
	m := r.now.Load()
	_ = m.driver.Post(func(time.Duration) { // its error: the match has ended
		on := r.asked.Load() && m.host.Players() == 1
		m.host.Pause(on)
		r.paused.Store(on)
	})
}

// address returns where players join.
func (r *ownRoom) address() string { return r.addr }

// wait returns when the room has ended.
func (r *ownRoom) wait() { <-r.done }
