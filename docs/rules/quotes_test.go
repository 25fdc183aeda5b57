package rules

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A quotation is a block of code in a page, below a line that says which file it is from:
//
//	<!-- from ../runtime/room/example_tournament_test.go -->
var rxQuotation = regexp.MustCompile(`^<!-- from (\S+) -->$`)

// quotations says what is wrong with the quotations of a page: each is to be a part of its file.
// read reads a file by its path from the repository's root.
func (p *page) quotations(read func(file string) (string, error)) (count int, found []finding) {
	for i, line := range p.lines {
		m := rxQuotation.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		count++
		text, err := read(path.Join(path.Dir(p.file), m[1]))
		switch quoted := p.block(i + 1); {
		case err != nil:
			found = append(found, p.say(i, "there is no %s: %v", m[1], err))
		case quoted == "":
			found = append(found, p.say(i, "no block of code follows"))
		case !strings.Contains("\n"+text, "\n"+quoted):
			found = append(found, p.say(i, "the block below is not in %s", m[1]))
		}
	}
	return count, found
}

// block is the text of the block of code that opens at a line; "" if none does.
func (p *page) block(at int) (text string) {
	if at >= len(p.lines) || !strings.HasPrefix(p.lines[at], "```") {
		return ""
	}
	for i := at + 1; i < len(p.lines) && p.fenced[i] != "" && !strings.HasPrefix(p.lines[i], "```"); i++ {
		text += p.lines[i] + "\n"
	}
	return text
}

// TestQuotations: code that a page quotes is what the file says, so that what users read is what
// runs.
func TestQuotations(t *testing.T) {
	r := openRepo(t)
	var found []finding
	quotations := 0
	for _, p := range r.readPages(t) {
		n, bad := p.quotations(func(file string) (string, error) {
			text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(file)))
			return string(text), err
		})
		quotations += n
		found = append(found, bad...)
	}
	if quotations < 3 {
		t.Errorf("only %d quotations were found", quotations)
	}
	report(t, found)
}

func TestQuotationsFindChanges(t *testing.T) {
	read := func(string) (string, error) { return "package x\n\nfunc f() {\n\tg()\n}\n", nil }
	for text, why := range map[string]string{
		"<!-- from f.go -->\n```go\nfunc f() {\n\tg()\n}\n```\n": "",
		"<!-- from f.go -->\n```go\nfunc f() {\n\th()\n}\n```\n": "not in f.go",
		"<!-- from f.go -->\n```go\n g()\n```\n":                 "not in f.go",
		"<!-- from f.go -->\ntext\n":                             "no block",
	} {
		p := readPage("docs/page.md", text)
		n, found := p.quotations(read)
		if n != 1 || (why == "") != (len(found) == 0) || why != "" && !strings.Contains(found[0].text, why) {
			t.Errorf("%q: %v, want %q", text, found, why)
		}
	}
}
