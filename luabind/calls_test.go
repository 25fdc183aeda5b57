package luabind

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// TestCallsOfTheHostProgram: a function gets its arguments and may do what hooks may. It fails
// as hooks do: the error names the line, and the budget is that of a hook.
func TestCallsOfTheHostProgram(t *testing.T) {
	s := start(t, "a.lua", `Ball = object "Ball" { state = { hp = 10 } }`, "game.lua", `
game { state = { round = 0 }, calls = { begin = { "number", "bool", "string", "ref" }, rest = { "ref" }, fail = {}, spin = {}, any = { "number", "number" } } }
function begin(round, fast, map, ball)
  game.round = round
  ball.hp = ball.hp + round
  print(round, fast, map, ball.class)
end
function rest(ball) print(ball == nil, ball and ball:valid()) end
function fail()
  game.round = 7
  error("this is a mistake")
end
function spin() while true do end end
function any(...) print(select("#", ...)) end`)
	ball := s.spawn("Ball")
	id := s.w.Now.Objects[ball].ID
	slot, _ := s.w.Match()
	call := func(name string, values ...world.Value) error {
		e := &world.Event{Kind: world.CallEvent, Name: name}
		for _, v := range values {
			e.Values = append(e.Values, world.NamedValue{Value: v})
		}
		if err := e.Check(s.vm.Schema()); err != nil {
			t.Fatal(err)
		}
		return s.call(world.HostEvent, slot, world.Args{Event: e})
	}
	for _, err := range []error{call("begin", world.NumberValue(3), world.BoolValue(true), world.TextValue("a\x00b"), world.RefValue(id)),
		call("rest", world.RefValue(0)), call("rest", world.RefValue(77)), call("any", world.NumberValue(1), world.NumberValue(2))} {
		if err != nil {
			t.Error(err)
		}
	}
	for i, want := range []string{"3\ttrue\ta\x00b\tBall", "true\tnil", "false\tfalse", "2"} {
		if i >= len(s.lines) || !strings.HasSuffix(s.lines[i], ": "+want) {
			t.Errorf("line %d of %q is not %q", i, s.lines, want)
		}
	}
	s.order()
	if hp, round := s.field(ball, "hp"), s.field(slot, "round"); hp != 13 || round != 3 {
		t.Errorf("hp %v, round %v", hp, round)
	}
	err := call("fail")
	var se *world.ScriptError
	if !errors.As(err, &se) || se.File != "game.lua" || se.Line != 11 || se.Hook != world.HostEvent || se.Class != world.GameClass || se.Message != "this is a mistake" {
		t.Errorf("%+v", err)
	}
	if round := s.field(slot, "round"); round != 7 {
		t.Errorf("what a function did before its error is gone: round %v", round)
	}
	if err := call("spin"); !errors.As(err, &se) || !se.Budget {
		t.Errorf("a function without end: %v", err)
	}
	if err := call("rest", world.RefValue(id)); err != nil {
		t.Errorf("after that: %v", err)
	}
}

// TestDeclarationsOfCalls: a declared function must exist and have as many parameters.
func TestDeclarationsOfCalls(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`game { calls = { start = { "number" } } }`, "game.lua:1: game.calls.start: there is no function start(number) in game.lua"},
		{"game { calls = {\n start = {} } }\nlocal function start() end", "game.lua:2: game.calls.start: there is no function start()"},
		{"game { calls = { start = { 'number' } } }\nfunction start() end", "game.lua:2: start has 0 parameters, and game.calls declares start(number)"},
		{"game { calls = { start = { 'number' } } }\nfunction start(a, b) end", "start has 2 parameters"},
		{`game { calls = { onJoin = { "number" } } } function onJoin(p) end`, "game.calls.onJoin: the runtime calls this hook"},
		{`game { calls = { relevant = {} } } function relevant() end`, "game.calls.relevant: the runtime calls this hook"},
		{`game { calls = { start = { "integer" } } } function start(n) end`, `parameter 1 is "integer"; there are "number", "bool", "string" and "ref"`},
		{`game { calls = { start = { n = "number" } } } function start(n) end`, "the parameters must be a list of at most 8"},
		{`game { calls = { start = { "ref", "ref", "ref", "ref", "ref", "ref", "ref", "ref", "ref" } } } function start(...) end`, "at most 8"},
		{`game { calls = { start = "number" } } function start(n) end`, "game.calls.start is a string, not a table"},
		{`game { calls = { ["a b"] = {} } }`, "letters, digits and _"},
		{`game { calls = "start" } function start() end`, "game.calls is a string, not a table"},
		{`game { call = {} }`, "unknown key call; there are calls"},
	} {
		_, err := Compile([]world.Source{{Name: "game.lua", Text: c.text}}, testSetup)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
	script, err := Compile([]world.Source{{Name: "a.lua", Text: "function stop() end"}, {Name: "game.lua", Text: "game { calls = { stop = {} } }"}}, testSetup)
	if err == nil {
		t.Errorf("a function of another file: %v", script.Schema().Functions)
	}
	script, err = Compile([]world.Source{{Name: "game.lua", Text: `game { calls = { stop = {}, start = { "number", "ref" } } } function stop() end function start(n, o) end`}}, testSetup)
	if err != nil {
		t.Fatal(err)
	}
	if got := script.Schema().Functions.String(); got != "the game declares start(number, ref) and stop()" {
		t.Error(got)
	}
	if names := script.Schema().Functions; !slices.IsSortedFunc(names, func(a, b world.Function) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the functions are not sorted")
	}
}
