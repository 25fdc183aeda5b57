package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// replaced is what the log had in the place of an input or owner's pose: an input, or nothing.
type replaced struct {
	of   trackKey
	kind world.EventKind
	tick world.Tick
	had  bool
	was  inputEntry
	saw  sight
}

// lookUp returns what the log has in the place of an event, which is an input or an owner's pose.
func (l *Log) lookUp(e *world.Event) (r replaced) {
	r = replaced{of: trackKey{e.Object, e.Player}, kind: e.Kind, tick: e.Tick}
	if tr := l.inputs.find(r.of); e.Kind == world.InputEvent && tr != nil {
		if j, ok := findTick(tr.Entries, e.Tick); ok {
			r.had, r.was, r.saw = true, tr.Entries[j], l.sights.at(r.of, e.Tick)
		}
	}
	return r
}

// putBack takes back the event that has been put in the place that lookUp has looked at.
func (l *Log) putBack(r *replaced) {
	switch {
	case r.kind == world.OwnerPoseEvent:
		l.poses.takeBack(r.of, r.tick)
	case r.had:
		l.inputs.putBack(r.of, &r.was, r.saw)
	default:
		l.inputs.takeBack(r.of, r.tick)
	}
}

// takeBack removes an input.
func (l *inputLog) takeBack(of trackKey, t world.Tick) {
	tr := l.find(of)
	if j, ok := findTick(tr.Entries, t); ok {
		l.remove(tr, j)
	}
}

// putBack replaces an input by the one that it has replaced.
func (l *inputLog) putBack(of trackKey, was *inputEntry, saw sight) {
	tr := l.find(of)
	j, _ := findTick(tr.Entries, was.Tick)
	why := change{CauseInput, was.Tick, bound(&tr.Entries[j])}
	tr.Entries[j] = *was
	l.report(tr, was.Tick, j+1, why)
	l.sights.put(of, was.Tick, saw)
}

// remove removes an entry, and reports what that changes.
func (l *inputLog) remove(tr *track[world.Input], j int) {
	e := tr.Entries[j]
	tr.Entries = slices.Delete(tr.Entries, j, j+1)
	why := change{CauseUnused, e.Tick, bound(&e)}
	l.report(tr, l.rule.firstChange(tr.Entries, j, &e, l.fades(tr.Of.Object)), j, why)
	if l.sights.put(tr.Of, e.Tick, sight{}) {
		l.changed(tr.Of, e.Tick, e.Tick, why)
	}
}

// takeBack removes the pose of a tick.
func (l *ownerPoseLog) takeBack(of trackKey, t world.Tick) {
	tr := l.find(of)
	if j, ok := findTick(tr.Entries, t); ok {
		tr.Entries = slices.Delete(tr.Entries, j, j+1)
		l.dirty.owner(of, t, world.OwnerPoseEvent, CauseUnused)
	}
}
