package netbench

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// pilot steers ships as a player would, and notes its decisions, so that an
// observer can measure how long they take to show.
type pilot struct {
	seed  uint64
	chase bool
	sees  func() *world.State // the state on which it decides; nil: that of its client

	turn    int  // the last decision: -1, 0 or 1
	pending bool // the decision has not been seen in the ship yet
	fresh   bool // it was taken in this frame
}

// tookDecision reports whether the pilot has decided something since it was last
// asked.
func (p *pilot) tookDecision() bool {
	fresh := p.fresh && p.pending
	p.fresh = p.fresh && !p.pending
	return fresh
}

// seesDecision reports whether the ship's torque is what the pilot last decided,
// for the first time.
func (p *pilot) seesDecision(torque float64) bool {
	if !p.pending || sign(torque) != p.turn {
		return false
	}
	p.pending = false
	return true
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

// Input implements client.Controls.
func (p *pilot) Input(r world.Reader, slot int) world.Input {
	turn, push := p.decide(r, slot)
	if turn != p.turn {
		p.turn, p.pending, p.fresh = turn, true, true
	}
	var in world.Input
	for _, f := range r.Class(slot).Inputs {
		if f.Name == "TurnLeft" && turn > 0 || f.Name == "TurnRight" && turn < 0 || f.Name == "Thrust" && push {
			in.Buttons |= 1 << f.Index
		}
	}
	return in
}

func (p *pilot) decide(r world.Reader, slot int) (turn int, push bool) {
	s := r.State()
	if p.sees != nil {
		s = p.sees()
	}
	if !p.chase {
		return p.wander(uint64(r.Tick()))
	}
	at, ok := s.Find(r.State().Objects[slot].ID)
	if !ok {
		return 0, false
	}
	return follow(s, at)
}

// wander presses keys for a third of a second, then others.
func (p *pilot) wander(tick uint64) (turn int, push bool) {
	x := (tick/20 + p.seed*1_000_003) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	x *= 0xbf58476d1ce4e5b9
	return int(x>>33%3) - 1, x>>40%4 != 0
}

// follow turns towards the nearest ship of another player, and accelerates. If
// something is in the way, it turns aside for a moment now and then.
func follow(s *world.State, at int) (turn int, push bool) {
	me, own := s.Body(at), s.Objects[at].Owner
	if math.Hypot(me.VX, me.VY) < 1 && s.Tick/30%3 == 0 {
		return 1, true
	}
	least, toward := math.Inf(1), 0.0
	for _, slot := range s.Run {
		if o := s.Objects[slot].Owner; o == 0 || o == own {
			continue
		}
		b := s.Body(int(slot))
		if d := math.Hypot(b.X-me.X, b.Y-me.Y); d < least {
			least, toward = d, math.Remainder(math.Atan2(b.Y-me.Y, b.X-me.X)-me.Angle, 2*math.Pi)
		}
	}
	switch {
	case toward > 0.1:
		turn = 1
	case toward < -0.1:
		turn = -1
	}
	return turn, math.Abs(toward) < 1
}
