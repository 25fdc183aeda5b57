package main

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/hindcast/hindcast/cmd/host/cli"
	"github.com/hindcast/hindcast/luabind/programs"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/world"
)

// roomToKickIn runs a room whose program kicks. kick waits for the player.
func roomToKickIn(t *testing.T) (addr string, kick func(p world.PlayerID, reason string)) {
	t.Helper()
	r, err := startRoom(t.Context(), "arena", 1, new(programs.Cache).Compile, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return r.address(), func(p world.PlayerID, reason string) {
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			err := r.now.Load().driver.Do(t.Context(), func(context.Context, time.Duration) error { return r.now.Load().host.Kick(p, reason) })
			if err == nil {
				return
			}
			if !errors.Is(err, host.ErrNoPlayer) || time.Now().After(end) {
				t.Error(err)
				return
			}
		}
	}
}

// TestKickedClientEnds: a player who is kicked is told so with the reason, and the program does not try to return.
func TestKickedClientEnds(t *testing.T) {
	for _, dir := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(dir, t.TempDir())
	}
	addr, kick := roomToKickIn(t)
	go kick(1, "rude")
	err := play(t.Context(), []string{"-headless", "-bot", "idle", addr})
	if !errors.Is(err, client.ErrKicked) || err.Error() != "kicked by the host: rude" || cli.CodeOf(err) != cli.Network {
		t.Errorf("the client ends with %v, exit code %d", err, cli.CodeOf(err))
	}
}
