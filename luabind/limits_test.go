package luabind

import (
	"fmt"
	"strings"
	"testing"
)

// lines is n lines, each a format of its number.
func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)) + "\n")
	}
	return b.String()
}

// TestTooManyValues: what the interpreter has no room for is refused at its statement, with what to do.
func TestTooManyValues(t *testing.T) {
	const most = "a function has room for 200 values at once, and "
	list := func(n int) string { return strings.TrimSuffix(strings.ReplaceAll(lines(n, "a#,"), "\n", ""), ",") }
	const long = "this function, or the file outside of its functions, is too long for a jump"
	ones := func(n int) string { return strings.Repeat("1, ", n-1) + "1" }
	for _, c := range []struct{ text, want string }{
		{"function f() end\nfunction g()\n" + lines(130, "local v# = #") + "local x = 1\n  " + "f(" + ones(200) + ")" + "\nend",
			"134: " + most + "this one needs 332 here: for 131 local variables and arguments, and 201 for this statement; use fewer"},
		{"function f() end\nfunction g()\n" + lines(60, "local v# = #") + "if f() then\n while f() do\n local x, y\n print(1, 2, 3)\n" + "f(" + ones(200) + ")" + " end end end",
			"67: " + most + "this one needs 263 here: for 62 local"},
		{"function g()\n" + lines(201, "local v# = #") + "end", "202: " + most + "this one needs 201 here: for 200 local"},
		{"function g()\n local function h()\n" + lines(201, "local v# = #") + "end end", "203: " + most + "this one needs 201 here"},
		{"\nfunction g(" + list(201) + ")\nend", "2: " + most + "this one needs 201 here: for 201 local"},
		{lines(190, "local v# = math.sin(#)") + "function f() end\nf(" + ones(200) + ")", "192: " + most + "the file, outside of its functions, needs"},
		{"function f() end\nf(function()\n" + lines(150, "local v# = #") + "return { { { f(" + ones(60) + ") } } } end)", "153: " + most + "this one needs"},
		{"function f(" + list(100) + ")\nlocal function g() end\nfor i = 1, 2 do\nfor k, v in pairs({}) do\n local t = g(" + ones(99) + ")\nend end end",
			"5: " + most + "this one needs 210 here: for 110 local"},
		{lines(190, "local v# = 1") + "function f()\nlocal function g() end\n  for i = 1, 9 do if i > 3 then g(" + ones(9) + ") end end\n end\nfunction g()\n" +
			lines(199, "local v# = 1") + "return " + ones(9) + " end", "395: " + most + "this one needs 208 here: for 199 local"},
		{"function f(a)\n" + strings.Repeat("if a == 1 then\nelse", 299) + "if a == 2 then end end",
			"218: this is nested, or chained by operators or by elseif, more than 220 deep; use local variables for the parts, and functions"},
		{"\nfunction f(a)\nlocal b\n  while a do\n" + strings.Repeat("b=a<a ", 21000) + "\nend end", "2: " + long},
		{"\nfunction f(a)\nlocal b\n  for i = 1, 2 do\n" + strings.Repeat("b=a<a ", 21000) + "\nend end", "2: " + long},
		{"local b = 1 for i = 1, 2 do\n" + strings.Repeat("b=b<b ", 21000) + "\nend", "1: " + long},
	} {
		refused(t, c.text, c.want)
	}
}
