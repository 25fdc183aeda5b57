package luabind

import (
	"embed"
	"fmt"
	"testing"

	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"pgregory.net/rapid"
)

// everything is a game that calls every function of the API and stores the results in
// fields, so that the hash of the world covers them.
//
//go:embed testdata/everything/*.lua
var everything embed.FS

func everythingProgram(t testing.TB) *Program {
	t.Helper()
	var files []world.Source
	for _, n := range []string{"a.lua", "b.lua", "game.lua"} {
		text, err := everything.ReadFile("testdata/everything/" + n)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, world.Source{Name: n, Text: string(text)})
	}
	prog, err := NewProgram(files, testSetup)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// step runs a whole tick in the order of the runtime. It returns a sum over the budgets that
// hooks have left.
func step(t testing.TB, w *world.World, vm *VM) (left int64) {
	t.Helper()
	call := func(h world.Hook, slot int, a *world.Args) {
		if err := vm.Call(w.Actor(), h, slot, a); err != nil {
			t.Fatalf("tick %d: %v", w.Now.Tick, err)
		}
		left += vm.lang.budget.left + 31*vm.lang.budget.memory
	}
	w.Begin()
	if w.Now.Tick == 1 {
		w.BeginOrder()
		w.SpawnLevel(func(slot int, e *world.Event) { call(world.OnSpawn, slot, &world.Args{Event: e}) })
		game, _ := w.Match()
		call(world.OnStart, game, nil)
		w.EndOrder()
	}
	slots := func() []int32 { return append([]int32(nil), w.Now.Run...) }
	w.BeginOrder()
	for _, slot := range slots() {
		var a world.Args
		call(world.Think, int(slot), &a)
		call(world.ApplyInput, int(slot), &a)
	}
	w.EndOrder()
	w.BeginOrder()
	for _, slot := range slots() {
		call(world.OnTick, int(slot), nil)
		call(world.OnGameTick, int(slot), nil)
	}
	w.EndOrder()
	w.Step()
	w.BeginOrder()
	for _, c := range w.Contacts() {
		if slot, ok := w.Now.Find(c.A); ok && !c.Ended {
			call(world.OnContact, slot, &world.Args{Other: c.B, Contact: c})
		}
	}
	w.EndOrder()
	w.End()
	return left
}

// TestGoldenEverything: the same bits, and the same use of the budgets, on
// every CPU and in every run.
func TestGoldenEverything(t *testing.T) {
	prog := everythingProgram(t)
	w, vm := world.New(), prog.NewVM()
	w.Load(nil, prog.Schema())
	var hashes []string
	spent := int64(0)
	for range 120 {
		spent += step(t, w, vm)
		if w.Now.Tick%30 == 0 {
			hashes = append(hashes, fmt.Sprintf("%016x", w.Now.Hash()))
		}
	}
	want := "[31ad1212295e58a3 cbe15022c83e360e 1d46b819b805867f 9771f92743c3d2b7] 162040520704"
	if got := fmt.Sprint(hashes, spent); got != want {
		t.Errorf("hashes %s, not %s", got, want)
	}
}

// TestRewindsLeaveNoTrace runs the game forwards and back in any order, on two
// VMs. A tick has the same hash whenever it runs, on either VM, because only the state
// remembers anything.
func TestRewindsLeaveNoTrace(t *testing.T) {
	prog := everythingProgram(t)
	draws.CheckN(t, draws.Pick(40, 100), func(r *rapid.T) {
		vms := []*VM{prog.NewVM(), prog.NewVM()}
		w := world.New()
		w.Load(nil, prog.Schema())
		history := []*world.State{{}}
		history[0].CopyFrom(w.Now)
		hashes := []uint64{w.Now.Hash()}
		for range rapid.IntRange(5, 25).Draw(r, "moves") {
			if back := rapid.IntRange(0, 4).Draw(r, "back"); back > 0 {
				to := max(len(history)-1-back, 0)
				history = history[:to+1]
				w.Load(history[to], prog.Schema())
				w.Now.CopyFrom(history[to])
			}
			left := step(t, w, vms[rapid.IntRange(0, 1).Draw(r, "vm")])
			saved := &world.State{}
			saved.CopyFrom(w.Now)
			history = append(history, saved)
			h := w.Now.Hash() + uint64(left)
			if tick := int(w.Now.Tick); tick < len(hashes) {
				if hashes[tick] != h {
					r.Fatalf("tick %d: %016x, and %016x before", tick, h, hashes[tick])
				}
			} else {
				hashes = append(hashes, h)
			}
		}
	})
}

// TestStaleHandles: when a tick runs again and an id belongs to an object of another class,
// its handle does not have the methods of the old class.
func TestStaleHandles(t *testing.T) {
	prog, err := NewProgram(bundle("a.lua", `
A = object "A" { state = { a = 1 } }
B = object "B" { state = { b = 2 } }
function A:name() return "A" end
function B:name() return "B" end
X = object "X" { state = { which = 0, got = 0 } }
function X:tick()
  local o = spawn(self.which == 0 and "A" or "B")
  self.got = (o:name() == "A" and o.a or o.b)
end`), testSetup)
	if err != nil {
		t.Fatal(err)
	}
	s := &testScene{t: t, vm: prog.NewVM(), w: world.New()}
	s.w.Load(nil, prog.Schema())
	s.w.Begin()
	s.w.SpawnLevel(func(int, *world.Event) {})
	s.w.BeginOrder()
	slot := s.spawn("X")
	var saved world.State
	saved.CopyFrom(s.w.Now)
	for which := 0.0; which < 2; which++ {
		s.w.Load(&saved, prog.Schema())
		f, _ := s.w.Class(slot).Field("which")
		s.w.Now.Row(slot).SetWord(f, world.NumberBits(which))
		s.w.Begin()
		s.w.BeginOrder()
		if err := s.call(world.OnTick, slot, world.Args{}); err != nil {
			t.Fatal(err)
		}
		if got := s.field(slot, "got"); got != which+1 {
			t.Errorf("which = %v: got %v", which, got)
		}
	}
}
