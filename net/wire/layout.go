package wire

import (
	"math"

	"github.com/hindcast/hindcast/world"
)

// SnapshotLayout is what both ends of a snapshot know of the classes: how many numbers
// their fields take, and how fast they slow down by themselves.
type SnapshotLayout struct {
	rate    int64 // ticks a second
	classes []classLayout
	none    []int64 // zeros, as many as the longest class has words
}

type classLayout struct {
	words      int
	fields     []world.Field
	move, turn damper
}

// NewSnapshotLayout makes the layout of a schema. All machines make the same.
func NewSnapshotLayout(schema *world.Schema) *SnapshotLayout {
	l := &SnapshotLayout{rate: int64(schema.Setup.TickRate)}
	most := 0
	for i := range schema.Classes {
		class := &schema.Classes[i]
		c := classLayout{fields: class.Fields}
		for j := range class.Fields {
			c.words += class.Fields[j].Words()
		}
		damping, turning := 0.0, 0.0
		if class.Body != nil {
			damping, turning = class.Body.Def.LinearDamping, class.Body.Def.AngularDamping
		}
		c.move, c.turn = newDamper(damping, &schema.Setup), newDamper(turning, &schema.Setup)
		most = max(most, c.words)
		l.classes = append(l.classes, c)
	}
	l.none = make([]int64, most)
	return l
}

// AddObject adds an object of a state, with what a snapshot tells of it. Objects are
// added by id.
func (l *SnapshotLayout) AddObject(to *Snapshot, s *world.State, slot int) {
	o, b := &s.Objects[slot], s.Body(slot)
	e := Entity{ID: o.ID, Class: o.Class, Owner: o.Owner, Tick: to.Tick}
	if b.Key != 0 {
		e.Pose = Pose{inUnits(b.X, PositionUnits, maxPosition), inUnits(b.Y, PositionUnits, maxPosition),
			inUnits(b.Angle, TurnUnits/(2*math.Pi), maxPosition) & (TurnUnits - 1)}
		e.Velocity = Velocity{inUnits(b.VX, VelocityUnits, maxVelocity), inUnits(b.VY, VelocityUnits, maxVelocity),
			inUnits(b.W, VelocityUnits/(2*math.Pi), maxVelocity)}
	}
	e.words = len(to.words)
	row := s.Row(slot)
	for i := range l.classes[o.Class].fields {
		to.words = appendField(to.words, &l.classes[o.Class].fields[i], row)
	}
	to.Entities = append(to.Entities, e)
}

// inUnits is v in units, rounded, and within most.
func inUnits(v, units float64, most int32) int32 {
	n := math.Floor(float64(v*units) + 0.5)
	switch limit := float64(most); {
	case n > limit:
		return most
	case n < -limit:
		return -most
	case n != n:
		return 0
	}
	return int32(n)
}

// Near reports whether two entities are where the other is, and as fast, to a
// unit: as near as a Pose tells.
func (e *Entity) Near(f *Entity) bool {
	for i := range e.Pose {
		off := int64(e.Pose[i]) - int64(f.Pose[i])
		if i == 2 {
			off = turn(off)
		}
		if size(off) > 1 || size(int64(e.Velocity[i])-int64(f.Velocity[i])) > 1 {
			return false
		}
	}
	return true
}

// Metres is where x and y of a Place are.
func (p Pose) Metres() (x, y float64) {
	return float64(p[0]) / PositionUnits, float64(p[1]) / PositionUnits
}

// Radians is what the angle of a Place is, in (-pi, pi].
func (p Pose) Radians() float64 {
	n := p[2]
	if n > TurnUnits/2 {
		n -= TurnUnits
	}
	return float64(n) * (2 * math.Pi / TurnUnits)
}

// PerSecond is a Speed in metres and radians a second.
func (v Velocity) PerSecond() (vx, vy, w float64) {
	return float64(v[0]) / VelocityUnits, float64(v[1]) / VelocityUnits, float64(v[2]) * (2 * math.Pi / VelocityUnits)
}

// A number of a field is twice itself if it is whole, else one more than twice
// the bits of a float32. Other kinds of field keep their words.

// maxWhole is the largest whole number written as such.
const maxWhole = 1 << 52

func appendField(words []int64, f *world.Field, row []uint64) []int64 {
	for _, word := range row[f.Offset : f.Offset+f.Words()] {
		if f.Kind == world.Number {
			word = uint64(packNumber(math.Float64frombits(word)))
		}
		words = append(words, int64(word))
	}
	return words
}

func packNumber(v float64) int64 {
	if v == math.Floor(v) && v <= maxWhole && v >= -maxWhole {
		return int64(v) << 1
	}
	return int64(math.Float32bits(float32(v)))<<1 | 1
}

func unpackNumber(n int64) float64 {
	if n&1 == 0 {
		return float64(n >> 1)
	}
	return float64(math.Float32frombits(uint32(n >> 1)))
}

// PutFields writes what a snapshot tells of an object's fields into its row.
func (l *SnapshotLayout) PutFields(row []uint64, class uint16, words []int64) {
	for i := range l.classes[class].fields {
		f := &l.classes[class].fields[i]
		for j := range f.Words() {
			word := uint64(words[0])
			if f.Kind == world.Number {
				word = world.NumberBits(unpackNumber(words[0]))
			}
			row[f.Offset+j], words = word, words[1:]
		}
	}
}
