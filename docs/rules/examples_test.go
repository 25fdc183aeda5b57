package rules

import (
	"go/ast"
	"go/doc"
	"path"
	"slices"
	"strings"
	"testing"
)

// TestPublicPackagesAreShown: a package that programs of other modules import has an Example with
// output, which go test runs. Its comment says once, below "# Concurrency", what may be called from
// several goroutines.
func TestPublicPackagesAreShown(t *testing.T) {
	has := openRepo(t).examples(t)
	for _, s := range loadModule(t) {
		if !s.forEmbedders() {
			continue
		}
		if !has[s.dir] && !slices.Contains(needTests, s.dir) {
			t.Errorf("%s has no Example with an // Output: comment: write a short one of what the package is for in example_test.go, in the package with _test", s.dir)
		}
		if !strings.Contains(s.packageComment(), "\n# Concurrency\n") {
			t.Errorf("%s: doc.go has no section %q: say which types serve one goroutine at a time, what may be shared, and on which goroutine callbacks run", s.dir, "# Concurrency")
		}
	}
}

// programs are what embedders write, and the Example that shows it. The test with the tag
// external runs them, and all other Examples, in a module outside of the repository.
var programs = []struct{ what, file, example string }{
	{"a tournament server", "runtime/room/example_tournament_test.go", "Example_tournament"},
	{"a room in Go", "world/goscript/example_test.go", "Example"},
	{"a renderer", "runtime/client/example_renderer_test.go", "Example_renderer"},
	{"a link over TCP", "net/streamlink/tcp_test.go", "Example"},
	{"a link over WebSocket", "net/streamlink/websocket_test.go", "TestWebSocket"},
	{"replays", "runtime/replay/zstd/example_test.go", "Example"},
	{"physics alone", "world/physics/space/example_test.go", "Example"},
}

// TestProgramsAreThere: each program has its Example.
func TestProgramsAreThere(t *testing.T) {
	r := openRepo(t)
	for _, p := range programs {
		if !strings.Contains(r.read(t, p.file), "\nfunc "+p.example+"(") {
			t.Errorf("%s: there is no %s in %s", p.what, p.example, p.file)
		}
	}
}

// exampleFiles are the files of Examples, of public packages: those whose names begin with example.
func (r repo) exampleFiles() (files []string) {
	for _, file := range r.goFiles() {
		if strings.HasPrefix(path.Base(file), "example") && strings.HasSuffix(file, "_test.go") && !within(path.Dir(file), "cmd/...", "docs/...") {
			files = append(files, file)
		}
	}
	return files
}

// needTests are packages whose Example cannot have output.
var needTests = []string{
	"net/link/linktest", // what it shows needs a *testing.T
}

// ownTests are public packages that only tests of this repository use.
var ownTests = []string{"runtime/simtest/draws", "runtime/simtest/figures", "runtime/simtest/golden"}

// forEmbedders says that a package is for programs of other modules, or their tests.
func (s source) forEmbedders() bool {
	return s.isPublic() && !within(s.dir, ownTests...)
}

// packageComment is the text of all package comments.
func (s source) packageComment() (text string) {
	for _, f := range s.files {
		text += f.Doc.Text()
	}
	return text
}

// examples are the folders of packages that have an Example function with output.
func (r repo) examples(t *testing.T) map[string]bool {
	has := map[string]bool{}
	r.eachTest(t, func(dir string, f *ast.File) {
		for _, example := range doc.Examples(f) {
			if example.Output != "" || example.EmptyOutput {
				has[dir] = true
			}
		}
	})
	return has
}
