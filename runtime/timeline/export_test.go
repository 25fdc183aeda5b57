package timeline

import "github.com/hindcast/hindcast/world"

// AsClient makes a Timeline a client's: inputs may be missing because they are on their way.
func (tl *Timeline) AsClient() { tl.log.inputs.rule.completeTo = tl.Now() }

// Verdicts counts the poses that were taken and refused in tick t.
func (tl *Timeline) Verdicts(t world.Tick) (taken, refused int) {
	s := tl.At(t)
	for _, slot := range s.Run {
		was, why := s.OwnerPoseAt(int(slot), tl.scripts.classOf(s, int(slot)), t, t)
		if was {
			taken++
		}
		if why != world.NotRefused {
			refused++
		}
	}
	return taken, refused
}

// DoubtInput makes some ticks dirty, as if the input of an object might differ in them.
func (tl *Timeline) DoubtInput(object world.ObjectID, from, to world.Tick) {
	tl.dirty.input(trackKey{Object: object}, from, to, change{kind: CauseInput})
}

// ProvenanceSteps returns how the object in a slot came to differ in the last rewind.
func (tl *Timeline) ProvenanceSteps(slot int) []world.ProvenanceStep {
	if !tl.Causes().Differs(slot) {
		return nil
	}
	return tl.part.Provenance().Of(slot, tl.history.entry, nil)
}

// ReleaseSlots does at once what Step does now and then.
func (tl *Timeline) ReleaseSlots() { tl.World().ReleaseSlots(tl.history.live) }

// Committer returns a function that does what a host does with each committed tick: it
// returns the size of the patch that clients get. Call it after each Step.
func (tl *Timeline) Committer() func() int {
	k := NewSharedRun(tl)
	k.Begin(tl.At(0))
	return func() int {
		if !tl.Scripts().AnyPartial() {
			return 0
		}
		return len(k.Commit(tl.At(tl.Now())))
	}
}

// Replicate applies an update of a proxy at the end of a tick. The proxy freezes after some
// ticks if no other update comes.
func (tl *Timeline) Replicate(t world.Tick, at world.ProxyUpdate, ticks world.Tick) {
	tl.ExtendProxy(at.Object, t, ticks)
	tl.ApplyProxy(t, at)
}
