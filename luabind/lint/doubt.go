package lint

import (
	"regexp"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// doubt knows what files may declare that do not load, so that it is not said to be missing: that would follow from the
// error because of which they do not. The zero doubt has none.
type doubt struct {
	any   bool            // of every name
	words map[string]bool // of these
}

var rxWord = regexp.MustCompile(`[A-Za-z_]\w*`)

// of reports whether a name may be declared.
func (d *doubt) of(name string) bool {
	return d.any || d.words[name] || name == "team" && d.words["teams"] // teams { ... } declares it for players
}

// note notes the names in a text.
func (d *doubt) note(text string) {
	if d.words == nil {
		d.words = map[string]bool{}
	}
	for _, w := range rxWord.FindAllString(text, -1) {
		d.words[w] = true
	}
}

// unread notes what a file may declare that does not parse: any name that is in it. The rest of a file that ends too
// early may be missing, and hold any name.
func (d *doubt) unread(f world.Source, err error) {
	d.any = d.any || strings.Contains(err.Error(), "ends too early")
	d.note(f.Text)
}

// unloaded notes the names that the files use while they are loaded. Hooks and methods do not run then, but their names
// may be declared.
func (d *doubt) unloaded(files []world.Source, trees [][]ast.Stmt) {
	for i := range files {
		d.statements(files[i].Name, trees[i])
	}
}

func (d *doubt) statements(file string, list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.FuncDefStmt:
			d.function(file, s)
			continue
		case *ast.AssignStmt:
			d.assignment(file, s)
			continue
		case *ast.LocalAssignStmt:
			d.note(strings.Join(s.Names, " "))
		}
		syntax.EachPart(s, func(e ast.Expr) { d.expression(file, e) },
			func(inner []ast.Stmt) { d.statements(file, inner) })
	}
}

// function notes the name of a function, and what is in it if it is no method and no hook.
func (d *doubt) function(file string, s *ast.FuncDefStmt) {
	d.note(s.Name.Method)
	d.expression(file, s.Name.Func)
	_, isHook := api.LikeHook(syntax.NameOf(s.Name.Func), api.GameHooks())
	if _, isMember := s.Name.Func.(*ast.AttrGetExpr); s.Name.Receiver == nil && !isMember &&
		!(isHook && file == api.GameFile) {
		d.expression(file, s.Func)
	}
}

// assignment is like function for Ship.tick = function(self) ... end.
func (d *doubt) assignment(file string, s *ast.AssignStmt) {
	for _, e := range s.Lhs {
		d.expression(file, e)
	}
	for i, e := range s.Rhs {
		_, isFunction := e.(*ast.FunctionExpr)
		if _, isMember := s.Lhs[min(i, len(s.Lhs)-1)].(*ast.AttrGetExpr); !isFunction || !isMember {
			d.expression(file, e)
		}
	}
}

func (d *doubt) expression(file string, e ast.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.IdentExpr:
		d.note(e.Value)
	case *ast.StringExpr:
		d.note(e.Value)
	}
	syntax.EachOperand(e, func(inner ast.Expr) { d.expression(file, inner) },
		func(inner []ast.Stmt) { d.statements(file, inner) })
}
