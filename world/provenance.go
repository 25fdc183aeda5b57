package world

import "slices"

// ProvenanceKind is how an object came to differ in a rewind.
type ProvenanceKind uint8

// The ways in which a difference comes to an object. The first two are where
// one begins.
const (
	FromUnknown ProvenanceKind = iota // it is not known
	FromInput                         // the object's own input was another
	FromEvent                         // something else happened in the tick: a join, a switch, a correction
	FromRead                          // a hook of the object looked at another, or for it
	FromWrite                         // another did something to it, or did it in the history
	FromSpawn                         // another spawned it, or did
	FromTouch                         // it was pushed by another
	FromMiss                          // it would have been pushed by another, and was not
	FromJoint                         // it is tied to another, or is what ties it
)

// String names the kind in a word.
func (k ProvenanceKind) String() string {
	return [...]string{"unknown", "input", "event", "read", "write", "spawn", "touch", "miss", "joint"}[k]
}

// ProvenanceStep is one step of the way on which a difference came to an object: the other
// is that of the step before.
type ProvenanceStep struct {
	Kind   ProvenanceKind
	Object ObjectID // that came to differ, or to do otherwise
	Tick   Tick     // in which it did
	Block  int      // of the hook: Schema.SteerBlock and the others; -1: no hook had to do with it

	slot    int32
	before  int32 // index of the step before; -1: it began here; pushed: somebody pushed it, it is not known yet who
	differs bool  // the object differed after it; else it was only run again
}

// pushed is in the place of the step before, of one that the physics step moved
// otherwise. By whom is found out when somebody asks.
const pushed = -2

// provenance is how all objects that differ came to.
type provenance struct {
	steps []ProvenanceStep
	of    []stepOf // by slot
	turn  uint32   // of the rewind
	doubt []int32  // slots whose input is another in the tick that is run whole
	were  slotSet  // who differed before that tick
	news  []int32  // slots of which it is not known yet
	way   []int32  // scratch of Why: the steps on the way
}

// stepOf says which step is a slot's.
type stepOf struct {
	turn uint32
	step int32
}

// maxProvenanceSteps bounds what is noted of one rewind: of what comes after, it is not
// known why.
const maxProvenanceSteps = 1 << 16

// TrackProvenance has the rewinds to come note how each object that differs came to.
func (p *PartialRerun) TrackProvenance() {
	if p.provenance == nil {
		p.provenance = &provenance{}
	}
}

// Provenance appends how the object in a slot came to differ in the rewind, from where
// it began to the object itself; nothing if it is not known. history gives the
// frames that were run again, and the one before them; nil for others.
func (p *PartialRerun) Provenance(slot int, history func(Tick) *HistoryEntry, out []ProvenanceStep) []ProvenanceStep {
	at, ok := p.provenance.step(int32(slot))
	if !ok {
		return out
	}
	from := len(out)
	p.provenance.way = p.provenance.way[:0]
	for ; at >= 0 && !slices.Contains(p.provenance.way, at); at = p.provenance.steps[at].before { // two that missed each other can each name the other
		p.provenance.way = append(p.provenance.way, at)
		if p.provenance.steps[at].before == pushed {
			p.findPusher(at, history)
		}
		out = append(out, p.provenance.steps[at])
	}
	slices.Reverse(out[from:])
	return out
}

// Differs reports whether the object in a slot differs from the history after
// the last tick.
func (p *PartialRerun) Differs(slot int) bool { return p.dirty.has(int32(slot)) }

// Differing appends the slots of all that differ from the history after the last
// tick, in no order.
func (p *PartialRerun) Differing(out []int32) []int32 { return append(out, p.dirty.list...) }

func (y *provenance) clear() {
	if y != nil {
		y.steps, y.turn, y.doubt = y.steps[:0], y.turn+1, y.doubt[:0]
	}
}

func (y *provenance) step(slot int32) (int32, bool) {
	if y == nil || slot < 0 || int(slot) >= len(y.of) || y.of[slot].turn != y.turn || y.turn == 0 {
		return 0, false
	}
	return y.of[slot].step, true
}

// note says how a slot came to differ: from another, or from nobody (-1).
func (p *PartialRerun) addStep(slot int32, kind ProvenanceKind, from int32) {
	y := p.provenance
	if len(y.steps) == maxProvenanceSteps {
		return
	}
	before := int32(-1)
	if at, ok := y.step(from); ok && from != slot {
		before = at
	}
	block := p.w.block
	if kind >= FromTouch {
		block = -1
	}
	y.add(slot, ProvenanceStep{Kind: kind, Object: p.w.slots.ids[slot], Tick: p.tick.State.Tick, Block: block, slot: slot, before: before, differs: true})
}

func (y *provenance) add(slot int32, step ProvenanceStep) {
	for len(y.of) <= int(slot) {
		y.of = append(y.of, stepOf{})
	}
	y.of[slot] = stepOf{y.turn, int32(len(y.steps))}
	y.steps = append(y.steps, step)
}

// want is Want for the sake of another.
func (p *PartialRerun) want(slot int, kind ProvenanceKind, from int32) {
	if p.provenance != nil && !p.again.has(int32(slot)) && !p.knows(int32(slot)) {
		p.addStep(int32(slot), kind, from)
		p.provenance.steps[len(p.provenance.steps)-1].differs = false
	}
	p.Want(slot)
}

// spoiled notes that a slot differs which was only run again until now.
func (y *provenance) spoiled(slot int32) {
	if at, ok := y.step(slot); ok {
		y.steps[at].differs = true
	}
}

// WantInput is Want for an object that has another input.
func (p *PartialRerun) WantInput(slot int) { p.want(slot, FromInput, -1) }

// DoubtInput notes that an object has another input in a tick that is about to
// be run again as a whole.
func (p *PartialRerun) DoubtInput(slot int) {
	if p.provenance != nil {
		p.provenance.doubt = append(p.provenance.doubt, int32(slot))
	}
}

// knows reports whether a slot differs and it is known why.
func (p *PartialRerun) knows(slot int32) bool {
	_, known := p.provenance.step(slot)
	return known && p.dirty.has(slot)
}

// whom finds one of those for the sake of whom a hook that read r is run again.
func (p *PartialRerun) whom(r *read) int32 {
	if p.provenance == nil {
		return -1
	}
	if r.kind == readObject {
		if slot, ok := p.w.slots.of[r.id]; ok {
			return slot
		}
		return r.slot
	}
	list := p.dirty.list
	if r.kind == readClass {
		list = p.shape.list
	}
	for _, slot := range list {
		if p.dirty.has(slot) && (r.kind == readClass || p.reaches(&p.w.Now.Physics.Bodies[slot], r) || p.reaches(&p.was[slot], r)) {
			return slot
		}
	}
	return -1
}

// forget makes a slot one of news.
func (y *provenance) forget(slot int32) {
	if int(slot) < len(y.of) {
		y.of[slot].turn = 0
	}
	y.news = append(y.news, slot)
}

// seenOther is one who differs of those that hooks can look at in the past; -1:
// none does any more.
func (p *PartialRerun) seenOther() int32 {
	if p.provenance == nil {
		return -1
	}
	for _, slot := range p.dirty.list {
		if int(slot) < len(p.w.Now.Objects) && p.w.Now.Objects[slot].ID != 0 && p.w.Class(int(slot)).Seen {
			return slot
		}
	}
	return -1
}

// stirrer is with whom one began or ceased to touch: one who differs, if any.
func (p *PartialRerun) stirrer(slot int32) int32 {
	if p.provenance == nil {
		return -1
	}
	id, best := p.w.slots.ids[slot], int32(-1)
	for i := range p.w.contacts {
		e := &p.w.contacts[i]
		if e.A != id && e.B != id {
			continue
		}
		other := e.A ^ e.B ^ id
		if at, ok := p.w.slots.of[other]; ok && (best < 0 || p.dirty.has(at)) {
			best = at
		}
	}
	return best
}

// ender is by whom a joint ended: one of those that it tied who differs.
func (p *PartialRerun) ender(e *JointBreak) int32 {
	for _, id := range [...]ObjectID{e.A, e.B} {
		if slot, ok := p.w.slots.of[id]; ok && p.dirty.has(slot) {
			return slot
		}
	}
	return -1
}
