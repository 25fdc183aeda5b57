package lint

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// isTaken is the demand of a function of the library on what it is given for a parameter; the zero demand: any value may
// do.
func isTaken(m *api.Member, p *api.Param) demand {
	if p.Optional || p.Name == "..." || strings.ContainsAny(p.Type, "|?") || slices.Contains([]string{"any", "boolean"}, p.Type) {
		return demand{}
	}
	d := demand{does: "and " + m.Name + " needs " + kindOf(p.Type), number: p.Type == "number" || p.Type == "integer"}
	for _, of := range []string{"nil", "number", "string", "boolean", "function", "thread", anObject} {
		if isOwner := of == anObject && p.Type == "integer"; !isOwner && !(argument{of: of}).fits(p) { // of an owner it is said there
			d.refuses = append(d.refuses, of)
		}
	}
	d.plain = !(argument{of: "table"}).fits(p)
	return d
}

// takes notes the demands of a function of the library on what it is given.
func (d *demands) takes(m *api.Member, args []ast.Expr) {
	for i := range args {
		if m == nil || i >= len(m.Params) {
			return
		}
		if of := isTaken(m, &m.Params[i]); of.does != "" {
			d.note(args[i], of)
		}
	}
}

// libraryIn returns the function of the library that an expression is in a file of the game or a test, whatever is there
// in scope; nil: it is none, or not known.
func (g *game) libraryIn(e ast.Expr, file string) *api.Member {
	base, name := "", syntax.NameOf(e)
	if get, ok := e.(*ast.AttrGetExpr); ok {
		base, name = syntax.NameOf(get.Object), syntax.LastName(get)
	}
	here, root := g.functionsIn(file), or(base, name)
	if root == "" || file == api.ViewFile || here.given[root] > 0 || slices.Contains(here.declared[file], root) {
		return nil
	}
	return library.Function(base, name)
}

// memberIn returns the function that a call of inv.take finds in a file, where inv is what require returns, or a table of
// the file that is written out; nil: it is not known.
func (g *game) memberIn(get *ast.AttrGetExpr, file string) *ownFunction {
	here, table := g.functionsIn(file), syntax.NameOf(get.Object)
	name := syntax.LastName(get)
	if table == "" || name == "" || here.again[file][table] {
		return nil
	}
	if slices.Contains(here.tablesOf(file), table) {
		return here.members[file][table][name]
	}
	declared, of := 0, (*ast.FuncCallExpr)(nil)
	eachName(here.trees[file], func(n string) {
		if n == table {
			declared++
		}
	})
	for _, s := range here.trees[file] {
		local, ok := s.(*ast.LocalAssignStmt)
		if !ok || len(local.Names) != 1 || len(local.Exprs) != 1 || local.Names[0] != table {
			continue
		}
		if call, isCall := local.Exprs[0].(*ast.FuncCallExpr); isCall && syntax.NameOf(call.Func) == "require" {
			of = call
		}
	}
	if declared != 1 || of == nil {
		return nil
	}
	if made := g.functionsOf.results[moduleOf(of, g.modules)]; made != nil {
		return made.functions[name]
	}
	return nil
}

// isOnlyMethod reports whether nothing but a method of one class can be what a call finds under a name, whatever it is
// called on: other files define no such function, no table has it, and no metatable gives it to one.
func (g *game) isOnlyMethod(name string) bool {
	f := g.only(name)
	if f == nil || g.methodsOf[f.f] == nil || g.known == nil || g.known.forms[name] != isColon || !g.hidesNothing() {
		return false
	}
	if library.HasMember("string", name) || slices.Contains(api.InputMethods(), name) {
		return false
	}
	if g.keyed == nil {
		g.keyed = map[string]bool{}
		for _, tree := range g.trees {
			eachExpr(tree, func(e ast.Expr) {
				if t, ok := e.(*ast.TableExpr); ok {
					keys, _ := tableKeys(t)
					for _, k := range ident.Keys(keys) {
						g.keyed[k] = true
					}
				}
			})
		}
	}
	return !g.keyed[name] && !slices.ContainsFunc(g.files, func(file string) bool { return g.functionsOf.metatables[file] })
}

// hostParams returns what is known of the parameters of a function that only the host program and players call: those that
// game { calls = ... } declares as numbers and texts.
func (w *walker) hostParams(name string, f *ast.FunctionExpr) map[string]value {
	vars := map[string]value{}
	at := slices.IndexFunc(w.game.takes, func(f world.Function) bool { return f.Name == name })
	if at < 0 || w.report.current() != api.GameFile || !w.game.hidesNothing() || w.game.isNamed(name) {
		return vars
	}
	again := assignedIn(f.Stmts)
	for i, kind := range w.game.takes[at].Params[:min(len(w.game.takes[at].Params), len(f.ParList.Names))] {
		of := map[world.FieldKind]string{world.Number: "number", world.String: "string"}[kind]
		if p := f.ParList.Names[i]; of != "" && !again[p] && !tests(f.Stmts, p, false) {
			vars[p] = value{Type: of}
		}
	}
	return vars
}

// isNamed reports whether the files name a global function besides where it is defined, once, and in the keys of tables.
func (g *game) isNamed(name string) bool {
	named := g.functionsOf.given[name] != 1
	for _, tree := range g.trees {
		keys := map[ast.Expr]bool{}
		eachStmt(tree, func(s ast.Stmt) {
			if def, ok := s.(*ast.FuncDefStmt); ok {
				keys[def.Name.Func] = true
			}
		})
		eachExpr(tree, func(e ast.Expr) {
			if t, ok := e.(*ast.TableExpr); ok {
				for _, f := range t.Fields {
					keys[f.Key] = true
				}
			}
			text, _ := syntax.TextOf(e)
			named = named || !keys[e] && (text == name || syntax.NameOf(e) == name)
		})
	}
	return named
}

// needsSelf reports whether a method that is written with a colon always looks something up in self.
func (g *game) needsSelf(f *ownFunction) bool {
	if f == nil || !f.colon {
		return false
	}
	d := g.demandsIn(f.f, f.file)
	d.of, d.params["self"] = make([]demand, 1), 0
	for _, p := range f.f.ParList.Names {
		d.depends[p] = true
	}
	d.block(f.f.Stmts)
	return slices.Contains(d.of[0].refuses, "nil")
}
