package luabind

import (
	"fmt"
	"os"
	"testing"

	"github.com/hindcast/hindcast/world"
)

// rig returns a game of joints, carried balls, walkers and piles that sleep; the
// simulations in runtime/simtest play it too.
func rig(t *testing.T) *Program {
	t.Helper()
	var files []world.Source
	for _, n := range []string{"rig.lua", "game.lua"} {
		text, err := os.ReadFile("testdata/rig/" + n)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, world.Source{Name: n, Text: string(text)})
	}
	setup := world.Setup{TickRate: 60, Seed: 5, GravityY: -10, Substeps: 4, SleepAfter: world.DefaultSleep, Width: 40, Height: 20,
		Walls: []world.Wall{{Y: -7.5, W: 42, H: 1, Friction: 0.6}, {X: -20.5, W: 1, H: 16}, {X: 20.5, W: 1, H: 16}}}
	prog, err := NewProgram(files, setup)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestGoldenRig: the game has the same bits on every CPU, and all that it is about happens.
func TestGoldenRig(t *testing.T) {
	prog := rig(t)
	w, vm := world.New(), prog.NewVM()
	w.Load(nil, prog.Schema())
	var hashes []string
	broke, slept, carried := 0, 0, 0
	for range 300 {
		stepRig(t, w, vm)
		broke += len(w.JointBreaks())
		for slot := range w.Now.Objects {
			if b := w.Now.Body(slot); b.Key != 0 && b.Asleep() {
				slept++
			}
			if j, ok := w.Actor().SeeJoint(w.Now.Objects[slot].ID); ok && j.Key == j.KeyB {
				carried++
			}
		}
		if w.Now.Tick%60 == 0 {
			hashes = append(hashes, fmt.Sprintf("%016x", w.Now.Hash()))
		}
	}
	if broke == 0 || slept == 0 || carried == 0 {
		t.Errorf("%d joints broke, %d body-ticks slept, %d carried", broke, slept, carried)
	}
	want := "[306374edbf119953 1d75cafd456f9b6a 31b2223ea4b99df1 f776b925103509c7 686688aaae355c6f]"
	if got := fmt.Sprint(hashes); got != want {
		t.Errorf("hashes %s, not %s", got, want)
	}
}

// stepRig runs a tick with three cars. Their buttons are a function of the tick.
func stepRig(t *testing.T, w *world.World, vm *VM) {
	t.Helper()
	call := func(h world.Hook, slot int, a world.Args) {
		if err := vm.Call(w.Actor(), h, slot, &a); err != nil {
			t.Fatalf("tick %d: %v", w.Now.Tick, err)
		}
	}
	w.Begin()
	w.BeginOrder()
	if w.Now.Tick == 1 {
		w.SpawnLevel(func(slot int, e *world.Event) { call(world.OnSpawn, slot, world.Args{Event: e}) })
		game, _ := w.Match()
		call(world.OnStart, game, world.Args{})
		for p := range 3 {
			call(world.OnJoin, game, world.Args{Player: world.PlayerID(p + 1)})
		}
	}
	w.EndOrder()
	w.BeginOrder()
	run := append([]int32(nil), w.Now.Run...)
	for _, slot := range run {
		if w.Now.Objects[slot].Owner != 0 {
			buttons := uint32(w.Now.Tick/40) * (2*uint32(w.Now.Objects[slot].Owner) + 1)
			call(world.ApplyInput, int(slot), world.Args{Input: world.Input{Buttons: buttons & 15}})
		}
	}
	w.EndOrder()
	w.BeginOrder()
	for _, slot := range run {
		call(world.OnTick, int(slot), world.Args{})
		call(world.OnGameTick, int(slot), world.Args{})
	}
	w.EndOrder()
	w.Step()
	tellRig(w, call)
	w.End()
}

// tellRig runs the hooks for contacts and for broken joints.
func tellRig(w *world.World, call func(world.Hook, int, world.Args)) {
	w.BeginBlock(w.Schema().ContactBlock())
	tell := func(h world.Hook, self, other world.ObjectID, a world.Args) {
		a.Other = other
		if slot, ok := w.Now.Find(self); ok {
			call(h, slot, a)
		}
	}
	for _, c := range w.Contacts() {
		if !c.Ended {
			tell(world.OnContact, c.A, c.B, world.Args{Contact: c})
			tell(world.OnContact, c.B, c.A, world.Args{Contact: c})
		}
	}
	for _, p := range w.JointBreaks() {
		tell(world.OnJointBreak, p.A, p.B, world.Args{JointBreak: p})
		tell(world.OnJointBreak, p.B, p.A, world.Args{JointBreak: p})
	}
	w.EndOrder()
}
