package rules

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What may lie at the top of the repository: the folders of the design, and
// what tools and people look for there and nowhere else.
var (
	topFolders = []string{".ci", "cmd", "docs", "luabind", "net", "runtime", "scripts", "world",
		".github"} // the forge's configuration: GitHub reads workflows and templates from this folder only
	topFiles = []string{"LICENSE", "README.md", "go.mod", "go.sum",
		"CHANGELOG.md", "CONTRIBUTING.md", // forges link to these when someone reads a release or opens a pull request
		".dockerignore", ".editorconfig", ".gitattributes", ".gitignore", "staticcheck.conf"} // configuration of tools
)

// misplaced says why a file may not lie where it does; "" if it may.
func misplaced(file string) string {
	top, below, deep := strings.Cut(file, "/")
	switch {
	case deep && !slices.Contains(topFolders, top):
		return fmt.Sprintf("%s/ has no place at the top of the repository, which has the folders %s", top, list(topFolders))
	case !deep && !slices.Contains(topFiles, file):
		return fmt.Sprintf("%s has no place at the top of the repository, which has the files %s", file, list(topFiles))
	case top == ".github" && path.Ext(file) != ".md" && path.Ext(file) != ".yml":
		return ".github/ is for the forge's configuration only: what it runs is in .ci/, so that every machine can run it"
	case top == "net" && strings.HasSuffix(below, ".go") && !strings.Contains(below, "/"):
		return "net/ is only a folder: a package of its own would shadow the standard net"
	case strings.HasSuffix(file, ".s") || strings.HasSuffix(file, ".syso"):
		return "no assembly: one source for every CPU"
	}
	return ""
}

func TestLayout(t *testing.T) {
	var found []finding
	for _, file := range openRepo(t).files {
		if why := misplaced(file); why != "" {
			found = append(found, finding{file, 0, why})
		}
	}
	report(t, found)
}

func TestMisplaced(t *testing.T) {
	for file, why := range map[string]string{
		"go.mod": "", ".gitignore": "", "world/doc.go": "", "net/wire/doc.go": "", ".ci/run": "", "docs/rules/doc.go": "",
		"CONTRIBUTING.md": "", ".github/workflows/ci.yml": "", ".github/build.sh": "the forge's configuration only",
		"main.go": "main.go has no place", "util/util.go": "util/ has no place", "host": "host has no place", "TODO.md": "has no place",
		"net/net.go": "only a folder", "world/add_amd64.s": "no assembly",
	} {
		if got := misplaced(file); (got == "") != (why == "") || !strings.Contains(got, why) {
			t.Errorf("%s: got %q, want %q", file, got, why)
		}
	}
}

// otherModules may have a go.mod of their own, each for a reason.
var otherModules = []string{
	"world/physics/peerbench", // imports the engines that it compares with, which nobody else is to inherit
}

func TestOtherModules(t *testing.T) {
	r := openRepo(t)
	if got := r.otherModules(); !slices.Equal(got, otherModules) {
		t.Errorf("modules of their own: %s; there are to be: %s", list(got), list(otherModules))
	}
	for _, f := range r.goFiles() {
		if within(path.Dir(f), otherModules...) {
			t.Errorf("%s counts as a file of this module", f)
		}
	}
}

// An address that belongs to one machine or one network. The patterns are cut
// up so that this file does not hold what it looks for.
var addresses = []struct {
	pattern *regexp.Regexp
	what    string
}{
	{regexp.MustCompile("(?m)(^|[\\s\"'`=:(<,])/(" + "home|root|Users|work)/" + `[\w.-]`), "a path of one machine"},
	{regexp.MustCompile(`(?i)\b[a-z]:\\` + `users\\`), "a path of one machine"},
	{regexp.MustCompile(`\b(go` + `proxy\.|(proxy|sum|index)\.` + `golang\.org|registry\.` + `npmjs|pypi\.` + `org|files\.` + `pythonhosted|crates\.` +
		`io|deb\.` + `debian\.org|(docker|ghcr)\.` + `io/)`), "the address of a package registry"},
	{regexp.MustCompile(`\b(GO` + `PROXY|GO` + `SUMDB|GO` + `NOSUMDB|PIP_INDEX` + `_URL)\s*[=:]`), "the choice of a package registry"},
}

// strangers finds such addresses in a file's text.
func strangers(file string, text []byte) (found []finding) {
	for _, a := range addresses {
		for _, at := range a.pattern.FindAllIndex(text, -1) {
			line := 1 + bytes.Count(text[:at[1]], []byte{'\n'})
			found = append(found, finding{file, line, fmt.Sprintf("%q is %s: leave it out", bytes.TrimSpace(text[at[0]:at[1]]), a.what)})
		}
	}
	return found
}

func TestNoMachineAddresses(t *testing.T) {
	r := openRepo(t)
	var found []finding
	for _, file := range r.files {
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		switch {
		case os.IsNotExist(err):
		case err != nil:
			t.Error(err)
		default:
			found = append(found, strangers(file, text)...)
			if i := bytes.Index(text, []byte(r.root+"/")); i >= 0 {
				found = append(found, finding{file, 1 + bytes.Count(text[:i], []byte{'\n'}), "the path of this checkout: leave it out"})
			}
		}
	}
	report(t, found)
}

func TestMachineAddresses(t *testing.T) {
	for _, c := range []struct {
		text string
		line int // 0: nothing is found
	}{
		{"see world/physics and net/work/x", 0},
		{"-record /tmp/match.hcr", 0},
		{"https://example.org/home/page", 0},
		{"ok\ncd /" + "home/ann/hindcast", 2},
		{"\n\nx = \"/" + "root/go\"", 3},
		{"/" + "Users/ann", 1},
		{`C:\` + `Users\ann`, 1},
		{"https://proxy." + "golang.org", 1},
		{"export GO" + "PROXY=https://example.org", 1},
		{"a\nhttps://registry." + "npmjs.org/x", 2},
	} {
		found := strangers("f", []byte(c.text))
		if (len(found) > 0) != (c.line > 0) || len(found) > 0 && found[0].line != c.line {
			t.Errorf("%q: %v, want line %d", c.text, found, c.line)
		}
	}
}
