package syntax

// variable is a local variable of a script.
type variable struct {
	name     string
	captured bool // a function inside uses it
	scratch  bool // a local variable of the file that functions may change, see scratchIn
	number   int  // in Locals, from 1; 0: no function changes it, or it is a scratch variable
}

// block is a scope of local variables within a function.
type block struct {
	vars   []*variable
	parent *block
	// loop marks the body of a loop. close is set when a break leaves a block
	// with captured variables inside it.
	loop, close bool
}

// needsClosing reports whether a break leaves a block with captured variables
// inside this one.
func (b *block) needsClosing() bool { return b.close }

// function is a function that is being rewritten.
type function struct {
	block     *block
	parent    *function
	varargs   bool
	constants map[string]int // by their index
	name      string         // of the function of a module that it is or is in, see Mentions
	visible   int            // variables, with those of the functions around it
	work      *Work
}

// newFunction begins a function inside parent. A nil parent begins the main
// chunk of a file.
func newFunction(parent *function, params []string, varargs bool, work *Work) *function {
	f := &function{parent: parent, varargs: varargs, constants: map[string]int{}, work: work}
	if parent != nil {
		f.visible, f.name = parent.visible, parent.name
	}
	f.open(false)
	f.declare(params...)
	if parent != nil && varargs {
		f.declare("arg") // gopher-lua declares it, as Lua 5.1 does
	}
	return f
}

// around returns the function that this one is in.
func (f *function) around() *function { return f.parent }

// takesVarargs reports whether ... may be used in the function.
func (f *function) takesVarargs() bool { return f.varargs }

// constant notes the use of a constant of the function. The compiler compares it with those before it.
func (f *function) constant(text string) {
	i, ok := f.constants[text]
	if !ok {
		i = len(f.constants)
		f.constants[text] = i
	}
	f.work.spend(i + 1)
}

// passesAll notes the use of a variable behind all others.
func (f *function) passesAll() { f.work.spend(f.visible + maxImports) }

// differentConstants returns how many constants the function has.
func (f *function) differentConstants() int { return len(f.constants) }

// main reports whether it is the main chunk of a file.
func (f *function) main() bool { return f.parent == nil }

// inLoop reports whether the present code may run more than once in one call.
func (f *function) inLoop() bool {
	for b := f.block; b != nil; b = b.parent {
		if b.loop {
			return true
		}
	}
	return false
}

func (f *function) open(loop bool) *block {
	f.block = &block{parent: f.block, loop: loop}
	return f.block
}

func (f *function) close() {
	f.visible -= len(f.block.vars)
	f.block = f.block.parent
}

func (f *function) declare(names ...string) {
	f.visible += len(names)
	for _, n := range names {
		f.block.vars = append(f.block.vars, &variable{name: n})
	}
}

func (f *function) find(name string) *variable {
	for b := f.block; b != nil && !f.work.Exceeded(); b = b.parent {
		f.work.spend(len(b.vars) + 1)
		for i := len(b.vars) - 1; i >= 0; i-- {
			if b.vars[i].name == name {
				return b.vars[i]
			}
		}
	}
	return nil
}

// isGlobal reports whether a name is not a local variable here. It marks a
// local variable of an outer function as captured.
func (f *function) isGlobal(name string) bool {
	if f.find(name) != nil {
		return false
	}
	for outer := f.parent; outer != nil; outer = outer.parent {
		if v := outer.find(name); v != nil {
			v.captured = true
			return false
		}
	}
	return true
}

// ofFile returns the local variable of the file that a name means within a function of the file; nil if it means
// something else.
func (f *function) ofFile(name string) *variable {
	for ; f != nil; f = f.parent {
		if v := f.find(name); v != nil {
			return nil
		}
		if f.parent != nil && f.parent.main() {
			return f.parent.find(name)
		}
	}
	return nil
}

// breaks notes a break. gopher-lua does not close the variables of the blocks
// that the break leaves, up to the body of the loop, unless the body has
// captured variables of its own. In that case the body gets one.
func (f *function) breaks() {
	leaves := false
	for b := f.block; b != nil; b = b.parent {
		if b.loop {
			b.close = b.close || leaves
			return
		}
		for _, v := range b.vars {
			leaves = leaves || v.captured
		}
	}
}
