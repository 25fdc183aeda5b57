package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// SharedRun simulates the shared set of a partially replicated room, tick by tick, as ticks
// are committed. Host and client do the same run: the shared set of one tick, with all
// inputs, gives the next one. The host then makes a patch from its difference to the real
// state (see world.AppendPatch), and the client applies it.
type SharedRun struct {
	w           *world.World
	state       world.State // the shared set after the last tick
	before      world.State // the shared set after the tick before that
	status      sharedStatus
	recent      []tickPoses // poses of the last ticks, in which the Timeline may have guessed
	lastPartial world.Tick  // the last tick in which the shared set was not the whole room
	cues        sharedCues  // of the last tick
	pulls       pullsSeen

	past    *history
	scripts *Scripts
	poses   *poseHistory
	dirty   *dirtySpans
	anchor  *anchor
	fault   *fault
	runner  *runner
	pulled  *pullLog
}

// sharedStatus is how far a SharedRun has come.
type sharedStatus struct {
	Begun   bool
	Partial bool // in some tick since the last Anchor, the shared set was not the whole room
	Lost    bool // the shared set is not the host's any more
}

// start prepares the world of the run.
func (k *SharedRun) start(check bool) {
	k.w.SharedOnly, k.w.Rerun, k.w.KeepCues, k.w.Check = true, true, true, check
	k.w.PosesAt = k.posesAt
}

// posesAt returns the poses of objects after tick t, for asSeen. In a tick in which the shared
// set is the whole room, the host has the same poses. In other ticks they count as unknown, and
// the patch has the effects.
func (k *SharedRun) posesAt(t world.Tick) (world.PastPoses, bool) {
	if k.scripts.Partial(&k.before) || k.w.Schema().PartiallyReplicated() {
		return world.PastPoses{}, false
	}
	now := k.before.Tick + 1
	for i := len(k.recent) - 1; i >= 0 && now > t; i-- {
		r := &k.recent[i]
		if r.partial {
			return world.PastPoses{}, false
		}
		if now = r.tick; now == t {
			return world.PastPoses{Kept: r.poses}, true
		}
	}
	if k.poses.forgotten(t, now, false) {
		return world.PastPoses{}, false
	}
	return k.poses.byID(t)
}

// guessed reports whether, on a client, asSeen may still ask for ticks in which the Timeline
// has guesses.
func (k *SharedRun) guessed() bool {
	return k.lastPartial != 0 && k.state.Tick <= k.lastPartial+world.Tick(k.poses.ticks())
}

// Begin makes s the shared set from which the run continues.
func (k *SharedRun) Begin(s *world.State) {
	k.state.CopyFrom(s)
	k.status.Begun, k.status.Partial, k.recent = true, false, k.recent[:0]
}

// Begun reports whether Begin was called since the last Stop.
func (k *SharedRun) Begun() bool { return k.status.Begun }

// State returns the shared set after the last tick. It changes with Commit and Complete.
func (k *SharedRun) State() *world.State { return &k.state }

// Lose notes that the shared set is not the host's any more.
func (k *SharedRun) Lose() { k.status.Lost = true }

// Lost reports whether Lose was called.
func (k *SharedRun) Lost() bool { return k.status.Lost }

// Needed reports whether the Timeline has, or may still read, ticks that it does not simulate as the host
// does: because the room is partially replicated, or because of culled objects.
func (k *SharedRun) Needed() bool {
	return k.scripts.AnyPartial() || k.anchor.culled.any() || k.status.Begun && (k.status.Partial || k.guessed())
}

// Stop stops the run: clients simulate all objects.
func (k *SharedRun) Stop() {
	k.status.Begun = false
	k.anchor.clear()
}

// Anchor makes the Timeline continue from the shared set of tick t, the last complete one, if
// it had guesses in any tick since the previous Anchor.
func (k *SharedRun) Anchor(t world.Tick) {
	partial := k.status.Partial
	k.status.Partial = false
	if !partial && !k.guessed() {
		k.anchor.clear()
		return
	}
	if k.w.Check {
		assert(k.status.Lost || k.state.Tick == t, "the shared set is of tick %d, the last complete tick is %d",
			k.state.Tick, t)
	}
	k.anchor.set(&k.state, &k.before)
	_, now := k.past.bounds()
	present := k.past.at(now)
	simulated := func(id world.ObjectID) bool {
		return slices.ContainsFunc([]*world.State{k.past.at(t), present}, func(s *world.State) bool {
			return s.JoinedOutside(k.scripts.SchemaOf(s), id)
		})
	}
	k.pulls.expect(t, present, k.scripts.SchemaOf(present), k.pulled, simulated)
	if s, schema := k.past.at(t), k.scripts.SchemaOf(&k.state); !s.MatchesShared(schema, k.anchor.with) {
		k.dirty.replacedShared(t, s, schema, k.anchor.with)
	}
}

// Anchored reports whether the Timeline continues from the shared set.
func (k *SharedRun) Anchored() bool { return k.anchor.isSet() }

// step simulates the next tick of the shared set, without a patch.
func (k *SharedRun) step() *world.State {
	if k.w.Check {
		assert(k.status.Begun, "the shared set goes on from tick %d, and was not begun", k.state.Tick)
	}
	k.before.CopyFrom(&k.state)
	k.w.Load(&k.before, k.scripts.SchemaOf(&k.before))
	k.runner.run(k.w)
	k.cues.take(k.w)
	k.fault.applyShared(k.w)
	k.w.Now.KeepShared(k.w.Schema(), &k.before)
	if k.w.Check {
		assert(k.w.Now.Tick == k.before.Tick+1, "tick %d of the shared set follows tick %d", k.w.Now.Tick,
			k.before.Tick)
	}
	return k.w.Now
}

// Cues returns the cues of the hooks of shared objects in the last tick, as the host has them, sorted by
// object. The list is valid until the next tick.
func (k *SharedRun) Cues() []world.Cue { return k.cues.all() }

// Commit advances the run on a host to the tick whose whole state is s, of the history. It returns the
// patch with which clients get the same shared set and the same cues of it; nil: they need none.
func (k *SharedRun) Commit(s *world.State) (patch []byte) {
	if !k.status.Begun || k.state.Tick+1 != s.Tick || !k.scripts.Partial(&k.state) && !k.scripts.Partial(s) {
		k.Begin(s) // clients simulate all of it
		return nil
	}
	run, schema := k.step(), k.scripts.SchemaOf(s)
	k.state.CopyFrom(s)
	k.state.KeepShared(schema, &k.before)
	patch = k.cues.appendPatch(nil, &k.past.entry(s.Tick).Trace)
	quiet := slices.Equal(patch, noCues)
	patch = world.AppendPulled(patch, schema, &k.before, s)
	none := len(patch)
	if patch = world.AppendPatch(patch, schema, &k.before, run, &k.state); len(patch) == none && quiet {
		return nil
	}
	return patch
}

// Complete advances the run on a client to the next tick, with the host's patch for it. Timeline.Spent is the work of
// that then. An error is about the patch; the run cannot continue after it.
func (k *SharedRun) Complete(patch []byte) error {
	work := &k.runner.hooks.work
	work.forget()
	work.beginRewind(Allowance{})
	run := k.step()
	work.end()
	if err := k.patch(patch, run); err != nil {
		return err
	}
	k.state.CopyFrom(run)
	if k.scripts.Partial(&k.before) || k.scripts.Partial(run) || k.anchor.culled.any() {
		k.status.Partial = true
		k.lastPartial = run.Tick
	}
	if n := len(k.recent) - k.poses.ticks(); n >= 0 {
		k.recent = slices.Delete(k.recent, 0, n+1)
	}
	k.recent = append(k.recent, tickPoses{
		tick:    run.Tick,
		known:   true,
		partial: k.scripts.Partial(run),
		poses:   k.poses.list(&k.state, nil),
	})
	return nil
}

// patch applies the host's patch to the result of the run.
func (k *SharedRun) patch(patch []byte, run *world.State) error {
	if len(patch) == 0 {
		k.pulls.end(run, k.w.Schema())
		return nil
	}
	rest, err := k.cues.patch(patch, run.Tick)
	if err != nil {
		return err
	}
	pulled, rest, err := world.TakePulled(rest, &k.before)
	if err != nil {
		return err
	}
	k.pulls.begin(pulled, &k.before, run)
	if err := world.ApplyPatch(rest, k.w.Schema(), &k.before, run); err != nil {
		return err
	}
	k.pulls.end(run, k.w.Schema())
	return nil
}

func (a *anchor) isSet() bool { return a.with.Shared != nil }

func (a *anchor) in(t world.Tick) bool { return a.isSet() && a.tick == t && a.with.Shared.Tick == t }

// apply replaces the shared objects of a world at the end of its tick.
func (a *anchor) apply(w *world.World) {
	if a.in(w.Now.Tick) {
		w.ApplyCommitted(a.with)
	}
}

// applyPartly is apply for tick t, which was simulated again in part.
func (a *anchor) applyPartly(p *world.PartialRerun, t world.Tick) {
	if a.in(t) {
		p.ApplyCommitted(a.with)
	}
}
