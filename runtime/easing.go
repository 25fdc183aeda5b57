package runtime

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// easing hides from who looks that a prediction was wrong. When what is known
// moves a body from where it is drawn, it is drawn with the error, which then
// dies away. The simulation never hears of it.
//
// The error is a critically damped spring: it begins to shrink slowly, so that
// the picture does not jerk, and never swings past 0.
type easing struct {
	lags []lag // by object
	at   time.Duration
}

// lag is by how much an object is drawn elsewhere than it is, and how fast that
// changes, in metres, radians and seconds.
type lag struct {
	id    world.ObjectID
	off   physics.Pose
	speed physics.Velocity
}

// How errors die away.
const (
	easeRate  = 9.0  // 1/s: after 0.2 s, half is left of an error; after 0.5 s, 6 %
	easeSnap  = 3.0  // m: a greater error is not hidden
	easeLeast = 1e-4 // m or rad: what is smaller is none
)

func (e *easing) find(id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(e.lags, id, func(l lag, id world.ObjectID) int { return cmp.Compare(l.id, id) })
}

// to lets errors die away until now.
func (e *easing) to(now time.Duration) {
	seconds := (now - e.at).Seconds()
	e.at = now
	if seconds <= 0 {
		return
	}
	fade := math.Exp(-easeRate * seconds)
	kept := e.lags[:0]
	for _, l := range e.lags {
		l.off.X, l.speed.VX = ease(l.off.X, l.speed.VX, seconds, fade)
		l.off.Y, l.speed.VY = ease(l.off.Y, l.speed.VY, seconds, fade)
		l.off.Angle, l.speed.W = ease(l.off.Angle, l.speed.W, seconds, fade)
		if distance(l.off) > easeLeast || math.Abs(l.off.Angle) > easeLeast {
			kept = append(kept, l)
		}
	}
	e.lags = kept
}

// ease is the spring: x” = -2 r x' - r² x.
func ease(x, v, seconds, fade float64) (float64, float64) {
	c := v + float64(easeRate*x)
	return float64((x + float64(c*seconds)) * fade), float64((v - float64(easeRate*c*seconds)) * fade)
}

// moved notes that an object is not where it was drawn but off that by an
// error, which is hidden unless it is too great.
func (e *easing) moved(id world.ObjectID, by physics.Pose) {
	i, ok := e.find(id)
	if !ok {
		if distance(by) <= easeLeast && math.Abs(by.Angle) <= easeLeast {
			return
		}
		e.lags = slices.Insert(e.lags, i, lag{id: id})
	}
	l := &e.lags[i]
	l.off = along(l.off, by, 1)
	if distance(l.off) > easeSnap {
		e.lags = slices.Delete(e.lags, i, i+1)
	}
}

// drawn is where an object is drawn that is at p.
func (e *easing) drawn(id world.ObjectID, p physics.Pose) physics.Pose {
	if i, ok := e.find(id); ok {
		return along(p, e.lags[i].off, 1)
	}
	return p
}
