package wire

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// PROTOCOL.md's tables of fields list what the Parse functions read, in their order: the name
// that an error uses for the field, and its encoding.
func TestProtocolFields(t *testing.T) {
	doc, parsers := readProtocol(t), parseFunctions(t)
	for _, c := range codecs() {
		name := c.kind.String()
		var want []string
		for _, f := range parsers.fieldsOf(t, "Parse"+name) {
			want = append(want, f.name+" | "+f.as)
		}
		if got := documentedFields(doc, name); !slices.Equal(got, want) {
			t.Errorf("PROTOCOL.md's section %s has the fields\n%s\nbut the parser reads\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// PROTOCOL.md's table of limits has the value of each exported constant that
// begins with Max.
func TestProtocolLimits(t *testing.T) {
	values := map[string]int{"MaxDatagram": MaxDatagram, "MaxInputs": MaxInputs, "MaxRuns": MaxRuns, "MaxPoses": MaxPoses, "MaxFrames": MaxFrames,
		"MaxEarly": MaxEarly, "MaxSights": MaxSights, "MaxPatch": MaxPatch, "MaxCues": MaxCues, "MaxAssetPart": MaxAssetPart, "MaxName": MaxName, "MaxReason": MaxReason, "MaxChat": MaxChat, "MaxProblem": MaxProblem, "MaxFailures": MaxFailures, "MaxRefusals": MaxRefusals,
		"MaxClass": MaxClass, "MaxToken": MaxToken, "MaxAnnounces": MaxAnnounces, "MaxRoster": MaxRoster, "MaxLastInputs": MaxLastInputs, "MaxHostEvent": MaxHostEvent, "MaxRowWords": MaxRowWords, "MaxRows": MaxRows}
	doc := readProtocol(t)
	for _, name := range exportedLimits(t) {
		if row := fmt.Sprintf("\n| `%s` | %d |", name, values[name]); !strings.Contains(doc, row) {
			t.Errorf("PROTOCOL.md has no row %q", row)
		}
	}
}

// exportedLimits returns the names of this package's constants that begin with Max.
func exportedLimits(t *testing.T) (names []string) {
	for _, f := range parseFiles(t) {
		ast.Inspect(f, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Max") {
				names = append(names, spec.Names[0].Name)
			}
			return true
		})
	}
	return names
}

// documentedFields returns the first two columns of the tables of fields in a section.
func documentedFields(doc, section string) (fields []string) {
	_, text, _ := strings.Cut(doc, "\n### "+section+"\n")
	text, _, _ = strings.Cut(text, "\n#")
	inTable := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		switch {
		case !strings.HasPrefix(line, "|"):
			inTable = false
		case strings.HasPrefix(line, "| field | written as |"):
			inTable = true
		case inTable && !strings.HasPrefix(line, "|---"):
			fields = append(fields, strings.TrimSpace(cells[0])+" | "+strings.TrimSpace(cells[1]))
		}
	}
	return fields
}

// field is one field that a parser reads.
type field struct{ name, as string }

// parserSource is the functions of this package by name.
type parserSource map[string]*ast.FuncDecl

// parseFiles reads the source of this package.
func parseFiles(t *testing.T) (files []*ast.File) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

func parseFunctions(t *testing.T) parserSource {
	all := parserSource{}
	for _, f := range parseFiles(t) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				all[fn.Name.Name] = fn
			}
		}
	}
	return all
}

// fieldsOf lists what a function reads, in its order.
func (p parserSource) fieldsOf(t *testing.T, name string) (fields []field) {
	fn := p[name]
	if fn == nil {
		t.Fatalf("there is no function %s", name)
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			if r, ok := f.X.(*ast.Ident); ok && r.Name == "r" && f.Sel.Name != "fail" && f.Sel.Name != "close" && len(call.Args) > 0 {
				fields = append(fields, field{quoted(t, call.Args[0]), writtenAs(t, f.Sel.Name, call.Args[1:])})
			}
		case *ast.Ident:
			switch {
			case f.Name == "readInput" || f.Name == "readInputs" || f.Name == "readEvent":
				kind := strings.ToLower(strings.TrimPrefix(f.Name, "read"))
				fields = append(fields, field{kind, kind})
			case f.Name == "readSight":
				fields = append(fields, field{"sight", "sight"})
			case f.Name == "readTicket":
				fields = append(fields, field{"ticket", "16 bytes"})
			case f.Name == "readVersion":
				fields = append(fields, field{"version", "u16"})
			case f.Name == "readTime" || f.Name == "readHash" || f.Name == "readMask" || f.Name == "readAtMost":
				fields = append(fields, field{quoted(t, call.Args[1]), writtenAs(t, f.Name, call.Args[2:])})
			case strings.HasPrefix(f.Name, "read") && p[f.Name] != nil:
				fields = append(fields, p.fieldsOf(t, f.Name)...)
			}
		}
		return true
	})
	return fields
}

func quoted(t *testing.T, e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		t.Fatalf("a field has a name that is no constant: %#v", e)
	}
	s, err := strconv.Unquote(lit.Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writtenAs returns what PROTOCOL.md calls the encoding that a function reads.
func writtenAs(t *testing.T, function string, args []ast.Expr) string {
	switch function {
	case "byte", "readAtMost":
		return "u8"
	case "fixed32":
		return "u32"
	case "fixed64", "readTime":
		return "u64"
	case "float32":
		return "f32"
	case "float64":
		return "f64"
	case "uint32", "uvarint":
		return "varint"
	case "tick", "player", "object", "near":
		return function
	case "rest":
		return "to the end"
	case "readHash":
		return "32 bytes"
	case "readMask":
		return "mask " + bound(t, args[0])
	case "bytes", "text":
		return strings.TrimSuffix(function+" "+bound(t, args[0]), " 0")
	case "count":
		return "list " + bound(t, args[0])
	}
	t.Fatalf("PROTOCOL.md has no word for what %s reads", function)
	return ""
}

// bound returns the value of a constant.
func bound(t *testing.T, e ast.Expr) string {
	known := map[string]int{"MaxName": MaxName, "MaxReason": MaxReason, "MaxChat": MaxChat, "MaxProblem": MaxProblem, "MaxFailures": MaxFailures, "MaxRefusals": MaxRefusals, "MaxClass": MaxClass, "MaxToken": MaxToken,
		"MaxRuns": MaxRuns, "MaxSights": MaxSights, "MaxAnnounces": MaxAnnounces, "MaxRoster": MaxRoster, "MaxLastInputs": MaxLastInputs, "MaxCues": MaxCues, "MaxAssetPart": MaxAssetPart,
		"MaxPoses - 1": MaxPoses - 1, "MaxFrames - 1": MaxFrames - 1, "MaxInt32": 0,
		"MaxCueText": world.MaxCueText, "MaxCueFields": world.MaxCueFields, "2": 2, "4": 4, "8": 8}
	name := regexp.MustCompile(`\b(world|math)\.`).ReplaceAllString(types.ExprString(e), "")
	v, ok := known[name]
	if !ok {
		t.Fatalf("the test does not know the bound %s", name)
	}
	return strconv.Itoa(v)
}

// PROTOCOL.md's table of events has a row for each kind, by its number.
func TestProtocolEvents(t *testing.T) {
	_, doc, _ := strings.Cut(readProtocol(t), "### Events\n")
	table, _, _ := strings.Cut(doc, "\n\nLengths")
	for k := world.BundleEvent; k <= world.SuspendEvent+1; k++ {
		_, row, ok := strings.Cut(table, fmt.Sprintf("\n| %d | ", k))
		word, _, _ := strings.Cut(row, " |")
		want := map[world.EventKind]string{world.OwnershipEvent: "change of owner", world.OwnerPoseEvent: "owner pose", world.FrameEvent: "independent frame"}[k]
		if want == "" {
			want = k.String()
		}
		if is := k <= world.SuspendEvent; ok != is || is && word != want {
			t.Errorf("PROTOCOL.md calls event %d %q, not %q", k, word, want)
		}
	}
}
