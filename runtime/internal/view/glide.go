package view

import (
	"cmp"
	"slices"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Glide takes objects from where they were drawn to where they are drawn from now on, in glideTime, however far that
// is. They begin with the speed that they have and end with none, relative to where they go. The zero value is ready
// for use.
//
// A Decay has no end: what is far away is far away for long.
type Glide struct {
	list []glide // by object
	now  time.Duration
}

// glide is an object on its way: how far it was from its place when it began, and the rate of that.
type glide struct {
	id    world.ObjectID
	off   physics.Pose
	rate  physics.Velocity
	begun time.Duration
}

// How objects glide.
const (
	glideTime = 250 * time.Millisecond
	glideMost = 100.0 // m: what is further away jumps
)

func (g *Glide) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(g.list, id, func(m glide, id world.ObjectID) int { return cmp.Compare(m.id, id) })
}

// Advance goes on to now.
func (g *Glide) Advance(now time.Duration) {
	g.now = now
	g.list = slices.DeleteFunc(g.list, func(m glide) bool { return now-m.begun >= glideTime })
}

// Begin lets an object begin to move: off is the offset from where it would be drawn now to where it was drawn.
func (g *Glide) Begin(id world.ObjectID, off physics.Pose) {
	_, rate := g.At(id)
	i, ok := g.find(id)
	switch near := distance(off) <= decayLeast && arc(0, off.Angle) <= decayLeast && arc(0, off.Angle) >= -decayLeast; {
	case near || distance(off) > glideMost:
		if ok {
			g.list = slices.Delete(g.list, i, i+1)
		}
		return
	case !ok:
		g.list = slices.Insert(g.list, i, glide{id: id})
	}
	g.list[i] = glide{id, off, rate, g.now}
}

// At returns how far from its place an object is drawn, and the rate at which that changes.
func (g *Glide) At(id world.ObjectID) (off physics.Pose, rate physics.Velocity) {
	i, ok := g.find(id)
	if !ok {
		return off, rate
	}
	m, whole := &g.list[i], glideTime.Seconds()
	part := float64((g.now - m.begun).Seconds() / whole) // dividing by a power of two is a product
	off.X, rate.VX = hermite(m.off.X, m.rate.VX, part, whole)
	off.Y, rate.VY = hermite(m.off.Y, m.rate.VY, part, whole)
	off.Angle, rate.W = hermite(m.off.Angle, m.rate.W, part, whole)
	return off, rate
}

// Apply returns where an object is drawn whose place is p.
func (g *Glide) Apply(id world.ObjectID, p physics.Pose) physics.Pose {
	off, _ := g.At(id)
	return along(p, off, 1)
}

// hermite returns a distance, and its rate, after a part of the time in which it goes from x with the rate v to
// nothing.
func hermite(x, v, part, whole float64) (float64, float64) {
	left, speed := 1-part, float64(v*whole)
	at := float64(x*(1+float64(2*part))) + float64(speed*part)
	rate := float64(speed*(1-float64(3*part))) - float64(6*x*part)
	return float64(left * left * at), float64(left*rate) / whole
}
