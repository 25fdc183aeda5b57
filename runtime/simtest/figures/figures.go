// Package figures compares measurements of tests with the tables of docs. It is only
// for the tests of all packages.
//
// A test calls Row with its measurements. If the page has no row that begins with that
// name, nothing happens: a page shows a selection. Block is for tables made of
// measurements that are kept in a file. To write rows and tables again, run the tests
// with -figures.
package figures

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var write = flag.Bool("figures", false, "write the figures in docs again")

// files guards the pages: tests may run in parallel.
var files sync.Mutex

// Row compares the row of a page's table whose first cell is what with the cells
// that follow it. The page is a file in docs. It does nothing under -short, when
// tests measure less, and on other CPUs than amd64: simulations have the same bits
// there, but the arithmetic of a test may be rounded differently.
func Row(t *testing.T, page, what string, cells ...string) {
	t.Helper()
	if testing.Short() || runtime.GOARCH != "amd64" {
		return
	}
	files.Lock()
	defer files.Unlock()
	path := filepath.Join(root(t), "docs", page)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head := "\n| " + what + " | "
	before, after, found := strings.Cut(string(text), head)
	if !found {
		return
	}
	was, after, _ := strings.Cut(after, "\n")
	is := strings.Join(cells, " | ") + " |"
	switch {
	case was == is:
	case *write:
		if err := os.WriteFile(path, []byte(before+head+is+"\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/%s has for %q\n%s\nmeasured is\n%s\nrun the test with -figures to write the page again",
			page, what, was, is)
	}
}

// root returns the folder with go.mod above the test's package.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	t.Fatal("there is no go.mod above the test")
	return ""
}

// Block compares the part of a page between its lines "<!-- begin NAME -->" and
// "<!-- end NAME -->" with text, and with -figures writes it. The page is a file
// in docs.
func Block(t *testing.T, page, name, text string) {
	t.Helper()
	files.Lock()
	defer files.Unlock()
	path := filepath.Join(root(t), "docs", page)
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->\n"
	before, rest, found := strings.Cut(string(old), begin)
	was, after, closed := strings.Cut(rest, end)
	text = "\n" + text + "\n"
	switch {
	case !found || !closed:
		t.Errorf("docs/%s has no %s... %s", page, strings.TrimSpace(begin), strings.TrimSpace(end))
	case was == text:
	case *write:
		if err := os.WriteFile(path, []byte(before+begin+text+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("docs/%s has other figures under %q: run the test with -figures to write the page again", page, name)
	}
}
