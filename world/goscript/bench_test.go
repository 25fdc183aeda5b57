package goscript_test

import (
	"testing"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/goscript"
)

// flight is a ship of the twin within an order, ready for its hooks.
type flight struct {
	script world.Script
	w      *world.World
	slot   int
	args   world.Args
}

func newFlight(t testing.TB, compile world.Compile, files []world.Source, setup world.Setup) *flight {
	t.Helper()
	script, err := compile(files, setup)
	if err != nil {
		t.Fatal(err)
	}
	f := &flight{script: script, w: world.New(), args: world.Args{Input: world.Input{Buttons: 1<<0 | 1<<2}}} // Accel and Left
	f.w.Load(nil, script.Schema())
	f.w.Begin()
	f.w.BeginOrder()
	f.w.SpawnLevel(func(int, *world.Event) {})
	game, _ := f.w.Match()
	before := f.w.Act(game)
	if f.slot, err = f.w.Spawn("Ship", world.Placement{Owner: 1}); err != nil {
		t.Fatal(err)
	}
	f.w.Act(before)
	f.w.EndOrder()
	f.w.BeginOrder()
	return f
}

// applyInput runs the hook once.
func (f *flight) applyInput(t testing.TB) {
	calls := f.w.Actor().Calls()
	calls.Spend(f.slot, -calls.Spent(f.slot)) // as in a tick of its own
	if err := f.script.Call(f.w.Actor(), world.ApplyInput, f.slot, &f.args); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkApplyInput flies a ship, in Go and in Lua.
func BenchmarkApplyInput(b *testing.B) {
	g := newTwin()
	for _, c := range []struct {
		language string
		compile  world.Compile
	}{{"Go", goscript.Compile(g.Game)}, {"Lua", inLua}} {
		b.Run(c.language, func(b *testing.B) {
			f := newFlight(b, c.compile, []world.Source{g.Source()}, roomOf(g.Game).Setup)
			b.ReportAllocs()
			for b.Loop() {
				f.applyInput(b)
			}
		})
	}
}

// TestHooksTakeNoMemory: a hook that reads, writes and looks around allocates nothing
// once its memory has grown.
func TestHooksTakeNoMemory(t *testing.T) {
	g := newTwin()
	fly := g.ship.ApplyInput
	g.ship.ApplyInput = func(a goscript.Actor, self goscript.Object, in *world.Input) {
		fly(a, self, in)
		p := self.Body().Pose()
		if len(a.OverlapCircle(p.X, p.Y, 3)) > 0 || a.Nearest(g.ship, p.X, p.Y, 3).Valid() {
			panic("it is alone")
		}
		if _, hit := a.Raycast(0, 0, 1, 1, "ship"); hit {
			g.hot.Set(self, true)
		}
	}
	f := newFlight(t, goscript.Compile(g.Game), []world.Source{g.Source()}, roomOf(g.Game).Setup)
	if n := testing.AllocsPerRun(100, func() { f.applyInput(t) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
