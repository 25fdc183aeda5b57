package world

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// MoveRules limit the owner poses of an object. An object whose class has none is where the
// simulation puts it.
type MoveRules struct {
	Speed float64 // the maximum in m/s; 0: physics.MaxSpeed
	Ghost bool    // it may pass through fixed bodies
}

// Refusal is why an owner pose is refused.
type Refusal uint8

// The reasons.
const (
	NotRefused  Refusal = iota
	TooFast             // its velocity exceeds the limit
	TooFar              // it moved further than the time allows
	Walled              // a static body is in the way
	NotVerified         // the script's verify returned false, or failed
)

// String returns the reason for the player.
func (r Refusal) String() string {
	return [...]string{"taken", "faster than its class may be", "further than its class gets in the time",
		"something fixed is in between", "the script does not allow it"}[r]
}

// The fields that a class with MoveRules has besides its own: the position of the last
// accepted owner pose, the metres that it left over, its tick, and the last refused
// pose, as 8 times its tick plus the Refusal. Scripts cannot name them.
const (
	movedX = iota
	movedY
	movedLeft
	movedAt
	moveRefused
	moveWords
)

// addMoveFields gives a class with MoveRules its fields.
func (c *Class) addMoveFields() {
	if c.Moves == nil {
		return
	}
	for _, name := range [moveWords]string{"moved x", "moved y", "moved left", "moved at", "move refused"} {
		c.Fields = append(c.Fields, Field{Name: name, Kind: Number, Default: []uint64{0}})
	}
}

// moved returns those fields of an object.
func (w *World) moved(slot int) []uint64 {
	return w.Class(slot).moved(w.Now.Row(slot))
}

func (c *Class) moved(row []uint64) []uint64 { return row[c.layout.words-moveWords : c.layout.words] }

// OwnerPoseAt returns the outcome of the owner pose of tick t, from the state after it: whether it
// was accepted and, if it was refused, why. A pose that equals the simulation is neither accepted
// nor refused.
func (s *State) OwnerPoseAt(slot int, c *Class, t Tick) (taken bool, why Refusal) {
	if c.Moves == nil {
		return false, NotRefused
	}
	m := c.moved(s.Row(slot))
	refused := math.Float64frombits(m[moveRefused])
	if Tick(refused/8) == t && refused > 0 {
		return false, Refusal(uint64(refused) % 8)
	}
	return Tick(math.Float64frombits(m[movedAt])) == t, NotRefused
}

// OwnerPoseOf returns the pose and the velocity of a body with the precision of owner poses: that
// of a float32.
func OwnerPoseOf(b *physics.Body) Placement {
	p := Placement{Pose: b.Pose, Velocity: b.Velocity}
	return p.Rounded()
}

// Rounded returns the placement with the precision of a float32, and without an owner.
func (p Placement) Rounded() Placement {
	round := func(v float64) float64 { return float64(float32(v)) }
	return Placement{Pose: physics.Pose{X: round(p.X), Y: round(p.Y), Angle: round(p.Angle)}, Velocity: physics.Velocity{VX: round(p.VX), VY: round(p.VY), W: round(p.W)}}
}

// MatchesOwnerPose reports whether an owner pose equals the simulation.
func (w *World) MatchesOwnerPose(slot int, p *Placement) bool {
	return OwnerPoseOf(w.Now.Body(slot)) == *p
}

const (
	// moveSlack is how many seconds at full speed an object may be ahead; moveStart
	// adds metres to that.
	moveSlack, moveStart = 0.1, 0.05
	// After moveMemory seconds without an accepted owner pose, distances count from the
	// simulated position.
	moveMemory = 1.0
	// speedSlack and speedStart are by how much a velocity may exceed the limit: a
	// share of it, and m/s.
	speedSlack, speedStart = 0.01, 0.1
)

// Verdict is the decision about an owner pose, with the reason if it is refused.
type Verdict struct {
	Why Refusal
	// Is and Most are the value of the pose and the allowed maximum: for TooFast in
	// m/s, for TooFar in metres from the last accepted pose; otherwise 0.
	Is, Most float64
}

// String returns why a pose is refused, with the figures.
func (v Verdict) String() string {
	switch v.Why {
	case TooFast:
		return fmt.Sprintf("%.1f m/s, at most %.3g", v.Is, v.Most)
	case TooFar:
		return fmt.Sprintf("%.2f m away, at most %.2f", v.Is, v.Most)
	}
	return v.Why.String()
}

// JudgeOwnerPose returns whether the rules of its class allow the acting object to be at p.
func (w *World) JudgeOwnerPose(p *Placement) Verdict {
	slot := w.actor
	b, rules := w.Now.Body(slot), w.Class(slot).Moves
	limit := w.mostSpeed(slot)
	if speed := length(p.VX, p.VY); speed > limit+float64(limit*speedSlack)+speedStart {
		return Verdict{TooFast, speed, limit}
	}
	if r := w.reach(slot, p); r.way > r.most {
		return Verdict{TooFar, r.way, r.most}
	}
	if rules.Ghost {
		return Verdict{}
	}
	margin := w.schema.Defs[b.Def].Reach() + queryMargin
	w.readRegion(regionAround(b.X, b.Y, p.X, p.Y, margin))
	if physics.Blocked(w.bodies(), w.schema.Defs, w.Now.Body(slot), physics.Vec{X: p.X, Y: p.Y}, p.Angle) {
		return Verdict{Why: Walled}
	}
	return Verdict{}
}

// mostSpeed returns the allowed speed of an object: the limit of its class or, if it is faster
// because something pushed it, its present speed.
func (w *World) mostSpeed(slot int) float64 {
	limit := w.Class(slot).Moves.Speed
	if limit == 0 {
		limit = physics.MaxSpeed
	}
	b := w.Now.Body(slot)
	return max(limit, length(b.VX, b.VY))
}

// reach is the distance that an object may move.
type reach struct {
	way   float64 // metres from the last accepted owner pose
	most  float64 // the allowed metres from there
	keeps float64 // metres that it has left afterwards
}

// reach returns how far an object may move, for the owner pose p.
func (w *World) reach(slot int, p *Placement) reach {
	b, m, dt := w.Now.Body(slot), w.moved(slot), w.schema.Setup.DT()
	speed := w.mostSpeed(slot)
	most := float64(speed*moveSlack) + moveStart
	x, y, credit := b.X, b.Y, most
	since := float64(w.Now.Tick) - math.Float64frombits(m[movedAt])
	if m[movedAt] == 0 || float64(since*dt) > moveMemory {
		since = 1
	} else {
		x, y, credit = math.Float64frombits(m[movedX]), math.Float64frombits(m[movedY]), math.Float64frombits(m[movedLeft])
	}
	r := reach{way: length(p.X-x, p.Y-y), most: credit + float64(float64(speed*dt)*since)}
	r.keeps = min(r.most-r.way, most)
	return r
}

func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// ApplyOwnerPose moves the object of a slot to its owner pose, or records why it does not.
func (w *World) ApplyOwnerPose(slot int, p *Placement, why Refusal) {
	w.touch(slot)
	m := w.moved(slot)
	if why != NotRefused {
		m[moveRefused] = NumberBits(float64(uint64(w.Now.Tick)*8 + uint64(why)))
		return
	}
	keeps := w.reach(slot, p).keeps
	b := w.Now.Body(slot)
	b.Pose, b.Velocity = p.Pose, p.Velocity
	b.SetAngle(p.Angle)
	m[movedX], m[movedY], m[movedLeft], m[movedAt] = NumberBits(p.X), NumberBits(p.Y), NumberBits(keeps), NumberBits(float64(w.Now.Tick))
}
