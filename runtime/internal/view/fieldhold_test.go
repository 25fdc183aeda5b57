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
		row = h.Show(7, class, row, source, FieldMoment{moment, moment})
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
