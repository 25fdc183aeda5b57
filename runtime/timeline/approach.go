package timeline

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// Approach is how near an object has come to a pose in some ticks.
type Approach struct {
	Nearest  world.PastPose // the pose nearest to it, on the way from tick to tick
	Distance float64        // from there to the pose, in metres
	Speed    float64        // the greatest speed, in metres a tick; a jump in one tick is none
	Turning  float64        // the same in radians
}

// Approach returns how near an object has come to a pose in the ticks from one to another; ok is false if
// nothing is known of where it was.
func (p *Past) Approach(at world.PastPose, from, to world.Tick) (out Approach, ok bool) {
	out.Distance = math.Inf(1)
	var last world.PastPose
	var step, turn float64
	before := false // last is the pose after t-1
	for t := from; t <= to; t++ {
		now, known := p.poses.of(t, at.ID)
		if !known {
			before = false
			continue
		}
		if !before {
			last, step, turn = now, 0, 0
		}
		if near, d := at.NearestOnWay(last, now); d < out.Distance {
			out.Nearest, out.Distance = near, d
		}
		lastStep, lastTurn := step, turn
		step, turn = last.DistanceTo(now), last.TurnTo(now)
		out.Speed, out.Turning = max(out.Speed, min(step, lastStep)), max(out.Turning, min(turn, lastTurn))
		last, before, ok = now, true, true
	}
	return out, ok
}
