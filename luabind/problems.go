package luabind

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

var (
	rxFrame = regexp.MustCompile(`(?m)^\t(.+):(\d+): in (?:function |main )?(.*)$`)
	rxPlace = regexp.MustCompile(`^(.+?):(\d+): `)
)

// problems turns errors of the interpreter into world.ScriptErrors.
type problems struct {
	files  []string
	lang   *language
	states *interpreters
	blamer *syntax.Blamer
}

// of returns the error with file, line and message, parsed from the error of
// gopher-lua.
func (pr *problems) of(err error) *world.ScriptError {
	var se *world.ScriptError
	if errors.As(err, &se) {
		return se
	}
	var ae *lua.ApiError
	if !errors.As(err, &ae) {
		return syntax.Problem(pr.files[0], 0, "%s", syntax.Clean(err.Error()))
	}
	e := &world.ScriptError{Trace: append(pr.lang.passed, traceOf(ae.StackTrace)...)}
	if len(e.Trace) > maxTrace {
		e.Trace = e.Trace[:maxTrace]
	}
	e.Message = pr.text(ae.Object)
	pr.lang.passed = nil
	if len(e.Trace) > 0 {
		e.File, e.Line = e.Trace[0].File, e.Trace[0].Line
	}
	if m := placeIn(e.Message); m != nil && slices.Contains(pr.files, m[1]) {
		e.File, e.Line = m[1], atoi(m[2])
		e.Message = e.Message[len(m[0]):]
	}
	e.Message = syntax.Clean(shortened(e.Message))
	pr.explain(e)
	return e
}

// placeIn finds the place at the start of a message: all of it, the file and the line. It is nil if there is none.
func placeIn(message string) []string {
	const longest = 256
	return rxPlace.FindStringSubmatch(message[:min(len(message), longest)])
}

// maxMessage is the length of the longest message of an error. Scripts make messages of their own.
const maxMessage = 1024

// shortened returns a message, cut if it is too long.
func shortened(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "..."
}

// maxTrace is how many calls a trace shows.
const maxTrace = 12

// traceOf reads the calls of scripts out of the traceback of gopher-lua. It
// leaves out calls of our functions between them.
func traceOf(text string) (trace []world.CallSite) {
	for _, m := range rxFrame.FindAllStringSubmatch(text, maxTrace) {
		name := strings.Trim(m[3], "'")
		if strings.HasPrefix(name, "<") { // <file:line>: it has no name there
			name = "a function"
		}
		trace = append(trace, world.CallSite{File: m[1], Line: atoi(m[2]), Func: name})
	}
	return trace
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // digits, by the pattern
	return n
}

// errorText returns the text of a value that a script raised with error().
func errorText(v lua.LValue) string {
	switch {
	case v == lua.LString(""):
		return "an error without a message"
	case isText(v):
		return toText(v)
	}
	return "an error value of type " + typeName(v)
}

// text is errorText, but a table with __tostring gives its own text, as in Lua 5.2. The function that ended with the
// error pays for that from what is left of its budget. It fails as any function may, which ends nothing more.
func (pr *problems) text(v lua.LValue) string {
	fn := event(v, "__tostring")
	if fn == lua.LNil || pr.states.failing() || pr.lang.limits().spent {
		return errorText(v)
	}
	text := lua.LValue(lua.LNil)
	err := pr.states.apart(func(in *lua.LState) error {
		in.Push(fn)
		in.Push(v)
		if err := pr.states.pcall(in, 1, 1); err != nil {
			return err
		}
		text = in.Get(-1)
		in.Pop(1)
		return nil
	})
	switch {
	case err != nil:
		pr.lang.limits().left -= caughtCost
		return errorText(v) + ", whose __tostring fails: " + pr.explained(messageOf(err))
	case isText(text):
		return errorText(text)
	}
	return errorText(v)
}

// explained returns the text of an error of the interpreter with what Blamer says of it.
func (pr *problems) explained(text string) string {
	m := placeIn(text)
	if m == nil || !slices.Contains(pr.files, m[1]) {
		m = []string{"", pr.files[0], "0"}
	}
	e := &world.ScriptError{File: m[1], Line: atoi(m[2]), Message: text[len(m[0]):]}
	pr.blamer.Explain(e, pr.lang.blamed())
	return m[0] + strings.TrimPrefix(e.Message, " ") // that is between a place, here none, and a message
}

var tooDeep = fmt.Sprintf(
	"functions call each other too deep: at most %d calls within each other, ours included, of which at most %d "+
		"in a pcall, in a coroutine, or in onSpawn within a hook; does a recursion not end?", callDepth, innerDepth)

// explain replaces the short messages of the interpreter with messages that say
// what to do.
func (pr *problems) explain(e *world.ScriptError) {
	spent, at := pr.lang.limits().problem()
	switch {
	case spent != "": // nothing else runs after that
		e.Budget = true
		e.Message = spent
		if at.line > 0 {
			e.File, e.Line = at.file, at.line
		}
	case isOverflow(e.Message):
		e.Budget = true
		e.Message = tooDeep
	default:
		pr.blamer.Explain(e, pr.lang.blamed())
	}
}
