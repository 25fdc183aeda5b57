package world

import (
	"math"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// ViewTime says what a player's screen showed when he decided on an input. The zero
// value: the world as it is in the input's tick, as a client shows it that
// simulates.
type ViewTime struct {
	// Back is how long before the end of the input's tick the moment was that the
	// screen showed, in ViewParts of a tick; 0: none.
	Back uint16
	// All: the screen showed all other objects so, as a client's does that only
	// watches.
	All bool
}

// ViewParts is how finely a tick is cut to say which moment a screen showed.
const ViewParts = 64

// MinViewBack is the least Back that counts: the two frames around the moment must
// be over when a tick looks at them. What is less counts as this.
const MinViewBack = 2 * ViewParts

// Check reports whether a Seen can be one.
func (v ViewTime) Check() bool { return v.Back != 0 || !v.All }

// Around is the tick f of the moment that a screen showed at tick t, and the
// parts of ViewParts at which it lies between the states after f-1 and f. ok is
// false where there was none so early.
func (v ViewTime) Around(t Tick) (f Tick, part int64, ok bool) {
	back := max(v.Back, MinViewBack)
	ticks := Tick(back / ViewParts)
	return t - ticks, int64(ViewParts - back%ViewParts), v.Back != 0 && t > ticks
}

// Moment is when the moment was that a screen showed at tick t, in ViewParts of
// a tick.
func (v ViewTime) Moment(t Tick) int64 { return int64(t)*ViewParts - int64(v.Back) }

// PastPose is where an object was, in whole units: asSeen asks no more of the
// past, and that can be kept and sent in few bytes.
type PastPose struct {
	ID          ObjectID
	X, Y, Angle int32
}

// The units of a Place: a quarter of a millimetre, and 2^-20 of a turn.
const (
	seenUnits = 4096
	seenTurn  = 1 << 20
)

func placeOf(b *physics.Body) PastPose {
	return PastPose{ID: ObjectID(b.Key), X: inSeenUnits(b.X), Y: inSeenUnits(b.Y),
		Angle: int32(math.Floor(float64(b.Angle*(seenTurn/(2*math.Pi)))+0.5)) & (seenTurn - 1)}
}

// inSeenUnits rounds metres, within what a body can be at.
func inSeenUnits(v float64) int32 {
	return int32(math.Floor(float64(min(max(v, -physics.MaxPosition), physics.MaxPosition)*seenUnits) + 0.5))
}

// put moves a body to where it was at the part between two places, the shorter
// way round.
func (p PastPose) put(b *physics.Body, to PastPose, part int64) {
	between := func(a, b int32) float64 {
		return float64(int64(a)*ViewParts+(int64(b)-int64(a))*part) * (1.0 / (seenUnits * ViewParts))
	}
	b.X, b.Y = between(p.X, to.X), between(p.Y, to.Y)
	turn := (int64(to.Angle)-int64(p.Angle)+seenTurn/2)&(seenTurn-1) - seenTurn/2
	angle := int64(p.Angle)*ViewParts + turn*part
	b.SetAngle(detmath.Wrap(float64(angle) * (2 * math.Pi / (seenTurn * ViewParts))))
}

// PastPoses tells where the objects of the classes with Seen were after a tick: by
// the state, or by what was kept of it.
type PastPoses struct {
	State  *State
	Schema *Schema    // of State
	Kept   []PastPose // by id
	next   int        // in Kept, of those not asked for yet
}

// of is where the object in a slot was, if it was there and its class has Seen.
// Objects are asked for in the order of their ids.
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

// List appends all that Places tells of, by id.
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
	return s.HasSeen() && s.Classes[st.Objects[slot].Class].Seen && st.Body(int(slot)).Key != 0
}

// HasSeen reports whether asSeen moves objects of any class.
func (s *Schema) HasSeen() bool { return s.seen }
