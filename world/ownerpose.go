package world

import (
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world/physics"
)

// MoveRules limit the owner poses of an object. An object whose class has none is where the
// simulation puts it.
//
// Source: "Lag Compensation in Unity" (TwoTen), where clients move their own objects and the host
// verifies the positions.
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

// Audience is which clients receive a field in snapshots.
type Audience uint8

// The audiences. Fields that not all receive are the last ones of a row.
const (
	ToAll    Audience = iota
	ToOwner           // the client of the object's owner; all others get 0
	ToNobody          // the host alone knows it
)

// The fields that a class with MoveRules has besides its own: the last refused pose, as 8 times
// the tick for which its owner made it plus the Refusal, which snapshots tell the owner; the position of the last
// accepted owner pose, the metres that it left over, and the tick in which it was accepted. Scripts cannot name them.
const (
	moveRefused = iota
	movedX
	movedY
	movedLeft
	movedAt
	moveWords
)

// addMoveFields gives a class with MoveRules its fields.
func (c *Class) addMoveFields() {
	if c.Moves == nil {
		return
	}
	for i, name := range [moveWords]string{"pose refused", "pose x", "pose y", "pose left", "pose at"} {
		f := Field{Name: name, Kind: Number, Default: []uint64{0}, Show: ShowStep, Sent: ToOwner}
		if i != moveRefused {
			f.Sent = ToNobody
		}
		c.Fields = append(c.Fields, f)
	}
}

// moved returns those fields of an object.
func (w *World) moved(slot int) []uint64 {
	return w.Class(slot).moved(w.Now.Row(slot))
}

func (c *Class) moved(row Row) []uint64 {
	n := c.layout.flat
	return row.State[n-moveWords : n]
}

// OwnerPoseAt returns the outcome of the owner pose of tick t, which its owner made for tick made, from the state
// after it: whether it was accepted and, if it was refused, why. A pose that equals the simulation is neither
// accepted nor refused.
func (s *State) OwnerPoseAt(slot int, c *Class, t, made Tick) (taken bool, why Refusal) {
	if c.Moves == nil {
		return false, NotRefused
	}
	m := c.moved(s.Row(slot))
	if at, why := lastRefusal(m); at == made {
		return false, why
	}
	return math.Float64frombits(m[movedAt]) == float64(t), NotRefused
}

// LastRefusal returns for which tick the owner made the last pose that was refused, and why, from the row of an
// object, which may lack the fields that are sent to nobody; 0 if there was none.
func LastRefusal(c *Class, row Row) (at Tick, why Refusal) {
	if c.Moves != nil && row.Known() {
		return lastRefusal(c.moved(row))
	}
	return 0, NotRefused
}

func lastRefusal(moved []uint64) (at Tick, why Refusal) {
	n := wholeOf(moved[moveRefused], math.MaxUint32*8+uint64(NotVerified))
	if why = Refusal(n % 8); why == NotRefused || why > NotVerified {
		return 0, NotRefused
	}
	return Tick(n / 8), why
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
	return Placement{
		Pose:     physics.Pose{X: round(p.X), Y: round(p.Y), Angle: round(p.Angle)},
		Velocity: physics.Velocity{VX: round(p.VX), VY: round(p.VY), W: round(p.W)},
	}
}

// IgnoresOwnerPose reports whether an owner pose has no effect: it equals the simulation, or the object
// is carried, so that its holder decides where it is.
func (w *World) IgnoresOwnerPose(slot int, p *Placement) bool {
	j, tied := w.Now.joint(w.Now.Objects[slot].ID)
	return OwnerPoseOf(w.Now.Body(slot)) == *p || tied && j.Key == j.KeyB && !j.Gone()
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
	slot := w.acting.slot()
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
	margin := w.Schema().Defs[b.Def].Reach() + queryMargin
	w.readRegion(regionAround(b.X, b.Y, p.X, p.Y, margin))
	if physics.Blocked(w.bodies(), w.Schema().Defs, w.Now.Body(slot), physics.Vec{X: p.X, Y: p.Y}, p.Angle) {
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

// reach returns how far an object may move, for the owner pose p. An object that the simulation has
// moved further than its owner may, such as one that a script has put elsewhere, may move from there
// only: poses that the owner sent before it heard of that are refused.
func (w *World) reach(slot int, p *Placement) reach {
	b, m, dt := w.Now.Body(slot), w.moved(slot), w.Schema().Setup.DT()
	speed := w.mostSpeed(slot)
	full, left := fullReach(speed), math.Float64frombits(m[movedLeft])
	byFrames := countsFrames(w.Class(slot))
	from, most := b.Pose, full+float64(speed*dt)
	if byFrames {
		most = left
		if m[movedAt] == 0 {
			most = max(left, full) // no frame has run yet
		}
	}
	since := float64(w.Now.Tick) - math.Float64frombits(m[movedAt])
	if m[movedAt] != 0 && float64(since*dt) <= moveMemory {
		last := physics.Pose{X: math.Float64frombits(m[movedX]), Y: math.Float64frombits(m[movedY])}
		passed := float64(float64(speed*dt) * since)
		if length(b.X-last.X, b.Y-last.Y) <= full+passed {
			from = last
			if !byFrames {
				most = left + passed
			}
		}
	}
	r := reach{way: length(p.X-from.X, p.Y-from.Y), most: most}
	r.keeps = min(r.most-r.way, full)
	return r
}

// fullReach returns how many metres an object of a speed may have left over.
func fullReach(speed float64) float64 { return float64(speed*moveSlack) + moveStart }

// EarnReach lets the owner of the object in a slot move it for as long as its frames of the coming tick take, in
// FrameParts of a second, if the host takes its poses when they come: those come with the frames that led there. By
// the ticks that pass on the host, an owner whose packets take longer at times would be too fast.
func (w *World) EarnReach(slot, parts int) {
	c := w.Class(slot)
	if c.Moves == nil || !countsFrames(c) {
		return
	}
	w.touch(slot)
	m, speed := w.moved(slot), w.mostSpeed(slot)
	left := fullReach(speed)
	if m[movedAt] != 0 {
		left = min(left, math.Float64frombits(m[movedLeft]))
	}
	m[movedLeft] = NumberBits(left + float64(speed*float64(parts)/FrameParts))
}

func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// ApplyOwnerPose moves the object of a slot to its owner pose, or records why it does not; made is the tick for which
// its owner made it.
func (w *World) ApplyOwnerPose(slot int, p *Placement, made Tick, why Refusal) {
	w.touch(slot)
	m := w.moved(slot)
	if why != NotRefused {
		m[moveRefused] = NumberBits(float64(uint64(made)*8 + uint64(why)))
		return
	}
	keeps := w.reach(slot, p).keeps
	b := w.Now.Body(slot)
	b.Pose, b.Velocity = p.Pose, p.Velocity
	b.SetAngle(p.Angle)
	m[movedX], m[movedY], m[movedLeft], m[movedAt] = NumberBits(
		p.X,
	), NumberBits(
		p.Y,
	), NumberBits(
		keeps,
	), NumberBits(
		float64(w.Now.Tick),
	)
}

// UndoMotion makes the body in a slot what it was before some frames.
func (w *World) UndoMotion(slot int, was *physics.Body) {
	if b := w.Now.Body(slot); b.Key == was.Key {
		w.touch(slot)
		*b = *was
	}
}

// A class that ticks independently and is not predicted has a field besides its own: the number of the
// last frame that was run. The owner's client has run the same frames in other ticks than the host. The
// number tells it which of its own states a snapshot is to be compared with.

func countsFrames(c *Class) bool { return c.Independent && c.LOD != Predict }

// addFrameField gives such a class its field. Scripts cannot name it.
func addFrameField(c *Class) {
	if countsFrames(c) {
		c.Fields = append(c.Fields, Field{
			Name:    "frame run",
			Kind:    Number,
			Default: []uint64{0},
			Show:    ShowStep,
			Sent:    ToOwner,
		})
	}
}

// frameField returns the index of that field in the row of an object. Those for owner poses follow it.
func frameField(c *Class) int { return c.layout.flat - ownershipWords(c) }

// ownershipWords returns how many words the fields take that a class has for its owner poses and frames.
func ownershipWords(c *Class) (n int) {
	if c.Moves != nil {
		n = moveWords
	}
	if countsFrames(c) {
		n++
	}
	return n
}

// NoteFrame notes that a frame of the object in a slot has been run.
func (w *World) NoteFrame(slot int, number uint32) {
	if c := w.Class(slot); countsFrames(c) {
		w.touch(slot)
		w.Now.Rows.flat(slot)[frameField(c)] = NumberBits(float64(number))
	}
}

// LastFrame returns the number of the last frame of an object that was run, from its row; 0 if there was
// none, or its class does not count them.
func LastFrame(c *Class, row Row) uint32 {
	if !countsFrames(c) || !row.Known() {
		return 0
	}
	return uint32(wholeOf(row.State[frameField(c)], math.MaxUint32))
}
