package wire

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// damper is how damping takes speed from a body: each sub-step of the physics divides it.
// All machines compute the same with it.
type damper struct {
	keep uint64  // what a tick leaves of a speed, in 2^-31ths
	step float64 // seconds of a sub-step
	tick course
}

// course is what becomes of a body in n sub-steps of a second each: a speed of 1 is left
// as left, a push of 1 makes a speed of gain, and takes it as far as way; a speed of 1 that far
// as gain.
type course struct{ n, left, gain, way float64 }

// then is one course after another.
func (a course) then(b course) course {
	return course{n: a.n + b.n, left: a.left * b.left, gain: a.gain + float64(a.left*b.gain),
		way: a.way + float64(a.gain*b.n) + float64(a.left*b.way)}
}

func newDamper(damping float64, setup *world.Setup) damper {
	steps := max(setup.Substeps, 1)
	d := damper{step: setup.DT() / float64(steps), tick: course{left: 1}}
	left := 1 / (1 + float64(d.step*damping))
	for range steps {
		d.tick = d.tick.then(course{n: 1, left: left, gain: left, way: left})
	}
	d.keep = uint64(math.Floor(float64(d.tick.left * keepOne)))
	return d
}

// glide is how a body goes on for a while in which what pushes it stays the same: what is
// left of its speed by itself, and how far it comes, first times its speed at the
// beginning and last times that at the end.
type glide struct {
	keep        uint64 // in 2^-31ths
	first, last int64  // seconds, in 2^-24ths
}

// maxGlideTicks is the longest time, in ticks, for which a way is reckoned.
const maxGlideTicks = 2048

// over is the glide of some ticks.
func (d *damper) over(ticks int64) glide {
	if ticks <= 0 {
		return glide{keep: keepOne}
	}
	all, part := course{left: 1}, d.tick
	for n := min(ticks, maxGlideTicks); n > 0; n >>= 1 {
		if n&1 != 0 {
			all = all.then(part)
		}
		part = part.then(part)
	}
	last := all.way / all.gain
	return glide{keep: power(d.keep, ticks), first: seconds(d.step * (all.gain - float64(all.left*last))), last: seconds(d.step * last)}
}

// secondUnits is how fine the times of a glide are.
const secondUnits = 1 << 24

func seconds(v float64) int64 { return int64(math.Floor(float64(v*secondUnits) + 0.5)) }

// way is how far one comes who was so fast at the beginning and at the end, in units of
// which a speed has one a second for each of so many.
func (g *glide) way(was, is, units int64) int64 {
	return divide((was*g.first+is*g.last)*units, secondUnits)
}

// keepOne is what is kept of a speed that is not damped: a share in 2^-31ths.
const keepOne = 1 << 31

// power is a share to the power of n.
func power(share uint64, n int64) uint64 {
	out := uint64(keepOne)
	for ; n > 0 && out > 0; n >>= 1 {
		if n&1 != 0 {
			out = out * share >> 31
		}
		share = share * share >> 31
	}
	return out
}

// scale is v times a share, rounded.
func scale(v int64, share uint64) int64 {
	if v < 0 {
		return -scale(-v, share)
	}
	return int64((uint64(v)*share + keepOne/2) >> 31)
}

// divide rounds to the nearest. b is above 0.
func divide(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

func size(v int64) int64 { return max(v, -v) }
