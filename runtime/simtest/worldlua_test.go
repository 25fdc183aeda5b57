package simtest_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/world"
)

// vectors is a module of worlds with ordinary Lua: a class, as libraries write one, with scratch tables.
const vectors = `
local Vec = {}
Vec.__index = Vec
Vec.__add = function(a, b) return setmetatable({ x = a.x + b.x, y = a.y + b.y }, Vec) end
Vec.__mul = function(a, k) return setmetatable({ x = a.x * k, y = a.y * k }, Vec) end
local less, sums = { x = 0, y = 0 }, { 0, 0 }
Vec.__unm = function(a) less.x = -a.x less.y = -a.y return setmetatable({ x = less.x, y = less.y }, Vec) end
function Vec:parts() for i = 1, 2 do sums[i] = i == 1 and self.x or self.y end return unpack(sums) end
return setmetatable({}, { __call = function(_, x, y) return setmetatable({ x = x, y = y }, Vec) end })
`

// walks is another one: generators, and errors that blame the caller.
const walks = `
local walks = {}
function walks.each(list)
  return coroutine.wrap(function() for i, o in ipairs(list) do coroutine.yield(o, i) end end)
end
function walks.filter(from, keep)
  return coroutine.wrap(function()
    for o, i in from do
      if keep(o, i) then coroutine.yield(o, i) end
    end
  end)
end
local function permute(a, n)
  if n == 0 then coroutine.yield(a[1], a[2], a[3]) end
  for i = 1, n do
    a[n], a[i] = a[i], a[n]
    permute(a, n - 1)
    a[n], a[i] = a[i], a[n]
  end
end
function walks.permutations(a) return coroutine.wrap(function() permute(a, 3) end) end
function walks.check(ok, text)
  if not ok then error(text, 2) end
  return ok
end
return walks
`

// worldFiles are the files of the game of a generated world.
func worldFiles(text string) []world.Source {
	files := []world.Source{{Name: "game.lua", Text: text}}
	if strings.Contains(text, "require") {
		files = append(files, world.Source{Name: "lib/vectors.lua", Text: vectors}, world.Source{Name: "lib/walks.lua", Text: walks})
	}
	return files
}

// puzzles are what the hooks of worlds with ordinary Lua compute, besides OTHERS: functions of an object, of a list of
// objects and of a number. Their results depend on the order in which tables are visited. N, M, D and E are drawn, and
// KEY makes a key of a kind that is drawn. @name is the bit of a pattern, which the object notes in its field ran after
// the pattern has happened.
var puzzles = []string{
	// Keys are removed and inserted while a for loop visits them.
	`function(self, list, n)
  local t, sum = {}, 0
  for i = 1, N do t[KEY(list[i % #list + 1], i + n)] = i end
  t[self], t[did] = 1, 2
  for k, v in next, t do
    sum = (M * sum + v) % 9973
    if v % D == 1 then t[k] = nil did(self, @for_next_removes) end
    if v <= N and v % E == 0 then
      t[KEY(list[v % #list + 1], v + n + 3)] = v + N
      did(self, @for_next_inserts)
    end
    if type(k) == "function" or type(k) == "table" then did(self, @next_of_tables_and_functions) end
    if type(k) == "boolean" then did(self, @next_of_booleans) end
    if k == self then did(self, @next_of_objects) end
  end
  for _, v in pairs(t) do sum = (M * sum + v) % 9973 end
  return sum
end`,
	// The same with calls of next. The key that was visited last is removed before the next call, or it is not.
	`function(self, list, n)
  local t, sum, steps = {}, 0, 0
  for i = 1, N do t[KEY(list[i % #list + 1], i + n)] = i end
  local k, v = next(t)
  while k ~= nil do
    steps, sum = steps + 1, (M * sum + v) % 9973
    local at = k
    if steps % D == 0 then
      t[k] = nil
      did(self, @while_next_removes)
    elseif steps < 2 * N and steps % E == 1 then
      t[KEY(list[steps % #list + 1], steps + n + 5)] = N + steps
      did(self, @while_next_inserts)
    end
    k, v = next(t, at)
  end
  return sum + steps
end`,
	// A work list of objects and marks.
	`function(self, list, n)
  local open, seen, sum = { [self] = 0 }, {}, 0
  while next(open) ~= nil do
    local k = next(open)
    local depth = open[k]
    open[k], seen[k] = nil, depth
    sum = (M * sum + depth + (type(k) == "function" and 5 or type(k) == "table" and 7 or 0)) % 9973
    if depth < 3 then
      for i, o in ipairs(list) do
        if (i + depth + n) % D == 0 and seen[o] == nil and open[o] == nil then open[o] = depth + 1 end
      end
      local mark = KEY(self, depth + n)
      if seen[mark] == nil and open[mark] == nil then open[mark] = depth + 1 end
    elseif next(open) == nil then
      did(self, @work_list)
    end
  end
  return sum
end`,
	// The keys are what an earlier tick has left in lists, and a later one has them in the order of next.
	`function(self, list, n)
  local t, sum = {}, 0
  for i, o in ipairs(self.kept) do t[o] = i end
  for i, w in ipairs(self.words) do t[w] = 10 + i end
  if t[self] then did(self, @keys_of_earlier_ticks) end
  for _, k in ipairs({ list[n % #list + 1], "w" .. n % 5, self, n % 2 == 0 }) do t[k] = 20 + n % 3 end
  for k, v in next, t do
    sum = (M * sum + v) % 9973
    if (v + n) % D == 0 then t[k] = nil end
  end
  t[false], t[true] = nil, nil
  local kept, words = {}, {}
  while next(t) ~= nil do
    local k = next(t)
    local to = type(k) == "string" and words or kept
    if #to < 6 then to[#to + 1] = k end
    t[k] = nil
  end
  self.kept, self.words = kept, words
  return sum
end`,
	// A frozen table is visited from where an earlier tick has stopped.
	`function(self, list, n)
  local k, sum = self.cursor, 0
  if k == "" then k = nil else did(self, @next_from_a_key_of_state) end
  for i = 1, 2 + n % E do
    k = next(SHELF, k)
    if k == nil then k = next(SHELF) end
    sum = (M * sum + SHELF[k]) % 9973
  end
  while type(k) ~= "string" do
    k = next(SHELF, k)
    if k == nil then did(self, @frozen_table_to_its_end) end
  end
  self.cursor = k
  return sum
end`,
	// Generators, one of which takes what another one gives, and one that calls itself.
	`function(self, list, n)
  local sum = 0
  for o, i in walks.filter(walks.each(list), function(_, i) return (i + n) % D ~= 0 end) do
    sum = (M * sum + i + o.hits) % 9973
    did(self, @generator_of_generator)
  end
  for a, b, c in walks.permutations({ n % 7, E, D }) do
    sum = (M * sum + a + 2 * b + 3 * c) % 9973
    did(self, @recursive_generator)
  end
  local words = coroutine.wrap(function(w)
    local t = {}
    while w do
      t[w] = (t[w] or 0) + 1
      w = coroutine.yield(next(t))
    end
  end)
  for i = 1, E do sum = (M * sum + #words("k" .. (n + i) % D)) % 9973 end
  if words() == nil then did(self, @generator_that_takes_values) end
  return sum
end`,
	// A coroutine that holds objects and takes others.
	`function(self, list, n)
  local sum = 0
  local co = coroutine.create(function(o, a)
    local met = { [o] = a }
    while true do
      local b, other = coroutine.yield(a * 2, o)
      if b == nil then break end
      met[other] = (met[other] or 0) + b + other.hits
      o, a = other, a + b
    end
    for k, v in next, met do
      sum = (M * sum + v) % 9973
      if k == self then did(self, @coroutine_holds_objects) end
    end
    return a, o
  end)
  local ok, v, o = coroutine.resume(co, self, n % 5)
  for i = 1, N do
    ok, v, o = coroutine.resume(co, i, list[(i + n) % #list + 1])
    sum = (M * sum + v + o.hits) % 9973
  end
  if coroutine.status(co) == "suspended" then did(self, @resume_of_suspended) end
  ok, v, o = coroutine.resume(co)
  if ok and o:is(o.class) and coroutine.status(co) == "dead" then did(self, @coroutine_returns) end
  return sum + v
end`,
	// Errors in coroutines, which resume catches.
	`function(self, list, n)
  local sum = 0
  for kind = 0, 2 do
    local co = coroutine.create(function(o)
      coroutine.yield(o.hits)
      if kind == 0 then error({ by = o, n = n }) end
      if kind == 1 then walks.check(n < 0, "bad " .. n) end
      local t = { [o] = 1 }
      return t[list].x
    end)
    coroutine.resume(co, list[(kind + n) % #list + 1])
    local ok, err = coroutine.resume(co)
    sum = (M * sum + (type(err) == "table" and err.n + err.by.hits or #err)) % 9973
    if not ok and kind == 0 and err.by:is(err.by.class) then did(self, @resume_catches_a_table) end
    if not ok and kind == 1 and err:find("game.lua:%d+: bad") then did(self, @resume_catches_a_level) end
    if not ok and kind == 2 then did(self, @resume_catches_a_fault) end
    if not coroutine.resume(co) and coroutine.status(co) == "dead" then did(self, @resume_of_dead) end
  end
  return sum
end`,
	// Errors that go through wrap, pcall in coroutines, and yield within pcall, which is refused.
	`function(self, list, n)
  local sum = 0
  local gen = coroutine.wrap(function()
    for i = 1, 4 do
      if i == 2 + n % 3 then error("at " .. i, 0) end
      coroutine.yield(i)
    end
  end)
  local ok, err = pcall(function() while true do sum = (M * sum + gen()) % 9973 end end)
  if not ok and err == "at " .. 2 + n % 3 then did(self, @error_through_wrap) end
  local co = coroutine.create(function()
    local ok, err = pcall(error, { n = n })
    coroutine.yield(ok and 0 or err.n)
    pcall(coroutine.yield, 1)
  end)
  local _, v = coroutine.resume(co)
  if v == n then did(self, @pcall_in_coroutine) end
  ok, err = coroutine.resume(co)
  if not ok or coroutine.status(co) == "dead" then did(self, @yield_in_pcall) end
  return sum + v
end`,
	// Levels of errors, errors that are raised again, and xpcall with a handler.
	`function(self, list, n)
  local function deep(k)
    if k == 0 then error("deep", 1 + n % 3) end
    local r = deep(k - 1)
    return r
  end
  local ok, err = xpcall(deep, function(e) return { text = e, at = n } end, 3)
  local sum = #err.text + err.at
  if not ok and err.text:find("deep") then did(self, @xpcall_handler) end
  ok, err = pcall(function()
    local _, e = pcall(error, { by = self })
    error(e, 2)
  end)
  if not ok and err.by == self then did(self, @raised_again) end
  ok, err = pcall(walks.check, false, "no " .. n)
  sum = (M * sum + #err) % 9973
  ok, err = pcall(function() walks.check(#list < 0, "line") end)
  if not ok and err:find("game.lua:%d+: line") then did(self, @error_level) end
  ok, err = xpcall(function() return list[#list + 1].hits end, function(e) return #e end)
  if not ok then sum = sum + err end
  return sum
end`,
	// Metamethods.
	`function(self, list, n)
  local cards, sum = {}, 0
  for i = 1, N do cards[i] = Card((i * D + n) % 11, self) end
  table.sort(cards)
  for i, c in ipairs(cards) do sum = (M * sum + c.n + #tostring(c)) % 9973 end
  if cards[1] == cards[2] or cards[1] <= cards[2] then sum = sum + 1 end
  local text = cards[1] .. cards[2] .. n
  local twice = setmetatable({}, { __newindex = function(t, k, v) rawset(t, k, v * 2) did(self, @newindex_function) end })
  twice[cards[1]], twice[self], twice.x = 1, 2, 3
  for k, v in next, twice do sum = (M * sum + v) % 9973 end
  local store = {}
  local front = setmetatable({}, { __newindex = store, __index = store })
  front[self], front[text] = n, 1
  if rawget(front, self) == nil and next(front) == nil and next(store) == text and front[self] == n then
    did(self, @newindex_table)
  end
  return (sum + #text + cards[1](n)) % 9973
end`,
	// Objects of classes that extend others.
	`function(self, list, n)
  local sum = 0
  for i, o in ipairs(list) do
    local rank = (o:is("Giant") and 4 or 0) + (o:is("Heavy") and 2 or 0) + (o:is("Crate") and 1 or 0)
    if rank == 7 and o.class == "Giant" then did(self, @is_of_base) end
    sum = (M * sum + rank * i) % 9973
  end
  if self:is("Crate") then
    local x, y = self:getPosition()
    for o in walks.each(objects("Heavy")) do
      if o.class == "Giant" and o.rage >= 0 then did(self, @objects_of_base) end
      sum = (M * sum + o.hits) % 9973
    end
    local o = nearest("Heavy", x, y)
    if o then sum = sum + #o.class end
  end
  return sum
end`,
}

// ponder is what the hooks call. A card is of a class with metamethods, and SHELF a table that is frozen.
const ponder = `
local walks = require("lib.walks")
local function begin(self) self.ran, self.pondered = 0, tickNumber() end
local function did(self, bit)
  if math.floor(self.ran / bit) % 2 == 0 then self.ran = self.ran + bit end
end
local Card = setmetatable({}, { __call = function(class, n, of) return setmetatable({ n = n, of = of }, class) end })
Card.__index = Card
Card.__eq = function(a, b) did(a.of, @eq) return a.n % D == b.n % D end
Card.__lt = function(a, b) did(a.of, @lt) return a.n < b.n end
Card.__le = function(a, b) did(a.of, @le) return a.n <= b.n end
Card.__concat = function(a, b)
  if getmetatable(a) == Card then did(a.of, @concat) return a.n .. "|" .. (getmetatable(b) == Card and b.n or b) end
  return a .. "|" .. b.n
end
Card.__tostring = function(c) did(c.of, @tostring) return "card " .. c.n end
Card.__call = function(c, k) did(c.of, @call) return c.n * k end
local SHELF = { first = 1, [walks.each] = 2, [true] = 3, [Card] = 4, [7] = 5, [did] = 6, last = 7, [-2.5] = 8, [false] = 9, [1] = 10, m = 11 }
local function KEY(o, i)
  local kind = (i * STEP + 3) % 10
KEYS
end
local PUZZLES = {
PIECES
}
local function ponder(self, list, turn)
  begin(self)
  for i = 1, 2 do
    self.sum = (31 * self.sum + PUZZLES[(turn * i) % #PUZZLES + 1](self, list, (self.sum + turn) % 60)) % 10007
  end
end
`

// patternMark is the place of a pattern's bit in Lua.
var patternMark = regexp.MustCompile(`@\w+`)

// luaPatterns are the names of the patterns. The bit of each is its index.
var luaPatterns = sync.OnceValue(func() (names []string) {
	for _, text := range append(slices.Clone(puzzles), ponder, heavies, rookies) {
		for _, mark := range patternMark.FindAllString(text, -1) {
			if !slices.Contains(names, mark[1:]) {
				names = append(names, mark[1:])
			}
		}
	}
	return names
})

// heavies extend crates. Giants extend those, and override hooks that call those of the class they extend.
const heavies = `Heavy = object "Heavy" { extends = Crate, body = { density = 1 } }
function Heavy:tick() Crate.tick(self) end
Giant = object "Giant" { extends = Heavy, state = { rage = 0 } }
function Giant:tick()
  local turns = self.sum
  Heavy.tick(self)
  if self.sum ~= turns then
    self.rage = self.rage + self.hits % 3
    did(self, @hook_of_parent)
  end
end
function Giant:onContact(other)
  Crate.onContact(self, other)
  if other and other:is("Heavy") then self.rage = self.rage + 1 end
end`

// rookies are pilots of teams that are there before the players, who take them over.
const rookies = `teams { Red = { color = "#f55" }, Blue = { color = "#59f" } }
Rookie = object "Rookie" { extends = Pilot }
function Rookie:tick()
  if tickNumber() % 15 ~= 7 or tickNumber() > PLAYS then return end
  begin(self)
  if self.team ~= "" and self.owner ~= 0 and self.shots > 0 and self:is("Pilot") then did(self, @rookie_taken_over) end
end
function Rookie:onContact(other) Pilot.onContact(self, other) end`

// ordinaryLua puts into a world's text what depends on whether its hooks compute as libraries do: in about half of the
// worlds, they compute with modules and metatables, keep objects, tables and functions as keys, visit them with next,
// run coroutines, catch errors, and some of the crates are of classes that extend another.
func ordinaryLua(seed uint64) *strings.Replacer {
	if rand.New(rand.NewPCG(seed, 34)).IntN(2) != 0 {
		return strings.NewReplacer("SPEED", `((input.r and 1 or 0) - (input.l and 1 or 0)) * 5 - x / 4, ((input.u and 1 or 0) - (input.d and 1 or 0)) * 5 - y / 4`,
			"MODULE", "", "HEAVY", "", "OTHERS", "", "PONDERS", "", "MEMORY", "", "KIND", `"Crate"`, "HITS", "self.hits + 1",
			"TEAM", "", "ROOKIES", "", "FREE", "", "JOIN", "")
	}
	rng := rand.New(rand.NewPCG(seed, 36))
	kinds := []string{"o", "{ o }", "function() return o end", `"k" .. i`, "i % 2 == 0", "i", "-i / 2", "Card(i, o)", "walks.each", `"first"`}
	rng.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	keys := ""
	for i, k := range kinds {
		keys += fmt.Sprintf("  if kind == %d then return %s end\n", i, k)
	}
	order := rng.Perm(len(puzzles))
	pieces := strings.Join(each(len(order), func(i int) string { return puzzles[order[i-1]] }), ",\n")
	drawn := regexp.MustCompile(`\b(N|M|D|E|STEP)\b`)
	text := strings.NewReplacer("PIECES", pieces, "KEYS", keys).Replace(ponder)
	numbers := map[string]int{"N": 5 + rng.IntN(6), "M": 3 + 2*rng.IntN(6), "D": 2 + rng.IntN(4), "E": 2 + rng.IntN(3), "STEP": []int{1, 3, 7, 9}[rng.IntN(4)]}
	text = drawn.ReplaceAllStringFunc(text, func(name string) string { return fmt.Sprint(numbers[name]) })
	team, recruits, free, join := "", "", "", ""
	if rng.IntN(2) == 0 {
		team, recruits, free, join = `, team = str(4)`, rookies, `fillTeams("Rookie", 2)`, `setTeam(player, smallestTeam()) if takeOver(player, "Pilot") then return end`
	}
	bits := func(text string) string {
		return patternMark.ReplaceAllStringFunc(text, func(mark string) string {
			return fmt.Sprint(uint64(1) << slices.Index(luaPatterns(), mark[1:]))
		})
	}
	turn := "do"
	if worldKindOf(seed)["work"] == "dear" { // all of them in a tick would be too much for the room before anybody has joined
		turn = "if crates[math.floor(tickNumber() / 15) % #crates + 1] == self then"
	}
	return strings.NewReplacer("SPEED", `(Vec((input.r and 1 or 0) - (input.l and 1 or 0), (input.u and 1 or 0) - (input.d and 1 or 0)) * 5 + -Vec(x, y) * 0.25):parts()`,
		"MODULE", `local Vec = require("lib.vectors")`+bits(text),
		"HEAVY", bits(heavies), "ROOKIES", bits(recruits), "TEAM", team, "FREE", free, "JOIN", join,
		"PONDERS", `if tickNumber() % 16 == 9 then ponder(self, { self }, math.floor(tickNumber() / 16) + self.shots) end`,
		"MEMORY", `, sum = 0, ran = 0, pondered = 0, kept = list("ref", 6), words = list(str(6), 6), cursor = str(6)`,
		"OTHERS", `if tickNumber() % 15 == 7 and tickNumber() < PLAYS then
    local crates, hits = objects("Crate"), {}
    for _, c in ipairs(crates) do hits[c] = c.hits end
    local ok, err = pcall(function()
      for c, n in pairs(hits) do
        if n % 5 == 4 then error({ crate = c, n = n }) end
      end
    end)
    if not ok and err.crate:is("Crate") then self.hits = (self.hits + err.n) % 1009 end
    local marks, last, sum = {}, nil, 0
    for i, c in ipairs(crates) do
      last = i % 2 == 0 and { c } or function() return c end
      marks[last] = c.hits
    end
    if last then marks[last] = nil marks[last] = 1 end
    for k, n in pairs(marks) do sum = (3 * sum + n + (type(k) == "function" and 1 or 0)) % 7 end
    self.hits = self.hits + sum
    `+turn+`
      ponder(self, crates, math.floor(tickNumber() / 15) + self.hits)
    end
  end`,
		"KIND", `i % 4 == 0 and "Giant" or i % 2 == 0 and "Heavy" or "Crate"`,
		"HITS", `self.hits + (other and other:is("Crate") and 2 or 1)`)
}

// luaLog is what the hooks of some worlds did. The hosts and clients of all these worlds have one.
type luaLog struct {
	mu    sync.Mutex
	games int
	runs  []patternRuns // by pattern
	calls map[hookCall]hookEnd
	wrong string // the first difference between two calls in the same state, on the same machine or another
}

// patternRuns counts the calls of hooks in which a pattern happened.
type patternRuns struct {
	first, again int // in ticks that were simulated for the first time, and again
	rewound      int // of those, by clients without check mode: in a rewind
	compared     int // with an earlier call in the same state
}

// hookCall is a call of OnTick: the seed of the game, the object, and the hash of the world before it.
type hookCall struct {
	seed   uint64
	object world.ObjectID
	world  uint64
}

// hookEnd is what a call has done.
type hookEnd struct {
	object       uint64 // the hash of its object
	instructions int
}

// compile returns a world.Compile of the game of a seed whose scripts enter their calls in the log.
func (l *luaLog) compile(seed uint64, checks bool) world.Compile {
	return func(files []world.Source, setup world.Setup) (world.Script, error) {
		s, err := compile(files, setup)
		if err != nil {
			return nil, err
		}
		return &loggedVM{s.(*luabind.VM), l, seed, checks}, nil
	}
}

// plays counts a game.
func (l *luaLog) plays() {
	l.mu.Lock()
	l.games++
	l.mu.Unlock()
}

// loggedVM is a VM whose calls are in a log.
type loggedVM struct {
	*luabind.VM
	log    *luaLog
	seed   uint64
	checks bool // it runs ticks again in check mode, too
}

func (vm *loggedVM) Call(a world.Actor, h world.Hook, slot int, args *world.Args) error {
	s, isTick := a.State(), h == world.OnTick
	if isTick && s.Tick%15 != 7 || !isTick && (s.Tick%16 != 9 || h != world.ApplyInput && h != world.Simulate) {
		return vm.VM.Call(a, h, slot, args)
	}
	call := hookCall{seed: vm.seed, object: s.Objects[slot].ID}
	if isTick {
		call.world = s.Hash()
	}
	if err := vm.VM.Call(a, h, slot, args); err != nil {
		return err
	}
	fields := world.NewFieldReader(a.Class(slot), a.State().Row(slot))
	ran, err := fields.Number("ran")
	if pondered, _ := fields.Number("pondered"); err != nil || world.Tick(pondered) != s.Tick {
		return nil // not of a class that ponders, or not in this call
	}
	compared := isTick && vm.log.compare(call, hookEnd{a.State().HashObject(slot), vm.Instructions()})
	vm.log.note(uint64(ran), a.Calls().Rerun(), vm.checks, compared)
	return nil
}

// note counts the patterns of a call.
func (l *luaLog) note(ran uint64, again, checks, compared bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.runs == nil {
		l.runs = make([]patternRuns, len(luaPatterns()))
	}
	for i := range l.runs {
		if r := &l.runs[i]; ran>>i&1 != 0 {
			r.first += one(!again)
			r.again += one(again)
			r.rewound += one(again && !checks)
			r.compared += one(compared)
		}
	}
}

// compare compares a call with an earlier one in the same state of the world, and reports whether there was one: both
// leave the same object, after as many instructions.
func (l *luaLog) compare(call hookCall, end hookEnd) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls == nil {
		l.calls = map[hookCall]hookEnd{}
	}
	was, ok := l.calls[call]
	if !ok {
		l.calls[call] = end
		return false
	}
	if was != end && l.wrong == "" {
		l.wrong = fmt.Sprintf("object %s ends a call with hash %016x after %d instructions, and another one in the same state with %016x after %d",
			call.object, was.object, was.instructions, end.object, end.instructions)
	}
	return true
}

// check fails unless calls in the same state were equal and, if all games were played that the test has, each pattern
// has happened in ticks that were simulated again.
func (l *luaLog) check(t *testing.T, games int, rewinds bool) {
	t.Helper()
	if l.wrong != "" {
		t.Error(l.wrong)
	}
	if l.games < games {
		return // the flag -run selects some
	}
	for i, name := range luaPatterns() {
		r := patternRuns{}
		if l.runs != nil {
			r = l.runs[i]
		}
		t.Logf("%s: %+v", name, r)
		if r.first == 0 || r.again == 0 || rewinds && r.rewound == 0 || r.compared == 0 {
			t.Errorf("the pattern %s is not shown: %+v", name, r)
		}
	}
}
