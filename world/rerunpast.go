package world

// notePoses notes whether an object that asSeen moves differs after the tick: a
// hook that reads the poses after this tick later has to read them again.
func (p *PartialRerun) notePoses() {
	if !p.w.Schema().HasSeen() && !p.diff.all() {
		return
	}
	if p.diff.all() || p.seenDiffers() {
		t := p.w.Now.Tick
		if p.looked.from == 0 {
			p.looked.from = t
		}
		p.looked.to = t
	}
}

// seenDiffers reports whether a dirty object is of a class that asSeen moves.
func (p *PartialRerun) seenDiffers() bool {
	for _, slot := range p.diff.list() {
		o := &p.w.Now.Objects[slot]
		if o.ID == 0 || p.diff.hasShape(slot) || p.w.Schema().Classes[o.Class].Seen {
			return true
		}
	}
	return false
}

// changedPoses reports whether the poses of a past read have changed in this
// rewind.
func (p *PartialRerun) changedPoses(l pastRead) bool {
	return p.looked.from != 0 && l.Tick >= p.looked.from && l.Tick-1 <= p.looked.to
}

// ReadsChangedPast reports whether a hook of the tick read poses that this rewind
// has changed. Then the tick is run again even if no object is dirty.
func (p *PartialRerun) ReadsChangedPast(tick *HistoryEntry) bool {
	return p.looked.from != 0 && tick.Trace.readsPast(p.changedPoses)
}

// wantPastReads wants the objects that read poses which differ now, or those of
// an object that does.
func (p *PartialRerun) wantPastReads(b *blockTrace) {
	if len(b.PastReads) == 0 {
		return
	}
	all := p.seenDiffers()
	for _, l := range b.PastReads {
		if all || p.changedPoses(l) {
			p.want(int(l.Unit), FromRead, p.pastCause())
		}
	}
}
