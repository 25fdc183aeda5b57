package runtime

// How near a cause is to a difference, the nearest first.
const (
	sameField = iota
	sameObject
	otherObject
	noCause
)

// blame finds the first changes of the tick in which the two runs differ, and
// tells how near they are to o.
func (c *crossing) blame(o *Otherwise, was, is *trace) (distance int) {
	a, b := Deeds(was.changes, was.faults, c.a, c.sa), Deeds(is.changes, is.faults, c.b, c.sb)
	for _, near := range []func(*Deed) bool{
		func(d *Deed) bool { return d.Object == o.Object && d.Touches(o.Field) },
		func(d *Deed) bool { return d.Object == o.Object },
		func(*Deed) bool { return true },
	} {
		if o.Before, o.After = FirstUnlike(a, b, near); o.Before != nil || o.After != nil {
			return distance
		}
		distance++
	}
	return noCause
}
