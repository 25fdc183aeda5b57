package syntax

// MostWork is how much work the compiler may have with all files of a bundle, in comparisons of two names. It finds a
// variable, and a constant, by comparing it with all others in sight one by one, and it computes a sum again for each
// of its operators. So its time grows with the square of the size of a function, and without this limit a bundle within
// all others takes many seconds. With it none takes half a second.
const MostWork = 50_000_000

// MostViewWork is the same for view.lua, which is compiled between two frames.
const MostViewWork = MostWork / 5

// What work other than a comparison counts.
const (
	nodeWork     = 100  // a statement or an expression
	sumWork      = 16   // an operand, for each operator around it
	functionWork = 2000 // a function
)

// Work counts the work with a bundle. It is not safe for concurrent use.
type Work struct {
	left int
	said bool
}

// NewWork returns a Work of which nothing is used.
func NewWork(most int) *Work { return &Work{left: most} }

func (w *Work) spend(n int) { w.left -= n }

// Exceeded reports whether there was too much. Files after that are not compiled.
func (w *Work) Exceeded() bool { return w.left < 0 }

// problem returns the error of a Work that is exceeded, once. file is the one that is being compiled.
func (w *Work) problem(file string) []error {
	if w.said {
		return nil
	}
	w.said = true
	return []error{Problem(file, 1, "the scripts take too long to compile, which depends on how many variables and "+
		"constants each function has: split the longest tables and functions of all files into functions that are "+
		"shorter, or leave something out")}
}
