package rules

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// packageLists are the sections of pages that list the packages of the module.
var packageLists = []struct{ page, heading string }{
	{"docs/architecture.md", "## Where things live\n"},
	{"CONTRIBUTING.md", "## Where things go\n"},
}

var rxFolder = regexp.MustCompile(`\b(world|luabind|runtime|net|scripts|cmd|docs)\b[\w/]*`)

// TestPackagesInPages: these lists name all packages, and folders that exist. An internal package may be covered by the
// folder named internal that has it.
func TestPackagesInPages(t *testing.T) {
	m, r := loadModule(t), openRepo(t)
	for _, list := range packageLists {
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(list.page)))
		if err != nil {
			t.Fatal(err)
		}
		_, section, ok := strings.Cut(string(text), list.heading)
		if !ok {
			t.Fatalf("%s has no section %q", list.page, list.heading)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		var named []string
		for _, name := range namedFolders(section) {
			if info, err := os.Stat(filepath.Join(r.root, filepath.FromSlash(name))); err != nil || !info.IsDir() {
				t.Errorf("%s: %q: there is no folder %s", list.page, strings.TrimSpace(list.heading), name)
			}
			named = append(named, name)
		}
		for _, s := range m {
			covered := slices.Contains(named, s.dir)
			for dir := s.dir; !covered && dir != "."; dir = path.Dir(dir) {
				covered = path.Base(dir) == "internal" && slices.Contains(named, dir)
			}
			if !covered {
				t.Errorf("%s: %q does not list %s", list.page, strings.TrimSpace(list.heading), s.dir)
			}
		}
	}
}

// namedFolders returns the folders that stand at the beginnings of lines in blocks of code, and those in code.
func namedFolders(section string) (names []string) {
	inBlock := false
	for line := range strings.Lines(section) {
		switch line = strings.TrimSpace(line); {
		case line == "```":
			inBlock = !inBlock
		case inBlock:
			for _, word := range strings.Fields(line) {
				if rxFolder.FindString(word) != word {
					break // what the folder is for
				}
				names = append(names, strings.TrimSuffix(word, "/"))
			}
		default:
			for _, code := range rxCode.FindAllString(line, -1) {
				if name := strings.Trim(code, "`"); rxFolder.FindString(name) == name {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
