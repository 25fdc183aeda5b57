package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// near explains a name that is almost that of a variable which is known in its line: a local one of the file or of the
// function around it, or a global of another file.
func (u *undefined) near() string {
	tree, err := syntax.Parse(u.file)
	if err != nil {
		return ""
	}
	var known []string
	for i, s := range tree {
		line := u.at + 1
		if s.Line() > line {
			break
		}
		known = append(known, declaredBy(s)...)
		if i+1 == len(tree) || tree[i+1].Line() > line {
			known = append(known, localsIn([]ast.Stmt{s})...) // the name stands within it
		}
	}
	globals := map[string]bool{}
	for _, f := range u.files {
		if (f.Name == api.ViewFile) != (u.file.Name == api.ViewFile) || syntax.IsModule(f.Name) {
			continue
		}
		if other, err := syntax.Parse(f); err == nil {
			syntax.AssignedGlobals(other, globals)
		}
	}
	known = append(known, ident.Keys(globals)...)
	slices.Sort(known)
	known = slices.DeleteFunc(slices.Compact(known), func(n string) bool { return n == u.name })
	if api.Elsewhere(u.name) != "" {
		known = slices.DeleteFunc(known, func(n string) bool { return !strings.EqualFold(n, u.name) && n != u.name+"s" && n+"s" != u.name })
	}
	return didYouMean(u.name, known, "")
}

// declaredBy returns the names of the local variables that a statement declares.
func declaredBy(s ast.Stmt) []string {
	if local, ok := s.(*ast.LocalAssignStmt); ok {
		return local.Names
	}
	return nil
}

// called explains a name that is called like a function, and that nothing is like.
func (u *undefined) called() string {
	if !regexp.MustCompile(`(?:^|[^.:\w])`+regexp.QuoteMeta(u.name)+`\s*\(`).MatchString(u.lines[u.at]) || api.Elsewhere(u.name) != "" {
		return ""
	}
	return "write local function " + u.name + "(...) ... end above, or function " + u.name + "(...) ... end in another file"
}

// member explains a member of a table of another engine, such as love.keyboard.isDown.
func (u *undefined) member() string {
	m := regexp.MustCompile(`(?:^|[^.:\w])` + regexp.QuoteMeta(u.name) + `[.:](\w+)(?:[.:](\w+))?`).FindStringSubmatch(u.lines[u.at])
	if m == nil {
		return ""
	}
	hint := or(elsewhereMembers[u.name+"."+m[1]+"."+m[2]], elsewhereMembers[u.name+"."+m[1]])
	if hint == "" {
		return ""
	}
	rxDefined := regexp.MustCompile(`^\s*function ` + regexp.QuoteMeta(u.name) + `\.(\w+)`)
	for _, line := range u.lines[u.at+1:] { // the loader says of each name once that it is not defined
		if d := rxDefined.FindStringSubmatch(line); d != nil && d[1] != m[1] && elsewhereMembers[u.name+"."+d[1]] != "" {
			hint += "; " + u.name + "." + d[1] + ": " + elsewhereMembers[u.name+"."+d[1]]
		}
	}
	return hint
}
