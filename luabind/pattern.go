package luabind

import "strings"

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

// addClass adds the class after a %, such as %a or %D, or the byte itself.
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

// readPattern returns the atoms of a pattern. What is malformed is an atom, too:
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
