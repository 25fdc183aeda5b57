package side

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// ringing is a Script of one object, or of the match, with a tick and a timer that is due every half second. One of them
// always fails until a tick.
type ringing struct {
	schema *world.Schema
	fails  string
	until  world.Tick
}

func newRinging(t *testing.T, class, fails string, until world.Tick) ringing {
	setup := world.Setup{TickRate: 20, Seed: 1, Substeps: 1, Width: 50, Height: 50, RepeatInputTicks: 5, GraceTicks: 20}
	ringer := world.Class{Name: class, Hooks: 1<<world.OnTick | 1<<world.OnSpawn, Timers: []string{"ping"}}
	if class == world.GameClass {
		ringer.Hooks = 1<<world.OnGameTick | 1<<world.OnStart
	} else {
		setup.Spawns = []world.Spawn{{Class: class, Count: 1}}
	}
	ringer.Hooks |= 1 << world.OnTimer
	schema, err := world.NewSchema([]world.Class{ringer}, setup)
	if err != nil {
		t.Fatal(err)
	}
	return ringing{schema, fails, until}
}

func (r ringing) Schema() *world.Schema { return r.schema }

func (r ringing) Call(a world.Actor, h world.Hook, slot int, _ *world.Args) error {
	name := h.String()
	switch h {
	case world.OnSpawn, world.OnStart:
		return world.TimersOf(a, a.State().Objects[slot].ID).Start(0, 0.5, true)
	case world.OnTimer:
		name = "ping"
	}
	if name == r.fails && a.State().Tick < r.until {
		return errors.New(name + " failed")
	}
	return nil
}

// TestPausesAreLoggedOfWhatIsPaused: while a tick, or a timer, fails whenever it runs, the log names the pauses, each
// longer than the one before, and never says that nothing is paused any more. It says so when it has succeeded.
func TestPausesAreLoggedOfWhatIsPaused(t *testing.T) {
	t.Parallel()
	for _, class := range []string{"Flag", world.GameClass} {
		for _, fails := range []string{"tick", "ping"} {
			script := newRinging(t, class, fails, 20*190)
			var out bytes.Buffer
			var log ScriptLog
			logger := slog.New(slog.NewTextHandler(&out, nil))
			tl := timeline.New(script, timeline.Options{States: 64, Ran: func(w *world.World, _ *world.Trace) {
				log.Collect(w, 0, logger)
			}})
			for range 20 * 260 {
				tl.Step()
				log.Settle(tl.World().Now, script.schema, nil, logger)
			}
			var got []string
			for line := range strings.Lines(out.String()) {
				if end := fmt.Sprintf("no object's %s is paused any more", fails); strings.Contains(line, end) {
					got = append(got, "over")
				} else if m := regexp.MustCompile(` hook=(\w+) until=\d+ seconds=(\d+)`).FindStringSubmatch(line); m != nil {
					got = append(got, m[1]+" "+m[2])
				}
			}
			want := strings.ReplaceAll("NAME 1, NAME 2, NAME 4, NAME 8, NAME 16, NAME 32, NAME 60, over", "NAME", fails)
			if strings.Join(got, ", ") != want {
				t.Errorf("%s:%s: got %v, want %s:\n%s", class, fails, got, want, &out)
			}
		}
	}
}

// TestLongPausesAreReportedAgain: whoever shows until when a hook is paused is told of each pause of an object, also of
// the next one of 60 s. The log has one line for those of each length.
func TestLongPausesAreReportedAgain(t *testing.T) {
	t.Parallel()
	script := newRinging(t, "Flag", "tick", 20*400)
	var log ScriptLog
	until, reports := world.Tick(0), 0
	log.ReportTo(func(_ world.Tick, f world.Fault) {
		reports++
		until = f.Until
	})
	tl := timeline.New(script, timeline.Options{States: 64, Ran: func(w *world.World, _ *world.Trace) {
		log.Collect(w, 0, slog.New(slog.DiscardHandler))
	}})
	for range 20 * 390 {
		tl.Step()
		if now := tl.Now(); now >= world.FaultLimit && until <= now {
			t.Fatalf("in tick %d the newest pause that was reported has ended in tick %d", now, until)
		}
	}
	if reports != 1+6+6 { // the first error, the pauses of 1 to 32 s, and those of 60 s
		t.Errorf("%d reports", reports)
	}
}
