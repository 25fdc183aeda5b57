package luabind

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// matrix is a module with scratch tables, as libraries of vectors have them.
const matrix = `
local M = {}
M.__index = M
M.__add = function(a, b) return M.new(a.x + b.x, a.y + b.y) end
M.__tostring = function(a) return a.x .. ";" .. a.y end
function M.new(x, y) return setmetatable({ x = x or 0, y = y or 0 }, M) end
local tmp, four = M.new(), { 0, 0, 0, 0 }
local words = { kind = "none", on = false, [3] = 1 }
local function identity(m) for i = 1, 4 do m[i] = i % 3 == 1 and 1 or 0 end return m end
function M:turned() tmp.x = -self.y tmp.y = self.x return tmp:copy() end
function M:copy() return M.new(self.x, self.y) end
function M:twice() tmp.y = self.y tmp.x = self.x return tmp + tmp, tostring(tmp) end
function M.rows(a, b)
  identity(four)
  four[2] = a four[4] = b
  local out = {}
  for i = 1, #four do out[i] = four[i] end
  for i, v in ipairs(four) do out[i] = out[i] + v end
  return unpack(out)
end
function M.backwards(n) for i = 4, 1, -1 do four[i] = i * n end return table.concat(four, " ") end
function M.keys(on)
  words.on = on words.kind = nil words[3] = rawget(words, "on") and 8 or 9 words.kind = "some"
  local out = ""
  for k, v in pairs(words) do out = out .. tostring(k) .. tostring(v) end
  return out, next(words)
end
return M`

// TestScratchTables: hooks keep intermediate values in tables of files, and each hook finds the tables as the first one
// did.
func TestScratchTables(t *testing.T) {
	s := start(t, "lib/matrix.lua", matrix, "a.lua", `
local M = require("lib.matrix")
local best = { id = "", far = 0 }
X = object "X" { state = { n = 0 } }
function X:tick()
  self.n = self.n + 1
  local sum, text = M.new(self.n, 2):twice()
  print(tostring(M.new(self.n, 2):turned()), tostring(sum), text)
  print(M.rows(self.n, 6))
  print(M.backwards(self.n))
  print(M.keys(self.n == 2))
  best.far = -1
  for i = 1, 3 do if i * self.n > best.far then best.far, best.id = i * self.n, "i" .. i end end
  print(best.id, best.far)
end`)
	slot := s.spawn("X")
	for n := 1; n <= 3; n++ {
		s.lines = nil
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range s.lines {
			_, text, _ := strings.Cut(l, ": ")
			got = append(got, text)
		}
		on, seven := n == 2, 9
		if on {
			seven = 8
		}
		want := fmt.Sprintf("-2;%d\t%d;4\t%d;2\n2\t%d\t0\t12\n%d %d %d %d\n3%dkindsomeon%v\t3\t%d\ni3\t%d",
			n, 2*n, n, 2*n, n, 2*n, 3*n, 4*n, seven, on, seven, 3*n)
		if strings.Join(got, "\n") != want {
			t.Errorf("tick %d prints\n%s\nnot\n%s", n, strings.Join(got, "\n"), want)
		}
	}
	s.vm.lang.begin(0, hookAllowance)
	if len(s.vm.lang.scratchTables.opened) > 0 {
		t.Error("a scratch table is open when a hook begins")
	}
}

// TestScratchTablesKeepNothing: a hook that reads a key that it has not written is told to declare state, whichever way
// it reads it, in the first hook as well as after others have written the key.
func TestScratchTablesKeepNothing(t *testing.T) {
	for read, want := range map[string]string{
		"print(set().a)":                "tmp.a is read before the hook has written it",
		"print(set()['a'])":             "declare a in state (self.a, or game.a)",
		"set() tmp.c = tmp.a":           "tmp.a is read before",
		"for k in pairs(set()) do end":  "all of tmp is read before the hook has written tmp[1]",
		"for k in ipairs(set()) do end": "all of tmp is read",
		"for k in next, set() do end":   "all of tmp is read",
		"print(#set())":                 "all of tmp is read",
		"print(unpack(set()))":          "all of tmp is read",
		"print(table.concat(set()))":    "all of tmp is read",
		"print(rawget(set(), 'a'))":     "tmp.a is read before",
		"self.list = set()":             "all of tmp is read",
		"spawn('X', set())":             "all of tmp is read",
		"cue('Hit', set())":             "all of tmp is read",
		"print(('a'):gsub('a', set()))": "all of tmp is read",
		"print(set()[1])":               "tmp[1] is read before",
		"local o = setmetatable({}, { __index = set() }) print(o.a)": "tmp.a is read before",
		"set().d = 1":            "this table is read-only",
		"rawset(set(), 'd', 1)":  "this table is read-only",
		"set()[1] = nil":         "tmp[1] cannot become nil",
		"table.insert(set(), 1)": "all of tmp is read",
		"pcall(function() set() error() end) print(set().a)": "tmp.a is read before",
	} {
		s := start(t, "a.lua", `local tmp = { a = 1, b = 2, c = true, 5 }
X = object "X" { state = { list = list("number", 4) } }
function set() tmp.b = 3 return tmp end
function X:think() tmp.a = 1 tmp.b = 2 tmp.c = 3 tmp[1] = 4 for k, v in pairs(tmp) do print(k, v) end end
function X:tick() tmp.b = 1 `+read+` end`)
		slot := s.spawn("X")
		for range 2 {
			err := s.call(world.OnTick, slot, world.Args{})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v does not say %q", read, err, want)
			}
			if err := s.call(world.Think, slot, world.Args{}); err != nil || len(s.lines) == 0 {
				t.Fatal(err)
			}
		}
	}
}

// TestNotScratchTables: a table that a function reads first stays as the files left it, and is read-only.
func TestNotScratchTables(t *testing.T) {
	for _, c := range [][2]string{
		{`{ a = 1 }`, `tmp.a = tmp.a + 1`},
		{`{ a = 1 }`, `if tmp.a then tmp.a = 2 end`},
		{`{ a = 1 }`, `tmp.a = 2 end function other() return tmp.a`},
		{`{ a = 1 }`, `tmp.a = 2 return function() return tmp.a end`},
		{`{ a = 1 }`, `print(#tmp) tmp.a = 2`},
		{`{ a = 1 }`, `tmp.a = 2`},
		{`{}`, `tmp.a = 2`},
		{`{}`, `tmp[#tmp + 1] = 2`},
		{`{ a = 1 }`, `tmp.b = 2`},
		{`{ a = 1 }`, `tmp[1] = 2`},
		{`{ a = {} }`, `tmp.a = 2`},
		{`{ a = 1 } local function look(t) print(t.a) t.a = 1 end`, `look(tmp) tmp.a = 2`},
		{`{ a = 1 } local M = {} function M.clear() tmp.a = 0 return tmp.a end function M:clear() return self.a end`,
			`M.clear(tmp) tmp.a = 2`},
		{`{ a = first }`, `tmp.a = 2`},
		{`{ a = 1 } all = tmp`, `tmp.a = 2`},
		{`setmetatable({ a = 1 }, { __mode = "k" })`, `tmp.a = 2`},
		{`{ a = 1, b = {} }`, `tmp.a = 2`},
		{`object "Y" {}`, `tmp.a = 2`},
		{`{ a = 1, __mode = "v" }`, `tmp.a = 2`},
	} {
		s := start(t, "a.lua", `function first() end local tmp = `+c[0]+`
X = object "X" {} function X:tick() `+c[1]+` end`)
		err := s.call(world.OnTick, s.spawn("X"), world.Args{})
		if err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("%s, %s: %v", c[0], c[1], err)
		}
	}
}

// TestScratchTablesInTheirHook: a hook that onSpawn interrupts has one set of scratch tables with it, and an error
// leaves none open.
func TestScratchTablesInTheirHook(t *testing.T) {
	s := start(t, "a.lua", `local tmp = { a = 1, b = 2 }
X = object "X" { state = { n = 0 } }
function X:tick() tmp.a = 7 spawn("Y") print(tmp.a, tmp.b) error("end") end
Y = object "Y" {}
function Y:onSpawn() tmp.b = 5 print(tmp.b) end
function X:think() tmp.b = 2 print(tmp.a) end`)
	slot := s.spawn("X")
	s.lines = nil
	err := s.call(world.OnTick, slot, world.Args{})
	if err == nil || !strings.HasSuffix(strings.Join(s.lines, "\n"), "7\t5") {
		t.Errorf("%v, %q", err, s.lines)
	}
	err = s.call(world.Think, slot, world.Args{})
	if err == nil || !strings.Contains(err.Error(), "tmp.a is read before") {
		t.Error(err)
	}
}

// TestGeneratedScratchTables: in random programs, each hook reads what it has written itself, in every order of writes,
// reads and walks, or gets an error.
func TestGeneratedScratchTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 2))
	keys := []string{"a", "b", "1", "2", "3"}
	ended, refused := 0, 0
	for range 60 {
		var hooks [2]string
		var want [2][]string
		var fails [2]bool
		for h := range hooks {
			has := map[string]int{}
			write := func() {
				k, n := keys[rng.IntN(len(keys))], rng.IntN(100)
				hooks[h] += fmt.Sprintf("tmp[%s] = %d ", literalKey(k), n)
				has[k] = n
			}
			if write(); rng.IntN(2) == 0 { // all of them, so that walks work
				for i, k := range rng.Perm(len(keys)) {
					hooks[h] += fmt.Sprintf("tmp[%s] = %d ", literalKey(keys[k]), i)
					has[keys[k]] = i
				}
			}
			for range rng.IntN(12) {
				switch k := keys[rng.IntN(len(keys))]; rng.IntN(6) {
				case 0, 1, 2:
					write()
				case 3, 4:
					if _, ok := has[k]; !ok && rng.IntN(4) > 0 {
						continue
					}
					hooks[h] += fmt.Sprintf("print(tmp[%s]) ", literalKey(k))
					n, ok := has[k]
					if fails[h] = fails[h] || !ok; !fails[h] {
						want[h] = append(want[h], fmt.Sprint(n))
					}
				case 5:
					if len(has) < len(keys) && rng.IntN(4) > 0 {
						continue
					}
					hooks[h] += `do local s = #tmp for k, v in pairs(tmp) do s = s .. " " .. k .. "=" .. v end ` +
						`print(s) end `
					if fails[h] = fails[h] || len(has) < len(keys); !fails[h] {
						want[h] = append(want[h], fmt.Sprintf("3 1=%d 2=%d 3=%d a=%d b=%d",
							has["1"], has["2"], has["3"], has["a"], has["b"]))
					}
				}
			}
			hooks[h] += "local all = tmp"
		}
		s := start(t, "a.lua", "local tmp = { -1, -2, -3, a = -4, b = -5 } X = object 'X' {}\nfunction X:tick() "+
			hooks[0]+" end\nfunction X:think() "+hooks[1]+" end")
		slot := s.spawn("X")
		for i := range 4 {
			h := i % 2
			s.lines = nil
			err := s.call([]world.Hook{world.OnTick, world.Think}[h], slot, world.Args{})
			var got []string
			for _, l := range s.lines {
				_, text, _ := strings.Cut(l, ": ")
				got = append(got, text)
			}
			if (err != nil) != fails[h] || !slices.Equal(got, want[h]) ||
				err != nil && !strings.Contains(err.Error(), "is read before the hook has written") {
				t.Fatalf("%s\nprints %q, not %q: %v", hooks[h], got, want[h], err)
			}
			if err == nil {
				ended++
			} else {
				refused++
			}
		}
	}
	if ended < 40 || refused < 40 {
		t.Errorf("%d hooks ended, %d were refused", ended, refused)
	}
}

func literalKey(k string) string {
	if k < "a" {
		return k
	}
	return `"` + k + `"`
}
