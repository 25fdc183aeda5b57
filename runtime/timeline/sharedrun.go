package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// SharedRun simulates, of a room with classes that clients do not simulate, the
// part that they all do, tick by tick as they become final. Host and client run
// the same: from the known part of one tick, with all inputs, to what it makes by
// itself of the next. The host then says what it became in truth (world.AppendPatch).
type SharedRun struct {
	tl     *Timeline
	w      *world.World
	state  world.State // the known part after the last final tick
	before world.State // and after the one before
	begun  bool
	split  bool // it was not all, in any step since the last anchor
	lost   bool // it is not the host's

	recent []trailed  // where objects were after the last ticks that were settled: a Timeline may have guessed in them
	parted world.Tick // the last one in which it was not all
}

func NewSharedRun(tl *Timeline) *SharedRun {
	k := &SharedRun{tl: tl, w: world.New()}
	k.w.SharedOnly, k.w.Rerun, k.w.Check = true, true, tl.check
	k.w.PosesAt = k.placesAt
	return k
}

// placesAt is where objects were after tick t, for asSeen. In a tick in which the known
// part is all, that is what it is for the host. In others nobody knows: the host gives
// what comes of it.
func (k *SharedRun) placesAt(t world.Tick) (world.PastPoses, bool) {
	if k.tl.Partial(&k.before) || k.w.Schema().Mixed() {
		return world.PastPoses{}, false
	}
	now := k.before.Tick + 1
	for i := len(k.recent) - 1; i >= 0 && now > t; i-- {
		r := &k.recent[i]
		if r.split {
			return world.PastPoses{}, false
		}
		if now = r.tick; now == t {
			return world.PastPoses{Kept: r.places}, true
		}
	}
	if k.tl.forgotten(t, now, false) {
		return world.PastPoses{}, false
	}
	return k.tl.placesByID(t)
}

// guessed reports whether asSeen may still be asked, on a client, for ticks in which its
// Timeline guessed what it did not know.
func (k *SharedRun) guessed() bool {
	return k.parted != 0 && k.state.Tick <= k.parted+world.Tick(len(k.tl.trail))
}

// mixed reports whether there is, or is to come, a bundle by which clients do not
// simulate all.
func (tl *Timeline) AnyPartial() bool {
	// order: any of them will do
	for _, s := range tl.scripts {
		if s.Schema().Mixed() {
			return true
		}
	}
	return false
}

// split reports whether not all of a state is known.
func (tl *Timeline) Partial(s *world.State) bool { return tl.scripts[s.Bundle].Schema().Mixed() }

// SharedPart is what all clients simulate of a state.
func (tl *Timeline) SharedPart(s *world.State) *world.State {
	if !tl.Partial(s) {
		return s
	}
	var part, none world.State
	part.CopyFrom(s)
	part.KeepShared(tl.SchemaOf(s), &none)
	return &part
}

// knownAt tells of an object whether all simulate it at the end of a tick.
func (tl *Timeline) knownAt(t world.Tick) func(world.ObjectID) bool {
	return func(id world.ObjectID) bool {
		s := tl.At(t)
		if s == nil {
			return false
		}
		slot, here := s.Find(id)
		return here && s.Shared(tl.scripts[s.Bundle].Schema(), slot)
	}
}

// Begin takes a known part to go on from.
func (k *SharedRun) Begin(s *world.State) {
	k.state.CopyFrom(s)
	k.begun, k.split, k.recent = true, false, k.recent[:0]
}

// Begun reports whether Begin was called since the last Stop.
func (k *SharedRun) Begun() bool { return k.begun }

// State is the shared set after the last tick. It changes with Commit and Complete.
func (k *SharedRun) State() *world.State { return &k.state }

// Lose notes that the state is not the host's any more.
func (k *SharedRun) Lose() { k.lost = true }

// Lost reports whether Lose was called.
func (k *SharedRun) Lost() bool { return k.lost }

// Stop ends what began, if it did: clients simulate all.
func (k *SharedRun) Stop() { k.begun, k.tl.exact = false, nil }

// Anchor has the Timeline go on from the known part of tick t, the last that is complete, where it
// guessed in any tick since the one before.
func (k *SharedRun) Anchor(t world.Tick) {
	tl, split := k.tl, k.split
	k.split = false
	if tl.exact = nil; !split && !k.guessed() {
		return
	}
	tl.exact = k
	if !tl.At(t).MatchesShared(tl.SchemaOf(&k.state), &k.state, &k.before) {
		tl.touchEnd(t)
	}
}

// Anchored reports whether the Timeline goes on from what is known for certain.
func (k *SharedRun) Anchored() bool { return k.tl.exact != nil }

// step makes of the known part what it makes by itself of the next tick.
func (k *SharedRun) step() *world.State {
	k.before.CopyFrom(&k.state)
	k.w.Load(&k.before, k.tl.scripts[k.before.Bundle].Schema())
	k.tl.runner.runKnown(k.w)
	k.w.Now.KeepShared(k.w.Schema(), &k.before)
	return k.w.Now
}

// Commit goes on, on a host, to the tick of which s is the whole state, and gives what
// clients have to be given to come to its known part; nil: nothing.
func (k *SharedRun) Commit(s *world.State) (given []byte) {
	if !k.begun || k.state.Tick+1 != s.Tick || !k.tl.Partial(&k.state) && !k.tl.Partial(s) {
		k.Begin(s) // all is known
		return nil
	}
	run, schema := k.step(), k.tl.scripts[s.Bundle].Schema()
	k.state.CopyFrom(s)
	k.state.KeepShared(schema, &k.before)
	return world.AppendPatch(nil, schema, &k.before, run, &k.state)
}

// Complete goes on, on a client, to the next tick, with what was given of it.
func (k *SharedRun) Complete(given []byte) error {
	run := k.step()
	if err := world.ApplyPatch(given, k.w.Schema(), &k.before, run); err != nil {
		return err
	}
	k.state.CopyFrom(run)
	if k.tl.Partial(&k.before) || k.tl.Partial(run) {
		k.split = true
		k.parted = run.Tick
	}
	if n := len(k.recent) - len(k.tl.trail); n >= 0 {
		k.recent = slices.Delete(k.recent, 0, n+1)
	}
	k.recent = append(k.recent, trailed{tick: run.Tick, known: true, split: k.tl.Partial(run), places: k.tl.placesOf(&k.state, nil)})
	return nil
}
