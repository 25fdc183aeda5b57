package luabind

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// holder declares every kind of list and record.
const holder = `
Item = record { what = str(8, "none"), count = 1, pos = record { x = 0, y = 0 } }
H = object "H" {
  state = {
    hits = list("number", 4), names = list(str(8), 3), flags = list("bool", 2), friends = list("ref", 3),
    slot = record { item = str(16), count = 2, best = ref(), tags = list("number", 2) },
    slots = list(Item, 3),
    hp = { "number", default = 50, min = 0, max = 100, step = 0.5, show = "step" },
    heading = { "angle" }, speed = { "number", step = 0.25, show = "lerp" },
  },
  aux = { marks = list("number", 2) },
}
`

// inHolder runs statements in a hook of an H. The variable other is another H.
func inHolder(t testing.TB, body string) (*testScene, error) {
	t.Helper()
	s := start(t, "a.lua", holder+"function H:tick()\nlocal other = objects('H')[1] if other == self then other = objects('H')[2] end\n"+body+"\nend")
	s.spawn("H")
	me := s.spawn("H")
	err := s.call(world.OnTick, me, world.Args{})
	s.order()
	for i, l := range s.lines {
		_, s.lines[i], _ = strings.Cut(l, ": ")
	}
	return s, err
}

func TestListsAndRecords(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a list starts empty", `print(#self.hits, self.hits[1], self.hits[0], self.hits[99], self.hits[0.5], type(self.hits))`, "0 nil nil nil nil table"},
		{"next of a list", `print(next(self.hits), next(self.hits) == nil) self.hits = { 4, 7 } for k, v in next, self.hits do print(k, v) end print(next(self.hits, 1), (next(self.hits, 2)))
print(pcall(next, self.hits, 3)) print((pcall(next, self.hits, "a"))) self.friends = { other, self } print(next(self.friends) == 1, select(2, next(self.friends)) == other)`,
			"nil true|1 4|2 7|2 nil|false next: H.hits has no item 3|false|true true"},
		{"next of a record", `for k, v in next, self.slot do print(k, type(v)) end print((pcall(next, self.slot, "none"))) self.slots[1] = { what = "x" } print(next(self.slots[1]))`,
			"count number|item string|tags table|false|count 1"},
		{"rawget and rawset", `self.hits = { 4 } print(rawget(self.hits, 1), rawget(self.hits, 2), rawget(self.hits, "x"), rawget(self.hits, 0.5), rawget(self.slot, 1), rawget(self.slot, "count"), rawget(self.slot, "no"))
rawset(self.hits, 2, 9) rawset(self.slot, "count", 3) print(self.hits[2], self.slot.count, (pcall(rawset, self.hits, 4, 1)), (pcall(rawset, self.slot, "no", 1)))`,
			"4 nil nil nil nil 2 nil|9 3 false false"},
		{"the next item is added", `self.hits[1] = 5 self.hits[2] = 6 print(#self.hits, self.hits[1], self.hits[2])`, "2 5 6"},
		{"an item is changed", `self.hits[1] = 5 self.hits[1] = self.hits[1] + 2 print(self.hits[1])`, "7"},
		{"the last item is taken away", `self.hits = {1, 2} self.hits[#self.hits] = nil print(#self.hits) self.hits[5 - 3] = nil print(#self.hits)`, "1|1"},
		{"a list is assigned", `self.hits = { 3, 4, 5 } print(unpack(self.hits)) self.hits = {} print(#self.hits)`, "3 4 5|0"},
		{"a list is copied", `self.hits = { 3, 4 } self.marks = self.hits self.hits[1] = 9 print(table.concat(self.marks, ","))`, "3,4"},
		{"a list is assigned to itself", `self.hits = { 3, 4 } self.hits = self.hits print(table.concat(self.hits, ","))`, "3,4"},
		{"a list in a local", `local h = self.hits h[1] = 8 h[2] = 9 print(#h, h[1] + h[2], h == self.hits)`, "2 17 true"},
		{"ipairs", `self.hits = { 3, 4 } for i, v in ipairs(self.hits) do print(i, v) end`, "1 3|2 4"},
		{"pairs", `self.names = { "a", "b" } for k, v in pairs(self.names) do print(k, v) end`, "1 a|2 b"},
		{"pairs of a record", `for k, v in pairs(self.slot) do print(k, type(v)) end`, "count number|item string|tags table"},
		{"insert", `table.insert(self.hits, 1) table.insert(self.hits, 3) table.insert(self.hits, 2, 2) table.insert(self.hits, 1, 0) print(unpack(self.hits))`, "0 1 2 3"},
		{"remove", `self.hits = {1, 2, 3} print(table.remove(self.hits, 1), table.remove(self.hits), table.remove(self.hits, 7), #self.hits, self.hits[1])`, "1 3 nil 1 2"},
		{"sort", `self.hits = {3, 1, 2} table.sort(self.hits) print(unpack(self.hits)) table.sort(self.hits, function(a, b) return a > b end) print(unpack(self.hits))`, "1 2 3|3 2 1"},
		{"strings, booleans, refs", `self.names[1] = "abc" self.flags[1] = true self.friends = { self, other, nil } print(self.names[1], self.flags[1], self.friends[1] == self, #self.friends)`, "abc true true 2"},
		{"a record", `self.slot.count = self.slot.count + 3 self.slot.item = "gem" print(self.slot.item, self.slot.count)`, "gem 5"},
		{"a record is assigned", `self.slot = { item = "x", tags = { 7 } } print(self.slot.item, self.slot.count, self.slot.tags[1], #self.slot.tags)`, "x 2 7 1"},
		{"a record in a local", `local s = self.slot s.count = 9 print(self.slot.count, s == self.slot)`, "9 true"},
		{"a ref in a record", `self.slot.best = other print(self.slot.best == other) self.slot.best = nil print(self.slot.best)`, "true|nil"},
		{"a list in a record", `self.slot.tags = { 1, 2 } table.remove(self.slot.tags, 1) print(#self.slot.tags, self.slot.tags[1])`, "1 2"},
		{"records in a list", `self.slots[1] = { what = "a" } table.insert(self.slots, { count = 5, pos = { y = 3 } }) print(#self.slots, self.slots[1].what, self.slots[1].count, self.slots[2].what, self.slots[2].pos.y)`, "2 a 1 none 3"},
		{"a part of a record in a list", `self.slots = { {}, {} } self.slots[2].pos.x = 4 self.slots[2].pos.x = self.slots[2].pos.x * 2 print(self.slots[2].pos.x, self.slots[1].pos.x)`, "8 0"},
		{"a removed record is a table", `self.slots = { { what = "a", count = 3 }, { what = "b" } } local s = table.remove(self.slots, 1) print(s.what, s.count, s.pos.x, self.slots[1].what) table.insert(self.slots, s) print(self.slots[2].what)`, "a 3 0 b|a"},
		{"records are copied", `self.slots = { { what = "a" } } table.insert(self.slots, self.slots[1]) self.slots[1].what = "z" print(self.slots[2].what)`, "a"},
		{"records are sorted", `self.slots = { { what = "a", count = 3 }, { what = "b", count = 1 }, { what = "c", count = 2 } }
table.sort(self.slots, function(a, b) return a.count < b.count end) print(self.slots[1].what .. self.slots[2].what .. self.slots[3].what)`, "bca"},
		{"computed names", `local k, p = "slot", "count" print(self[k][p]) self[k][p] = 4 print(self.slot.count) for i, s in ipairs(self.slots) do end`, "2|4"},
		{"as text", `print(tostring(self.hits), tostring(self.slot), tostring(self.slots[1]))`, "list H.hits record H.slot nil"},
		{"aux", `self.marks[1] = 5 print(self.marks[1])`, "5"},
		{"a range and a step", `print(self.hp) self.hp = 200 print(self.hp) self.hp = -3 print(self.hp) self.hp = 7.3 print(self.hp) self.hp = 0/0 print(self.hp) self.speed = 1e300 print(self.speed) self.speed = -0.9 print(self.speed)`, "50|100|0|7.5|0|1e+300|-1"},
		{"changes in place", `local by = 2 self.hp = self.hp - 1 self.hp = self.hp * by print(self.hp) self.hits = {1, 2} for i = 1, 2 do self.hits[i] = self.hits[i] + i * 10 end print(unpack(self.hits)) self.slot.count = self.slot.count / 4 print(self.slot.count)`, "98|11 22|0.5"},
		{"changes in place of what is no state", `local t = { hp = 1, hits = { 5 }, count = "7" } t.hp = t.hp + 1 t.hits[1] = t.hits[1] * 2 t.count = t.count - 1 print(t.hp, t.hits[1], t.count)`, "2 10 6"},
		{"swap", `self.hits = {1, 2} self.hits[1], self.hits[2] = self.hits[2], self.hits[1] print(unpack(self.hits))`, "2 1"},
		{"of an object just spawned", `local h = spawn("H", { hits = { 4, 5 }, slot = { count = 8 }, slots = { { what = "q" } } }) print(#h.hits, h.hits[2], h.slot.count, h.slots[1].what) table.insert(h.hits, 1) print(#h.hits)`, "2 5 8 q|3"},
		{"another's list is as it was", `other.hits[1] = 4 table.insert(other.hits, 5) print(#other.hits) other.slot.count = 9 print(other.slot.count)`, "0|2"},
	} {
		s, err := inHolder(t, c.body)
		got := strings.ReplaceAll(strings.Join(s.lines, "|"), "\t", " ")
		if err != nil || got != c.want {
			t.Errorf("%s: %q, not %q; %v", c.name, got, c.want, err)
		}
	}
}

func TestListsRefuse(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`self.hits = {1, 2, 3, 4} self.hits[5] = 5`, "H.hits is full: it holds at most 4 items"},
		{`self.hits = {1, 2, 3, 4} table.insert(self.hits, 5)`, "H.hits is full"},
		{`self.hits = {1, 2, 3, 4, 5}`, "H.hits holds at most 4 items, not 5"},
		{`self.hits[3] = 1`, "H.hits[3]: the list has 0 items, so the next one is number 1"},
		{`self.hits[0] = 1`, "H.hits[0]"},
		{`self.hits[0/0] = 1`, "H.hits[nan]"},
		{`self.hits[1] = "x"`, "H.hits[1] is a number and cannot hold a string"},
		{`self.hits = { 1, true }`, "H.hits[2] is a number and cannot hold a boolean"},
		{`self.hits = 5`, "H.hits is a list and takes a table, not a number"},
		{`self.hits = {1, 2} self.hits[1] = nil`, "H.hits[1] = nil would leave a hole"},
		{`self.hits.x = 1`, "H.hits is a list: its items have numbers"},
		{`self.hits[1] = self.hits[1] + 1`, "arithmetic on a nil value (item 1)"},
		{`self.names = self.names + 1`, "arithmetic on a list (field 'names')"},
		{`self.slot.item = self.slot.item + 1`, "arithmetic on a string value (field 'item')"},
		{`self.hits:insert(1)`, "H.hits is a list: its items have numbers"},
		{`local x = self.hits.count`, "H.hits is a list"},
		{`self.names[1] = "123456789"`, "holds at most 8 bytes, not 9"},
		{`self.slot.x = 1`, "H.slot has no part x; there are best, count, item, tags"},
		{`self.slot = { cout = 1 }`, "H.slot has no part cout; there are count"},
		{`self.slot.count = true`, "H.slot.count is a number and cannot hold a boolean"},
		{`self.slot = nil`, "H.slot is a record and takes a table, not nil"},
		{`local n = #self.slot`, "this is a record, not a list"},
		{`self.slots[1] = { pos = 5 }`, "H.slots[].pos is a record and takes a table, not a number"},
		{`self.slots[1] = { what = 5 }`, "H.slots[1].what is a string"},
		{`self.slots = { {} } local s = self.slots[1] table.remove(self.slots) print(s.count)`, "H.slots[1].count: the list has 0 items now"},
		{`self.slots = { {} } local s = self.slots[1] table.remove(self.slots) s.count = 1`, "H.slots[1].count: the list has 0 items now"},
		{`self.slots[1].count = 1`, "nil"},
		{`other.hits[2] = 1`, "H.hits[2]: the list has 0 items"},
		{`table.sort(self.hits, 5)`, "must be a function"},
		{`table.insert(self.hits, 3, 1)`, "table.insert at 3: H.hits has 0 items"},
		{`table.insert(self.slot, 1)`, "must be a table, not a record"},
		{`local t = { self.hits } t[self.hits] = 1`, "a list cannot be a table key"},
		{`local x = self.hits .. ""`, "not a list"},
		{`setmetatable(self.hits, {})`, "must be a table, not a list"},
	} {
		s, err := inHolder(t, c.body)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "a.lua:15:") {
			t.Errorf("%s: %v, not %q (%v)", c.body, err, c.want, s.lines)
		}
	}
}

// TestListsOfOthers: changes of a list of another object take effect when the order ends, in
// the order in which they were made.
func TestListsOfOthers(t *testing.T) {
	s := start(t, "a.lua", holder+`
function H:tick()
  local o = objects("H")[1]
  if o == self then return end
  table.insert(o.hits, 1) table.insert(o.hits, 2)
  o.slots[1] = { what = "first" }
  o.slots[1].count = 7
end`)
	for range 4 {
		s.spawn("H")
	}
	hs := slices.DeleteFunc(slices.Clone(s.w.Now.Run), func(slot int32) bool { return s.w.Class(int(slot)).Name != "H" })
	first := int(hs[0])
	for _, slot := range hs[1:] {
		if err := s.call(world.OnTick, int(slot), world.Args{}); err == nil || !strings.Contains(err.Error(), "attempt to index a nil value") {
			t.Errorf("%v", err) // o.slots[1] is there when the order ends only
		}
	}
	s.order()
	if got := dump(s, first); !strings.Contains(got, "#hits=4 hits[1]=1 hits[2]=2 hits[3]=1 hits[4]=2") || !strings.Contains(got, "#slots=1 ") || !strings.Contains(got, `slots[1].what="first"`) {
		t.Error(got)
	}
}

// dump shows all fields of an object.
func dump(s *testScene, slot int) string {
	var parts []string
	row := s.w.Now.Row(slot)
	c := s.w.Class(slot)
	for i := range c.Fields {
		f := &c.Fields[i]
		v := fmt.Sprint(row.Word(f))
		switch f.Kind {
		case world.Number:
			v = formatNumber(numberOf(row.Word(f)))
		case world.String:
			v = fmt.Sprintf("%q", world.StringField(row, f))
		}
		parts = append(parts, f.Name+"="+v)
	}
	return strings.Join(parts, " ")
}

func TestFieldOptions(t *testing.T) {
	s, err := inHolder(t, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]world.Field{
		"hp":      {Min: 0, Max: 100, Step: 0.5, Show: world.ShowStep},
		"heading": {Show: world.ShowShortest}, "speed": {Step: 0.25, Show: world.ShowLerp},
		"hits[2]": {Show: world.ShowLerp, List: 2, Item: 2}, "slots[2].count": {List: 5, Item: 2}, "names[1]": {Show: world.ShowStep, List: 1, Item: 1},
	} {
		f, ok := s.w.Class(s.w.Now.Len() - 1).Field(name)
		if !ok || f.Min != want.Min || f.Max != want.Max || f.Step != want.Step || f.Show != want.Show || f.List != want.List || f.Item != want.Item {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestFieldDeclarationsRefused(t *testing.T) {
	for _, c := range []struct{ field, want string }{
		{`list("text", 3)`, `list("text", n): a list holds`},
		{`list("number")`, "list(of, n): n must be a number"},
		{`list("number", 0)`, "a list holds 1 to 256 items"},
		{`list("number", 1e9)`, "a list holds 1 to 256 items"},
		{`list(nil, 4)`, "of must be"},
		{`list("x", 4)`, "a list holds"},
		{`list(list("number", 2), 2)`, "a list cannot hold lists"},
		{`list(record { a = list("number", 2) }, 2)`, "a list cannot hold lists, nor records with lists"},
		{`list(record { a = "x" }, 2)`, "X.state.f.a: a string field needs a maximum length"},
		{`list({}, 2)`, "must begin with its kind"},
		{`record {}`, "a record needs at least one part"},
		{`record { [1] = 2 }`, "a part of a record needs a name"},
		{`record(5)`, "record {...}: the parts must be a table"},
		{`{ "nmber" }`, "must begin with its kind"},
		{`{ 5 }`, ""},
		{`{ record { a = 1 }, show = "step" }`, "must begin with its kind"},
		{`{ "number", stp = 1 }`, "unknown key stp; there are step"},
		{`{ "number", min = 1 }`, "a range needs min and max"},
		{`{ "number", default = 9, min = 1, max = 8 }`, "the default must be within the range of 1 to 8, and is 9"},
		{`{ 0, min = 1, max = 8 }`, "the default must be within the range of 1 to 8, and is 0"},
		{`{ "number", min = 1, max = 0 }`, "a range needs min and max, and min must be less than max"},
		{`{ "number", step = -1 }`, "step = -1"},
		{`{ "number", default = true }`, "the default is a boolean, not a number"},
		{`{ "bool", min = 0, max = 1 }`, "unknown key max; there are default, show"},
		{`{ "number", show = "slow" }`, `show must be "lerp", "step", "shortest" or a function`},
		{`{ "bool", show = "lerp" }`, `show must be "step" or a function`},
		{`list("number", 256), g = list(str(64), 100)`, "its fields take 1158 words of 8 bytes: at most 512; the largest, g, takes 901"},
	} {
		_, err := NewProgram(bundle("a.lua", "\nX = object 'X' { state = { f = "+c.field+" } }"), testSetup)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "a.lua:2: ")) {
			t.Errorf("%s: %v", c.field, err)
		}
	}
}

// TestTooLargeClasses: the error of a class that is too large says how many words the fields take that its
// script does not see.
func TestTooLargeClasses(t *testing.T) {
	const body, large = `body = { type = "dynamic", shape = { circle = 1 } }, `, `state = { f = list("number", 256), g = list("number", 254) }`
	for _, c := range []struct{ class, code, want string }{
		{`state = { f = list("number", 256), g = list("number", 255) }`, "", "its fields take 513 words of 8 bytes: at most 512; the largest, f, takes 257"},
		{body + large, "", ""},
		{body + large, "function X:tick() self:attach(self) end", "516 words of 8 bytes: at most 512; the largest, f, takes 257; among them are fields that scripts do not see: 4 for attach"},
		{`input = { Fire = "bool", Dash = "bool", go = "bool" }, ` + large, `function X:applyInput(i) if i:pressed("Fire") or i:released("Dash") or i.go then return end end`,
			"that scripts do not see: 2 for the presses of "},
		{`authority = "owner", moves = { speed = 3 }, ` + body + large, "", "that scripts do not see: 5 for the poses that owners send"},
		{`ticking = "independent", lod = "interpolate", input = { go = "bool" }, ` + large, "function X:simulate(i) return i.go end", "that scripts do not see: 1 for the number of the independent frame"},
	} {
		_, err := NewProgram(bundle("a.lua", "\nX = object 'X' { "+c.class+" }\n"+c.code), testSetup)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "a.lua:2: ")) {
			t.Errorf("%s %s: %v", c.class, c.code, err)
		}
	}
}
