package luabind

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// lintClass is what a linter knows of a class, from the text and, if the
// scripts compile, from the schema.
type lintClass struct {
	name    string
	file    string
	open    bool // declared in a way that cannot be read off: anything may be there
	members map[string]bool
	methods map[string]lintPlace
	inputs  map[string]int  // with the lines of their declarations
	axes    map[string]bool // of inputs whose kind is written out: whether it is a number
	props   map[string]bool // nil: not known
	read    map[string]bool // inputs that applyInput reads
	all     bool            // it may read any input
}

type lintPlace struct {
	file string
	line int
}

// declaredClass is the class and the table of object "Name" { ... } or
// game { ... }.
func declaredClass(e ast.Expr) (name string, table ast.Expr, ok bool) {
	call, ok := e.(*ast.FuncCallExpr)
	if !ok || len(call.Args) != 1 {
		return "", nil, false
	}
	if syntax.NameOf(call.Func) == "game" {
		return world.GameClass, call.Args[0], true
	}
	inner, ok := call.Func.(*ast.FuncCallExpr)
	if !ok || syntax.NameOf(inner.Func) != "object" || len(inner.Args) != 1 {
		return "", nil, false
	}
	s, ok := inner.Args[0].(*ast.StringExpr)
	if !ok {
		return "", nil, false
	}
	return s.Value, call.Args[0], true
}

// newLintClass reads a declaration's table.
func newLintClass(name, file string, table ast.Expr) *lintClass {
	c := &lintClass{name: name, file: file, members: map[string]bool{}, methods: map[string]lintPlace{},
		inputs: map[string]int{}, axes: map[string]bool{}, read: map[string]bool{}}
	t, ok := table.(*ast.TableExpr)
	if !ok {
		c.open = true
		return c
	}
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if f.Key == nil || !isText {
			c.open = true
			continue
		}
		keys, whole := tableKeys(f.Value)
		switch key {
		case "state", "aux":
			c.open = c.open || !whole
			for _, k := range ident.Keys(keys) {
				c.members[k] = true
			}
		case "input":
			c.all = c.all || !whole
			c.inputs = keys
			c.axes = axesIn(f.Value)
		case "objProps":
			if whole {
				c.props = map[string]bool{}
				for _, k := range ident.Keys(keys) {
					c.props[k] = true
				}
			}
		}
	}
	return c
}

// axesIn tells which inputs of a table are numbers: { aim = "number", Fire =
// "bool", turn = { "number", min = -2 } }.
func axesIn(e ast.Expr) map[string]bool {
	axes := map[string]bool{}
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return axes
	}
	for _, f := range t.Fields {
		name, _ := syntax.TextOf(f.Key)
		kind := f.Value
		if options, ok := kind.(*ast.TableExpr); ok && len(options.Fields) > 0 && options.Fields[0].Key == nil {
			kind = options.Fields[0].Value
		}
		if k, ok := syntax.TextOf(kind); ok {
			axes[name] = k == "number"
		}
	}
	return axes
}

// tableKeys are the keys of a table that is written out, with their lines;
// whole: there are no others.
func tableKeys(e ast.Expr) (keys map[string]int, whole bool) {
	keys = map[string]int{}
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return keys, false
	}
	whole = true
	for _, f := range t.Fields {
		if k, isText := syntax.TextOf(f.Key); f.Key != nil && isText {
			keys[k] = max(f.Key.Line(), f.Value.Line())
		} else {
			whole = false
		}
	}
	return keys, whole
}

// complete adds what the schema and the compiled methods tell.
func (l *linter) complete(p *Program) {
	vm := p.NewVM()
	for i := range p.schema.Classes {
		def := &p.schema.Classes[i]
		c := l.classes[def.Name]
		if c == nil {
			c = newLintClass(def.Name, "", nil)
			l.classes[def.Name] = c
		}
		for j := range def.Fields {
			c.members[api.FieldRoot(def.Fields[j].Name)] = true
		}
		for _, k := range sortedTableKeys(vm.classes[i].index) {
			c.members[toText(k)] = true
		}
		c.open = false
	}
}

// names are all members of a class, for "did you mean".
func (l *linter) names(c *lintClass) []string {
	return append(append(ident.Keys(c.members), ident.Keys(c.methods)...), l.lib.Reserved()...)
}

// has reports whether a class has a member, or may have it.
func (l *linter) has(c *lintClass, name string) bool {
	_, isMethod := c.methods[name]
	return c.open || isMethod || c.members[name] || slices.Contains(l.lib.Reserved(), name)
}

// scriptClasses are the classes that scripts can name.
func (l *linter) scriptClasses() (names []string) {
	for _, n := range ident.Keys(l.classes) {
		if n != world.GameClass && n != world.WallClass {
			names = append(names, n)
		}
	}
	return names
}
