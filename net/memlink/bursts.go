package memlink

import "time"

// bursts is the bursts of loss of a line, after the model of Gilbert and Elliott: a good
// state, and a bad one in which all packets are lost, alternate after random times. The
// times are uniform: from half to one and a half of their mean in the bad state, from 0 to
// twice their mean in the good one. They are whole numbers, the same on all machines.
type bursts struct {
	seed  uint64
	count uint64 // the number of changes of state
	bad   bool
	until int64 // the microsecond of the next change
}

// longIdle is the longest time for which the changes of state are followed one by one.
// After a longer time without packets the state begins anew.
const longIdle = time.Minute

// maxGap is the longest mean time between two bursts.
const maxGap = 1000 * time.Hour

// at reports whether the state is bad at a time, which never goes back.
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

// lasts draws the duration of the present state, at least one microsecond.
func (b *bursts) lasts(p *Profile) int64 {
	b.count++
	random, burst := draw(b.seed, b.count), micros(p.Burst)
	if b.bad {
		return between(burst-burst/2, burst+burst/2, random)
	}
	gap := min(float64(burst)*(1-p.Loss)/p.Loss, float64(maxGap/time.Microsecond))
	return max(between(0, int64(2*gap), random), 1)
}
