package syntax

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// Messages of the interpreter about values that do not fit. They do not say
// which variable or field such a value came from; Blamer reads that off the
// text of the line.
var (
	rxArithmetic = regexp.MustCompile(`^cannot perform (\w+) operation between (\w+) and (\w+)$`)
	rxOperand    = regexp.MustCompile(`^attempt to perform arithmetic on `)
	rxIndex      = regexp.MustCompile(`^attempt to index a non-table object\((\w+)\) with key '(.*)'$`)
	rxIndexed    = regexp.MustCompile(`^(attempt to index .*)( with key '(.*)')$`)
	rxMethodOf   = regexp.MustCompile(`^(\w+) is a method of objects: .*, not on `)
	rxCompare    = regexp.MustCompile(`^attempt to compare (\w+) with (\w+)$`)
	// What libraries look for, and local variables that they call like it: local loadstring = loadstring or load.
	rxMissing     = regexp.MustCompile(`global '(\w+)'|local '(collectgarbage|dofile|gcinfo|getfenv|loadfile|loadstring|newproxy|setfenv)'`)
	rxCalled      = regexp.MustCompile(`^attempt to call a (?:nil|boolean|number|string) value$`)
	rxCalledField = regexp.MustCompile(`^attempt to call a nil value \(field '(\w+)'\)$`)
	rxMembers     = regexp.MustCompile(`\b(_G|coroutine|math|string|table)\s*\.\s*(\w+)`)
)

// CannotConcat begins the message about a value that .. cannot join.
const CannotConcat = ".. joins strings and numbers, not "

// ChangedOperand is the number of the operand that is the value of the field in
// a call of Change.
const ChangedOperand = 5

// ReadOnly begins the message about a write to a frozen table.
const ReadOnly = "this table is read-only"

// operators are the names that the interpreter gives to its operators.
var operators = map[string]string{"add": "+", "sub": "-", "mul": "*", "div": "/", "mod": "%"}

// Blamer names the value that an error of the interpreter is about: it finds
// the expressions on the error's line that may have given it. It is not safe
// for concurrent use.
type Blamer struct {
	sources []world.Source
	library *api.Library
	files   map[string]*fileLines // of files with errors
}

// NewBlamer returns a Blamer for errors in the given files.
func NewBlamer(sources []world.Source, library *api.Library) *Blamer {
	return &Blamer{sources: sources, library: library, files: map[string]*fileLines{}}
}

// Explain rewrites a message of the interpreter in the words of Lua 5.1, with
// the name of the value that is wrong. operand is the number of the operand
// that the last error about an operand was about. A library may call what is left
// out of Lua, which is nil there: the message says so.
func (b *Blamer) Explain(e *world.ScriptError, operand int) {
	was := e.Message
	b.explain(e, operand)
	if e.Message == was {
		return
	}
	if name := b.leftOut(e); name != "" {
		e.Message += "; there is no " + name + api.Instead(name, nil, "")
	}
}

// leftOut returns the name of what is left out of Lua and that a message is about, "" for another message. Of a field,
// the line must say that it is one of a table of Lua.
func (b *Blamer) leftOut(e *world.ScriptError) string {
	if m := rxMissing.FindStringSubmatch(e.Message); m != nil && api.LeftOut(m[1]+m[2]) {
		return m[1] + m[2]
	}
	m := rxCalledField.FindStringSubmatch(e.Message)
	if m == nil {
		return ""
	}
	for _, of := range rxMembers.FindAllStringSubmatch(b.line(e.File, e.Line), -1) {
		switch {
		case of[2] != m[1]:
		case of[1] == "_G" && api.LeftOut(m[1]):
			return m[1]
		case api.LeftOutMember(of[1], m[1]):
			return of[1] + "." + m[1]
		}
	}
	return ""
}

// line returns the text of a line of a file, "" if there is none.
func (b *Blamer) line(file string, line int) string {
	i := slices.IndexFunc(b.sources, func(s world.Source) bool { return s.Name == file })
	if i < 0 || line < 1 {
		return ""
	}
	text := b.sources[i].Text
	for ; line > 1; line-- {
		_, text, _ = strings.Cut(text, "\n")
	}
	text, _, _ = strings.Cut(text, "\n")
	return text[:min(len(text), maxLine)]
}

// maxLine is how much of a line is searched for names.
const maxLine = 1024

// explain is Explain but for what is said of a function that is left out.
func (b *Blamer) explain(e *world.ScriptError, operand int) {
	var suspects func(ast.Expr) []ast.Expr
	if m := rxArithmetic.FindStringSubmatch(e.Message); m != nil {
		left, right := wrongSides(m[2], m[3])
		bad := m[3]
		if left {
			bad = m[2]
		}
		e.Message = "attempt to perform arithmetic on " + AValue(bad)
		suspects = arithmeticOn(operators[m[1]], left, right)
	} else if rxOperand.MatchString(e.Message) {
		left := operand == 1 || operand == ChangedOperand
		suspects = arithmeticOn("", left, !left)
	} else if m := rxIndex.FindStringSubmatch(e.Message); m != nil {
		e.Message = "attempt to index " + AValue(m[1]) + b.indexed(e, m[2]) + " with key '" + m[2] + "'"
		return
	} else if m := rxIndexed.FindStringSubmatch(e.Message); m != nil {
		e.Message = m[1] + b.indexed(e, m[3]) + m[2]
		return
	} else if m := rxMethodOf.FindStringSubmatch(e.Message); m != nil {
		suspects = indexed(m[1], false)
	} else if m := rxCompare.FindStringSubmatch(e.Message); m != nil {
		message, hint := comparison(m[1], m[2])
		e.Message = message + b.suspected(e.File, e.Line, compared) + hint
		return
	} else if what, ok := strings.CutPrefix(e.Message, ReadOnly); ok {
		e.Message = b.frozen(e, what)
		return
	} else if strings.HasPrefix(e.Message, CannotConcat) {
		suspects = joined(operand)
	} else if strings.Contains(e.Message, "attempt to call a non-function object") {
		e.Message = "attempt to call something that is not a function"
		suspects = calledOn(b.library)
	} else if rxCalled.MatchString(e.Message) {
		suspects = calledOn(b.library)
	} else if e.Message == "__unm undefined" {
		e.Message, suspects = "minus (-) of something that is not a number", negated
	} else if e.Message == "__len undefined" {
		e.Message, suspects = "length (#) of something that is not a table or a string", measured
	} else {
		return
	}
	e.Message += b.suspected(e.File, e.Line, suspects)
}

// wrongSides reports which operands of arithmetic may be wrong, judged by their
// types. A string may read as a number, so it is suspected only if neither
// operand is of another type.
func wrongSides(left, right string) (l, r bool) {
	fits := func(t string) bool { return t == "number" || t == "string" }
	switch {
	case !fits(left):
		return true, false
	case !fits(right):
		return false, true
	}
	return left == "string", right == "string"
}

// AValue returns a value of a type, in words.
func AValue(of string) string {
	switch of {
	case "nil", "boolean", "number", "string", "table", "function":
		return "a " + of + " value"
	case "object", "userdata":
		return "an object"
	}
	return "a " + of
}

// maxSuspects is the greatest number of expressions on a line for which names
// are looked up.
const maxSuspects = 200

// suspected returns the names of the expressions on a line that may have given
// a wrong value, "" if none of them has a name.
func (b *Blamer) suspected(file string, line int, suspects func(ast.Expr) []ast.Expr) string {
	if b.files[file] == nil {
		b.files[file] = b.read(file)
	}
	f := b.files[file]
	if len(f.on(line)) > maxSuspects {
		return ""
	}
	var names []string
	for _, e := range f.on(line) {
		for _, s := range suspects(e) {
			if name := f.called(s); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return " (" + names[0] + ")"
	}
	return " (one of " + world.Listed(names) + ")"
}

// frozen returns the message about a write to a frozen table. what is the rest of it. The message about a table of the
// files says what to do with that, as lint does.
func (b *Blamer) frozen(e *world.ScriptError, what string) string {
	if b.files[e.File] == nil {
		b.files[e.File] = b.read(e.File)
	}
	f := b.files[e.File]
	list := f.written[e.Line]
	if len(list) == 1 {
		if id, ok := list[0].(*ast.IdentExpr); ok && f.ofFile[id] {
			if !f.locals[id] && b.library.Has(id.Value) {
				return ReadOnly + ": " + id.Value + " belongs to the library, which cannot be changed; write a function of your own"
			}
			of := "the file"
			if !f.locals[id] {
				of = "the files"
			}
			return id.Value + " is read-only: it is a table of " + of + ", which is frozen after loading; " +
				insteadOfTable(e.File, id.Value)
		}
	}
	return ReadOnly + b.suspected(e.File, e.Line, func(of ast.Expr) []ast.Expr {
		if slices.Contains(list, of) {
			return []ast.Expr{of}
		}
		return nil
	}) + what
}

// insteadOfTable returns what to do instead of a write to a table of a file.
func insteadOfTable(file, name string) string {
	switch {
	case file == world.ViewFile:
		return "keep what changes with keep"
	case strings.HasSuffix(file, "_test.lua") || strings.HasSuffix(file, "_bot.lua"):
		return "make the table in the function"
	}
	return "declare what changes in state (self." + name + ", or game." + name + "), or make the table in the hook"
}

// read reads a file's expressions.
func (b *Blamer) read(file string) *fileLines {
	i := slices.IndexFunc(b.sources, func(s world.Source) bool { return s.Name == file })
	if i < 0 {
		return readLines(nil)
	}
	tree, err := Parse(b.sources[i])
	if err != nil {
		return readLines(nil)
	}
	return readLines(tree)
}

// arithmeticOn returns the operands of an operator on the sides that may be
// wrong. "" stands for any operator.
func arithmeticOn(operator string, left, right bool) func(ast.Expr) []ast.Expr {
	return func(e ast.Expr) (out []ast.Expr) {
		a, ok := e.(*ast.ArithmeticOpExpr)
		if !ok || operator != "" && a.Operator != operator {
			return nil
		}
		if left {
			out = append(out, a.Lhs)
		}
		if right {
			out = append(out, a.Rhs)
		}
		return out
	}
}

// indexed returns the name of the value that does not have the key: one with
// the key written out on that line, otherwise one with a computed key.
func (b *Blamer) indexed(e *world.ScriptError, key string) string {
	if name := b.suspected(e.File, e.Line, indexed(key, false)); name != "" {
		return name
	}
	return b.suspected(e.File, e.Line, indexed(key, true))
}

// indexed returns the expressions of which a key is looked up. computed selects
// those whose key is not written out.
func indexed(key string, computed bool) func(ast.Expr) []ast.Expr {
	return func(e ast.Expr) []ast.Expr {
		switch e := e.(type) {
		case *ast.AttrGetExpr:
			written := ""
			switch k := e.Key.(type) {
			case *ast.StringExpr:
				written = k.Value
			case *ast.NumberExpr:
				written = k.Value
			default:
				if computed {
					return []ast.Expr{e.Object}
				}
			}
			if written == key {
				return []ast.Expr{e.Object}
			}
		case *ast.FuncCallExpr:
			if e.Receiver != nil && e.Method == key {
				return []ast.Expr{e.Receiver}
			}
		}
		return nil
	}
}

// comparison returns the message about two values that have no order, and what to do.
func comparison(a, b string) (message, hint string) {
	switch {
	case a == b && a == "userdata":
		return "attempt to compare two objects, or lists or records of state", "; compare a field of each"
	case a == b && a == "table":
		hint = "; compare a field of each, or give them a metatable with __lt, and with __le for <= and >="
		fallthrough
	case a == b:
		return "attempt to compare two " + a + " values", hint
	}
	named := func(of string) string {
		if of == "userdata" {
			return "object or list"
		}
		return of
	}
	return "attempt to compare " + named(a) + " with " + named(b), ""
}

func compared(e ast.Expr) []ast.Expr {
	if r, ok := e.(*ast.RelationalOpExpr); ok && r.Operator != "==" && r.Operator != "~=" {
		return []ast.Expr{r.Lhs, r.Rhs}
	}
	return nil
}

// joined returns the n-th parts of chains of "..".
func joined(n int) func(ast.Expr) []ast.Expr {
	return func(e ast.Expr) []ast.Expr {
		c, ok := e.(*ast.StringConcatOpExpr)
		if !ok {
			return nil
		}
		for ; n > 2; n-- {
			if c, ok = c.Rhs.(*ast.StringConcatOpExpr); !ok {
				return nil
			}
		}
		if n == 1 {
			return []ast.Expr{c.Lhs}
		}
		if inner, ok := c.Rhs.(*ast.StringConcatOpExpr); ok {
			return []ast.Expr{inner.Lhs}
		}
		return []ast.Expr{c.Rhs}
	}
}

// calledOn returns the functions that are called, except those of the library.
func calledOn(l *api.Library) func(e ast.Expr) []ast.Expr {
	return func(e ast.Expr) []ast.Expr {
		c, ok := e.(*ast.FuncCallExpr)
		switch {
		case !ok:
			return nil
		case c.Receiver != nil && !l.HasMethod(c.Method):
			return []ast.Expr{&ast.AttrGetExpr{Object: c.Receiver, Key: &ast.StringExpr{Value: c.Method}}}
		case c.Receiver != nil || l.Has(NameOf(c.Func)):
			return nil
		}
		if get, ok := c.Func.(*ast.AttrGetExpr); ok {
			key, _ := TextOf(get.Key)
			if l.HasMember(NameOf(get.Object), key) {
				return nil
			}
		}
		return []ast.Expr{c.Func}
	}
}

func negated(e ast.Expr) []ast.Expr {
	if m, ok := e.(*ast.UnaryMinusOpExpr); ok {
		return []ast.Expr{m.Expr}
	}
	return nil
}

func measured(e ast.Expr) []ast.Expr {
	if m, ok := e.(*ast.UnaryLenOpExpr); ok {
		return []ast.Expr{m.Expr}
	}
	return nil
}
