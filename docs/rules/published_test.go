package rules

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/golden"
)

// published compares a list with testdata/published/NAME, which holds what is
// published: programs, scripts and pages of other people rely on it. A published
// name stays when Go names change.
func published(t *testing.T, name string, lines []string) {
	t.Helper()
	golden.Lines(t, "testdata/published/"+name, lines)
}

// A publication is a Go type that is written or read as JSON.
type publication struct {
	label     string // in the list
	dir, name string // of the Go type
}

// publishedJSON are the types whose JSON leaves the programs. When a type is
// renamed or moves, change its line here, and no label.
var publishedJSON = []publication{
	{"bundle", "runtime/bundle", "Bundle"},
	{"report", "runtime", "Report"},
	{"host bench", "cmd/host", "result"},
	{"host bench net", "cmd/host/netbench", "Result"},
	{"/api/view", "runtime", "View"},
	{"/api/view of a replay", "cmd/host", "replayView"},
	{"/api/replay", "cmd/host", "replayInfo"},
	{"page: info", "cmd/client", "pageInfo"},
	{"page: kind", "cmd/client", "kindJSON"},
	{"page: cue", "cmd/client", "pageCue"},
	{"from the page", "cmd/client", "fromBrowser"},
}

// TestPublishedJSON holds every key of the published JSON, and the kind of its
// value. The bundle's keys also decide its hash.
func TestPublishedJSON(t *testing.T) {
	m := loadModule(t)
	var lines []string
	for _, p := range publishedJSON {
		s, ok := m.dir(p.dir)
		if !ok {
			t.Errorf("%s: no package %s: change its line in publishedJSON", p.label, p.dir)
			continue
		}
		obj := s.pkg.Scope().Lookup(p.name)
		if obj == nil {
			t.Errorf("%s: no type %s.%s: change its line in publishedJSON", p.label, p.dir, p.name)
			continue
		}
		lines = append(lines, jsonShape(p.label, obj.Type())...)
	}
	lines = append(lines, m.literalMessages("cmd/client")...)
	published(t, "json.txt", lines)
}

// jsonShape lists the keys of a type's JSON: one line each, with its path and
// the kind of its value, as package encoding/json writes it.
func jsonShape(at string, t types.Type) []string {
	if kind := jsonText(t); kind != "" {
		return []string{at + " " + kind}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return jsonShape(at, u.Elem())
	case *types.Slice:
		return jsonShape(at+"[]", u.Elem())
	case *types.Array:
		return jsonShape(at+"[]", u.Elem())
	case *types.Map:
		return jsonShape(at+".*", u.Elem())
	case *types.Struct:
		return structShape(at, u)
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return []string{at + " string"}
		case u.Info()&types.IsBoolean != 0:
			return []string{at + " boolean"}
		case u.Info()&types.IsInteger != 0:
			return []string{at + " integer"}
		}
		return []string{at + " number"}
	}
	return []string{at + " any"}
}

// jsonText is the kind of a type that encodes itself; "" for any other.
func jsonText(t types.Type) string {
	for _, m := range []struct{ name, kind string }{{"MarshalJSON", "any"}, {"MarshalText", "string"}} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, m.name); obj != nil {
			return m.kind
		}
	}
	if s, ok := t.Underlying().(*types.Slice); ok && types.Identical(s.Elem(), types.Typ[types.Byte]) {
		return "base64"
	}
	return ""
}

func structShape(at string, s *types.Struct) (lines []string) {
	for i := range s.NumFields() {
		f := s.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if name == "-" || !f.Exported() && !f.Anonymous() {
			continue
		}
		_, embedded := f.Type().Underlying().(*types.Struct)
		switch {
		case f.Anonymous() && name == "" && embedded:
			lines = append(lines, structShape(at, f.Type().Underlying().(*types.Struct))...)
			continue
		case name == "":
			name = f.Name()
		}
		if strings.Contains(","+options+",", ",omitempty,") {
			name += "?"
		}
		lines = append(lines, jsonShape(at+"."+name, f.Type())...)
	}
	slices.Sort(lines)
	return lines
}

// literalMessages lists the keys of the messages that a package writes as
// literals of structs without a name and of maps: those with a key "t".
func (m module) literalMessages(dir string) (lines []string) {
	s, _ := m.dir(dir)
	s.inspect(func(n ast.Node) {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || len(lit.Elts) == 0 {
			return
		}
		switch t := types.Unalias(s.info.TypeOf(lit)).(type) {
		case *types.Struct:
			if kind := s.text(lit.Elts[0]); kind != "" && t.Field(0).Name() == "T" {
				lines = append(lines, structShape("page: "+kind, t)...)
			}
		case *types.Map:
			lines = append(lines, s.mapMessage(lit)...)
		}
	})
	slices.Sort(lines)
	return lines
}

func (s source) mapMessage(lit *ast.CompositeLit) (lines []string) {
	kind := ""
	var keys []string
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return nil
		}
		key := s.text(kv.Key)
		if key == "t" {
			kind = s.text(kv.Value)
		}
		keys = append(keys, key)
	}
	if kind == "" {
		return nil
	}
	for _, key := range keys {
		lines = append(lines, "page: "+kind+"."+key+" string")
	}
	return lines
}

// text is the value of a constant string; "" for anything else.
func (s source) text(e ast.Expr) string {
	v := s.info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return ""
	}
	return constant.StringVal(v)
}

// TestPublishedJSONIsComplete finds types that are written or read as JSON and
// are not on the list.
func TestPublishedJSONIsComplete(t *testing.T) {
	m := loadModule(t)
	known := map[string]bool{}
	for _, p := range publishedJSON {
		if s, ok := m.dir(p.dir); ok && s.pkg.Scope().Lookup(p.name) != nil {
			known[types.TypeString(s.pkg.Scope().Lookup(p.name).Type(), nil)] = true
		}
	}
	sinks := m.jsonSinks()
	var found []finding
	for _, s := range m {
		s.inspect(func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok || !sinks[s.fullCallee(call)] {
				return
			}
			for _, arg := range call.Args {
				for _, name := range namedStructs(s.info.TypeOf(arg)) {
					if !known[name] {
						found = append(found, at(s.fset.Position(arg.Pos()), "%s is written or read as JSON: add it to publishedJSON in docs/rules/published_test.go, and run that test with -update", name))
					}
				}
			}
		})
	}
	report(t, found)
}

// namedStructs are the names of the structs that a value of type t is made of
// at the top: through pointers, slices and channels.
func namedStructs(t types.Type) []string {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return namedStructs(u.Elem())
	case *types.Slice:
		return namedStructs(u.Elem())
	case *types.Chan:
		return namedStructs(u.Elem())
	case *types.Named:
		if _, ok := u.Underlying().(*types.Struct); ok && strings.HasPrefix(types.TypeString(u, nil), modulePath) {
			return []string{types.TypeString(u, nil)}
		}
	}
	return nil
}

// jsonSinks are the functions whose arguments become JSON, or are made of it:
// those of encoding/json, and ours that hand an argument of any type on to one.
func (m module) jsonSinks() map[string]bool {
	sinks := map[string]bool{"encoding/json.Marshal": true, "encoding/json.Unmarshal": true,
		"(*encoding/json.Encoder).Encode": true, "(*encoding/json.Decoder).Decode": true}
	for range 4 { // more than functions hand on to each other
		for _, s := range m {
			s.inspect(func(n ast.Node) {
				f, ok := n.(*ast.FuncDecl)
				if !ok || f.Body == nil {
					return
				}
				ast.Inspect(f.Body, func(n ast.Node) bool {
					call, ok := n.(*ast.CallExpr)
					if ok && sinks[s.fullCallee(call)] && slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return s.isOpen(a) }) {
						sinks[s.info.Defs[f.Name].(*types.Func).FullName()] = true
					}
					return true
				})
			})
		}
	}
	return sinks
}

// isOpen says that e has the type any, or that of a type parameter.
func (s source) isOpen(e ast.Expr) bool {
	t := types.Unalias(s.info.TypeOf(e))
	if _, ok := t.(*types.TypeParam); ok {
		return true
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// fullCallee is the full name of the function that is called; "" if it has none.
func (s source) fullCallee(call *ast.CallExpr) string {
	fun := ast.Unparen(call.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return ""
	}
	if f, ok := s.info.Uses[id].(*types.Func); ok {
		return f.Origin().FullName()
	}
	return ""
}

// TestPublishedWords holds the words by which values of enumerations are
// called in JSON, metrics, logs, dumps and errors: the texts in their methods
// String, without the names of their Go types.
func TestPublishedWords(t *testing.T) {
	var lines []string
	for _, s := range loadModule(t) {
		s.inspect(func(n ast.Node) {
			f, ok := n.(*ast.FuncDecl)
			if !ok || f.Name.Name != "String" || f.Recv == nil || f.Body == nil || !s.isBasic(f.Recv.List[0].Type, types.IsInteger) {
				return
			}
			if words := s.words(f.Body); len(words) > 0 {
				lines = append(lines, strings.Join(words, ", "))
			}
		})
	}
	slices.Sort(lines)
	published(t, "words.txt", lines)
}

// words are the constant texts in a body and in the package's variables that
// it uses.
func (s source) words(body ast.Node) (words []string) {
	used := map[types.Object]bool{}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if w := s.text(n); w != "" && !strings.Contains(w, "%") {
				words = append(words, w)
			}
		case *ast.Ident:
			if v := s.packageVar(n); v != nil && !used[v] {
				used[v] = true
				if value := s.initial(v); value != nil {
					ast.Inspect(value, visit)
				}
			}
		}
		return true
	}
	ast.Inspect(body, visit)
	return words
}

// initial is the expression that a variable of the package is declared with.
func (s source) initial(v *types.Var) (value ast.Expr) {
	s.inspect(func(n ast.Node) {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == len(spec.Names) {
			for i, name := range spec.Names {
				if s.info.Defs[name] == v {
					value = spec.Values[i]
				}
			}
		}
	})
	return value
}

// flagMethods are those that declare a flag, with the places of its name, its
// default and its usage among their arguments.
var flagMethods = map[string][3]int{
	"Bool": {0, 1, 2}, "String": {0, 1, 2}, "Int": {0, 1, 2}, "Uint": {0, 1, 2}, "Int64": {0, 1, 2}, "Uint64": {0, 1, 2}, "Float64": {0, 1, 2}, "Duration": {0, 1, 2},
	"BoolVar": {1, 2, 3}, "StringVar": {1, 2, 3}, "IntVar": {1, 2, 3}, "UintVar": {1, 2, 3}, "Int64Var": {1, 2, 3}, "Uint64Var": {1, 2, 3}, "Float64Var": {1, 2, 3}, "DurationVar": {1, 2, 3},
	"TextVar": {1, 2, 3}, "Func": {0, -1, 1}, "BoolFunc": {0, -1, 1},
}

// TestPublishedFlags holds the flags of the programs: package, name, the word
// that stands for the value, kind and default.
func TestPublishedFlags(t *testing.T) {
	published(t, "flags.txt", loadModule(t).flagLines())
}

// flagLines is a line for each flag: program, -name, value, kind, default.
func (m module) flagLines() (lines []string) {
	for _, s := range m {
		if !within(s.dir, "cmd/...") {
			continue
		}
		s.inspect(func(n ast.Node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !isFlags(s.info.TypeOf(sel.X)) {
				return
			}
			if places, ok := flagMethods[sel.Sel.Name]; ok {
				lines = append(lines, s.flagLine(call, sel.Sel.Name, places))
			}
		})
	}
	slices.Sort(lines)
	return lines
}

func isFlags(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && (n.Obj().Name() == "Flags" || n.Obj().Name() == "FlagSet")
}

func (s source) flagLine(call *ast.CallExpr, method string, places [3]int) string {
	value := ""
	if parts := strings.Split(s.text(call.Args[places[2]]), "`"); len(parts) == 3 {
		value = " " + parts[1]
	}
	standard := ""
	if places[1] >= 0 {
		arg := call.Args[places[1]]
		standard = " = " + types.ExprString(arg)
		if v := s.info.Types[arg].Value; v != nil {
			standard = " = " + v.String()
		}
	}
	return fmt.Sprintf("%s -%s%s %s%s", path.Base(s.dir), s.text(call.Args[places[0]]), value, strings.ToLower(strings.TrimSuffix(method, "Var")), standard)
}

// versions are the constants that say which version of a format a package
// writes, and a line of a page that says it too.
var versions = []struct {
	label, dir, name string
	page, line       string
}{
	{"wire", "net/wire", "Version", "net/wire/PROTOCOL.md", "Protocol version: **%s**"},
	{"replay", "runtime/replay", "Version", "", ""},
}

// TestPublishedVersions holds the versions of the formats.
func TestPublishedVersions(t *testing.T) {
	m := loadModule(t)
	r := openRepo(t)
	var lines []string
	for _, v := range versions {
		s, ok := m.dir(v.dir)
		if !ok {
			t.Errorf("%s: no package %s: change its line in versions", v.label, v.dir)
			continue
		}
		c, ok := s.pkg.Scope().Lookup(v.name).(*types.Const)
		if !ok {
			t.Errorf("%s: no constant %s.%s: change its line in versions", v.label, v.dir, v.name)
			continue
		}
		number := c.Val().String()
		lines = append(lines, v.label+" "+number)
		if v.page == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(v.page)))
		if err != nil {
			t.Error(err)
		}
		if want := fmt.Sprintf(v.line, number); !strings.Contains(string(text), want) {
			t.Errorf("%s does not say %q, as %s.%s does", v.page, want, v.dir, v.name)
		}
	}
	published(t, "versions.txt", lines)
}

// settingMethods are those of scripts' table that read a key of game.toml; each
// is for one kind of value.
var settingMethods = []string{"number", "integer", "whole", "milliseconds", "flag", "str", "pair", "sub", "list", "get"}

// TestPublishedSettings holds the keys of game.toml and the kinds of their
// values. A test of package scripts has each of them in its table.
func TestPublishedSettings(t *testing.T) {
	s, ok := loadModule(t).dir("scripts")
	if !ok {
		t.Fatal("no package scripts")
	}
	var lines []string
	s.inspect(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return
		}
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !slices.Contains(settingMethods, sel.Sel.Name) || s.info.Selections[sel] == nil {
			return
		}
		if key := s.text(call.Args[0]); key != "" {
			lines = append(lines, sel.Sel.Name+" "+key)
		}
	})
	slices.Sort(lines)
	published(t, "settings.txt", lines)
}
