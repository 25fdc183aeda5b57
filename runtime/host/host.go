package host

import (
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/loglimit"
	"github.com/hindcast/hindcast/runtime/internal/relay"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/internal/watchdog"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// Host is the authority over a room: it collects inputs, rewinds for late ones, steps
// the world, and relays every applied event to all clients. It has no goroutine and no
// clock: a Driver calls its methods, or the program calls Poll and Update whenever a
// packet arrives or the Host is due, with the time since a moment of its choice.
type Host struct {
	cfg      Config
	log      *slog.Logger
	lines    *loglimit.Log[source] // what clients cause is logged here
	errors   side.ScriptLog
	refusals side.Refusals
	profile  side.Profile

	clock   clock
	match   match
	applied *relay.Log
	events  acts
	notify  notifier
	bundles announcements

	roster roster
	pings  pingBoard
	mail   side.Mailbox
	intake intake
	late   lateBudget

	relevancy  *replicate.Filter
	candidates replicate.Candidates
	desk       replicate.Workspace
	cues       cueRelay
	corrector  corrector
	rewindings rewindings
	answers    answers
	assets     assetShelf
	stats      counts
	refused    refusals
	problems   problemBoard
	watch      watch
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
	h := &Host{
		cfg:      cfg,
		log:      side.OrDiscard(cfg.Log),
		lines:    loglimit.New[source](side.OrDiscard(cfg.Log)),
		errors:   side.NewScriptLog(cfg.Folder),
		profile:  side.NewProfile(cfg.Stopwatch),
		applied:  relay.NewLog(cfg.Verify),
		clock:    clock{length: b.TickLength()},
		roster:   roster{random: cfg.Random, returned: map[world.PlayerID]bool{}},
		mail:     side.NewMailbox(cfg.Link),
		cues:     newCueRelay(),
		problems: problemBoard{folder: cfg.Folder},
		watch:    watch{dog: watchdog.New(b.TickLength()), backlog: backlog{length: b.TickLength()}},
	}
	h.mail.HandTo(h.received)
	h.match = newMatch(b, h.profile.Wrap(script), timeline.Options{
		Check:      cfg.Verify,
		Provenance: h.rewindings.Start(cfg.Displaced != nil, h.log),
		Fault:      cfg.Fault,
		Stop:       cfg.Stop,
		Prices:     cfg.prices(),
		Ran:        h.ran,
		Print:      side.PrintTo(cfg.Folder, h.log),
	})
	h.cues.Open()
	h.relevancy = replicate.NewFilter(h.errors.Asked("relevant", h.log))
	h.notify.Start(cfg.On)
	h.errors.ReportTo(h.failed)
	h.errors.Commits()
	h.errors.FilesFrom(func(bundle uint32) []world.Source {
		if bundle == 0 {
			return nil
		}
		return h.bundles.ByNumber(bundle).bundle.Files
	})
	h.errors.ReportAsked(func(t world.Tick, name string, err error) { h.problems.Failed(side.FailureOf(t, name, err)) })
	h.startRecord(cfg.Recorder, h.bundles.Add(b, 0))
	return h, nil
}

// ran handles a tick that was run, the first time or again.
func (h *Host) ran(w *world.World, trace *world.Trace) {
	h.errors.Collect(w, h.bundles.ByNumber(w.Now.Bundle).tick, h.log)
	h.cues.Ran(w.Now.Tick, trace)
}

// stopwatch starts timing and returns a function that returns the elapsed milliseconds.
func (h *Host) stopwatch() func() float64 {
	if h.cfg.Stopwatch == nil {
		return func() float64 { return 0 }
	}
	begin := h.cfg.Stopwatch()
	return func() float64 { return float64(h.cfg.Stopwatch()-begin) / float64(time.Millisecond) }
}

// commit commits the tick that has become too old to change.
func (h *Host) commit() {
	for patch, ok := h.match.Commit(); ok; patch, ok = h.match.Commit() {
		t, hash := h.match.Commits().Tick(), h.match.Commits().SharedHash()
		h.applied.Patch(t, patch)
		h.mail.Patch(len(patch))
		h.applied.Commit(t, hash)
		h.cfg.Recorder.Committed(t, h.match.Commits().Hash(), h.keyRecord)
		if h.cfg.Confirmed != nil {
			h.cfg.Confirmed(t, hash)
		}
		s := h.match.At(t)
		h.notify.Committed(s, h.match.Scripts().SchemaOf(s))
		h.takeBack(s)
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
		p.replica.Forget(h.State())
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

// insert inserts an event for a tick to come into the Timeline, and relays it.
func (h *Host) insert(e world.Event) (duplicate bool, err error) {
	relayed := h.toRelay(&e)
	duplicate, err = h.match.Insert(e, relayed)
	if err == nil && !duplicate {
		h.relay(&e, relayed)
	}
	return duplicate, err
}

// toRelay reports whether all clients get an event that is to be inserted.
func (h *Host) toRelay(e *world.Event) bool { return h.concernsAll(e) || h.isRelayed(e) }

// relay records an event that has been inserted, and relays it if all clients get it.
func (h *Host) relay(e *world.Event, relayed bool) {
	h.cfg.Recorder.Event(e, h.State(), h.Schema())
	if relayed {
		h.applied.Append(*e, h.relayedSight(e))
	} else {
		h.applied.Withhold(*e)
	}
}
