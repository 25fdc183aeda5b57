package view

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Decay hides corrections. When an object is moved from where it is drawn, it is drawn
// with the error, which then shrinks to zero. The zero value hides nothing yet.
//
// An error is a critically damped spring. It shrinks slowly at first, so that the object
// does not jerk, and does not overshoot.
type Decay struct {
	// MaxSpeed is how fast an error may shrink, in m/s, so that a large one does not look like a
	// jump; 0: 4.5.
	MaxSpeed float64
	// MaxError is the greatest error that is hidden, in metres; 0: 6.
	MaxError float64

	errors []drawError // by object
	now    time.Duration
}

// drawError is the difference between where an object is drawn and where it is, and the
// rate at which that changes, in metres, radians and seconds.
type drawError struct {
	id   world.ObjectID
	off  physics.Pose
	rate physics.Velocity
	fade float64 // the rate of its spring, 1/s
}

// How errors decay.
const (
	decayRate  = 9.0  // 1/s: half of an error is left after 0.2 s, 6 % after 0.5 s
	decaySpeed = 4.5  // m/s: 7.5 cm in a frame
	decayTurn  = 3.0  // rad/s
	decayReach = 1.0  // m from the middle of an object to what it carries, which moves as both together at most by MaxSpeed
	decaySnap  = 6.0  // m: a greater error is not hidden, unless MaxError says otherwise
	decayLeast = 1e-4 // m or rad: a smaller error counts as none
)

func (d *Decay) maxSpeed() float64 {
	if d.MaxSpeed > 0 {
		return d.MaxSpeed
	}
	return decaySpeed
}

func (d *Decay) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(
		d.errors,
		id,
		func(e drawError, id world.ObjectID) int { return cmp.Compare(e.id, id) },
	)
}

// Advance lets the errors decay until now.
func (d *Decay) Advance(now time.Duration) {
	seconds := (now - d.now).Seconds()
	d.now = now
	if seconds <= 0 {
		return
	}
	kept := d.errors[:0]
	for _, e := range d.errors {
		was, fade := e.off, math.Exp(float64(-e.fade*seconds))
		e.off.X, e.rate.VX = spring(e.off.X, e.rate.VX, e.fade, seconds, fade)
		e.off.Y, e.rate.VY = spring(e.off.Y, e.rate.VY, e.fade, seconds, fade)
		e.off.Angle, e.rate.W = spring(e.off.Angle, e.rate.W, e.fade, seconds, fade)
		e.slow(was, d.maxSpeed(), seconds)
		if distance(e.off) > decayLeast || math.Abs(e.off.Angle) > decayLeast {
			kept = append(kept, e)
		}
	}
	d.errors = kept
}

// slow makes an error that has changed since it was what it was, some seconds ago, change at most by a speed: what
// displaces an object that is still on its way adds to the speed that it has.
func (e *drawError) slow(was physics.Pose, most, seconds float64) {
	turn := arc(was.Angle, e.off.Angle)
	turn = max(float64(-decayTurn*seconds), min(turn, float64(decayTurn*seconds)))
	way := Offset(was, e.off)
	part := min(1, float64(most*seconds)/(distance(way)+math.Abs(float64(turn*decayReach))))
	e.off.X, e.off.Y = was.X+float64(way.X*part), was.Y+float64(way.Y*part)
	e.off.Angle = was.Angle + float64(turn*part)
	e.rate.W = max(-decayTurn, min(e.rate.W, decayTurn))
	part = min(1, most/(speed(e.rate)+math.Abs(float64(e.rate.W*decayReach))))
	e.rate.VX, e.rate.VY, e.rate.W = float64(e.rate.VX*part), float64(e.rate.VY*part), float64(e.rate.W*part)
}

// spring solves the equation of a critically damped spring for an error x that changes by v. fade is
// exp(-rate * seconds).
func spring(x, v, rate, seconds, fade float64) (float64, float64) {
	c := v + float64(rate*x)
	return float64((x + float64(c*seconds)) * fade), float64((v - float64(rate*c*seconds)) * fade)
}

// Displace notes that an object was moved. off is the offset from where it would be
// drawn now to where it was drawn.
func (d *Decay) Displace(id world.ObjectID, off physics.Pose) {
	i, ok := d.find(id)
	if !ok {
		if distance(off) <= decayLeast && math.Abs(off.Angle) <= decayLeast {
			return
		}
		d.errors = slices.Insert(d.errors, i, drawError{id: id})
	}
	e := &d.errors[i]
	e.off, e.fade = along(e.off, off, 1), decayRate
	// from rest, an error of a spring shrinks at most by its length times rate/e a second
	turn := math.Abs(e.off.Angle)
	e.fade = min(decayRate, float64(d.maxSpeed()*math.E)/(distance(e.off)+float64(turn*decayReach)), decayTurn*math.E/turn)
	if distance(e.off) > max(d.MaxError, decaySnap) {
		d.errors = slices.Delete(d.errors, i, i+1)
	}
}

// Idle reports whether no object has an error.
func (d *Decay) Idle() bool { return len(d.errors) == 0 }

// Apply returns where an object at p is drawn.
func (d *Decay) Apply(id world.ObjectID, p physics.Pose) physics.Pose {
	if i, ok := d.find(id); ok {
		return along(p, d.errors[i].off, 1)
	}
	return p
}
