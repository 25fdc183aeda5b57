package syntax

import (
	"slices"
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// tables rewrites table constructors.
type tables struct{ r rewriter }

// table rewrites a constructor. It stays a constructor and is charged by Table,
// which gets the numbers of positional values and of named fields. Fields with
// computed keys are added by Put, and a value that spreads at the end by List.
func (w tables) table(e *ast.TableExpr) ast.Expr {
	if len(e.Fields) > maxFields {
		w.r.u.fail(e.Line(), "a table constructor with %d fields: at most %d are allowed", len(e.Fields), maxFields)
	}
	last := len(e.Fields) - 1
	open := last >= 0 && e.Fields[last].Key == nil && isList(e.Fields[last].Value)
	switch {
	case slices.ContainsFunc(e.Fields, func(f *ast.Field) bool { return isComputed(f) || open && f.Key != nil }):
		return w.mixed(e, open)
	case open:
		return w.open(e)
	}
	positional := 0
	for _, f := range e.Fields {
		if f.Key == nil {
			positional++
		} else {
			w.r.text(f.Key.(*ast.StringExpr))
		}
		f.Value = single(w.r.expr(f.Value))
	}
	return w.r.u.helper(Table, e.Line(), e, w.r.count(positional+NamedUnit*(len(e.Fields)-positional), e.Line()))
}

// count returns a constant number.
func (r rewriter) count(n, line int) ast.Expr {
	text := strconv.Itoa(n)
	r.u.scope().constant(text)
	return at(&ast.NumberExpr{Value: text}, line)
}

func isComputed(f *ast.Field) bool {
	_, isName := f.Key.(*ast.StringExpr)
	return f.Key != nil && !isName
}

// mixed rewrites a constructor with computed keys: Put adds its fields in their
// order, and List adds what spreads at its end.
func (w tables) mixed(e *ast.TableExpr, open bool) ast.Expr {
	line, fields := e.Line(), e.Fields
	if open {
		fields = fields[:len(fields)-1]
	}
	out := ast.Expr(w.r.u.helper(Table, line, at(&ast.TableExpr{}, line), w.r.count(0, line)))
	n := 0
	for i := 0; i < len(fields); i += 16 {
		mask, args := 0, []ast.Expr(nil)
		for j, f := range fields[i:min(i+16, len(fields))] {
			key := f.Key
			if key == nil {
				n++
				mask |= 1 << j
				key = w.r.count(n, line)
			}
			args = append(args, single(w.r.expr(key)), single(w.r.expr(f.Value)))
		}
		out = w.r.u.helper(Put, line, append([]ast.Expr{out, w.r.count(mask, line)}, args...)...)
	}
	if open {
		spread := []ast.Expr{e.Fields[len(fields)].Value}
		w.r.exprs(spread, true)
		out = w.r.u.helper(List, line, out, w.r.count(n, line), spread[0])
	}
	return out
}

// open rewrites a constructor of values only that ends in a call or in "...".
func (w tables) open(e *ast.TableExpr) ast.Expr {
	line := e.Line()
	if len(e.Fields) > 100 {
		w.r.u.fail(line, "a table constructor with %d values and a call or ... at the end: at most 100 are allowed",
			len(e.Fields))
	}
	args := []ast.Expr{at(&ast.TableExpr{}, line), w.r.count(0, line)}
	for _, f := range e.Fields {
		args = append(args, f.Value)
	}
	w.r.exprs(args, true)
	return w.r.u.helper(List, line, args...)
}
