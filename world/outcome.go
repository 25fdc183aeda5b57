package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// outcome is what the tick has brought so far.
type outcome struct {
	clamped     int
	crowded     bool
	faults      []Fault      // hooks that failed
	contacts    []Contact    // of the physics step
	jointBreaks []JointBreak // of the physics step
	cues        []Cue        // of ticks without a trace, until takeCues
}

// clear forgets the tick before, except its cues.
func (o *outcome) clear() {
	o.faults = o.faults[:0]
	o.contacts, o.jointBreaks = o.contacts[:0], o.jointBreaks[:0]
	o.clamped, o.crowded = 0, false
}

// stepped notes what a physics step counted.
func (o *outcome) stepped(clamped int, crowded bool) {
	o.clamped += clamped
	o.crowded = crowded
}

// fault adds a hook that failed.
func (o *outcome) fault(f Fault) { o.faults = append(o.faults, f) }

// cutFaults drops all faults but the first n.
func (o *outcome) cutFaults(n int) { o.faults = o.faults[:n] }

// putContacts replaces the contact events.
func (o *outcome) putContacts(begins, ends []physics.Event) {
	o.contacts = o.contacts[:0]
	for i := range begins {
		o.contacts = append(o.contacts, contactOf(&begins[i], false))
	}
	for i := range ends {
		o.contacts = append(o.contacts, contactOf(&ends[i], true))
	}
}

// putJointBreaks replaces the joints that ended.
func (o *outcome) putJointBreaks(events []physics.JointEvent) {
	o.jointBreaks = o.jointBreaks[:0]
	for i := range events {
		o.jointBreaks = append(o.jointBreaks, jointBreakOf(&events[i]))
	}
}

// cueList returns the list of the cues.
func (o *outcome) cueList() *[]Cue { return &o.cues }

// takeCues appends the cues, sorted, to out, and forgets them.
func (o *outcome) takeCues(out []Cue) []Cue {
	sortCues(o.cues)
	out = append(out, o.cues...)
	o.cues = dropCues(o.cues)
	return out
}

// Clamped returns how many bodies the tick held back at the limits of position and speed.
func (w *World) Clamped() int { return w.outcome.clamped }

// Crowded reports whether more pairs of bodies were close than a step handles (see Setup.mostPairs).
func (w *World) Crowded() bool { return w.outcome.crowded }

// Faults returns the hooks that failed in this tick.
func (w *World) Faults() []Fault { return w.outcome.faults }

// Contacts returns the contact events of this tick: begins first, each sorted by (lower
// id, higher id).
func (w *World) Contacts() []Contact { return w.outcome.contacts }

// JointBreaks returns the joints that ended in this tick, sorted by id.
func (w *World) JointBreaks() []JointBreak { return w.outcome.jointBreaks }

// Removals appends the slots of the objects that are removed at the end of this
// tick, in the order in which hooks run.
func (w *World) Removals(out []int32) []int32 {
	from := len(out)
	for _, slot := range w.ending.removals() {
		if w.Now.Objects[slot].Removed {
			out = append(out, slot)
		}
	}
	slices.SortFunc(out[from:], func(a, b int32) int { return compareRun(&w.Now.Objects[a], &w.Now.Objects[b]) })
	return slices.Compact(out)
}
