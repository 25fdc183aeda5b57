package runtime

import (
	"log/slog"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/world"
)

// spectator is the role of a client that does not simulate, and shows the snapshots that the host
// sends. It can steer objects.
type spectator struct {
	bystander
	steers  steering
	log     *slog.Logger
	onCue   func(CueEvent) // ClientConfig.Cues; may be nil
	waiting view.CueQueue  // cues that it has received and not shown
	looked  time.Duration  // the time of the last frame
}

// begin takes the world of a keyframe, which has the shapes of walls, and the objects of the player.
func (o *spectator) begin(c *endpoint, _ time.Duration, s *world.State, script world.Script, _ *wire.Keyframe) error {
	o.steers.begin(c, s, script.Schema(), o.log)
	return nil
}

func (o *spectator) record(r *wire.Record, _ uint32) error {
	o.steers.record(r)
	return nil
}

// frame fires the cues that are due, and sends inputs at the pace of the clock.
func (o *spectator) frame(c *endpoint, now time.Duration) error {
	o.looked = now
	if c.Replica.begun() && o.waiting.Len() > 0 {
		c.Replica.show(c.Clock.frame(now, o.status().Now))
		o.fireDue(c.Replica.moment())
	}
	o.steers.frame(c, now, true)
	return nil
}

// cueFrames is how often per tick a spectator checks whether a cue is due.
const cueFrames = 4

// wakeAt returns when a tick or perhaps a cue is due, or something is to be sent.
func (o *spectator) wakeAt(c *endpoint, now time.Duration) time.Duration {
	at := o.steers.wakeAt(c, now)
	if c.Replica.begun() && o.waiting.Len() > 0 {
		at = min(at, o.looked+c.Clock.tickLength()/cueFrames)
	}
	return at
}

// snapshot requests a keyframe when there is an object of this player that the client cannot
// steer yet.
func (o *spectator) snapshot(c *endpoint, m *wire.Snapshot) {
	for i := range m.Entities {
		if e := &m.Entities[i]; c.Replica.schema().Classes[e.Class].Hooks.Has(world.ApplyInput) {
			o.steers.seek(e.ID, e.Owner, e.Tick)
		}
	}
}

// view fills v with the moment that snapshots show.
func (o *spectator) view(v *View, r *replica, t frameTime, names map[world.PlayerID]string) {
	r.showSpectated(v, o.status().World, t)
	v.present(names)
}

func (o *spectator) status() roleStatus { return o.steers.status() }

// cueUpdates handles cue updates from the host.
func (o *spectator) cueUpdates(m wire.Cues) {
	if o.onCue == nil {
		return
	}
	q := &o.waiting
	for i := range m.Updates {
		e := &m.Updates[i]
		switch e.Change {
		case wire.CueFired:
			q.Add(e.Cue)
		case wire.CueMoved:
			if q.Drop(e.Was) {
				q.Add(e.Cue)
			} else {
				o.onCue(CueEvent{CueMoved, e.Cue, world.Cue{CueKey: e.Was}})
			}
		case wire.CueCancelled:
			if !q.Drop(e.Cue.CueKey) {
				o.onCue(CueEvent{Kind: CueCancelled, Cue: e.Cue})
			}
		}
	}
}

// fireDue fires the cues of the ticks up to the moment that is shown.
func (o *spectator) fireDue(moment float64) {
	for _, cue := range o.waiting.Due(moment) {
		o.onCue(CueEvent{Kind: CueFired, Cue: cue})
	}
}
