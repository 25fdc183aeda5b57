package syntax

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// Parse returns the syntax tree of a file. The tree is not nil unless there is an
// error. The error is a *world.ScriptError.
func Parse(f world.Source) (tree []ast.Stmt, err error) {
	if err := checkNesting(f); err != nil {
		return nil, err
	}
	tree, err = parse.Parse(strings.NewReader(f.Text), f.Name)
	if err != nil {
		return nil, parseProblem(f, err)
	}
	if tree == nil {
		tree = []ast.Stmt{}
	}
	return tree, checkTree(f.Name, tree)
}

// Problem returns an error at a place in a script.
func Problem(file string, line int, format string, args ...any) *world.ScriptError {
	return &world.ScriptError{File: file, Line: line, Message: fmt.Sprintf(format, args...)}
}

// parseProblem converts an error of the parser.
func parseProblem(file world.Source, err error) *world.ScriptError {
	var pe *parse.Error
	if !errors.As(err, &pe) {
		return Problem(file.Name, 1, "%s", Clean(err.Error()))
	}
	if pe.Pos.Line == parse.EOF {
		line, why := unclosed(file.Text)
		if line == 0 {
			line = 1 + strings.Count(strings.TrimRight(file.Text, "\n"), "\n")
		}
		return Problem(file.Name, line, "%s: the file ends too early; %s", strings.TrimSpace(pe.Message), why)
	}
	if pe.Token == "" && !strings.ContainsAny(byteAt(file.Text, pe.Pos), `"'`) { // an empty text is a token, too
		pe.Token = "." // whose text the parser leaves out
	}
	line, what := pe.Pos.Line, strings.TrimSpace(pe.Message)
	why := insteadAt(file.Text, pe.Token, line, what == aloneMessage)
	if broken := unterminated(file.Text, line); broken > 0 {
		why.line, why.near = broken, pe.Token // the parser is on the next one
	} else if why.instead == "" {
		if why = misplaced(file.Text, pe.Token, line); why.instead == "" {
			why = unfinished(file.Text, pe.Token, line, what == aloneMessage)
		}
	}
	near := pe.Token
	if why.line != line && why.line > 0 { // the parser is on a later one
		line, near = why.line, or(why.near, or(lastWord(file.Text, why.line), near))
	}
	message := fmt.Sprintf("%s near %q", what, near)
	if why.instead != "" {
		message += "; " + why.instead
	}
	return Problem(file.Name, line, "%s", message)
}

// reason is why a file does not parse.
type reason struct {
	line    int    // where that is written; 0: it is not known
	near    string // what stands there; empty: the last word of the line
	instead string // what to write; empty: it is not known
}

// or returns the first of two texts, the second if it is empty.
func or(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// lastWord returns the last word in a line of a text, without comments; empty: there is none.
func lastWord(text string, line int) string {
	words := rxWord.FindAllString(codeOf(strings.Split(text, "\n")[line-1]), -1)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// byteAt returns the byte of a text at a position, "" if there is none.
func byteAt(text string, p ast.Position) string {
	lines := strings.Split(text, "\n")
	if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1]) {
		return ""
	}
	return lines[p.Line-1][p.Column-1 : p.Column]
}

// compileProblem converts an error of the compiler, which was given a tree.
func compileProblem(file string, tree []ast.Stmt, err error) *world.ScriptError {
	var ce *lua.CompileError
	if errors.As(err, &ce) {
		line, message := tooLarge(tree, ce)
		return Problem(file, max(line, 1), "%s", message)
	}
	return Problem(file, 1, "%s", Clean(err.Error()))
}

var rxAddress = regexp.MustCompile(`\b(table|function|userdata|thread|channel): 0x[0-9a-f]+`)

// Clean removes memory addresses from a message, because they differ from run
// to run.
func Clean(msg string) string { return rxAddress.ReplaceAllString(msg, "$1") }
