package scripts_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/scripts"
)

// complain fails a test for each warning that is logged: script errors among them. That an input comes for an object that
// has another owner since is no mistake.
type complain struct{ t *testing.T }

func (h complain) Enabled(_ context.Context, l slog.Level) bool { return l >= slog.LevelWarn }
func (h complain) WithAttrs([]slog.Attr) slog.Handler           { return h }
func (h complain) WithGroup(string) slog.Handler                { return h }
func (h complain) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool { text += fmt.Sprintf(" %v", a); return true })
	if strings.HasSuffix(text, "is not yours") {
		h.t.Log("host: " + text)
		return nil
	}
	h.t.Error("host: " + text)
	return nil
}

// play runs a game with a bot for each client.
func play(t *testing.T, g *scripts.Game, profile memlink.Profile, d time.Duration, bots ...string) *simtest.Sim {
	t.Helper()
	sim := simtest.New(t, simtest.Options{Seed: 3, Clients: len(bots), Profile: profile, Bundle: g.Bundle, Compile: luabind.Compile, Log: complain{t},
		Controls: func(i int) client.Controls { return simtest.Bot(t, bots[i]) }})
	sim.Run(d)
	return sim
}

func TestArenaPlaysWithEveryBot(t *testing.T) {
	sim := play(t, simtest.Game(t, "arena"), memlink.Bad(), 12*time.Second, "idle", "circle", "random", "chase")
	sim.Drain()
	if n := sim.AgreeOnHashes(); n < 4*600 {
		t.Errorf("%d hashes compared: want 600 ticks of 4 clients", n)
	}
	r := sim.Host.Report(sim.Now)
	if r.ScriptErrors != 0 || r.Tick < 600 {
		t.Errorf("%d ticks, %d script errors", r.Tick, r.ScriptErrors)
	}
	if n := number(t, sim.Host, "game", "joins"); n[0] != 4 {
		t.Errorf("joins = %v", n)
	}
	bounded(t, sim.Host, 20.5, 12.5)
}

// number returns a field of all objects of a class, in the order of spawning.
func number(t *testing.T, h *host.Host, class, field string) (out []float64) {
	t.Helper()
	s, schema := h.State(), h.Schema()
	ci, _ := schema.ClassByName(class)
	f, ok := schema.Classes[ci].Field(field)
	if !ok {
		t.Fatalf("no field %s.%s", class, field)
	}
	for _, slot := range s.Run {
		if int(s.Objects[slot].Class) == ci {
			out = append(out, math.Float64frombits(s.Row(int(slot)).Word(f)))
		}
	}
	return out
}

// bounded fails if an object has left the arena.
func bounded(t *testing.T, h *host.Host, x, y float64) {
	t.Helper()
	s := h.State()
	for _, slot := range s.Run {
		if b := s.Body(int(slot)); math.Abs(b.X) > x || math.Abs(b.Y) > y {
			t.Errorf("object %v is at %v, %v", s.Objects[slot].ID, b.X, b.Y)
		}
	}
}
