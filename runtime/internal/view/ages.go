package view

import (
	"slices"
	"time"
)

// ages are how old the last snapshots were when they arrived.
type ages struct {
	last  [64]time.Duration
	count int
	gap   float64 // seconds between snapshots, smoothed
}

// minAges is the number of ages from which the delay is derived at the earliest.
const minAges = 8

// add notes the age of a snapshot and the seconds since the one before.
func (a *ages) add(age time.Duration, gap float64, first bool) {
	a.last[a.count%len(a.last)] = age
	a.count++
	if first || a.count == 1 {
		return
	}
	if gap = min(gap, 1); a.gap == 0 {
		a.gap = gap
	}
	a.gap += float64((gap - a.gap) / 16)
}

// delay returns the interpolation delay for these ages: the age that nine snapshots
// in ten stay below, plus the time until the next one, within the limits. Objects are extrapolated until the tenth.
func (a *ages) delay(within *Limits) time.Duration {
	if a.count < minAges {
		return within.bound(within.First)
	}
	sorted := a.last
	n := min(a.count, len(sorted))
	slices.Sort(sorted[:n])
	return within.bound(sorted[n-1-n/10] + time.Duration(a.gap*float64(time.Second)))
}

// Limits bound how a Buffer draws objects.
type Limits struct {
	First       time.Duration // the interpolation delay until the ages of enough snapshots are known
	Least, Most time.Duration // of the delay
	Extrapolate time.Duration // how long an object is drawn beyond its last sample
}

// bound returns a delay within the limits.
func (l *Limits) bound(delay time.Duration) time.Duration { return max(min(delay, l.Most), l.Least) }
