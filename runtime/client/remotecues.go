package client

import (
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/replicate"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// remoteCues has the cues that the host sends: those of hooks that this client does not run. A cue of
// an object that is drawn with the interpolation delay waits until the moment shown reaches its tick.
type remoteCues struct {
	receiver replicate.CueReceiver
	report   func(room.CueEvent) // Config.Cues; may be nil
	arrived  []room.CueEvent     // changes of cues that do not wait, since the last frame; without ages
	waiting  view.CueQueue
	looked   time.Duration // when they were last compared with the moment shown
}

// newRemoteCues returns a part that has received nothing. report may be nil.
func newRemoteCues(report func(room.CueEvent)) remoteCues { return remoteCues{report: report} }

// read takes in a datagram. wanted reports whether the program gets a cue, which found says that the client
// would have found by itself. own gets those that the client may have guessed. A spectator shows all cues later.
func (r *remoteCues) read(
	data []byte,
	wanted func(c *world.Cue, found bool) bool,
	own func(c *world.Cue),
) error {
	changes, err := r.receiver.Read(data)
	if r.report == nil {
		return err
	}
	for i := range changes {
		c := &changes[i]
		if c.Own {
			own(c.Cue)
			continue
		}
		about := c.Cue
		if about == nil {
			about = c.Was
		}
		if wanted(about, c.Found) {
			r.take(c)
		}
	}
	return err
}

// ack returns the acknowledgement for the next InputPacket; the zero value: none is needed.
func (r *remoteCues) ack() wire.Ack { return r.receiver.Ack() }

// take takes in one change. A cue that was not shown yet changes without an event.
func (r *remoteCues) take(c *replicate.CueChange) {
	hidden := c.Was != nil && (r.waiting.Drop(c.Was) || r.unreported(c.Was))
	switch {
	case c.Cue == nil && !hidden:
		r.arrived = append(r.arrived, room.CueEvent{Kind: room.CueCancelled, Cue: *c.Was})
	case c.Cue == nil:
	case c.Was != nil && !hidden:
		r.arrived = append(r.arrived, room.CueEvent{Kind: room.CueMoved, Cue: *c.Cue, Was: *c.Was})
	case c.Later:
		r.waiting.Add(*c.Cue)
	default:
		r.arrived = append(r.arrived, room.CueEvent{Kind: room.CueFired, Cue: *c.Cue})
	}
}

// unreported removes a cue that was to fire with the next frame, and reports whether there was one.
func (r *remoteCues) unreported(was *world.Cue) bool {
	for i := range r.arrived {
		if e := &r.arrived[i]; e.Kind == room.CueFired && e.Cue.CueKey == was.CueKey && e.Cue.Same(was) {
			r.arrived = append(r.arrived[:i], r.arrived[i+1:]...)
			return true
		}
	}
	return false
}

// pending reports whether a cue waits for the moment shown.
func (r *remoteCues) pending() bool { return r.waiting.Len() > 0 }

// cueFrames is how often per tick a client checks whether a cue is due.
const cueFrames = 4

// wakeAt returns when a cue may be due, if nothing else happens before at.
func (r *remoteCues) wakeAt(at, tickLength time.Duration) time.Duration {
	if !r.pending() {
		return at
	}
	return min(at, r.looked+tickLength/cueFrames)
}

// fire reports the changes that arrived, and fires the cues of ticks up to the moment that is shown
// with the interpolation delay. present is the moment at which everything else is shown.
func (r *remoteCues) fire(now time.Duration, shown, present float64, tickLength time.Duration) {
	r.looked = now
	for _, e := range r.arrived {
		e.Age = cueAge(e.Cue.Tick, present, tickLength)
		r.report(e)
	}
	r.arrived = r.arrived[:0]
	for _, c := range r.waiting.Due(shown) {
		r.report(room.CueEvent{Kind: room.CueFired, Cue: c, Age: cueAge(c.Tick, shown, tickLength)})
	}
}

// cueAge returns how long before a moment a tick ended.
func cueAge(t world.Tick, moment float64, tickLength time.Duration) time.Duration {
	return time.Duration(max(moment-float64(t), 0) * float64(tickLength))
}
