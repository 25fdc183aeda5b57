package luabind

import (
	"math"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	lua "github.com/yuin/gopher-lua"
)

func stringTable() libraryTable {
	return libraryTable{Name: "string", Entries: []entry{
		{"len", stringLen}, {"sub", stringSub}, {"upper", stringUpper},
		{"lower", stringLower}, {"rep", stringRep}, {"byte", stringByte},
		{"char", stringChar}, {"format", stringFormat}, {"find", stringFind},
		{"reverse", stringReverse}, {"match", stringMatch}, {"gmatch", stringGmatch},
		{"gsub", stringGsub},
	}}
}

// stringArithmetic returns the arithmetic of strings that read as numbers, by the
// names of metamethods.
func stringArithmetic() map[string]func(a, b float64) float64 {
	return map[string]func(a, b float64) float64{
		"__add": func(a, b float64) float64 { return a + b },
		"__sub": func(a, b float64) float64 { return a - b },
		"__mul": func(a, b float64) float64 { return a * b },
		"__div": func(a, b float64) float64 { return a / b },
	}
}

// modulo returns the % of Lua: the result has the sign of b.
func modulo(a, b float64) float64 {
	v := math.Mod(a, b)
	if b > 0 && v < 0 || b < 0 && v > 0 {
		v += b
	}
	return v
}

func stringLen(L call) int {
	L.Push(L.num(float64(len(L.text(1, "string.len: the argument")))))
	return 1
}

// span converts positions of Lua, which count from 1 or from the end when
// negative, to i and j of s[i:j].
func span(n, from, to int) (i, j int) {
	if from < 0 {
		from = max(n+from+1, 1)
	}
	if to < 0 {
		to = n + to + 1
	}
	i, j = max(from, 1)-1, min(to, n)
	return i, max(i, j)
}

func stringSub(L call) int {
	s := L.text(1, "string.sub: the string")
	i, j := span(len(s), L.integer(2, "string.sub: from"), L.integerOr(3, "string.sub: to", -1))
	if i >= len(s) {
		i, j = 0, 0
	}
	return L.pushText(s[i:j])
}

// mapBytes changes each byte of argument 1.
func mapBytes(L call, what string, f func(b []byte)) int {
	b := []byte(L.text(1, what))
	f(b)
	return L.pushText(string(b))
}

func stringUpper(L call) int {
	return mapBytes(L, "string.upper: the argument", func(b []byte) {
		for i, c := range b {
			if c >= 'a' && c <= 'z' {
				b[i] = c - 'a' + 'A'
			}
		}
	})
}

func stringLower(L call) int {
	return mapBytes(L, "string.lower: the argument", func(b []byte) {
		for i, c := range b {
			if c >= 'A' && c <= 'Z' {
				b[i] = c - 'A' + 'a'
			}
		}
	})
}

func stringReverse(L call) int {
	return mapBytes(L, "string.reverse: the argument", func(b []byte) {
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	})
}

func stringRep(L call) int {
	s := L.text(1, "string.rep: the string")
	n := max(L.integer(2, "string.rep: the count"), 0)
	if len(s) > 0 && n > syntax.MaxStringBytes/len(s) {
		L.RaiseError("string.rep of %d bytes %d times: a string has at most %d bytes", len(s), n, syntax.MaxStringBytes)
	}
	if len(s) == 0 {
		n = 0
	}
	L.payText(n * len(s))
	L.Push(lua.LString(strings.Repeat(s, n)))
	return 1
}

// stringByte pushes the codes of the bytes s[i] to s[j].
func stringByte(L call) int {
	s := L.text(1, "string.byte: the string")
	from := L.integerOr(2, "string.byte: from", 1)
	i, j := span(len(s), from, L.integerOr(3, "string.byte: to", from))
	if i >= len(s) {
		return 0
	}
	if j-i > maxResults {
		L.RaiseError("string.byte of %d bytes: at most %d at once", j-i, maxResults)
	}
	L.charge(j - i)
	for _, c := range []byte(s[i:j]) {
		L.Push(L.num(float64(c)))
	}
	return j - i
}

func stringChar(L call) int {
	b := make([]byte, L.GetTop())
	for i := range b {
		c := L.integer(i+1, "string.char: every argument")
		if c < 0 || c > 255 {
			L.RaiseError("string.char(%d): a byte is 0 to 255", c)
		}
		b[i] = byte(c)
	}
	return L.pushText(string(b))
}
