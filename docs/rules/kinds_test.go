package rules

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
)

// kindFiles tell kinds of clients apart: the configuration refuses settings that do not apply to a
// kind, and each kind has a role. All other files ask the role.
var kindFiles = []string{"config.go", "role.go"}

// clientKinds finds files of package client that name a kind of client.
func clientKinds(s source) (found []finding) {
	kind := s.pkg.Scope().Lookup("Kind")
	s.inspect(func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		c, ok := s.info.Uses[id].(*types.Const)
		if ok && kind != nil && types.Identical(c.Type(), kind.Type()) && !slices.Contains(kindFiles, path.Base(s.fset.Position(id.Pos()).Filename)) {
			found = append(found, at(s.fset.Position(id.Pos()), "%s: let the role of a client answer, or give data to it in role.go", id.Name))
		}
	})
	return found
}
