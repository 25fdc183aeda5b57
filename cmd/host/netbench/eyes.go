package netbench

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// eyes are one client's, and what is learnt by them.
type eyes struct {
	client func() *runtime.Client
	hand   *pilot
	asked  world.Tick     // when the hand changed its mind: the newest tick of that frame
	delay  runtime.Series // ticks from there to the first state with it

	first    [512]guess // by tick: what was shown of a tick first
	newest   world.Tick
	ticks    int            // compared
	wrong    int            // of them: the own ship was elsewhere, by any bit
	own      runtime.Series // m, where it was wrong: how far
	remote   runtime.Series // m, of all others' ships in all ticks
	counting bool

	view      runtime.View
	last      map[world.ObjectID]runtime.ViewBody
	shown     float64 // ticks
	ownJump   runtime.Series
	otherJump runtime.Series
	stale     runtime.Series // ms
}

// guess is where ships were at a tick when it was simulated for the first time.
type guess struct {
	tick  world.Tick
	ships []ship
}

type ship struct {
	id    world.ObjectID
	owner world.PlayerID
	pose  physics.Pose
}

// RestoreFrame implements runtime.Frames.
func (e *eyes) RestoreFrame(*world.State) {}

// FinalizeFrame implements runtime.Frames: it notes the ships of a tick that is new.
func (e *eyes) FinalizeFrame(s *world.State) {
	if s.Tick <= e.newest {
		return
	}
	e.newest = s.Tick
	g := &e.first[s.Tick%world.Tick(len(e.first))]
	g.tick, g.ships = s.Tick, shipsOf(s, g.ships[:0])
	e.time(s)
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

// time looks whether what the hand asked for is in the own ship.
func (e *eyes) time(s *world.State) {
	if !e.hand.pending {
		return
	}
	me := e.client().Player()
	for _, slot := range s.Run {
		if s.Objects[slot].Owner != me {
			continue
		}
		if e.hand.fresh {
			e.hand.fresh, e.asked = false, s.Tick
		}
		if torque := s.Body(int(slot)).Torque; sign(torque) == e.hand.turn {
			e.hand.pending = false
			if e.counting {
				e.delay.Add(float64(s.Tick - e.asked))
			}
		}
	}
}

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// judge compares what was shown first of a tick with what it has turned out to be.
func (e *eyes) judge(s *world.State) {
	g := &e.first[s.Tick%world.Tick(len(e.first))]
	if !e.counting || g.tick != s.Tick {
		return
	}
	me := e.client().Player()
	for _, was := range g.ships {
		at, ok := s.Find(was.id)
		if !ok {
			continue
		}
		b := s.Body(at)
		off := math.Hypot(b.X-was.pose.X, b.Y-was.pose.Y)
		if was.owner != me {
			e.remote.Add(off)
			continue
		}
		e.ticks++
		if b.Pose != was.pose {
			e.wrong++
			e.own.Add(off)
		}
	}
}

// look takes a picture: how far ships are from where their speed takes them since
// the picture before, and, of a watcher, how long ago that was.
func (e *eyes) look(host *runtime.Host, now time.Duration, watches bool) {
	c := e.client()
	c.View(&e.view)
	shown := float64(e.view.Tick) - 1 + e.view.Part
	seconds := (shown - e.shown) / float64(max(e.view.TickRate, 1))
	for _, b := range e.view.Bodies {
		was, seen := e.last[b.ID]
		e.last[b.ID] = b
		if b.Owner == 0 || !seen || !e.counting {
			continue
		}
		jump := math.Hypot(b.X-was.X-(b.VX+was.VX)/2*seconds, b.Y-was.Y-(b.VY+was.VY)/2*seconds)
		if b.Owner == c.Player() {
			e.ownJump.Add(jump)
		} else {
			e.otherJump.Add(jump)
		}
	}
	e.shown = shown
	if watches && e.counting {
		at := float64(host.Now()) + host.Idle(now).Seconds()*float64(e.view.TickRate)
		e.stale.Add((at - shown) * 1000 / float64(e.view.TickRate))
	}
}
