package world

// What a rerun notes in its provenance.

// TrackProvenance makes the rewinds to come track how each dirty object came to
// differ.
func (p *PartialRerun) TrackProvenance() {
	if p.provenance == nil {
		p.provenance = &provenance{}
	}
}

// Provenance appends how the object in a slot came to differ in the rewind, from
// where the difference began to the object itself, or nothing if that is not
// known. history returns the entries that were run again and the one before them,
// and nil for others.
func (p *PartialRerun) Provenance(slot int, history func(Tick) *HistoryEntry, out []ProvenanceStep) []ProvenanceStep {
	return p.provenance.trace(int32(slot), history, out)
}

// DoubtInput notes that an object has another input in a tick that is about to be
// run again as a whole.
func (p *PartialRerun) DoubtInput(slot int) { p.provenance.doubtInput(int32(slot)) }

// want is Want because of another object; -1: because of none.
func (p *PartialRerun) want(slot int, kind ProvenanceKind, from int32) {
	if p.provenance != nil && !p.agenda.has(int32(slot)) && !p.knows(int32(slot)) {
		p.cause(int32(slot), kind, from)
		p.provenance.onlyRan()
	}
	p.Want(slot)
}

// knows reports whether an object is dirty and its provenance is known.
func (p *PartialRerun) knows(slot int32) bool {
	_, known := p.provenance.step(slot)
	return known && p.diff.has(slot)
}

// cause notes how an object came to differ: from another object, or from none (-1).
func (p *PartialRerun) cause(slot int32, kind ProvenanceKind, from int32) {
	if p.provenance.full() {
		return
	}
	block := p.rec.present()
	if kind >= FromTouch {
		block = -1
	}
	p.provenance.addFrom(slot, from, ProvenanceStep{Kind: kind, Object: p.slots.id(slot), Tick: p.tick.State.Tick, Block: block, differs: true})
}

// readCause returns a dirty object because of which a hook that read r is run
// again.
func (p *PartialRerun) readCause(r *read) int32 {
	if p.provenance == nil {
		return -1
	}
	if r.Kind == readObject {
		if slot, ok := p.slots.find(uint64(r.ID)); ok {
			return int32(slot)
		}
		return r.Slot
	}
	list := p.diff.list()
	if r.Kind == readClass {
		list = p.diff.shapes()
	}
	for _, slot := range list {
		if p.diff.has(slot) && (r.Kind == readClass || p.inRegion(slot, r)) {
			return slot
		}
	}
	return -1
}

// pastCause returns a dirty object that hooks can see in the past; -1 if there is
// none any more.
func (p *PartialRerun) pastCause() int32 {
	if p.provenance == nil {
		return -1
	}
	for _, slot := range p.diff.list() {
		if int(slot) < len(p.w.Now.Objects) && p.w.Now.Objects[slot].ID != 0 && p.w.Class(int(slot)).Seen {
			return slot
		}
	}
	return -1
}

// contactCause returns an object that began or ceased to touch the one in a slot:
// a dirty one, if there is any.
func (p *PartialRerun) contactCause(slot int32) int32 {
	if p.provenance == nil {
		return -1
	}
	id, best := p.slots.id(slot), int32(-1)
	contacts := p.w.Contacts()
	for i := range contacts {
		e := &contacts[i]
		if e.A != id && e.B != id {
			continue
		}
		other := e.A ^ e.B ^ id
		if at, ok := p.slots.find(uint64(other)); ok && (best < 0 || p.diff.has(int32(at))) {
			best = int32(at)
		}
	}
	return best
}

// breakCause returns a dirty object that a joint tied which ended.
func (p *PartialRerun) breakCause(e *JointBreak) int32 {
	for _, id := range [...]ObjectID{e.A, e.B} {
		if slot, ok := p.slots.find(uint64(id)); ok && p.diff.has(int32(slot)) {
			return int32(slot)
		}
	}
	return -1
}

// pushedCause notes the objects that the physics step moved differently and that
// did not differ before it.
func (p *PartialRerun) pushedCause() {
	if p.provenance == nil {
		return
	}
	for _, slot := range p.diff.list() {
		if !p.diff.differed(slot) && !p.provenance.full() {
			p.provenance.addPushed(slot, p.slots.id(slot), p.tick.State.Tick)
		}
	}
}

// restCause looks for the provenance of those objects of which it is not known at
// the end of a tick.
func (p *PartialRerun) restCause() {
	y := p.provenance
	if y == nil {
		return
	}
	y.begin()
	for _, slot := range p.diff.list() {
		if t, known := y.tick(slot); !known || !p.diff.differed(slot) && t != p.tick.State.Tick {
			y.forget(slot)
		}
	}
	y.spread(p.passer(p.diff.has), p.slots.find, &p.tick.State.Physics)
}

// passer returns a function that gives an object of unknown provenance that of a
// neighbour, and reports whether it did. has says which neighbours count besides
// the dirty ones.
func (p *PartialRerun) passer(has func(slot int32) bool) func(from, to int32, kind ProvenanceKind) bool {
	return func(from, to int32, kind ProvenanceKind) bool {
		if _, known := p.provenance.step(to); known || !p.diff.has(to) || !has(from) && !p.diff.has(from) {
			return false
		}
		if _, known := p.provenance.step(from); !known {
			return false
		}
		p.cause(to, kind, from)
		return true
	}
}

// wholeCause finds how the objects came to differ that are dirty after a tick
// that was run as a whole: from those that were dirty before it or have another
// input, along what the tick did; else from an event in it.
func (p *PartialRerun) wholeCause() {
	y := p.provenance
	if y == nil {
		return
	}
	y.begin()
	for _, slot := range p.diff.list() {
		if !y.wasDirty(slot) {
			y.forget(slot)
		}
	}
	y.takeDoubts(func(slot int32) { p.cause(slot, FromInput, -1) })
	pass := p.passer(y.wasDirty)
	for known := -1; len(y.unknownSlots()) > 0 && known != y.len(); {
		known = y.len()
		p.spreadDeeds(pass)
		y.spread(pass, p.slots.find, &p.from.State.Physics, &p.tick.State.Physics)
	}
	for _, slot := range y.unknownSlots() {
		if _, known := y.step(slot); !known {
			p.cause(slot, FromEvent, -1)
		}
	}
}

// spreadDeeds carries what is known along what the hooks of the tick did and
// read.
func (p *PartialRerun) spreadDeeds(pass func(from, to int32, kind ProvenanceKind) bool) {
	for i := range p.tick.Trace.blockCount() {
		b := p.tick.Trace.block(i)
		p.rec.at(i)
		for j := range b.Reads {
			r := &b.Reads[j]
			if slot, ok := p.slots.find(uint64(r.ID)); ok && r.Kind == readObject {
				pass(int32(slot), r.Unit, FromRead)
			}
		}
		for j := range b.Births {
			pass(b.Births[j].Unit, b.Births[j].Slot, FromSpawn)
		}
		for j := range b.Ops {
			if slot, ok := p.slots.find(uint64(b.Ops[j].Target)); ok {
				pass(b.Ops[j].by(), int32(slot), FromWrite)
			}
		}
	}
	p.rec.at(-1)
}
