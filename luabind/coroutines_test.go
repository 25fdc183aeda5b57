package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestYieldAcross: a coroutine cannot yield where gopher-lua would go on with the code around the call. The error ends
// the coroutine, resume returns it, nothing after the yield runs, and the hook goes on.
func TestYieldAcross(t *testing.T) {
	for _, body := range []string{
		`local t = setmetatable({}, { __index = function(_, k) coroutine.yield(k) return 5 end }) print(t.x)`,
		`local t = setmetatable({}, { __add = function(a, b) coroutine.yield(1) return 5 end }) print(t + 1)`,
		`local t = setmetatable({}, { __eq = function(a, b) coroutine.yield(1) return true end }) print(t == setmetatable({}, getmetatable(t)))`,
		`local t = setmetatable({}, { __lt = function(a, b) coroutine.yield(1) return true end }) print(t < t)`,
		`local t = setmetatable({}, { __unm = function(a, b) coroutine.yield(1) return true end }) print(-t)`,
		`local t = setmetatable({}, { __concat = function(a, b) coroutine.yield(1) return "x" end }) print(t .. "y")`,
		`local t = setmetatable({}, { __newindex = function(a, b) coroutine.yield(1) end }) t.x = 1 print("after")`,
		`local t = setmetatable({}, { __len = function(a, b) coroutine.yield(1) return 1 end }) print(#t)`,
		`local t = setmetatable({}, { __tostring = function(a, b) coroutine.yield(1) return "x" end }) print(tostring(t))`,
		`for i in function() coroutine.yield(1) return nil end do print(i) end print("after")`,
		`print(("x"):gsub("x", function() coroutine.yield(1) return "y" end))`,
		`table.sort({ 2, 1 }, function(a, b) coroutine.yield(1) return a < b end) print("after")`,
		`local ok, e = pcall(function() coroutine.yield(1) end) error(e, 0)`,
		`local t = setmetatable({}, { __index = function(_, k) return (function() return coroutine.yield(k) end)() end }) print(t.x)`,
		`local t = setmetatable({}, { __index = function(_, k) return coroutine.yield(k) end }) print(t:x())`,
		`local t = setmetatable({}, { __div = function(a, b) local ok, e = pcall(coroutine.yield, 1) error(e, 0) end }) print(t / 2)`,
		`local t = setmetatable({}, { __index = function(_, k) for i = 1, 2 do for j = 1, 2 do local x = coroutine.yield(k) end end return 5 end }) print(t[1])`,
	} {
		s := start(t, "a.lua", "X = object \"X\" { state = { n = 0 } }\nfunction X:tick()\nself.n = self.n + 1\n"+
			"local co = coroutine.create(function()\n"+body+"\nself.n = self.n + 100 end)\n"+
			"local ok, e = coroutine.resume(co)\nprint(ok, coroutine.status(co), (e:gsub(':.*', '')), coroutine.resume(co))\n"+
			"local w = coroutine.wrap(function() for i = 1, 2 do coroutine.yield(i) end end) print(w(), w(), w())\nend")
		slot := s.spawn("X")
		spent := 0
		for i := range 2 {
			s.lines = nil
			err := s.call(world.OnTick, slot, world.Args{})
			const want = "false\tdead\ta.lua\tfalse\tcannot resume dead coroutine"
			got := strings.Join(s.lines, "\n")
			if strings.Contains(body, "(e, 0)") {
				got = strings.Replace(got, "\tcoroutine.yield\t", "\ta.lua\t", 1)
			}
			if err != nil || len(s.lines) != 2 || !strings.HasSuffix(strings.Split(got, "\n")[0], ": "+want) ||
				!strings.HasSuffix(got, ": 1\t2\tnil") && !strings.HasSuffix(got, ": 1\t2") {
				t.Errorf("%s: %v, %q", body, err, s.lines)
			}
			if n := s.field(slot, "n"); n != float64(i+1) {
				t.Errorf("%s: the coroutine went on, n is %v", body, n)
			}
			if i == 0 {
				spent = s.vm.Instructions()
			} else if n := s.vm.Instructions(); n != spent || n > 9000 {
				t.Errorf("%s: %d instructions, then %d", body, spent, n)
			}
		}
	}
}

// TestPanicInCoroutine: a panic in a coroutine fails the hook as one outside does, and an error that only reads like one
// is caught.
func TestPanicInCoroutine(t *testing.T) {
	for _, how := range []string{"print(ok, e)", "print(ok, e, 1)", "pcall(print, ok, e)"} {
		panicIn(t, how)
	}
}

func panicIn(t *testing.T, how string) {
	s := start(t, "a.lua", `
X = object "X" { state = { n = 0 } }
function X:tick()
  self.n = self.n + 1
  local ok, e = coroutine.resume(coroutine.create(function() error("runtime error: index out of range", 0) end))
  local co = coroutine.create(function() `+how+` end)
  pcall(coroutine.resume, co)
  print("after")
end`)
	slot := s.spawn("X")
	printed, fails := "", false
	s.w.Print = func(_ world.Tick, _ world.ObjectID, line string) {
		if fails && how == "print(ok, e, 1)" {
			assert(false, "an invariant")
		} else if fails {
			_ = line[len(line)+len(printed):][0]
		}
		printed += line + "\n"
	}
	for tick := range 3 {
		printed, fails = "", tick == 1
		err := s.call(world.OnTick, slot, world.Args{})
		if !fails && (err != nil || !strings.Contains(printed, "false\truntime error: index out of range") || !strings.HasSuffix(printed, "\na.lua:8: after\n")) {
			t.Errorf("%s, tick %d: %v, %q", how, tick, err, printed)
		}
		if fails {
			if all := scriptErrors(t, err); len(all) != 1 || !all[0].Panic || printed != "" {
				t.Errorf("%v, %q", err, printed)
			}
		}
	}
	if n := s.field(slot, "n"); n != 2 { // the hook that failed is undone
		t.Errorf("n is %v", n)
	}
}

// TestCoroutinesInHooks: coroutines change objects, spawn, catch errors and are keys, in files too.
func TestCoroutinesInHooks(t *testing.T) {
	s := start(t, "a.lua", `
local order = {}
local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield("loaded " .. i) end end)
for i = 1, 3 do order[i] = co() end
X = object "X" { state = { n = 0 }, body = { shape = { circle = 1 } } }
Y = object "Y" { state = { n = 0 } }
function Y:onSpawn()
  local f = coroutine.wrap(function() self.n = 5 coroutine.yield(coroutine.running() ~= nil) end)
  print("spawned", f(), pcall(coroutine.yield))
end
function X:tick()
  local a = coroutine.create(function(by)
    while true do
      self.n = self.n + by
      spawn("Y", {})
      print(pcall(function() error("caught", 0) end))
      by = coroutine.yield(self.n)
    end
  end)
  local b = coroutine.create(function() error({ 1 }) end)
  local names, out = { [a] = "a", [b] = "b" }, ""
  for co, name in pairs(names) do out = out .. name .. type(co) end
  print(order[3], out, coroutine.resume(a, 2), (coroutine.resume(a, 40)))
  print(tostring(a), self.n)
end`)
	slot := s.spawn("X")
	if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range s.lines {
		_, text, _ := strings.Cut(l, ": ")
		got = append(got, strings.ReplaceAll(text, "\t", " "))
	}
	want := []string{
		"spawned true false coroutine.yield: between it and the coroutine is pcall, table.sort, string.gsub or another function of the engine, a metamethod, or the function of a for loop: call it from the coroutine itself",
		"false caught", "", "false caught", "loaded 3 athreadbthread true true", "thread 42",
	}
	want[2] = want[0]
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
}
