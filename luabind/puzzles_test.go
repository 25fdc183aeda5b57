package luabind

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// program is the body of a function. What it prints is compared.
type program struct{ name, body string }

// minusZero is -0, with what is before and after it. A minus after a digit separates numbers.
var minusZero = regexp.MustCompile(`(^|[^0-9])-0($|[^.0-9])`)

// withoutMinusZeros replaces -0 by 0, because gopher-lua has -0 as the result of a negation only.
func withoutMinusZeros(text string) string {
	for minusZero.MatchString(text) { // two matches share what is between them
		text = minusZero.ReplaceAllString(text, "${1}0$2")
	}
	return text
}

// ours runs one program in a hook, with further files.
func ours(t *testing.T, p program, more ...string) []string {
	t.Helper()
	lines, err := runAfter(t, "", p.body, more...)
	if err != nil {
		if strings.Contains(err.Error(), "internal") {
			t.Errorf("%s: %v\n%s", p.name, err, p.body)
		}
		lines = append(lines, "error")
		if strings.Contains(err.Error(), "budget") {
			t.Logf("%s: %v", p.name, err)
		}
	}
	for i, l := range lines {
		lines[i] = withoutMinusZeros(l)
	}
	return lines
}

func firstDifference(a, b []string) string {
	for i := 0; i < max(len(a), len(b)); i++ {
		x, y := "(end)", "(end)"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("line %d: %q, not %q", i+1, x, y)
		}
	}
	return "none"
}

// puzzleAnswers holds what PUC Lua 5.1 prints for each puzzle.
const puzzleAnswers = "testdata/puzzles.txt"

func puzzlePrograms() (out []program) {
	for _, p := range puzzles {
		out = append(out, program{p[0], p[1]})
	}
	return out
}

// TestPuzzles compares with the recorded answers of PUC Lua; see TestPuzzleAnswers.
func TestPuzzles(t *testing.T) {
	text, err := os.ReadFile(puzzleAnswers)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, p := range puzzlePrograms() {
		fmt.Fprintf(&got, "== %s\n", p.name)
		for _, l := range ours(t, p) {
			got.WriteString(l + "\n")
		}
	}
	if got.String() != string(text) {
		t.Error(firstDifference(strings.Split(got.String(), "\n"), strings.Split(string(text), "\n")))
	}
}

// puzzles are small programs that must print the same as in PUC Lua 5.1.
var puzzles = [][2]string{
	{"issue 440: swap", `local a, b = 1, 2 a, b = b, a print(a, b)`},
	{"issue 440: sums", `local a, b = 0, 0 a, b = a + 1, a + b print(a, b)`},
	{"swap of fields", `local t = {1, 2, x = 3} t[1], t[2], t.x = t[2], t.x, t[1] print(t[1], t[2], t.x)`},
	{"index changed by the same assignment", `local i, t = 1, {} i, t[i] = i + 1, 20 print(i, t[1], t[2])`},
	{"table changed by the same assignment", `local t = {x = 1} local u = t t, t.x = nil, 5 print(t, u.x)`},
	{"more targets than values", `local a, b, c = 1, 2, 3 a, b, c = 9 print(a, b, c)`},
	{"more values than targets", `local a, b = 1, 2 a, b = 3, 4, print('x') print(a, b)`},
	{"call fills targets", `local function f() return 1, 2, 3 end local a, b, c, d a, b, c, d = 0, f() print(a, b, c, d)`},
	{"parenthesis cuts a call", `local function f() return 1, 2 end local a, b = (f()) print(a, b) a, b = 5, (f()) print(a, b)`},
	{"issue 490", `local function f() return true end local function g() return false end local r = true r = r and (f() and g()) print(r)`},
	{"and or with calls", `local function no() return false end local function s(x) x = no() and x or x return x end print(s('main'))`},
	{"and or chain into a parameter", `local function f(x, y) x = x or (y and tostring(y)) return x, y end print(f(nil, 3)) print(f(1, nil)) print(f(nil, nil))`},
	{"last parameter from an adjusted call", `local function id(x) return x end local function f(x) local y = 7 x = (id(x)) return x, y end print(f(3))`},
	{"issue 514: for keeps old values", `local function it(a, b) print(a, b) return nil end for x in it do end for x in it do end local function two(s, i) i = (i or 0) + 1 if i < 3 then return i end end for i in two do for j in two do print(i, j) end end`},
	{"issue 540: constant condition in a loop", `for k in pairs({1, 2}) do if false then local x end print(k) end for k in pairs({1}) do if nil then print('no') else print('yes') end end print('end')`},
	{"while true with constant conditions", `local n = 0 while true do if false then end n = n + 1 if n > 3 then break end end print(n)`},
	{"break at once", `local n = 0 for k in pairs({1, 2, 3}) do n = n + 1 break end print(n) while true do break end repeat break until false print(n)`},
	{"nested constant loops", `local n = 0 while true do while true do n = n + 1 if n > 2 then break end end if n > 4 then break end end print(n)`},
	{"constants decide", `print(true and 1 or 2, false and 1 or 2, nil or false, 1 and 2, 'a' or 'b', not 1, not nil, false or nil)`},
	{"constant and call is one value", `local function f() return 1, 2 end print((true and f())) local a, b = true and f() print(a, b)`},
	{"break leaves captured variables", `local r = {} for i = 1, 3 do do local y = i r[#r + 1] = function() return y end if i == 2 then break end end end local z, w, q = 10, 20, 30 print(r[1](), r[2](), z, w, q)`},
	{"break out of while leaves captured variables", `local r local i = 0 while i < 5 do i = i + 1 if i == 2 then local y = i * 10 r = function() y = y + 1 return y end break end end local a, b, c, d = 1, 2, 3, 4 print(r(), r(), a, b, c, d)`},
	{"closures of loop variables", `local r = {} for i = 1, 3 do r[i] = function() i = i + 10 return i end end print(r[1](), r[1](), r[2](), r[3]())`},
	{"closures share a variable", `local function pair() local n = 0 return function() n = n + 1 return n end, function() return n end end local up, get = pair() up() up() print(get()) local up2, get2 = pair() print(get2(), get())`},
	{"repeat sees its locals", `local n = 0 repeat local done = n == 3 n = n + 1 until done print(n)`},
	{"repeat with closures", `local r = {} local n = 0 repeat local x = n r[#r + 1] = function() return x end n = n + 1 until x == 2 print(r[1](), r[2](), r[3]())`},
	{"local function sees itself", `local function f(n) if n == 0 then return 'done' end return f(n - 1) end print(f(5))`},
	{"local f = function does not", `local f = function() return type end print(f() == type) local g = 1 local g = function() return g end print(g())`},
	{"numbers with leading zeros", `print(0010, 010 + 1, 0.5, 1e2, 0x10, 3., .5, 08)`},
	{"text to numbers", `print("10" + 5, "0x10" * 2, "010" + 1, -"2", "3" % 2, 10 / "4", " 7 " - 1)`},
	{"tonumber", `print(tonumber("0x1F"), tonumber(" 12 "), tonumber("1e3"), tonumber("abc"), tonumber(""), tonumber("12a"), tonumber("z", 36), tonumber("ff", 16), tonumber("8", 8), tonumber("-5"), tonumber("5."), tonumber(nil))`},
	{"tonumber with a base takes numbers", `print(tonumber(10, 16), tonumber(10, 2), tonumber(10, 10), tonumber(12, 2), tonumber(1.5, 16), tonumber("", 16), tonumber(" 11 ", 2))`},
	{"tonumber of nil with a base", `print(tonumber(nil, 16))`},
	{"tonumber with base 1", `print(tonumber("1", 1))`},
	{"tonumber with base 37", `print(tonumber("1", 37))`},
	{"tonumber of nothing", `print(tonumber())`},
	{"a number far away", `local t = {} t[60000] = 1 print(t[60000], t[59999], #t, next(t))`},
	{"many numbers far away", `local n = 0 for i = 1, 300 do local t = {} t[60000] = i n = n + t[60000] end print(n)`},
	{"pairs with gaps", `local t, n = {1, 2, 3, [20] = 20, [21] = 21}, 0 for k, v in pairs(t) do n = n + k * v end print(n, #t)`},
	{"filled backwards", `local t = {} for i = 40, 1, -1 do t[i] = i end print(#t, t[1], t[40], table.concat(t, ',', 38))`},
	{"a gap that fills", `local t = {} t[9] = 'a' t[9] = 'b' t[1] = 1 for i = 2, 8 do t[i] = i end print(#t, t[9]) t[9] = nil print(#t, t[9])`},
	{"a gap that narrows", `local t = {} t[9] = 'a' t[4] = 4 t[9] = 'c' print(t[9]) t[9] = nil print(t[9], t[4]) t[4] = nil print(next(t))`},
	{"a far number removed", `local t = {} t[100] = 1 t[100] = nil print(next(t), #t) table.insert(t, 5) print(#t)`},
	{"insert with gaps", `local t = {1, 2} t[10] = 10 table.insert(t, 1, 0) print(t[3], t[10]) for i = 4, 9 do table.insert(t, i) end print(t[9], t[10])`},
	{"remove with gaps", `local t = {1} t[9] = 9 table.remove(t) print(t[1], t[9]) for i = 1, 8 do t[i] = i end print(#t) for i = 1, 9 do table.remove(t, 1) end print(#t, next(t))`},
	{"unpack with gaps", `local t = {1} t[8] = 8 print(unpack(t, 7, 9)) for i = 2, 7 do t[i] = i end print(#t, unpack(t))`},
	{"constructors with gaps", `local function f() return 'x', 'y', nil end local t = {[9] = 1, [2] = 2, f()} print(t[1], t[2], t[3], t[9]) local u = {[7] = 'a', unpack({1, 2, 3, 4, 5, 6, 7, 8})} print(u[7], #u) u[8] = nil u[7] = nil print(u[7], #u)`},
	{"sort with gaps", `local t = {3, 1, 2} t[30] = 0 table.sort(t, function(a, b) return a < b end) print(t[1], t[2], t[3], t[30])`},
	{"gsub with gaps", `local t = {[1] = 'x', [30] = 'y'} print((("abc"):gsub("()", t)))`},
	{"zeros of constants", `local l = { -3 % 0.5, 0, 3 % -1, -(4 - 2 * 2) % 7 } print(table.concat(l, "-"), 1 / l[1], 1 / l[2])`},
	{"numbers as text", `print(1, 1.5, 100, 1e15, 1e14, 123456789012345, 0.1, 1/3, -0.5, 1e100, 2^53, 1/0, -1/0, 3.0)`},
	{"concat", `print(1 .. 2, "a" .. 1.5 .. "b" .. -2, ("x" .. "y") .. "z")`},
	{"concat is right associative", `local s = "" for i = 1, 40 do s = s .. i .. "," end print(s)`},
	{"powers", `print(2^10, 2^0.5 == math.sqrt(2), -2^2, 2^-1, 2^3^2, 10^2, (-8)^2)`},
	{"modulo", `print(5 % 3, -5 % 3, 5 % -3, -5 % -3, 5.5 % 2, math.fmod(-5, 3))`},
	{"comparison", `print(1 < 2, "a" < "b", "a" <= "a", "B" < "a", 1 == 1.0, "1" == 1, nil == false)`},
	{"precedence", `print(not 1 == 2, 2 + 3 * 4 ^ 2 / 2, -3 ^ 2, not nil and 1, 1 .. 2 == "12", "a" .. "b" == "ab" and 1 or 2)`},
	{"varargs", `local function f(...) local a, b = ... return select('#', ...), a, b, (...) end print(f()) print(f(1)) print(f(1, nil, 3)) print((f(1, 2)))`},
	{"varargs in the middle", `local function f(...) return ... end print(f(1, 2), f(3, 4)) print(({f(1, 2), f(3, 4)})[3], #{f(1, 2, 3)})`},
	{"varargs into calls and tables", `local function f(...) local t = {..., 'x'} local u = {'x', ...} return #t, #u, t[1], u[3] end print(f(1, 2, 3))`},
	{"varargs pass on", `local function sum(...) local s = 0 for _, v in ipairs({...}) do s = s + v end return s end local function pass(...) return sum(...) end print(pass(1, 2, 3, 4))`},
	{"a variable from cut varargs", `local function f(a, ...) local b, c = 2, 3 a = (...) b = (...) local d = b return a, b, c, d end print(f(1)) print(f(1, 9, 8))`},
	{"select", `print(select(2, 'a', 'b', 'c')) print(select(-1, 'a', 'b')) print(select('#')) print(select('#', nil, nil))`},
	{"select out of range", `print(select(0, 1))`},
	{"unpack", `print(unpack({1, 2, 3})) print(unpack({1, 2, 3}, 2)) print(unpack({1, 2, 3}, 2, 3)) print(unpack({}, 1, 2))`},
	{"constructors", `local t = {1, 2, x = 3, [10] = 4, ['y'] = 5, 6; 7} print(t[3], t[4], t.x, t[10], t.y)`},
	{"constructors with computed keys", `local k = 'a' local t = {[k] = 1, [k .. 'b'] = 2, [1 + 1] = 3, [true] = 4} print(t.a, t.ab, t[2], t[true], t[1])`},
	{"nils at the end of a constructor", `local t = {1, 2, nil} print(#t) local n local u = {1, n} print(#u, #{n}, #{n, n})`},
	{"length of a list that shrinks", `local t = {} for i = 1, 10 do t[i] = i end for i = 10, 4, -1 do t[i] = nil end print(#t) t[#t + 1] = 'x' print(#t, t[4])`},
	{"list emptied from the front", `local t = {1, 2, 3} for i = 1, 3 do table.remove(t, 1) end print(#t, t[1]) table.insert(t, 'a') print(#t, t[1])`},
	{"table.insert and remove", `local t = {1, 2, 3} table.insert(t, 4) table.insert(t, 1, 0) table.insert(t, 3, 'x') print(table.concat(t, ',')) print(table.remove(t), table.remove(t, 1), table.remove(t, 2), #t) print(table.concat(t, ',')) print(table.remove({}))`},
	{"table.concat", `print(table.concat({1, 2, 'c'}), table.concat({1, 2, 3}, '-'), table.concat({1, 2, 3}, '-', 2), table.concat({1, 2, 3}, '-', 2, 2), table.concat({}), table.concat({1}, 'x', 3))`},
	{"table.concat of a boolean", `print(table.concat({1, true}))`},
	{"table.sort", `local t = {5, 2, 8, 1, 9, 3} table.sort(t) print(table.concat(t, ' ')) table.sort(t, function(a, b) return a > b end) print(table.concat(t, ' ')) local s = {'b', 'a', 'C'} table.sort(s) print(table.concat(s))`},
	{"table.sort of mixed values", `table.sort({1, 'a'})`},
	{"ipairs stops at nil", `for i, v in ipairs({1, 2, nil, 4}) do print(i, v) end for i, v in ipairs({}) do print(i) end`},
	{"pairs of a list", `for k, v in pairs({'a', 'b', 'c'}) do print(k, v) end`},
	{"next goes on from a key that pairs passed and the loop removed", `local r, last = {a = 1, b = 2, c = 3} for k in pairs(r) do last = k r[k] = nil break end print((pcall(next, r, last)))`},
	{"two iterators remove what they visit", `local t = {} for i = 1, 8 do t["k" .. i] = i end local function count(t) local n = 0 local k = next(t) while k do n = n + 1 k = next(t, k) end return n end local k, c = next(t), 0 while k do t[k] = nil c = c + count(t) k = next(t, k) end print(c)`},
	{"a removed table goes on from where it was", `local t, keys, n = {}, {}, 0 for i = 1, 5 do keys[i] = {} t[keys[i]] = i end local k = next(t) while k do n = n + t[k] t[k] = nil next(t) k = next(t, k) end print(n, next(t))`},
	{"a removed number goes on from where it was", `local t, n = {1, 2, 3, 4, 5}, 0 local k = next(t) while k do n = n + t[k] t[k] = nil next(t) k = next(t, k) end print(n, next(t))`},
	{"pairs may clear", `local t = {a = 1, b = 2, c = 3} local n = 0 for k in pairs(t) do t[k] = nil n = n + 1 end print(n, next(t))`},
	{"next", `print(next({})) print(next({7})) local t = {1, 2} print(next(t, 1)) print(next(t, 2))`},
	{"numeric for", `for i = 3, 1, -1 do print(i) end for i = 1, 0 do print('no') end for i = 1, 2, 0.5 do print(i) end`},
	{"for changes its variable", `for i = 1, 3 do local j = i i = i * 10 print(i, j) end`},
	{"string functions", `print(string.len("abc"), string.sub("hello", 2, 3), string.sub("hello", -3), string.sub("hello", 2), string.sub("hello", 4, 2), string.sub("hello", 0), string.sub("hello", -100, 100)) print(string.upper("aBc1"), string.lower("AbC"), string.rep("ab", 3), string.rep("x", 0), string.rep("x", -1), string.reverse("abc"))`},
	{"string.byte and char", `print(string.byte("A"), string.byte("abc", 2), string.byte("abc", 1, -1), string.byte("", 1), string.byte("abc", 10)) print(string.char(72, 105), string.char())`},
	{"string.find", `print(string.find("hello world", "wor")) print(string.find("hello", "l", 4)) print(string.find("hello", "z")) print(string.find("a.b", ".", 1, true)) print(string.find("abc", "")) print(string.find("abc", "", 10)) print(string.find("abc", "b", -2))`},
	{"string methods", `local s = "abc" print(s:upper(), s:len(), ("x"):rep(3), s:sub(2, 2), #s)`},
	{"string.format", `print(string.format("%d %i %5d|%-5d|%05d %+d", 3, -4, 42, 42, 42, 7)) print(string.format("%s %10s|%-10s|%.2s", "a", "b", "c", "defg")) print(string.format("%x %X %o %c %%", 255, 255, 8, 65)) print(string.format("%.2f %5.1f %f %e %g %g %g", 3.14159, 2.55, 1, 12345.678, 0.0001, 1e20, 100000)) print(string.format("%q", 'a"b\\c')) print(string.format("%g %g %g", 1e15, 123456789, 0.1)) print(string.format("%#x %#o", 255, 8)) print(string.format("% d", 5)) print(string.format("%.3d", 5)) print(string.format("%5.3d|", 5)) print(string.format("%.0f %.10g", 0.5, 0.1))`},
	{"string.format of no digits", `print(string.format("[%.0d] [%.0x] [%3.0d] [%+.0d] [%.d] [%.0d] [%.0o] [%03.0d] [%#.0x] [%#.0o]", 0, 0, 0, 0, 0, 7, 0, 0, 0, 0))`},
	{"string.format with too few values", `print(string.format("%d"))`},
	{"string.format of a wrong value", `print(string.format("%d", "x"))`},
	{"math", `print(math.floor(3.7), math.floor(-3.2), math.ceil(3.2), math.ceil(-3.7), math.abs(-5), math.max(1, 5, 3), math.min(4, 2, 8), math.sqrt(16), math.huge, -math.huge, math.pi) print(math.modf(3.7)) print(math.modf(-3.7)) print(math.fmod(7, 3), math.pow(2, 8), math.deg(math.pi), math.rad(180))`},
	{"math to 12 digits", `print(string.format("%.12f %.12f %.12f %.12f %.12f %.12f %.12f %.12f", math.sin(1), math.cos(2), math.tan(0.5), math.asin(0.3), math.acos(0.4), math.atan(5), math.atan2(-1, -2), math.exp(1.5))) print(string.format("%.12f %.12f", math.log(10), math.log10(1000)))`},
	{"type and tostring", `print(type(1), type("a"), type(nil), type(true), type({}), type(print)) print(tostring(nil), tostring(true), tostring(12), tostring("x"))`},
	{"error ends it", `print(1) error("stop") print(2)`},
	{"assert without a message", `assert(nil)`},
	{"assert without a value", `assert()`},
	{"assert with a table", `assert(false, {})`},
	{"type without a value", `type()`},
	{"tostring without a value", `tostring()`},
	{"minus a word", `print(-"x")`},
	{"power of a word", `print("x" ^ 2)`},
	{"power of text", `print("2" ^ "3")`},
	{"infinite and NaN formatted", `print(string.format("%5.1f|%f|%05d|%+g", 1/0, -1/0, -3, 2))`},
	{"assert", `print(assert(1, 2, 3)) assert(false, "no")`},
	{"arithmetic on nil", `local x print(x + 1)`},
	{"call of nil", `local x x()`},
	{"index of nil", `local x print(x.y)`},
	{"compare number with text", `print(1 < "2")`},
	{"length of a number", `print(#5)`},
	{"nil as a key", `local t = {} t[nil] = 1`},
	{"NaN as a key", `local t = {} t[0/0] = 1`},
	{"reading nil keys", `local t = {} print(t[nil], t[0/0], t.x)`},
	{"methods of tables", `local T = {n = 1} function T:add(k) self.n = self.n + k return self end function T.make(n) return {n = n, add = T.add} end print(T:add(2).n, T.make(5):add(1).n)`},
	{"tables with methods named like ours", `local list = {n = 0} function list:remove(k) self.n = self.n - k return self.n, 'r' end function list:valid() return true end print(list:remove(2)) print(list:valid(), (list:remove(1)))`},
	{"fields named like state", `local t = {n = 5, s = 'x', id = 7, owner = 'me'} t.n = t.n + 1 t.s, t.id = t.id, t.s print(t.n, t.s, t.id, t.owner)`},
	{"functions in tables", `local t = {} t.f = function(...) return select('#', ...) end function t.g(a, b) return b, a end print(t.f(1, 2), t.g(1, 2))`},
	{"shadowing", `local a = 1 do local a = 2 print(a) end print(a) local print2, math = print, {floor = function() return 'mine' end} print2(math.floor(2.5))`},
	{"and or as arguments", `local function f(...) return ... end print(f(nil or 1, false and 2, 3 and 4, nil and nil), (f(1 and 2 or 3)))`},
	{"relational results", `local a, b = 1, 2 local t = {a < b, a > b, a == b} local x = a < b print(t[1], t[2], t[3], x, not (a < b), (a < b) and 'y' or 'n')`},
	{"deep expression", `local x = 1 local y = ((((((x + 1) * 2) - 3) / 4) % 5) ^ 2) .. 'z' print(y)`},
	{"long strings and escapes", "print([[a\nb]], [==[x]]y]==], 'a\\tb\\065\\\\', \"q\\\"\") -- comment\n--[[ long\ncomment ]] print('after')"},
	{"semicolons and calls without parentheses", `local function f(x) return type(x) end; print(f{}, f"s", f[[t]]);`},
	{"numeric for with float error", `local n = 0 for i = 0, 1, 0.1 do n = n + 1 end print(n)`},
	{"infinities compare", `print(1/0 > 10, -1/0 < 0, 1/0 == math.huge, 0/0 == 0/0)`},
	{"upvalues of nested functions", `local a = 1 local function f() local b = 2 local function g() a = a + 1 b = b + a return a, b end return g end local g = f() print(g()) print(g()) print(a)`},
	{"recursion through a table", `local t = {} function t.fact(n) if n <= 1 then return 1 end return n * t.fact(n - 1) end print(t.fact(10))`},
}
