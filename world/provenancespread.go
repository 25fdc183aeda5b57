package world

import "github.com/hindcast/hindcast/world/physics"

// spread carries what is known to those of news that touch, or are tied to, who
// knows: has says who of the others counts.
func (p *PartialRerun) spread(has func(slot int32) bool, states ...*physics.State) {
	y := p.provenance
	pass := func(a, b int32, kind ProvenanceKind) bool {
		return p.tellWhy(has, a, b, kind) || p.tellWhy(has, b, a, kind)
	}
	for more := len(y.news) > 0; more; {
		more = false
		for _, s := range states {
			for i := range s.Contacts {
				c := &s.Contacts[i]
				more = c.Flags&physics.SensorContact == 0 && !c.Gone() && pass(c.SlotA, c.SlotB, FromTouch) || more
			}
			for i := range s.Joints {
				j := &s.Joints[i]
				more = pass(j.SlotA, j.SlotB, FromJoint) || more
				if slot, ok := p.w.slots.find(j.Key); ok {
					more = pass(int32(slot), j.SlotA, FromJoint) || more
					more = pass(int32(slot), j.SlotB, FromJoint) || more
				}
			}
		}
	}
}

// tellWhy gives one who does not know it the reason of a neighbour who does.
func (p *PartialRerun) tellWhy(has func(slot int32) bool, from, to int32, kind ProvenanceKind) bool {
	if _, known := p.provenance.step(to); known || !p.dirty.has(to) || !has(from) && !p.dirty.has(from) {
		return false
	}
	if _, known := p.provenance.step(from); !known {
		return false
	}
	p.addStep(to, kind, from)
	return true
}

// whyRest is for those of whom nothing is known yet at the end of a tick.
func (p *PartialRerun) whyRest() {
	y := p.provenance
	if y == nil {
		return
	}
	y.news = y.news[:0]
	for _, slot := range p.dirty.list {
		if at, known := y.step(slot); !known || !p.before.has(slot) && y.steps[at].Tick != p.tick.State.Tick {
			y.forget(slot)
		}
	}
	if len(y.news) == 0 {
		return
	}
	p.spread(p.dirty.has, &p.tick.State.Physics)
}

// enter notes who differs before a tick that is to be run whole.
func (y *provenance) enter(dirty []int32) {
	if y == nil {
		return
	}
	y.were.reset()
	for _, slot := range dirty {
		y.were.add(slot)
	}
}

// whyWhole finds how those came to differ who do after a tick that was run as a
// whole: through those who did before or have another input, and what the tick
// did; else by what happened in it.
func (p *PartialRerun) whyWhole() {
	y := p.provenance
	if y == nil {
		return
	}
	y.news = y.news[:0]
	for _, slot := range p.dirty.list {
		if !y.were.has(slot) {
			y.forget(slot)
		}
	}
	for _, slot := range y.doubt {
		if y.were.add(slot) {
			p.addStep(slot, FromInput, -1)
		}
	}
	y.doubt = y.doubt[:0]
	for known := -1; len(y.news) > 0 && known != len(y.steps); {
		known = len(y.steps)
		p.spreadDeeds(y.were.has)
		p.spread(y.were.has, &p.from.State.Physics, &p.tick.State.Physics)
	}
	for _, slot := range y.news {
		if _, known := y.step(slot); !known {
			p.addStep(slot, FromEvent, -1)
		}
	}
}

// spreadDeeds carries what is known along what the hooks of the tick did and
// read.
func (p *PartialRerun) spreadDeeds(has func(slot int32) bool) {
	for i := range p.tick.Trace.blocks {
		b := &p.tick.Trace.blocks[i]
		p.w.block = i
		for j := range b.reads {
			r := &b.reads[j]
			if slot, ok := p.w.slots.of[r.id]; ok && r.kind == readObject {
				p.tellWhy(has, slot, r.unit, FromRead)
			}
		}
		for j := range b.births {
			p.tellWhy(has, b.births[j].unit, b.births[j].slot, FromSpawn)
		}
		for j := range b.ops {
			if slot, ok := p.w.slots.of[b.ops[j].Target]; ok {
				p.tellWhy(has, b.ops[j].unit, slot, FromWrite)
			}
		}
	}
	p.w.block = -1
}
