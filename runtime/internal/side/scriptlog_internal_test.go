package side

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// failing is a Script of which every hook fails in the same way.
type failing struct{ schema *world.Schema }

func newFailing(t *testing.T) failing {
	schema, err := world.NewSchema([]world.Class{
		{Name: "Ship", Hooks: 1 << world.ApplyInput},
		{Name: "Spy", Hooks: 1 << world.OnTick},
	}, world.Setup{TickRate: 60, Seed: 1, Substeps: 4, Width: 200, Height: 200, RepeatInputTicks: 15, GraceTicks: 60,
		Spawns: []world.Spawn{{Class: "Ship", Count: 1}, {Class: "Spy", Count: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	return failing{schema}
}

func (f failing) Schema() *world.Schema { return f.schema }

func (failing) Call(w world.Actor, h world.Hook, slot int, _ *world.Args) error {
	return errors.New("no such thing")
}

// TestPausesOfAClientAreSettled: the end of a pause that only the client has is logged once, when no object is paused any
// more; not while one is, or while the host says so.
func TestPausesOfAClientAreSettled(t *testing.T) {
	t.Parallel()
	script := newFailing(t)
	var out bytes.Buffer
	var log ScriptLog
	logger := slog.New(slog.NewTextHandler(&out, nil))
	tl := timeline.New(script, timeline.Options{States: 64, Ran: func(w *world.World, _ *world.Trace) { log.Collect(w, 0, logger) }})
	for range 20 {
		tl.Step()
	}
	ended := func(s *world.State, told ...wire.Failure) int {
		t.Helper()
		log.Settle(s, script.schema, told, logger)
		return strings.Count(out.String(), "msg=\"no such thing: no object's tick is paused any more\"")
	}
	s := new(world.State)
	s.CopyFrom(tl.World().Now)
	s.Tick = 500
	if n := ended(s); n != 0 || !strings.Contains(out.String(), "class=Spy hook=tick until=") {
		t.Fatalf("while an object is paused, its end is logged %d times:\n%s", n, &out)
	}
	for i := range s.Objects {
		s.Objects[i].Faults = world.FaultCounts{}
	}
	if n := ended(s, wire.Failure{Class: "Spy", Hook: "tick", Message: "no such thing", Until: 600}); n != 0 {
		t.Errorf("while the host says that it is paused, its end is logged %d times", n)
	}
	if n := ended(s); n != 1 || ended(s) != 1 {
		t.Errorf("the end of the pause is logged %d times:\n%s", n, &out)
	}
}

// seldom is a Script of which a hook fails every 50 ticks.
type seldom struct{ failing }

func (s seldom) Call(w world.Actor, h world.Hook, slot int, a *world.Args) error {
	if w.State().Tick%50 != 0 {
		return nil
	}
	return s.failing.Call(w, h, slot, a)
}

// TestFailuresThatGoOnAreCounted: a hook that fails now and then is never paused. The log says that it goes on, and how
// often it was: after 10 s, 20 s, 40 s, and not for ticks that are simulated again.
func TestFailuresThatGoOnAreCounted(t *testing.T) {
	t.Parallel()
	script := seldom{newFailing(t)}
	var out bytes.Buffer
	var log ScriptLog
	logger := slog.New(slog.NewTextHandler(&out, nil))
	tl := timeline.New(script, timeline.Options{States: 64, Ran: func(w *world.World, _ *world.Trace) { log.Collect(w, 0, logger) }})
	for range 75 * 60 {
		tl.Step()
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "class=Spy") {
			got = append(got, regexp.MustCompile(` object=\w+|time=\S+ `).ReplaceAllString(strings.TrimSpace(line), ""))
		}
	}
	want := []string{
		`level=ERROR msg="no such thing" tick=50 class=Spy hook=tick others=2`,
		`level=ERROR msg="no such thing: it failed 34 more times" tick=650 class=Spy hook=tick`,
		`level=ERROR msg="no such thing: it failed 72 more times" tick=1850 class=Spy hook=tick`,
		`level=ERROR msg="no such thing: it failed 144 more times" tick=4250 class=Spy hook=tick`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// TestErrorsAreLoggedAgainUnderNewScripts tests that an error is logged once for all
// objects and ticks of a bundle, and once more if the scripts of a later bundle fail in
// the same way.
func TestErrorsAreLoggedAgainUnderNewScripts(t *testing.T) {
	t.Parallel()
	script := newFailing(t)
	var out bytes.Buffer
	var log ScriptLog
	froms := map[uint32]world.Tick{2: 25}
	logger := slog.New(slog.NewTextHandler(&out, nil))
	tl := timeline.New(script, timeline.Options{States: 64, Ran: func(w *world.World, _ *world.Trace) { log.Collect(w, froms[w.Now.Bundle], logger) }})
	tl.AddScript(2, script)
	for range 20 {
		tl.Step()
	}
	if n := strings.Count(out.String(), "msg=\"no such thing\""); n != 1 || log.Count() < 20 {
		t.Fatalf("logged %d times of %d failures:\n%s", n, log.Count(), &out)
	}
	if _, err := tl.Insert(world.Event{Tick: 25, Kind: world.BundleEvent, Bundle: 2}, timeline.Origin{}); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		tl.Step()
	}
	if _, err := tl.Insert(world.Event{Tick: 22, Kind: world.LeaveEvent, Player: 9}, timeline.Origin{}); err != nil { // to run all again
		t.Fatal(err)
	}
	tl.Rewind()
	if n := strings.Count(out.String(), "msg=\"no such thing\""); n != 2 {
		t.Errorf("logged %d times, want once more after the switch:\n%s", n, &out)
	}
	if n := strings.Count(out.String(), "msg=\"no such thing: over, other scripts are in force"); n != 1 {
		t.Errorf("logged %d times that an error is over, want once:\n%s", n, &out)
	}
	if n := strings.Count(out.String(), "msg=\"no such thing; failed too often: paused for this object"); n != 2 || !strings.Contains(out.String(), "seconds=1") {
		t.Errorf("logged %d times that a hook is paused, want once a bundle:\n%s", n, &out)
	}
}

// later is a Script of which every hook fails from a tick on. 0: none does.
type later struct {
	failing
	from world.Tick
}

func (l later) Call(w world.Actor, h world.Hook, slot int, args *world.Args) error {
	if l.from == 0 || w.State().Tick < l.from {
		return nil
	}
	return l.failing.Call(w, h, slot, args)
}

// TestErrorsOfGuessedTicksEndWithTheirScripts: a client has run ticks with the scripts before, and learns that others were
// in force in them. What it found in them is over because of that, and not because a pause has ended by itself.
func TestErrorsOfGuessedTicksEndWithTheirScripts(t *testing.T) {
	t.Parallel()
	script := newFailing(t)
	var out bytes.Buffer
	var log ScriptLog
	froms := map[uint32]world.Tick{2: 12}
	logger := slog.New(slog.NewTextHandler(&out, nil))
	tl := timeline.New(later{script, 15}, timeline.Options{States: 64, Ran: func(w *world.World, _ *world.Trace) { log.Collect(w, froms[w.Now.Bundle], logger) }})
	tl.AddScript(2, later{script, 0})
	for range 40 {
		tl.Step()
	}
	if !strings.Contains(out.String(), "class=Spy hook=tick until=") || tl.World().Now.Bundle == 2 {
		t.Fatalf("nothing is paused:\n%s", &out)
	}
	if _, err := tl.Insert(world.Event{Tick: 12, Kind: world.BundleEvent, Bundle: 2}, timeline.Origin{}); err != nil {
		t.Fatal(err)
	}
	tl.Rewind()
	s := new(world.State)
	s.CopyFrom(tl.World().Now)
	s.Tick = 500
	log.Settle(s, script.schema, nil, logger)
	if n := strings.Count(out.String(), "msg=\"no such thing: over, other scripts are in force"); n != 1 {
		t.Errorf("logged %d times that an error is over, want once:\n%s", n, &out)
	}
	if strings.Contains(out.String(), "is paused any more") || log.Any() {
		t.Errorf("a pause ended by itself:\n%s", &out)
	}
}

// counting is a Script whose hooks fail with the number of the tick in the text, in each second tick after they have
// written something.
type counting struct{ failing }

func (c counting) Call(w world.Actor, h world.Hook, slot int, args *world.Args) error {
	tick := w.State().Tick
	return &world.ScriptError{File: "spy.lua", Line: 2, Message: fmt.Sprintf("boom %d", tick), Wrote: tick%2 == 0}
}

// TestErrorsWithNumbersAreOne: an error whose text has another number in each tick is logged once, and its end, too.
func TestErrorsWithNumbersAreOne(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	var log ScriptLog
	logger := slog.New(slog.NewTextHandler(&out, nil))
	tl := timeline.New(counting{newFailing(t)}, timeline.Options{States: 64, Ran: func(w *world.World, _ *world.Trace) { log.Collect(w, 0, logger) }})
	for range 20 {
		tl.Step()
	}
	if n := strings.Count(out.String(), "level=ERROR msg=\"spy.lua:2: boom "); n != 1 || log.Count() < 20 {
		t.Errorf("logged %d times of %d failures:\n%s", n, log.Count(), &out)
	}
	log.Under(2, 21, logger)
	if n := strings.Count(out.String(), ": over, other scripts are in force"); n != 1 || log.Any() {
		t.Errorf("logged %d times that it is over:\n%s", n, &out)
	}
}
