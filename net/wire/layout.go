package wire

import (
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// SnapshotLayout is what both ends of a Snapshot must know of the classes of a
// bundle: how many words the fields of each take, and how its objects lose speed
// by damping. It does not change, and may be used by several goroutines.
type SnapshotLayout struct {
	rate    int64 // ticks a second
	classes []classLayout
	none    []int64 // zeros, as many as the longest class has words
}

type classLayout struct {
	words           int
	owners          int // how many of the words, the last ones, only the client of the object's owner gets
	fields          []world.Field
	runs            []run
	linear, angular damper
}

// run are the words of a class at From and up to To, all of aux fields or none of them.
type run struct {
	From, To int
	Aux      bool
}

// addRun notes where the words of a field are.
func (c *classLayout) addRun(f *world.Field) {
	if n := len(c.runs); n == 0 || c.runs[n-1].Aux != f.Aux {
		c.runs = append(c.runs, run{From: c.words, Aux: f.Aux})
	}
	c.words += f.Words()
	c.runs[len(c.runs)-1].To = c.words
}

// NewSnapshotLayout returns the layout of a schema. It is the same on all
// machines.
func NewSnapshotLayout(schema *world.Schema) *SnapshotLayout {
	l := &SnapshotLayout{rate: int64(schema.Setup.TickRate)}
	most := 0
	for i := range schema.Classes {
		class := &schema.Classes[i]
		c := classLayout{}
		for j := range class.Fields {
			f := &class.Fields[j]
			if f.Sent == world.ToNobody {
				break
			}
			c.addRun(f)
			if f.Sent == world.ToOwner {
				c.owners += f.Words()
			}
			c.fields = class.Fields[:j+1]
		}
		linear, angular := 0.0, 0.0
		if class.Body != nil {
			linear, angular = class.Body.Def.LinearDamping, class.Body.Def.AngularDamping
		}
		c.linear, c.angular = newDamper(linear, &schema.Setup), newDamper(angular, &schema.Setup)
		most = max(most, c.words)
		l.classes = append(l.classes, c)
	}
	l.none = make([]int64, most)
	return l
}

// count returns the number of classes.
func (l *SnapshotLayout) count() int { return len(l.classes) }

// Words returns how many words the fields of a class take.
func (l *SnapshotLayout) Words(class uint16) int { return l.classes[class].words }

// runs returns the runs of the words of a class.
func (l *SnapshotLayout) runs(class uint16) []run { return l.classes[class].runs }

// ZeroFields returns the fields that a new object of a class is coded as a change
// from. The caller must not change them.
func (l *SnapshotLayout) ZeroFields(class uint16) []int64 { return l.none[:l.classes[class].words] }

// quarterSecond returns the ticks of a quarter of a second.
func (l *SnapshotLayout) quarterSecond() int64 { return l.rate / 4 }

// glides returns how objects of a class move on for some ticks.
func (l *SnapshotLayout) glides(class uint16, ticks int64) (linear, angular glide) {
	c := &l.classes[class]
	return c.linear.over(ticks), c.angular.over(ticks)
}

// OwnersWords returns how many of the words of a class, the last ones, only the client of an object's
// owner gets.
func (l *SnapshotLayout) OwnersWords(class uint16) int { return l.classes[class].owners }

// AddObject quantises the object in a slot of a state, and appends it to a
// snapshot for the client of the player viewer. Objects are added by ID.
func (l *SnapshotLayout) AddObject(to *Snapshot, s *world.State, slot int, viewer world.PlayerID) {
	o, b := &s.Objects[slot], s.Body(slot)
	e := Entity{ID: o.ID, Class: o.Class, Owner: o.Owner, Tick: to.Tick, FieldsTick: to.Tick}
	if b.Key != 0 {
		e.Pose, e.Velocity = quantizePose(b.Pose), quantizeVelocity(b.Velocity)
	}
	to.addRow(e, l.classes[o.Class].fields, s.Row(slot))
	if o.Owner != viewer {
		clear(to.words[len(to.words)-l.classes[o.Class].owners:])
	}
}

// Row returns the fields of the object in a slot of a state, as Row number of those to the client of
// the player viewer.
func (l *SnapshotLayout) Row(number uint32, s *world.State, slot int, viewer world.PlayerID) Row {
	o := &s.Objects[slot]
	row := Row{
		Number: number,
		Bundle: s.Bundle,
		Object: o.ID,
		Class:  o.Class,
		Tick:   s.Tick,
		Words:  make([]int64, 0, l.Words(o.Class)),
	}
	for i := range l.classes[o.Class].fields {
		row.Words = appendField(row.Words, &l.classes[o.Class].fields[i], s.Row(slot))
	}
	if o.Owner != viewer {
		clear(row.Words[len(row.Words)-l.classes[o.Class].owners:])
	}
	return row
}

// MostRowBytes returns how many bytes a Row of a class takes whose fields have values that need the
// most of them.
func (l *SnapshotLayout) MostRowBytes(class uint16) int {
	row := Row{Number: 1, Bundle: 1, Class: class, Tick: math.MaxUint32}
	for i := range l.classes[class].fields {
		f := &l.classes[class].fields[i]
		for j := range f.Words() {
			noise := uint64(len(row.Words)+1) * 0x9e3779b97f4a7c15
			row.Words = append(row.Words, longestWord(f, j, noise^noise>>29))
		}
	}
	return len(AppendRow(nil, &row))
}

// longestWord returns a word of a field that needs many bytes: the one numbered at of its words.
// noise differs from word to word, so that a coder cannot learn what comes.
func longestWord(f *world.Field, at int, noise uint64) int64 {
	odd := noise&1 != 0
	switch {
	case f.Kind == world.Bool:
		return int64(noise & 1)
	case f.Kind == world.Count, f.Kind == world.String && at == 0:
		return int64(f.Cap)
	case f.Kind == world.Number && f.Min < f.Max && odd:
		return packNumber(f.Min)
	case f.Kind == world.Number && f.Min < f.Max:
		return packNumber(f.Max)
	case f.Kind == world.Number && odd:
		return packNumber(-maxWhole + float64(noise>>14))
	case f.Kind == world.Number:
		return packNumber(maxWhole - float64(noise>>14))
	case odd:
		return int64(noise>>2 | 1<<62)
	}
	return -int64(noise>>2 | 1<<62)
}

// addRow is Add with the fields taken from a row of a state.
func (s *Snapshot) addRow(e Entity, fields []world.Field, row world.Row) {
	e.words = len(s.words)
	for i := range fields {
		s.words = appendField(s.words, &fields[i], row)
	}
	s.Entities = append(s.Entities, e)
}

// inUnits returns v in units, rounded and clamped to limit either way. NaN is 0.
func inUnits(v, units float64, limit int32) int32 {
	n := math.Floor(float64(v*units) + 0.5)
	switch most := float64(limit); {
	case n > most:
		return limit
	case n < -most:
		return -limit
	case n != n:
		return 0
	}
	return int32(n)
}

// Near reports whether the poses and velocities of e and f are equal to a unit.
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

// quantizePose returns a pose in the units of the wire.
func quantizePose(p physics.Pose) Pose {
	return Pose{inUnits(p.X, PositionUnits, maxPosition), inUnits(p.Y, PositionUnits, maxPosition),
		inUnits(p.Angle, TurnUnits/(2*math.Pi), maxPosition) & (TurnUnits - 1)}
}

// quantizeVelocity returns a velocity in the units of the wire.
func quantizeVelocity(v physics.Velocity) Velocity {
	return Velocity{inUnits(v.VX, VelocityUnits, maxVelocity), inUnits(v.VY, VelocityUnits, maxVelocity),
		inUnits(v.W, VelocityUnits/(2*math.Pi), maxVelocity)}
}

// Dequantize returns the pose in metres and radians, the angle in (-pi, pi].
func (p Pose) Dequantize() physics.Pose {
	n := p[2]
	if n > TurnUnits/2 {
		n -= TurnUnits
	}
	return physics.Pose{
		X:     float64(p[0]) / PositionUnits,
		Y:     float64(p[1]) / PositionUnits,
		Angle: float64(n) * (2 * math.Pi / TurnUnits),
	}
}

// Dequantize returns the velocity in metres and radians a second.
func (v Velocity) Dequantize() physics.Velocity {
	return physics.Velocity{
		VX: float64(v[0]) / VelocityUnits,
		VY: float64(v[1]) / VelocityUnits,
		W:  float64(v[2]) * (2 * math.Pi / VelocityUnits),
	}
}

// A number of a field is coded as twice its value if that is whole, otherwise as twice
// the bits of a float32, plus one. Fields of other kinds keep their words.

// maxWhole is the largest whole number coded as such.
const maxWhole = 1 << 52

func appendField(words []int64, f *world.Field, row world.Row) []int64 {
	for _, word := range row.Words(f) {
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

// PutFields writes the fields of an object, as Snapshot.Fields returns them, into
// its row of a state.
func (l *SnapshotLayout) PutFields(row world.Row, class uint16, words []int64) {
	for i := range l.classes[class].fields {
		f := &l.classes[class].fields[i]
		into := row.Words(f)
		for j := range into {
			word := uint64(words[0])
			if f.Kind == world.Number {
				word = world.NumberBits(unpackNumber(words[0]))
			}
			into[j], words = word, words[1:]
		}
	}
}
