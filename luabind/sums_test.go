package luabind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

const counters = `
game { state = { n = 0 } }
Count = object "Count" {
  body = { type = "static", shape = { circle = 1 } },
  state = { n = %v, list = list("number", 4), rec = record { n = 1 }, rows = list(record { n = 0 }, 2), small = { "number", min = 0, max = 4 } },
}
function Count:one() return 1 end
function Count:add(n) self.n = self.n + n end
function Count:twice(n) self:add(n) self:add(n) end
function Count:show() print(self.n) end
function Count:onSpawn() self.list[1], self.rows[1] = 1, { n = 1 } end
Actor = object "Actor" { state = { n = 2, other = ref() } }
function Actor:two() return 2 end
function Actor:onSpawn() self.other = objects("Count")[1] end
function Actor:tick()
  local c, i, one, text, t = objects("Count")[1], 1, 1, "2", { n = 1 }
  local vector = setmetatable({}, { __add = function(a, b) return 100 end })
  %s
end`

// TestChangesByOthersAddUp: what several objects add to a number of another one in the same order adds up, however
// the sum is written, and whatever the operand is.
func TestChangesByOthersAddUp(t *testing.T) {
	count := func(read func(s *testScene, c int) float64) func(*testScene, int) float64 { return read }
	n := count(func(s *testScene, c int) float64 { return s.field(c, "n") })
	game := count(func(s *testScene, _ int) float64 { at, _ := s.w.Match(); return s.field(at, "n") })
	field := func(name string) func(*testScene, int) float64 {
		return func(s *testScene, c int) float64 { return s.field(c, name) }
	}
	for _, c := range []struct {
		body string
		of   func(*testScene, int) float64
		from float64
		want float64 // after three objects have run it
	}{
		{`c.n = c.n + 1`, n, 5, 8},
		{`c.n = c.n - one`, n, 5, 2},
		{`c.n = c.n * 2`, n, 5, 40},
		{`c.n = c.n / 2`, n, 8, 1},
		{`c.n = c.n + self.n`, n, 5, 11},
		{`c.n = c.n + self:two()`, n, 5, 11},
		{`c.n = c.n - math.max(1, one) * 2`, n, 5, -1},
		{`c.n = c.n + text`, n, 5, 11},
		{`c.n = c.n + c.n`, n, 5, 20}, // each adds what it sees
		{`for k = 1, 3 do c.n = c.n + k end`, n, 5, 23},
		{`c["n"] = c.n + 1`, n, 5, 8},
		{`self.other.n = self.other.n + c:one()`, n, 5, 8},
		{`c:twice(2)`, n, 5, 17},
		{`nearest("Count", 0, 0).n = nearest("Count", 0, 0).n + 1`, n, 5, 8},
		{`game.n = game.n + 1`, game, 0, 3},
		{`game.n = game.n + self:two()`, game, 0, 6},
		{`c.list[1] = c.list[1] + 1`, field("list[1]"), 0, 4},
		{`c.list[i] = c.list[i] * self:two()`, field("list[1]"), 0, 8},
		{`c.rec.n = c.rec.n + self.n`, field("rec.n"), 0, 7},
		{`c.rows[i].n = c.rows[i].n + c:one()`, field("rows[1].n"), 0, 4},
		{`c.small = c.small + 3`, field("small"), 0, 4}, // clamped each time
		{`c.small = c.small + 3 c.small = c.small - 2`, field("small"), 0, 2},
		{`local all = objects("Count") all[i].n = all[i].n + 1`, n, 5, 8},
		{`local t = { one = c } t.one.n = t.one.n - self:two()`, n, 5, -1},
		{`objects("Count")[1].n = objects("Count")[1].n + 1`, n, 5, 8},
		{`c.list[#c.list] = c.list[#c.list] + 1`, field("list[1]"), 0, 4},
		{`c.list[i + 1 - one] = c.list[i + 1 - one] - -1`, field("list[1]"), 0, 4},
		{`c.n = (c.n or 0) + 1`, n, 5, 8},
		{`local k = "n" game[k] = game[k] + 1`, game, 0, 3},
		{`c.n, game.n = c.n + 1, game.n + 1`, n, 5, 8},
		{`c.n, game.n = c.n + 1, game.n + self:two()`, game, 0, 6},
		{`self.n, c.n = c.n, c.n - self.n`, n, 5, -1},
		{`c.n, i, game.n = c.n + c:one(), 4, 3`, n, 5, 8},
		{`c.n, c.small = c.n / 2, c:one()`, n, 8, 1},
		// These write a value that they have read: the last one stands.
		{`c.n = 1 + c.n`, n, 5, 6},
		{`local was = c.n c.n = was + 1`, n, 5, 6},
		{`c.n = c.n + vector`, n, 5, 100},
		{`c.n = 3`, n, 5, 3},
		// The own fields and those of tables are as in Lua.
		{`self.n = self.n + 1 self.n = self.n + self:two() c.n = self.n`, n, 0, 5},
		{`t.n = t.n + 1 t.n = t.n + self:two() c.n = t.n`, n, 0, 4},
		{`self.n, t.n = self.n + 1, self.n + t.n c.n = self.n * 10 + t.n`, n, 0, 33},
		{`t[1], t[2] = 3, 4 t[1], t[2] = t[2] + 1, t[1] + 1 c.n = t[1] * 10 + t[2]`, n, 0, 54},
		{`t.n = (t.none or 7) + 1 t.none = (t.none or 7) + 1 c.n = t.n * 10 + t.none`, n, 0, 88},
	} {
		s := start(t, "a.lua", fmt.Sprintf(counters, c.from, c.body))
		made := s.spawn("Count")
		actors := []int{s.spawn("Actor"), s.spawn("Actor"), s.spawn("Actor")}
		for _, a := range actors {
			if err := s.call(world.OnTick, a, world.Args{}); err != nil {
				t.Errorf("%s: %v", c.body, err)
			}
		}
		if s.order(); c.of(s, made) != c.want {
			t.Errorf("%s gives %v, want %v", c.body, c.of(s, made), c.want)
		}
	}
}

// TestSumsReadFromLeftToRight: the field is read before the operand is computed, which may change it.
func TestSumsReadFromLeftToRight(t *testing.T) {
	prints(t, `
local function bump(b) b.hp = b.hp + 1 return b.hp end
self.hp = self.hp + bump(self)
print(self.hp)`, "21")
}

// TestTheTraceTellsSums: a change of another object is told as the operation that it is, one of the own object as the
// value that it has then.
func TestTheTraceTellsSums(t *testing.T) {
	s := start(t, "a.lua", fmt.Sprintf(counters, 5, `
  c.n = c.n + 1
  c.n = c.n - 2
  c.n = c.n * self:two()
  c.n = c.n / 2
  self.n = self.n + 1`))
	made, actor := s.spawn("Count"), s.spawn("Actor")
	var told []string
	s.vm.TraceChanges(func(ch world.Change) {
		slot := made
		if ch.Op.Target == s.w.Now.Objects[actor].ID {
			slot = actor
		}
		told = append(told, ch.Text(s.w.Class(slot)))
	})
	if err := s.call(world.OnTick, actor, world.Args{}); err != nil {
		t.Fatal(err)
	}
	want := "n = n + 1, n = n - 2, n = n * 2, n = n / 2, n = 3"
	if got := strings.Join(told, ", "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestPendingChangesAreTold: a hook that reads what it has changed of another object reads the old value, and of two
// objects that compute a new value for one field only one counts. Both are told, and nothing else is.
func TestPendingChangesAreTold(t *testing.T) {
	for body, want := range map[string]string{
		`c.n = c.n - 3
  if c.n <= 2 then c:remove() end`: `a.lua:19: Count.n is 5 here, not 2: Actor:tick has changed it (a.lua:18), but what a hook does to another object ` +
			`takes effect when its order ends. Look at it in Count:tick(), or compute the new value in a local variable first`,
		`c:twice(2) c:show()`:                                     `a.lua:10: Count.n is 5 here, not 9: Actor:tick has changed it (a.lua:8)`,
		`game.n = game.n + 1 if game.n > 0 then end`:              `a.lua:18: game.n is 0 here, not 1: Actor:tick has changed it (a.lua:18), but what a hook does to another object takes effect when its order ends. Look at it in tick() of game.lua`,
		`c.list[1] = 4 c.n = c.list[1]`:                           `a.lua:18: Count.list[1] is 1 here, not 4: `,
		`table.insert(c.list, 1) if #c.list == 2 then end`:        `a.lua:18: Count.list is a list of 1 here, not a list of 2: `,
		`c.n = math.max(c.n - 1, 0)`:                              `a.lua:18: two objects compute a new Count.n from its value in the same tick, here and in Actor:tick (a.lua:18): only one of the two counts, since each sees the value from before. Changes that are written as Count.n = Count.n + n add up`,
		`c.list[i] = math.min(9, c.list[i] + 1)`:                  `a.lua:18: two objects compute a new Count.list[1] from its value in the same tick`,
		`for k = 1, 3 do c.n = c.n + c:one() end c.n = c.n - one`: ``,
		`c.n = 5 if c.n == 5 then end`:                            ``, // it has the value already
		`c.n = 7 self.n = self.n + 1 if self.n > 2 then end`:      ``,
		`c.n = math.max(c.n, 9)`:                                  ``, // both write the same
		`c.n = c.n % 2`:                                           ``,
		`c.n = math.max(c.n, self.n == 2 and 3 or 9)`:             ``,
		`c.n = math.min(c.n + 1, 9)`:                              `a.lua:18: two objects compute a new Count.n from its value in the same tick`,
		`c.n = c.n + one + one`:                                   `a.lua:18: two objects compute a new Count.n from its value in the same tick`,
		`c.n = 1 + c.n`:                                           `a.lua:18: two objects compute a new Count.n from its value in the same tick`,
		`game.n, c.n = 1, 1 + c.n`:                                `a.lua:18: two objects compute a new Count.n from its value in the same tick`,
		`self.n = math.max(self.n - 1, 0)`:                        ``,
		`local made = spawn("Count") made.n = 3 if made.n == 3 then made.n = math.max(made.n, 4) end`: ``,
		`table.insert(c.list, 7) for _, v in ipairs(c.list) do self.n = v end`:                        `a.lua:18: Count.list[2] is nil here, not 7: `,
		`table.insert(c.list, 7) for _, v in pairs(c.list) do self.n = v end`:                         `a.lua:18: Count.list is a list of 1 here, not a list of 2: `,
		`table.insert(c.list, 1, 7) self.n = c.list[1]`:                                               `a.lua:18: Count.list[1] is 1 here, not 7: `,
		`table.insert(c.list, 7) self.n = c.list[1]`:                                                  ``,
		`c.rows[2] = { n = 4 } if c.rows[2] then self.n = 3 end`:                                      `a.lua:18: Count.rows[2] is nil here, not a record: `,
		`c.rows[1].n = 4 self.n = c.rows[1].n`:                                                        `a.lua:18: Count.rows[1].n is 1 here, not 4: `,
		`c:setPosition(5, 6) self.n = c:getPosition()`:                                                `a.lua:18: Count:getPosition() is 0, 0 here, not 5, 6: Actor:tick has changed it (a.lua:18), but `,
		`c:setPosition(0, 0) self.n = c:getPosition()`:                                                ``,
		`c:setVelocity(5, 6) self.n = c:getVelocity()`:                                                `a.lua:18: Count:getVelocity() is 0, 0 here, not 5, 6: `,
		`c:setDirection(1) self.n = c:getDirection()`:                                                 `a.lua:18: Count:getDirection() is 0 here, not 1: `,
		`c:setAngularVelocity(1) self.n = c:getPosition()`:                                            ``,
		`c:setOwner(1) self.n = c.owner`:                                                              `a.lua:18: Count.owner is 0 here, not 1: Actor:tick has set it (a.lua:18), which takes effect when the tick ends`,
		`c:remove() if c:valid() then self.n = 1 end`:                                                 `a.lua:18: valid() is still true: Actor:tick has removed this Count (a.lua:18), which takes effect when the tick ends. Keep what has happened in a field`,
		`self:remove() if self:valid() then self.n = 1 end`:                                           `a.lua:18: valid() is still true: Actor:tick has removed this Actor`,
		`if c.n == 5 then c.n = 6 end`:                                                                ``,
		`table.insert(c.list, 1) c.list[1] = 2`:                                                       ``,
		`pcall(function() c.n = 3 error("") end)`:                                                     ``,
	} {
		s := start(t, "a.lua", fmt.Sprintf(counters, 5, body))
		s.spawn("Count")
		var told []string
		s.vm.WatchPending(func(e *world.ScriptError) { told = append(told, e.Error()) })
		for _, a := range []int{s.spawn("Actor"), s.spawn("Actor")} {
			if err := s.call(world.OnTick, a, world.Args{}); err != nil {
				t.Errorf("%s: %v", body, err)
			}
		}
		if len(told) > 0 != (want != "") || len(told) > 0 && !strings.HasPrefix(told[0], want) {
			t.Errorf("%s\ntold %q\nwant %q", body, told, want)
		}
	}
}
