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

// ownRoom is a room in this process, on loopback.
type ownRoom struct {
	addr   string
	done   chan struct{}
	driver *room.Driver
	host   *host.Host  // driver's
	asked  atomic.Bool // somebody wants a pause
	paused atomic.Bool
	page   *page // of the room's player; nil: there is none
	shown  bool  // on the page, by the player's goroutine
}

// startRoom runs a built-in game until ctx is done; "" is the first one.
func startRoom(ctx context.Context, name string, seed uint64, compile world.Compile,
	log *slog.Logger) (*ownRoom, error) {
	if name == "" {
		name = scripts.Games()[0]
	}
	fsys, _ := scripts.Builtin(name)
	game, err := scripts.Load(fsys, name)
	if err != nil {
		return nil, cli.Fail(cli.Config, err)
	}
	game.Bundle.Setup.Seed = seed
	options := kcplink.Options{Protocol: wire.Version, MaxPeers: world.MaxPlayers}
	link, err := cli.Listen(cli.Addr{Text: "127.0.0.1:7777"},
		cli.Service{Network: "UDP", Use: "this client's own room is"}, log,
		func(addr string) (*kcplink.Link, error) { return kcplink.Listen(addr, options) },
		func(l *kcplink.Link) string { return l.LocalAddr().String() })
	if err != nil {
		return nil, cli.Fail(cli.Network, err)
	}
	driver := room.NewDriver()
	host, err := host.New(host.Config{Bundle: game.Bundle, Compile: compile, Link: link, Random: rand.Reader,
		Log: log.With("role", "host"), Stopwatch: driver.Now, Stop: driver.Stopping})
	if err != nil {
		return nil, errors.Join(cli.Fail(cli.Config, err), link.Shutdown(""))
	}
	host.SetAssets(driver.Now(), game.Assets)
	room := &ownRoom{addr: link.LocalAddr().String(), done: make(chan struct{}), driver: driver, host: host}
	go func() {
		defer close(room.done)
		if err := driver.Run(ctx, host); err != nil {
			log.Error("this client's own room: " + err.Error())
		}
	}()
	return room, nil
}

// Pause stops the match, or lets it go on. It goes on while others are in the room, too.
func (r *ownRoom) Pause(on bool) {
	r.asked.Store(on)
	r.look()
}

// showOn makes serve listen to the page of the room's player; nil: there is none.
func (r *ownRoom) showOn(p *page) { r.page = p }

// serve pauses, or goes on, as the player asks on the page, and shows there whether there is a pause. One
// goroutine calls it.
func (r *ownRoom) serve() {
	p := r.page
	if p == nil {
		return
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
	_ = r.driver.Post(func(time.Duration) { // its error: the room has ended
		on := r.asked.Load() && r.host.Players() == 1
		r.host.Pause(on)
		r.paused.Store(on)
	})
}

// address returns where players join.
func (r *ownRoom) address() string { return r.addr }

// wait returns when the room has ended.
func (r *ownRoom) wait() { <-r.done }
