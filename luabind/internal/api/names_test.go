package api

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/golden"
)

// TestPublishedNames holds every name that scripts use, with its parameters and
// types, to testdata/names.txt: games of other people rely on them. The descriptions may
// change at any time.
func TestPublishedNames(t *testing.T) {
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
	golden.Lines(t, "testdata/names.txt", names)
}

// published returns a member with its types: "method Object: spawn(class: string)".
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
