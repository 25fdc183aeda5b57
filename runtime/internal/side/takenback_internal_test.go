package side

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// guessing is a Script whose hooks fail in some ticks, and in others when these are run again.
type guessing struct {
	failing
	fails *[]world.Tick
}

func (g guessing) Call(w world.Actor, h world.Hook, slot int, args *world.Args) error {
	if !slices.Contains(*g.fails, w.State().Tick) {
		return nil
	}
	return &world.ScriptError{File: "spy.lua", Line: 2, Message: "boom"}
}

// TestFailuresAreTakenBack: the log says of a failure that it has not happened if its tick is committed without it, and
// names it again when it happens.
func TestFailuresAreTakenBack(t *testing.T) {
	t.Parallel()
	const first, over = "level=ERROR msg=\"spy.lua:2: boom\"", "spy.lua:2: boom: it did not happen after all: a late input has changed tick "
	for _, c := range []struct {
		name        string
		guess, then []world.Tick
		firsts      int
		over        string // the tick that the last line about that names; "": there is none
	}{
		{"taken back", []world.Tick{20}, nil, 1, "20"},
		{"found again", []world.Tick{20}, []world.Tick{20}, 1, ""},
		{"in another tick", []world.Tick{20, 22}, []world.Tick{22}, 1, ""},
		{"in two ticks", []world.Tick{20, 22}, nil, 1, "22"},
		{"before it is committed", []world.Tick{20}, []world.Tick{40}, 1, ""},
		{"later", []world.Tick{20}, []world.Tick{60}, 2, "20"},
		{"before the rewind", []world.Tick{5}, nil, 1, ""},
		{"for ever", []world.Tick{20, 21, 22, 23, 24, 25, 26, 27, 28, 29}, nil, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fails := c.guess
			script := guessing{newFailing(t), &fails}
			var out bytes.Buffer
			log := NewScriptLog("")
			log.Commits()
			logger := slog.New(slog.NewTextHandler(&out, nil))
			tl := timeline.New(script, timeline.Options{States: 128, Ran: func(w *world.World, _ *world.Trace) {
				log.Collect(w, 0, logger)
			}})
			committed := world.Tick(0)
			back := 0
			step := func(n int) {
				for range n {
					tl.Step()
					if now := tl.World().Now.Tick; now > 24 {
						committed = now - 24
						back += len(log.Committed(tl.At(committed), script.schema, logger))
					}
				}
			}
			step(32)
			fails = c.then
			if _, err := tl.Insert(world.Event{Tick: 12, Kind: world.LeaveEvent, Player: 9}, timeline.Origin{}); err != nil {
				t.Fatal(err)
			}
			tl.RewindWhole()
			step(50)
			text := out.String()
			if n := strings.Count(text, first); n != c.firsts {
				t.Errorf("named %d times:\n%s", n, text)
			}
			n := strings.Count(text, over)
			if c.over == "" && n+back > 0 || c.over != "" && (n != back || n == 0 || !strings.Contains(text, over+c.over)) {
				t.Errorf("%d lines say that it did not happen, %d were returned:\n%s", n, back, text)
			}
		})
	}
}

// TestFlickeringFailuresAreFewLines: a failure that late inputs take back again and again does not fill the log.
func TestFlickeringFailuresAreFewLines(t *testing.T) {
	t.Parallel()
	var fails []world.Tick
	script := guessing{newFailing(t), &fails}
	var out bytes.Buffer
	log := NewScriptLog("")
	log.Commits()
	logger := slog.New(slog.NewTextHandler(&out, nil))
	tl := timeline.New(script, timeline.Options{States: 128, Ran: func(w *world.World, _ *world.Trace) {
		log.Collect(w, 0, logger)
	}})
	for round := range world.Tick(40) {
		now := tl.World().Now.Tick
		fails = []world.Tick{now + 2}
		for range 4 {
			tl.Step()
		}
		fails = nil
		e := world.Event{Tick: now + 1, Kind: world.LeaveEvent, Player: world.PlayerID(9 + round)}
		if _, err := tl.Insert(e, timeline.Origin{}); err != nil {
			t.Fatal(err)
		}
		tl.RewindWhole()
		for at := now + 1; at <= now+4; at++ {
			log.Committed(tl.At(at), script.schema, logger)
		}
	}
	lines := strings.Count(out.String(), "class=Spy")
	if lines != 2*maxRounds || !strings.Contains(out.String(), "are not logged until other scripts") {
		t.Errorf("%d lines:\n%s", lines, &out)
	}
}
