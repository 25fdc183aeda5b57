package world

import (
	"math"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// ViewTime is the time that a player's screen showed when the player decided on an input. The zero
// value stands for the world as it is in the input's tick, which is what a client that simulates shows.
//
// Source: "Lag Compensation in Unity" (TwoTen), where a shot names a frame of the host and the fraction
// to the next one.
type ViewTime struct {
	// Back is how long before the end of the input's tick the moment was that the
	// screen showed, in ViewParts of a tick; 0: none.
	Back uint16
	// All means that the screen showed all other objects at that moment, as that of a
	// spectator does. Otherwise it showed only interpolated objects at that moment.
	All bool
}

// ViewParts is into how many parts a tick is divided to say which time a screen showed.
const ViewParts = 64

// MinViewBack is the smallest Back that counts, because the two ticks around that time must be over when
// a tick looks at them. A smaller Back counts as this one.
const MinViewBack = 2 * ViewParts

// Check reports whether a ViewTime is valid.
func (v ViewTime) Check() bool { return v.Back != 0 || !v.All }

// Around returns the tick f of the time that a screen showed at tick t, and the part, of ViewParts, at
// which that time is between the states after f-1 and f. ok is false if there was no such tick.
func (v ViewTime) Around(t Tick) (f Tick, part int64, ok bool) {
	back := max(v.Back, MinViewBack)
	ticks := Tick(back / ViewParts)
	return t - ticks, int64(ViewParts - back%ViewParts), v.Back != 0 && t > ticks
}

// Moment returns the time that a screen showed at tick t, in ViewParts of a tick.
func (v ViewTime) Moment(t Tick) int64 { return int64(t)*ViewParts - int64(v.Back) }

// PastPose is where an object was, in whole units. asSeen needs no more precision, and such poses can be
// kept and sent in few bytes.
type PastPose struct {
	ID    ObjectID
	X, Y  int32 // 4,096ths of a metre
	Angle int32 // 2^-20 of a turn
}

// The units of a PastPose: a quarter of a millimetre, and 2^-20 of a turn.
const (
	seenUnits = 4096
	seenTurn  = 1 << 20
)

func placeOf(b *physics.Body) PastPose { return poseOf(ObjectID(b.Key), b.Pose) }

// poseOf rounds a pose of an object to whole units.
func poseOf(id ObjectID, at physics.Pose) PastPose {
	return PastPose{ID: id, X: inSeenUnits(at.X), Y: inSeenUnits(at.Y),
		Angle: int32(math.Floor(float64(at.Angle*(seenTurn/(2*math.Pi)))+0.5)) & (seenTurn - 1)}
}

// inSeenUnits rounds metres, within the limits of bodies.
func inSeenUnits(v float64) int32 {
	return int32(math.Floor(float64(min(max(v, -physics.MaxPosition), physics.MaxPosition)*seenUnits) + 0.5))
}

// turn is the angle by which p turns to another pose, the shorter way round.
func (p PastPose) turn(to PastPose) int64 {
	return (int64(to.Angle)-int64(p.Angle)+seenTurn/2)&(seenTurn-1) - seenTurn/2
}

// toward is the pose after n of all steps of the same size from p to another pose, in whole units.
func (p PastPose) toward(to PastPose, n, all int64) PastPose {
	p.X += int32((int64(to.X) - int64(p.X)) * n / all)
	p.Y += int32((int64(to.Y) - int64(p.Y)) * n / all)
	p.Angle = int32(int64(p.Angle)+p.turn(to)*n/all) & (seenTurn - 1)
	return p
}

// put moves a body to where it was at the part between two poses. It turns the shorter way round.
func (p PastPose) put(b *physics.Body, to PastPose, part int64) {
	between := func(a, b int32) float64 {
		return float64(int64(a)*ViewParts+(int64(b)-int64(a))*part) * (1.0 / (seenUnits * ViewParts))
	}
	b.X, b.Y = between(p.X, to.X), between(p.Y, to.Y)
	angle := int64(p.Angle)*ViewParts + p.turn(to)*part
	b.SetAngle(detmath.Wrap(float64(angle) * (2 * math.Pi / (seenTurn * ViewParts))))
}

// PastPoses are the poses of the objects of classes with Seen after a tick: from the state, or from what
// was kept of it.
type PastPoses struct {
	State  *State
	Schema *Schema    // of State
	Kept   []PastPose // by id
	next   int        // in Kept, of those not asked for yet
}

// of returns where the object in a slot was, if it existed and its class has Seen. It must be called in
// the order of ids.
func (p *PastPoses) of(id ObjectID, slot int32) (PastPose, bool) {
	if s := p.State; s != nil {
		if int(slot) >= len(s.Objects) || s.Objects[slot].ID != id || !p.kept(p.Schema, s, slot) {
			return PastPose{}, false
		}
		return placeOf(s.Body(int(slot))), true
	}
	for p.next < len(p.Kept) && p.Kept[p.next].ID < id {
		p.next++
	}
	if p.next == len(p.Kept) || p.Kept[p.next].ID != id {
		return PastPose{}, false
	}
	return p.Kept[p.next], true
}

// List appends all poses, sorted by id.
func (p *PastPoses) List(out []PastPose) []PastPose {
	s := p.State
	if s == nil {
		return append(out, p.Kept...)
	}
	for _, slot := range s.ByID {
		if p.kept(p.Schema, s, slot) {
			out = append(out, placeOf(s.Body(int(slot))))
		}
	}
	return out
}

// kept reports whether asSeen looks at where the object in a slot was.
func (p *PastPoses) kept(s *Schema, st *State, slot int32) bool {
	return s.HasSeen() && s.Classes[st.Objects[slot].Class].Seen != nil && st.Body(int(slot)).Key != 0
}

// HasSeen reports whether asSeen moves objects of any class.
func (s *Schema) HasSeen() bool { return s.seen }

// seenClasses appends the classes that asSeen moves.
func (s *Schema) seenClasses(out []int) []int {
	for i := range s.Classes {
		if s.Classes[i].Seen != nil {
			out = append(out, i)
		}
	}
	return out
}

// Find returns where an object was, if it existed and its class has Seen.
func (p *PastPoses) Find(id ObjectID) (PastPose, bool) {
	if p.State == nil {
		return Sight(p.Kept).Find(id)
	}
	slot, ok := p.State.Find(id)
	if !ok || !p.kept(p.Schema, p.State, int32(slot)) {
		return PastPose{}, false
	}
	return placeOf(p.State.Body(slot)), true
}
