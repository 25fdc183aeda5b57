package clocksync

import (
	"math"
	"time"
)

// estimate is the offset, the host's clock less the client's, as a line over the client's
// time.
type estimate struct {
	used   int           // samples that are no outliers
	best   int           // of these, the ones with the shortest round trips: the offset is their mean
	maxRTT time.Duration // the longest round trip among the best
	newest time.Duration // when the newest sample was received
	at     time.Duration // the mean time of the best ...
	offset time.Duration // ... and their mean offset
	drift  float64       // the change of the offset per unit of time
}

// offsetAt returns the offset at a client's time. The drift is extrapolated for at most
// maxAhead past the newest sample.
func (e *estimate) offsetAt(now time.Duration) time.Duration {
	return e.offset + e.driftOver(min(now, e.newest+maxAhead)-e.at)
}

// driftOver returns the change of the offset in a span of time.
func (e *estimate) driftOver(span time.Duration) time.Duration {
	return time.Duration(math.Floor(e.drift * float64(span)))
}

// describe writes what the estimate says into st.
func (e *estimate) describe(st *Stats) {
	st.Offset = e.offsetAt(e.newest)
	st.Bound = e.maxRTT/2 + e.driftOver(e.newest-e.at).Abs()
	st.Drift = e.drift * 1e6
	st.Samples.Used, st.Samples.Best = e.used, e.best
}

// estimate averages the samples with the shortest round trips. The drift is taken from
// more samples: it needs a long span of time more than precision. There is at least one
// sample, since an outlier contradicts others.
func (w *window) estimate() estimate {
	order := w.byRTT()
	n := min(len(order), max(len(order)/bestDivisor, bestLeast))
	e := estimate{used: len(order), best: n}
	e.newest = w.samples[len(w.samples)-1].received
	e.maxRTT = w.samples[order[n-1]].rtt
	e.at, e.offset = w.mean(order[:n])
	if better := len(order) / driftDivisor; better >= driftLeast {
		e.drift = w.drift(order[:better])
	}
	return e
}

// mean returns the mean time and the mean offset of some samples. It sums differences from
// one of them, since the times may be large.
func (w *window) mean(of []int) (at, offset time.Duration) {
	first := &w.samples[of[0]]
	for _, i := range of {
		at += w.samples[i].received - first.received
		offset += w.samples[i].offset - first.offset
	}
	n := time.Duration(len(of))
	return first.received + at/n, first.offset + offset/n
}

// drift returns the slope of the least-squares line through some samples, reduced by what
// may be chance: nothing is left of a slope of four standard errors, nearly everything of
// one of twenty. It is at most the speed at which the clock can follow.
func (w *window) drift(of []int) float64 {
	at, offset := w.mean(of)
	var xx, xy, yy float64
	for _, i := range of {
		x := float64(w.samples[i].received - at)
		y := float64(w.samples[i].offset - offset)
		xx += float64(x * x)
		xy += float64(x * y)
		yy += float64(y * y)
	}
	if xx == 0 || xy == 0 {
		return 0
	}
	slope := xy / xx
	rest := math.Max(yy-float64(slope*xy), 0) // what the line leaves unexplained
	errSquared := rest / float64(len(of)-2) / xx
	trust := 1 - 16*errSquared/(slope*slope)
	if trust <= 0 {
		return 0
	}
	const most = 1.0 / slewDivisor
	return math.Min(math.Max(slope*trust, -most), most)
}
