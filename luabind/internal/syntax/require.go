package syntax

import (
	"maps"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// Required are the modules that a file asks for.
type Required struct {
	Names map[string]int  // as written out, with the line of the first require
	Tried map[string]bool // as written out for pcall(require, "lib.vector"): it may be missing
	Any   bool            // others too: a name is computed, or require is passed on
}

// All returns the names that are written out, sorted.
func (r *Required) All() []string {
	all := maps.Clone(r.Tried)
	for _, name := range ident.Keys(r.Names) {
		all[name] = true
	}
	return ident.Keys(all)
}

// MayLack reports whether the file copes with modules that are missing: it tries some, and others may be in branches that
// never run, such as those for another Lua.
func (r *Required) MayLack() bool { return r.Any || len(r.Tried) > 0 }

const require = "require"

// RequiredIn returns the modules that a file asks for.
func RequiredIn(tree []ast.Stmt) Required {
	r := Required{Names: map[string]int{}, Tried: map[string]bool{}}
	r.block(tree)
	return r
}

func (r *Required) block(list []ast.Stmt) {
	for _, s := range list {
		EachPart(s, r.expr, r.block)
	}
}

func (r *Required) expr(e ast.Expr) {
	switch e := e.(type) {
	case nil:
		return
	case *ast.IdentExpr:
		r.Any = r.Any || e.Value == require
	case *ast.FuncCallExpr:
		if at := triedIn(e); at > 0 {
			name, _ := TextOf(e.Args[at])
			r.Tried[name] = true
			for _, a := range e.Args[1:at] {
				r.expr(a)
			}
			return
		}
		if NameOf(e.Func) != require || len(e.Args) == 0 {
			break
		}
		name, written := TextOf(e.Args[0])
		if !written {
			r.Any = true
		} else if _, known := r.Names[name]; !known {
			r.Names[name] = max(e.Line(), 1)
		}
		for _, a := range e.Args {
			r.expr(a)
		}
		return
	}
	EachOperand(e, r.expr, r.block)
}

// triedIn returns which argument of pcall(require, "lib.vector"), or of xpcall, is the name of a module; 0: it is no such
// call, or the name is computed.
func triedIn(e *ast.FuncCallExpr) (at int) {
	switch NameOf(e.Func) {
	case "pcall":
		at = 1
	case "xpcall":
		at = 2
	}
	if at == 0 || at >= len(e.Args) || NameOf(e.Args[0]) != require {
		return 0
	}
	if _, written := TextOf(e.Args[at]); !written {
		return 0
	}
	return at
}

// IsModule reports whether a file is loaded only when another one requires it: one in a subfolder.
func IsModule(file string) bool { return strings.Contains(file, "/") }

// ModuleName returns the name with which a file is required: lib.vector for lib/vector.lua.
func ModuleName(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(file, ".lua"), "/init"), "/", ".")
}

// ModuleFile returns the file that a name requires, and whether it is one of files. A name that is put together may
// have several dots in a row.
func ModuleFile(name string, files []string) (file string, ok bool) {
	path := strings.ReplaceAll(strings.TrimSuffix(name, ".lua"), ".", "/")
	path = strings.Join(strings.FieldsFunc(path, func(r rune) bool { return r == '/' }), "/") // as file systems read it
	for _, end := range []string{".lua", "/init.lua"} {
		for _, f := range files {
			if f == path+end && f != world.ViewFile {
				return f, true
			}
		}
	}
	return path + ".lua", false
}
