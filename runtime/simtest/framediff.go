package simtest

import (
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// FrameDiff compares each view of a client with the one before. The zero value is ready for use.
type FrameDiff struct {
	// Speed is how fast bodies may move whose velocity is less, in m/s: hooks move kinematic ones without one.
	Speed float64

	view, last room.View
	index      map[world.ObjectID]int // in last.Bodies
	seconds    float64                // since the last frame
	at         time.Duration
}

// Look takes the present view of a client as the next frame, and returns it. It is valid until the
// next call.
func (d *FrameDiff) Look(c *client.Client, now time.Duration) *room.View {
	d.view, d.last = d.last, d.view
	d.seconds, d.at = (now - d.at).Seconds(), now
	if d.index == nil {
		d.index = map[world.ObjectID]int{}
	}
	clear(d.index)
	for i := range d.last.Bodies {
		d.index[d.last.Bodies[i].ID] = i
	}
	c.View(&d.view)
	return &d.view
}

// Present returns the moment that the frame shows, in ticks. It is later than View.Moment, if there is one.
func (d *FrameDiff) Present() float64 { return present(&d.view) }

func present(v *room.View) float64 { return float64(v.Tick) - 1 + v.Alpha }

// Jump says how a body is drawn compared with the frame before, in metres.
type Jump struct {
	Off  float64 // from where its velocity would have taken it
	Step float64 // from where it was in the frame before
	Way  float64 // how far its speed takes it between the two frames
}

// Steps are the jumps of one body, in frames that follow each other.
type Steps []Jump

// around is how many frames before and after a step a body may have the speed of the step. An interpolated
// object takes on another speed during the time between two snapshots.
const around = 15

// Beyond adds to a series how far each step is longer than the speed of the body around it allows, in metres.
func (s Steps) Beyond(to *stats.Series) {
	for i := range s {
		way := 0.0
		for _, j := range s[max(0, i-around):min(len(s), i+around+1)] {
			way = max(way, j.Way)
		}
		to.Add(max(0, s[i].Step-way))
	}
}

// Jumps calls f for each body that the last frame had as well.
func (d *FrameDiff) Jumps(f func(b *room.ViewBody, j Jump)) {
	seconds := (d.Present() - present(&d.last)) / float64(max(d.view.TickRate, 1))
	for i := range d.view.Bodies {
		b := &d.view.Bodies[i]
		at, seen := d.index[b.ID]
		if !seen {
			continue
		}
		was := &d.last.Bodies[at]
		speed := max(math.Hypot(b.VX, b.VY), math.Hypot(was.VX, was.VY), d.Speed)
		f(b, Jump{
			Off:  math.Hypot(b.X-was.X-float64((b.VX+was.VX)/2*seconds), b.Y-was.Y-float64((b.VY+was.VY)/2*seconds)),
			Step: math.Hypot(b.X-was.X, b.Y-was.Y),
			Way:  speed * d.seconds,
		})
	}
}

// Find returns a body of the frame.
func (d *FrameDiff) Find(id world.ObjectID) (b *room.ViewBody, ok bool) {
	i := slices.IndexFunc(d.view.Bodies, func(b room.ViewBody) bool { return b.ID == id })
	if i < 0 {
		return nil, false
	}
	return &d.view.Bodies[i], true
}
