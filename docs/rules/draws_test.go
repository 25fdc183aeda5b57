package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// seeded are the names of math/rand/v2 that do not draw from its global source.
var seeded = []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "PCG", "ChaCha8", "Zipf", "Source"}

// unseeded finds draws of a test file from seeds that are other ones in each
// run. Package draws owns those.
func unseeded(fset *token.FileSet, f *ast.File) (found []finding) {
	names := importsOf(f)
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		of := types.ExprString(sel.X)
		switch pkg := names[of]; {
		case pkg == "pgregory.net/rapid" && slices.Contains([]string{"Check", "MakeCheck"}, sel.Sel.Name):
			found = append(found, at(fset.Position(n.Pos()), "rapid.%s draws from a random seed: call draws.Check", sel.Sel.Name))
		case pkg == "math/rand/v2" && !slices.Contains(seeded, sel.Sel.Name), pkg == "math/rand":
			found = append(found, at(fset.Position(n.Pos()), "%s.%s draws from a random seed: take a rand.New of a fixed one", of, sel.Sel.Name))
		}
		return true
	})
	return found
}

// TestDraws reads every test file: a plain "go test" draws from fixed seeds.
func TestDraws(t *testing.T) {
	r := openRepo(t)
	var found []finding
	for _, file := range r.goFiles() {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		found = append(found, unseeded(r.parse(t, file))...)
	}
	report(t, found)
}

func TestUnseeded(t *testing.T) {
	const header = "package p\n\nimport (\n\t\"math/rand/v2\"\n\n\t\"pgregory.net/rapid\"\n)\n\nvar _ = "
	for code, want := range map[string]string{
		"rand.New(rand.NewPCG(1, 2)).IntN(3)":         "",
		"rand.IntN(3)":                                "rand.IntN draws",
		"rapid.Check":                                 "rapid.Check draws",
		"rapid.IntRange(1, 2)":                        "",
		"func(r *rand.Rand) int { return r.IntN(4) }": "",
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p_test.go", header+code+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		found := unseeded(fset, f)
		if (len(found) > 0) != (want != "") || len(found) > 0 && !strings.Contains(found[0].text, want) {
			t.Errorf("%s: %v, want %q", code, found, want)
		}
	}
}
