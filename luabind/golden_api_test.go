package luabind

import (
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// digest hashes the results of calls into 64 bits, with every bit of every number.
type digest struct {
	sum   uint64
	calls int
}

func (d *digest) add(text string) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%016x %s", d.sum, text)
	d.sum = h.Sum64()
}

// describe writes a value as text, a number with all its bits.
func describe(v lua.LValue, depth int) string {
	switch v := v.(type) {
	case lua.LNumber:
		return fmt.Sprintf("number %016x", world.NumberBits(float64(v)))
	case *lua.LTable:
		text := "table {"
		for _, k := range sortedTableKeys(v) {
			if depth < 3 {
				text += describe(k, depth+1) + " = " + describe(v.RawGet(k), depth+1) + ", "
			}
		}
		return text + "}"
	}
	return typeName(v) + " " + toText(v)
}

// caller calls functions of the API as a hook of an object.
type caller struct {
	*testScene
	slot  int
	saved world.State
	digest
}

// call calls fn and hashes its results or its error, and the world after it.
func (c *caller) call(what string, fn lua.LValue, args ...lua.LValue) {
	c.calls++
	c.w.Load(&c.saved, c.vm.Schema())
	c.w.Begin()
	c.w.BeginOrder()
	text := what
	class := &c.vm.objects.classes[c.w.Now.Objects[c.slot].Class]
	class.hooks[world.OnTick] = c.vm.states.first().NewFunction(func(L *lua.LState) int {
		top := L.GetTop()
		L.Push(fn)
		for _, a := range args {
			L.Push(a)
		}
		L.Call(len(args), lua.MultRet)
		for i := top + 1; i <= L.GetTop(); i++ {
			text += " " + describe(L.Get(i), 0)
		}
		return 0
	})
	err := c.vm.Call(c.w.Actor(), world.OnTick, c.slot, &world.Args{})
	if se, ok := err.(*world.ScriptError); ok {
		text += " " + se.Message
		if se.Message == "" || len(se.Message) > 2000 {
			c.t.Errorf("%s: %+v", what, se)
		}
	}
	c.w.EndOrder()
	c.w.Step()
	c.add(fmt.Sprint(text, " ", c.w.Now.Hash(), " ", c.vm.lang.budget.left, " ", c.vm.lang.budget.memory))
}

// TestGoldenAPI calls every function of the API with many arguments: each gives
// the same bits, the same errors, the same world and the same use of the budget
// on every CPU.
func TestGoldenAPI(t *testing.T) {
	s := start(t, "a.lua", `
X = object "X" { state = { n = 5, s = str(16, "text"), r = ref(), l = list("number", 4), on = true }, body = { shape = { circle = 0.5 } } }
function X:tick() end
Y = object "Y" { body = { shape = { box = { 1, 2 } } } }
half = { 0.5, 3, "x", 2, k = 7 }
function first(a) return a end
`)
	c := &caller{testScene: s, slot: s.spawn("X")}
	other := s.spawn("Y")
	s.w.Now.Body(other).X = 3
	s.order()
	c.saved.CopyFrom(s.w.Now)
	c.w.Act(-1)

	self, them := s.vm.scene.handleIn(s.w.Now, c.slot), s.vm.scene.handleIn(s.w.Now, other)
	half := s.vm.states.first().G.Global.RawGetString("half")
	first := s.vm.states.first().G.Global.RawGetString("first")
	n := func(v float64) lua.LValue { return lua.LNumber(v) }
	str := func(v string) lua.LValue { return lua.LString(v) }
	ones := []lua.LValue{lua.LNil, lua.LTrue, n(0), n(math.Copysign(0, -1)), n(1), n(-1.5), n(0.3), n(3), n(1e9), n(-1e19), n(1e308), n(5e-324),
		n(math.Inf(1)), n(math.Inf(-1)), n(math.NaN()), n(1 << 53), n(math.Pi), str(""), str("10"), str("abc"), str("%a+"), str("X"), str("%5.2f|%d"), half, self, them, first}
	few := []lua.LValue{lua.LNil, n(2), n(-0.7), n(1e300), str("a-b"), str("(.)%-?"), half, first, self}
	least := []lua.LValue{n(1), n(-2.25), str("b"), n(1e9), half}

	names := strings.Fields("print type select error assert ipairs pairs next tostring tonumber unpack " +
		"objects raycast raycastAll circleCast overlapCircle overlapBox overlapPolygon nearest players now tickNumber random " +
		"rope rod spring hinge weld slider wheel spawn cue")
	for _, table := range []libraryTable{mathTable(), stringTable(), s.vm.lists.table(), vecTable()} {
		for _, e := range table.Entries {
			names = append(names, table.Name+"."+e.Name)
		}
	}
	each := func(what string, fn lua.LValue, before ...lua.LValue) {
		call := func(args ...lua.LValue) { c.call(what, fn, append(append([]lua.LValue{}, before...), args...)...) }
		call()
		for _, a := range ones {
			call(a)
		}
		for _, a := range few {
			for _, b := range few {
				call(a, b)
			}
		}
		for _, a := range least {
			for _, b := range least {
				for _, d := range least {
					call(a, b, d)
				}
			}
		}
		call(n(0.1), n(0.2), n(0.3), n(0.4))
	}
	for _, name := range names {
		each(name, s.vm.env.provided(name))
	}
	for _, m := range s.vm.methods() {
		each("self:"+m.Name, s.vm.env.method(m.Name), self)
		each("them:"+m.Name, s.vm.env.method(m.Name), them)
	}
	for _, e := range []string{syntax.Concat, syntax.Pow, syntax.Get} {
		each(e, s.vm.env.helper(e))
	}
	if c.calls < 20000 {
		t.Errorf("%d calls", c.calls)
	}
	if got, want := fmt.Sprintf("%016x", c.sum), "1a21f69934ce3960"; got != want {
		t.Errorf("%d calls give %s, not %s", c.calls, got, want)
	}
}
