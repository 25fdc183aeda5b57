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
	line, message := pe.Pos.Line, fmt.Sprintf("%s near %q", strings.TrimSpace(pe.Message), pe.Token)
	instead := insteadAt(file.Text, line)
	if at := unterminated(file.Text, line); at > 0 {
		line = at // the parser is on the next one
	} else if instead == "" {
		instead = misplaced(file.Text, pe.Token, line)
	}
	if instead != "" {
		message += "; " + instead
	}
	return Problem(file.Name, line, "%s", message)
}

// byteAt returns the byte of a text at a position, "" if there is none.
func byteAt(text string, p ast.Position) string {
	lines := strings.Split(text, "\n")
	if p.Line < 1 || p.Line > len(lines) || p.Column < 1 || p.Column > len(lines[p.Line-1]) {
		return ""
	}
	return lines[p.Line-1][p.Column-1 : p.Column]
}

// compileProblem converts an error of the compiler.
func compileProblem(file string, err error) *world.ScriptError {
	var ce *lua.CompileError
	if errors.As(err, &ce) {
		return Problem(file, max(ce.Line, 1), "%s", ce.Message)
	}
	return Problem(file, 1, "%s", Clean(err.Error()))
}

var rxAddress = regexp.MustCompile(`\b(table|function|userdata|thread|channel): 0x[0-9a-f]+`)

// Clean removes memory addresses from a message, because they differ from run
// to run.
func Clean(msg string) string { return rxAddress.ReplaceAllString(msg, "$1") }
