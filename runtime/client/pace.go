package client

import (
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
)

// MaxCatchUp is the largest Config.CatchUp.
const MaxCatchUp = 1000

// Ticks that a client simulates in one frame if Config.CatchUp does not say it.
const (
	catchUp = 64 // on the way to the present
	maxStep = 16 // after a late frame
)

// pace decides how many ticks a predictor simulates in one frame, and counts the ticks that were held.
type pace struct {
	catchUp int        // ticks in one frame on the way from a keyframe to the present
	maxStep int        // ticks in one frame after a late one
	arrived bool       // the client has reached the present since the keyframe
	heldTo  world.Tick // ticks up to this one have been counted as held
	aim     world.Tick // the tick that was due in the last frame
	held    bool       // aim could not be reached
	counts  paceCounts
}

// paceCounts measures the frames of a predictor.
type paceCounts struct {
	lead   stats.Series // ticks, in frames that stepped
	tickMS stats.Series // the durations of these frames
	held   int          // ticks that were due and could not be simulated
}

// newPace returns the pace of a client that catches up by so many ticks in a frame; 0: the default.
func newPace(ticks int) pace {
	if ticks == 0 {
		return pace{catchUp: catchUp, maxStep: maxStep}
	}
	return pace{catchUp: ticks, maxStep: ticks}
}

// stepped notes a frame that stepped: its duration in milliseconds, and its lead in ticks.
func (p *pace) stepped(ms, lead float64) {
	p.counts.tickMS.Add(ms)
	p.counts.lead.Add(lead)
}

// report fills in the measurements.
func (p *pace) report(r *room.Report) {
	lead := p.counts.lead.Percentiles()
	r.Lead, r.TickMS, r.Held = &lead, p.counts.tickMS.Spread(), p.counts.held
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
		return p.maxStep
	}
	return p.catchUp
}

// passed returns how many ticks have become due since the last frame, if that is the tick that is due in this one.
func (p *pace) passed(due world.Tick) int { return max(int(due)-int(p.aim), 0) }

// begin notes which tick is due in this frame.
func (p *pace) begin(due world.Tick) { p.aim, p.held = due, false }

// next returns the tick that a client at tick now waits for. It is at most now if the client
// need not wait, because more ticks are due than one frame may simulate.
func (p *pace) next(now world.Tick) world.Tick {
	if now < p.aim && !p.held {
		return now
	}
	return max(now, p.aim) + 1
}

// stepAt returns when a client at a tick steps next; link.Never if it holds.
func (p *pace) stepAt(c *clock, tick world.Tick, now time.Duration) time.Duration {
	if p.held {
		return link.Never
	}
	return c.tickAt(p.next(tick), now)
}

// stop notes that no tick can be simulated although one is due.
func (p *pace) stop() { p.held = true }

// hold notes that the ticks after now are due and cannot be simulated. Each counts once.
func (p *pace) hold(now, due world.Tick) {
	p.stop()
	if p.heldTo < due {
		p.counts.held += int(due - max(p.heldTo, now))
		p.heldTo = due
	}
}
