package luabind

import (
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestErrorsNameTheValue: an error of the interpreter says which variable or
// field the value came from.
func TestErrorsNameTheValue(t *testing.T) {
	for body, want := range map[string]string{
		"local v = self.n * props.sped":                          "attempt to perform arithmetic on a nil value (field 'sped')",
		"local v = props.sped * self.n":                          "attempt to perform arithmetic on a nil value (field 'sped')",
		"local a, b = 1, nil local v = a + 2 - b":                "attempt to perform arithmetic on a nil value (local 'b')",
		"local v = later % 2":                                    "attempt to perform arithmetic on a nil value (global 'later')",
		"local v = 2 / file":                                     "attempt to perform arithmetic on a table value (local 'file')",
		"local v = self + 1":                                     "attempt to perform arithmetic on an object (local 'self')",
		"local v = nothing() + 1":                                "attempt to perform arithmetic on a nil value (result of 'nothing')",
		"local s = 'x' local v = s - 1":                          "attempt to perform arithmetic on a string value (local 's')",
		"local v = props.a * (props.b * props.c)":                "attempt to perform arithmetic on a nil value (one of field 'a' and field 'b')",
		"local v = 2 ^ props.x":                                  "attempt to perform arithmetic on a nil value (field 'x')",
		"local v = props.x ^ 2":                                  "attempt to perform arithmetic on a nil value (field 'x')",
		"self.n = self.n + later":                                "attempt to perform arithmetic on a nil value (global 'later')",
		"local v = -later":                                       "minus (-) of something that is not a number (global 'later')",
		"local v = #later":                                       "length (#) of something that is not a table or a string (global 'later')",
		"local v = 'a' .. self.n .. props.z":                     ".. joins strings and numbers, not nil (field 'z')",
		"local v = later .. 'a' .. 1":                            ".. joins strings and numbers, not nil (global 'later')",
		"local v = 'a' .. later .. 1":                            ".. joins strings and numbers, not nil (global 'later')",
		"local v = later.x.y":                                    "attempt to index a nil value (global 'later') with key 'x'",
		"local t = {} local v = t.x.y":                           "attempt to index a nil value (field 'x') with key 'y'",
		"local t = {} local v = t[1].y":                          "attempt to index a nil value (item 1) with key 'y'",
		"local t, i = {}, 3 local v = t[i].y":                    "attempt to index a nil value (item [i]) with key 'y'",
		"local v = nearest('Ship', 0, 0, 0, self).n":             "", // whatever it is: it names no value
		"local t = {} t.x.y = 1":                                 "attempt to index a nil value (field 'x') with key 'y'",
		"later.y = 1":                                            "attempt to index a nil value (global 'later') with key 'y'",
		"later:go()":                                             "attempt to index a nil value (global 'later') with key 'go'",
		"local o = nil o:setForce(1, 2)":                         "setForce is a method of objects: call it with a colon on an object, as in self:setForce(...), not on nil (local 'o')",
		"local t, k = {}, 'x' local v = t.p[k]":                  "attempt to index a nil value (field 'p') with key 'x'",
		"later()":                                                "attempt to call a nil value (global 'later')",
		"self.n()":                                               "attempt to call a number value (field 'n')",
		"self()":                                                 "attempt to call something that is not a function (local 'self')",
		"props()":                                                "attempt to call something that is not a function (global 'props')",
		"('x')()":                                                "attempt to call a string value",
		"for k in self.n do end":                                 "attempt to call a number value",
		"for k in nil do end":                                    "attempt to call a nil value",
		"local t = { go = true } t.go(1)":                        "attempt to call a boolean value (field 'go')",
		"props.go(math.abs(1))":                                  "attempt to call a nil value (field 'go')",
		"local t = {} t:go() self:setForce(1, 1)":                "attempt to call a nil value (field 'go')",
		"if self.n < props.most then end":                        "attempt to compare number with nil (one of field 'n' and field 'most')",
		"if self < self then end":                                "attempt to compare two objects, or lists or records of state (local 'self'); compare a field of each",
		"if self.n < self then end":                              "attempt to compare number with object or list (one of field 'n' and local 'self')",
		"if file < props then end":                               "attempt to compare two table values (one of local 'file' and global 'props'); compare a field of each, or give them a metatable with __lt, and with __le for <= and >=",
		"if {} <= {} then end":                                   "attempt to compare two table values; compare a field of each, or give them a metatable with __lt, and with __le for <= and >=",
		"if setmetatable({}, { __lt = props }) < props then end": "attempt to compare two table values (one of result of 'setmetatable' and global 'props'); compare a field of each, or give them a metatable with __lt, and with __le for <= and >=",
		"if later < nil then end":                                "attempt to compare two nil values (global 'later')",
		"for i = 1, 2 do local f = function() return i + props.q end f() end": "attempt to perform arithmetic on a nil value (field 'q')",
	} {
		s := start(t, "a.lua", "later = nil\nprops = {}\nlocal file = {}\nfunction nothing() end\nX = object \"X\" { state = { n = 1 }, body = { shape = { circle = 1 } } }\nfunction X:tick()\n"+body+"\nend")
		err := s.call(world.OnTick, s.spawn("X"), world.Args{})
		if err == nil && want == "" {
			continue
		}
		if err == nil || want != "" && (!strings.HasSuffix(err.Error(), want) || !strings.Contains(err.Error(), "a.lua:7: ")) {
			t.Errorf("%s\ngot  %v\nwant %s", body, err, want)
		}
	}
}

// TestFrozenTablesAreNamed: the error of a write to a frozen table names it, and says what to do with a table of the file.
func TestFrozenTablesAreNamed(t *testing.T) {
	for body, want := range map[string]string{
		"file[self] = 0":                               "file is read-only: it is a table of the file, which is frozen after loading; declare what changes in state (self.file, or game.file), or make the table in the hook",
		"table.insert(file, 1)":                        "file is read-only: it is a table of the file, which is frozen after loading; declare",
		"rawset(props, 'a', 1)":                        "props is read-only: it is a table of the files, which is frozen after loading; declare",
		"local t = file t.x = 1":                       "this table is read-only (local 't'): tables made while the files are loaded",
		"local t, u = file, { n = 1 } u.n, t.x = 2, 3": "this table is read-only (one of local 'u' and local 't'): tables made",
		"local all = objects('X') all[1] = nil":        "this table is read-only (local 'all'): tables made while the files are loaded, inputs, contacts and results of queries are frozen; copy the list",
		"local file = file file.x = 1":                 "this table is read-only (local 'file'): tables made",
		"nested.rows[self] = 1":                        "this table is read-only (field 'rows'): tables made",
		"objects('X')[1] = self":                       "this table is read-only (result of 'objects'): tables made",
	} {
		s := start(t, "a.lua", "props = {}\nlocal file, nested = {}, { rows = {} }\nX = object \"X\" {}\nfunction X:tick()\n"+body+"\nend")
		err := s.call(world.OnTick, s.spawn("X"), world.Args{})
		if err == nil || !strings.Contains(err.Error(), "a.lua:5: "+want) {
			t.Errorf("%s\ngot  %v\nwant %s", body, err, want)
		}
	}
}

// TestLeftOutFunctionsAreNamed: a library may look for functions that are left out of Lua, which are nil there. Calling
// one says why.
func TestLeftOutFunctionsAreNamed(t *testing.T) {
	for body, want := range map[string]string{
		"collectgarbage()":                      "attempt to call a nil value (global 'collectgarbage'); there is no collectgarbage; scripts do without: the memory of a hook is freed for them",
		"return os.time()":                      "attempt to index a nil value (global 'os') with key 'time'; there is no os; now() is the time of the world in seconds",
		"return loads('')":                      "attempt to call a nil value (local 'loads')",
		"loadstring('x')":                       "attempt to call a nil value (local 'loadstring'); there is no loadstring; scripts are loaded once",
		"return math.ldexp(1, 2)":               "attempt to call a nil value (field 'ldexp'); there is no math.ldexp; write x * 2 ^ n",
		"return table.getn({})":                 "attempt to call a nil value (field 'getn'); there is no table.getn; write #t",
		"return _G.loadfile('x')":               "attempt to call a nil value (field 'loadfile'); there is no loadfile; all files of the game are loaded, in name order; share through globals",
		"local m = {} m.getn(table.concat({}))": "attempt to call a nil value (field 'getn')",
		"local m = {} m.dump()":                 "attempt to call a nil value (field 'dump')",
		"return package.loaded":                 "attempt to index a nil value (global 'package') with key 'loaded'; there is no package; require(\"lib.vector\") loads lib/vector.lua, and nothing else loads files",
		"local arg arg.x()":                     "attempt to index a nil value (local 'arg') with key 'x'",
		"error(\"global 'os'\")":                "global 'os'",
	} {
		s := start(t, "a.lua", "local m = require('lib.m')\nX = object \"X\" {}\nfunction X:tick() m.run() end",
			"lib/m.lua", "local loadstring, loads = loadstring or load, nil\nreturn { run = function() "+body+" end }")
		err := s.call(world.OnTick, s.spawn("X"), world.Args{})
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s\ngot  %v\nwant %s", body, err, want)
		}
	}
}
