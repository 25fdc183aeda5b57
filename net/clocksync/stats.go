package clocksync

import (
	"slices"
	"time"
)

// RTT describes the round trips of all samples in the window, outliers included.
type RTT struct {
	Smoothed time.Duration // a running mean, which each sample changes by an eighth of the difference, as in RFC 6298
	Median   time.Duration // half of the samples are faster
	P99      time.Duration // 99 of 100 samples are faster
	Jitter   time.Duration // the mean distance from the median
}

// Stats describes the state of a Clock at its newest sample, and counts what has
// happened since New.
type Stats struct {
	Synced bool // there are enough samples to tell the time
	RTT    RTT
	Trip   time.Duration // the median one-way trip
	Lead   time.Duration // Present less HostTime
	Offset time.Duration // the host's clock less the client's
	// the largest error of Offset, if the clocks run equally fast: half of the longest round trip of the best
	// samples, and the drift since
	Bound time.Duration
	Drift float64 // how much faster the host's clock runs, in parts per million

	Samples SampleStats
	Steps   uint64 // times that three outliers in a row made the clock forget the other samples
	Jumps   uint64 // times that HostTime jumped forwards
	// times that HostTime stood still until the host caught up, or Present because the lead was much too long
	Holds uint64
	Grown uint64 // times that the lead grew at once because inputs came late
}

// SampleStats counts the samples of a Clock.
type SampleStats struct {
	Kept int // in the window now
	Used int // of those kept: all but outliers
	Best int // of those used: the ones with the shortest round trips, which the estimate is made of

	Taken    uint64 // since New
	Refused  uint64 // those that Sample returned an error for
	Outliers uint64 // put aside because they contradicted the others
}

// Stats returns the state at the newest sample and the counters since New.
func (c *Clock) Stats() Stats {
	st := Stats{
		Synced: c.Synced(), RTT: c.rtt.now, Trip: c.Trip(), Lead: c.lead,
		Steps: c.count.steps, Jumps: c.count.jumps, Holds: c.count.holds, Grown: c.count.grown,
		Samples: SampleStats{Taken: c.count.taken, Refused: c.count.refused, Outliers: c.count.outliers},
	}
	c.window.describe(&st)
	return st
}

// RTT returns the round trips of the window.
func (c *Clock) RTT() RTT { return c.rtt.now }

// rttStats keeps the figures of the window's round trips.
type rttStats struct {
	sorted []time.Duration // scratch
	now    RTT
	any    bool
}

func newRTTStats(size int) rttStats {
	return rttStats{sorted: make([]time.Duration, 0, size)}
}

// median returns the median round trip of the window.
func (r *rttStats) median() time.Duration { return r.now.Median }

// update computes the figures of a window, which has at least one sample.
func (r *rttStats) update(w *window) {
	r.sorted = w.roundTrips(r.sorted[:0])
	newest := r.sorted[len(r.sorted)-1]
	if !r.any {
		r.any, r.now.Smoothed = true, newest
	}
	r.now.Smoothed += (newest - r.now.Smoothed) / 8
	slices.Sort(r.sorted)
	n := len(r.sorted)
	r.now.Median = (r.sorted[(n-1)/2] + r.sorted[n/2]) / 2
	r.now.P99 = r.sorted[(n*99+99)/100-1]
	var sum time.Duration
	for _, rtt := range r.sorted {
		sum += max(rtt-r.now.Median, r.now.Median-rtt)
	}
	r.now.Jitter = sum / time.Duration(n)
}
