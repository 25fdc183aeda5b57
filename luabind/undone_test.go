package luabind

import (
	"testing"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// failAfter makes gopher-lua itself fail at the end of the hook of a class.
func (s *testScene) failAfter(class string, h world.Hook) {
	i, _ := s.vm.Schema().ClassByName(class)
	whole, L := s.vm.objects.classes[i].hooks[h], s.vm.states.first()
	panics := unverified(s.t, s.vm, "local function f(...) return f(1, ...) end f(1)")
	s.vm.objects.classes[i].hooks[h] = L.NewFunction(func(L *lua.LState) int {
		L.Push(whole)
		L.Push(L.Get(1))
		L.Call(1, 0)
		L.Push(panics)
		L.Call(0, 0)
		return 0
	})
}

// TestPanicUndoesTheHook: if the interpreter fails in a hook, everything that the hook did is
// undone: its writes, spawns, operations on other objects and random numbers.
func TestPanicUndoesTheHook(t *testing.T) {
	const files = `
X = object "X" { state = { n = 0 }, body = { shape = { circle = 1 } } }
function X:tick()
  self.n = 1
  self:setPosition(3, 4)
  self:setVelocity(random(), 5)
  local y = spawn("Y", { x = 7 })
  y.m = 3
  y:setPosition(8, 9)
  for _, other in ipairs(objects("X")) do other:applyImpulse(1, 2) other:setOwner(3) end
  self:setOwner(2)
  self:remove()
end
function X:onRemove() self.n = random() end
Y = object "Y" { state = { m = 1 }, body = { shape = { circle = 1 } } }
function Y:onSpawn() self.m = 2 spawn("Z") end
Z = object "Z" {}`
	play := func(called, fails bool) *testScene {
		s := start(t, "a.lua", files)
		a, b := s.spawn("X"), s.spawn("X")
		if called {
			if fails {
				s.failAfter("X", world.OnTick)
			}
			err := s.call(world.OnTick, a, world.Args{})
			if (err != nil) != fails || fails && !scriptErrors(t, err)[0].Panic || s.w.Actor().Calls().Spent(a) < 20 {
				t.Fatalf("%v, %d instructions", err, s.w.Actor().Calls().Spent(a))
			}
		}
		for _, slot := range []int{a, b} { // by chance, as if it were the first number
			if err := s.call(world.OnRemove, slot, world.Args{}); err != nil {
				t.Fatal(err)
			}
		}
		s.w.EndOrder()
		s.w.Step()
		s.w.End()
		return s
	}
	want, done := play(false, false), play(true, false)
	if want.w.Now.Hash() == done.w.Now.Hash() || done.w.Now.Len() != want.w.Now.Len()+1 {
		t.Fatalf("the hook does little: %d objects, without it %d", done.w.Now.Len(), want.w.Now.Len())
	}
	got := play(true, true)
	if got.w.Now.Hash() != want.w.Now.Hash() {
		t.Errorf("%v", world.Diff(want.w.Now, got.w.Now, want.vm.Schema(), 8))
	}
}
