package host

import (
	"time"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// match is the simulation of a room: its Timeline, its committed ticks, and the rules that bound both.
type match struct {
	tl       *timeline.Timeline
	commits  commits
	rules    *bundle.Rules // of the newest bundle
	window   window
	inserted uint32 // events so far
	check    bool
	failed   *timeline.Mismatch // the difference that check mode found
}

// window is how many ticks an event may be late (max_rewind), and early (max_ahead).
type window struct{ rewind, ahead world.Tick }

// newMatch returns the match of a bundle before tick 1.
func newMatch(b *bundle.Bundle, script world.Script, options timeline.Options) match {
	options.States, options.PoseHistory = b.HistoryStates(), b.Ticks(b.Rules.MaxSeen)
	m := match{
		tl:     timeline.New(script, options),
		rules:  &b.Rules,
		window: window{b.Ticks(b.Rules.MaxRewind), b.Ticks(b.Rules.MaxAhead)},
		check:  options.Check,
	}
	m.tl.KeepCues(true)
	m.commits = newCommits(m.tl, options.Check)
	return m
}

// Now returns the last tick simulated.
func (m *match) Now() world.Tick { return m.tl.Now() }

// Oldest returns the oldest tick whose state is kept.
func (m *match) Oldest() world.Tick { return m.tl.Oldest() }

// At returns the state after tick t, nil if it is not kept.
func (m *match) At(t world.Tick) *world.State { return m.tl.At(t) }

// Reader reads the present state, until the next Step.
func (m *match) Reader() world.Reader { return m.tl.World().Reader() }

// Past, Log, Scripts and Causes return parts of the Timeline.
func (m *match) Past() *timeline.Past       { return m.tl.Past() }
func (m *match) Log() *timeline.Log         { return m.tl.Log() }
func (m *match) Scripts() *timeline.Scripts { return m.tl.Scripts() }
func (m *match) Causes() *timeline.Causes   { return m.tl.Causes() }

// Keyframe returns the data with which a simulation begins after the last committed tick. relayed leaves
// out inputs that clients are not sent.
func (m *match) Keyframe(relayed bool) timeline.Keyframe {
	return m.tl.Keyframe(m.commits.Tick(), relayed)
}

// Commits returns the last committed tick, and its hashes.
func (m *match) Commits() *commits { return &m.commits }

// Rules returns the rules of the newest bundle.
func (m *match) Rules() *bundle.Rules { return m.rules }

// Window returns how late and how early an event may be, which no bundle changes.
func (m *match) Window() window { return m.window }

// Announce adds the script and the rules of a bundle, which is the newest one from now on.
func (m *match) Announce(number uint32, script world.Script, rules *bundle.Rules) {
	m.tl.AddScript(number, script)
	m.rules = rules
}

// Insert inserts an event for a tick to come.
func (m *match) Insert(e world.Event, relayed bool) (duplicate bool, err error) {
	return m.tl.Insert(e, m.origin(&e, 0, relayed))
}

// origin numbers an event that is late by a number of ticks.
func (m *match) origin(e *world.Event, late int, relayed bool) timeline.Origin {
	if m.check {
		side.Assert(e.Tick > m.commits.Tick(), "an event for tick %d, which is committed", e.Tick)
	}
	m.inserted++
	return timeline.Origin{Record: m.inserted, LateBy: late, Unrelayed: !relayed}
}

// Late makes an input or pose that is late by a number of ticks, for RewindWith.
func (m *match) Late(e world.Event, late int, relayed bool) timeline.Late {
	return timeline.Late{Event: e, From: m.origin(&e, late, relayed)}
}

// RewindWith is that of the Timeline.
func (m *match) RewindWith(late []timeline.Late, limit time.Duration) timeline.Rewound {
	return m.tl.RewindWith(late, limit)
}

// Interrupted reports whether the simulation was given up within a tick.
func (m *match) Interrupted() bool { return m.tl.Interrupted() }

// Step simulates the next tick.
func (m *match) Step() timeline.Stepped { return m.tl.Step() }

// Allow and Work are those of the Timeline.
func (m *match) Allow(a timeline.Allowance) { m.tl.Allow(a) }
func (m *match) Work(w *timeline.Work)      { m.tl.Work(w) }

// Verify does a rewind again in full, in check mode, until a difference is found. It returns how many ticks
// it compared.
func (m *match) Verify(r timeline.Rewound) (ticks int) {
	if !m.check || m.failed != nil {
		return 0
	}
	m.failed = m.tl.Check(r)
	return r.Ticks
}

// Failed returns the difference that Verify found; nil: none.
func (m *match) Failed() *timeline.Mismatch { return m.failed }

// Commit commits the oldest tick that is not committed, if it is too old to change, and returns the patch of
// its shared set. Release must follow.
func (m *match) Commit() (patch []byte, ok bool) {
	if m.commits.Tick()+m.window.rewind >= m.tl.Now() {
		return nil, false
	}
	return m.commits.Next(m.tl), true
}

// Release drops what only a rewind to the tick just committed would need.
func (m *match) Release() { m.tl.Release(m.commits.Tick()) }

// commits is the committed tick of a room, and the hashes that clients compare.
type commits struct {
	tick       world.Tick // the last committed tick
	hash       uint64     // of its state
	shared     *timeline.SharedRun
	sharedHash uint64   // of the shared set in it
	check      bool     // assert the invariants of committing
	said       []uint64 // sharedHash of the last ticks, each at its tick modulo keptHashes
}

// keptHashes is for how many ticks the hashes that clients compare are kept: at 60 Hz for some 34 s. What a client says
// of older ticks cannot be checked.
const keptHashes = 2048

func newCommits(tl *timeline.Timeline, check bool) commits {
	c := commits{shared: timeline.NewSharedRun(tl), check: check, said: make([]uint64, keptHashes)}
	c.shared.Begin(tl.At(0))
	return c
}

// Tick returns the last committed tick.
func (c *commits) Tick() world.Tick { return c.tick }

// Hash returns the hash of its state.
func (c *commits) Hash() uint64 { return c.hash }

// SharedHash returns the hash of the shared set in it: what clients compare.
func (c *commits) SharedHash() uint64 { return c.sharedHash }

// Said returns the hash that clients were told of a committed tick. ok is false if it is no longer kept.
func (c *commits) Said(t world.Tick) (hash uint64, ok bool) {
	if t == 0 || t > c.tick || c.tick-t >= keptHashes {
		return 0, false
	}
	return c.said[t%keptHashes], true
}

// Next commits the next tick. patch is the patch of the shared set; it is empty if the shared run
// agrees with the state, or if clients simulate everything.
func (c *commits) Next(tl *timeline.Timeline) (patch []byte) {
	c.tick++
	s := tl.At(c.tick)
	if c.check {
		side.Assert(s != nil && s.Tick == c.tick, "tick %d is committed and not kept", c.tick)
		side.Assert(tl.Dirty() == 0 || tl.Dirty() > c.tick,
			"tick %d is committed and still to be run again, from tick %d on", c.tick, tl.Dirty())
	}
	c.hash = s.Hash()
	c.sharedHash = c.hash
	if !tl.Scripts().AnyPartial() {
		c.shared.Stop()
	} else {
		patch = c.shared.Commit(s)
		if tl.Scripts().Partial(s) {
			c.sharedHash = c.shared.State().Hash()
		}
	}
	c.said[c.tick%keptHashes] = c.sharedHash
	return patch
}

// Shared returns the shared set of s, the state of the last committed tick.
func (c *commits) Shared(scripts *timeline.Scripts, s *world.State) *world.State {
	if scripts.Partial(s) {
		return c.shared.State()
	}
	return s
}
