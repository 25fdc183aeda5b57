package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestGlossary: each entry of the glossary names at least one identifier of the
// library, exported or not, as package.Name or package.Type.Member, and all that it
// names are there.
func TestGlossary(t *testing.T) {
	m := loadModule(t)
	var found []finding
	entries := 0
	for _, p := range openRepo(t).readPages(t) {
		if p.file != "docs/glossary.md" {
			continue
		}
		for i, line := range p.lines {
			if strings.HasPrefix(line, "| **") {
				entries++
				for _, why := range m.badEntry(line) {
					found = append(found, p.say(i, "%s", why))
				}
			}
		}
	}
	if entries == 0 {
		t.Error("the glossary has no entries")
	}
	report(t, found)
}

// badEntry says what is wrong with a row of the glossary.
func (m module) badEntry(row string) (why []string) {
	cells := strings.Split(row, " | ")
	if len(cells) != 4 {
		return []string{fmt.Sprintf("%d cells, want 4: term, in Go, published as, not to be confused with", len(cells))}
	}
	names := rxSpan.FindAllStringSubmatch(cells[1], -1)
	if len(names) == 0 {
		return []string{"names no identifier"}
	}
	for _, name := range names {
		parts := strings.SplitN(name[1]+"..", ".", 4)
		isPackage := slices.ContainsFunc(m, func(s source) bool { return s.pkg.Name() == parts[0] })
		if !isPackage || !m.has(parts[0], parts[1], parts[2]) {
			why = append(why, "there is no "+name[1])
		}
	}
	return why
}

func TestBadEntry(t *testing.T) {
	m := loadModule(t)
	for names, bad := range map[string]int{"`world.World`": 0, "`world.World.Step`, `world.Wordl`, `wordl.World`, `world.World.Stop`": 3, "none": 1} {
		if why := m.badEntry("| **x** | " + names + " | y | z |"); len(why) != bad {
			t.Errorf("%s: %q, want %d", names, why, bad)
		}
	}
}
