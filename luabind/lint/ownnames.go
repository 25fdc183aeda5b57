package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// ownNames are names that a game gives to things besides classes.
type ownNames struct {
	levels  []string        // nil: they are not known
	globals map[string]bool // that the files assign
	teams   []string        // that are declared
	gives   bool            // the files may give objects to players
	layers  []string        // on which bodies can be, sorted; nil: they are not known
}

// note notes the globals that a file assigns.
func (n *ownNames) note(tree []ast.Stmt) {
	if n.globals == nil {
		n.globals = map[string]bool{}
	}
	syntax.AssignedGlobals(tree, n.globals)
	n.noteOwners(tree)
}

// noteOwners notes whether a file may give an object to a player: it has a table with owner, or one that is given to spawn
// and not written out, or the name of a function that sets the owner.
func (n *ownNames) noteOwners(tree []ast.Stmt) {
	eachStmt(tree, func(s ast.Stmt) {
		if assign, ok := s.(*ast.AssignStmt); ok {
			for _, e := range assign.Lhs {
				n.gives = n.gives || syntax.LastName(e) == "owner"
			}
		}
	})
	eachExpr(tree, func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.IdentExpr:
			n.gives = n.gives || e.Value == "takeOver" || e.Value == "setOwner"
		case *ast.FuncCallExpr:
			n.gives = n.gives || e.Method == "setOwner"
			if syntax.NameOf(e.Func) == "spawn" && len(e.Args) > 1 {
				_, whole := tableKeys(e.Args[1])
				n.gives = n.gives || !whole
			}
		case *ast.AttrGetExpr:
			n.gives = n.gives || syntax.LastName(e) == "setOwner"
		case *ast.TableExpr:
			n.gives = n.gives || valueOf(e, "owner") != nil
		}
	})
}

// know notes the levels and the layers of the game.
func (n *ownNames) know(s *world.Schema) {
	n.levels = s.Setup.LevelNames()
	for _, t := range s.Teams {
		n.teams = append(n.teams, t.Name)
	}
	n.layers = []string{world.DefaultLayer, world.WallLayer}
	for i := range s.Classes {
		if b := s.Classes[i].Body; b != nil && b.Layer != "" {
			n.layers = append(n.layers, b.Layer)
		}
	}
	slices.Sort(n.layers)
	n.layers = slices.Compact(n.layers)
}

// assigns reports whether a file assigns a global.
func (n *ownNames) assigns(global string) bool { return n.globals[global] }

// teamNames returns the names of the teams that the files declare.
func (n *ownNames) teamNames() []string { return n.teams }

// levelNames returns the names of the levels; nil if they are not known.
func (n *ownNames) levelNames() []string { return n.levels }
