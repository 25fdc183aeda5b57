package syntax

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/api"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
)

// Names are the names that have a meaning in all files of a bundle.
type Names struct {
	Library *api.Library
	// Fields are the names that some class declares in state or aux, and those
	// of the parts of records. Scripts read them with a call of Get.
	Fields map[string]bool
	// AnyField reads every field with a call of Get: the classes are not known.
	AnyField bool
	Work     *Work   // of all files of the bundle
	Locals   *Locals // likewise
}

// Chunk is a compiled file.
type Chunk struct {
	File    string
	Proto   *lua.FunctionProto // nil: the file cannot be compiled
	Imports []string           // names of the values that it takes as arguments

	Functions    int               // how many functions the file holds
	Reads        map[string]int    // globals that it reads: line of the first read
	Writes       map[string]int    // globals that it assigns: line of the first assignment
	Declarations map[string]*Lines // by class
	// Captures counts, for each function, the variables of the function around
	// it that it captures.
	Captures map[*lua.FunctionProto]int
	// OfFile says of the variables that a function captures which are local variables of the file.
	OfFile   map[*lua.FunctionProto][]bool
	Presses  Presses         // the presses that it asks for
	Timers   map[string]bool // the functions that its calls of after and every name
	Attached Attached        // the classes whose objects it attaches
	Required Required        // the modules that it asks for
	Mentions *Mentions

	loadReads map[string]bool // globals that the main chunk itself reads
	absent    bool            // the main chunk itself uses a library member that does not exist
	changed   map[string]bool // local variables of the file that functions change
}

// Compile rewrites, compiles and verifies one parsed file. It changes tree. The
// chunk describes what the file names even if it cannot be compiled.
func Compile(file string, tree []ast.Stmt, names Names) (c *Chunk, errs []error) {
	c = &Chunk{File: file, Reads: map[string]int{}, Writes: map[string]int{}, Declarations: map[string]*Lines{},
		Captures: map[*lua.FunctionProto]int{}, OfFile: map[*lua.FunctionProto][]bool{}, changed: map[string]bool{},
		Presses: pressesIn(tree), Timers: timersIn(tree),
		Attached: attachedIn(tree), Required: RequiredIn(tree), Mentions: mentionsIn(file, tree),
		loadReads: map[string]bool{}}
	u := &unit{chunk: c, work: names.Work, imported: map[string]bool{}}
	scratch := scratchIn(file, tree, maxScratch-names.Locals.scratch)
	names.Locals.scratch += countScratch(scratch.variables)
	tree = rewriter{names, u, scratch}.file(tree, c)
	errs, ok := u.result()
	if names.Work.Exceeded() {
		return c, names.Work.problem(file) // the other errors may follow from it
	}
	if !ok {
		return c, errs
	}
	defer func() {
		if broken := recover(); broken != nil {
			c.Proto = nil
			errs = []error{Problem(file, 1, "internal error: the compiler failed: %s", Clean(fmt.Sprint(broken)))}
		}
	}()
	proto, err := lua.Compile(tree, file)
	if err != nil {
		return c, []error{compileProblem(file, tree, err)}
	}
	c.Proto = proto
	return c, append(errs, verify(c)...)
}

// Loads reports whether the main chunk can run: whether the names that it needs
// exist. defined reports whether some file assigns a global.
func (c *Chunk) Loads(defined func(global string) bool) bool {
	if c.absent {
		return false
	}
	// order: each is asked alone
	for n := range c.loadReads {
		if !defined(n) {
			return false
		}
	}
	return true
}

// reads notes that the file reads a global; loading: while it is loaded.
func (c *Chunk) reads(global string, line int, loading bool) {
	if loading {
		c.loadReads[global] = true
	}
	if _, ok := c.Reads[global]; !ok {
		c.Reads[global] = line
	}
}

// writes notes that the file assigns a global.
func (c *Chunk) writes(global string, line int) {
	if _, ok := c.Writes[global]; !ok {
		c.Writes[global] = line
	}
}

// failsToLoad notes that the main chunk uses a library member that does not exist.
func (c *Chunk) failsToLoad() { c.absent = true }
