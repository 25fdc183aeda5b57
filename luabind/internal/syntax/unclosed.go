package syntax

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// opened is a block or a bracket that begins in a file.
type opened struct {
	word   string
	line   int
	indent int
	waits  bool // for its do
}

// pairing matches the beginnings and ends of the blocks and brackets of a file, as far as its indentation tells what
// belongs together.
type pairing struct {
	open    []opened
	suspect *opened // the first whose end stands further left, so that it is that of another one
	early   *opened // the first whose end stands further right
	endedAt int     // the line of that end
	elseIf  int     // the line of the first else if; 0: there is none
	stopped bool    // at a word that fits nothing
}

// closers are the words that end what others begin.
var closers = map[string]string{")": "(", "}": "{", "]": "[", "until": "repeat"}

// readBlocks reads the tokens of a text, up to a word on a line that fits nothing; 0: all.
func readBlocks(text, stop string, on int) *pairing {
	b := &pairing{}
	s := tokens{text: text, line: 1}
	lines := strings.Split(text, "\n")
	for elseOn := 0; ; {
		word, ok := s.next()
		b.stopped = ok && s.line == on && b.misfits() && (word == stop ||
			word == "function" && len(b.open) > 0 && outdented(lines[on-1], b.innermost()))
		if !ok || b.stopped || on > 0 && s.line > on {
			return b
		}
		if word == "if" && elseOn == s.line && b.elseIf == 0 {
			b.elseIf = s.line
		}
		b.read(word, s.line, indentOf(lines[s.line-1]))
		if elseOn = 0; word == "else" {
			elseOn = s.line
		}
	}
}

// read reads a token.
func (b *pairing) read(word string, line, indent int) {
	switch word {
	case "do":
		if inner := b.innermost(); inner != nil && inner.waits {
			inner.waits = false
			return
		}
		b.push(word, line, indent)
	case "if", "for", "while", "function", "repeat", "(", "{", "[":
		b.push(word, line, indent)
	case "end":
		b.pop("", line, indent)
	case ")", "}", "]", "until":
		b.pop(closers[word], line, indent)
	}
}

func (b *pairing) push(word string, line, indent int) {
	b.open = append(b.open, opened{word, line, indent, word == "for" || word == "while"})
}

// pop ends what was opened last; opener is its word, empty for a block that end ends.
func (b *pairing) pop(opener string, line, indent int) {
	n := len(b.open)
	if n == 0 {
		return
	}
	last := b.open[n-1]
	b.open = b.open[:n-1]
	if opener != "" {
		return
	}
	if last.line != line && indent < last.indent && b.suspect == nil {
		b.suspect = &last
	}
	if last.line != line && indent > last.indent && b.early == nil {
		b.early, b.endedAt = &last, line
	}
}

// innermost returns what is open, nil if nothing is.
func (b *pairing) innermost() *opened {
	if len(b.open) == 0 {
		return nil
	}
	return &b.open[len(b.open)-1]
}

// misfits reports whether a word that ends a block would end none.
func (b *pairing) misfits() bool { return len(b.open) == 0 || closesBracket(b.innermost()) }

// title names a block or a bracket with its line.
func (o *opened) title() string { return fmt.Sprintf("the %s of line %d", o.word, o.line) }

// indentOf returns how far a line is indented. A tab counts as four spaces.
func indentOf(line string) (n int) {
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// unclosed returns what has no end in a text that ends too early, with the line where it is: what to write instead.
func unclosed(text string) (line int, message string) {
	b := readBlocks(text, "", 0)
	if b.elseIf > 0 && (b.suspect == nil || b.suspect.word == "if" && b.suspect.line <= b.elseIf) {
		return b.elseIf, "write elseif, or end the if within the else with an end of its own"
	}
	at := b.suspect
	if inner := b.innermost(); at == nil || inner != nil && closesBracket(inner) {
		at = inner
	}
	switch {
	case at == nil:
		return 0, "is an 'end' or a bracket missing?"
	case closesBracket(at):
		return at.line, at.title() + " is not closed"
	case at.word == "repeat":
		return at.line, at.title() + " has no until"
	}
	return at.line, at.title() + " has no end"
}

// closesBracket reports whether a bracket was opened.
func closesBracket(o *opened) bool { return slices.Contains([]string{"(", "{", "["}, o.word) }

// outsideBrackets are the words that no expression in brackets can have.
var outsideBrackets = []string{"end", "if", "for", "while", "local", "return", "then", "do", "else", "elseif", "until",
	"repeat", "break"}

// rxParameters matches a line on which the parameters of a function begin and do not end.
var rxParameters = regexp.MustCompile(`\bfunction\b[^()]*\([^()]*$`)

// misplaced says what a word at which a text does not parse follows from.
func misplaced(text, word string, line int) reason {
	b, lines := readBlocks(text, word, line), strings.Split(text, "\n")
	inner, why := b.innermost(), reason{line: line}
	switch {
	case !b.stopped:
	case inner != nil && closesBracket(inner) && (slices.Contains(outsideBrackets, word) ||
		inner.line < line && outdented(lines[line-1], inner)),
		inner != nil && inner.line < line && rxParameters.MatchString(lines[inner.line-1]):
		if why.instead = inner.title() + " is not closed"; inner.line == codeBefore(lines, line) {
			why.line, why.near = inner.line, inner.word // whose end is missing there
		}
	case inner != nil && closesBracket(inner) && word != "" && ident.IsByte(word[0]):
		why.instead = "is a comma missing in " + inner.title() + "?"
	case word == "end" && inner == nil && b.early != nil:
		why.instead = fmt.Sprintf("there is an end too many: that of line %d ends %s", b.endedAt, b.early.title())
	case word == "end" && inner == nil:
		why.instead = "there is an end too many, here or further up"
	}
	return why
}

// beginsWith reports whether a line begins with a word, or with function and that.
func beginsWith(line, word string) bool {
	line = strings.TrimLeft(line, " \t")
	after, isFunction := strings.CutPrefix(line, "function ")
	return word != "" && (strings.HasPrefix(line, word) || isFunction && strings.HasPrefix(strings.TrimLeft(after, " \t"), word))
}

// outdented reports whether a function begins on a line, no further right than what is open.
func outdented(line string, inner *opened) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "function") && indentOf(line) <= inner.indent
}

// unterminated returns the line of the first text up to a line that has no quote at its end; 0: there is none.
func unterminated(text string, upTo int) int {
	s := tokens{text: text, line: 1}
	for {
		if _, ok := s.next(); s.broken > 0 || !ok || s.line > upTo {
			return s.broken
		}
	}
}
