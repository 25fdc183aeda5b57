package timeline

import "github.com/hindcast/hindcast/world"

// AsClient makes a Timeline a client's: inputs may be missing because they are
// on their way.
func (tl *Timeline) AsClient() { tl.inputs.complete = tl.Now() }

// Verdicts counts the moves that were taken and refused in tick t.
func (tl *Timeline) Verdicts(t world.Tick) (taken, refused int) {
	s := tl.At(t)
	for _, slot := range s.Run {
		was, why := s.OwnerPoseAt(int(slot), &tl.Schema(t).Classes[s.Objects[slot].Class], t)
		if was {
			taken++
		}
		if why != world.NotRefused {
			refused++
		}
	}
	return taken, refused
}

// Doubt has an object run again in some ticks, as if its input might differ.
func (tl *Timeline) Doubt(object world.ObjectID, from, to world.Tick) {
	tl.inputChanged(steering{object: object}, from, to, change{kind: CauseInput})
}

// Whys is how the object in a slot came to differ in the last rewind.
func (tl *Timeline) Whys(slot int) []world.ProvenanceStep {
	if !tl.part.Differs(slot) {
		return nil
	}
	return tl.part.Provenance(slot, func(t world.Tick) *world.HistoryEntry {
		if t < tl.Oldest() || t > tl.Now() {
			return nil
		}
		return tl.frame(t)
	}, nil)
}

// ReleaseSlots does what is done now and then.
func (tl *Timeline) ReleaseSlots() { tl.World().ReleaseSlots(tl.frames) }

// Giver gives what a host does of each tick, once it is final: the bytes that clients
// are given. Call it after each Step.
func (tl *Timeline) Giver() func() int {
	k := NewSharedRun(tl)
	k.Begin(tl.At(0))
	return func() int {
		if !tl.AnyPartial() {
			return 0
		}
		return len(k.Commit(tl.At(tl.Now())))
	}
}

// Tell puts an object where a client was told it was at the end of a tick; it is
// held so many ticks later, if nothing else is told.
func (tl *Timeline) Tell(t world.Tick, at world.ProxyUpdate, ticks world.Tick) {
	tl.ExtendProxy(at.Object, t, ticks)
	tl.ApplyProxy(t, at)
}
