package scripts

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// maxKeyDepth is how deep keys are noted: ours have two parts, and one more in
// elements of arrays.
const maxKeyDepth = 4

// lines has the line, from 1, of each key of a TOML text, by its path, as in
// "history.max_rewind" and "wall[2].x". The TOML library has the lines of syntax
// errors, but not those of keys.
type lines map[string]int

// locate finds the keys of a text that the TOML library can read. Of any other text
// it finds some.
func locate(text string) lines {
	s := locator{text: text, line: 1, found: lines{}, count: map[string]int{}}
	table := path{}
	for s.space(true) {
		from := s.at
		if s.text[s.at] == '[' {
			table = s.header()
		} else {
			s.pair(table)
		}
		if s.at == from {
			s.at++ // not TOML
		}
	}
	return s.found
}

// path names a key; deep is the number of its parts.
type path struct {
	name string
	deep int
}

func (p path) key(name string) path {
	if p.deep >= maxKeyDepth { // not noted: its name need not grow
		return path{p.name, p.deep + 1}
	}
	return path{join2(p.name, name), p.deep + 1}
}

func (p path) element(n int) path {
	if p.deep >= maxKeyDepth {
		return path{p.name, p.deep + 1}
	}
	return path{element(p.name, n), p.deep + 1}
}

func element(array string, n int) string { return array + "[" + strconv.Itoa(n) + "]" }

// join2 appends a key to the path of its table.
func join2(table, name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return !bare(r) }) {
		name = strconv.Quote(name)
	}
	if table == "" {
		return name
	}
	return table + "." + name
}

func bare(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-'
}

// locator reads a text from beginning to end.
type locator struct {
	text    string
	at      int
	line    int // of byte counted
	counted int
	found   lines
	count   map[string]int // tables in each array of tables
}

// note notes the line of a path, if it is the first one.
func (s *locator) note(p path) {
	s.line += strings.Count(s.text[s.counted:s.at], "\n")
	s.counted = s.at
	if _, ok := s.found[p.name]; !ok && p.deep <= maxKeyDepth {
		s.found[p.name] = s.line
	}
}

// space skips blanks and comments, and line ends if over is set. It reports whether
// any text is left.
func (s *locator) space(over bool) bool {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == ' ' || c == '\t' || over && (c == '\n' || c == '\r'):
			s.at++
		case c == '#' && over:
			s.until("\n")
		default:
			return true
		}
	}
	return false
}

// until skips to the next byte that is one of stops.
func (s *locator) until(stops string) {
	if n := strings.IndexAny(s.text[s.at:], stops); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.text)
	}
}

// eat skips a text, if the input continues with it.
func (s *locator) eat(what string) bool {
	if !strings.HasPrefix(s.text[s.at:], what) {
		return false
	}
	s.at += len(what)
	return true
}

// header reads [table] or [[table]], and returns the path of the table.
func (s *locator) header() path {
	array := s.eat("[[") || !s.eat("[")
	here := path{}
	for part := range s.keys {
		if here.name != "" {
			here = s.last(here)
		}
		here = here.key(part)
		s.note(here)
	}
	if array {
		s.count[here.name]++
	}
	here = s.last(here)
	s.note(here)
	s.until("\n")
	return here
}

// last returns the path of the last table of an array of tables; for any other path,
// the path.
func (s *locator) last(p path) path {
	if n := s.count[p.name]; n > 0 {
		return path{element(p.name, n), p.deep}
	}
	return p
}

// pair reads key = value.
func (s *locator) pair(table path) {
	for part := range s.keys {
		table = table.key(part)
		s.note(table)
	}
	if s.eat("=") {
		s.value(table)
	}
}

// keys reads the parts of a key such as a.b."c".
func (s *locator) keys(yield func(string) bool) {
	for s.space(false) {
		part := s.keyPart()
		more := s.space(false) && s.text[s.at] == '.'
		if !yield(part) || !more {
			return
		}
		s.at++
	}
}

func (s *locator) keyPart() string {
	from := s.at
	switch s.text[s.at] {
	case '"':
		s.str()
		return unquote(s.text[from:s.at])
	case '\'':
		s.str()
		return strings.Trim(s.text[from:s.at], "'")
	}
	for s.at < len(s.text) && bare(rune(s.text[s.at])) {
		s.at++
	}
	return s.text[from:s.at]
}

// unquote reads a "string" by TOML's rules, which differ from Go's.
func unquote(raw string) string {
	var v struct{ K string }
	if _, err := toml.Decode("K = "+raw, &v); err != nil {
		return raw
	}
	return v.K
}

// str skips a string of any of the four kinds.
func (s *locator) str() {
	quote := s.text[s.at : s.at+1]
	end := quote
	if strings.HasPrefix(s.text[s.at:], quote+quote+quote) {
		end = quote + quote + quote
	}
	for s.at += len(end); s.at < len(s.text); s.at++ {
		if s.eat(end) {
			for len(end) == 3 && s.eat(quote) { // up to two quotes may precede the end
			}
			return
		}
		if s.text[s.at] == '\\' && quote == `"` {
			s.at++
		}
	}
	s.at = min(s.at, len(s.text))
}

// value skips a value, and notes the keys and elements in it.
func (s *locator) value(of path) {
	if !s.space(true) {
		return
	}
	switch s.text[s.at] {
	case '"', '\'':
		s.str()
	case '[':
		s.at++
		s.array(of)
	case '{':
		s.at++
		s.inline(of)
	default:
		s.until(",]}#\n")
	}
}

func (s *locator) array(of path) {
	for n := 1; s.space(true); n++ {
		if s.eat("]") {
			return
		}
		from := s.at
		s.note(of.element(n))
		s.value(of.element(n))
		if s.space(true) && !s.eat(",") && s.at == from {
			return // not TOML
		}
	}
}

func (s *locator) inline(of path) {
	for s.space(true) {
		if s.eat("}") {
			return
		}
		from := s.at
		s.pair(of)
		if s.space(true) && !s.eat(",") && s.at == from {
			return // not TOML
		}
	}
}
