// Package docstrings breaks the rule on comments of exported names.
package docstrings

// Good is a type. Named is a field that this comment is about.
type Good struct {
	Speed  float64 // m/s
	Weight float64
	// Above has a comment above it.
	Above int
	Named int
	Other *Other
	other int
}

// Point is a place in metres.
type Point struct{ X, Y float64 }

// Others are more than one.
type Other struct{}

type Bare struct{}

// Do does something.
func (g *Good) Do() { g.other++ }

func (g *Good) Undo() { g.other-- }

// String is called through an interface; it needs no comment, and has one.
func (g *Good) String() string { return "" }

func (g *Good) Error() string { return "" }

// It makes a Good.
func Make() *Good { return new(Good) }

// Load loads.
func Load() error { return nil }

// Save saves. It returns an error if it cannot.
func Save() error { return nil }

// Doer does things.
type Doer interface {
	Do() // does it
	Undo()
}

// A group of constants.
const (
	One = 1
	Two = 2
)

const Three = 3 // three

var Loose int
