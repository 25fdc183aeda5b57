package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDiagrams: blocks of Mermaid begin with a kind of diagram, their brackets
// close, and so do their blocks.
func TestDiagrams(t *testing.T) {
	var found []finding
	for _, p := range openRepo(t).readPages(t) {
		for i := range p.lines {
			if p.fenced[i] == "mermaid" && (i == 0 || p.fenced[i-1] != "mermaid") {
				if why := badDiagram(p.diagram(i)); why != "" {
					found = append(found, p.say(i, "this diagram %s", why))
				}
			}
		}
	}
	report(t, found)
}

func (p *page) diagram(i int) (lines []string) {
	for ; i < len(p.lines) && p.fenced[i] == "mermaid"; i++ {
		lines = append(lines, strings.TrimSpace(p.lines[i]))
	}
	return lines
}

// diagramKinds have, for each kind of diagram that we use, the words that open a
// block which "end" closes.
var diagramKinds = map[string][]string{
	"flowchart": {"subgraph"}, "graph": {"subgraph"}, "stateDiagram-v2": nil, "classDiagram": nil, "erDiagram": nil, "timeline": nil, "gantt": nil,
	"sequenceDiagram": {"loop", "alt", "opt", "par", "critical", "break", "rect", "box"},
}

func badDiagram(lines []string) string {
	kind, open, begun := "", 0, false
	for _, line := range lines {
		if line == "" || strings.HasPrefix(line, "%%") {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimSuffix(line, ":"), " ")
		if !begun {
			kind, begun = word, true
			if _, ok := diagramKinds[kind]; !ok {
				return fmt.Sprintf("is of no kind that is known: %q", word)
			}
			continue
		}
		switch {
		case slices.Contains(diagramKinds[kind], word):
			open++
		case word == "end":
			open--
		}
		if why := unbalanced(line); why != "" {
			return why + ": " + line
		}
		if open < 0 {
			return "closes a block that is not open"
		}
	}
	if open > 0 {
		return fmt.Sprintf("has %d blocks without end", open)
	}
	if !begun {
		return "is empty"
	}
	return ""
}

// unbalanced says which bracket of a line is without its other half, outside
// quotes.
func unbalanced(line string) string {
	var stack []rune
	quoted := false
	closes := map[rune]rune{')': '(', ']': '[', '}': '{'}
	for _, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[' || c == '{':
			stack = append(stack, c)
		case closes[c] != 0:
			if len(stack) == 0 || stack[len(stack)-1] != closes[c] {
				return "has a bracket that does not fit"
			}
			stack = stack[:len(stack)-1]
		}
	}
	if quoted {
		return "has an open quote"
	}
	if len(stack) > 0 {
		return "has an open bracket"
	}
	return ""
}

func TestBadDiagrams(t *testing.T) {
	for text, why := range map[string]string{
		"flowchart LR\nA[x] --> B(y)": "", "flow LR": "no kind", "sequenceDiagram\nloop x\nA->>B: hi\nend": "", "sequenceDiagram\nloop x": "without end",
		"flowchart LR\nA[x --> B": "open bracket", "flowchart LR\nA[\"x)\"] --> B": "", "flowchart LR\nend": "not open", "": "empty",
	} {
		if got := badDiagram(strings.Split(text, "\n")); (got == "") != (why == "") || !strings.Contains(got, why) {
			t.Errorf("%q: got %q, want %q", text, got, why)
		}
	}
}
