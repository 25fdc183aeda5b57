// Faults plants faults in the rewriter of the Lua guest, one at a time, and runs the tests of luabind on each:
//
//	go run .ci/faults/main.go [TEXT]    those whose description has the text
//	go run .ci/faults/main.go -texts    none: it only looks whether all can be planted
//
// It prints a line for each fault, and exits with 1 if the tests pass with one of them, or if one cannot be planted
// any more. A fault is a text of a file that is replaced by another one, as a tired programmer would write it. No file
// is changed: the compiler is given the other text in the place of the file.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const syntax = "luabind/internal/syntax/"

type fault struct {
	what, file, text, instead string
}

var faults = []fault{
	{"several targets are assigned from left to right", syntax + "assignment.go",
		"for i := len(targets) - 1; i >= 0; i-- {", "for i := range targets {"},
	{"objects and keys of several targets are read late", syntax + "assignment.go",
		"if before != nil {\n\t\tnames", "if before == nil && false {\n\t\tnames"},
	{"a chain of and/or goes straight into its variable", syntax + "assignment.go",
		"if _, ok := value.(*ast.LogicalOpExpr); !ok {", "if true {"},
	{"a field that is added to is read after the call that gives the other value", syntax + "assignment.go",
		"w.isQuiet(e.Rhs)\n\t}\n\treturn false", "w.isQuiet(e.Rhs)\n\t}\n\treturn true"},
	{"changes of two fields are taken for one", syntax + "assignment.go",
		"return ok && samePlace(a.Object, b.Object) && samePlace(a.Key, b.Key)",
		"return ok && samePlace(a.Object, b.Object)"},
	{"operators of a change are mixed up", syntax + "assignment.go",
		`const Operators = "+-*/"`, `const Operators = "-+*/"`},
	{"local f = function sees f", syntax + "assignment.go",
		"if s.LastLine() == 0 {", "if s.LastLine() < 0 {"},
	{"a named function does not see itself", syntax + "assignment.go",
		"\tw.r.u.scope().declare(s.Names...)\n\tw.r.function(f)\n\tout",
		"\tw.r.function(f)\n\tw.r.u.scope().declare(s.Names...)\n\tout"},
	{"a method has no self", syntax + "assignment.go",
		`append([]string{"self"}, s.Func.ParList.Names...)`, `s.Func.ParList.Names`},
	{"one target takes several values", syntax + "assignment.go",
		"case *ast.FuncCallExpr:\n\t\tv.AdjustRet = false", "case *ast.FuncCallExpr:\n\t\tv.AdjustRet = true"},
	{"a branch with a constant condition is the wrong one", syntax + "block.go",
		"if !truth(s.Condition) {\n\t\ttaken", "if truth(s.Condition) {\n\t\ttaken"},
	{"a for keeps what was in its places", syntax + "block.go",
		"if len(s.Exprs) != 1 || !isList(s.Exprs[0]) {", "if false {"},
	{"a break leaves captured variables open", syntax + "block.go",
		"case b.needsClosing():", "case false && b.needsClosing():"},
	{"the condition of a repeat does not see its body", syntax + "block.go",
		"out := w.r.stmts(list)\n\tif until != nil {", "out := w.r.body(list)\n\tif until != nil {"},
	{"the body of a loop begins with a jump", syntax + "block.go",
		"case !startsSafe(out, until):", "case false && !startsSafe(out, until):"},
	{"a captured variable is not noticed", syntax + "scope.go",
		"v.captured = true\n", "v.captured = v.captured\n"},
	{"the variable of an outer block wins", syntax + "scope.go",
		"for i := len(b.vars) - 1; i >= 0; i-- {", "for i := range b.vars[:min(len(b.vars), 0)] {"},
	{"not of a constant is the constant", syntax + "expression.go",
		"return boolean(!truth(e.Expr), e.Line())", "return boolean(truth(e.Expr), e.Line())"},
	{"and of a constant gives the wrong side", syntax + "expression.go",
		`if truth(e.Lhs) == (e.Operator == "and") {`, `if truth(e.Lhs) != (e.Operator == "and") {`},
	{"0 counts as false", syntax + "expression.go",
		"case *ast.FalseExpr, *ast.NilExpr:\n\t\treturn false",
		"case *ast.FalseExpr, *ast.NilExpr, *ast.NumberExpr:\n\t\treturn false"},
	{"or of a constant gives several values", syntax + "expression.go",
		"return single(e.Rhs)\n\t}\n\treturn e.Lhs", "return e.Rhs\n\t}\n\treturn e.Lhs"},
	{"a remainder of 0 keeps its sign", syntax + "expression.go",
		`case e.Operator == "%" && isNumber && n == 0:`, "case false && isNumber && n == 0:"},
	{"the last part of a concatenation spreads", syntax + "expression.go",
		"append(args, single(r.expr(rest)))...)", "append(args, r.expr(rest))...)"},
	{"long concatenations lose a part", syntax + "expression.go",
		"append(args, r.concat(next))...)", "append(args[:len(args)-1], r.concat(next))...)"},
	{"operands of ^ change places", syntax + "expression.go",
		"single(e.Lhs), single(e.Rhs))\n\t\tcase", "single(e.Rhs), single(e.Lhs))\n\t\tcase"},
	{"numbers with leading zeros are octal", syntax + "expression.go",
		"e.Value = strconv.FormatFloat(v, 'g', -1, 64)\n", "_ = strconv.FormatFloat(v, 'g', -1, 64)\n"},
	{"... at the end of a call is one value", syntax + "expression.go",
		"r.exprs(e.Args, true)", "r.exprs(e.Args, false)"},
	{"numbers lose digits", syntax + "expression.go",
		"strconv.FormatFloat(v, 'g', -1, 64)", "strconv.FormatFloat(v, 'g', 14, 64)"},
	{"a method call loses its object", syntax + "expression.go",
		"append([]ast.Expr{e.Receiver}, e.Args...)", "append([]ast.Expr{e.Receiver}, e.Args[min(1, len(e.Args)):]...)"},
	{"a value in the middle of a table spreads", syntax + "table.go",
		"args = append(args, single(w.r.expr(key)), single(w.r.expr(f.Value)))",
		"args = append(args, single(w.r.expr(key)), w.r.expr(f.Value))"},
	{"a field before the last spreads", syntax + "table.go",
		"f.Value = single(w.r.expr(f.Value))", "f.Value = w.r.expr(f.Value)"},
	{"positions in a mixed table begin anew", syntax + "table.go",
		"mask, args := 0, []ast.Expr(nil)\n", "mask, args := 0, []ast.Expr(nil)\n\t\tn = 0\n"},
	{"values that spread overwrite the last one", syntax + "table.go",
		"out, w.r.count(n, line), spread[0])", "out, w.r.count(max(n-1, 0), line), spread[0])"},
	{"a module is given no name", syntax + "expression.go",
		"return at(&ast.StringExpr{Value: ModuleName(r.u.chunk.File)}, e.Line())",
		"return at(&ast.NilExpr{}, e.Line())"},
	{"a sign is dropped from hexadecimal numbers", syntax + "number.go",
		"\t\t\tv = -v\n", "\t\t\tv = +v\n"},
	{"tail calls stay", syntax + "verify.go",
		"p.Code[pc] = inst&0x3ffffff | uint32(lua.OP_CALL)<<26", "_ = inst"},
	{"whether a variable of the file may be changed is asked of another one", syntax + "assignment.go",
		"Frozen, line, w.r.count(v.number, line)", "Frozen, line, w.r.count(v.number+1, line)"},
}

func main() {
	only := strings.Join(os.Args[1:], " ")
	if only == "-texts" { // says within a second whether all can still be planted
		for i := range faults {
			if _, err := faults[i].read(); err != nil {
				fmt.Printf("%s: %v\n", faults[i].what, err)
				defer os.Exit(1)
			}
		}
		return
	}
	missed, planted := 0, 0
	for i := range faults {
		if !strings.Contains(faults[i].what, only) {
			continue
		}
		planted++
		if err := faults[i].plant(); err != nil {
			fmt.Printf("MISSED  %s: %v\n", faults[i].what, err)
			missed++
			continue
		}
		fmt.Println("caught ", faults[i].what)
	}
	fmt.Printf("%d of %d faults are caught\n", planted-missed, planted)
	if missed > 0 || planted == 0 {
		os.Exit(1)
	}
}

// read returns the file without the fault.
func (f *fault) read() (data []byte, err error) {
	if data, err = os.ReadFile(f.file); err != nil {
		return nil, err
	}
	if n := strings.Count(string(data), f.text); n != 1 {
		return nil, fmt.Errorf("%s has its text %d times, want once: %q", f.file, n, f.text)
	}
	return data, nil
}

// plant runs the tests with the fault. The error says why it is not caught.
func (f *fault) plant() error {
	data, err := f.read()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "fault")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	with, overlay := filepath.Join(dir, "with.go"), filepath.Join(dir, "overlay.json")
	here, err := filepath.Abs(f.file)
	if err != nil {
		return err
	}
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{here: with}})
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		with:    strings.Replace(string(data), f.text, f.instead, 1),
		overlay: string(list),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			return err
		}
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "./luabind").CombinedOutput(); err != nil {
		return fmt.Errorf("it does not compile: %s", bytes.TrimSpace(out))
	}
	out, err := exec.Command("go", "test", "-count=1", "-failfast", "-vet=off", "-tags", "external",
		"-overlay", overlay, "./luabind").CombinedOutput()
	if err == nil {
		return fmt.Errorf("the tests of luabind pass")
	}
	if !bytes.Contains(out, []byte("--- FAIL")) && !bytes.Contains(out, []byte("panic:")) {
		return fmt.Errorf("no test has failed: %s", bytes.TrimSpace(out))
	}
	return nil
}
