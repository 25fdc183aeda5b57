package runtime

import "github.com/hindcast/hindcast/runtime/timeline"

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
	a, b := timeline.Deeds(was.changes, was.faults, c.a, c.sa), timeline.Deeds(is.changes, is.faults, c.b, c.sb)
	for _, near := range []func(*timeline.Deed) bool{
		func(d *timeline.Deed) bool { return d.Object == o.Object && d.Touches(o.Field) },
		func(d *timeline.Deed) bool { return d.Object == o.Object },
		func(*timeline.Deed) bool { return true },
	} {
		if o.Before, o.After = timeline.FirstUnlike(a, b, near); o.Before != nil || o.After != nil {
			return distance
		}
		distance++
	}
	return noCause
}
