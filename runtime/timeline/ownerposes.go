package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// The owner of an object whose class says authority = "owner" says, tick by
// tick, where it is when the tick begins. Everybody simulates the object as any
// other, with its owner's inputs; where the owner says otherwise, he is believed,
// if the rules of the class and its script allow it. A move that was lost
// changes nothing else: the object goes on as it is simulated.

// moveEntry is where an owner says that his object is when a tick begins.
type moveEntry struct {
	tick  world.Tick
	guess bool // this client's own, not in the host's log
	ours  bool // this client's own, now in the host's log; false once it was told that it is refused
	at    world.Placement
}

// moveTrack is one player's moves of one object, in the order of ticks.
type moveTrack struct {
	of      steering
	entries []moveEntry
}

// moveLog holds everybody's moves.
type moveLog struct {
	tracks []moveTrack // by steering
}

func (l *moveLog) find(of steering) (int, bool) {
	return slices.BinarySearchFunc(l.tracks, of, func(t moveTrack, of steering) int { return compareSteering(t.of, of) })
}

func (t *moveTrack) find(at world.Tick) (int, bool) {
	return slices.BinarySearchFunc(t.entries, at, func(e moveEntry, t world.Tick) int { return cmp.Compare(e.tick, t) })
}

// at gives a player's move of an object in tick t.
func (l *moveLog) at(of steering, t world.Tick) (e *moveEntry, ok bool) {
	i, ok := l.find(of)
	if !ok {
		return nil, false
	}
	j, ok := l.tracks[i].find(t)
	if !ok {
		return nil, false
	}
	return &l.tracks[i].entries[j], true
}

// put adds a move. A guess gives way to the log; what the log has stays.
func (l *moveLog) put(of steering, e moveEntry) (duplicate, changed bool) {
	i, ok := l.find(of)
	if !ok {
		l.tracks = slices.Insert(l.tracks, i, moveTrack{of: of})
	}
	t := &l.tracks[i]
	j, exact := t.find(e.tick)
	if !exact {
		t.entries = slices.Insert(t.entries, j, e)
		return false, true
	}
	old := &t.entries[j]
	if !old.guess || e.guess {
		return true, false
	}
	changed = old.at != e.at
	e.ours = true
	*old = e
	return false, changed
}

// settle forgets the guesses up to tick t: the log has no such moves. dropped is
// told of each.
func (l *moveLog) settle(t world.Tick, dropped func(of steering, e *moveEntry)) {
	for i := range l.tracks {
		tr := &l.tracks[i]
		tr.entries = slices.DeleteFunc(tr.entries, func(e moveEntry) bool {
			gone := e.guess && e.tick <= t
			if gone {
				dropped(tr.of, &e)
			}
			return gone
		})
	}
}

// prune forgets what no tick after oldest needs.
func (l *moveLog) prune(oldest world.Tick) {
	for i := range l.tracks {
		l.tracks[i].entries = slices.DeleteFunc(l.tracks[i].entries, func(e moveEntry) bool { return e.tick <= oldest })
	}
	l.tracks = slices.DeleteFunc(l.tracks, func(t moveTrack) bool { return len(t.entries) == 0 })
}

// insertMove puts a move into the log.
func (tl *Timeline) insertMove(of steering, e moveEntry) (duplicate bool) {
	duplicate, changed := tl.moves.put(of, e)
	if changed {
		tl.ownChanged(of, e.tick, world.OwnerPoseEvent)
	}
	return duplicate
}

// settleMoves drops the guesses that the log does not have. Those that agreed
// with the simulation, as nearly all do, made no difference.
func (tl *Timeline) settleMoves(t world.Tick) {
	tl.moves.settle(t, func(of steering, e *moveEntry) {
		if s := tl.At(e.tick); s != nil && tl.mattered(s, of, e.tick) {
			tl.mark(stale{object: of.object, from: e.tick, to: e.tick, player: of.player, event: world.OwnerPoseEvent, why: change{kind: CauseUnused, tick: e.tick}})
		}
	})
}

// movesKnownTo is the newest tick up to t before which no guess of ours made a
// difference.
func (tl *Timeline) movesKnownTo(t world.Tick) world.Tick {
	for i := range tl.moves.tracks {
		tr := &tl.moves.tracks[i]
		for j := range tr.entries {
			e := &tr.entries[j]
			if s := tl.At(e.tick); e.guess && e.tick <= t && s != nil && tl.mattered(s, tr.of, e.tick) {
				t = e.tick - 1
			}
		}
	}
	return t
}

// mattered reports whether the move of tick t was taken or refused in it.
func (tl *Timeline) mattered(s *world.State, of steering, t world.Tick) bool {
	slot, ok := s.Find(of.object)
	if !ok {
		return true
	}
	taken, why := s.OwnerPoseAt(slot, &tl.scripts[s.Bundle].Schema().Classes[s.Objects[slot].Class], t)
	return taken || why != world.NotRefused
}

// OwnerVerdicts calls f for each owner's pose of tick t: whether it was taken in that tick, and if
// not, why it was refused. One that is neither agreed with the simulation.
func (tl *Timeline) OwnerVerdicts(t world.Tick, f func(object world.ObjectID, player world.PlayerID, taken bool, why world.Refusal)) {
	s := tl.At(t)
	for i := range tl.moves.tracks {
		tr := &tl.moves.tracks[i]
		if _, moved := tr.find(t); !moved {
			continue
		}
		if slot, ok := s.Find(tr.of.object); ok {
			taken, why := s.OwnerPoseAt(slot, &tl.SchemaOf(s).Classes[s.Objects[slot].Class], t)
			f(tr.of.object, tr.of.player, taken, why)
		}
	}
}

// RefusedPose is a pose of this client's player that the host put into the log and that is
// refused in its tick.
type RefusedPose struct {
	Object world.ObjectID
	Player world.PlayerID
	Tick   world.Tick
	Pose   world.Placement
	Why    world.Refusal
	Class  string
}

// RefusedPoses gives those of a player that it has not given before.
func (tl *Timeline) RefusedPoses(player world.PlayerID) (out []RefusedPose) {
	for i := range tl.moves.tracks {
		tr := &tl.moves.tracks[i]
		if tr.of.player != player {
			continue
		}
		for j := range tr.entries {
			if r, ok := tl.refused(tr.of, &tr.entries[j]); ok {
				tr.entries[j].ours = false
				out = append(out, r)
			}
		}
	}
	return out
}

// refused tells of a pose of this client's that is refused in its tick.
func (tl *Timeline) refused(of steering, e *moveEntry) (r RefusedPose, ok bool) {
	s := tl.At(e.tick)
	if !e.ours || s == nil {
		return r, false
	}
	slot, ok := s.Find(of.object)
	if !ok {
		return r, false
	}
	class := &tl.SchemaOf(s).Classes[s.Objects[slot].Class]
	_, why := s.OwnerPoseAt(slot, class, e.tick)
	return RefusedPose{of.object, of.player, e.tick, e.at, why, class.Name}, why != world.NotRefused
}

// move puts an object where its owner says it is, if that may be.
func (r *runner) move(w *world.World, script world.Script, slot int, t world.Tick) {
	o := &w.Now.Objects[slot]
	e, ok := r.tl.moves.at(steering{o.ID, o.Owner}, t)
	if !ok || e.guess && w.SharedOnly || w.Now.Body(slot).Key == 0 || w.MatchesOwnerPose(slot, &e.at) {
		return
	}
	w.ApplyOwnerPose(slot, &e.at, r.judge(w, script, slot, &e.at).Why)
}

// judge asks the rules of the class, and then its script.
func (r *runner) judge(w *world.World, script world.Script, slot int, p *world.Placement) world.Verdict {
	before := w.Act(slot)
	v := w.JudgeOwnerPose(p)
	w.Act(before)
	if v.Why == world.NotRefused && w.Class(slot).Hooks.Has(world.Verify) {
		r.args = world.Args{Claimed: *p}
		if !r.callWith(w, script, world.Verify, slot) || !r.args.OK {
			v.Why = world.NotVerified
		}
	}
	return v
}
