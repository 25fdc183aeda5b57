package world_test

import (
	"math"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

var inputFields = []world.InputField{
	{Name: "go"}, {Name: "fire", Index: 3},
	{Name: "aim", Axis: true, Min: -math.Pi, Max: math.Pi, Step: 0.001},
	{Name: "speed", Axis: true, Index: 2, Min: 0, Max: 1},
}

func TestConformedInputsPassTheCheck(t *testing.T) {
	draws.Check(t, func(t *rapid.T) {
		var in world.Input
		in.Buttons = rapid.Uint32().Draw(t, "buttons")
		for i := range in.Held {
			in.Held[i] = rapid.Byte().Draw(t, "held")
		}
		for i := range in.Axes {
			in.Axes[i] = rapid.Float64().Draw(t, "axis")
		}
		out := world.Conform(inputFields, in)
		if err := world.CheckInput(inputFields, out); err != nil {
			t.Fatal(err)
		}
		if world.Conform(inputFields, out) != out {
			t.Fatalf("conforming %v again gives %v", out, world.Conform(inputFields, out))
		}
	})
}

func TestCheckInputRefuses(t *testing.T) {
	bad := map[string]world.Input{
		"undeclared button": {Buttons: 1 << 7},
		"NaN":               {Axes: [world.MaxAxes]float64{math.NaN()}},
		"above the range":   {Axes: [world.MaxAxes]float64{0, 0, 1.5}},
		"infinite":          {Axes: [world.MaxAxes]float64{math.Inf(1)}},
		"undeclared axis":   {Axes: [world.MaxAxes]float64{0, 1}},
		"64 parts":          {Buttons: 1, Held: [world.MaxButtons]uint8{64}},
		"parts of no press": {Buttons: 1, Held: [world.MaxButtons]uint8{0, 0, 0, 5}},
	}
	for name, in := range bad {
		if world.CheckInput(inputFields, in) == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if err := world.CheckInput(inputFields, world.Input{}); err != nil {
		t.Errorf("the neutral input: %v", err)
	}
}

func TestRemapReadsByName(t *testing.T) {
	to := []world.InputField{{Name: "fire", Index: 0}, {Name: "aim", Axis: true, Index: 1, Min: -1, Max: 1}, {Name: "new", Index: 1}}
	in := world.Input{Buttons: 1 << 3, Held: [world.MaxButtons]uint8{3: 20}, Axes: [world.MaxAxes]float64{2.5}}
	got := world.RemapInput(inputFields, to, in)
	want := world.Input{Buttons: 1, Held: [world.MaxButtons]uint8{20}, Axes: [world.MaxAxes]float64{0, 1}}
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPress(t *testing.T) {
	for part, want := range map[float64]int{0: 1, 0.001: 1, 0.25: 16, 0.99: 63, 0.995: 64, 1: 64, 2: 64} {
		var in world.Input
		in.Press(3, part)
		if got := in.HeldParts(3); got != want || in.Buttons != 1<<3 || in.HeldParts(0) != 0 {
			t.Errorf("pressed for %v of the tick: %d parts, want %d", part, got, want)
		}
		if err := world.CheckInput(inputFields, in); err != nil {
			t.Error(err)
		}
	}
}
