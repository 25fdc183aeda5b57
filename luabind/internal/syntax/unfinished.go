package syntax

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
)

// aloneMessage is what the parser says of an expression that is no call in the place of a statement. It says so at the
// word that follows.
const aloneMessage = "parse error"

var (
	// rxWord matches a word.
	rxWord = regexp.MustCompile(`[A-Za-z_]\w*`)
	// rxBinary matches a number that is written in bits.
	rxBinary = regexp.MustCompile(`\b0[bB][01]+\b`)
	// rxOpenEnd matches the end of a line after which a value must follow.
	rxOpenEnd = regexp.MustCompile(`(\.\.|[-+*/%^]|[<>=~]=|[<>=]|\b(?:and|or|not))\s*$`)
)

// keywords are the words of Lua.
var keywords = []string{"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
	"nil", "not", "or", "repeat", "return", "then", "true", "until", "while"}

// unfinished says what is missing before a word at which a text does not parse. alone says that it is an expression in
// the place of a statement.
func unfinished(text, word string, line int, alone bool) reason {
	lines := strings.Split(text, "\n")
	for _, at := range []int{line, codeBefore(lines, line)} {
		if at == 0 {
			continue
		}
		if bits := rxBinary.FindString(codeOf(lines[at-1])); bits != "" {
			return reason{at, bits, "numbers are decimal, or hexadecimal with 0x: 0x1F"}
		}
	}
	if !beginsWith(lines[line-1], word) {
		before, _, _ := strings.Cut(codeOf(lines[line-1]), word)
		switch instead := headless(before); {
		case instead != "" && word != "" && ident.IsByte(word[0]):
			return reason{line: line, instead: instead}
		case alone:
			return reason{line: line, instead: aloneBefore(lines[line-1], word)}
		}
		return reason{line: line}
	}
	before := codeBefore(lines, line)
	if before == 0 {
		return reason{line: line}
	}
	code := codeOf(lines[before-1])
	words := rxWord.FindAllString(code, -1)
	switch open, instead := rxOpenEnd.FindStringSubmatch(code), headless(code); {
	case open != nil:
		return reason{before, open[1], fmt.Sprintf("after %s stands a value", open[1])}
	case alone && len(words) > 0:
		return reason{line: before, instead: callOrGive(words[len(words)-1])}
	case instead != "":
		return reason{line: before, instead: instead}
	}
	return reason{line: line}
}

// headless says which word is missing after the last if, while or for of code; empty: none.
func headless(code string) (instead string) {
	for _, word := range rxWord.FindAllString(code, -1) {
		switch word {
		case "if", "elseif":
			instead = "after the condition stands then: if ... then"
		case "while", "for":
			instead = "before the block stands do: " + word + " ... do"
		case "then", "do":
			instead = ""
		}
	}
	return instead
}

// callOrGive says what to do with a name that stands alone.
func callOrGive(name string) string {
	return "a name alone is no statement: call it with parentheses, " + name + "(), or give it a value with ="
}

// aloneBefore says what is wrong with the words before another one: public void.
func aloneBefore(line, word string) string {
	before, _, _ := strings.Cut(codeOf(line), word)
	words := rxWord.FindAllString(before, -1)
	if len(words) == 0 || slices.Contains(keywords, words[len(words)-1]) {
		return ""
	}
	name := words[len(words)-1]
	if instead := strings.TrimPrefix(api.Instead(name, nil, ""), "; "); instead != "" {
		return instead
	}
	if slices.Contains(keywords, word) {
		return callOrGive(name)
	}
	return name + " is no word of Lua: a statement is a call, " + name + "(...), or gives something a value, " + name + " = ..."
}
