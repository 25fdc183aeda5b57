package luabind

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// maxCaptures is how many captures a pattern may have.
const maxCaptures = 32

// atomKind is what a part of a pattern is.
type atomKind uint8

const (
	atomSet      atomKind = iota // one byte of a set, maybe repeated
	atomOpen                     // ( of a capture
	atomPosition                 // ()
	atomClose                    // )
	atomAgain                    // %1: what a capture matched, again
	atomBalance                  // %bxy
	atomFrontier                 // %f[set]
	atomEnd                      // $ at the end
	atomBad                      // malformed: an error once the match comes here
)

// atom is a part of a pattern.
type atom struct {
	kind   atomKind
	repeat byte // of a set: one of * + - ?, or 0
	a, b   byte // %bab; %1 has a = 0
	set    byteSet
	why    string
}

// byteSet is a set of bytes.
type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

func (s *byteSet) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s.add(byte(c))
	}
}

func (s *byteSet) invert() {
	for i := range s {
		s[i] = ^s[i]
	}
}

// addClass adds what stands after a %: a class like %a or %D, or a byte itself.
func (s *byteSet) addClass(letter byte) {
	var class byteSet
	switch letter | 0x20 {
	case 'a':
		class.addRange('a', 'z')
		class.addRange('A', 'Z')
	case 'c':
		class.addRange(0, 31)
		class.add(127)
	case 'd':
		class.addRange('0', '9')
	case 'l':
		class.addRange('a', 'z')
	case 'p':
		class.addRange('!', '/')
		class.addRange(':', '@')
		class.addRange('[', '`')
		class.addRange('{', '~')
	case 's':
		class.addRange('\t', '\r')
		class.add(' ')
	case 'u':
		class.addRange('A', 'Z')
	case 'w':
		class.addRange('0', '9')
		class.addRange('a', 'z')
		class.addRange('A', 'Z')
	case 'x':
		class.addRange('0', '9')
		class.addRange('a', 'f')
		class.addRange('A', 'F')
	case 'z':
		class.add(0)
	default:
		s.add(letter)
		return
	}
	if letter < 'a' { // a capital: all others
		class.invert()
	}
	for i := range s {
		s[i] |= class[i]
	}
}

// patternReader takes a pattern apart.
type patternReader struct {
	text  string
	atoms []atom
}

// readPattern gives the atoms of a pattern. What is malformed is an atom, too:
// as in Lua, it matters only to a match that gets there.
func readPattern(text string) []atom {
	r := patternReader{text: text}
	for i := 0; i >= 0 && i < len(text); {
		i = r.next(i)
	}
	return r.atoms
}

func (r *patternReader) bad(why string) int {
	r.atoms = append(r.atoms, atom{kind: atomBad, why: why})
	return -1
}

// next reads the atom at i and gives where the next one begins, -1 at the end.
func (r *patternReader) next(i int) int {
	rest := r.text[i:]
	switch {
	case strings.HasPrefix(rest, "()"):
		r.atoms = append(r.atoms, atom{kind: atomPosition})
		return i + 2
	case rest[0] == '(':
		r.atoms = append(r.atoms, atom{kind: atomOpen})
		return i + 1
	case rest[0] == ')':
		r.atoms = append(r.atoms, atom{kind: atomClose})
		return i + 1
	case rest == "$":
		r.atoms = append(r.atoms, atom{kind: atomEnd})
		return i + 1
	case strings.HasPrefix(rest, "%b"):
		if len(rest) < 4 {
			return r.bad("%b is followed by two characters, as in %b()")
		}
		r.atoms = append(r.atoms, atom{kind: atomBalance, a: rest[2], b: rest[3]})
		return i + 4
	case strings.HasPrefix(rest, "%f"):
		if len(rest) < 3 || rest[2] != '[' {
			return r.bad("%f is followed by a set, as in %f[%w]")
		}
		a := atom{kind: atomFrontier}
		end := r.set(&a.set, i+2)
		r.atoms = append(r.atoms, a)
		return r.ends(end)
	case len(rest) > 1 && rest[0] == '%' && rest[1] >= '0' && rest[1] <= '9':
		r.atoms = append(r.atoms, atom{kind: atomAgain, a: rest[1] - '1'}) // %0 becomes one that there never is
		return i + 2
	}
	return r.single(i)
}

// ends notes a set without its end.
func (r *patternReader) ends(end int) int {
	if end < 0 {
		r.atoms = r.atoms[:len(r.atoms)-1]
		return r.bad("a ] is missing")
	}
	return end
}

// single reads a byte, a class or a set, and its repetition.
func (r *patternReader) single(i int) int {
	var a atom
	end := i + 1
	switch c := r.text[i]; {
	case c == '%' && i+1 == len(r.text):
		return r.bad("it ends with %")
	case c == '%':
		a.set.addClass(r.text[i+1])
		end = i + 2
	case c == '.':
		a.set.invert()
	case c == '[':
		end = r.set(&a.set, i)
	default:
		a.set.add(c)
	}
	if end > 0 && end < len(r.text) && strings.IndexByte("*+-?", r.text[end]) >= 0 {
		a.repeat = r.text[end]
		end++
	}
	r.atoms = append(r.atoms, a)
	return r.ends(end)
}

// set reads [...] at i and gives where it ends, -1 if it does not.
func (r *patternReader) set(s *byteSet, i int) int {
	i++
	inverted := i < len(r.text) && r.text[i] == '^'
	if inverted {
		i++
	}
	end := r.setEnd(i)
	if end < 0 {
		return -1
	}
	for i < end {
		switch {
		case r.text[i] == '%':
			s.addClass(r.text[i+1])
			i += 2
		case i+2 < end && r.text[i+1] == '-':
			s.addRange(r.text[i], r.text[i+2])
			i += 3
		default:
			s.add(r.text[i])
			i++
		}
	}
	if inverted {
		s.invert()
	}
	return end + 1
}

// setEnd finds the ] of a set that begins at i. One that comes first, or after
// a %, is a part of the set.
func (r *patternReader) setEnd(i int) int {
	for first := true; ; first = false {
		switch {
		case i >= len(r.text):
			return -1
		case r.text[i] == ']' && !first:
			return i
		case r.text[i] == '%' && i+1 < len(r.text):
			i++
		}
		i++
	}
}

// matcher looks for a pattern in a text. Each step is paid for.
type matcher struct {
	vm     *VM
	L      *lua.LState
	text   string
	atoms  []atom
	anchor bool // the pattern begins with ^
	level  int  // captures begun
	caps   [maxCaptures]capture
}

// capture is a part of the text; size says more when it is below 0.
type capture struct{ from, size int }

const (
	capOpen     = -1 // not closed yet
	capPosition = -2 // the place only
)

// newMatcher pays for reading a pattern, which is kept: it is a function of
// its text.
func (vm *VM) newMatcher(L *lua.LState, text, pattern string, anchors bool) *matcher {
	m := &matcher{vm: vm, L: L, text: text, anchor: anchors && strings.HasPrefix(pattern, "^")}
	if m.anchor {
		pattern = pattern[1:]
	}
	vm.budget.alloc(L, 512)
	vm.budget.charge(L, 2*len(pattern))
	atoms, kept := vm.patterns[pattern]
	if !kept {
		if len(vm.patterns) >= maxPatterns {
			clear(vm.patterns)
		}
		atoms = readPattern(pattern)
		vm.patterns[pattern] = atoms
	}
	m.atoms = atoms
	return m
}

// maxPatterns is how many patterns a VM keeps as read.
const maxPatterns = 64

func (m *matcher) fail(why string) {
	m.L.RaiseError("the pattern is malformed: %s", why)
}

// at matches the whole pattern at a place of the text, and gives where the
// match ends, -1 for none.
func (m *matcher) at(from int) int {
	m.level = 0
	return m.match(from, 0)
}

// match matches the atoms from i on.
func (m *matcher) match(at, i int) int {
	for ; i < len(m.atoms); i++ {
		m.vm.budget.charge(m.L, 1)
		a := &m.atoms[i]
		switch a.kind {
		case atomSet:
			if a.repeat != 0 {
				return m.repeated(a, at, i+1)
			}
			if at >= len(m.text) || !a.set.has(m.text[at]) {
				return -1
			}
			at++
		case atomEnd:
			if at != len(m.text) {
				return -1
			}
		case atomAgain, atomBalance, atomFrontier:
			if at = m.special(a, at); at < 0 {
				return -1
			}
		default:
			return m.captured(a, at, i+1)
		}
	}
	return at
}

// repeated matches a set with * + - or ?, then the atoms from i on.
func (m *matcher) repeated(a *atom, at, i int) int {
	least, most, lazy := 0, len(m.text)-at, a.repeat == '-'
	switch a.repeat {
	case '+':
		least = 1
	case '?':
		most = min(most, 1)
	}
	n := 0
	for ; n < most && (!lazy || n < least) && a.set.has(m.text[at+n]); n++ {
		m.vm.budget.charge(m.L, 1)
	}
	if lazy {
		for {
			if end := m.match(at+n, i); end >= 0 {
				return end
			}
			if n >= most || !a.set.has(m.text[at+n]) {
				return -1
			}
			n++
		}
	}
	for ; n >= least; n-- {
		if end := m.match(at+n, i); end >= 0 {
			return end
		}
	}
	return -1
}

// special matches %1, %bxy or %f[set] and gives where it ends, -1 for none.
func (m *matcher) special(a *atom, at int) int {
	switch a.kind {
	case atomAgain:
		if int(a.a) >= m.level || m.caps[a.a].size == capOpen {
			m.fail("%" + itoa(int(a.a)+1) + " stands for no capture")
		}
		c := m.caps[a.a]
		size := max(c.size, 0)
		m.vm.budget.charge(m.L, size/8)
		if c.size == capPosition || !strings.HasPrefix(m.text[at:], m.text[c.from:c.from+size]) {
			return -1
		}
		return at + size
	case atomBalance:
		return m.balanced(a, at)
	}
	var before, here byte
	if at > 0 {
		before = m.text[at-1]
	}
	if at < len(m.text) {
		here = m.text[at]
	}
	if a.set.has(before) || !a.set.has(here) {
		return -1
	}
	return at
}

// balanced matches %bxy.
func (m *matcher) balanced(a *atom, at int) int {
	if at >= len(m.text) || m.text[at] != a.a {
		return -1
	}
	depth := 1
	for at++; at < len(m.text); at++ {
		m.vm.budget.charge(m.L, 1)
		switch m.text[at] {
		case a.b:
			depth--
			if depth == 0 {
				return at + 1
			}
		case a.a:
			depth++
		}
	}
	return -1
}

// captured begins or ends a capture, and matches the atoms from i on.
func (m *matcher) captured(a *atom, at, i int) int {
	if a.kind == atomBad {
		m.fail(a.why)
	}
	if a.kind == atomClose {
		l := m.level - 1
		for l >= 0 && m.caps[l].size != capOpen {
			l--
		}
		if l < 0 {
			m.fail("a ) has no (")
		}
		m.caps[l].size = at - m.caps[l].from
		end := m.match(at, i)
		if end < 0 {
			m.caps[l].size = capOpen
		}
		return end
	}
	if m.level == maxCaptures {
		m.fail("there are more than " + itoa(maxCaptures) + " captures")
	}
	m.caps[m.level] = capture{at, capOpen}
	if a.kind == atomPosition {
		m.caps[m.level].size = capPosition
	}
	m.level++
	end := m.match(at, i)
	if end < 0 {
		m.level--
	}
	return end
}

// value is capture i of a match that goes from one place to another. Without
// captures, the first is the whole match.
func (m *matcher) value(i, from, to int) lua.LValue {
	if i >= m.level {
		if i > 0 {
			m.L.RaiseError("there is no capture %d: the pattern has %d", i+1, m.level)
		}
		return m.part(from, to-from)
	}
	c := m.caps[i]
	switch c.size {
	case capPosition:
		return lua.LNumber(c.from + 1)
	case capOpen:
		m.fail("a ) is missing")
	}
	return m.part(c.from, c.size)
}

func (m *matcher) part(from, size int) lua.LValue {
	m.vm.payText(m.L, size)
	return lua.LString(m.text[from : from+size])
}

// push pushes the captures, or the whole match if there are none and whole is
// set, and tells how many values that is.
func (m *matcher) push(from, to int, whole bool) int {
	n := m.level
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		m.L.Push(m.value(i, from, to))
	}
	return n
}
