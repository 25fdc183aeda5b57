package runtime

import "github.com/hindcast/hindcast/world"

// Limits of what a client does in one frame.
const (
	// catchUp is how many ticks a client simulates in one frame on the way from a
	// keyframe to the present.
	catchUp = 64
	// maxStep is how many ticks it simulates in one frame after a late frame.
	maxStep = 16
)

// pace decides how many ticks a predictor simulates in one frame, and counts the ticks that were held.
type pace struct {
	arrived bool       // the client has reached the present since the keyframe
	heldTo  world.Tick // ticks up to this one have been counted as held
}

// restart begins again with a keyframe.
func (p *pace) restart() { p.arrived = false }

// atPresent reports whether the client has reached the present since the keyframe.
func (p *pace) atPresent() bool { return p.arrived }

// arrive notes that the client has reached the present.
func (p *pace) arrive() { p.arrived = true }

// limit returns how many ticks one frame may simulate.
func (p *pace) limit() int {
	if p.arrived {
		return maxStep
	}
	return catchUp
}

// hold returns how many ticks after now are due and cannot be simulated, without those that it has
// counted before.
func (p *pace) hold(now, due world.Tick) (ticks int) {
	if p.heldTo < due {
		ticks = int(due - max(p.heldTo, now))
		p.heldTo = due
	}
	return ticks
}
