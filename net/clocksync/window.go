package clocksync

import (
	"cmp"
	"slices"
	"time"
)

// sample is one answered ping. The offset is the host's clock less the client's. It is
// between low and high, however long either direction took.
type sample struct {
	sent, received time.Duration // by the client's clock
	rtt            time.Duration
	offset         time.Duration
	low, high      time.Duration
	outlier        bool // contradicts the others: no part of the estimate
}

func newSample(sent, host, received time.Duration) sample {
	rtt := received - sent
	return sample{
		sent: sent, received: received, rtt: rtt,
		offset: host - sent - rtt/2, low: host - received, high: host - sent,
	}
}

// window holds the newest samples, oldest first, and the estimate from them.
type window struct {
	samples  []sample
	best     []int // scratch: indices of the samples by round trip
	outliers int   // outliers in a row, up to the newest sample
	est      estimate
}

func newWindow(size int) window {
	return window{samples: make([]sample, 0, size), best: make([]int, 0, size)}
}

// newest returns when the newest sample was received; 0 if there is none.
func (w *window) newest() time.Duration {
	if n := len(w.samples); n > 0 {
		return w.samples[n-1].received
	}
	return 0
}

// roundTrips appends the round-trip times of all samples, oldest first.
func (w *window) roundTrips(to []time.Duration) []time.Duration {
	for i := range w.samples {
		to = append(to, w.samples[i].rtt)
	}
	return to
}

// offsetAt returns the estimated offset at a client's time.
func (w *window) offsetAt(now time.Duration) time.Duration { return w.est.offsetAt(now) }

// describe writes what the window holds into st.
func (w *window) describe(st *Stats) {
	st.Samples.Kept = len(w.samples)
	w.est.describe(st)
}

// has reports whether there is a sample of the ping that was sent at this time.
func (w *window) has(sent time.Duration) bool {
	return slices.ContainsFunc(w.samples, func(s sample) bool { return s.sent == sent })
}

// add takes in a sample and forgets those that are too old or too many. It returns whether
// the sample is an outlier, and whether the window therefore forgot the others.
func (w *window) add(s sample, maxAge time.Duration, keep int, slack time.Duration) (odd, step bool) {
	w.expire(s.received-maxAge, keep)
	s.outlier = w.contradicts(s, slack)
	w.outliers++
	if !s.outlier {
		w.outliers = 0
	}
	w.samples = append(w.samples, s)
	if step = w.outliers == outlierLimit; step {
		w.restart()
	}
	w.est = w.estimate()
	return s.outlier, step
}

// contradicts reports whether no single offset explains both s and the samples that are no
// outliers, even if the host's times are wrong by slack. The drift so far is taken into
// account.
func (w *window) contradicts(s sample, slack time.Duration) bool {
	for i := range w.samples {
		old := &w.samples[i]
		if old.outlier {
			continue
		}
		moved := w.est.driftOver(s.received - old.received)
		if s.low > old.high+moved+slack || s.high < old.low+moved-slack {
			return true
		}
	}
	return false
}

// expire makes room for one sample, and drops those received before a time. It keeps the
// newest keep-1, so that the first sample after a long silence does not decide alone.
func (w *window) expire(before time.Duration, keep int) {
	drop := 0
	if len(w.samples) == cap(w.samples) {
		drop = 1
	}
	for drop < len(w.samples)-(keep-1) && w.samples[drop].received < before {
		drop++
	}
	w.samples = w.samples[:copy(w.samples, w.samples[drop:])]
}

// restart makes the newest outlierLimit samples the only ones that are no outliers.
func (w *window) restart() {
	first := len(w.samples) - outlierLimit
	for i := range w.samples {
		w.samples[i].outlier = i < first
	}
	w.outliers = 0
}

// byRTT returns the indices of the samples that are no outliers, by round trip, then the
// newest first.
func (w *window) byRTT() []int {
	w.best = w.best[:0]
	for i := range w.samples {
		if !w.samples[i].outlier {
			w.best = append(w.best, i)
		}
	}
	slices.SortFunc(w.best, func(a, b int) int {
		if d := cmp.Compare(w.samples[a].rtt, w.samples[b].rtt); d != 0 {
			return d
		}
		return cmp.Compare(b, a)
	})
	return w.best
}
