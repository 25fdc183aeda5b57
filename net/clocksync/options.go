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

	// slewDivisor: times are corrected by at most 1/50 (2 %) of the time that passed.
	slewDivisor = 50
	// outlierLimit samples in a row that contradict the others replace them.
	outlierLimit = 3
	// bestDivisor: the offset is the mean of the quarter with the shortest round trips ...
	bestDivisor = 4
	// ... of at least so many samples, ...
	bestLeast = 3
	// The drift is read from the half with the shortest round trips ...
	driftDivisor = 2
	// ... if that is at least so many samples.
	driftLeast = 8
	// maxAhead is how far past the newest sample a drift is carried on.
	maxAhead = time.Second
	// maxRTT is the longest round trip that is taken as a sample.
	maxRTT = time.Minute
	// maxTime bounds every time handed in, so that sums can't overflow.
	maxTime = time.Duration(1) << 60
)

// The reasons for which Sample refuses a sample.
var (
	// ErrTime: a time is negative, beyond 36 years, or the answer came before
	// the question or before an earlier answer, or more than a minute after the question.
	ErrTime = errors.New("clocksync: sample refused: its times can't be right")
	// ErrDuplicate: the ping with this sending time is among the samples already.
	ErrDuplicate = errors.New("clocksync: sample refused: this ping has been answered before")
)

// Options of a Clock. The zero value of a field means its default.
type Options struct {
	Window     int           // samples kept; default 64
	MaxAge     time.Duration // older samples are forgotten, but for the newest MinSamples; default 10 s
	MinSamples int           // samples before the clock counts as synced; default 5
	JumpLimit  time.Duration // an error beyond this isn't slewed; default 250 ms
	Tick       time.Duration // length of a tick: the error allowed in a host's time stamp; default 1/60 s
	Margin     time.Duration // how long before they are due inputs should come; below 0: after; within 5 s; default 0
}

// withDefaults fills in what is zero (or negative) and bounds the rest.
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
