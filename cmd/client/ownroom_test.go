package main

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind/programs"
	"github.com/hindcast/hindcast/net/kcplink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
)

// TestOwnRoomPausesForOnePlayer: a room of one's own pauses while there is one player, and goes on when another comes.
func TestOwnRoomPausesForOnePlayer(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	compile := new(programs.Cache).Compile
	r, err := startRoom(ctx, "arena", 1, compile, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer r.wait()
	defer stop()
	join := func() {
		link, err := kcplink.Dial(r.address(), kcplink.Options{Protocol: wire.Version})
		if err != nil {
			t.Fatal(err)
		}
		driver := room.NewDriver()
		client := client.New(client.Config{Link: link, Compile: compile})
		go func() { _ = driver.Run(ctx, client) }()
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for end := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never %s", what)
			}
		}
	}
	join()
	r.Pause(true)
	until("paused for one player", r.Paused)
	join()
	until("on again for two", func() bool { return !r.Paused() })
	r.Pause(false)
	until("without a pause", func() bool { return !r.Paused() })
}
