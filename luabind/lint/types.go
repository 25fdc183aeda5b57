package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// anObject is the type of objects among those that typeOf gives.
const anObject = "object"

// typeOf returns the type of the first value of an expression as far as the text and the declarations tell; "": they
// do not. It is a type of Lua, or anObject. What may be nil is an object only: an object's method would not be called
// on nil, and no parameter that is not one takes either.
func (s *scope) typeOf(e ast.Expr) string {
	s.game.steps++
	m := s.inferred(e)
	if m == nil {
		return s.typeOnce(e)
	}
	if !m.hasType {
		of := s.typeOnce(e)
		m.of, m.hasType = of, true
	}
	return m.of
}

// typeOnce returns the type of an expression as typeOf does, which remembers it.
func (s *scope) typeOnce(e ast.Expr) string {
	if of := literal(e); of != "" {
		return of
	}
	switch e := e.(type) {
	case *ast.RelationalOpExpr, *ast.UnaryNotOpExpr:
		return "boolean"
	case *ast.UnaryLenOpExpr:
		return s.lengthType(e.Expr)
	case *ast.ArithmeticOpExpr:
		return s.computedType(e.Lhs, e.Rhs)
	case *ast.UnaryMinusOpExpr:
		return s.computedType(e.Expr)
	case *ast.StringConcatOpExpr:
		if left, right := s.typeOf(e.Lhs), s.typeOf(e.Rhs); (left == "string" || left == "number") && (right == "string" || right == "number") {
			return "string"
		}
		return ""
	case *ast.LogicalOpExpr:
		return s.eitherType(e)
	}
	return typeOfKind(s.infer(e))
}

// lengthType returns the type of #e: that of what has no metatable is a number.
func (s *scope) lengthType(e ast.Expr) string {
	if s.isList(e) || s.typeOf(e) == "string" {
		return "number"
	}
	return ""
}

// eitherType returns the type of a and b, and of a or b, if both are of one. a and b or c is b or c if b is neither nil
// nor false.
func (s *scope) eitherType(e *ast.LogicalOpExpr) string {
	left := e.Lhs
	if and, ok := left.(*ast.LogicalOpExpr); ok && e.Operator == "or" && and.Operator == "and" {
		left = and.Rhs
	}
	if of := s.typeOf(left); of != "nil" && of == s.typeOf(e.Rhs) {
		return of
	}
	return ""
}

// computedType returns the type of what is computed of operands: a number, unless one of them may have a metatable that says
// otherwise, or cannot be computed with, which is said.
func (s *scope) computedType(operands ...ast.Expr) string {
	for _, e := range operands {
		if of := s.typeOf(e); of != "number" && (of != "" || s.game.overloads.arithmetic()) {
			return ""
		}
	}
	return "number"
}

// typeOfKind returns the type of a value.
func typeOfKind(v value) string {
	switch v.Kind {
	case object, someObject, joint:
		return anObject
	case found, props, input, shared, classTable, contact, bump, arena, claimed, asked, past, kept, shownCue, toldCue, frame, committed, shown,
		shownList:
		return "table"
	}
	return v.Type
}

// fieldType returns the type of a member of a value.
func (s *scope) fieldType(v value, name string) string {
	switch {
	case v.Kind == input:
		if axis, known := v.Class.axis(name); known && axis {
			return "number"
		} else if known {
			return "boolean"
		}
	case v.Kind == someObject && name == "owner":
		return "number"
	case v.Kind == someObject && (name == "class" || name == "id"):
		return "string"
	}
	return ""
}

// fieldType returns the type of a declared field; "": it is not known, or the field may be nil.
func (c *class) fieldType(name string) string {
	if p := c.fields[name]; p != nil {
		return p.of
	}
	return ""
}

// simpleType returns the type of Lua that a type of the API is; "": it is none, or may be nil.
func simpleType(of string) string {
	switch of {
	case "number", "integer":
		return "number"
	case "string", "boolean", "function", "thread":
		return of
	}
	return ""
}

// result returns the value of result i of a call, from 0.
func (s *scope) result(e ast.Expr, i int) value {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || call.AdjustRet {
		return value{}
	}
	var m *api.Member
	if call.Receiver != nil {
		m = s.infer(call.Receiver).method(call.Method)
	} else {
		m = s.callee(call.Func)
	}
	if m == nil {
		if own := s.ownCall(call); own != nil {
			return s.resultAt(own, i)
		}
	}
	if m == nil || i >= len(m.Returns) || strings.HasPrefix(m.Returns[0].Type, "Object?") {
		return value{} // without an object, the other results are nil
	}
	return s.ofType(m.Returns[i].Type)
}

// operands checks the operands of arithmetic and of .. for what cannot be computed.
func (w *walker) operands(line int, operator string, sides ...ast.Expr) {
	if slices.ContainsFunc(sides, w.givesNothing) {
		return
	}
	for i, e := range sides {
		if name := w.scope.emptyCall(e); name != "" && !(len(sides) == 2 && w.scope.mayCompute(operator, sides[1-i])) {
			w.report.say(line, name, "end it with return and a value", "%s returns nothing, which %s cannot take", name, operator)
			return
		}
		of := w.scope.typeOf(e)
		switch {
		case len(sides) == 2 && w.scope.mayCompute(operator, sides[1-i]):
			continue
		case of == "boolean", of == "nil", of == "thread", of == anObject, of == "function", of == "table" && w.scope.isPlain(e):
		case of == "string" && operator != ".." && w.scope.isWords(e):
		default:
			continue
		}
		hint := "use a number"
		_, isText := syntax.TextOf(e)
		switch {
		case of == "nil" && len(w.scope.fieldsBeside(e)) > 0:
			hint = thereAre(nameIn(e), w.scope.fieldsBeside(e), "give it a value")
		case of == "table" && operator == ".." && w.scope.isJoinable(e) && shortly(e) != "this":
			hint = "write table.concat(" + shortly(e) + ", \", \")"
		case of == "string" && operator == "*" && isText:
			hint = "write (" + shortly(e) + "):rep(n) to repeat it"
		case of == "string" && operator == "+":
			hint = "write .. to join texts"
			if _, other := syntax.TextOf(sides[len(sides)-1-i]); !other && !isText {
				hint = "write (tonumber(" + shortly(e) + ") or 0), or .. to join texts"
			}
		case of == "table" && w.scope.isList(e) && shortly(e) != "this":
			hint = "write #" + shortly(e) + " for the number of its items"
		case of == "table" && shortly(e) != "this":
			hint = "use one of its fields"
		case of == "string" && !isText:
			hint = "write (tonumber(" + shortly(e) + ") or 0)"
		case operator == ".." && of == "function":
			hint = w.scope.callIt(e)
		case operator == "..":
			hint = "write tostring(...) around it"
		case of == "function":
			hint = w.scope.callIt(e)
		case of == "boolean":
			hint = "write (" + shortly(e) + " and 1 or 0)"
		case of == anObject:
			hint = "use one of its fields, or a result of getPosition() and the like"
		}
		about := topic{}
		if v := w.scope.infer(e); of == "nil" && v.Line > 0 {
			about, hint = v.nilLocal(w.scope.file, e), "give it a value where it is declared"
		}
		w.report.sayAbout(about, line, nameIn(e), hint, "%s is %s, which %s cannot take", shortly(e), aType(of), operator)
		return
	}
}

// nilLocal is what findings are about that a local variable causes which is given no value.
func (v value) nilLocal(file string, e ast.Expr) topic {
	if v.Line == 0 {
		return topic{}
	}
	return topic{aNilLocal, fmt.Sprintf("%s:%d", file, v.Line), nameIn(e)}
}

// isPlain reports whether an expression is a table without a metatable, with which nothing can be computed.
func (s *scope) isPlain(e ast.Expr) bool {
	if _, written := e.(*ast.TableExpr); written {
		return true
	}
	switch s.infer(e).Kind {
	case found, props, input, contact, bump, arena, claimed, asked, past, kept, shownCue, toldCue, frame, committed, shown, shownList, classTable:
		return true
	}
	return false
}

// isJoinable reports whether an expression is a list of numbers or of texts in state.
func (s *scope) isJoinable(e ast.Expr) bool {
	list := s.stateList(e)
	return list != nil && (list.item.of == "number" || list.item.of == "string")
}

// isList reports whether an expression is a list that a query gives, or one in state.
func (s *scope) isList(e ast.Expr) bool {
	v := s.infer(e)
	return v.Kind == found || v.Kind == kept && v.Part.item != nil
}

// shortly returns how a message calls an expression.
func shortly(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.IdentExpr:
		return e.Value
	case *ast.AttrGetExpr:
		if name, ok := syntax.TextOf(e.Key); ok {
			if of := shortly(e.Object); of != "this" {
				return of + "." + name
			}
			return name
		}
	case *ast.UnaryNotOpExpr:
		return "not " + shortly(e.Expr)
	case *ast.UnaryLenOpExpr:
		return "#" + shortly(e.Expr)
	case *ast.StringExpr:
		return `"` + e.Value + `"`
	case *ast.FuncCallExpr:
		name := nameIn(e)
		if text, isText := syntax.TextOf(first(e.Args)); isText && len(e.Args) == 1 && name != "" {
			return name + `("` + text + `")`
		}
		if name != "" {
			return name + "()"
		}
	}
	return "this"
}

// nameIn returns a name in an expression, at which a finding stands; empty: there is none.
func nameIn(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.FuncCallExpr:
		if e.Receiver != nil {
			return e.Method
		}
		return syntax.LastName(e.Func)
	case *ast.StringExpr:
		return e.Value
	case *ast.UnaryNotOpExpr:
		return "not"
	case *ast.UnaryLenOpExpr:
		return "#"
	case *ast.TableExpr:
		return "{"
	case *ast.TrueExpr:
		return "true"
	case *ast.FalseExpr:
		return "false"
	case *ast.NilExpr:
		return "nil"
	}
	return syntax.LastName(e)
}

// aType names a type with its article.
func aType(of string) string {
	switch of {
	case "nil":
		return of
	case anObject:
		return "an object"
	case "boolean":
		return "true or false"
	case "thread":
		return "a coroutine"
	}
	return "a " + of
}

// storingInstead says what to write in the place of a value that a field of another type cannot hold.
func (w *walker) storingInstead(e ast.Expr, given, of string) string {
	_, written := e.(*ast.FunctionExpr)
	_, isCall := e.(*ast.FuncCallExpr)
	switch {
	case given == "function" && !written && !isCall:
		return w.scope.callIt(e)
	case given == "table" && of == "number" && w.scope.isList(e):
		return "write #" + shortly(e) + " for the number of its items"
	case given == "string" && of == "number" && w.scope.isWords(e) && literal(e) == "":
		return "write tonumber(" + shortly(e) + ") or 0"
	case given == "number" && of == "string" && shortly(e) != "this":
		return "write tostring(" + shortly(e) + ")"
	case given == "thread":
		return "a coroutine lives within one hook: keep it in a local variable"
	}
	return "give it what it was declared with"
}

// assignedIn returns the names that a file assigns to, other than where it declares them: what such a variable holds
// is not followed.
func assignedIn(tree []ast.Stmt) map[string]bool {
	names := map[string]bool{}
	var expr func(ast.Expr)
	var block func([]ast.Stmt)
	expr = func(e ast.Expr) {
		if e != nil {
			syntax.EachOperand(e, expr, block)
		}
	}
	block = func(list []ast.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.AssignStmt:
				for _, e := range s.Lhs {
					names[syntax.NameOf(e)] = true
				}
			case *ast.FuncDefStmt:
				names[syntax.NameOf(s.Name.Func)] = true
			}
			syntax.EachPart(s, expr, block)
		}
	}
	block(tree)
	return names
}
