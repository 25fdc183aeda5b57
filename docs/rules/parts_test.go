package rules

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"
)

// A part is a struct with its methods: it owns its state.
type part struct {
	dir, name string
	named     *types.Named
	record    bool                  // it has no method on its pointer: nothing but values
	held      bool                  // in a field of another struct of its package
	fields    map[*types.Var]string // declared in it, those of structs without a name among them, with their tags
	files     map[string]bool       // its own: they declare it, or one of its methods
}

// parts are the structs that packages declare, without their tests.
func (m module) parts() (all []*part) {
	for _, s := range m {
		named := s.structs()
		begin := len(all)
		for _, name := range s.pkg.Scope().Names() {
			obj, ok := s.pkg.Scope().Lookup(name).(*types.TypeName)
			if ok && named[obj] {
				all = append(all, s.part(obj))
			}
		}
		adopt(all[begin:])
	}
	return all
}

// structs are the types that a package declares as a struct, not by the name of
// another one.
func (s source) structs() map[*types.TypeName]bool {
	all := map[*types.TypeName]bool{}
	s.inspect(func(n ast.Node) {
		if spec, ok := n.(*ast.TypeSpec); ok && !spec.Assign.IsValid() {
			_, literal := ast.Unparen(spec.Type).(*ast.StructType)
			obj, ok := s.info.Defs[spec.Name].(*types.TypeName)
			all[obj] = ok && literal
		}
	})
	return all
}

func (s source) part(obj *types.TypeName) *part {
	named := obj.Type().(*types.Named)
	p := &part{dir: s.dir, name: obj.Name(), named: named, record: true, fields: map[*types.Var]string{}, files: map[string]bool{s.file(obj): true}}
	own(p.fields, named)
	for i := range named.NumMethods() {
		method := named.Method(i)
		p.files[s.file(method)] = true
		if _, ok := method.Signature().Recv().Type().(*types.Pointer); ok {
			p.record = false
		}
	}
	return p
}

// file returns the base name of the file that has obj.
func (s source) file(obj interface{ Pos() token.Pos }) string {
	return path.Base(s.fset.Position(obj.Pos()).Filename)
}

// own notes the fields of a struct, with their tags.
func own(fields map[*types.Var]string, t types.Type) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		fields[f] = st.Tag(i)
		mentions(f.Type(), func(t types.Type) {
			if _, named := t.(*types.Named); !named {
				own(fields, t)
			}
		})
	}
}

// mentions visits the types that a value of type t holds or points to, except
// what is behind names of structs.
func mentions(t types.Type, visit func(types.Type)) {
	t = types.Unalias(t)
	visit(t)
	switch t := t.(type) {
	case *types.Named:
		for i := range t.TypeArgs().Len() {
			mentions(t.TypeArgs().At(i), visit)
		}
		if _, ok := t.Underlying().(*types.Struct); !ok && t.Obj().Pkg() != nil {
			mentions(t.Underlying(), visit)
		}
	case *types.Pointer:
		mentions(t.Elem(), visit)
	case *types.Slice:
		mentions(t.Elem(), visit)
	case *types.Array:
		mentions(t.Elem(), visit)
	case *types.Map:
		mentions(t.Key(), visit)
		mentions(t.Elem(), visit)
	}
}

// adopt gives records the files of the parts of their package that hold them:
// they are those parts' state.
func adopt(parts []*part) {
	records := map[*types.Named]*part{}
	for _, p := range parts {
		if p.record {
			records[p.named] = p
		}
	}
	for changed := true; changed; {
		changed = false
		for _, holder := range parts {
			facade := slices.Contains(facades, holder.dir+"."+holder.name)
			for f := range holder.fields {
				mentions(f.Type(), func(t types.Type) {
					named, ok := t.(*types.Named)
					if !ok || records[named.Origin()] == nil {
						return
					}
					record := records[named.Origin()]
					record.held = true
					if facade {
						return
					}
					for file := range holder.files {
						changed = changed || !record.files[file]
						record.files[file] = true
					}
				})
			}
		}
	}
}

// TestClosedParts: an unexported field of a struct is selected only in the files
// that declare the struct or one of its methods. What has no method on its
// pointer is a record, and belongs to the structs that hold it in a field, too. A
// record that none holds is no state: a result, or a row of a table. An exported
// field of an exported struct, or of a record, is data that all may read; one of an
// unexported struct with methods on its pointer is as closed as the others.
func TestClosedParts(t *testing.T) {
	m := loadModule(t)
	owner := map[*types.Var]*part{}
	for _, p := range m.parts() {
		for f := range p.fields {
			owner[f] = p
		}
	}
	var found []string
	for _, s := range m {
		s.inspect(func(n ast.Node) {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok || s.info.Selections[sel] == nil || s.info.Selections[sel].Kind() != types.FieldVal {
				return
			}
			f := s.info.Selections[sel].Obj().(*types.Var).Origin()
			file := path.Base(s.fset.Position(sel.Pos()).Filename)
			if p := owner[f]; p != nil && !p.open(f) && !p.files[file] && (p.held || !p.record) {
				found = append(found, fmt.Sprintf("%s %s in %s", p.dir, p.name, file))
			}
		})
	}
	hold(t, "closed", found, "Each line is a struct, and a file that reaches into its fields and declares none of its methods. "+
		"Make a method of what the file does there, move it to the struct's own file, or hand in the values that it needs. "+
		"If the struct is nothing but data that others read, export its fields, and give it no methods on its pointer.")
}

// TestNoPointerToTheWhole: of the structs that a facade is composed of, none
// holds the facade. They get what they need as arguments.
func TestNoPointerToTheWhole(t *testing.T) {
	parts := loadModule(t).parts()
	byType := map[*types.Named]*part{}
	for _, p := range parts {
		byType[p.named] = p
	}
	var found []string
	for _, whole := range parts {
		if !slices.Contains(wholes, whole.dir+"."+whole.name) {
			continue
		}
		for _, p := range whole.composed(byType) {
			if p != whole && p.holds(whole) {
				found = append(found, fmt.Sprintf("%s %s holds the %s that holds it", p.dir, p.name, whole.name))
			}
		}
	}
	hold(t, "whole", found, "Each line is a part that points back to the whole: hand in what its methods need as arguments.")
}

// composed are the parts that a part holds in fields, and those that these hold,
// of the same package.
func (p *part) composed(byType map[*types.Named]*part) []*part {
	all := []*part{p}
	for i := 0; i < len(all); i++ {
		for f := range all[i].fields {
			mentions(f.Type(), func(t types.Type) {
				named, ok := t.(*types.Named)
				if !ok {
					return
				}
				inner := byType[named.Origin()]
				if inner != nil && inner.dir == p.dir && !slices.Contains(all, inner) {
					all = append(all, inner)
				}
			})
		}
	}
	return all
}

// holds says that a field of a part holds or points to another one.
func (p *part) holds(other *part) (yes bool) {
	for f := range p.fields {
		mentions(f.Type(), func(t types.Type) {
			named, ok := t.(*types.Named)
			yes = yes || ok && named.Origin() == other.named
		})
	}
	return yes
}

// Bounds of a struct.
const (
	mostFields  = 15
	mostMethods = 20
)

// facades are the doors of their packages: they have as many methods as it
// takes. Their state is in their parts.
var facades = []string{"runtime/timeline.Timeline", "runtime.Host", "runtime.Client", "world.World", "luabind.VM"}

// wholes are the structs that are composed of parts.
var wholes = append([]string{"runtime.peer", "world.PartialRerun", "world/physics.Solver", "world/physics.stepper"}, facades...)

// largeStructs may have more fields or methods, each for its reason; at most
// ten.
var largeStructs = map[string]string{
	"runtime.Report":           "every field is a key of the published report",
	"cmd/host.result":          "every field is a key of host bench -json",
	"cmd/host/netbench.Result": "every field is a key of host bench -json for scenes over lines",
	"cmd/host.replayView":      "every field is a key of the published view of a replay, those of runtime.View among them",
	"runtime.View":             "every field is a key of /api/view",
	"runtime.ClientConfig":     "every field is a setting that an embedder may leave out",
	"runtime/replay.Record":    "a record of any kind: each has some of the fields, as in the file",
	"world/physics.Body":       "the state of a body, flat: states are saved with copy",
	"world/physics.Joint":      "the state of a joint, flat: states are saved with copy",
	"world/physics.Def":        "every field is a key of body in a declaration",
}

// TestSizeOfStructs: few fields, few methods, those of embedded structs of ours
// included.
func TestSizeOfStructs(t *testing.T) {
	if len(largeStructs) > 10 {
		t.Errorf("%d exceptions in largeStructs; at most 10", len(largeStructs))
	}
	var found []string
	excused := map[string]bool{}
	for _, p := range loadModule(t).parts() {
		name := p.dir + "." + p.name
		fields, methods := countFields(p.named.Underlying().(*types.Struct)), p.methods()
		if fields <= mostFields && methods <= mostMethods || slices.Contains(facades, name) {
			continue
		}
		if largeStructs[name] != "" {
			excused[name] = true
			continue
		}
		t.Logf("%s: %d fields, %d methods", name, fields, methods)
		found = append(found, p.dir+" "+p.name)
	}
	for name := range largeStructs {
		if !excused[name] {
			t.Errorf("%s is in largeStructs and is not large, or not there: take its line out, or change its name", name)
		}
	}
	hold(t, "size", found, fmt.Sprintf("Each line is a struct with more than %d fields or %d methods. Compose it of parts that own their state, and get what they need as arguments; "+
		"-v prints the figures. Exceptions, at most ten, are in largeStructs, with their reasons.", mostFields, mostMethods))
}

// countFields counts the fields of a struct, and instead of an embedded struct
// of ours its fields.
func countFields(st *types.Struct) (n int) {
	for i := range st.NumFields() {
		n++
		f := st.Field(i)
		if named := ourNamed(f.Type()); f.Anonymous() && named != nil {
			if inner, ok := named.Underlying().(*types.Struct); ok {
				n += countFields(inner) - 1
			}
		}
	}
	return n
}

// ourNamed is the type of this module that t is or points to; nil if none.
func ourNamed(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && isOurs(n.Obj().Pkg().Path()) {
		return n
	}
	return nil
}

func isOurs(pkg string) bool { return strings.HasPrefix(pkg, modulePath+"/") }

// methods counts those of a part's pointer that are ours.
func (p *part) methods() (n int) {
	set := types.NewMethodSet(types.NewPointer(p.named))
	for i := range set.Len() {
		if pkg := set.At(i).Obj().Pkg(); pkg != nil && isOurs(pkg.Path()) {
			n++
		}
	}
	return n
}

// open reports whether all files may select a field of the part: it is exported, and
// the part is exported too, or a record. A field with a tag is read by an encoder.
func (p *part) open(f *types.Var) bool {
	return f.Exported() && (p.record || p.named.Obj().Exported() || p.fields[f] != "")
}
