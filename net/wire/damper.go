package wire

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// damper computes how damping slows a body down: each sub-step of the physics
// divides its velocity. All machines get the same results.
type damper struct {
	keep uint64  // what a tick leaves of a velocity, in 2^-31ths
	step float64 // seconds of a sub-step
	tick course
}

// course describes n sub-steps, each taken as one unit of time. A velocity of 1
// becomes left and moves the body by gain. A constant acceleration of 1 makes a
// velocity of gain and moves the body by way.
type course struct{ n, left, gain, way float64 }

// then returns the course a followed by the course b.
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

// glide describes how a body moves for some time under a constant acceleration:
// keep is what damping leaves of its velocity; the distance is first times the
// velocity at the beginning plus last times that at the end.
type glide struct {
	keep        uint64 // in 2^-31ths
	first, last int64  // seconds, in 2^-24ths
}

// maxGlideTicks is the longest time for which a distance is computed.
const maxGlideTicks = 2048

// over returns the glide of some ticks.
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
	return glide{
		keep:  power(d.keep, ticks),
		first: seconds(d.step * (all.gain - float64(all.left*last))),
		last:  seconds(d.step * last),
	}
}

// secondUnits is how many units of glide.first and glide.last make a second.
const secondUnits = 1 << 24

func seconds(v float64) int64 { return int64(math.Floor(float64(v*secondUnits) + 0.5)) }

// damped returns what damping leaves of a velocity.
func (g *glide) damped(v int64) int64 { return scale(v, g.keep) }

// way returns the distance between velocities v0 and v1, where a velocity of 1
// moves a body by so many units a second.
func (g *glide) way(v0, v1, units int64) int64 {
	return divide((v0*g.first+v1*g.last)*units, secondUnits)
}

// duration returns the time by which an equal error of both velocities is
// multiplied to give that of the distance, in secondUnits.
func (g *glide) duration() int64 { return g.first + g.last }

// keepOne is the share of an undamped velocity, in 2^-31ths.
const keepOne = 1 << 31

// power returns a share to the power of n.
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

// scale returns v times a share, rounded.
func scale(v int64, share uint64) int64 {
	if v < 0 {
		return -scale(-v, share)
	}
	return int64((uint64(v)*share + keepOne/2) >> 31)
}

// divide returns a/b, rounded to the nearest. b is positive.
func divide(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

func size(v int64) int64 { return max(v, -v) }
