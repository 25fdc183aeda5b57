package client_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/hindcast/hindcast/net/memlink"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/internal/roomtest"
	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// A ledger has the cues that a viewer shows, according to the events that it received.
type ledger struct {
	t         interface{ Fatalf(string, ...any) }
	shown     map[world.CueKey]world.Cue
	committed world.Tick // ticks up to this one do not change any more
	counts    [3]int
	waited    int // events of confirmed cues
	hellos    int // cues of players who joined, which hooks outside the blocks of a tick request
	player    world.PlayerID
}

func newLedger(t interface{ Fatalf(string, ...any) }, player world.PlayerID) *ledger {
	return &ledger{t: t, player: player, shown: map[world.CueKey]world.Cue{}}
}

func (l *ledger) take(e room.CueEvent) {
	l.counts[e.Kind]++
	key := e.Cue.CueKey
	_, there := l.shown[key]
	late := e.Cue.Tick <= l.committed
	if e.Cue.Name == "hello" {
		l.hellos++
	}
	if !e.Cue.For(l.player) {
		l.t.Fatalf("player %d gets %s, which is to %d for the owner %d", l.player, key, e.Cue.To, e.Cue.Owner)
	}
	if e.Cue.When == world.CueConfirmed {
		l.waited++
		late = e.Kind != room.CueFired
	}
	if late {
		l.t.Fatalf("%s of %s, of a committed tick (up to %d)", e.Kind, key, l.committed)
	}
	switch e.Kind {
	case room.CueFired:
		if there {
			l.t.Fatalf("%s fires twice", key)
		}
		l.shown[key] = e.Cue
	case room.CueMoved:
		was, ok := l.shown[e.Was.CueKey]
		if !ok || !was.Same(&e.Was) || e.Was.Same(&e.Cue) && e.Was.CueKey == key {
			l.t.Fatalf("%s moves from %s, which is shown: %v", key, e.Was.CueKey, ok)
		}
		delete(l.shown, e.Was.CueKey)
		l.shown[key] = e.Cue
	case room.CueCancelled:
		if !there {
			l.t.Fatalf("%s is cancelled and was not there", key)
		}
		delete(l.shown, key)
	}
}

// equals fails the test if two ledgers differ in the cues of ticks from first to last. It returns
// how many cues both have.
func (l *ledger) equals(o *ledger, first, last world.Tick) (same int) {
	for _, pair := range [][2]*ledger{{l, o}, {o, l}} {
		same = 0
		for key, c := range pair[0].shown {
			if key.Tick < first || key.Tick > last {
				continue
			}
			other, ok := pair[1].shown[key]
			if !ok || !other.Same(&c) {
				l.t.Fatalf("%s: one has %+v, the other %+v (%v)", key, c, other, ok)
			}
			same++
		}
	}
	return same
}

// TestCuesFireOnceDespiteLateInputs tests that a viewer ends up with the cues of a run in which no
// input was late, and that no cue fires twice.
func TestCuesFireOnceDespiteLateInputs(t *testing.T) {
	t.Parallel()
	var seen [3]int
	waited, hellos, partial := 0, 0, 0
	ticks, rewinds := 0, 0
	missing := func() string {
		if slices.Min(seen[:]) >= 10 && waited >= 10 && hellos >= 10 && partial >= 100 {
			return ""
		}
		return fmt.Sprintf("fired, moved, cancelled %v; confirmed %d, hellos %d; %d ticks run again in part", seen, waited, hellos, partial)
	}
	draws.Until(t, 0, missing, func(t *rapid.T) {
		const window = 16
		m := stub.DrawMatch(t, window)
		player := world.PlayerID(rapid.IntRange(0, 2).Draw(t, "player"))
		want, got := newLedger(t, player), newLedger(t, player)
		prompt, flushWant := cueTimeline(player, want.take)
		late, flushGot := cueTimeline(player, got.take)
		for _, e := range m.Events {
			stub.Insert(prompt, e)
		}
		for tick := world.Tick(1); tick <= m.Ticks+window; tick++ {
			prompt.Step()
			flushWant(tick)
			want.committed = tick
			for _, i := range stub.Arriving(&m, tick) {
				stub.Insert(late, m.Events[i])
			}
			r := late.Rewind()
			ticks += 2 + r.Ran
			if r.From != 0 {
				rewinds++
			}
			partial += r.Ran - r.Whole.Events
			late.Step()
			committed := tick - min(tick, window)
			flushGot(committed)
			got.committed = committed
		}
		want.equals(got, 1, m.Ticks)
		for i := range seen {
			seen[i] += got.counts[i]
		}
		waited, hellos = waited+got.waited, hellos+got.hellos
	})
	draws.Simulated(t, ticks, rewinds)
}

// TestCuesOfCommittedTicksAreOver tests that the cues of a committed tick are not reported again,
// even if the tick is run again, and that changed cues of later ticks are.
func TestCuesOfCommittedTicksAreOver(t *testing.T) {
	t.Parallel()
	var events []room.CueEvent
	tl, flush := cueTimeline(1, func(e room.CueEvent) { events = append(events, e) })
	stub.Insert(tl, world.Event{Tick: 2, Kind: world.JoinEvent, Player: 1})
	for tl.Now() < 60 {
		tl.Step()
	}
	flush(30)
	before := len(events)
	stub.Insert(tl, world.Event{Tick: 4, Kind: world.InputEvent, Player: 1, Object: stub.ShipOf(1, 2), Bundle: 1, Input: world.Input{Buttons: stub.Accel}})
	tl.Rewind()
	flush(30)
	if before == 0 || len(events) == before {
		t.Fatalf("%d cues, then %d: the input changed none", before, len(events)-before)
	}
	for _, e := range events[before:] {
		if e.Cue.Tick <= 30 || e.Kind == room.CueMoved && e.Was.Tick <= 30 {
			t.Errorf("%s %s", e.Kind, e.Cue.CueKey)
		}
	}
}

func cueTimeline(p world.PlayerID, report func(room.CueEvent)) (tl *timeline.Timeline, flush func(committed world.Tick)) {
	script, err := roomtest.CompileCueing(nil, stub.Game().Setup)
	if err != nil {
		panic(err)
	}
	ran, flush := reportCues(p, report)
	tl = timeline.New(script, timeline.Options{States: 128, Ran: ran})
	tl.KeepCues(true)
	return tl, flush
}

// TestCuesEndAsInTheLog tests that clients on bad lines, with guesses and corrections, end up with
// the same cues.
func TestCuesEndAsInTheLog(t *testing.T) {
	t.Parallel()
	const clients = 3
	shown := make([]*ledger, clients)
	var sim *simtest.Sim
	confirmed := make([]world.Tick, clients)
	lies := &roomtest.Liar{Lie: func(*wire.Claim) {}}
	sim = simtest.New(t, simtest.Options{Seed: 11, Clients: clients, Profile: memlink.Bad(), Bundle: stub.Game(), Compile: roomtest.CompileCueing,
		Controls: roomtest.Wanderers, Client: func(i int, c *client.Config) {
			shown[i] = newLedger(t, 0)
			c.Cues = func(e room.CueEvent) {
				shown[i].player = sim.Clients[i].Player()
				shown[i].take(e)
			}
			note := c.Confirmed
			c.Confirmed = func(tick world.Tick, hash uint64) { confirmed[i] = tick; note(tick, hash) }
			if i == 0 {
				lies.Link, c.Link = c.Link, lies
			}
		}})
	first := world.Tick(0)
	sim.RunUntil(6*time.Second, "everybody plays", func() bool {
		for _, c := range sim.Clients {
			first = max(first, c.Now())
			if !c.Playing() {
				return false
			}
		}
		return true
	})
	sim.Run(2 * time.Second)
	lies.Lie = func(c *wire.Claim) { c.X += 0.3 } // from here on the host corrects client 0
	sim.Run(8 * time.Second)
	lies.Lie = func(*wire.Claim) {}
	sim.Drain()
	sim.AgreeOnHashes()
	if n := sim.Report(0).Corrections.Count; n < 10 {
		t.Errorf("%d corrections: too few to show anything", n)
	}
	last := slices.Min(confirmed)
	everybody := func(l *ledger) *ledger { // the cues that all players receive
		out := newLedger(t, 0)
		for key, c := range l.shown {
			if c.To == world.CueAll {
				out.shown[key] = c
			}
		}
		return out
	}
	for i := 1; i < clients; i++ {
		if n := everybody(shown[0]).equals(everybody(shown[i]), first+1, last); n < 50 {
			t.Errorf("client %d shows %d cues as client 0 does", i, n)
		}
	}
	var sum [3]int
	for _, l := range shown {
		for k, n := range l.counts {
			sum[k] += n
		}
		if l.waited < 10 {
			t.Errorf("only %d cues waited to be confirmed", l.waited)
		}
	}
	if slices.Min(sum[:]) < 3 {
		t.Errorf("fired, moved, cancelled %v: too few to show anything", sum)
	}
}

// TestCuesReachTheirAudience tests which clients receive a cue for all players, for the owner and
// for the others.
func TestCuesReachTheirAudience(t *testing.T) {
	t.Parallel()
	for player, want := range map[world.PlayerID][3]bool{0: {true, false, true}, 1: {true, true, false}, 2: {true, false, true}} {
		for to, wanted := range want {
			c := world.Cue{To: world.CueTo(to), Owner: 1}
			if c.For(player) != wanted {
				t.Errorf("a cue of player 1's, to %d, for player %d: %v", to, player, !wanted)
			}
		}
	}
}

// reportCues reports the cues for a player in all ticks that a Timeline runs. ran is for timeline.Options.Ran. A client
// calls flush after each update.
func reportCues(p world.PlayerID, report func(room.CueEvent)) (ran func(*world.World, *world.Trace), flush func(committed world.Tick)) {
	b := view.NewCueBook(p)
	b.Open(0)
	return func(w *world.World, trace *world.Trace) { b.Ran(w.Now.Tick, trace) }, func(committed world.Tick) {
		for _, u := range b.Flush(committed, false) {
			report(room.NewCueEvent(u, 0))
		}
	}
}
