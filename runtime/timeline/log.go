package timeline

import "github.com/hindcast/hindcast/world"

// Log has what players do: their inputs, owner poses and independent frames, and all other events.
// Of this client's own player it also has the guesses.
type Log struct {
	events eventLog
	inputs inputLog
	sights *sightLog // of inputs
	poses  ownerPoseLog
	frames independentLog
	pulls  pullLog

	history *history
	scripts *Scripts
	dirty   *dirtySpans
}

// newLog returns an empty Log, whose changes make ticks dirty.
func newLog(rule repetition, fades func(world.ObjectID) bool, past *history, scripts *Scripts, dirty *dirtySpans) Log {
	sights, private := &sightLog{}, privateIn(past, scripts)
	return Log{
		poses:   ownerPoseLog{history: past, scripts: scripts, dirty: dirty},
		inputs:  inputLog{sights: sights, private: private, rule: rule, fades: fades, changed: dirty.input},
		sights:  sights,
		pulls:   pullLog{dirty: dirty},
		frames:  independentLog{changed: dirty.frame, private: private},
		history: past,
		scripts: scripts,
		dirty:   dirty,
	}
}

// start drops everything. The inputs are complete up to completeTo.
func (l *Log) start(completeTo world.Tick) {
	l.events.start()
	l.inputs.start(completeTo)
	l.poses.clear()
	l.frames.clear()
	l.pulls.clear()
}

// newRunner returns what simulates ticks with the events of the log.
func (l *Log) newRunner() runner {
	return runner{
		scripts: l.scripts,
		events:  &l.events,
		inputs:  &l.inputs,
		sights:  l.sights,
		poses:   &l.poses,
		frames:  &l.frames,
		pulls:   &l.pulls,
	}
}

// insert adds an event, or with the flag guessed a guess of this client's own player, which is an
// input, pose or frame. duplicate reports that there is one of these in its place.
func (l *Log) insert(e *world.Event, from Origin, f flags) (duplicate bool) {
	switch of := (trackKey{e.Object, e.Player}); e.Kind {
	case world.InputEvent:
		return l.inputs.put(of, newInput(e, from.Record, f|flagIf(from.Unrelayed, unrelayed)), e.Sight)
	case world.OwnerPoseEvent:
		return l.insertOwnerPose(of, newOwnerPose(e, f|flagIf(from.Unrelayed, unrelayed)))
	case world.FrameEvent:
		return l.frames.put(of, newFrame(e, f|flagIf(from.Unrelayed, unrelayed)))
	}
	l.events.insert(loggedEvent{*e, from.Unrelayed})
	l.dirty.event(e)
	return false
}

// revise replaces a guess of an input.
func (l *Log) revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input) {
	l.inputs.revise(trackKey{object, player}, t, in)
}

// held returns the newest inputs up to tick t, which later ticks repeat.
func (l *Log) held(t world.Tick, relayed bool) []world.Event { return l.inputs.last(t, relayed) }

// InputAt returns the input that the log has of a player for an object in tick t itself, not a
// substitute; ok is false if there is none. relayed reports whether all clients get it.
func (l *Log) InputAt(object world.ObjectID, player world.PlayerID, t world.Tick) (e world.Event, relayed, ok bool) {
	of := trackKey{object, player}
	had := newest(l.inputs.find(of), t, false)
	if had == nil || had.Tick != t {
		return world.Event{}, false, false
	}
	e = inputEvent(of, had)
	saw := l.sights.at(of, t)
	e.Sight = saw.relayed()
	return e, had.Flags.relayed(), true
}

// EachInput calls f for all inputs that the log has, by object, player and tick; relayed tells
// whether all clients get it.
func (l *Log) EachInput(f func(e world.Event, relayed bool)) { l.inputs.each(f) }

// Steered reports whether the log has inputs, poses or frames of any player for an object.
func (l *Log) Steered(id world.ObjectID) bool {
	return l.poses.steered(id) || l.frames.steered(id) || l.inputs.steered(id)
}

// FrameReached returns the highest number of a player's independent frames for an object that the
// log has.
func (l *Log) FrameReached(object world.ObjectID, player world.PlayerID) uint32 {
	return l.frames.reached(trackKey{object, player})
}

// Steers reports whether a player's inputs for an object in ticks after from, up to to, say anything else than the
// one before them, which a host that lacks them repeats.
func (l *Log) Steers(object world.ObjectID, player world.PlayerID, from, to world.Tick) bool {
	return l.inputs.steers(trackKey{object, player}, from, to)
}

// CertainTo returns the newest tick up to limit before which nothing is a guess of this client's.
// Events of others may still be on their way.
func (l *Log) CertainTo(limit world.Tick) world.Tick {
	return l.poses.certainTo(l.frames.certainTo(l.inputs.certainTo(limit)))
}

// complete notes that the log has everything up to tick t, and drops the guesses that it does
// not have.
func (l *Log) complete(t world.Tick, rate int) {
	shared := l.sharedAt(t)
	l.inputs.dropUnrelayed(t, shared)
	l.inputs.complete(t)
	l.poses.complete(t, shared)
	l.frames.complete(t, t-min(t, world.Tick(frameWait*rate)), shared)
}

// CorrectPoses is ApplyProxy for an object of this client's player whose pose the host has refused.
// The poses that the client has sent for ticks after t begin where the object is not: they are dropped.
func (tl *Timeline) CorrectPoses(t world.Tick, at world.ProxyUpdate, player world.PlayerID) {
	tl.ApplyProxy(t, at)
	tl.log.poses.discard(trackKey{at.Object, player}, t)
}

// GuessedPose returns the pose that this client's player sent for an object and tick t; ok is false
// if it is not kept.
func (l *Log) GuessedPose(object world.ObjectID, player world.PlayerID, t world.Tick) (p world.Placement, ok bool) {
	if at := l.poses.at(trackKey{object, player}, t, false); at != nil {
		return at.Payload, true
	}
	return p, false
}

// insertOwnerPose inserts a pose into the log.
func (l *Log) insertOwnerPose(of trackKey, e entry[world.Placement]) (duplicate bool) {
	duplicate, changed := l.poses.put(of, e)
	if changed {
		l.dirty.owner(of, e.Tick, world.OwnerPoseEvent, CauseEvent)
	}
	return duplicate
}

// OwnerVerdicts calls f for each owner pose of tick t, which must be kept. made is the tick for which its owner made
// it. taken reports whether the pose was accepted in tick t; why is the reason if it was refused. A pose
// that is neither equals the simulation.
func (l *Log) OwnerVerdicts(
	t world.Tick,
	f func(object world.ObjectID, player world.PlayerID, made world.Tick, taken bool, why world.Refusal),
) {
	s := l.history.at(t)
	l.poses.in(t, func(of trackKey, e *poseEntry) {
		if slot, ok := s.Find(of.Object); ok {
			taken, why := s.OwnerPoseAt(slot, l.scripts.classOf(s, slot), t, e.made())
			f(of.Object, of.Player, e.made(), taken, why)
		}
	})
}

// RefusedPoses returns the refused poses of a player that it has not returned before.
func (l *Log) RefusedPoses(player world.PlayerID) (out []RefusedPose) {
	l.poses.eachConfirmed(player, func(of trackKey, e *poseEntry) bool {
		s := l.history.at(e.Tick)
		if s == nil {
			return false
		}
		slot, ok := s.Find(of.Object)
		if !ok {
			return false
		}
		class := l.scripts.classOf(s, slot)
		_, why := s.OwnerPoseAt(slot, class, e.Tick, e.made())
		if why == world.NotRefused {
			return false
		}
		out = append(out, RefusedPose{of.Object, of.Player, e.made(), e.Payload, why, class.Name})
		return true
	})
	return out
}

// sharedAt returns a function that reports whether all clients simulate an object at the
// end of tick t.
func (l *Log) sharedAt(t world.Tick) func(world.ObjectID) bool {
	return func(id world.ObjectID) bool {
		s := l.history.at(t)
		if s == nil {
			return false
		}
		slot, here := s.Find(id)
		return here && s.Shared(l.scripts.SchemaOf(s), slot)
	}
}

// reread notes that the script of a bundle has arrived.
func (l *Log) reread(bundle uint32) {
	l.inputs.reread(bundle)
	l.frames.reread(bundle)
}

// oldestBundle returns the lowest number of a bundle by whose declarations an input is read, if it
// is lower than another one.
func (l *Log) oldestBundle(other uint32) uint32 {
	return l.frames.oldestBundle(l.inputs.oldestBundle(other))
}

// prune removes what no tick after oldest needs. check asserts that no older event is left.
func (l *Log) prune(oldest world.Tick, check bool) {
	l.events.prune(oldest)
	l.inputs.prune(oldest)
	l.poses.prune(oldest)
	l.frames.prune(oldest)
	l.pulls.prune(oldest)
	if check {
		l.events.checkAfter(oldest)
	}
}

// check asserts the invariants of its parts.
func (l *Log) check() {
	l.events.check()
	l.inputs.check("inputs")
	l.sights.check("sights")
	l.poses.check("poses")
	l.frames.check("frames")
	l.pulls.check("pulls")
}
