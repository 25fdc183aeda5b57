package api

// libraryAPI describes the functions of the language.
func libraryAPI() []Section {
	return []Section{baseAPI(), stringAPI(), tableAPI(), coroutineAPI(), mathAPI(), vecAPI()}
}

func baseAPI() Section {
	return Section{Title: "The language", Kind: Functions,
		Text: "Lua 5.1 without any access to files, clocks or the network. `pairs` and `next` visit numbers, strings, " +
			"booleans, objects by id, then tables and functions in the order in which they were inserted.",
		Members: list("type(v: any) -> name: string", "", "tostring(v: any) -> text: string", "",
			"tonumber(v: any, base?: integer) -> n: number?", "nil if v is not a number",
			"ipairs(t: table) -> step: function, of: table, from: integer", "",
			"pairs(t: table) -> step: function, of: any, from: nil",
			"numbers, strings, booleans, objects by id, then tables and functions as they were inserted",
			"next(t: table, key?: any) -> nextKey: any, value: any", "in the order of pairs",
			"select(n: integer|string, ...: any) -> rest: any", "the arguments from n on; with \"#\", their number",
			"unpack(t: table, i?: integer, j?: integer) -> values: any", "at most 250 values",
			"setmetatable(t: table, metatable: table?) -> t: table",
			"gives a table its __index, __add and so on; not to a frozen one",
			"getmetatable(v: any) -> metatable: any", "its __metatable, if it has one",
			"rawget(t: table, key: any) -> v: any", "without __index",
			"rawset(t: table, key: any, v: any) -> t: table", "without __newindex",
			"rawequal(a: any, b: any) -> same: boolean", "without __eq", "require(module: string) -> value: any",
			"what a file returns, which runs once: lib/vector.lua for \"lib.vector\"; it is frozen after loading",
			"error(message?: any, level?: integer)",
			"ends the hook, or the pcall around it, with any value; what was done before stays",
			"pcall(f: function, ...: any) -> ok: boolean, result: any",
			"true and the results of f, or false and the error; what f did before the error stays; at most 20 within each "+
				"other, and the one around catches that one more is refused",
			"xpcall(f: function, handler: function, ...: any) -> ok: boolean, result: any",
			"the same; the error goes through handler", "assert(v: any, message?: any, ...: any) -> v: any",
			"ends the hook unless v is true; returns what it is given")}
}

func stringAPI() Section {
	return Section{
		Title: "string",
		Of:    "string",
		Kind:  Functions,
		Text:  "Also as methods: `s:upper()`. Strings have at most 65536 bytes, patterns 1024.",
		Members: list("len(s: string) -> n: integer", "", "sub(s: string, i: integer, j?: integer) -> part: string", "",
			"upper(s: string) -> s: string", "", "lower(s: string) -> s: string", "",
			"rep(s: string, n: integer) -> s: string", "", "reverse(s: string) -> s: string", "",
			"byte(s: string, i?: integer, j?: integer) -> codes: integer", "", "char(...: integer) -> s: string", "",
			"format(f: string, ...: any) -> s: string", "",
			"find(s: string, pattern: string, from?: integer, plain?: boolean) -> from: integer?, to: integer?, "+
				"captures: any",
			"the first match of a pattern; with plain, of a plain string",
			"match(s: string, pattern: string, from?: integer) -> captures: any",
			"the captures of a pattern, or the whole match", "gmatch(s: string, pattern: string) -> step: function",
			"an iterator over the matches",
			"gsub(s: string, pattern: string, to: string|table|function, most?: integer) -> s: string, n: integer",
			"s with the matches replaced, and their number"),
	}
}

func tableAPI() Section {
	return Section{Title: "table", Of: "table", Kind: Functions,
		Members: list("insert(t: table, at: any, v?: any)", "inserts v at a position, or at the end: insert(t, v)",
			"remove(t: table, at?: integer) -> v: any", "removes the last value, or the one at a position",
			"concat(t: table, between?: string, i?: integer, j?: integer) -> s: string", "",
			"sort(t: table, before?: fun(a: any, b: any): boolean)", "stable",
			"unpack(t: table, i?: integer, j?: integer) -> values: any", "the same as unpack")}
}

func coroutineAPI() Section {
	return Section{Title: "coroutine", Of: "coroutine", Kind: Functions,
		Text: "A coroutine lives as long as the hook that makes it.",
		Members: list("create(f: function) -> co: thread", "makes a coroutine that will run f",
			"resume(co: thread, ...: any) -> ok: boolean, result: any",
			"runs it until it yields or ends; false and the error if it fails",
			"yield(...: any) -> passed: any",
			"goes back to resume, which returns the values; returns what the next resume passes",
			"status(co: thread) -> name: string", "suspended, running, normal or dead",
			"wrap(f: function) -> step: function", "a function that resumes a new coroutine, and fails if that fails",
			"running() -> co: thread?", "the one that runs, if any")}
}

func mathAPI() Section {
	return Section{
		Title: "math",
		Of:    "math",
		Kind:  Functions,
		Text:  "With the same bits on every CPU. Angles are in radians.",
		Members: list("pi: number", "", "huge: number", "infinity", "abs(x: number) -> y: number", "",
			"floor(x: number) -> y: number", "", "ceil(x: number) -> y: number", "", "sqrt(x: number) -> y: number",
			"", "exp(x: number) -> y: number", "", "log(x: number, base?: number) -> y: number",
			"the natural logarithm, unless a base is given", "log10(x: number) -> y: number", "",
			"sin(x: number) -> y: number", "", "cos(x: number) -> y: number", "", "tan(x: number) -> y: number", "",
			"asin(x: number) -> y: number", "", "acos(x: number) -> y: number", "", "atan(x: number) -> y: number",
			"", "atan2(y: number, x: number) -> angle: number", "the direction of x, y",
			"deg(x: number) -> y: number", "radians to degrees", "rad(x: number) -> y: number",
			"degrees to radians", "pow(x: number, y: number) -> z: number", "",
			"fmod(x: number, y: number) -> z: number", "with the sign of x; x % y has that of y",
			"random(a?: integer, b?: integer) -> r: number",
			"the same as random: it returns the same when a tick is simulated again",
			"modf(x: number) -> whole: number, rest: number", "", "max(x: number, ...: number) -> y: number", "",
			"min(x: number, ...: number) -> y: number", ""),
	}
}

func vecAPI() Section {
	return Section{Title: "vec", Of: "vec", Kind: Functions, Text: "Helpers for pairs of numbers.",
		Members: list("length(x: number, y: number) -> l: number", "",
			"distance(x1: number, y1: number, x2: number, y2: number) -> d: number", "",
			"normalize(x: number, y: number) -> x: number, y: number", "scaled to length 1; 0, 0 stays 0, 0",
			"dot(x1: number, y1: number, x2: number, y2: number) -> d: number", "",
			"rotate(x: number, y: number, angle: number) -> x: number, y: number", "counter-clockwise",
			"angle(x: number, y: number) -> angle: number", "its direction",
			"fromAngle(angle: number, length?: number) -> x: number, y: number", "of length 1 by default")}
}
