package timeline_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// ringing is a Script whose objects have a tick and two timers, each of which may fail whenever it runs.
type ringing struct {
	schema *world.Schema
	fails  map[string]bool         // "tick", or a timer's name
	ran    map[string][]world.Tick // when each of them ran
}

func newRinging(t *testing.T, every float64, fails ...string) *ringing {
	schema, err := world.NewSchema([]world.Class{
		{Name: "Flag", Hooks: 1<<world.OnSpawn | 1<<world.OnTick | 1<<world.OnTimer, Timers: []string{"ping", "pong"}},
	}, world.Setup{TickRate: 20, Seed: 1, Substeps: 1, Width: 50, Height: 50, RepeatInputTicks: 5, GraceTicks: 20,
		Spawns: []world.Spawn{{Class: "Flag", Count: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	r := &ringing{schema: schema, fails: map[string]bool{}, ran: map[string][]world.Tick{}}
	for _, name := range fails {
		r.fails[name] = true
	}
	return r
}

func (r *ringing) Schema() *world.Schema { return r.schema }

func (r *ringing) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	name := "tick"
	switch h {
	case world.OnSpawn:
		timers := world.TimersOf(a, a.State().Objects[slot].ID)
		return errors.Join(timers.Start(0, 0.1, true), timers.Start(1, 0.5, true))
	case world.OnTimer:
		name = r.schema.Classes[a.State().Objects[slot].Class].Timers[args.Timer]
	}
	r.ran[name] = append(r.ran[name], a.State().Tick)
	if r.fails[name] {
		return errors.New(name + " failed")
	}
	return nil
}

// pauses returns the times in seconds between the ticks in which a function ran, above a second.
func (r *ringing) pauses(name string) (seconds []world.Tick) {
	for i, t := range r.ran[name] {
		if i > 0 && t-r.ran[name][i-1] >= 20 {
			seconds = append(seconds, (t-r.ran[name][i-1])/20)
		}
	}
	return seconds
}

// TestTimersAndTickPauseApart: the failures in a row of a tick, and of the function of each timer, are counted apart.
// What fails each time is paused, for longer each time, however often the others succeed, and the others go on.
func TestTimersAndTickPauseApart(t *testing.T) {
	t.Parallel()
	for _, fails := range []string{"tick", "ping", "pong"} {
		script := newRinging(t, 0.1, fails)
		tl := timeline.New(script, timeline.Options{States: 64, Check: true})
		for range 20 * 40 {
			tl.Step()
		}
		if got := script.pauses(fails); len(got) < 4 || !slices.Equal(got[:4], []world.Tick{1, 2, 4, 8}) {
			t.Errorf("%s fails each time: pauses of %v s", fails, got)
		}
		for name, least := range map[string]int{"tick": 800, "ping": 399, "pong": 79} {
			if n := len(script.ran[name]); name != fails && n < least {
				t.Errorf("%s fails each time: %s ran %d times of %d", fails, name, n, least)
			}
		}
		var now world.State
		now.CopyFrom(tl.World().Now)
		back, err := world.ParseState(world.AppendState(nil, &now, script.schema), script.schema)
		if err != nil || back.Hash() != now.Hash() {
			t.Errorf("%s fails each time: the state is read back as another one: %v", fails, err)
		}
	}
}
