package rules

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// parsed are the packages that read bytes of strangers. Each of their functions that does has a Fuzz function of its name,
// with a corpus in testdata/fuzz that go test runs.
var parsed = []string{"net/wire", "net/streamlink", "runtime/replay", "runtime/bundle"}

// TestParsersAreFuzzed finds the functions of the packages by their names.
func TestParsersAreFuzzed(t *testing.T) {
	r := openRepo(t)
	var parsers, fuzzers []string
	for _, file := range r.goFiles() {
		if !slices.Contains(parsed, path.Dir(file)) {
			continue
		}
		_, f := r.parse(t, file)
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil {
				continue
			}
			at, name := path.Dir(file), fn.Name.Name
			switch {
			case strings.HasSuffix(file, "_test.go"):
				if fuzzed, ok := strings.CutPrefix(name, "Fuzz"); ok {
					fuzzers = append(fuzzers, at+" "+fuzzed)
				}
			case strings.HasPrefix(name, "Parse"), name == "Unpack", name == "Open", name == "ReadEvent":
				parsers = append(parsers, at+" "+name)
			}
		}
	}
	if len(parsers) < 30 || len(fuzzers) < len(parsers) {
		t.Errorf("%d parsers and %d Fuzz functions were found", len(parsers), len(fuzzers))
	}
	for _, p := range parsers {
		if !slices.Contains(fuzzers, p) {
			t.Errorf("%s has no Fuzz function", p)
		}
	}
	for _, f := range fuzzers {
		dir, name, _ := strings.Cut(f, " ")
		corpus := dir + "/testdata/fuzz/Fuzz" + name + "/"
		if !slices.ContainsFunc(r.files, func(file string) bool { return strings.HasPrefix(file, corpus) }) {
			t.Errorf("%s is empty: commit what fuzzing found, a few inputs", corpus)
		}
	}
}
