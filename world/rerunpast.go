package world

// changedPast has the ticks of a rewind after which poses of objects that asSeen moves
// differ from the history. A hook that read these poses later has to read them again.
type changedPast struct {
	at       rerunWorld // the world that runs the tick
	diff     *difference
	from, to Tick // the first one and the last one; 0: there is none
}

// reset starts a rewind.
func (c *changedPast) reset() { c.from, c.to = 0, 0 }

// note notes whether such poses differ after the tick.
func (c *changedPast) note() {
	if !c.at.schema().HasSeen() && !c.diff.all() {
		return
	}
	if c.diff.all() || c.diff.anySeen() {
		t := c.at.now().Tick
		if c.from == 0 {
			c.from = t
		}
		c.to = t
	}
}

// has reports whether the poses of a past read have changed in this rewind.
func (c *changedPast) has(l pastRead) bool {
	return c.from != 0 && l.Tick >= c.from && l.Tick-1 <= c.to
}

// readBy reports whether a hook of a tick read poses that have changed.
func (c *changedPast) readBy(tick *Trace) bool { return c.from != 0 && tick.readsPast(c.has) }
