package view

import "time"

// Limits bound how a Buffer draws objects.
type Limits struct {
	First       time.Duration // the interpolation delay until the ages of enough snapshots are known
	Least, Most time.Duration // of the delay
	Extrapolate time.Duration // how long an object is drawn beyond its last sample
}

// bound returns a delay within the limits.
func (l *Limits) bound(delay time.Duration) time.Duration { return max(min(delay, l.Most), l.Least) }
