package rules

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// oldTerms are words that docs/glossary.md has others for. In names they stand
// as words of their own: tellerFor has teller.
var oldTerms = map[string]string{
	"teller": "snapshot sender", "outlook": "relevancy set", "stand in": "proxy", "standin": "proxy", "whyline": "source line", "placer": "source line",
	"whys": "provenance", "dress": "change of level of detail", "dressed": "change of level of detail", "handover": "blend", "trail": "pose history", "blind": "input-only",
	"playback": "interpolation buffer", "restate": "apply committed", "usual": "default", "strange": "replicated", "told": "replicated, or acknowledged",
	"known run": "shared run", "known part": "shared set", "known sum": "shared sum", "settle": "commit", "settled": "committed", "given": "patch",
	"screen": "view bounds", "overruled": "corrected", "narrowed": "reduced window", "ghosts": "proxy definitions", "picture": "frame", "pictures": "frames", "otherwise": "divergence",
	"evidence": "recorded state", "latecomer": "late input",
}

// publishedTerms are names with such a word that stay: Lua, JSON, flags and
// metrics have them.
var publishedTerms = map[string]bool{}

// oldPhrases are the same in prose: comments and pages.
var oldPhrases = regexp.MustCompile(`(?i)\b(stand-ins?|tellers?|outlooks?|whylines?|told of|told objects?|a moment ago|knownRun|known part|the trail|handovers?)\b`)

// TestTerms counts names and prose that keep to old terms.
func TestTerms(t *testing.T) {
	m, r := loadModule(t), openRepo(t)
	var found []string
	for _, s := range m {
		for id, obj := range s.info.Defs {
			if obj == nil || publishedTerms[id.Name] {
				continue
			}
			if old := oldTerm(id.Name); old != "" {
				found = append(found, fmt.Sprintf("%s %s: say %s", s.dir, id.Name, oldTerms[old]))
			}
		}
		for _, f := range s.files {
			found = append(found, s.oldProse(f)...)
		}
	}
	for _, file := range r.pages() {
		if file == "CHANGELOG.md" || file == "docs/glossary.md" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, phrase := range oldPhrases.FindAllString(string(text), -1) {
			found = append(found, file+" "+strings.ToLower(phrase))
		}
	}
	hold(t, "terms", found, "Each line is a name, or words in a comment or page, for which docs/glossary.md has another term.")
}

func (s source) oldProse(f *ast.File) (found []string) {
	for _, group := range f.Comments {
		for _, phrase := range oldPhrases.FindAllString(group.Text(), -1) {
			file := s.fset.Position(f.Package).Filename
			found = append(found, fmt.Sprintf("%s %s: %s", s.dir, filepath.Base(file), strings.ToLower(phrase)))
		}
	}
	return found
}

// oldTerm is the old term that a name has as words of its own; "" if none.
func oldTerm(name string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	b.WriteByte(' ')
	words, found := b.String(), ""
	// order: the least that fits is taken
	for old := range oldTerms {
		if strings.Contains(words, " "+old+" ") && (found == "" || old < found) {
			found = old
		}
	}
	return found
}
