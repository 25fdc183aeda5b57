package clocksync

import (
	"errors"
	"time"
)

// Defaults of Options, and limits that need no option.
const (
	defaultWindow     = 64
	defaultMaxAge     = 10 * time.Second
	defaultMinSamples = 5
	defaultJumpLimit  = 250 * time.Millisecond
	defaultTick       = time.Second / 60

	// slewDivisor: times are corrected by at most 1/50 (2 %) of the time that passes.
	slewDivisor = 50
	// outlierLimit outliers in a row replace the other samples.
	outlierLimit = 3
	// bestDivisor: the offset is the mean of the quarter of samples with the shortest round
	// trips ...
	bestDivisor = 4
	// ... and of at least bestLeast samples.
	bestLeast = 3
	// driftDivisor: the drift is taken from the half with the shortest round trips ...
	driftDivisor = 2
	// ... if these are at least driftLeast samples.
	driftLeast = 8
	// maxAhead is how far past the newest sample a drift is extrapolated.
	maxAhead = time.Second
	// maxRTT is the longest round trip of a sample.
	maxRTT = time.Minute
	// maxTime bounds all times, so that sums cannot overflow.
	maxTime = time.Duration(1) << 60
)

// The errors of Sample.
var (
	// ErrTime is the error of impossible times: one is negative or beyond 36 years, or the
	// answer was received before the ping was sent, more than a minute after it, or before
	// an earlier answer.
	ErrTime = errors.New("clocksync: sample refused: its times can't be right")
	// ErrDuplicate is the error of a second sample of one ping.
	ErrDuplicate = errors.New("clocksync: sample refused: this ping has been answered before")
)

// Options configures a Clock. The zero value of a field means its default.
type Options struct {
	Window     int           // the number of samples kept; default 64
	MaxAge     time.Duration // older samples are forgotten, except the newest MinSamples; default 10 s
	MinSamples int           // the number of samples after which the clock is synced; default 5
	JumpLimit  time.Duration // an error beyond this is not slewed; default 250 ms
	Tick       time.Duration // the length of a tick, which is the tolerated error of the host's times; default 1/60 s
	// how long before they are due inputs should arrive; below 0: after; at most 5 s either way; default 0
	Margin time.Duration
}

// withDefaults replaces zeros and negative values by the defaults, and bounds the rest.
func (o Options) withDefaults() Options {
	if o.MinSamples <= 0 {
		o.MinSamples = defaultMinSamples
	}
	if o.Window <= 0 {
		o.Window = defaultWindow
	}
	o.Window = max(o.Window, o.MinSamples, outlierLimit)
	if o.MaxAge <= 0 {
		o.MaxAge = defaultMaxAge
	}
	if o.JumpLimit <= 0 {
		o.JumpLimit = defaultJumpLimit
	}
	if o.Tick <= 0 {
		o.Tick = defaultTick
	}
	o.Margin = min(max(o.Margin, -maxLead), maxLead)
	return o
}
