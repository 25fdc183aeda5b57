package rules

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The journey of an input is a table in docs/architecture.md, one row a
// visit of a file, with the functions that the input goes through there:
//
//	| # | functions | file | what they do | remark |
//	|---|---|---|---|---|
//	| 1 | `sampler.sample`, `sampler.played` | `runtime/sampler.go` | ask the controls | interface |
//
// Each step goes down or forward: a function itself refers to the next one of the table, or
// a function above that is still running does, further down in its body than to what it went
// through so far. A remark says otherwise about the last function of a row:
//
//	wire        the next row reads what this one sent
//	interface   this row calls a method through an interface, or a function as a
//	            value that it was given: that may be the next one's
//	again: WHY  the file has had a row already
const (
	journeyPage  = "docs/architecture.md"
	journeyHead  = "| # | functions | file | what they do | remark |"
	mostRows     = 30
	mostUnlinked = 6 // rows with wire or interface
)

// A hop is a function of the table.
type hop struct {
	line           int // of the page
	row            int // of the table, from 0
	function, file string
	inner          bool   // another function of the row follows
	wire, through  bool   // marked as wire; as interface
	again          string // why the file is there again
}

// readJourney reads the table out of a page.
func readJourney(page, text string) (hops []hop, found []finding) {
	_, table, ok := strings.Cut(text, journeyHead+"\n")
	if !ok {
		return nil, []finding{{page, 0, "has no table of the journey of an input: " + journeyHead}}
	}
	rows, line := 0, strings.Count(text[:len(text)-len(table)], "\n")
	for row := range strings.Lines(table) {
		line++
		if !strings.HasPrefix(row, "|") {
			break
		}
		if strings.HasPrefix(row, "|---") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		if len(cells) != 5 {
			found = append(found, finding{page, line, "want five cells: " + journeyHead})
			continue
		}
		for i := range cells {
			cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "`")
		}
		h := hop{line: line, row: rows, file: cells[2]}
		rows++
		if cells[0] != strconv.Itoa(rows) {
			found = append(found, finding{page, line, fmt.Sprintf("this is row %d", rows)})
		}
		functions := strings.Split(cells[1], ",")
		for i, f := range functions {
			h.function, h.inner = strings.Trim(strings.TrimSpace(f), "`"), i < len(functions)-1
			if !h.inner {
				for _, remark := range strings.Split(cells[4], ";") {
					found = append(found, h.take(page, strings.TrimSpace(remark))...)
				}
			}
			hops = append(hops, h)
		}
	}
	return hops, found
}

func (h *hop) take(page, remark string) []finding {
	why, again := strings.CutPrefix(remark, "again: ")
	switch {
	case remark == "wire":
		h.wire = true
	case remark == "interface":
		h.through = true
	case again:
		h.again = why
	case remark != "":
		return []finding{{page, h.line, fmt.Sprintf("no such remark: %q; there are wire, interface, and again: WHY", remark)}}
	}
	return nil
}

// A step is a function with what it refers to.
type step struct {
	full string               // name, as types have it
	refs map[string]token.Pos // by full name: the last place in its own body
	sels map[string]bool      // names of methods that it calls through an interface
	open bool                 // it calls functions that are values
}

// steps finds the functions of hops; those that are not there are nil.
func (m module) steps(page string, hops []hop) (all []*step, found []finding) {
	for _, h := range hops {
		s, ok := m.dir(path.Dir(h.file))
		var st *step
		if ok {
			st = s.step(h)
		}
		if st == nil {
			found = append(found, finding{page, h.line, fmt.Sprintf("%s declares no function %s", h.file, h.function)})
		}
		all = append(all, st)
	}
	return all, found
}

func (s source) step(h hop) *step {
	var st *step
	s.inspect(func(n ast.Node) {
		f, ok := n.(*ast.FuncDecl)
		if !ok || f.Body == nil || s.fset.Position(f.Pos()).Filename != h.file {
			return
		}
		if fn := s.info.Defs[f.Name].(*types.Func); shortName(fn) == h.function {
			st = &step{fn.FullName(), map[string]token.Pos{}, map[string]bool{}, false}
			s.refer(st, f.Body)
		}
	})
	return st
}

// shortName is Type.Method, or the name of a function.
func shortName(f *types.Func) string {
	if recv := f.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if named, ok := t.(*types.Named); ok {
			return named.Obj().Name() + "." + f.Name()
		}
	}
	return f.Name()
}

// refer notes what a body refers to, and where.
func (s source) refer(st *step, body ast.Node) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && s.callsValue(call) {
			st.open = true
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		f, ok := s.info.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		name := f.Origin().FullName()
		st.refs[name] = max(st.refs[name], id.Pos())
		if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			st.sels[f.Name()] = true
		}
		return true
	})
}

// callsValue says that a call is of a variable or field of a function type.
func (s source) callsValue(call *ast.CallExpr) bool {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return false
	}
	v, ok := s.info.Uses[id].(*types.Var)
	return ok && isSignature(v.Type())
}

func isSignature(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// checkJourney says what is wrong with a table.
func (m module) checkJourney(page, text string) []finding {
	hops, found := readJourney(page, text)
	say := func(i int, format string, args ...any) {
		found = append(found, finding{page, hops[i].line, fmt.Sprintf(format, args...)})
	}
	steps, missing := m.steps(page, hops)
	found = append(found, missing...)
	unlinked, rows := 0, 0
	files := map[string]bool{}
	for i, h := range hops {
		if h.inner {
			continue
		}
		if rows = h.row + 1; rows == mostRows+1 {
			say(i, "more than %d rows", mostRows)
		}
		if h.wire || h.through {
			unlinked++
		}
		if files[h.file] != (h.again != "") {
			say(i, "%s: a file has one row, and another one only with a reason: again: WHY", h.file)
		}
		files[h.file] = true
	}
	if unlinked > mostUnlinked {
		say(0, "%d rows are marked as wire or interface; at most %d", unlinked, mostUnlinked)
	}
	var running []int // the functions that are still running
	for i := range hops[:max(len(hops)-1, 0)] {
		running = append(running, i)
		if steps[i] == nil || steps[i+1] == nil {
			running = nil
			continue
		}
		next := steps[i+1].full
		switch {
		case hops[i].wire:
			running = nil
		default:
			if running = goOn(hops, steps, running, next); running == nil {
				say(i, "neither %s nor a function above that still runs refers to %s after this", hops[i].function, hops[i+1].function)
			}
		}
	}
	return found
}

// goOn returns the functions that still run when the journey goes on with a function:
// down from the last one, or forward in one above; nil if it cannot.
func goOn(hops []hop, steps []*step, running []int, next string) []int {
	for k := len(running) - 1; k >= 0; k-- {
		i := running[k]
		at, ok := steps[i].refs[next]
		if !ok && hops[i].through && (steps[i].open || steps[i].sels[next[strings.LastIndex(next, ".")+1:]]) {
			return slices.Clone(running[:k+1])
		}
		if !ok {
			continue
		}
		if k+1 < len(running) {
			if before, ok := steps[i].refs[steps[running[k+1]].full]; ok && at < before {
				continue
			}
		}
		return slices.Clone(running[:k+1])
	}
	return nil
}

// TestCheckJourney tries the rule on tables of testdata/journey: of NAME.md all
// findings are in NAME.txt.
func TestCheckJourney(t *testing.T) {
	r := openRepo(t)
	m := module(load(t, r.root, "./docs/rules/testdata/journey"))
	pages, err := filepath.Glob("testdata/journey/*.md")
	if err != nil || len(pages) < 2 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(page, ".md") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, f := range m.checkJourney(filepath.Base(page), string(text)) {
			got += f.String() + "\n"
		}
		if got != string(want) {
			t.Errorf("%s: found\n%swant\n%s", page, got, want)
		}
	}
}

// TestJourney: the table follows the code.
func TestJourney(t *testing.T) {
	r := openRepo(t)
	text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(journeyPage)))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range loadModule(t).checkJourney(journeyPage, string(text)) {
		t.Log(f)
		found = append(found, f.file+" "+f.text)
	}
	hold(t, "journey", found, "Each line is what is wrong with the table of an input's journey in "+journeyPage+": see docs/rules/journey_test.go.")
}
