package luabind

import (
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

// findFrom returns argument i of string.find and string.match, the place where
// to look first, counted from 0.
func findFrom(L call, i int, what string, n int) int {
	from := L.integerOr(i, what, 1)
	if from < 0 {
		from = n + from + 1
	}
	return min(max(from, 1)-1, n)
}

// stringFind implements string.find(s, pattern, from, plain).
func stringFind(L call) int {
	s, what := L.text(1, "string.find: the string"), L.text(2, "string.find: the pattern")
	from := findFrom(L, 3, "string.find: from", len(s))
	L.charge(max(len(what)-syntax.ShortString, 0) / 8)
	if !lua.LVAsBool(L.Get(4)) && strings.ContainsAny(what, "^$*+?.([%-") {
		return search(L, s, what, from, true)
	}
	L.charge(len(s) / 8)
	i := strings.Index(s[from:], what)
	if i < 0 {
		L.Push(lua.LNil)
		return 1
	}
	return L.push2(float64(from+i+1), float64(from+i+len(what)))
}

// stringMatch implements string.match(s, pattern, from).
func stringMatch(L call) int {
	s, what := L.text(1, "string.match: the string"), L.text(2, "string.match: the pattern")
	return search(L, s, what, findFrom(L, 3, "string.match: from", len(s)), false)
}

// search finds the first match and pushes its captures, after its place if
// widgetPlaces are where a widget may be put.
func search(L call, s, pattern string, from int, place bool) int {
	m := newMatcher(L, s, pattern, true)
	for ; from <= len(s); from++ {
		if to := m.at(from); to >= 0 && place {
			L.push2(float64(from+1), float64(to))
			return 2 + m.push(from, to, false)
		} else if to >= 0 {
			return m.push(from, to, true)
		}
		if m.anchor {
			break
		}
	}
	L.Push(lua.LNil)
	return 1
}

// stringGmatch implements string.gmatch(s, pattern): a function that returns the next
// match each time. The function remembers where it is, so it works only in the
// hook that made it. Otherwise it would be memory that a rewind does not
// restore.
func stringGmatch(L call) int {
	s, pattern := L.text(1, "string.gmatch: the string"), L.text(2, "string.gmatch: the pattern")
	m := newMatcher(L, s, pattern, false)
	at, made := 0, L.run()
	L.Push(L.function(func(L call) int {
		if L.run() != made {
			L.RaiseError("this function was made by string.gmatch in another hook: call string.gmatch anew")
		}
		m.L = L
		for ; at <= len(s); at++ {
			from, to := at, m.at(at)
			if to < 0 {
				continue
			}
			at = to
			if to == from {
				at++
			}
			return m.push(from, to, true)
		}
		return 0
	}))
	return 1
}

// stringGsub implements string.gsub(s, pattern, by, most). by is a string with %1, a
// table, or a function. It returns the new string and the number of
// replacements.
func stringGsub(L call) int {
	s, pattern := L.text(1, "string.gsub: the string"), L.text(2, "string.gsub: the pattern")
	by := L.Get(3)
	switch v := by.(type) {
	case lua.LNumber:
		by = lua.LString(L.numberText(v))
	case lua.LString, *lua.LTable, *lua.LFunction:
	default:
		L.RaiseError("string.gsub: the third argument must be a string, a table or a function, not %s", aTypeName(by))
	}
	most := L.integerOr(4, "string.gsub: the maximum", len(s)+1)
	m := newMatcher(L, s, pattern, true)
	var out strings.Builder
	n, at := 0, 0
	for n < most {
		to := m.at(at)
		if to >= 0 {
			n++
			m.replace(&out, by, at, to)
		}
		if to > at {
			at = to
		} else if at < len(s) {
			out.WriteByte(s[at])
			at++
		} else {
			break
		}
		if m.anchor {
			break
		}
	}
	if at < len(s) {
		out.WriteString(s[at:])
	}
	L.pushText(out.String())
	L.Push(L.num(float64(n)))
	return 2
}

// replace writes the replacement of a match.
func (m *matcher) replace(out *strings.Builder, by lua.LValue, from, to int) {
	var v lua.LValue
	switch by := by.(type) {
	case lua.LString:
		m.expand(out, string(by), from, to)
		return
	case *lua.LTable:
		m.L.whole(by)
		if v = valueAt(by, m.value(0, from, to)); v == lua.LNil && metaOf(by) != nil {
			v = m.L.index(by, m.value(0, from, to))
		}
	case *lua.LFunction:
		m.L.Push(by)
		m.L.Call(m.push(from, to, true), 1)
		v = m.L.Get(-1)
		m.L.Pop(1)
	}
	switch v := v.(type) {
	case lua.LString:
		m.add(out, string(v))
	case lua.LNumber:
		m.add(out, m.L.numberText(v))
	default:
		if lua.LVAsBool(v) {
			m.L.RaiseError("string.gsub: the replacement of a match must be a string, false or nil, not %s",
				aTypeName(v))
		}
		m.add(out, m.text[from:to])
	}
}

// expand writes the replacement string of string.gsub, in which %0 to %9 are
// captures.
func (m *matcher) expand(out *strings.Builder, by string, from, to int) {
	for i := 0; i < len(by); i++ {
		c := by[i]
		if c != '%' {
			m.add(out, by[i:i+1])
			continue
		}
		i++
		switch {
		case i == len(by):
			m.add(out, "\x00") // as Lua 5.1 has it
		case by[i] == '0':
			m.add(out, m.text[from:to])
		case by[i] >= '1' && by[i] <= '9':
			m.add(out, toText(m.value(int(by[i]-'1'), from, to)))
		default:
			m.add(out, by[i:i+1])
		}
	}
}

// add writes a part of the result and charges for it.
func (m *matcher) add(out *strings.Builder, s string) {
	m.L.charge(2 + len(s)/8)
	if out.Len()+len(s) > syntax.MaxStringBytes {
		m.L.RaiseError("string.gsub makes a string of more than %d bytes", syntax.MaxStringBytes)
	}
	out.WriteString(s)
}
