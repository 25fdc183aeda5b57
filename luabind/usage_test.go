package luabind

import (
	"regexp"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestWhereABudgetWent: an error about a budget names the hook and the innermost function that used at least half of it,
// at the line of it that used most, wherever the budget ended.
func TestWhereABudgetWent(t *testing.T) {
	const cheap, dear = `function cheap(n) for i = 1, 10 do n = n + i end return n end
`, `function dear(n)
  for i = 1, 40 do
    n = n + i
    n = n % 7 n = n + 1 n = n + 1 n = n + 1
  end
  return n
end
`
	for _, c := range []struct{ functions, body, want string }{
		{cheap + dear, "while true do cheap(1) dear(2) end",
			`^a.lua:[56]: X:tick used up its budget of 100000 instructions, (about [89]\d %|almost all) of it in lines [34] to [5678]; is there a loop that `},
		{cheap, "while true do\n cheap(1)\n cheap(2)\n cheap(3) end", // no callee has half
			`^a.lua:2: X:tick used up its budget of 100000 instructions, (about \d\d %|almost all) of it in line 2; is`},
		{cheap + strings.ReplaceAll(cheap, "cheap", "cheap2") + strings.ReplaceAll(cheap, "cheap", "cheap3"),
			"while true do\n cheap(1)\n cheap2(2)\n cheap3(3) end",
			`^a.lua:[678]: X:tick used up its budget of 100000 instructions, almost all of it in lines [56] to 8, with what is called there; is`},
		{dear, "local function deep(n)\n if n > 0 then return 1 + deep(n - 1) end\n while true do dear(1) end end deep(50)",
			`^a.lua:[56]: X:tick used up its budget of 100000 instructions, almost all of it in lines 3 to [567]; is`},
		{dear, "pcall(function() while true do dear(1) end end)", `^a.lua:[56]: X:tick used .* instructions, almost all of it in lines 3 to [567]; is`},
		{dear, "coroutine.wrap(function() while true do dear(1) end end)()",
			`^a.lua:[56]: X:tick used .* instructions, almost all of it in lines 3 to [567]; is`},
		{"", "local s = 'x'\n while true do s = s .. 'xxxxxxxx' end",
			`^a.lua:3: X:tick used up its budget of 1024 KiB of memory, almost all of it in line 3; `},
		{"function fill()\n local t = {}\n for i = 1, 100 do\n t[i] = { i } end end\n", "while true do fill() end",
			`^a.lua:[56]: X:tick used up its budget of 1024 KiB of memory, almost all of it in lines [34] to 5; tables`},
	} {
		// where the budget ends depends on the length of the loop before
		for _, first := range []string{"1", "17", "40", "333", "900"} {
			text := c.functions + "X = object \"X\" {} function X:tick() for i = 1, " + first + " do end " + c.body + " end"
			text = "\n" + text
			s := start(t, "a.lua", text)
			err := s.call(world.OnTick, s.spawn("X"), world.Args{})
			if err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
				t.Errorf("%s after %s:\n got %v\nwant %s", c.body, first, err, c.want)
			}
		}
	}
}

// TestBudgetWithinSpawns: what onSpawn uses of the budget of the hook that spawns is used in the line of spawn.
func TestBudgetWithinSpawns(t *testing.T) {
	s := start(t, "a.lua", `X = object "X" {}
function X:tick()
  for i = 1, 100 do end
  while true do
    spawn("Y")
  end
end
Y = object "Y" {}
function Y:onSpawn() for i = 1, 5000 do end end
function X:onTrigger() while true do end end`)
	err := s.call(world.OnTick, s.spawn("X"), world.Args{})
	if want := "a.lua:5: X:tick used up its budget of 100000 instructions, almost all of it in line 5; "; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	s.order()
	if err := s.call(world.OnTrigger, s.spawn("X"), world.Args{}); err == nil || !strings.HasPrefix(err.Error(), "a.lua:10: X:onTrigger used up") {
		t.Errorf("the next hook: %v", err)
	}
}

// TestNamesOfSpentHooks: functions of game.lua have no class, and timers and calls their own names.
func TestNamesOfSpentHooks(t *testing.T) {
	s := start(t, "a.lua", `X = object "X" {} function X:onSpawn() every(1, "boom") end
function X:boom() while true do end end`, "game.lua", `function onStart() while true do end end`)
	for _, c := range []struct {
		slot int
		hook world.Hook
		want string
	}{
		{s.spawn("X"), world.OnTimer, "a.lua:2: X:boom used up its budget of"},
		{0, world.OnStart, "game.lua:1: onStart used up its budget of"},
	} {
		if err := s.call(c.hook, c.slot, world.Args{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, not %s", err, c.want)
		}
	}
}
