package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/scripts"
	"github.com/hindcast/hindcast/world"
)

// ownRoom is a room in this process, on loopback.
type ownRoom struct {
	addr string
	done chan struct{}
}

// startRoom runs a built-in game until ctx is done; "" is the first one.
func startRoom(ctx context.Context, name string, seed uint64, compile world.Compile, log *slog.Logger) (*ownRoom, error) {
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
	link, err := cli.Listen(cli.Addr{Text: "127.0.0.1:7777"}, cli.Service{Network: "UDP", Use: "this client's own room is"}, log,
		func(addr string) (*kcplink.Link, error) { return kcplink.Listen(addr, options) },
		func(l *kcplink.Link) string { return l.LocalAddr().String() })
	if err != nil {
		return nil, cli.Fail(cli.Network, err)
	}
	driver := runtime.NewDriver()
	host, err := runtime.NewHost(runtime.HostConfig{Bundle: game.Bundle, Compile: compile, Link: link, Random: rand.Reader,
		Log: log.With("role", "host"), Stopwatch: driver.Now})
	if err != nil {
		return nil, errors.Join(cli.Fail(cli.Config, err), link.Shutdown(""))
	}
	room := &ownRoom{addr: link.LocalAddr().String(), done: make(chan struct{})}
	go func() {
		defer close(room.done)
		if err := driver.Host(ctx, host); err != nil {
			log.Error("this client's own room: " + err.Error())
		}
	}()
	return room, nil
}

// address returns where players join.
func (r *ownRoom) address() string { return r.addr }

// wait returns when the room has ended.
func (r *ownRoom) wait() { <-r.done }
