package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// topFolders are the folders of the design.
var topFolders = []string{".ci", "cmd", "docs", "luabind", "net", "runtime", "scripts", "world",
	".github"} // the forge's configuration: GitHub reads workflows and templates from this folder only

// misplaced says why a file may not lie where it does; "" if it may.
func misplaced(file string) string {
	top, below, deep := strings.Cut(file, "/")
	switch {
	case deep && !slices.Contains(topFolders, top):
		return fmt.Sprintf("%s/ has no place at the top of the repository, which has %s", top, list(topFolders))
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
		"go.mod": "", "world/doc.go": "", "net/wire/doc.go": "", ".ci/run": "", "util/util.go": "util/ has no place",
		"net/net.go": "only a folder", "world/add_amd64.s": "no assembly",
	} {
		if got := misplaced(file); (got == "") != (why == "") || !strings.Contains(got, why) {
			t.Errorf("%s: got %q, want %q", file, got, why)
		}
	}
}
