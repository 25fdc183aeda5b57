package timeline

import "github.com/hindcast/hindcast/world"

// Log has what players do: their inputs, owner poses and independent frames, and all other events.
// Of this client's own player it also has the guesses.
type Log struct {
	events eventLog
	inputs inputLog
	poses  ownerPoseLog
	frames independentLog

	history *history
	scripts *Scripts
	dirty   *dirtySpans
}

// newLog returns an empty Log, whose changes make ticks dirty.
func newLog(rule repetition, fades func(world.ObjectID) bool, past *history, scripts *Scripts, dirty *dirtySpans) Log {
	return Log{inputs: inputLog{rule: rule, fades: fades, changed: dirty.input}, frames: independentLog{changed: dirty.frame},
		history: past, scripts: scripts, dirty: dirty}
}

// start drops everything. The inputs are complete up to completeTo.
func (l *Log) start(completeTo world.Tick) {
	l.events.start()
	l.inputs.start(completeTo)
	l.poses.clear()
	l.frames.clear()
}

// newRunner returns what simulates ticks with the events of the log.
func (l *Log) newRunner() runner {
	return runner{scripts: l.scripts, events: &l.events, inputs: &l.inputs, poses: &l.poses, frames: &l.frames}
}

// insert adds an event, or with the flag guessed a guess of this client's own player, which is an
// input, pose or frame. duplicate reports that there is one of these in its place.
func (l *Log) insert(e *world.Event, from Origin, f flags) (duplicate bool) {
	switch of := (control{e.Object, e.Player}); e.Kind {
	case world.InputEvent:
		return l.inputs.put(of, newInput(e, from.Record, f|flagIf(from.Unrelayed, unrelayed)))
	case world.OwnerPoseEvent:
		return l.insertOwnerPose(of, newOwnerPose(e, f))
	case world.FrameEvent:
		return l.frames.put(of, newFrame(e, f))
	}
	l.events.insert(loggedEvent{*e, from.Unrelayed})
	l.dirty.event(e)
	return false
}

// revise replaces a guess of an input.
func (l *Log) revise(object world.ObjectID, player world.PlayerID, t world.Tick, in world.Input) {
	l.inputs.revise(control{object, player}, t, in)
}

// held returns the newest inputs up to tick t, which later ticks repeat.
func (l *Log) held(t world.Tick, relayed bool) []world.Event { return l.inputs.last(t, relayed) }

// InputAt returns the input that the log has of a player for an object in tick t itself, not a
// substitute; ok is false if there is none. relayed reports whether all clients get it.
func (l *Log) InputAt(object world.ObjectID, player world.PlayerID, t world.Tick) (e world.Event, relayed, ok bool) {
	of := control{object, player}
	had, own := l.inputs.seek(of, t, false)
	if !own {
		return world.Event{}, false, false
	}
	return inputEvent(of, &had), had.Flags.relayed(), true
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
	return l.frames.reached(control{object, player})
}

// CertainTo returns the newest tick up to limit before which nothing is a guess of this client's.
// Events of others may still be on their way.
func (l *Log) CertainTo(limit world.Tick) world.Tick {
	return l.poses.certainTo(l.frames.certainTo(l.inputs.certainTo(limit)), l.mattered)
}

// complete notes that the log has everything up to tick t, and drops the guesses that it does
// not have.
func (l *Log) complete(t world.Tick, rate int) {
	l.inputs.dropUnrelayed(t, l.sharedAt(t))
	l.inputs.complete(t)
	l.poses.complete(t, func(of control, t world.Tick) {
		if l.mattered(of, t) { // nearly all poses equal the simulation and made no difference
			l.dirty.owner(of, t, world.OwnerPoseEvent, CauseUnused)
		}
	})
	l.frames.complete(t, t-min(t, world.Tick(frameWait*rate)))
}

// insertOwnerPose inserts a pose into the log.
func (l *Log) insertOwnerPose(of control, e entry[world.Placement]) (duplicate bool) {
	duplicate, changed := l.poses.put(of, e)
	if changed {
		l.dirty.owner(of, e.Tick, world.OwnerPoseEvent, CauseEvent)
	}
	return duplicate
}

// mattered reports whether the pose of tick t was accepted or refused.
func (l *Log) mattered(of control, t world.Tick) bool {
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

// OwnerVerdicts calls f for each owner pose of tick t, which must be kept. taken reports
// whether the pose was accepted in that tick; why is the reason if it was refused. A pose
// that is neither equals the simulation.
func (l *Log) OwnerVerdicts(t world.Tick, f func(object world.ObjectID, player world.PlayerID, taken bool, why world.Refusal)) {
	s := l.history.at(t)
	l.poses.in(t, func(of control) {
		if slot, ok := s.Find(of.Object); ok {
			taken, why := s.OwnerPoseAt(slot, l.scripts.classOf(s, slot), t)
			f(of.Object, of.Player, taken, why)
		}
	})
}

// RefusedPoses returns the refused poses of a player that it has not returned before.
func (l *Log) RefusedPoses(player world.PlayerID) (out []RefusedPose) {
	l.poses.eachConfirmed(player, func(of control, t world.Tick, p *world.Placement) bool {
		s := l.history.at(t)
		if s == nil {
			return false
		}
		slot, ok := s.Find(of.Object)
		if !ok {
			return false
		}
		class := l.scripts.classOf(s, slot)
		_, why := s.OwnerPoseAt(slot, class, t)
		if why == world.NotRefused {
			return false
		}
		out = append(out, RefusedPose{of.Object, of.Player, t, *p, why, class.Name})
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
	if check {
		l.events.checkAfter(oldest)
	}
}

// check asserts the invariants of its parts.
func (l *Log) check() {
	l.events.check()
	l.inputs.check("inputs")
	l.poses.check("poses")
	l.frames.check("frames")
}
