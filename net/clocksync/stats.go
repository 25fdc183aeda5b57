package clocksync

import (
	"slices"
	"time"
)

// RTT describes the round trips of the samples in the window, all of them: those
// put aside count too.
type RTT struct {
	Smoothed time.Duration // running mean, an eighth of the difference a sample (as in RFC 6298)
	Median   time.Duration
	P99      time.Duration
	Jitter   time.Duration // mean distance from the median
}

// Stats tells how the clock is doing.
type Stats struct {
	Synced bool
	RTT    RTT
	Trip   time.Duration // median one-way trip
	Lead   time.Duration // what Present is ahead of HostTime, as slewed so far
	Offset time.Duration // host's clock less the client's, at the newest sample
	Bound  time.Duration // the offset isn't wrong by more than this if the clocks run alike: half the longest round trip of the Best, and what the drift made of it
	Drift  float64       // how much faster the host's clock runs, in parts per million

	Window int // samples in the window
	Used   int // of them not put aside
	Best   int // of them with the shortest round trips: the estimate is made of these

	Taken    uint64 // samples since the start
	Refused  uint64 // samples that Sample returned an error for
	Outliers uint64 // samples put aside because they contradicted the others
	Steps    uint64 // times that three such samples made the clock forget the others
	Jumps    uint64 // times that the shown host time jumped forward
	Grown    uint64 // times that the lead became longer at once, since inputs came late
	Holds    uint64 // times that the shown host time stood still to let the host catch up
}

// Stats returns the state at the newest sample and the counters since the start.
func (c *Clock) Stats() Stats {
	est := &c.window.est
	return Stats{
		Synced: c.Synced(), RTT: c.rtt.now, Trip: c.Trip(), Lead: c.lead,
		Offset: est.offsetAt(est.newest), Bound: est.maxRTT/2 + est.driftOver(est.newest-est.at).Abs(), Drift: est.drift * 1e6,
		Window: len(c.window.samples), Used: est.used, Best: est.best,
		Taken: c.count.taken, Refused: c.count.refused, Outliers: c.count.outliers,
		Steps: c.count.steps, Jumps: c.count.jumps, Holds: c.count.holds, Grown: c.count.grown,
	}
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

// update takes in the newest of the samples; there is at least one.
func (r *rttStats) update(samples []sample) {
	newest := samples[len(samples)-1].rtt
	if !r.any {
		r.any, r.now.Smoothed = true, newest
	}
	r.now.Smoothed += (newest - r.now.Smoothed) / 8
	r.sorted = r.sorted[:0]
	for i := range samples {
		r.sorted = append(r.sorted, samples[i].rtt)
	}
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
