package client

import (
	"time"

	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// presentation is the state that a predictor needs to draw objects without jumps.
type presentation struct {
	used     bool         // the program calls View
	decay    view.Decay   // of the objects drawn at the present
	drawn    []view.Drawn // the drawn poses before a Rewind
	blend    view.Blend
	carrying carrying
	frame    lastFrame
}

// A frameTime is when a frame is drawn.
type frameTime struct {
	now    time.Duration
	host   time.Duration // the time of the host
	synced bool          // host is valid
	alpha  float64       // the part of the present tick that has passed, 0 to 1
}

// showPresent moves the bodies of a view of the present to their drawn poses between the
// last two ticks.
func (p *presentation) showPresent(v *room.View, tl *timeline.Timeline, t frameTime) {
	p.used = true
	p.decay.Advance(t.now)
	v.Alpha = t.alpha
	for i := range v.Bodies {
		b := &v.Bodies[i]
		if at, ok := poseBetween(tl, b.ID, t.alpha); ok {
			b.Pose = p.decay.Apply(b.ID, at)
		}
	}
	v.Blend(tl, t.alpha)
}

// poseBetween returns the pose of an object after a part of the present tick.
func poseBetween(tl *timeline.Timeline, id world.ObjectID, alpha float64) (at physics.Pose, ok bool) {
	b := view.BodyOf(tl.At(tl.Now()), id)
	if b == nil {
		return physics.Pose{}, false
	}
	tickSeconds := 1 / float64(tl.World().Schema().Setup.TickRate)
	return view.Between(view.BodyOf(tl.At(tl.Now()-1), id), b, alpha, tickSeconds), true
}

// noteDrawn saves, before a Rewind, where every object would be drawn, except carried ones, which are
// drawn at their holders, and culled ones.
func (p *presentation) noteDrawn(tl *timeline.Timeline, t frameTime) {
	p.drawn = p.drawn[:0]
	if !p.used {
		return
	}
	s := tl.At(tl.Now())
	for _, slot := range s.Run {
		id := s.Objects[slot].ID
		if s.Objects[slot].Culled {
			continue
		}
		if at, ok := poseBetween(tl, id, t.alpha); ok && !p.carrying.carried(id) {
			p.drawn = append(p.drawn, view.Drawn{ID: id, At: at})
		}
	}
}

// hideJumps makes objects that a Rewind has moved continue from where they were drawn.
func (p *presentation) hideJumps(tl *timeline.Timeline, t frameTime) {
	p.decay.Advance(t.now)
	for _, d := range p.drawn {
		if at, ok := poseBetween(tl, d.ID, t.alpha); ok {
			p.decay.Displace(d.ID, view.Offset(at, d.At))
		}
	}
}
