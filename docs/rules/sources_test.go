package rules

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const sourcesHead = "| mechanism | from | package |\n|---|---|---|\n"

var (
	rxDocument  = regexp.MustCompile(`(?ms)^(\d)\. [^"]*"([^"]+)"`)
	rxMechanism = regexp.MustCompile(`(?m)^\| [^|]+ \| (\d) \| ([^|]+) \|$`)
)

// TestSources: where docs/architecture.md says that a mechanism of a package is from a document, a
// comment of the package names the document.
func TestSources(t *testing.T) {
	r := openRepo(t)
	text, err := os.ReadFile(filepath.Join(r.root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	before, table, _ := strings.Cut(string(text), sourcesHead)
	_, list, _ := strings.Cut(before, "\n## Sources\n")
	titles := map[string]string{}
	for _, m := range rxDocument.FindAllStringSubmatch(list, -1) {
		titles[m[1]] = strings.Join(strings.Fields(m[2]), " ")
	}
	rows := rxMechanism.FindAllStringSubmatch(table, -1)
	if len(titles) != 5 || len(rows) < 10 {
		t.Fatalf("read %d documents and %d mechanisms", len(titles), len(rows))
	}
	for _, row := range rows {
		for _, pkg := range rxCode.FindAllString(row[2], -1) {
			if pkg = strings.Trim(pkg, "`"); !strings.Contains(r.comments(t, pkg), titles[row[1]]) {
				t.Errorf("no comment of %s names %q: %s", pkg, titles[row[1]], row[0])
			}
		}
	}
}

// comments returns the text of the comments of a package, without line breaks.
func (r repo) comments(t *testing.T, dir string) string {
	var text strings.Builder
	for _, file := range r.goFiles() {
		if path.Dir(file) != dir || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, group := range r.parse(t, file).Comments {
			text.WriteString(strings.Join(strings.Fields(group.Text()), " ") + "\n")
		}
	}
	return text.String()
}
