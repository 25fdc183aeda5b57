package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// ownerPoseLog holds the poses of all owners. The owner of an object whose class has
// authority = "owner" sends its pose at the beginning of each tick. Host and clients simulate
// the object like any other, with its owner's inputs. Where the owner pose differs from the
// simulated one, it is accepted if the rules of the class and its script allow that. Poses
// match their tick exactly: if one is lost, the object stays as it is simulated.
type ownerPoseLog struct {
	tracks[world.Placement]
	history *history
	scripts *Scripts
	dirty   *dirtySpans
}

// newOwnerPose makes the entry of an OwnerPoseEvent.
func newOwnerPose(e *world.Event, f flags) entry[world.Placement] {
	return entry[world.Placement]{Tick: e.Tick, Flags: f, Payload: e.Place}
}

// at returns a player's pose for an object in tick t, nil if there is none. Poses that are not
// relayed count only if shared is false.
func (l *ownerPoseLog) at(of trackKey, t world.Tick, shared bool) *world.Placement {
	tr := l.find(of)
	if tr == nil {
		return nil
	}
	j, ok := findTick(tr.Entries, t)
	if !ok || shared && !tr.Entries[j].Flags.relayed() {
		return nil
	}
	return &tr.Entries[j].Payload
}

// put adds a pose. A pose of the log replaces a guess, but not an earlier one of the
// log.
func (l *ownerPoseLog) put(of trackKey, e entry[world.Placement]) (duplicate, changed bool) {
	tr := addTrack(&l.tracks, of)
	j, exact := findTick(tr.Entries, e.Tick)
	if !exact {
		tr.Entries = slices.Insert(tr.Entries, j, e)
		return false, true
	}
	old := &tr.Entries[j]
	if !old.Flags.guessed() || e.Flags.guessed() {
		return true, false
	}
	changed = old.Payload != e.Payload
	e.Flags |= confirmed
	*old = e
	return false, changed
}

// complete drops the guesses up to tick t that the log does not confirm: those that are relayed, and
// those of objects that all clients simulate since a bundle switch.
func (l *ownerPoseLog) complete(t world.Tick, shared func(world.ObjectID) bool) {
	for i := range l.all() {
		tr := &l.all()[i]
		l.drop(tr, func(e *entry[world.Placement]) bool {
			return e.Tick <= t && (e.Flags&unrelayed == 0 || shared(tr.Of.Object))
		})
	}
}

// discard drops the guesses of an object after tick t.
func (l *ownerPoseLog) discard(of trackKey, t world.Tick) {
	if tr := l.find(of); tr != nil {
		l.drop(tr, func(e *entry[world.Placement]) bool { return e.Tick > t })
	}
}

// drop drops the guesses of a track for which gone returns true. Nearly all poses equal the simulation
// and made no difference; the ticks of the others are dirty.
func (l *ownerPoseLog) drop(tr *track[world.Placement], gone func(*entry[world.Placement]) bool) {
	tr.Entries = slices.DeleteFunc(tr.Entries, func(e entry[world.Placement]) bool {
		if !e.Flags.guessed() || !gone(&e) {
			return false
		}
		if l.mattered(tr.Of, e.Tick) {
			l.dirty.owner(tr.Of, e.Tick, world.OwnerPoseEvent, CauseUnused)
		}
		return true
	})
}

// mattered reports whether the pose of tick t was accepted or refused.
func (l *ownerPoseLog) mattered(of trackKey, t world.Tick) bool {
	s := l.history.at(t)
	if s == nil {
		return false
	}
	slot, ok := s.Find(of.Object)
	if !ok {
		return true
	}
	taken, why := s.OwnerPoseAt(slot, l.scripts.classOf(s, slot), t)
	return taken || why != world.NotRefused
}

// certainTo returns the newest tick up to t before which no guess that is to be relayed made a
// difference.
func (l *ownerPoseLog) certainTo(t world.Tick) world.Tick {
	for i := range l.all() {
		tr := &l.all()[i]
		for j := range tr.Entries {
			if e := &tr.Entries[j]; e.Flags&(guessed|unrelayed) == guessed && e.Tick <= t && l.mattered(tr.Of, e.Tick) {
				t = e.Tick - 1
			}
		}
	}
	return t
}

// in calls f for each owner who sent a pose for tick t.
func (l *ownerPoseLog) in(t world.Tick, f func(of trackKey)) {
	for i := range l.all() {
		if _, ok := findTick(l.all()[i].Entries, t); ok {
			f(l.all()[i].Of)
		}
	}
}

// eachConfirmed calls f for each pose that a player guessed and the log confirmed, until f
// accepts it.
func (l *ownerPoseLog) eachConfirmed(
	player world.PlayerID,
	f func(of trackKey, t world.Tick, p *world.Placement) (accepted bool),
) {
	for i := range l.all() {
		tr := &l.all()[i]
		if tr.Of.Player != player {
			continue
		}
		for j := range tr.Entries {
			if e := &tr.Entries[j]; e.Flags&confirmed != 0 && f(tr.Of, e.Tick, &e.Payload) {
				e.Flags &^= confirmed
			}
		}
	}
}

// RefusedPose is a pose of this client's player that the host refused.
type RefusedPose struct {
	Object world.ObjectID
	Player world.PlayerID
	Tick   world.Tick
	Pose   world.Placement
	Why    world.Refusal
	Class  string // of the object
}
