package memlink

import "time"

// bursts are the stretches of time in which a line loses everything, after the
// model of Gilbert and Elliott: a good state and a bad one, which change after
// random times. Those are uniform, from half to one and a half times their mean in
// the bad state, from nothing to twice their mean in the good one: whole numbers, so
// that every machine has the same.
type bursts struct {
	seed  uint64
	count uint64 // changes of state
	bad   bool
	until int64 // microsecond of the next change
}

// longIdle is how far behind the state may be to be followed change by change:
// beyond, it begins anew.
const longIdle = time.Minute

// maxGap is the longest mean time between two bursts.
const maxGap = 1000 * time.Hour

// at tells whether the state is bad at a time, which never goes back.
func (b *bursts) at(now int64, p *Profile) bool {
	if now-b.until > micros(longIdle) {
		b.bad, b.until = false, now+b.lasts(p)
	}
	for b.until <= now {
		b.bad = !b.bad
		b.until += b.lasts(p)
	}
	return b.bad
}

// lasts draws how long the present state lasts, at least a microsecond.
func (b *bursts) lasts(p *Profile) int64 {
	b.count++
	random, burst := draw(b.seed, b.count), micros(p.Burst)
	if b.bad {
		return between(burst-burst/2, burst+burst/2, random)
	}
	gap := min(float64(burst)*(1-p.Loss)/p.Loss, float64(maxGap/time.Microsecond))
	return max(between(0, int64(2*gap), random), 1)
}
