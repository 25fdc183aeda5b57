package world

import "slices"

// frames are ticks of a rewind, the first and the last of some.
type frames struct{ from, to Tick }

// noteSeen notes whether somebody whom asSeen moves differs after the tick: who
// looks at this frame later has to look again.
func (p *PartialRerun) noteSeen() {
	if !p.w.schema.seen && !p.crowd {
		return
	}
	if p.crowd || p.anySeen() {
		t := p.w.Now.Tick
		if p.looked.from == 0 {
			p.looked.from = t
		}
		p.looked.to = t
	}
}

// anySeen reports whether anybody who differs now is of a class that asSeen moves.
func (p *PartialRerun) anySeen() bool {
	for _, slot := range p.dirty.list {
		o := &p.w.Now.Objects[slot]
		if o.ID == 0 || p.shape.has(slot) || p.w.schema.Classes[o.Class].Seen {
			return true
		}
	}
	return false
}

// misses reports whether a frame that was looked at, or the one before it, has
// changed in this rewind.
func (p *PartialRerun) misses(l look) bool {
	return p.looked.from != 0 && l.f >= p.looked.from && l.f-1 <= p.looked.to
}

// ReadsChangedPast reports whether some hook of the tick looked at frames that this
// rewind has changed: it is to be run again even if nobody differs now.
func (p *PartialRerun) ReadsChangedPast(tick *HistoryEntry) bool {
	if p.looked.from == 0 {
		return false
	}
	if slices.ContainsFunc(tick.Trace.looks, p.misses) {
		return true
	}
	for i := range tick.Trace.blocks {
		if slices.ContainsFunc(tick.Trace.blocks[i].looks, p.misses) {
			return true
		}
	}
	return false
}

// wantLooks wants those who saw of the past what differs now, or looked at
// anybody who does.
func (p *PartialRerun) wantLooks(b *block) {
	if len(b.looks) == 0 {
		return
	}
	all := p.anySeen()
	for _, l := range b.looks {
		if all || p.misses(l) {
			p.want(int(l.unit), FromRead, p.seenOther())
		}
	}
}
