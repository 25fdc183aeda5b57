package world

import (
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// ProvenanceKind is how an object came to differ in a rewind.
type ProvenanceKind uint8

// The ways in which a difference reaches an object. It begins with an input or
// an event.
const (
	FromUnknown ProvenanceKind = iota // unknown
	FromInput                         // the object's own input differs
	FromEvent                         // another event happened in the tick: a join, a bundle switch, a correction
	FromRead                          // a hook of the object read another object, or looked for it
	FromWrite                         // another object changed it, or did in the history
	FromSpawn                         // another object spawned it, or did in the history
	FromTouch                         // another object pushed it
	FromMiss                          // another object would have pushed it, and did not
	FromJoint                         // it is joined to another object, or is the joint
)

// String returns the kind in a word.
func (k ProvenanceKind) String() string {
	return [...]string{"unknown", "input", "event", "read", "write", "spawn", "touch", "miss", "joint"}[k]
}

// ProvenanceStep is one step of the path by which a difference reached an object. The
// other object, if there is one, is that of the previous step.
type ProvenanceStep struct {
	Kind   ProvenanceKind
	Object ObjectID // the object that came to differ, or whose hook ran differently
	Tick   Tick     // the tick in which it did
	Block  int      // of the hook (see Schema.SteerBlock and its siblings); -1: no hook was involved

	slot    int32
	before  int32 // index of the previous step; -1: the difference began here; pushed: not known yet
	differs bool  // the object differed after it; otherwise it was only run again
}

// pushed stands for the previous step of an object that the physics step moved
// differently. The object that pushed it is found on demand.
const pushed = -2

// provenance tracks how the dirty objects of a rewind came to differ. A nil
// provenance tracks nothing.
type provenance struct {
	steps   []ProvenanceStep
	of      []stepOf // by slot
	turn    uint32   // of the rewind
	doubt   []int32  // slots with a changed input in the tick that is run as a whole
	were    SlotSet  // slots that were dirty before that tick
	unknown []int32  // slots whose provenance is not known yet
	way     []int32  // the steps of the path, while trace follows it
}

// stepOf says which step belongs to a slot.
type stepOf struct {
	turn uint32
	step int32
}

// maxProvenanceSteps is the largest number of steps in one rewind. The provenance of
// differences after that is unknown.
const maxProvenanceSteps = 1 << 16

func (y *provenance) clear() {
	if y != nil {
		y.steps, y.turn, y.doubt = y.steps[:0], y.turn+1, y.doubt[:0]
	}
}

// step returns the step of a slot in this rewind.
func (y *provenance) step(slot int32) (int32, bool) {
	if y == nil || slot < 0 || int(slot) >= len(y.of) || y.of[slot].turn != y.turn || y.turn == 0 {
		return 0, false
	}
	return y.of[slot].step, true
}

func (y *provenance) full() bool { return len(y.steps) == maxProvenanceSteps }

func (y *provenance) add(slot int32, step ProvenanceStep) {
	for len(y.of) <= int(slot) {
		y.of = append(y.of, stepOf{})
	}
	step.slot = slot
	y.of[slot] = stepOf{y.turn, int32(len(y.steps))}
	y.steps = append(y.steps, step)
}

// addFrom is add for a step that comes from another slot; -1 for none.
func (y *provenance) addFrom(slot, from int32, step ProvenanceStep) {
	step.before = -1
	if at, ok := y.step(from); ok && from != slot {
		step.before = at
	}
	y.add(slot, step)
}

// addPushed is add for an object that the physics step moved differently.
func (y *provenance) addPushed(slot int32, id ObjectID, t Tick) {
	y.add(slot, ProvenanceStep{Kind: FromUnknown, Object: id, Tick: t, Block: -1, before: pushed, differs: true})
}

// onlyRan says that the object of the last step does not differ: it was only run
// again.
func (y *provenance) onlyRan() { y.steps[len(y.steps)-1].differs = false }

// differs notes that an object differs, which may only have been run again so
// far.
func (y *provenance) differs(slot int32) {
	if at, ok := y.step(slot); ok {
		y.steps[at].differs = true
	}
}

// tick returns in which tick the step of a slot is; known is false if it has
// none.
func (y *provenance) tick(slot int32) (t Tick, known bool) {
	at, known := y.step(slot)
	if !known {
		return 0, false
	}
	return y.steps[at].Tick, true
}

// trace appends the steps that lead to a slot, the first one first. For objects that
// were pushed, it finds the objects that pushed them.
func (y *provenance) trace(slot int32, history func(Tick) *HistoryEntry, out []ProvenanceStep) []ProvenanceStep {
	at, ok := y.step(slot)
	if !ok {
		return out
	}
	from := len(out)
	y.way = y.way[:0]
	// two objects that missed each other can each name the other
	for ; at >= 0 && !slices.Contains(y.way, at); at = y.steps[at].before {
		y.way = append(y.way, at)
		if y.steps[at].before == pushed {
			y.findPusher(at, history)
		}
		out = append(out, y.steps[at])
	}
	slices.Reverse(out[from:])
	return out
}

// doubtInput notes that an object has a changed input in a tick that is about to be run
// as a whole.
func (y *provenance) doubtInput(slot int32) {
	if y != nil {
		y.doubt = append(y.doubt, slot)
	}
}

// enterWhole notes which objects are dirty before a tick that is run whole.
func (y *provenance) enterWhole(dirty []int32) {
	if y == nil {
		return
	}
	y.were.reset()
	for _, slot := range dirty {
		y.were.add(slot)
	}
}

// wasDirty reports whether an object was dirty before that tick, or had a changed input
// in it.
func (y *provenance) wasDirty(slot int32) bool { return y.were.Has(slot) }

// takeDoubts calls f for the objects with a changed input that were not dirty.
func (y *provenance) takeDoubts(f func(slot int32)) {
	for _, slot := range y.doubt {
		if y.were.add(slot) {
			f(slot)
		}
	}
	y.doubt = y.doubt[:0]
}

// unknownSlots returns the slots that were made unknown.
func (y *provenance) unknownSlots() []int32 { return y.unknown }

// len returns the number of steps.
func (y *provenance) len() int { return len(y.steps) }

// begin starts a search for the provenance of unknown slots.
func (y *provenance) begin() { y.unknown = y.unknown[:0] }

// forget makes a slot unknown.
func (y *provenance) forget(slot int32) {
	if int(slot) < len(y.of) {
		y.of[slot].turn = 0
	}
	y.unknown = append(y.unknown, slot)
}

// spread carries known provenance along the contacts and joints of states: pass is
// called for each pair of slots, in both directions, and reports whether the second one
// became known by it.
func (y *provenance) spread(
	pass func(from, to int32, kind ProvenanceKind) bool,
	slotOf func(key uint64) (int, bool),
	states ...*physics.State,
) {
	both := func(a, b int32, kind ProvenanceKind) bool { return pass(a, b, kind) || pass(b, a, kind) }
	for more := len(y.unknown) > 0; more; {
		more = false
		for _, s := range states {
			for i := range s.Contacts {
				c := &s.Contacts[i]
				more = c.Flags&physics.SensorContact == 0 && !c.Gone() && both(c.SlotA, c.SlotB, FromTouch) || more
			}
			for i := range s.Joints {
				j := &s.Joints[i]
				more = both(j.SlotA, j.SlotB, FromJoint) || more
				if slot, ok := slotOf(j.Key); ok {
					more = both(int32(slot), j.SlotA, FromJoint) || more
					more = both(int32(slot), j.SlotB, FromJoint) || more
				}
			}
		}
	}
}
