package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// surplus is a parameter of a hook that is never given anything.
type surplus struct {
	full, name string // of the hook
	param      string
	hint       string
	at         syntax.Place
}

// noteSurplus notes the parameters that a hook has beyond those that it is given, and uses.
func (w *walker) noteSurplus(c *class, name string, hook *api.Member, params []string, f *ast.FunctionExpr) {
	full := name
	if c != nil {
		full = c.name() + ":" + name
	}
	for _, p := range params[min(len(hook.Params), len(params)):] {
		used := false
		eachExpr(f.Stmts, func(e ast.Expr) { used = used || syntax.NameOf(e) == p })
		hint := "it is " + hook.Signature()
		if p == "dt" || p == "dtime" || p == "delta" || p == "deltaTime" {
			hint = "all ticks last the same time, 1 / tick_rate of game.toml: write it into a constant"
		}
		if used {
			at := syntax.Place{File: w.report.current(), Line: f.Line()}
			w.surplus = append(w.surplus, surplus{full, name, p, hint, at})
			return
		}
	}
}

// saySurplus reports them, unless scripts call the function themselves.
func (w *walker) saySurplus() {
	for _, s := range w.surplus {
		if !w.named[s.name] {
			w.report.sayIn(s.at, s.param, s.hint, "%s is given no %s", s.full, s.param)
		}
	}
}

// thoughtValues checks the types of what think returns.
func (w *walker) thoughtValues(s *ast.ReturnStmt) {
	if w.thinks == nil || len(s.Exprs) != 1 || w.steered != nil {
		return
	}
	e, example := s.Exprs[0], "return a table of inputs, such as { "+anInput(w.thinks)+" = true }"
	if of := w.scope.typeOf(e); of != "" && of != "table" && of != "nil" {
		w.report.say(s.Line(), "return", example, "think returns %s", aType(of))
		return
	}
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		name, isText := syntax.TextOf(f.Key)
		axis, known := w.thinks.axis(name)
		given := w.scope.typeOf(f.Value)
		line := max(f.Value.Line(), s.Line())
		switch {
		case f.Key == nil && given == "string":
			w.report.say(line, nameIn(f.Value), example, "think returns a table with the names of inputs as keys")
			return
		case isText && known && axis && given != "" && given != "number" && given != "nil":
			w.report.say(max(line, f.Key.Line()), name, "give a number", "the input %s is a number, and cannot be %s",
				name,
				aType(given))
		case isText && known && !axis && (given == "string" || given == "table" || given == anObject):
			w.report.say(max(line, f.Key.Line()), name, "give true or false",
				"the input %s is true or false, and cannot be %s", name, aType(given))
		}
	}
}

// placement checks what spawn is given besides fields.
func (w *walker) placement(c *class, t *ast.TableExpr, line int) {
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		given := w.scope.typeOf(f.Value)
		switch {
		case isText && c.bodiless && key != "owner" && slices.Contains(spawnKeys(), key) && c.types[key] == "":
			w.report.say(max(f.Key.Line(), line), key, "declare a body, or a field "+key,
				"spawn: %s has no body, and so no %s", c.name(), key)
			return
		case f.Key == nil:
			w.report.say(max(f.Value.Line(), line), "spawn", "write { x = 1, y = 2 }",
				"spawn: what an object is given has names")
			return
		case !isText || given == "" || given == "nil" || given == "number" || !slices.Contains(spawnKeys(), key):
		case key == "owner":
			w.report.say(max(f.Key.Line(), line), key, "give the number of a player, such as self.owner",
				"spawn: owner is a number, and cannot be %s", aType(given))
		default:
			w.report.say(max(f.Key.Line(), line), key, "give a number", "spawn: %s is a number, and cannot be %s", key,
				aType(given))
		}
	}
}

// positions checks the position that table.insert is given.
func (k *checks) positions(s *scope, m *api.Member, e *ast.FuncCallExpr) {
	if m == nil || m.Name != "insert" || m != library.Function("table", "insert") || len(e.Args) != 3 {
		return
	}
	n, isNumber := e.Args[1].(*ast.NumberExpr)
	switch of := s.typeOf(e.Args[1]); {
	case isNumber && n.Value == "0":
		k.report.say(e.Line(), m.Name, "write 1 for the first position", "insert: positions begin at 1")
	case of != "" && of != "number":
		k.report.say(e.Line(), m.Name, "the signature is insert(t, at, v)",
			"insert: at must be a whole number, and is %s",
			aKind(of))
	}
}

// formatted checks that string.format is given as many values as its text shows.
func (k *checks) formatted(m *api.Member, e *ast.FuncCallExpr) {
	if m == nil || m != library.Function("string", "format") {
		return
	}
	text, isText := syntax.TextOf(first(e.Args))
	passed, open := count(e.Args)
	if !isText || open {
		return
	}
	shows := strings.Count(strings.ReplaceAll(text, "%%", ""), "%")
	if shows != passed-1 {
		k.report.say(e.Line(), m.Name, "give one value for each %", "format: the text shows %s, and is given %d",
			values(shows), passed-1)
	}
}

func values(n int) string {
	if n == 1 {
		return "1 value"
	}
	return fmt.Sprintf("%d values", n)
}

// cueFields checks that the values of a cue can be sent.
func (w *walker) cueFields(e *ast.FuncCallExpr) {
	if !w.scope.isGlobal(e.Func, "cue") || len(e.Args) < 2 {
		return
	}
	t, ok := e.Args[1].(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		switch given := w.scope.typeOf(f.Value); {
		case f.Key == nil:
			w.report.say(max(f.Value.Line(), e.Line()), "cue", "write cue(name, { x = 1 })",
				"cue: what it says has names")
			return
		case isText && key != "to" && (given == "table" || given == "function" || given == anObject):
			w.report.say(max(f.Key.Line(), e.Line()), key, "send numbers, texts, true or false, such as x, y and id",
				"cue: %s is %s, which a cue cannot hold", key, aType(given))
		}
	}
}

// fieldsIn returns the names that a file gives to fields of tables and to methods.
func fieldsIn(tree []ast.Stmt) map[string]bool {
	names := map[string]bool{}
	note := func(e ast.Expr) {
		if t, ok := e.(*ast.TableExpr); ok {
			keys, _ := tableKeys(t)
			for _, k := range ident.Keys(keys) {
				names[k] = true
			}
		}
	}
	eachExpr(tree, note)
	var block func([]ast.Stmt)
	block = func(list []ast.Stmt) {
		for _, s := range list {
			switch s := s.(type) {
			case *ast.FuncDefStmt:
				names[s.Name.Method], names[syntax.LastName(s.Name.Func)] = true, true
			case *ast.AssignStmt:
				for _, e := range s.Lhs {
					names[syntax.LastName(e)] = true
				}
			case *ast.FuncCallStmt:
				if call, ok := s.Expr.(*ast.FuncCallExpr); ok && syntax.NameOf(call.Func) == "setmetatable" {
					for _, n := range []string{"concat", "insert", "remove", "sort", "unpack"} {
						names[n] = true
					}
				}
			}
			syntax.EachPart(s, func(ast.Expr) {}, block)
		}
	}
	block(tree)
	return names
}
