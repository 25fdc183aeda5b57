package gametest

import "time"

const (
	// trialWork is how much counted work a trial run may be. What it reaches so depends on nothing but the game.
	trialWork = 15 * time.Second
	// trialTime is how long it may take. Only a machine that is slow or busy takes so long for that work.
	trialTime = 120 * time.Second
)

// used is what a trial run has taken.
type used struct {
	stopwatch func() time.Duration
	began     time.Duration
	work      time.Duration // counted, of the ticks and frames that have ended
	most      time.Duration // how much that may be
}

// limit ends a part of a trial run, within a tick, too, with what it has found.
type limit struct {
	*used
	share float64 // of what the trial run may take
}

// newLimit begins a trial run of at most some work.
func newLimit(stopwatch func() time.Duration, most time.Duration) *limit {
	return &limit{&used{stopwatch: stopwatch, began: stopwatch(), most: most}, 1}
}

// half returns the limit of a part after which others follow.
func (l *limit) half() *limit { return &limit{l.used, l.share / 2} }

// late reports whether the trial run takes too long.
func (l *limit) late() bool { return l.clock() > 1 }

// over reports whether the trial run has taken what it may, with more work in the tick that runs.
func (l *limit) over(more time.Duration) bool { return l.counted(more) > 1 || l.late() }

// spent returns the share that has been taken.
func (l *limit) spent() float64 { return max(l.counted(0), l.clock()) }

func (l *limit) counted(more time.Duration) float64 {
	return float64(l.work+more) / (float64(l.most) * l.share)
}

func (l *limit) clock() float64 {
	return float64(l.stopwatch()-l.began) / (float64(trialTime) * l.share)
}
