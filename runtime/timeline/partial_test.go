package timeline_test

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/stub"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

var cases = flag.Int("cases", 0, "`N` generated matches to compare partial with whole rewinds in (default: 100, or 300 in a full run)")

// trial is a generated match that runs three times: with partial rewinds, with whole rewinds,
// and with nothing late.
type trial struct {
	t                   *rapid.T
	part, whole, prompt *timeline.Timeline
	scripts             []*busy
	client              bool // part and whole are a client's
	culls               bool // and it culls objects: its states are not those of a run in which nothing was late
	mixed               bool // classes have levels of detail, so a client has proxies: nor are its states
	suspends            bool // hooks are suspended, for so long that the rest of the match is quiet
	finishes            bool // part releases the ticks that cannot change any more
	window, ticks       world.Tick
	coming              map[world.Tick][]world.Event // by the tick before which they arrive
	arrived             []world.Event
	bundle              uint32
	bundleFrom          world.Tick
	hostEvents          madeHostEvents
	rolls               *shares
}

// shares has the sums of what the rewinds of many trials did.
type shares struct {
	rewinds, deepest                 int
	simulated                        int // ticks, by all three Timelines
	ran, whole, objects, hooks, full int
	switches, corrections, restarts  int
	taken, refused, frames           int
	most                             int
	cues                             int
	culled, restored                 int
	replicated                       int
	looks                            int // poses of sights that clients made
	pairs                            stub.Pairings
	did                              tally
}

func newTrial(t *rapid.T, kind trialKind, sum *shares) *trial {
	client, culls := kind.client, kind.culls
	tr := &trial{t: t, client: client, culls: culls, mixed: kind.mixed, bundle: 1, rolls: sum, coming: map[world.Tick][]world.Event{}}
	tr.window = world.Tick(rapid.IntRange(2, 14).Draw(t, "window"))
	tr.ticks = world.Tick(rapid.IntRange(10, 40).Draw(t, "ticks"))
	// What restores an object, or extends a proxy, reruns ticks that part would have released.
	tr.finishes = rapid.Bool().Draw(t, "finishes") && !culls && !(client && kind.mixed)
	tr.suspends = (tr.window+tr.ticks)%5 == 1
	setup := drawSetup(t)
	for i := range rapid.IntRange(1, 2).Draw(t, "bundles") {
		names := busyClasses
		if i > 0 {
			names = rapid.Permutation(busyClasses).Draw(t, "names")
		}
		tr.scripts = append(tr.scripts, drawBusy(t, names, setup, kind.mixed, &sum.did))
	}
	states := int(tr.window) + rapid.IntRange(2, 60).Draw(t, "states")
	for _, tl := range []**timeline.Timeline{&tr.part, &tr.whole, &tr.prompt} {
		o := timeline.Options{States: states, PoseHistory: mostBack, Check: true, Ran: tr.countFaults, Prices: timeline.Prices{Call: 1}}
		o.Provenance = tl == &tr.part // does not change what is simulated again
		if (culls || client && kind.mixed) && tl != &tr.prompt {
			o.Client = 1 // others have no proxies
		}
		*tl = timeline.New(tr.scripts[0], o)
		(*tl).KeepCues(true)
		for i, s := range tr.scripts {
			(*tl).AddScript(uint32(i+1), s)
		}
	}
	if client {
		tr.part.AsClient()
		tr.whole.AsClient()
	}
	return tr
}

// step simulates the next tick. Some are given up before, once or twice, as too much work: that leaves nothing behind.
func (tr *trial) step(tl *timeline.Timeline) {
	defer tl.Allow(timeline.Allowance{})
	luck := tr.luck(tl, 0)
	for range max(0, int(luck%6)-3) {
		was := tl.At(tl.Now()).Hash()
		luck /= 6
		tl.Allow(timeline.Allowance{Work: time.Duration(1 + luck%20)})
		if !tl.Step().GivenUp {
			return
		}
		tr.rolls.did.givenUp++
		if tl.At(tl.Now()).Hash() != was {
			tr.t.Fatalf("a tick that was given up after tick %d changed it", tl.Now())
		}
	}
	tl.Allow(timeline.Allowance{})
	tl.Step()
}

// run plays the match until all events have arrived.
func (tr *trial) run() {
	for tick := world.Tick(1); tick <= tr.ticks+tr.window+1; tick++ {
		if tick <= tr.ticks {
			tr.drawEvents(tick)
		}
		tr.tryLate(tick)
		tr.arrive(tick)
		if tr.client {
			tr.guess(tick)
		}
		if tr.culls {
			tr.cull()
		}
		if tr.client && tr.mixed {
			tr.replicate()
		}
		tr.doubt(tick)
		tr.rewind()
		tr.rolls.simulated += 3
		tr.prompt.Step()
		tr.countOwn(tick)
		tr.step(tr.part)
		tr.step(tr.whole)
		tr.compareCommitted()
		stub.NotePairings(tr.rolls.pairs, tr.part.At(tick), tr.part.Schema(tick), tr.switched(), 8)
		if now := tr.part.Now(); now > tr.window+1 && tr.finishes {
			tr.part.Release(min(now-tr.window-1, tr.part.Dirty()-1)) // 0 - 1 is no limit
		}
		if tr.client && tr.one(40) {
			tr.restart()
		}
		if rapid.IntRange(0, 9).Draw(tr.t, "release") == 0 && tr.part.RewoundTo() == 0 {
			tr.part.ReleaseSlots()
		}
	}
}

// switched returns the tick of the last bundle switch, 0: none.
func (tr *trial) switched() world.Tick {
	if tr.bundle == 1 {
		return 0
	}
	return tr.bundleFrom
}

// countOwn counts the poses of owners that were taken and refused.
func (tr *trial) countOwn(tick world.Tick) {
	taken, refused := tr.prompt.Verdicts(tick)
	tr.rolls.taken, tr.rolls.refused = tr.rolls.taken+taken, tr.rolls.refused+refused
}

// arrive inserts into both late Timelines what arrives before a tick, in a drawn order.
func (tr *trial) arrive(tick world.Tick) {
	events := tr.coming[tick]
	if len(events) > 1 {
		events = rapid.Permutation(events).Draw(tr.t, "order")
	}
	for _, e := range events {
		if tr.withheld(&e) {
			continue
		}
		tr.insertAll(e)
	}
	tr.arrived = append(tr.arrived, events...)
	delete(tr.coming, tick)
}

// restart starts both from a keyframe of the newest committed tick, and simulates to the
// present.
func (tr *trial) restart() {
	now := tr.part.Now()
	from := now - min(now, tr.window+1)
	s := tr.prompt.At(from)
	if from == 0 || s == nil {
		return
	}
	key, b := tr.prompt.Keyframe(from, false), world.AppendState(nil, s, tr.prompt.Schema(from))
	for _, tl := range []*timeline.Timeline{tr.part, tr.whole} {
		keyframe, err := world.ParseState(b, tr.prompt.Schema(from))
		if err != nil {
			tr.t.Fatal(err)
		}
		if err := tl.Start(timeline.Keyframe{State: keyframe, Poses: key.Poses, Held: key.Held}); err != nil {
			tr.t.Fatal(err)
		}
		if tr.client {
			tl.AsClient()
		}
		for _, e := range tr.arrived {
			if e.Tick > from {
				stub.Insert(tl, e)
			}
		}
		for tl.Now() < now {
			tl.Step()
		}
	}
	tr.rolls.restarts++
}

// doubt has an object simulated again whose input did not change: it comes out as before.
func (tr *trial) doubt(tick world.Tick) {
	s := tr.part.At(tick - 1)
	if len(s.Run) == 0 || !tr.one(6) {
		return
	}
	id := s.Objects[s.Run[rapid.IntRange(0, len(s.Run)-1).Draw(tr.t, "doubted")]].ID
	from := tick - min(tick-1, world.Tick(rapid.IntRange(0, int(tr.window)).Draw(tr.t, "since")))
	tr.part.DoubtInput(id, from, tick)
	tr.whole.DoubtInput(id, from, tick)
}

// rewind rewinds both late Timelines, and compares every tick.
func (tr *trial) rewind() {
	late := tr.part.RewoundTo() != 0
	p, done := tr.rewindPart()
	w := tr.whole.RewindWhole()
	if !done {
		return
	}
	if late {
		p.From = tr.part.Oldest() + 1
	} else if p.From != w.From {
		tr.t.Fatalf("rewound from tick %d in part, from %d as a whole", p.From, w.From)
	}
	if p.From == 0 {
		return
	}
	n := tr.rolls
	n.rewinds, n.deepest = n.rewinds+1, max(n.deepest, p.Ticks)
	n.simulated += p.Ran + w.Ran
	n.ran, n.whole = n.ran+p.Ran, n.whole+p.Whole.Sum()-p.Whole.Pile
	n.objects, n.hooks, n.full = n.objects+p.Objects, n.hooks+p.Hooks, n.full+p.Full
	for tick := p.From; tick <= tr.part.Now(); tick++ {
		n.most = max(n.most, tr.part.At(tick).Len())
		if s := tr.part.At(tick); len(s.Physics.Bodies) != len(s.Objects) {
			tr.t.Fatalf("tick %d has %d slots, and room for %d bodies", tick, len(s.Objects), len(s.Physics.Bodies))
		}
		tr.same(tr.part, tr.whole, tick, "a rewind in part against one as a whole")
	}
	for slot := range tr.part.At(tr.part.Now()).Objects {
		n.did.caused += len(tr.part.ProvenanceSteps(slot))
	}
}

// compareCommitted compares the newest tick for which all events have arrived.
func (tr *trial) compareCommitted() {
	if now := tr.part.Now(); tr.part.Dirty() != 0 {
		return // a rewind was left
	} else if now > tr.window && !tr.client {
		tr.same(tr.part, tr.prompt, now-tr.window, "rewinds against a run in which nothing was late")
	} else if now > tr.window+2 && !tr.culls && !tr.mixed {
		tr.same(tr.part, tr.prompt, now-tr.window-1, "a client against a run in which nothing was late")
	}
}

func (tr *trial) same(a, b *timeline.Timeline, tick world.Tick, what string) {
	p, q := a.At(tick), b.At(tick)
	tr.sameCues(a.Past().Cues(tick), b.Past().Cues(tick), tick, what)
	if p.Hash() == q.Hash() && bytes.Equal(world.AppendState(nil, p, a.Schema(tick)), world.AppendState(nil, q, b.Schema(tick))) {
		return
	}
	d := world.Diff(p, q, a.Schema(tick), 6)
	if len(d) == 0 {
		tr.t.Fatalf("tick %d: the states have other bytes: %s", tick, what)
	}
	tr.t.Fatalf("tick %d, %s:\n%v", tick, what, d)
}

func (tr *trial) sameCues(a, b []world.Cue, tick world.Tick, what string) {
	tr.rolls.cues += len(a)
	if slices.ContainsFunc(a, func(c world.Cue) bool { return c.Name == "undone" }) {
		tr.t.Fatalf("tick %d: a cue of a hook that was undone", tick)
	}
	if !slices.EqualFunc(a, b, func(a, b world.Cue) bool { return a.CueKey == b.CueKey && a.Same(&b) }) {
		tr.t.Fatalf("tick %d, %s: cues\n%v\n%v", tick, what, a, b)
	}
}

// missing says what a number of matches should have contained and did not.
func (n *shares) missing(matches int) string {
	if n.deepest < 8 || n.whole*2 > n.ran || n.objects*2 > n.full || n.switches == 0 || n.taken < matches/2 || n.refused < matches/4 || n.frames < matches || n.did.sighted < matches/4 {
		return fmt.Sprintf("%+v", *n)
	}
	return n.did.missing(matches)
}

// trialKind is what part and whole of a trial are.
type trialKind struct {
	name                 string
	client, culls, mixed bool
}

var trialKinds = []trialKind{{name: "host", mixed: true}, {name: "client", client: true},
	{name: "client that culls", client: true, culls: true}, {name: "client of a mixed room", client: true, mixed: true}}

// TestPartEqualsWhole tests that partial rewinds, whole rewinds, and a run in which nothing is
// late give the same bits in every tick.
func TestPartEqualsWhole(t *testing.T) {
	n := *cases
	if n == 0 {
		n = draws.Pick(16, 300)
	}
	for _, kind := range trialKinds {
		t.Run(kind.name, func(t *testing.T) {
			sum := shares{did: tally{actions: map[string]int{}}, pairs: stub.Pairings{}}
			var without []string
			if !kind.mixed {
				without = append(without, "interpolate", "extrapolate")
			}
			if !kind.culls {
				without = append(without, "culled")
			}
			missing := func() string {
				pairs := stub.MissingPairings(sum.pairs, without...)
				if len(pairs) > 0 && draws.Full() { // a plain run requires them of RandomMixedMatches
					return "no object had " + strings.Join(pairs, "; ")
				}
				return sum.missing(draws.Short(n))
			}
			draws.Until(t, n, missing, func(t *rapid.T) { newTrial(t, kind, &sum).run() })
			if kind.mixed && kind.client && sum.replicated < 10*draws.Short(n) {
				t.Errorf("%d updates of proxies", sum.replicated)
			}
			if kind.culls && (sum.culled < draws.Short(n) || sum.restored < draws.Short(n)/4) {
				t.Errorf("culled %d times, restored %d times", sum.culled, sum.restored)
			}
			t.Logf("%+v", sum)
			draws.Simulated(t, sum.simulated, 2*sum.rewinds)
		})
	}
}
