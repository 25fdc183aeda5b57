package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// CheckTests finds what is wrong with the test files of a game: all that
// NewTests refuses, and classes, fields, inputs and methods that are not there.
func CheckTests(files []world.Source, setup world.Setup, tests []world.Source) []Finding {
	return checkOutside(files, setup, tests, func(l *linter) { l.testing = true }, func(f world.Source) error {
		_, err := NewTests(f.Name, f.Text)
		return err
	})
}

// CheckBot does for a bot's file what CheckTests does for tests.
func CheckBot(files []world.Source, setup world.Setup, bot world.Source) []Finding {
	return checkOutside(files, setup, []world.Source{bot}, func(l *linter) { l.steered = l.anySteered() }, func(f world.Source) error {
		_, err := NewBot(f.Name, f.Text)
		return err
	})
}

// checkOutside checks files that see a game from outside.
func checkOutside(files []world.Source, setup world.Setup, outside []world.Source, prepare func(*linter), load func(world.Source) error) (found []Finding) {
	p, _ := Compile(files, setup)
	l := newLinter(withoutView(files), p)
	l.found = nil // Check tells that
	l.files = append(l.files[:len(l.files):len(l.files)], outside...)
	prepare(l)
	for _, f := range outside {
		found = append(found, findingsOf(load(f), outside)...)
		if len(syntax.CheckSources([]world.Source{f})) > 0 {
			continue
		}
		if tree, err := syntax.Parse(f); err == nil {
			l.file = f.Name
			l.block(tree)
		}
	}
	found = append(found, l.found...)
	SortFindings(found)
	return compacted(found)
}

// testMethods returns the methods of t or of w in a test file.
func testMethods(of lintKind) []string {
	if of == aTestWorld {
		return api.TestWorldMethods()
	}
	return api.TestMethods()
}

// testCall checks a call of a method of t or w.
func (l *linter) testCall(of lintKind, e *ast.FuncCallExpr) {
	known := testMethods(of)
	if !slices.Contains(known, e.Method) {
		what := map[lintKind]string{aTest: "a test", aTestWorld: "a test's world"}[of]
		l.say(e.Line(), e.Method, didYouMean(e.Method, known, "there are "+world.Listed(known)), "%s has no method %s", what, e.Method)
		return
	}
	switch {
	case of == aTestWorld && e.Method == "input" && len(e.Args) > 1:
		l.givenInputs(e.Args[1])
	case of == aTestWorld && e.Method == "spawn":
		l.spawnCall("spawn", e)
	}
}

// givenInputs checks the inputs that a test or a bot gives, to objects of any
// class.
func (l *linter) givenInputs(e ast.Expr) {
	var known []string
	for _, n := range ident.Keys(l.classes) {
		c := l.classes[n]
		if c.all || c.open {
			return
		}
		known = append(known, ident.Keys(c.inputs)...)
	}
	keys, _ := tableKeys(e)
	for _, k := range ident.Keys(keys) {
		if !slices.Contains(known, k) {
			l.say(keys[k], k, didYouMean(k, known, "declare it in input"), "no class declares an input %s", k)
		}
	}
}

// testBody walks test("name", function(t) ... end).
func (l *linter) testBody(e *ast.FuncCallExpr) bool {
	if !l.testing || !l.isOurs(e.Func, "test") || len(e.Args) != 2 {
		return false
	}
	f, ok := e.Args[1].(*ast.FunctionExpr)
	if !ok {
		return false
	}
	vars := map[string]lintType{}
	for i, n := range f.ParList.Names {
		vars[n] = lintType{}
		if i == 0 {
			vars[n] = lintType{kind: aTest}
		}
	}
	l.within(vars, func() { l.block(f.Stmts) })
	return true
}

// anySteered stands for the objects that a bot may have to steer: it has what
// any class with inputs has.
func (l *linter) anySteered() *lintClass {
	any := newLintClass("me", "", nil)
	any.open = false
	for _, n := range ident.Keys(l.classes) {
		c := l.classes[n]
		if len(c.inputs) == 0 && !c.all && !c.open {
			continue
		}
		any.open, any.all = any.open || c.open, any.all || c.all
		for _, in := range ident.Keys(c.inputs) {
			any.inputs[in] = c.inputs[in]
		}
		for _, m := range l.names(c) {
			any.members[m] = true
		}
	}
	return any
}

// isBot reports whether a function is a bot's function bot(me, world); its
// parameters get what they are.
func (l *linter) isBot(f *ast.FuncDefStmt, vars map[string]lintType) bool {
	if l.steered == nil || syntax.NameOf(f.Name.Func) != "bot" {
		return false
	}
	for i, t := range []lintType{{anObject, l.steered}, {kind: aBotWorld}} {
		if i < len(f.Func.ParList.Names) {
			vars[f.Func.ParList.Names[i]] = t
		}
	}
	return true
}

// botWorldMember checks world.name in a bot's file.
func (l *linter) botWorldMember(name string, line int) {
	known := api.BotWorldMembers()
	if !slices.Contains(known, name) {
		l.say(line, name, didYouMean(name, known, "there are "+world.Listed(known)), "a bot's world has no %s", name)
	}
}
