package rules

import (
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/types/typeutil"
)

// publishedJSON are the types whose JSON leaves the programs. When a type is
// renamed or moves, change its line here, and no label.
var publishedJSON = []publication{
	{"bundle", "runtime/bundle", "Bundle"},
	{"report", "runtime/room", "Report"},
	{"host bench", "cmd/host", "result"},
	{"host bench net", "cmd/host/netbench", "Result"},
	{"/api/view", "runtime/room", "View"},
	{"/api/view of a replay", "cmd/host", "replayView"},
	{"/api/problems", "cmd/host", "problem"},
	{"/api/replay", "cmd/host", "replayInfo"},
	{"page: info", "cmd/client", "pageInfo"},
	{"page: hud", "cmd/client", "pageHUD"},
	{"page: settings", "cmd/client", "pageSettings"},
	{"page: overlay", "cmd/client", "pageOverlay"},
	{"settings file", "cmd/client", "chosen"},
	{"page: errors", "cmd/client", "pageErrors"},
	{"page: kind", "cmd/client/page", "kindJSON"},
	{"page: cue", "cmd/client", "pageCue"},
	{"from the page", "cmd/client", "fromBrowser"},
}

// TestPublishedJSON holds every key of the published JSON, and the kind of its
// value. The bundle's keys also decide its hash.
func TestPublishedJSON(t *testing.T) {
	m := loadModule(t)
	var lines []string
	for _, p := range publishedJSON {
		if obj := m.lookup(t, p); obj != nil {
			lines = append(lines, jsonShape(p.label, obj.Type())...)
		}
	}
	lines = append(lines, m.literalMessages("cmd/client")...)
	lines = append(lines, m.literalMessages("cmd/client/page")...)
	published(t, "json.txt", lines)
}

// jsonShape lists the keys of a type's JSON: one line each, with its path and
// the kind of its value, as package encoding/json writes it.
func jsonShape(at string, t types.Type, within ...types.Type) []string {
	if kind := jsonText(t); kind != "" {
		return []string{at + " " + kind}
	}
	if slices.Contains(within, t) { // a tree
		return []string{at + " as outside of it"}
	}
	within = append(slices.Clip(within), t)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return jsonShape(at, u.Elem(), within...)
	case *types.Map:
		return jsonShape(at+".*", u.Elem(), within...)
	case interface{ Elem() types.Type }: // a slice or an array
		return jsonShape(at+"[]", u.Elem(), within...)
	case *types.Struct:
		return structShape(at, u, within)
	case *types.Basic:
		kinds := map[types.BasicInfo]string{types.IsString: " string", types.IsBoolean: " boolean", types.IsInteger: " integer", types.IsFloat: " number"}
		return []string{at + kinds[u.Info()&^types.IsUnsigned]}
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

func structShape(at string, s *types.Struct, within []types.Type) (lines []string) {
	for i := range s.NumFields() {
		f := s.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get("json"), ",")
		if name == "-" || !f.Exported() && !f.Anonymous() {
			continue
		}
		_, embedded := f.Type().Underlying().(*types.Struct)
		switch {
		case f.Anonymous() && name == "" && embedded:
			lines = append(lines, structShape(at, f.Type().Underlying().(*types.Struct), within)...)
			continue
		case name == "":
			name = f.Name()
		}
		if strings.Contains(","+options+",", ",omitempty,") {
			name += "?"
		}
		lines = append(lines, jsonShape(at+"."+name, f.Type(), within...)...)
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
				lines = append(lines, structShape("page: "+kind, t, nil)...)
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
		if obj := m.lookup(t, p); obj != nil {
			known[types.TypeString(obj.Type(), nil)] = true
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
	case interface{ Elem() types.Type }:
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
	if f, ok := typeutil.Callee(s.info, call).(*types.Func); ok {
		return f.Origin().FullName()
	}
	return ""
}
