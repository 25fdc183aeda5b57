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
