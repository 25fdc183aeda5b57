package lint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// libraryWritten checks function math.clamp(x, a, b) and math.tau = 6.28 outside of functions and branches: the tables of
// the library are frozen, while the files are loaded, too. stored is what the member is given.
func (w *walker) libraryWritten(get *ast.AttrGetExpr, stored ast.Expr) {
	base := syntax.NameOf(get.Object)
	name, isText := syntax.TextOf(get.Key)
	if !isText || !w.scope.outermost() || library.NoMember(base, "") == "" || !w.scope.isGlobal(get.Object, base) {
		return
	}
	hint := hintOf(library.NoMember(base, name))
	if hint == "" || strings.HasPrefix(hint, "did you mean") {
		hint = "write a variable of your own: local " + name + " = ..., or a field of what a module returns"
	}
	if f, isFunction := stored.(*ast.FunctionExpr); isFunction {
		params := strings.Join(slices.Concat(f.ParList.Names, map[bool][]string{true: {"..."}}[f.ParList.HasVargs]), ", ")
		hint = "write a function of your own: local function " + name + "(" + params + ") ... end, or one of a module"
	}
	w.report.say(max(get.Line(), get.Key.Line(), 1), name, hint, "%s.%s: %s", base, name, libraryStays)
}

// libraryStays is the end of the message of libraryWritten.
const libraryStays = "what belongs to the library cannot be changed"

var rxLibraryWritten = regexp.MustCompile(`^((\w+)\.(\w+)): ` + libraryStays + `$`)

// withoutLibrary drops what follows from a member that the files try to give to the library: where it is used, it does
// not exist, and the files do not load.
func withoutLibrary(found []Finding) []Finding {
	follows := func(f, cause Finding) bool {
		m := rxLibraryWritten.FindStringSubmatch(cause.Message)
		switch {
		case m == nil:
			return false
		case strings.HasPrefix(f.Message, m[1]+" does not exist"):
			return true
		case f.File == cause.File && f.Line == cause.Line && strings.Contains(f.Message, " is read-only"):
			return true
		}
		return m[2] == "string" && strings.HasSuffix(f.Message, " has no method "+m[3])
	}
	return slices.DeleteFunc(slices.Clone(found), func(f Finding) bool {
		return slices.ContainsFunc(found, func(cause Finding) bool { return follows(f, cause) })
	})
}
