package netbench

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/runtime/client"
	"github.com/hindcast/hindcast/runtime/host"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// observer compares the views of one client with the host's committed states.
type observer struct {
	client   func() *client.Client
	pilot    *pilot
	counting bool
	figures  figures

	asked  world.Tick   // when the pilot changed its decision: the newest tick of that frame
	first  [512]guesses // by tick: what was shown of a tick first
	newest world.Tick

	frames  simtest.FrameDiff
	steps   map[stepsKey]simtest.Steps // nil: a jump is how far a body is off its path, not beyond its speed
	bodies  int                        // in the last frame
	carried carried
}

// stepsKey tells apart what is drawn in a row.
type stepsKey struct {
	id   world.ObjectID
	kind stepKind
}

// stepKind says of which objects steps are.
type stepKind uint8

const (
	ownStep stepKind = iota
	otherStep
	carriedStep
)

// jumps returns the series of a kind.
func jumps(f *figures, kind stepKind) *stats.Series {
	return [...]*stats.Series{&f.OwnJump, &f.OtherJump, &f.CarriedJump}[kind]
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

	CarriedJump stats.Series // m
	CarriedOff  stats.Series // m from the place at its holder as drawn
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

func newObserver(client func() *client.Client, p *pilot) *observer {
	return &observer{client: client, pilot: p}
}

// beyondSpeed makes the observer count as a jump what is beyond the speed of a body, which is at least speed
// where it has no velocity, and follow what is carried.
func (o *observer) beyondSpeed(speed float64, what carried) {
	o.frames.Speed, o.carried = speed, what
	o.steps = map[stepsKey]simtest.Steps{}
}

// count begins or stops to count.
func (o *observer) count(on bool) { o.counting = on }

// counted returns the counters.
func (o *observer) counted() *figures {
	for key, steps := range o.steps { // order: a series has none
		steps.Beyond(jumps(&o.figures, key.kind))
	}
	return &o.figures
}

// shows returns how many bodies the last frame showed.
func (o *observer) shows() int { return o.bodies }

// RestoreFrame implements client.Frames.
func (o *observer) RestoreFrame(world.Reader) {}

// FinalizeFrame implements client.Frames: it notes the ships of a tick that is new.
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
		if s.Objects[slot].Owner != me || o.pilot == nil {
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

// look takes a frame: how far bodies are from where their velocities take them since the frame before,
// where carried ones are, and, for a spectator, how old what it shows is.
func (o *observer) look(host *host.Host, now time.Duration, spectates bool) {
	v := o.frames.Look(o.client(), now)
	o.bodies = len(v.Bodies)
	if !o.counting {
		return
	}
	o.frames.Jumps(func(b *room.ViewBody, j simtest.Jump) {
		kind := otherStep
		switch {
		case b.Class == o.carried.class:
			kind = carriedStep
			o.lookAtHold(b)
		case b.Owner == 0:
			return
		case b.Owner == v.Player:
			kind = ownStep
		}
		if o.steps == nil {
			jumps(&o.figures, kind).Add(j.Off)
			return
		}
		key := stepsKey{b.ID, kind}
		o.steps[key] = append(o.steps[key], j)
	})
	if spectates {
		at := float64(host.Now()) + host.Idle(now).Seconds()*float64(v.TickRate)
		o.figures.Stale.Add((at - o.frames.Present()) * 1000 / float64(v.TickRate))
	}
}

// lookAtHold measures how far a carried object is from its place at its holder as drawn, from the frame on that shows
// another holder.
func (o *observer) lookAtHold(b *room.ViewBody) {
	if at, ok := o.frames.Find(b.Holder); ok {
		place := at.ToWorld(o.carried.at)
		o.figures.CarriedOff.Add(math.Hypot(b.X-place.X, b.Y-place.Y))
	}
}
