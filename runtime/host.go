package runtime

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// HostConfig configures a Host. Its functions run on the goroutine that calls the Host, the driving
// goroutine of a Driver, and the room waits for them. Admit, Confirmed, Rewound and Moved are called
// in the midst of Poll, Update or Tick: they may read the Host. To act on the room, use the
// callbacks in On. Driver.Do in any of them runs its function at once, with the same limits.
type HostConfig struct {
	Bundle  *bundle.Bundle
	Compile world.Compile // called by NewHost only
	Link    link.Link     // the Driver closes it, or Host.Close
	Log     *slog.Logger  // nil: no log. Its handler must not call the Host
	// Admit decides who may join; nil admits every player. The player reads its error.
	// It is called within Poll.
	Admit func(name string, token []byte) error
	// Random is the source of tickets, with which players return. Use crypto/rand.Reader: a
	// client that guesses a ticket can take over its player. If it is nil, there are no
	// tickets, and players cannot return. It is read within Poll and must not call the Host.
	Random io.Reader
	// Folder is the folder of the scripts, as the user names it. Logged file names
	// begin with it. "" leaves it out.
	Folder string
	// Confirmed is called for every tick that is committed; may be nil.
	Confirmed func(t world.Tick, hash uint64)
	// Rewound is called after every rewind, before the tick that follows; may be nil.
	Rewound func(r timeline.Rewound)
	// Moved is called, after a rewind, for each object of a player that the rewind moved;
	// may be nil. If it is nil and the Log is not at debug level, rewinds do not record
	// displacements.
	Moved func(Displacement)
	// Recorder writes a replay of the match; nil: none. Its writer must not call the Host.
	Recorder *replay.Recorder
	// Verify is check mode: each rewind is done again in full and compared, bit by bit.
	// A difference is timeline.ErrDesync with a *Mismatch. Invariants of the runtime
	// are asserted as well; a violation is a panic.
	Verify bool
	// Fault flips one bit of an object after a tick, to test that all clients notice.
	Fault timeline.Fault
	// On is called when something happens in the room.
	On HostCallbacks
	// Stopwatch measures time for the report; nil: no times. It does not affect the simulation.
	// It is called in the middle of ticks and must not call the Host.
	Stopwatch func() time.Duration
}

// Host is the authority over a room: it collects inputs, rewinds for late ones, steps
// the world, and relays every applied event to all clients. It has no goroutine and no
// clock: a Driver calls its methods, or the program calls Poll and Update whenever a
// packet arrives or the Host is due, with the time since a moment of its choice.
type Host struct {
	cfg     HostConfig
	log     *slog.Logger
	errors  errorLog
	profile profile
	now     time.Duration // the time of the last call

	tl       *timeline.Timeline
	applied  *relay.Log
	inserted uint32 // events so far
	acts     acts
	notify   notifier
	commits  commits
	bundles  announcements
	rules    *bundle.Rules
	rewind   world.Tick         // max_rewind
	ahead    world.Tick         // max_ahead
	failed   *timeline.Mismatch // the difference that check mode found

	roster roster
	out    outbox
	late   lateBudget
	moves  []world.Event // owner poses whose ticks are to come

	relevancy  *replicate.Filter
	candidates replicate.Candidates
	cues       cueRelay
	rewindings rewindings
	stats      hostStats

	schedule schedule
	tickLen  time.Duration
	began    time.Duration // when the present tick began
	started  time.Duration // when the first tick began
	paused   bool
}

// NewHost compiles the bundle and returns a host before tick 1. The error wraps ErrConfig if cfg
// lacks its bundle, Compile or link, wraps bundle.ErrInvalid if a setting of the bundle is out of
// bounds, or is the error of Compile.
func NewHost(cfg HostConfig) (*Host, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	script, err := compiled(cfg.Compile, cfg.Bundle.Files, cfg.Bundle.Setup)
	if err != nil {
		return nil, err
	}
	b := cfg.Bundle
	h := &Host{cfg: cfg, log: silent(cfg.Log), errors: errorLog{folder: cfg.Folder}, profile: profile{watch: cfg.Stopwatch}, applied: relay.NewLog(cfg.Verify), rules: &b.Rules,
		rewind: b.Ticks(b.Rules.MaxRewind), ahead: b.Ticks(b.Rules.MaxAhead), roster: roster{random: cfg.Random}, out: outbox{link: cfg.Link}, tickLen: b.TickLength(), cues: newCueRelay()}
	h.out.HandTo(h.received)
	h.tl = timeline.New(h.profile.wrap(script), timeline.Options{
		States:      b.HistoryStates(),
		PoseHistory: b.Ticks(b.Rules.MaxSeen),
		Check:       cfg.Verify,
		Provenance:  h.rewindings.Start(cfg.Moved != nil, h.log),
		Fault:       cfg.Fault,
		Ran:         h.ran,
		Print:       printTo(cfg.Folder, h.log),
	})
	h.tl.KeepCues(true)
	h.cues.Open()
	h.commits = newCommits(h.tl, cfg.Verify)
	h.relevancy = replicate.NewFilter(h.errors.relevancy(h.log))
	h.notify.Start(cfg.On)
	h.errors.ReportTo(h.notify.ScriptError)
	h.startRecord(cfg.Recorder, h.bundles.Add(b, 0))
	return h, nil
}

// ran handles a tick that was run, the first time or again.
func (h *Host) ran(w *world.World, trace *world.Trace) {
	h.errors.collect(w, h.log)
	h.cues.Ran(w.Now.Tick, trace)
}

// Now returns the last tick simulated.
func (h *Host) Now() world.Tick { return h.tl.Now() }

// State returns the present state; it is the Host's own and changes with Tick.
func (h *Host) State() *world.State { return h.tl.At(h.tl.Now()) }

// Reader reads the present state, until the next Tick. Do not call it within a callback of Tick.
func (h *Host) Reader() world.Reader { return h.tl.World().Reader() }

// StateAt returns the state after tick t, nil if the host does not keep it. It is
// the Host's own and changes with Tick.
func (h *Host) StateAt(t world.Tick) *world.State { return h.tl.At(t) }

// Committed returns the last committed tick.
func (h *Host) Committed() world.Tick { return h.commits.Tick() }

// Schema returns the schema of the present state.
func (h *Host) Schema() *world.Schema { return h.tl.Schema(h.tl.Now()) }

// Newest returns the schema of the bundle announced last, which may not be in
// force yet.
func (h *Host) Newest() *world.Schema {
	return h.tl.Scripts().Of(h.bundles.Newest().Number).Schema()
}

// TickLength returns how long a tick lasts.
func (h *Host) TickLength() time.Duration { return h.tickLen }

// Tick runs one frame of the host: it queues the inputs that arrived, rewinds once to
// the oldest dirty tick and simulates forward again, steps the new tick, and sends
// packets to all clients. The error is timeline.ErrDesync in check mode. Update calls
// it when a tick is due; a program with a schedule of its own calls it instead of
// Update.
func (h *Host) Tick(now time.Duration) error {
	defer h.notify.Flush()
	h.now = now
	h.schedule.ticked(now, h.tickLen)
	h.receive(now)
	h.expelIdle(now)
	if h.paused {
		h.send(now)
		return nil
	}
	if h.tl.Now() == 0 {
		h.started = now
	}
	watch := h.stopwatch()
	h.rewindLate()
	h.updateLedgers(now)
	h.applyMoves()
	stepped := h.tl.Step()
	h.acts.Simulated(h.tl.Now())
	h.recordTick()
	h.began = h.pace(now)
	h.stats.clamped += stepped.Clamped
	if stepped.Crowded {
		h.stats.crowded++
	}
	if stepped.FaultMissed {
		h.log.Error("fault: there is no such object", "object", h.cfg.Fault.Object, "tick", uint32(h.cfg.Fault.Tick), "objects", h.State().Len())
	}
	h.commit()
	h.judgeClaims(now)
	h.send(now)
	h.sendSnapshots(now)
	h.relayCues(now)
	h.notify.Present(h.State(), h.Schema())
	h.stats.tickMS.Add(watch())
	if h.failed != nil {
		return fmt.Errorf("%w: %w", timeline.ErrDesync, h.failed)
	}
	return nil
}

// pace returns when the tick that now begins should have begun: one tick length after
// the previous one. So small delays of the driver hardly affect the clock that clients
// follow. A lasting difference, as after a pause, is removed within a second; otherwise
// inputs would be late by that time from then on.
func (h *Host) pace(now time.Duration) time.Duration {
	due := h.began + h.tickLen
	off := now - due
	if off < -h.tickLen || off > h.tickLen || h.tl.Now() == 1 {
		return now
	}
	return due + off/paceShare
}

// paceShare is the divisor of the difference that each tick removes.
const paceShare = 16

// stopwatch starts timing and returns a function that returns the elapsed milliseconds.
func (h *Host) stopwatch() func() float64 {
	if h.cfg.Stopwatch == nil {
		return func() float64 { return 0 }
	}
	begin := h.cfg.Stopwatch()
	return func() float64 { return float64(h.cfg.Stopwatch()-begin) / float64(time.Millisecond) }
}

func (h *Host) rewindLate() {
	watch := h.stopwatch()
	h.late.Admit(h.tl.Now(), h.rewind, h.work(), func(e world.Event, late int) { _, _ = h.insert(e, late) })
	r := h.tl.Rewind()
	if r.From == 0 {
		return
	}
	h.late.Charge(h.now, r)
	h.stats.rewinds.add(r, watch())
	h.rewindings.Note(h.tl, h.tellRewinding)
	if h.cfg.Rewound != nil {
		h.cfg.Rewound(r)
	}
	if h.cfg.Verify && h.failed == nil {
		h.failed = h.tl.Check(r)
		h.stats.verified += r.Ticks
	}
}

// commit commits the tick that has become too old to change.
func (h *Host) commit() {
	for h.commits.Tick()+h.rewind < h.tl.Now() {
		patch := h.commits.Next(h.tl)
		t, hash := h.commits.Tick(), h.commits.SharedHash()
		h.stats.confirmed++
		h.applied.Patch(t, patch)
		h.out.Patch(len(patch))
		h.applied.Commit(t, hash)
		h.cfg.Recorder.Committed(t, h.commits.Hash(), h.keyRecord)
		if h.cfg.Confirmed != nil {
			h.cfg.Confirmed(t, hash)
		}
		h.notify.Committed(h.tl.At(t), h.tl.Schema(t))
		h.countSubstitutes(h.tl.At(t))
		h.judgeMoves(h.tl.At(t))
		h.tl.Release(t)
	}
	if h.tl.Now()%64 == 0 {
		h.tidy()
	}
}

// tidy drops data that no client and no rewind needs any more.
func (h *Host) tidy() {
	h.bundles.Tidy(h.now, func(number uint32) bool { return h.tl.Scripts().Of(number) != nil })
	h.roster.VoidTickets(h.State(), h.tl.Now())
	h.rewindings.Forget(h.tl.Oldest())
	for _, p := range h.roster.All() {
		p.Owned().Forget(h.State())
	}
	h.applied.ReleaseChannels(h.tl.Log().Steered)
	h.applied.Forget(h.neededFrom(), h.commits.Tick())
}

// countSubstitutes counts the owned objects that had no input of their own
// in a tick that is now committed.
func (h *Host) countSubstitutes(s *world.State) {
	schema := h.tl.Scripts().SchemaOf(s)
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if o.Owner == 0 || o.Spawned >= s.Tick || !schema.Classes[o.Class].Hooks.Has(world.ApplyInput) {
			continue
		}
		if pl, ok := s.PlayerByID(o.Owner); !ok || pl.Left != 0 {
			continue
		}
		if _, _, own := h.tl.Log().InputAt(o.ID, o.Owner, s.Tick); !own {
			h.stats.inputs.Substituted++
		}
	}
}

// insert inserts an event, which is late by a number of ticks, into the Timeline and relays it.
func (h *Host) insert(e world.Event, late int) (duplicate bool, err error) {
	relayed := h.concernsAll(&e) || h.isRelayed(&e)
	if h.cfg.Verify {
		assert(e.Tick > h.commits.Tick(), "an event for tick %d, which is committed", e.Tick)
	}
	h.inserted++
	duplicate, err = h.tl.Insert(e, timeline.Origin{Record: h.inserted, LateBy: late, Unrelayed: !relayed})
	if err == nil && !duplicate {
		if relayed {
			h.applied.Append(e)
		} else {
			h.applied.Withhold(e)
		}
		h.cfg.Recorder.Event(&e, h.State(), h.Schema())
	}
	return duplicate, err
}

// Idle returns how long ago the last tick began; 0 while paused.
func (h *Host) Idle(now time.Duration) time.Duration {
	if h.paused {
		return 0
	}
	return now - h.began
}

// Pause stops the ticks, or continues them. The connections stay open.
func (h *Host) Pause(on bool) { h.paused = on }

// Players returns how many clients are in the room.
func (h *Host) Players() (n int) {
	h.roster.Playing(func(*peer) { n++ })
	return n
}
