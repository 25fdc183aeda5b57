package host

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Host is the authority over a room: it collects inputs, rewinds for late ones, steps
// the world, and relays every applied event to all clients. It has no goroutine and no
// clock: a Driver calls its methods, or the program calls Poll and Update whenever a
// packet arrives or the Host is due, with the time since a moment of its choice.
type Host struct {
	cfg     Config
	log     *slog.Logger
	errors  side.ScriptLog
	Profile side.Profile

	clock   clock
	match   match
	applied *relay.Log
	events  acts
	notify  notifier
	bundles announcements

	roster roster
	pings  pingBoard
	out    side.Mailbox
	intake intake
	late   lateBudget

	relevancy  *replicate.Filter
	candidates replicate.Candidates
	cues       cueRelay
	corrector  corrector
	rewindings rewindings
	assets     assetShelf
	stats      counts
}

// New compiles the bundle and returns a host before tick 1. The error wraps ErrConfig if cfg
// lacks its bundle, Compile or link, wraps bundle.ErrInvalid if a setting of the bundle is out of
// bounds, or is the error of Compile.
func New(cfg Config) (*Host, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	script, err := side.Compiled(cfg.Compile, cfg.Bundle.Files, cfg.Bundle.Setup)
	if err != nil {
		return nil, err
	}
	b := cfg.Bundle
	h := &Host{cfg: cfg, log: side.OrDiscard(cfg.Log), errors: side.NewScriptLog(cfg.Folder), Profile: side.NewProfile(cfg.Stopwatch), applied: relay.NewLog(cfg.Verify),
		clock: clock{length: b.TickLength()}, roster: roster{random: cfg.Random}, out: side.NewMailbox(cfg.Link), cues: newCueRelay()}
	h.out.HandTo(h.received)
	h.match = newMatch(b, h.Profile.Wrap(script), timeline.Options{
		Check:      cfg.Verify,
		Provenance: h.rewindings.Start(cfg.Displaced != nil, h.log),
		Fault:      cfg.Fault,
		Ran:        h.ran,
		Print:      side.PrintTo(cfg.Folder, h.log),
	})
	h.cues.Open()
	h.relevancy = replicate.NewFilter(h.errors.Asked("relevant", h.log))
	h.notify.Start(cfg.On)
	h.errors.ReportTo(h.notify.ScriptError)
	h.startRecord(cfg.Recorder, h.bundles.Add(b, 0))
	return h, nil
}

// ran handles a tick that was run, the first time or again.
func (h *Host) ran(w *world.World, trace *world.Trace) {
	h.errors.Collect(w, h.log)
	h.cues.Ran(w.Now.Tick, trace)
}

// Now returns the last tick simulated.
func (h *Host) Now() world.Tick { return h.match.Now() }

// State returns the present state; it is the Host's own and changes with Tick.
func (h *Host) State() *world.State { return h.match.At(h.match.Now()) }

// Reader reads the present state, until the next Tick. Do not call it within a callback of Tick.
func (h *Host) Reader() world.Reader { return h.match.Reader() }

// StateAt returns the state after tick t, nil if the host does not keep it. It is
// the Host's own and changes with Tick.
func (h *Host) StateAt(t world.Tick) *world.State { return h.match.At(t) }

// Committed returns the last committed tick.
func (h *Host) Committed() world.Tick { return h.match.Commits().Tick() }

// Schema returns the schema of the present state.
func (h *Host) Schema() *world.Schema { return h.match.Scripts().SchemaOf(h.State()) }

// Newest returns the schema of the bundle announced last, which may not be in
// force yet.
func (h *Host) Newest() *world.Schema {
	return h.match.Scripts().Of(h.bundles.Newest().number).Schema()
}

// TickLength returns how long a tick lasts.
func (h *Host) TickLength() time.Duration { return h.clock.Length() }

// Tick runs one frame of the host: it queues the inputs that arrived, rewinds once to
// the oldest dirty tick and simulates forward again, steps the new tick, and sends
// packets to all clients. The error is timeline.ErrDesync in check mode. Update calls
// it when a tick is due; a program with a schedule of its own calls it instead of
// Update.
func (h *Host) Tick(now time.Duration) error {
	defer h.notify.Flush()
	h.clock.Tick(now)
	h.receive(now)
	h.expelIdle(now)
	if h.clock.Paused() {
		h.send(now)
		h.sendAssets(now)
		return nil
	}
	watch := h.stopwatch()
	h.rewindLate()
	h.updateLedgers(now)
	h.insertOwnerPoses()
	stepped := h.match.Step()
	h.events.Simulated(h.match.Now())
	h.recordTick()
	h.clock.Begin(h.match.Now(), now)
	h.stats.Stepped(stepped)
	if stepped.FaultMissed {
		h.log.Error("fault: there is no such object", "object", h.cfg.Fault.Object, "tick", uint32(h.cfg.Fault.Tick), "objects", h.State().Len())
	}
	h.commit()
	h.judgeClaims(now)
	h.send(now)
	h.sendSnapshots(now)
	h.relayCues(now)
	h.sendPings(now)
	h.sendAssets(now)
	h.notify.Present(h.State(), h.Schema())
	h.stats.Took(watch())
	if failed := h.match.Failed(); failed != nil {
		return fmt.Errorf("%w: %w", timeline.ErrDesync, failed)
	}
	return nil
}

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
	h.late.Admit(h.match.Now(), h.match.Window().rewind, h.work(), func(e world.Event, late int) { _, _ = h.insert(e, late) })
	r := h.match.Rewind()
	if r.From == 0 {
		return
	}
	h.late.Charge(h.clock.Now(), r)
	h.stats.Rewound(r, watch())
	h.rewindings.Note(h.match.Causes(), h.State(), h.Schema(), h.tellRewinding)
	if h.cfg.Rewound != nil {
		h.cfg.Rewound(r)
	}
	h.stats.Verified(h.match.Verify(r))
}

// commit commits the tick that has become too old to change.
func (h *Host) commit() {
	for patch, ok := h.match.Commit(); ok; patch, ok = h.match.Commit() {
		t, hash := h.match.Commits().Tick(), h.match.Commits().SharedHash()
		h.applied.Patch(t, patch)
		h.out.Patch(len(patch))
		h.applied.Commit(t, hash)
		h.cfg.Recorder.Committed(t, h.match.Commits().Hash(), h.keyRecord)
		if h.cfg.Confirmed != nil {
			h.cfg.Confirmed(t, hash)
		}
		s := h.match.At(t)
		h.notify.Committed(s, h.match.Scripts().SchemaOf(s))
		h.countSubstitutes(s)
		h.countVerdicts(s)
		h.match.Release()
	}
	if h.match.Now()%64 == 0 {
		h.tidy()
	}
}

// tidy drops data that no client and no rewind needs any more.
func (h *Host) tidy() {
	h.bundles.Tidy(h.clock.Now(), func(number uint32) bool { return h.match.Scripts().Of(number) != nil })
	h.roster.VoidTickets(h.State(), h.match.Now())
	h.rewindings.Forget(h.match.Oldest())
	for _, p := range h.roster.All() {
		p.owned.Forget(h.State())
	}
	h.applied.ReleaseChannels(h.match.Log().Steered)
	h.applied.Forget(h.neededFrom(), h.match.Commits().Tick())
}

// countSubstitutes counts the owned objects that had no input of their own
// in a tick that is now committed.
func (h *Host) countSubstitutes(s *world.State) {
	schema := h.match.Scripts().SchemaOf(s)
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if o.Owner == 0 || o.Spawned >= s.Tick || !schema.Classes[o.Class].Hooks.Has(world.ApplyInput) {
			continue
		}
		if pl, ok := s.PlayerByID(o.Owner); !ok || pl.Left != 0 {
			continue
		}
		if _, _, own := h.match.Log().InputAt(o.ID, o.Owner, s.Tick); !own {
			h.intake.Inputs().Substituted++
		}
	}
}

// insert inserts an event, which is late by a number of ticks, into the Timeline and relays it.
func (h *Host) insert(e world.Event, late int) (duplicate bool, err error) {
	relayed := h.concernsAll(&e) || h.isRelayed(&e)
	duplicate, err = h.match.Insert(e, late, relayed)
	if err == nil && !duplicate {
		h.cfg.Recorder.Event(&e, h.State(), h.Schema())
		if relayed {
			h.applied.Append(e, h.relayedSight(&e))
		} else {
			h.applied.Withhold(e)
		}
	}
	return duplicate, err
}

// Idle returns how long ago the last tick began; 0 while paused.
func (h *Host) Idle(now time.Duration) time.Duration { return h.clock.Idle(now) }

// Pause stops the ticks, or continues them. The connections stay open.
func (h *Host) Pause(on bool) { h.clock.Pause(on) }

// Players returns how many clients are in the room, onlookers included. Report.Players does not count onlookers.
func (h *Host) Players() (n int) {
	h.roster.Playing(func(*peer) { n++ })
	return n
}
