package netbench

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// observer compares the views of one client with the host's committed states.
type observer struct {
	client   func() *runtime.Client
	pilot    *pilot
	counting bool
	figures  figures

	asked  world.Tick   // when the pilot changed its decision: the newest tick of that frame
	first  [512]guesses // by tick: what was shown of a tick first
	newest world.Tick

	view  runtime.View
	last  map[world.ObjectID]runtime.ViewBody // by the frame before
	shown float64                             // ticks, by the frame before
}

// figures are the counters of observers.
type figures struct {
	Delay     stats.Series // ticks from a key to the first state with it
	Ticks     int          // of the own ship, compared
	Wrong     int          // of them: the own ship was elsewhere, by any bit
	Own       stats.Series // m, where it was wrong: how far
	Remote    stats.Series // m, of all others' ships in all ticks
	OwnJump   stats.Series // m, from one frame to the next
	OtherJump stats.Series // m
	Stale     stats.Series // ms
}

// guesses are the ships of a tick as it was when simulated for the first time.
type guesses struct {
	tick  world.Tick
	ships []ship
}

type ship struct {
	id    world.ObjectID
	owner world.PlayerID
	pose  physics.Pose
}

func newObserver(client func() *runtime.Client, p *pilot) *observer {
	return &observer{client: client, pilot: p, last: map[world.ObjectID]runtime.ViewBody{}}
}

// count begins or stops to count.
func (o *observer) count(on bool) { o.counting = on }

// counted returns the counters.
func (o *observer) counted() *figures { return &o.figures }

// bodies returns how many bodies the last frame showed.
func (o *observer) bodies() int { return len(o.view.Bodies) }

// RestoreFrame implements runtime.Frames.
func (o *observer) RestoreFrame(world.Reader) {}

// FinalizeFrame implements runtime.Frames: it notes the ships of a tick that is new.
func (o *observer) FinalizeFrame(r world.Reader) {
	s := r.State()
	if s.Tick <= o.newest {
		return
	}
	o.newest = s.Tick
	g := &o.first[s.Tick%world.Tick(len(o.first))]
	g.tick, g.ships = s.Tick, shipsOf(s, g.ships[:0])
	o.time(s)
}

func shipsOf(s *world.State, ships []ship) []ship {
	for _, slot := range s.Run {
		if o := &s.Objects[slot]; o.Owner != 0 {
			b := s.Body(int(slot))
			ships = append(ships, ship{o.ID, o.Owner, b.Pose})
		}
	}
	return ships
}

// time measures how long the pilot's last decision took to show in its own ship.
func (o *observer) time(s *world.State) {
	me := o.client().Player()
	for _, slot := range s.Run {
		if s.Objects[slot].Owner != me {
			continue
		}
		if o.pilot.tookDecision() {
			o.asked = s.Tick
		}
		if o.pilot.seesDecision(s.Body(int(slot)).Torque) && o.counting {
			o.figures.Delay.Add(float64(s.Tick - o.asked))
		}
	}
}

// judge compares what was shown first of a tick with the committed state.
func (o *observer) judge(s *world.State) {
	g := &o.first[s.Tick%world.Tick(len(o.first))]
	if !o.counting || g.tick != s.Tick {
		return
	}
	me := o.client().Player()
	for _, was := range g.ships {
		at, ok := s.Find(was.id)
		if !ok {
			continue
		}
		b := s.Body(at)
		off := math.Hypot(b.X-was.pose.X, b.Y-was.pose.Y)
		if was.owner != me {
			o.figures.Remote.Add(off)
			continue
		}
		o.figures.Ticks++
		if b.Pose != was.pose {
			o.figures.Wrong++
			o.figures.Own.Add(off)
		}
	}
}

// look takes a frame: how far ships are from where their speed takes them since
// the frame before, and, for a spectator, how old what it shows is.
func (o *observer) look(host *runtime.Host, now time.Duration, spectates bool) {
	c := o.client()
	c.View(&o.view)
	shown := float64(o.view.Tick) - 1 + o.view.Alpha
	seconds := (shown - o.shown) / float64(max(o.view.TickRate, 1))
	for _, b := range o.view.Bodies {
		was, seen := o.last[b.ID]
		o.last[b.ID] = b
		if b.Owner == 0 || !seen || !o.counting {
			continue
		}
		jump := math.Hypot(b.X-was.X-(b.VX+was.VX)/2*seconds, b.Y-was.Y-(b.VY+was.VY)/2*seconds)
		if b.Owner == c.Player() {
			o.figures.OwnJump.Add(jump)
		} else {
			o.figures.OtherJump.Add(jump)
		}
	}
	o.shown = shown
	if spectates && o.counting {
		at := float64(host.Now()) + host.Idle(now).Seconds()*float64(o.view.TickRate)
		o.figures.Stale.Add((at - shown) * 1000 / float64(o.view.TickRate))
	}
}
