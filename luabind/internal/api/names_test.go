package api

import (
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/names.txt again")

// TestPublishedNames holds every name that scripts use, with its parameters and
// types, to testdata/names.txt: games of other people rely on them. What each
// is for may be said in other words at any time.
func TestPublishedNames(t *testing.T) {
	const file = "testdata/names.txt"
	var names []string
	for _, s := range Sections() {
		for _, m := range s.Members {
			names = append(names, published(&s, &m))
		}
	}
	for _, name := range NewLibrary().Reserved() {
		names = append(names, "reserved "+name)
	}
	for _, name := range otherGlobals {
		names = append(names, "global "+name)
	}
	text := strings.Join(names, "\n") + "\n"
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Split(strings.TrimSuffix(string(want), "\n"), "\n")
	for _, name := range old {
		if !slices.Contains(names, name) {
			t.Errorf("published, and gone: %s", name)
		}
	}
	for _, name := range names {
		if !slices.Contains(old, name) {
			t.Errorf("not published so far: %s", name)
		}
	}
	if t.Failed() {
		t.Log("If the change is meant: go test ./luabind/internal/api -run PublishedNames -update, and add a line to CHANGELOG.md")
	}
}

// published is a member with its types: "method Object: spawn(class: string)".
func published(s *Section, m *Member) string {
	kind := []string{Functions: "function", Methods: "method", Hooks: "hook", Keys: "key"}[s.Kind]
	out := kind + " " + s.Of + ": " + m.Name
	if m.Params == nil {
		return out + ": " + m.Type
	}
	list := func(params []Param) string {
		var parts []string
		for _, p := range params {
			mark := ""
			if p.Optional {
				mark = "?"
			}
			parts = append(parts, p.Name+mark+": "+p.Type)
		}
		return strings.Join(parts, ", ")
	}
	out += "(" + list(m.Params) + ")"
	if len(m.Returns) > 0 {
		out += " -> " + list(m.Returns)
	}
	return out
}
