package rules

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestAttackTable tests that each row of the table of attacks in docs/security.md names tests, and that there are such
// tests.
func TestAttackTable(t *testing.T) {
	r := openRepo(t)
	text, err := os.ReadFile(filepath.Join(r.root, "docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, file := range r.goFiles() {
		if strings.HasSuffix(file, "_test.go") {
			_, f := r.parse(t, file)
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
					tests.WriteString(fn.Name.Name + "\n")
				}
			}
		}
	}
	_, table, found := strings.Cut(string(text), "| attack |")
	if !found {
		t.Fatal("there is no table of attacks")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	names := regexp.MustCompile("`(Test[A-Za-z0-9]+)`")
	rows := strings.Split(table, "\n")[2:]
	for _, row := range rows {
		if strings.HasPrefix(row, "| **") {
			continue
		}
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		list := names.FindAllStringSubmatch(cells[len(cells)-1], -1)
		if len(list) == 0 {
			t.Errorf("no test: %s", row)
		}
		for _, name := range list {
			if !strings.Contains("\n"+tests.String(), "\n"+name[1]+"\n") {
				t.Errorf("there is no %s: %s", name[1], row)
			}
		}
	}
	if len(rows) < 30 {
		t.Errorf("%d rows", len(rows))
	}
}
