package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestExportsAreUsed: a name that an internal package or one of a program
// exports is used by another package. Its tests count, the package's own do not. A field
// counts as used if a field of its name of any struct of the package is.
func TestExportsAreUsed(t *testing.T) {
	m, r := loadModule(t), openRepo(t)
	used := m.usesAcross()
	for name := range r.usesInTests(t) {
		used[name] = true
	}
	m.useMentioned(used)
	var found []string
	for _, s := range m {
		if s.isPublic() || s.pkg.Name() == "main" {
			continue
		}
		for _, name := range s.exported() {
			if !used[s.pkg.Path()+"."+name] {
				found = append(found, s.dir+" "+name)
			}
		}
		for _, f := range s.exportedFields() {
			if _, name, _ := strings.Cut(f, "."); !used[s.pkg.Path()+".*."+name] {
				found = append(found, s.dir+" "+f)
			}
		}
	}
	hold(t, "unused", found, "Each line is a name that no other package uses: write it with a small letter, or remove it.")
}

// isPublic says that programs of other modules may import the package, and that
// it is meant for them.
func (s source) isPublic() bool {
	return !within(s.dir, "cmd/...", "docs/...") && !strings.Contains("/"+s.dir+"/", "/internal/")
}

// exported are the exported names of a package: at its top, and methods of its
// types as Type.Method, but for those that an interface asks for.
func (s source) exported() (names []string) {
	for _, name := range s.pkg.Scope().Names() {
		obj := s.pkg.Scope().Lookup(name)
		if obj.Exported() {
			names = append(names, name)
		}
		tn, ok := obj.(*types.TypeName)
		if !ok || tn.IsAlias() {
			continue
		}
		named, ok := tn.Type().(*types.Named)
		if !ok {
			continue
		}
		for i := range named.NumMethods() {
			if method := named.Method(i); method.Exported() && !wellKnown[method.Name()] {
				names = append(names, name+"."+method.Name())
			}
		}
	}
	return names
}

// exportedFields are the exported fields of structs of a package, as Type.Field, but for embedded
// ones and those that an encoder reads.
func (s source) exportedFields() (names []string) {
	for _, name := range s.pkg.Scope().Names() {
		obj, ok := s.pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || !obj.Exported() {
			continue
		}
		st, ok := obj.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for i := range st.NumFields() {
			if f := st.Field(i); f.Exported() && !f.Embedded() && st.Tag(i) == "" {
				names = append(names, name+"."+f.Name())
			}
		}
	}
	return names
}

// wellKnown are methods that others call through an interface.
var wellKnown = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Is": true, "As": true,
	"MarshalText": true, "UnmarshalText": true, "MarshalJSON": true, "UnmarshalJSON": true, "Set": true,
	"Len": true, "Less": true, "Swap": true, "Read": true, "Write": true, "Close": true}

// usesAcross are the names that code of another package of ours uses, with the
// path of their package: path.Name and path.Type.Method. A method counts as used if
// its type implements an interface of ours that has it.
func (m module) usesAcross() map[string]bool {
	used := map[string]bool{}
	var interfaces []*types.Interface
	for _, s := range m {
		for _, obj := range s.info.Defs {
			if i, ok := interfaceOf(obj); ok {
				interfaces = append(interfaces, i)
			}
		}
	}
	for _, s := range m {
		for _, obj := range s.info.Uses {
			if obj.Pkg() != nil && obj.Pkg().Path() != s.pkg.Path() && isOurs(obj.Pkg().Path()) {
				used[fullName(obj)] = true
				if v, ok := obj.(*types.Var); ok && v.IsField() {
					used[obj.Pkg().Path()+".*."+obj.Name()] = true
				}
			}
		}
		for _, name := range s.exported() {
			if typeName, method, ok := strings.Cut(name, "."); ok && implements(s.pkg.Scope().Lookup(typeName).Type(), method, interfaces) {
				used[s.pkg.Path()+"."+name] = true
			}
		}
	}
	return used
}

// implements reports whether a type implements one of the interfaces that have a method.
func implements(t types.Type, method string, interfaces []*types.Interface) bool {
	return slices.ContainsFunc(interfaces, func(i *types.Interface) bool {
		for k := range i.NumMethods() {
			if i.Method(k).Name() == method {
				return types.Implements(types.NewPointer(t), i)
			}
		}
		return false
	})
}

// useMentioned adds the types that stand in the declaration of a used name.
func (m module) useMentioned(used map[string]bool) {
	note := func(t types.Type) {
		mentions(t, func(t types.Type) {
			if named := ourNamed(t); named != nil {
				used[fullName(named.Obj())] = true
			}
		})
	}
	for range 3 { // more than types hold each other by
		for _, s := range m {
			for _, obj := range s.info.Defs {
				f, isFunc := obj.(*types.Func)
				switch {
				case obj == nil || obj.Pkg() == nil || !used[fullName(obj)]:
				case isFunc:
					for v := range f.Signature().Params().Variables() {
						note(v.Type())
					}
					for v := range f.Signature().Results().Variables() {
						note(v.Type())
					}
				default:
					note(obj.Type())
					if st, ok := obj.Type().Underlying().(*types.Struct); ok {
						for f := range st.Fields() {
							if f.Exported() {
								note(f.Type())
							}
						}
					}
				}
			}
		}
	}
}

func interfaceOf(obj types.Object) (*types.Interface, bool) {
	tn, ok := obj.(*types.TypeName)
	if !ok {
		return nil, false
	}
	i, ok := tn.Type().Underlying().(*types.Interface)
	return i, ok
}

func fullName(obj types.Object) string {
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		if named := ourNamed(f.Signature().Recv().Type()); named != nil {
			return obj.Pkg().Path() + "." + named.Obj().Name() + "." + obj.Name()
		}
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// usesInTests are the names at the top of a package, as path.Name, that tests of
// other packages use.
func (r repo) usesInTests(t *testing.T) map[string]bool {
	used := map[string]bool{}
	for _, file := range r.goFiles() {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := r.parse(t, file)
		imports := ourImports(f)
		ast.Inspect(f, func(n ast.Node) bool {
			name := ""
			switch n := n.(type) {
			case *ast.SelectorExpr:
				name = n.Sel.Name
				if id, ok := n.X.(*ast.Ident); ok && imports[id.Name] != "" && imports[id.Name] != modulePath+"/"+path.Dir(file) {
					used[imports[id.Name]+"."+name] = true
				}
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					name = id.Name
				}
			}
			for _, pkg := range imports {
				if pkg != modulePath+"/"+path.Dir(file) {
					used[pkg+".*."+name] = true // perhaps a field
				}
			}
			return true
		})
	}
	return used
}

// parse reads a Go file without types.
func (r repo) parse(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(r.root, filepath.FromSlash(file)), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// ourImports are the packages of this module that a file imports, by the name
// that it has for them.
func ourImports(f *ast.File) map[string]string {
	imports := map[string]string{}
	for _, spec := range f.Imports {
		pkg, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !isOurs(pkg) {
			continue
		}
		name := path.Base(pkg)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = pkg
	}
	return imports
}

// pageOf is the page that documents a public package, if that page is not next to the code. There, names need
// no package.
var pageOf = map[string]string{
	"runtime":        "docs/embedding.md",
	"runtime/replay": "docs/replay.md",
	"world/physics":  "docs/physics.md",
	"world/detmath":  "docs/physics.md",
}

// TestExportsAreDocumented: a name that a public package exports is used in an
// Example, or it is in code of the docs: as package.Name on any page, or as a word on the page of its
// package. A constant of a type counts with its type.
func TestExportsAreDocumented(t *testing.T) {
	m, r := loadModule(t), openRepo(t)
	inDocs := r.codeWords(t)
	inExamples := r.usesInExamples(t)
	var found []string
	for _, s := range m {
		if !s.isPublic() || s.pkg.Name() == "main" {
			continue
		}
		known := func(obj types.Object) bool {
			return inDocs[s.pkg.Name()+"."+obj.Name()] || inDocs[s.dir+" "+obj.Name()] || inDocs[pageOf[s.dir]+" "+obj.Name()] || inExamples[s.pkg.Path()+"."+obj.Name()]
		}
		for _, name := range s.pkg.Scope().Names() {
			obj := s.pkg.Scope().Lookup(name)
			if !obj.Exported() || known(obj) {
				continue
			}
			if named := ourNamed(obj.Type()); isConst(obj) && named != nil && known(named.Obj()) {
				continue
			}
			found = append(found, s.dir+" "+name)
		}
	}
	hold(t, "undocumented", found, "Each line is an exported name of a public package that neither an Example uses nor a page has as code. "+
		"If embedders need it, show it; if they don't, write it with a small letter or move it to an internal package.")
}

func isConst(obj types.Object) bool {
	_, ok := obj.(*types.Const)
	return ok
}

// usesInExamples are the names at the top of a package, as path.Name, that
// Example functions of its tests use.
func (r repo) usesInExamples(t *testing.T) map[string]bool {
	used := map[string]bool{}
	for _, file := range r.goFiles() {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := r.parse(t, file)
		imports := ourImports(f)
		for _, decl := range f.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Example") {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if sel, ok := n.(*ast.SelectorExpr); ok {
					if id, ok := sel.X.(*ast.Ident); ok && imports[id.Name] != "" {
						used[imports[id.Name]+"."+sel.Sel.Name] = true
					}
				}
				return true
			})
		}
	}
	return used
}

var (
	rxCode        = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")
	rxPackageName = regexp.MustCompile(`\b[a-z]\w*\.[A-Z]\w*`)
	rxWord        = regexp.MustCompile(`\w+`)
)

// codeWords are, in code of the pages, the qualified names, and the words as "page word" and "folder word" with
// the page and its folder. Cells of tables are such words as well, for the packages next to the page.
func (r repo) codeWords(t *testing.T) map[string]bool {
	words := map[string]bool{}
	for _, file := range r.pages() {
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range rxCode.FindAllString(string(text), -1) {
			for _, name := range rxPackageName.FindAllString(code, -1) {
				words[name] = true
			}
			for _, w := range rxWord.FindAllString(code, -1) {
				words[path.Dir(file)+" "+w], words[file+" "+w] = true, true
			}
		}
		for line := range strings.Lines(string(text)) {
			for _, cell := range strings.Split(line, "|") {
				words[path.Dir(file)+" "+strings.TrimSpace(cell)] = true
			}
		}
	}
	return words
}

// pages are the repository's pages of Markdown.
func (r repo) pages() (files []string) {
	for _, f := range r.files {
		if strings.HasSuffix(f, ".md") && !strings.Contains(f, "testdata/") {
			files = append(files, f)
		}
	}
	return files
}
