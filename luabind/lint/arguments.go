package lint

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// library has the functions that scripts can call.
var library = api.NewLibrary()

// arguments checks the number of arguments of a call. m is what is called, nil if that is
// not known.
func (k *checks) arguments(s *scope, m *api.Member, e *ast.FuncCallExpr) {
	if m == nil {
		return
	}
	if takesCount(m, e.Args) {
		if k.oneNumber(s, m, e) {
			return
		}
		k.types(s, m, e)
		return
	}
	if slices.ContainsFunc(e.Args, s.isUndefined) {
		return // which is said, and one of these may be meant
	}
	passed, open := count(e.Args)
	least, most := m.Arguments()
	if inner, _ := s.cut(m, e); inner != nil && passed < least {
		return // which is said, and why there are too few
	}
	hint := or(or(s.asTable(m, e), twoInstead(m, e)), "the signature is "+m.Signature())
	if name, isText := syntax.TextOf(first(e.Args)); isText && m == library.Function("", "object") {
		hint = "write object \"" + name + "\" { ... }, without a comma"
	}
	k.report.say(e.Line(), or(nameIn(e), m.Name), hint, "%s takes %s, and is called with %s", m.Name,
		takes(least, most), with(passed, open))
}

// oneNumber checks o:applyImpulse(random(-5, 5)): the call that is the last argument gives one number, and two are needed.
// said reports that there is a finding.
func (k *checks) oneNumber(s *scope, m *api.Member, e *ast.FuncCallExpr) (said bool) {
	passed, open := count(e.Args)
	least, most := m.Arguments()
	if !open || passed+1 >= least {
		return false
	}
	last, isCall := e.Args[len(e.Args)-1].(*ast.FuncCallExpr)
	if !isCall || last.Receiver != nil || !s.isGlobal(last.Func, "random", "now") && !s.givesOne(last.Func) {
		return false
	}
	k.report.say(e.Line(), or(nameIn(e), m.Name), "the signature is "+m.Signature(), "%s takes %s, and %s gives one", m.Name, takes(least, most), nameIn(last))
	return true
}

// givesOne reports whether an expression is a function of math that has one result.
func (s *scope) givesOne(e ast.Expr) bool {
	m, name := s.callee(e), nameIn(e)
	return m != nil && m == library.Function("math", name) && len(m.Returns) == 1
}

// isUndefined reports whether an expression is a global that neither the library nor a file defines.
func (s *scope) isUndefined(e ast.Expr) bool {
	name := syntax.NameOf(e)
	return name != "" && s.isGlobal(e, name) && !library.Has(name) && s.shows() == nil
}

// takesCount reports whether a function takes as many arguments.
func takesCount(m *api.Member, args []ast.Expr) bool {
	passed, open := count(args)
	least, most := m.Arguments()
	return (passed >= least || open) && (passed-surplusNils(args, most) <= most || most < 0)
}

// surplusNils returns how many nils that are written out end the arguments beyond the most that a function takes; a
// negative most is no limit. To be given them is the same as to be given nothing.
func surplusNils(args []ast.Expr, most int) (n int) {
	for i := len(args) - 1; most >= 0 && i >= most && literal(args[i]) == "nil"; i-- {
		n++
	}
	return n
}

// count returns how many arguments a call surely has. open means that the last expression
// may add more.
func count(args []ast.Expr) (passed int, open bool) {
	if len(args) == 0 {
		return 0, false
	}
	switch last := args[len(args)-1].(type) {
	case *ast.FuncCallExpr:
		open = !last.AdjustRet
	case *ast.Comma3Expr:
		open = !last.AdjustRet
	}
	if open {
		return len(args) - 1, true
	}
	return len(args), false
}

// takes describes how many arguments a function takes.
func takes(least, most int) string {
	switch {
	case most == 0:
		return "no arguments"
	case most < 0:
		return "at least " + plural(least)
	case least == 0:
		return "at most " + plural(most)
	case least < most:
		return fmt.Sprintf("%d to %s", least, plural(most))
	}
	return plural(least)
}

// with describes how many arguments a call has.
func with(passed int, open bool) string {
	switch {
	case passed == 0:
		return "none"
	case open:
		return fmt.Sprintf("%d or more", passed)
	}
	return fmt.Sprint(passed)
}

func plural(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// callee returns the function of the library that an expression is, nil if it is none or
// not known.
func (s *scope) callee(e ast.Expr) *api.Member {
	if name := syntax.NameOf(e); name != "" {
		switch {
		case !s.isGlobal(e, name):
			v, _ := s.lookUp(name)
			return v.Lib
		case s.shows() != nil && api.ViewFunction(name) != nil:
			return api.ViewFunction(name)
		}
		return library.Function("", name)
	}
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return nil
	}
	name, _ := syntax.TextOf(get.Key)
	if s.infer(get.Object).Kind == botWorld {
		return api.BotWorldFunction(name)
	}
	if base := syntax.NameOf(get.Object); base != "" && s.isGlobal(get.Object, base) {
		return library.Function(base, name)
	}
	return nil
}

// method returns the method of the library that is called on a value, nil if it is not
// known.
func (v value) method(name string) *api.Member {
	switch v.Kind {
	case object, someObject, joint:
		return library.Method(name)
	case input:
		return api.InputMethod(name)
	case test:
		return api.TestMethod(name)
	case testWorld:
		return api.TestWorldMethod(name)
	case anything:
		if m := library.Function("string", name); v.Type == "string" && m != nil {
			return asMethod(m)
		}
	}
	return nil
}

// asMethod returns a function of string as it is called with a colon: its text stands before the colon.
func asMethod(m *api.Member) *api.Member {
	return &api.Member{Name: m.Name, Params: m.Params[min(1, len(m.Params)):], Returns: m.Returns}
}
