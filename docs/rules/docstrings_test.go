package rules

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExportsHaveDocComments: each exported name of a public package has a comment.
func TestExportsHaveDocComments(t *testing.T) {
	var found []string
	for _, s := range loadModule(t) {
		if s.isPublic() && s.pkg.Name() != "main" {
			for _, f := range undocumented(s) {
				found = append(found, s.dir+" "+f.text)
			}
		}
	}
	hold(t, "docstrings", found, "Each line is an exported name without a comment, or with one that does not begin with the name. "+
		"Say what it is, with units, and which errors it returns.")
}

// A comment that says what is wanted would be the comment that is missing, so this list does.
func TestUndocumented(t *testing.T) {
	want := []string{"Good.Weight has no comment", "the comment of Other begins with another word", "Bare has no comment", "Good.Undo has no comment",
		"the comment of Make begins with another word", "the comment of Load does not speak of the error", "Doer.Undo has no comment", "Loose has no comment"}
	for _, s := range load(t, openRepo(t).root, "./docs/rules/testdata/docstrings") {
		var got []string
		for _, f := range undocumented(s) {
			got = append(got, f.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("found %q, want %q", got, want)
		}
	}
}

// undocumented finds exported names without a comment. A name at the top of a package, and
// a method, has one that begins with the name, as go doc shows it. A constant, a field or a
// method of an interface has one above or beside it, or is one of a group that has one. The
// comment of a function that returns an error says which, or when.
func undocumented(s source) (found []finding) {
	d := docs{s, &found}
	for _, f := range s.files {
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if name := methodName(decl); name != "" {
					d.check(decl.Name, name, decl.Doc)
					d.checkErrors(decl, name)
				}
			case *ast.GenDecl:
				d.declared(decl)
			}
		}
	}
	return found
}

// docs looks at the comments of a package.
type docs struct {
	source
	found *[]finding
}

func (d docs) say(id *ast.Ident, format string, args ...any) {
	*d.found = append(*d.found, at(d.fset.Position(id.Pos()), format, args...))
}

// check looks at the comment of a name that is Name or Type.Name in full.
func (d docs) check(id *ast.Ident, full string, comment *ast.CommentGroup) {
	text := comment.Text()
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	switch rest, begins := strings.CutPrefix(text, id.Name); {
	case text == "":
		d.say(id, "%s has no comment", full)
	case !begins || rest != "" && rxWord.MatchString(rest[:1]):
		d.say(id, "the comment of %s begins with another word", full)
	}
}

// rxErrors is how comments speak of errors.
var rxErrors = regexp.MustCompile(`(?i)\b(\w*err\w*|refus\w+|fails?|wrong|implements|divergence|problems?)\b`)

// checkErrors looks whether the comment of a function that returns an error says which, or
// when. That of the receiver's type may say it for all of its methods.
func (d docs) checkErrors(decl *ast.FuncDecl, full string) {
	f, ok := d.info.Defs[decl.Name].(*types.Func)
	if !ok || rxErrors.MatchString(decl.Doc.Text()) {
		return
	}
	if of, _, isMethod := strings.Cut(full, "."); isMethod && rxErrors.MatchString(d.typeComment(of)) {
		return
	}
	for v := range f.Signature().Results().Variables() {
		if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			d.say(decl.Name, "the comment of %s does not speak of the error", full)
		}
	}
}

// typeComment is the comment of a type.
func (d docs) typeComment(name string) string {
	for _, f := range d.files {
		for _, decl := range f.Decls {
			decl, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range decl.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == name {
					return t.Doc.Text() + decl.Doc.Text()
				}
			}
		}
	}
	return ""
}

func (d docs) declared(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			comment := spec.Doc
			if comment == nil && len(decl.Specs) == 1 {
				comment = decl.Doc
			}
			if spec.Name.IsExported() {
				d.check(spec.Name, spec.Name.Name, comment)
				d.members(spec, comment.Text())
			}
		case *ast.ValueSpec:
			for _, id := range spec.Names {
				if id.IsExported() && decl.Doc == nil && spec.Doc == nil && spec.Comment == nil {
					d.say(id, "%s has no comment", id.Name)
				}
			}
		}
	}
}

// members looks at the fields or methods that a type declares. A field needs no comment
// of its own if that of the type has its name as a word, if the type is one line, or if its
// own type is one of ours, whose comment says what it is.
func (d docs) members(spec *ast.TypeSpec, comment string) {
	var members *ast.FieldList
	switch t := spec.Type.(type) {
	case *ast.StructType:
		members = t.Fields
	case *ast.InterfaceType:
		members = t.Methods
	default:
		return
	}
	if d.fset.Position(members.Opening).Line == d.fset.Position(members.Closing).Line {
		return // the comment stands right above
	}
	said := rxWord.FindAllString(comment, -1)
	for _, m := range members.List {
		for _, id := range m.Names {
			if id.IsExported() && m.Doc == nil && m.Comment == nil && !slices.Contains(said, id.Name) && !explained(d.info.TypeOf(m.Type)) {
				d.say(id, "%s.%s has no comment", spec.Name.Name, id.Name)
			}
		}
	}
}

// explained reports whether a type is one of ours, or slices or pointers of one.
func explained(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Pkg() != nil && isOurs(t.Obj().Pkg().Path())
	case *types.Pointer:
		return explained(t.Elem())
	case *types.Slice:
		return explained(t.Elem())
	}
	return false
}

// methodName is Name or Type.Name of an exported function; "" if go doc does not show it, or
// others call it through an interface.
func methodName(d *ast.FuncDecl) string {
	name := d.Name.Name
	if !d.Name.IsExported() {
		return ""
	}
	if d.Recv == nil {
		return name
	}
	of := d.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if index, ok := of.(*ast.IndexExpr); ok {
		of = index.X
	}
	id, ok := of.(*ast.Ident)
	if !ok || !id.IsExported() || wellKnown[name] {
		return ""
	}
	return id.Name + "." + name
}
