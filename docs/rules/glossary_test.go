package rules

import (
	"fmt"
	"go/types"
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
	if entries < 80 {
		t.Errorf("the glossary has %d entries, want 80 or more", entries)
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
		pkg, rest, _ := strings.Cut(name[1], ".")
		if !m.declares(pkg, rest) {
			why = append(why, "there is no "+name[1])
		}
	}
	return why
}

// declares reports whether a package of the library has an identifier, exported or
// not: Name or Type.Member. Members are also those of embedded types.
func (m module) declares(pkg, name string) bool {
	outer, member, nested := strings.Cut(name, ".")
	for _, s := range m {
		if s.pkg.Name() != pkg || within(s.dir, "cmd/...", "docs/...") {
			continue
		}
		o := s.pkg.Scope().Lookup(outer)
		if o != nil && nested {
			o, _, _ = types.LookupFieldOrMethod(o.Type(), true, s.pkg, member)
		}
		if o != nil {
			return true
		}
	}
	return false
}
