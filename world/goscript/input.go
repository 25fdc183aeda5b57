package goscript

import "github.com/hindcast/hindcast/world"

// input is a declared button or axis.
type input struct {
	of   *declaration
	spec world.InputField
}

func newInput(of *declaration, f world.InputField) *input { return &input{of: of, spec: f} }

func (in *input) name() string { return in.spec.Name }

func (in *input) index() int { return in.spec.Index }

// number gives the input its place among the buttons or the axes, of which there are so many.
func (in *input) number(buttons, axes *int) world.InputField {
	next := buttons
	if in.spec.Axis {
		next = axes
	}
	in.spec.Index = *next
	*next++
	return in.spec
}

// declare changes the declaration.
func (in *input) declare(change func(f *world.InputField)) {
	in.of.mayDeclare()
	change(&in.spec)
}

// Button is a declared button. Its methods may be used by programs too, to read and
// make inputs, once the game has been compiled.
type Button struct{ in *input }

// Merge declares the rule by which the values in the frames of a tick become one input.
func (b Button) Merge(rule world.Merge) Button {
	b.in.declare(func(f *world.InputField) { f.Merge = rule })
	return b
}

// Counted declares that the presses of the button are counted, for Pressed, Released and Presses.
// It adds a number to the state of each object of the class.
func (b Button) Counted() Button {
	b.in.declare(func(f *world.InputField) { f.Counted = true })
	return b
}

// Once declares that ticks whose own input is missing do not repeat the button: it is up.
func (b Button) Once() Button {
	b.in.declare(func(f *world.InputField) { f.Once = true })
	return b
}

// Pressed reports whether the button went down since the object's last input. No press is lost or
// comes twice, whatever becomes of the input of its tick (world.Input.Edges). It may be called in
// ApplyInput and Simulate, for a button that is Counted.
func (b Button) Pressed(a Actor) bool { return b.Presses(a) > 0 }

// Released reports whether the button went up since the object's last input, as Pressed does.
func (b Button) Released(a Actor) bool { return b.presses(a).Up.Of(b.in.index()) > 0 }

// Presses returns how often the button went down since the object's last input: 0 to 4.
func (b Button) Presses(a Actor) int { return b.presses(a).Down.Of(b.in.index()) }

func (b Button) presses(a Actor) *world.Presses {
	p := pressesOn(a.of.stage())
	switch {
	case p == nil:
		fail("presses of %s: only ApplyInput and Simulate have an input", b.in.name())
	case !b.in.spec.Counted:
		fail("presses of %s: they are not counted: call Counted on the button where it is declared", b.in.name())
	}
	return p
}

// Down reports whether the button was down at any time of the tick.
func (b Button) Down(in *world.Input) bool { return in.Buttons&(1<<b.in.index()) != 0 }

// Value returns 1 if the button was down, otherwise 0.
func (b Button) Value(in *world.Input) float64 { return float64(bit(b.Down(in))) }

// Held returns for which part of the tick the button was down, from 0 to 1.
func (b Button) Held(in *world.Input) float64 {
	return float64(in.HeldParts(b.in.index())) / world.PressParts
}

// Press makes the button down for a part of the tick, from 0 to 1.
func (b Button) Press(in *world.Input, part float64) { in.Press(b.in.index(), part) }

// Axis is a declared input that is a number. Like those of Button, its methods may
// be used by programs.
type Axis struct{ in *input }

// Merge declares the rule by which the values in the frames of a tick become one input.
func (a Axis) Merge(rule world.Merge) Axis {
	a.in.declare(func(f *world.InputField) { f.Merge = rule })
	return a
}

// Step declares a step: inputs are rounded to a multiple of it. 0 keeps every bit.
func (a Axis) Step(step float64) Axis {
	a.in.declare(func(f *world.InputField) { f.Step = step })
	return a
}

// Once declares that ticks whose own input is missing do not repeat the axis: it is 0.
func (a Axis) Once() Axis {
	a.in.declare(func(f *world.InputField) { f.Once = true })
	return a
}

// Decay declares in how many seconds, at most 10, the axis falls to 0 while ticks whose own input is
// missing repeat it.
func (a Axis) Decay(seconds float64) Axis {
	a.in.declare(func(f *world.InputField) { f.Decay = seconds })
	return a
}

// Value returns the number.
func (a Axis) Value(in *world.Input) float64 { return in.Axes[a.in.index()] }

// Set sets the number.
func (a Axis) Set(in *world.Input, v float64) { in.Axes[a.in.index()] = v }
