package luabind

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// chargedFor returns what a case of pricedCases charges in a room of so many objects, of which all but the first are
// far away if apart is set.
func chargedFor(t *testing.T, name string, objects int, apart bool) int {
	t.Helper()
	cases := pricedCases()
	for i := range cases {
		if cases[i].name != name {
			continue
		}
		m := openMarket(t, objects, cases[i:i+1])
		if apart {
			for _, slot := range m.w.Now.Run {
				if b := m.w.Now.Body(int(slot)); b.Key != 0 && m.w.Class(int(slot)).Name != "Probe" {
					b.X, b.Y = b.X+3e4, b.Y+3e4
				}
			}
		}
		none, _ := m.run(0, 0)
		once, _ := m.run(0, 1)
		return once - none
	}
	t.Fatalf("there is no case %s", name)
	return 0
}

// TestQueriesPayForBodies: a query charges for each body where it looks, and nothing for those elsewhere. Otherwise a
// hook would have to be run again when any of them changes.
func TestQueriesPayForBodies(t *testing.T) {
	for name, least := range map[string]int{ // instructions for 900 more bodies
		"raycastAll":           100, // a line in a square
		"circleCast (wide)":    900 * 10,
		"overlapCircle (all)":  900 * 5,
		"overlapBox (all)":     900 * 10,
		"overlapPolygon (all)": 900 * 10,
		"nearest (far)":        900 * 7 / 8, // of which these are of the class
	} {
		few, many := chargedFor(t, name, 100, false), chargedFor(t, name, 1000, false)
		if many < few+least {
			t.Errorf("%s charges %d among 100 objects and %d among 1,000", name, few, many)
		}
		if name == "nearest (far)" {
			continue // which looks everywhere
		}
		few, many = chargedFor(t, name, 100, true), chargedFor(t, name, 1000, true)
		if few != many {
			t.Errorf("%s charges %d with 100 objects elsewhere and %d with 1,000", name, few, many)
		}
	}
	for _, name := range []string{"raycast", "circleCast", "overlapCircle", "overlapBox", "overlapPolygon",
		"nearest (within)", ":moveAndSlide", "objects (none)", "spawn", "players", ":getPosition", "cue"} {
		if few, many := chargedFor(t, name, 16, false), chargedFor(t, name, 1000, false); few != many {
			t.Errorf("%s charges %d in a room of 16 objects and %d in one of 1,000", name, few, many)
		}
	}
}

// TestObjectsPayForTheirClass: what looks at the objects of a class charges for each of them.
func TestObjectsPayForTheirClass(t *testing.T) {
	for name, least := range map[string]int{"objects": 1, "objects (family)": 1, ":asSeen": 1, "fillTeams (full)": 1} {
		few, many := chargedFor(t, name, 100, false), chargedFor(t, name, 1000, false)
		if many < few+least*900/8 { // one in eight is of the class Seen
			t.Errorf("%s charges %d among 100 objects and %d among 1,000", name, few, many)
		}
	}
}

// returned is a statement that returns n values through so many calls.
func returned(calls, n int) string {
	return fmt.Sprintf(`local t = {} for i = 1, 100 do t[i] = i end
local function f(d) if d == 0 then return unpack(t, 1, %d) end return f(d - 1) end local a = f(%d)`, n, calls)
}

// TestOneCallReturnsFewValues: at most 250, also if calls within each other pile them up, or pass them on as "...".
func TestOneCallReturnsFewValues(t *testing.T) {
	const pile = `local function f(d) if d == 0 then return 1 end return d, f(d - 1) end `
	const pass = `local t = {} for i = 1, 200 do t[i] = i end local function f(...) return ... end `
	for _, c := range []struct{ body, want string }{
		{pile + `print(select("#", f(249)))`, "250"},
		{pile + `f(250)`, "251 values are passed on at once: at most 250; put them into a table"},
		{pass + `print(select("#", f(1, unpack(t))))`, "201"},
		{pass + `f(` + strings.Repeat("1, ", 60) + `unpack(t))`, "260 values are passed on at once"},
	} {
		lines, err := run(t, c.body)
		if got := fmt.Sprint(strings.Join(lines, "\n"), err); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}

// TestTextsPayForTheirLength: what makes or reads a text charges for its length, whatever the function.
func TestTextsPayForTheirLength(t *testing.T) {
	for _, c := range []struct {
		short, long string // statements
		least       int    // by how much the second is dearer
	}{
		{`("x"):rep(10)`, `("x"):rep(1000)`, 25},
		{`("x"):rep(10):upper()`, `("x"):rep(1000):upper()`, 50},
		{`string.format("%d", 5)`, `string.format(("%d"):rep(9), 1, 2, 3, 4, 5, 6, 7, 8, 9)`, 80},
		{`string.format("%f", 5)`, `string.format("%.99f", 5)`, 150},
		{`string.format("%f", 5)`, `string.format("%f", 1e300)`, 300},
		{`string.find("xxx", "y", 1, true)`, `string.find(("x"):rep(1000), "y", 1, true)`, 100},
		{`table.concat({ 1 })`, `table.concat({ 1, 2, 3, 4, 5, 6, 7, 8 })`, 7 * numberTextCost},
		{`local s = 1 .. "x"`, `local s = 1 .. 2 .. 3 .. "x"`, 2 * numberTextCost},
		{`local x = 1e10 % self.n`, `local x = 1e300 % self.n`, 400},
		{`math.fmod(1e10, 3)`, `math.fmod(1e300, 3)`, 400},
		{`local s = ("x"):rep(1000) local x = s < "y"`, `local s = ("x"):rep(1000) local x = s < s`, 50},
		{`local s = ("x"):rep(1000) local x = s == s`, `local s = ("x"):rep(1000) local x = s >= s`, 50},
		{`local s = ("x"):rep(64) local x = s <= s`, `local s = ("x"):rep(1024) local x = s <= s`, 60},
		{`local function f() local a, b end f()`,
			`local function f() local ` + strings.Repeat("a, ", 99) + `a end f()`, 21},
		{`for i = 1, 9 do local a end`, `for i = 1, 9 do local ` + strings.Repeat("a, ", 99) + `a end`, 9 * 11},
		{`local function f() end for i = 1, 9 do local a = f() end`,
			`local function f() end for i = 1, 9 do local ` + strings.Repeat("a, ", 99) + `a = f() end`, 9 * 11},
		{`local t = {} t[("x"):rep(100)] = 1`, `local t = {} t[("x"):rep(1000)] = 1`, 35},
		{returned(100, 8), returned(100, 100), 92 + 100*84/48},
		{returned(8, 100), returned(100, 100), 92*4 + 100*84/48},
		{`local function f() return 1, 2 end local a = f()`,
			`local function f(d) if d == 0 then return 1 end return 1, f(d - 1) end local a = f(100)`, 5000},
		{`tonumber("0.5e-300")`, `tonumber("2.2250738585072012e-308")`, 700},
		{`local x = "0.5" + 1`, `local x = "4.9e-324" + 1`, 700},
		{`for i = 1, 9 do table.insert(self.list, i) end for _ in ipairs({ 1, 2, 3, 4, 5, 6, 7, 8, 9 }) do end`,
			`for i = 1, 9 do table.insert(self.list, i) end for _ in ipairs(self.list) do end`, 9},
		{removed("i"), removed("i") + ` next(t)`, 250},
		{removed("i"), removed("i") + ` pairs(t)`, 250},
		{removed(`"k" .. i`), removed(`"k" .. i`) + ` next(t)`, 250},
		{removed(`"k" .. i`), removed(`"k" .. i`) + ` pairs(t)`, 250},
		{`local t = {} for i = 900, 6, -1 do t[i] = i end`, `local t = {} for i = 900, 1, -1 do t[i] = i end`, 9000},
		{`pcall(error, "x")`, `pcall(error, ("x"):rep(1000))`, 500},
		{`pcall(error, "x")`,
			`local function f(n) if n == 0 then error("x") end return 1 + f(n - 1) end pcall(f, 150)`, 2000},
		{`pcall(error, "x")`,
			`local function f(n) if n == 0 then error("x") end return 1 + f(n - 1) end pcall(f, 50)`, 200},
	} {
		spent := func(body string) int {
			s := start(t, "a.lua",
				`X = object "X" { state = { n = 3, list = list("number", 9) } } function X:tick() `+body+` end`)
			if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
				t.Fatal(err)
			}
			return s.vm.Instructions()
		}
		if short, long := spent(c.short), spent(c.long); long < short+c.least {
			t.Errorf("%s charges %d, and %s %d", c.short, short, strings.TrimSpace(c.long), long)
		}
	}
}

// TestVisitsPayOnce: a loop over next, or a work list that takes its first key until there is none, costs each key once.
func TestVisitsPayOnce(t *testing.T) {
	spent := func(body string, n int) int {
		s := start(t, "a.lua", fmt.Sprintf("X = object \"X\" { state = { n = %d } } function X:tick() local t = {} %s end", n, body))
		if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
			t.Fatalf("%s with %d keys: %v", body, n, err)
		}
		return s.vm.Instructions()
	}
	const next, list = `for k in next, t do end`, `while next(t) do local k = next(t) t[k] = nil end`
	for _, c := range []struct {
		fill, visit string
		most        int // instructions for each key
	}{
		{`t[i] = i`, next, 8}, {`t["k" .. i] = i`, next, 20}, {`t[{}] = i`, next, 20}, {`t[-i] = i`, next, 20},
		{`t[i] = i`, list, 30}, {`t["k" .. i] = i`, list, 40}, {`t[{}] = i`, list, 40},
		{`t[{}] = i`, `for k in pairs(t) do end`, 14}, {`t[i] = i`, `for k in pairs(t) do end`, 8},
		{`t[{}] = i`, `for i = 1, self.n do local k = next(t) t[k] = nil t[{}] = i end`, 70},
		{`t["k" .. i] = i`, `for i = 1, self.n do local k = next(t) t[k] = nil t["n" .. i] = i end`, 110},
		{`t[{}] = i`, `local k, v = next(t) while k do if v % 3 > 0 then t[k] = nil end k, v = next(t, k) end`, 35},
	} {
		fill := "for i = 1, self.n do " + c.fill + " end "
		for _, n := range []int{100, 800} {
			if each := (spent(fill+c.visit, n) - spent(fill, n)) / n; each > c.most {
				t.Errorf("%s after %s takes %d instructions for each of %d keys", c.visit, c.fill, each, n)
			}
		}
	}
}

// removed is statements that fill a table under 1,000 keys, an expression of i, and remove all but the last.
func removed(key string) string {
	return fmt.Sprintf(`local t = {} for i = 1, 1000 do t[%s] = i end for i = 1, 999 do t[%s] = nil end`, key, key)
}

// TestKeptTablesHaveNoEmptyPlaces: what the files remove from a table, and then keep, takes the time of no hook.
func TestKeptTablesHaveNoEmptyPlaces(t *testing.T) {
	s := start(t, "a.lua", removed(`"k" .. i`)+` t[1] = "one" t[{}] = 2 Kept = t
X = object "X" { state = { n = 3 } } function X:tick()
  local list = {} for k, v in pairs(Kept) do table.insert(list, type(k) .. v) end print(table.concat(list, " ")) end`)
	if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.lines, "\n"); !strings.HasSuffix(got, ": numberone string1000 table2") {
		t.Errorf("the table has %q", got)
	}
	kept := s.vm.states.first().G.Global.RawGetString("Kept").(*lua.LTable)
	if places := reflect.ValueOf(kept).Elem().FieldByName("keys").Len(); places != 2 || !isFrozen(kept) {
		t.Errorf("the table has %d places for keys", places)
	}
}

// TestCapturedVariablesCostWhileTheirCallsGoOn: each call walks all captured variables of the calls that go on. Functions
// that loops and calls leave behind do not make instructions dear.
func TestCapturedVariablesCostWhileTheirCallsGoOn(t *testing.T) {
	spent := func(before string) int {
		s := start(t, "a.lua", `X = object "X" { state = { n = 3 } } local function f() end
local function made(n) local a, b, c = n, n, n return function() return a + b + c end end
function X:tick() `+before+` end`)
		if err := s.call(world.OnTick, s.spawn("X"), world.Args{}); err != nil {
			t.Fatal(err)
		}
		return s.vm.Instructions()
	}
	const many, rest = `local g for i = 1, 100 do local k = i g = made(i) g = function() return g, k end end `,
		`g = made(1) for i = 1, 999 do f() end`
	if first, both := spent(many), spent(many+rest); both-first > 999*5+300 {
		t.Errorf("a loop after many closures charges %d", both-first)
	}
	const loop = "for i = 1, 999 do f() end"
	few := spent(captured(8, loop)) - spent(captured(8, ""))
	if deep := spent(captured(150, loop)) - spent(captured(150, "")); few > 999*5 || deep < 5*few {
		t.Errorf("a loop charges %d, and %d while 300 variables are captured", few, deep)
	}
}

// TestErrorsPayForTheirCalls: an error that ends the hook charges for the list of the calls within which it was raised.
func TestErrorsPayForTheirCalls(t *testing.T) {
	spent := func(end string) int {
		s := start(t, "a.lua", `X = object "X" { state = { n = 3 } }
local function f(d) if d == 0 then `+end+` end return 1 + f(d - 1) end function X:tick() f(950) end`)
		_ = s.call(world.OnTick, s.spawn("X"), world.Args{})
		return s.vm.Instructions()
	}
	if without, with := spent(`return 0`), spent(`error("x")`); with < without+20_000 {
		t.Errorf("a hook charges %d, and with an error %d", without, with)
	}
}

// TestQueriesAgreeWithinAnOrder: a query finds the same, and charges as much, the first and the twentieth time in an
// order, when the order has indexes, whatever has changed since the order before and in this one.
func TestQueriesAgreeWithinAnOrder(t *testing.T) {
	m := openMarket(t, 1000, pricedCases())
	m.w.Check = true
	seen, _ := m.w.Schema().ClassByName("Seen")
	crate, _ := m.w.Schema().ClassByName("Crate")
	plain := func(a world.Actor) string {
		q := a.Queries().Without(0)
		hit, met := q.Raycast(-2, -1, 30, 22, math.MaxUint64)
		near, ok := q.NearestOf(70, 70, []int{seen, crate}, math.Inf(1))
		return fmt.Sprint(hit, met, near, ok, q.OverlapBox(5, 5, 9, 4, math.MaxUint64, nil), q.OfClass(seen, nil),
			q.OfClasses([]int{seen, crate}, nil), a.Calls().Work())
	}
	ask := func() string {
		a := m.w.Actor()
		a.Calls().LimitWork(0)
		a.BeginAsSeen(world.ViewTime{Back: 1000, All: true}, nil)
		shown := a.Queries().OverlapCircle(9, 9, 3, math.MaxUint64, nil)
		a.EndAsSeen()
		return fmt.Sprint(shown, a.Calls().Work(), plain(a))
	}
	answers := map[string]bool{}
	for order := range 6 {
		m.w.Begin()
		m.w.BeginOrder()
		m.w.Act(m.probe)
		other := world.New() // which has no indexes yet
		other.Load(m.w.Now, m.w.Schema())
		other.BeginOrder()
		m.w.Actor().Calls().LimitWork(0)
		if got, want := plain(m.w.Actor()), plain(other.Actor()); got != want {
			t.Fatalf("order %d gives\n%s\nand another world\n%s", order, got, want)
		}
		var first string
		for i := range 20 {
			got := ask()
			if i == 0 {
				first = got
				answers[got] = true
			}
			if got != first {
				t.Fatalf("in order %d, query %d gives\n%s\nand the first one\n%s", order, i, got, first)
			}
			if i%5 == 4 {
				if _, err := m.w.Spawn("Seen", world.Placement{Pose: physics.Pose{X: 5.3, Y: 5.1}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i, op := range []world.Op{{Kind: world.SetPosition, A: 4, B: 5}, {Kind: world.Remove}} {
			op.Target = m.w.Now.Objects[m.w.Now.Run[50+2*order+i]].ID
			if err := m.w.Actor().Do(op); err != nil {
				t.Fatal(err)
			}
		}
		m.w.Act(-1)
		m.w.EndOrder()
		m.w.End()
	}
	if len(answers) != 6 {
		t.Errorf("6 orders gave %d answers", len(answers))
	}
}
