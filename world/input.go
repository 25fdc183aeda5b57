package world

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxButtons and MaxAxes bound what one InputCmd can hold.
const (
	MaxButtons = 32
	MaxAxes    = 8
)

// Input (InputCmd in scripts) is what a player's client decided for one object in one tick.
// The class's InputFields say what each button and axis means. The zero value is the neutral
// input. Inputs compare with ==.
type Input struct {
	Buttons uint32 // a bit for each button that is down
	// Held is for how many PressParts of the tick each button of Buttons was down, if
	// it went down or up within the tick; 0: all the time.
	Held     [MaxButtons]uint8
	Axes     [MaxAxes]float64 // in the ranges of the InputFields
	ViewTime ViewTime         // the moment that the player's client showed
	// Edges has for each counted button how often it went down or up: from 2, which stands for up,
	// to 15, and then from 2 on again. So it is odd while the button is down. 0 is for a button
	// that is not counted. The simulation compares it with the count on which the object acted last,
	// which is part of the object's state. So a press whose input is lost comes with the next
	// input, and an input that is repeated presses nothing.
	Edges ButtonCounts
}

// PressParts is the number of parts of a tick in which the times of buttons are given.
const PressParts = 64

// HeldParts returns for how many PressParts of the tick a button, given as a bit of
// Buttons, was down.
func (in *Input) HeldParts(button int) int {
	switch {
	case in.Buttons&(1<<button) == 0:
		return 0
	case in.Held[button] == 0:
		return PressParts
	}
	return int(in.Held[button])
}

// Press sets a button as down for a part of the tick, at least one of PressParts.
func (in *Input) Press(button int, part float64) {
	in.Buttons |= 1 << button
	in.Held[button] = 0
	if n := math.Floor(float64(part*PressParts) + 0.5); n < PressParts {
		in.Held[button] = uint8(max(n, 1))
	}
}

// InputField is one declared field of an InputCmd.
type InputField struct {
	Name  string // as the script declares it
	Axis  bool   // a number; otherwise a button
	Index int    // bit in Buttons, or place in Axes
	// Min, Max and Step bound and quantise an axis. Step 0 keeps every bit.
	Min, Max, Step float64
	Merge          Merge // of what is done within a tick
	// Counted makes Input.Edges count how often the button goes down and up.
	Counted bool
	// Once keeps the input from being repeated in ticks whose own input is missing: the button is
	// up, the axis 0.
	Once bool
	// Decay is the time in seconds in which an axis falls to 0, in a straight line, while it is
	// repeated. 0: it does not fall.
	Decay float64
	Keys  []string // what a viewer binds to it: "ArrowLeft", "w", "mouse"
}

// Steps returns an axis value as a whole number of steps. It needs a Step above 0.
func (f *InputField) Steps(v float64) int64 { return int64(math.Floor(v/f.Step + 0.5)) }

// Value returns the axis value of n steps.
func (f *InputField) Value(n int64) float64 { return float64(n) * f.Step }

// FindInput returns the input that a class declares under a name. ok is false if there is none.
func FindInput(fields []InputField, name string) (f *InputField, ok bool) {
	i := slices.IndexFunc(fields, func(f InputField) bool { return f.Name == name })
	if i < 0 {
		return nil, false
	}
	return &fields[i], true
}

// Set gives an input of a class, by its name, a value: to an axis the number, and a button is
// down unless it is 0. It returns an error that wraps ErrNoField if the class declares no such
// input; then in does not change. Conform brings the number into range.
func (in *Input) Set(c *Class, name string, v float64) error {
	f, ok := FindInput(c.Inputs, name)
	switch {
	case !ok:
		return fmt.Errorf("%w: input %q; %s has %s", ErrNoField, name, c.Name, Listed(inputNames(c)))
	case f.Axis:
		in.Axes[f.Index] = v
	case v != 0:
		in.Press(f.Index, 1)
	default:
		in.Buttons &^= 1 << f.Index
		in.Held[f.Index] = 0
	}
	return nil
}

func inputNames(c *Class) (names []string) {
	for i := range c.Inputs {
		names = append(names, c.Inputs[i].Name)
	}
	return names
}

// Conform brings an input from a local source, such as keys or a bot, into the form in which
// it is simulated and sent: it clears undeclared buttons and axes, and brings numbers into
// range and onto their steps. NaN becomes the value nearest to 0.
func Conform(fields []InputField, in Input) Input {
	out := Input{ViewTime: in.ViewTime}
	for i := range fields {
		f := &fields[i]
		if !f.Axis {
			out.copyButton(f.Index, &in, f.Index)
			if !f.Counted {
				out.Edges.Set(f.Index, notCounted)
			}
			continue
		}
		v := in.Axes[f.Index]
		if v != v {
			v = 0
		}
		v = min(max(v, f.Min), f.Max)
		if f.Step > 0 {
			v = f.onStep(v)
		}
		out.Axes[f.Index] = v + 0 // -0 becomes 0
	}
	return out
}

// copyButton presses a button as long as one of another input.
func (in *Input) copyButton(to int, from *Input, button int) {
	if from.Buttons&(1<<button) != 0 {
		in.Buttons |= 1 << to
		in.Held[to] = from.Held[button] % PressParts
	}
	in.Edges.Set(to, from.Edges.Of(button))
}

// onStep returns the multiple of Step nearest to v that is within the range.
func (f *InputField) onStep(v float64) float64 {
	n := f.Steps(v)
	if f.Value(n) > f.Max {
		n--
	}
	if f.Value(n) < f.Min {
		n++
	}
	return f.Value(n)
}

// CheckInput returns an error if an input from outside must be refused.
func CheckInput(fields []InputField, in Input) error {
	var known Input
	edges := in.Edges
	for i := range fields {
		f := &fields[i]
		if !f.Axis {
			known.Buttons |= 1 << f.Index
			if f.Counted && edges.Of(f.Index) != 1 {
				edges.Set(f.Index, notCounted)
			}
			continue
		}
		known.Axes[f.Index] = 1
		v := in.Axes[f.Index]
		if !(v >= f.Min && v <= f.Max) {
			return fmt.Errorf("input field %s = %v is outside %v..%v", f.Name, v, f.Min, f.Max)
		}
	}
	if in.Buttons&^known.Buttons != 0 {
		return fmt.Errorf("input has undeclared buttons %#x", in.Buttons&^known.Buttons)
	}
	if edges != (ButtonCounts{}) {
		return errors.New("input has counts of buttons that are not counted, or counts of 1")
	}
	for i, parts := range in.Held {
		if parts >= PressParts || parts != 0 && in.Buttons&(1<<i) == 0 {
			return fmt.Errorf("input has button %d down for %d of %d parts", i, parts, PressParts)
		}
	}
	for i, v := range in.Axes {
		if known.Axes[i] == 0 && v != 0 {
			return fmt.Errorf("input has an undeclared axis %d", i)
		}
	}
	return nil
}

// RemapInput translates an input made for one declaration to another one by field names. It
// is for inputs that were sampled before a bundle switch and are simulated after it.
func RemapInput(from, to []InputField, in Input) Input {
	out := Input{ViewTime: in.ViewTime}
	for i := range to {
		t := &to[i]
		for j := range from {
			f := &from[j]
			if f.Name != t.Name || f.Axis != t.Axis {
				continue
			}
			if t.Axis {
				out.Axes[t.Index] = in.Axes[f.Index]
			} else {
				out.copyButton(t.Index, &in, f.Index)
			}
		}
	}
	return Conform(to, out)
}

// Fades reports whether a repeated input differs from the input that it repeats.
func (fs InputFields) Fades() bool {
	return slices.ContainsFunc(fs, func(f InputField) bool { return f.Once || f.Decay > 0 })
}

// Repeated returns what an input amounts to in a tick that repeats it because its own is missing,
// age ticks after the input's tick.
func (fs InputFields) Repeated(in Input, age Tick, tickRate int) Input {
	for i := range fs {
		switch f := &fs[i]; {
		case f.Once && f.Axis:
			in.Axes[f.Index] = 0
		case f.Once:
			in.Buttons &^= 1 << f.Index
			in.Held[f.Index] = 0
		case f.Decay > 0:
			left := 1 - float64(age)/float64(f.Decay*float64(tickRate))
			in.Axes[f.Index] = f.fade(in.Axes[f.Index], max(left, 0))
		}
	}
	return in
}

// fade returns the part left of v, on the field's steps.
func (f *InputField) fade(v, left float64) float64 {
	if v = float64(v * left); f.Step > 0 {
		v = f.onStep(v)
	}
	return v + 0 // -0 becomes 0
}
