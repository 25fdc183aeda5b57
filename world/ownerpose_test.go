package world

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/world/physics"
)

// TestReceivedNumbersAreWholeOnEveryCPU reads what the engine keeps in fields from rows that a host could have
// made up. Go converts numbers out of range differently on different CPUs.
func TestReceivedNumbersAreWholeOnEveryCPU(t *testing.T) {
	body := &BodySpec{Def: physics.Def{Type: physics.Dynamic, Shape: physics.CircleShape(0.5), Density: 1}}
	schema, err := NewSchema([]Class{
		{Name: "Racer", Moves: &MoveRules{}, LOD: Interpolate, Body: body},
		{Name: "Framed", Independent: true, LOD: Interpolate, Body: body, Hooks: 1 << Simulate},
	}, Setup{TickRate: 60, Substeps: 1, Width: 100, Height: 100})
	if err != nil {
		t.Fatal(err)
	}
	row := func(name string, word func(c *Class) int, v float64) (*Class, Row) {
		i, _ := schema.ClassByName(name)
		c := &schema.Classes[i]
		r := Row{State: make([]uint64, c.layout.flat)}
		r.State[word(c)] = math.Float64bits(v)
		return c, r
	}
	refused := func(c *Class) int { return c.layout.flat - moveWords + moveRefused }
	frame := func(c *Class) int { return c.layout.flat - 1 }
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 1e300, math.MaxUint32 * 16, 80, 85, 86, 87} {
		if at, why := LastRefusal(row("Racer", refused, v)); at != 0 || why != NotRefused {
			t.Errorf("a refusal of %v: tick %d, %d", v, at, why)
		}
	}
	if at, why := LastRefusal(row("Racer", refused, 8*math.MaxUint32+float64(NotVerified))); at != math.MaxUint32 || why != NotVerified || why.String() == "" {
		t.Errorf("the last refusal there can be: tick %d, %d", at, why)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 1e300, math.MaxUint32 + 1} {
		if n := LastFrame(row("Framed", frame, v)); n != 0 {
			t.Errorf("frame %v: %d", v, n)
		}
		if n := wholeOf(math.Float64bits(v), math.MaxUint32); n != 0 {
			t.Errorf("%v: %d", v, n)
		}
	}
	if n := LastFrame(row("Framed", frame, 77)); n != 77 {
		t.Errorf("frame 77: %d", n)
	}
}
