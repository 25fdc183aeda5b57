package view

import (
	"math"
	"testing"
	"time"

	"github.com/hindcast/hindcast/world"
)

// TestFieldHold: fields stay while their source is behind what was shown, and numbers then go to where the source has them.
func TestFieldHold(t *testing.T) {
	schema, err := world.NewSchema([]world.Class{{Name: "Clock", Fields: []world.Field{
		{Name: "step", Kind: world.Number, Show: world.ShowStep},
		{Name: "lerp", Kind: world.Number},
	}}}, newBuffer(t).Schema().Setup)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := schema.ClassByName("Clock")
	class := &schema.Classes[at]
	var h FieldHold
	frame := func(ms int, source FieldSource, moment, value, step, lerp float64) {
		t.Helper()
		row := world.NewRow(class, make([]uint64, class.Words()))
		row.State[0], row.State[1] = math.Float64bits(value), math.Float64bits(value)
		h.Begin(time.Duration(ms)*time.Millisecond, 100)
		row = h.Show(7, class, row, source, FieldMoment{moment, moment, moment})
		h.End()
		if s, l := math.Float64frombits(row.State[0]), math.Float64frombits(row.State[1]); s != step || math.Abs(l-lerp) > 1e-9 {
			t.Errorf("after %d ms: %v and %v, want %v and %v", ms, s, l, step, lerp)
		}
	}
	frame(0, FromPresent, 100, 100, 100, 100)
	frame(10, FromPresent, 101, 101, 101, 101)
	frame(20, FromProxy, 0, 40, 101, 101)
	frame(30, FromCompleteTick, 90, 90, 101, 101)
	frame(130, FromCompleteTick, 100, 100, 101, 101)
	frame(150, FromCompleteTick, 102, 106, 106, 101) // another prediction
	frame(200, FromCompleteTick, 107, 111, 111, 107) // a fifth of the way
	frame(400, FromCompleteTick, 127, 131, 131, 131) // there
	frame(410, FromPresent, 150, 150, 150, 131)      // later at once
	frame(660, FromPresent, 175, 175, 175, 175)      // there
	frame(670, FromPresent, 200, 200, 200, 175)      // a leap
	frame(920, FromPresent, 225, 225, 225, 225)      // there
	frame(930, FromPresent, 224.5, 7, 225, 225)      // the clock was set back
	frame(940, FromPresent, 225.5, 226, 226, 225)    // it eases
}

// TestLateSampleTakesNoNumberBack: a sample that arrives after a frame has shown a number on its way to the next sample
// does not take the number back. It stays until the moment reaches the sample to which it was on its way.
func TestLateSampleTakesNoNumberBack(t *testing.T) {
	schema, err := world.NewSchema([]world.Class{{Name: "Clock", Fields: []world.Field{
		{Name: "lerp", Kind: world.Number},
		{Name: "made", Kind: world.Number, Show: world.ShowFunction, ShowWith: 1},
	}}}, newBuffer(t).Schema().Setup)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := schema.ClassByName("Clock")
	class := &schema.Classes[at]
	b := NewBuffer(schema, standard, true)
	add := func(tick world.Tick, n float64) {
		s := Sample{Tick: tick, ProxyUpdate: world.ProxyUpdate{Object: someone, Class: uint16(at)}}
		s.Fields = world.NewRow(class, []uint64{world.NumberBits(n), world.NumberBits(n)})
		b.Add(tick, []Sample{s}, -1)
	}
	half := func(_ *world.Class, _ int, x, y world.Value, part float64) (world.Value, bool) {
		return world.NumberValue(x.Number() + float64((y.Number()-x.Number())*part/2)), true
	}
	var h FieldHold
	last := [2]float64{}
	tick := func() float64 { return b.moment }
	frame := func(tick float64) (shown [2]float64) {
		t.Helper()
		b.moment = tick
		row := world.NewRow(class, make([]uint64, class.Words()))
		if !b.Fields(&b.objects[0], row, half) {
			t.Fatal("fields are not known")
		}
		h.Begin(time.Duration(tick*float64(time.Second)/60), 60)
		row = h.Show(someone, class, row, FromSnapshots, b.FieldsMoment(someone))
		h.End()
		for i := range shown {
			if shown[i] = math.Float64frombits(row.State[i]); shown[i] < last[i] {
				t.Errorf("at %v, field %d goes from %v back to %v", tick, i, last[i], shown[i])
			}
		}
		last = shown
		return shown
	}
	add(10, 1)
	add(20, 2)
	if frame(11); frame(14) != [2]float64{1.4, 1.2} {
		t.Errorf("on the way: %v", last)
	}
	add(15, 1) // late
	if frame(14.5); frame(19) != [2]float64{1.4, 1.2} {
		t.Errorf("the numbers do not stay: %v", last)
	}
	for add(30, 3); tick() < 29; {
		frame(tick() + 1)
	}
	add(27, 2) // later still: of a moment that was shown
	if frame(29.5); last[0] < 2.5 {
		t.Errorf("the numbers do not stay: %v", last)
	}
	add(50, 4)
	for tick() < 47.5 {
		frame(tick() + 0.5)
	}
	add(48, 3) // of a moment between two frames
	for frame(49); tick() < 70; {
		frame(tick() + 1)
	}
	if last != [2]float64{4, 4} {
		t.Errorf("in the end: %v", last)
	}
}
