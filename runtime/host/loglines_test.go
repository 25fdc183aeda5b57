package host_test

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/loglimit"
	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/world"
)

// tally counts what is logged, by text and player.
type tally struct {
	lines   map[string]int
	leftOut map[string]int64
}

func newTally() tally { return tally{lines: map[string]int{}, leftOut: map[string]int64{}} }

func (tally) Enabled(context.Context, slog.Level) bool { return true }
func (l tally) WithAttrs([]slog.Attr) slog.Handler     { return l }
func (l tally) WithGroup(string) slog.Handler          { return l }

func (l tally) Handle(_ context.Context, r slog.Record) error {
	who, left := "nobody", int64(0)
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "player":
			who = "player " + a.Value.String()
		case loglimit.LeftOut:
			left = a.Value.Int64()
		}
		return true
	})
	l.lines[r.Message+" of "+who]++
	l.leftOut[r.Message+" of "+who] += left
	return nil
}

// TestAPlayerCannotFillTheLog plays a minute with a player whose inputs are not numbers, who chats and
// asks for states as often as that is allowed: without a limit that makes 350 lines.
func TestAPlayerCannotFillTheLog(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(9, 2, memlink.LAN())
	line := roomtest.Tampered(&o)
	log := newTally()
	o.Log = log
	sim := simtest.New(t, o)
	sim.Run(3 * time.Second)
	line.Change = func(m *wire.InputPacket) {
		for _, run := range m.Runs {
			for i := range run.Inputs {
				run.Inputs[i] = world.Input{Axes: [world.MaxAxes]float64{math.NaN()}}
			}
		}
	}
	const seconds = 60
	for i := range seconds {
		line.Say(wire.AppendChat(nil, &wire.Chat{Text: fmt.Sprintf("buy %d", i)}))
		line.Say(wire.AppendStateWant(nil, &wire.StateWant{Tick: sim.Host.Committed(), Hash: 7}))
		sim.Run(time.Second)
	}
	const most = seconds/10 + 1
	for _, kind := range []string{"inputs not applied", "chat", "desync"} {
		kind += " of player 1"
		switch n := log.lines[kind]; {
		case n > most:
			t.Errorf("%d lines in %d s: %s", n, seconds, kind)
		case n < most/2:
			t.Errorf("%d lines in %d s, which is no warning: %s", n, seconds, kind)
		case n+int(log.leftOut[kind]) < seconds*4/5:
			t.Errorf("%d lines say that %d were left out in %d s: %s", n, log.leftOut[kind], seconds, kind)
		}
	}
	total := 0
	for _, n := range log.lines {
		total += n
	}
	if total > 4*most {
		t.Errorf("%d lines: %v", total, log.lines)
	}
	if sim.Host.Players() != 2 {
		t.Errorf("%d players", sim.Host.Players())
	}
}

// TestFalseDesyncsAreNotLogged tests a player who asks for states without a reason: with no hash, with the host's own
// hash, and of a tick whose hash the host does not keep. Only a hash that differs from the host's is a desync to the log.
func TestFalseDesyncsAreNotLogged(t *testing.T) {
	t.Parallel()
	o := roomtest.Options(9, 2, memlink.LAN())
	line := roomtest.Tampered(&o)
	log := newTally()
	o.Log = log
	hashes := map[world.Tick]uint64{}
	o.Host = func(cfg *host.Config) {
		cfg.Confirmed = func(t world.Tick, hash uint64) { hashes[t] = hash }
	}
	sim := simtest.New(t, o)
	sim.Run(36 * time.Second)
	at := sim.Host.Committed()
	for _, c := range []struct {
		what   string
		want   wire.StateWant
		reason string
		lines  int
	}{
		{"no hash", wire.StateWant{Tick: at}, "desync_without_difference", 0},
		{"the host's hash", wire.StateWant{Tick: at, Hash: hashes[at]}, "desync_without_difference", 0},
		{"an old tick", wire.StateWant{Tick: 3, Hash: 7}, "desync_of_old_tick", 0},
		{"another hash", wire.StateWant{Tick: at, Hash: hashes[at] + 1}, "", 1},
	} {
		before := refused(sim)
		line.Say(wire.AppendStateWant(nil, &c.want))
		sim.Run(300 * time.Millisecond)
		after := refused(sim)
		if n := log.lines["desync of player 1"]; n != c.lines {
			t.Errorf("%s: %d lines", c.what, n)
		}
		for reason, n := range after {
			if want := reason == c.reason; (n > before[reason]) != want {
				t.Errorf("%s: %d refusals for %s, %d before", c.what, n, reason, before[reason])
			}
		}
		if c.reason != "" && after[c.reason] != before[c.reason]+1 {
			t.Errorf("%s is not counted: %v", c.what, after)
		}
	}
}
