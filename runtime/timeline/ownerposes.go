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
//
// The host takes the poses of objects that tick independently when they come, if clients do not simulate them: like
// the frames of their owner, whose result they are.
type ownerPoseLog struct {
	tracks[world.Placement]
	history *history
	scripts *Scripts
	dirty   *dirtySpans
}

// poseEntry has in Number for which tick its owner made the pose, if the host has taken it in another one; else 0.
type poseEntry entry[world.Placement]

// newOwnerPose makes the entry of an OwnerPoseEvent.
func newOwnerPose(e *world.Event, f flags) entry[world.Placement] {
	return entry[world.Placement]{Tick: e.Tick, Number: e.Number, Flags: f, Payload: e.Place}
}

// made returns for which tick the owner made a pose.
func (e *poseEntry) made() world.Tick {
	if e.Number != 0 {
		return world.Tick(e.Number)
	}
	return e.Tick
}

// at returns a player's pose for an object in tick t, nil if there is none. Poses that are not
// relayed count only if shared is false.
func (l *ownerPoseLog) at(of trackKey, t world.Tick, shared bool) *poseEntry {
	tr := l.find(of)
	if tr == nil {
		return nil
	}
	j, ok := findTick(tr.Entries, t)
	if !ok || shared && !tr.Entries[j].Flags.relayed() {
		return nil
	}
	return (*poseEntry)(&tr.Entries[j])
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
	changed = old.Payload != e.Payload || old.Number != e.Number
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
		if l.mattered(tr.Of, (*poseEntry)(&e)) {
			l.dirty.owner(tr.Of, e.Tick, world.OwnerPoseEvent, CauseUnused)
		}
		return true
	})
}

// mattered reports whether a pose was accepted or refused.
func (l *ownerPoseLog) mattered(of trackKey, e *poseEntry) bool {
	s := l.history.at(e.Tick)
	if s == nil {
		return false
	}
	slot, ok := s.Find(of.Object)
	if !ok {
		return true
	}
	taken, why := s.OwnerPoseAt(slot, l.scripts.classOf(s, slot), e.Tick, e.made())
	return taken || why != world.NotRefused
}

// certainTo returns the newest tick up to t before which no guess that is to be relayed made a
// difference.
func (l *ownerPoseLog) certainTo(t world.Tick) world.Tick {
	for i := range l.all() {
		tr := &l.all()[i]
		for j := range tr.Entries {
			if e := &tr.Entries[j]; e.Flags&(guessed|unrelayed) == guessed && e.Tick <= t && l.mattered(tr.Of, (*poseEntry)(e)) {
				t = e.Tick - 1
			}
		}
	}
	return t
}

// in calls f for each owner pose of tick t.
func (l *ownerPoseLog) in(t world.Tick, f func(of trackKey, e *poseEntry)) {
	for i := range l.all() {
		tr := &l.all()[i]
		if j, ok := findTick(tr.Entries, t); ok {
			f(tr.Of, (*poseEntry)(&tr.Entries[j]))
		}
	}
}

// eachConfirmed calls f for each pose that a player guessed and the log confirmed, until f
// accepts it.
func (l *ownerPoseLog) eachConfirmed(
	player world.PlayerID,
	f func(of trackKey, e *poseEntry) (accepted bool),
) {
	for i := range l.all() {
		tr := &l.all()[i]
		if tr.Of.Player != player {
			continue
		}
		for j := range tr.Entries {
			if e := &tr.Entries[j]; e.Flags&confirmed != 0 && f(tr.Of, (*poseEntry)(e)) {
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
