package luabind

import (
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// maxCaptures is how many captures a pattern may have.
const maxCaptures = 32

// matcher looks for a pattern in a text. It charges for each step.
type matcher struct {
	L      call
	text   string
	atoms  []atom
	anchor bool // the pattern begins with ^
	level  int  // captures begun
	caps   [maxCaptures]capture
}

// capture is a part of the text. A negative size is one of the constants below.
type capture struct{ from, size int }

const (
	capOpen     = -1 // not closed yet
	capPosition = -2 // the place only
)

// newMatcher charges for reading the pattern, even if the pattern is kept from
// an earlier call.
func newMatcher(L call, text, pattern string, anchors bool) *matcher {
	m := &matcher{L: L, text: text, anchor: anchors && strings.HasPrefix(pattern, "^")}
	if m.anchor {
		pattern = pattern[1:]
	}
	if len(pattern) > maxPatternBytes {
		L.RaiseError("a pattern of %d bytes: at most %d", len(pattern), maxPatternBytes)
	}
	L.alloc(512)
	L.charge(2 * len(pattern))
	m.atoms = L.atoms(pattern)
	return m
}

func (m *matcher) fail(why string) {
	m.L.RaiseError("the pattern is malformed: %s", why)
}

// at matches the whole pattern at a place of the text and returns where the
// match ends, -1 for none.
func (m *matcher) at(from int) int {
	m.L.charge(1)
	m.level = 0
	return m.match(from, 0)
}

// match matches the atoms from i on.
func (m *matcher) match(at, i int) int {
	for ; i < len(m.atoms); i++ {
		m.L.charge(1)
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
		m.L.charge(1)
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

// special matches %1, %bxy or %f[set] and returns where the match ends, -1 for
// none.
func (m *matcher) special(a *atom, at int) int {
	switch a.kind {
	case atomAgain:
		if int(a.a) >= m.level || m.caps[a.a].size == capOpen {
			m.fail("%" + strconv.Itoa(int(a.a)+1) + " refers to no capture")
		}
		c := m.caps[a.a]
		size := max(c.size, 0)
		m.L.charge(size / 8)
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
		m.L.charge(1)
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
			m.fail("a ) has no matching (")
		}
		m.caps[l].size = at - m.caps[l].from
		end := m.match(at, i)
		if end < 0 {
			m.caps[l].size = capOpen
		}
		return end
	}
	if m.level == maxCaptures {
		m.fail("there are more than " + strconv.Itoa(maxCaptures) + " captures")
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

// value returns capture i of a match from one place to another. Without
// captures, capture 0 is the whole match.
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
	m.L.charge(1)
	m.L.payText(size)
	return lua.LString(m.text[from : from+size])
}

// push pushes the captures and returns how many values that is. If there are
// none and whole is set, it pushes the whole match.
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
