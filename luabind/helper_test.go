package luabind

import (
	"errors"
	"strings"
	"testing"

	"github.com/hindcast/hindcast/world"
)

var testSetup = world.Setup{TickRate: 60, Seed: 7, Substeps: 2, Width: 40, Height: 30, RepeatInputTicks: 15, GraceTicks: 1800}

// bundle returns a set of files written as {"ship.lua", text, "game.lua", text}.
func bundle(parts ...string) []world.Source {
	var files []world.Source
	for i := 0; i+1 < len(parts); i += 2 {
		files = append(files, world.Source{Name: parts[i], Text: parts[i+1]})
	}
	return files
}

// testScene is a world with a VM. A test drives both.
type testScene struct {
	t     testing.TB
	vm    *VM
	w     *world.World
	lines []string // printed
}

// start compiles files and creates a world.
func start(t testing.TB, parts ...string) *testScene {
	t.Helper()
	return startWith(t, testSetup, parts...)
}

func startWith(t testing.TB, setup world.Setup, parts ...string) *testScene {
	t.Helper()
	prog, err := NewProgram(bundle(parts...), setup)
	if err != nil {
		t.Fatalf("does not compile: %v", err)
	}
	s := &testScene{t: t, vm: prog.NewVM(), w: world.New()}
	s.w.Check = true
	s.vm.lang.scribble()
	s.w.Check = true
	s.w.Print = func(_ world.Tick, _ world.ObjectID, line string) { s.lines = append(s.lines, line) }
	s.w.Load(nil, prog.Schema())
	s.w.Begin()
	s.w.SpawnLevel(func(slot int, e *world.Event) {
		if err := s.vm.Call(s.w.Actor(), world.OnSpawn, slot, &world.Args{Event: e}); err != nil {
			s.w.Fault(slot, world.OnSpawn, err)
		}
	})
	s.w.BeginOrder()
	return s
}

// spawn puts an object into the world, as the game does, and runs its onSpawn.
func (s *testScene) spawn(class string) int {
	s.t.Helper()
	game, _ := s.w.Match()
	before := s.w.Act(game)
	slot, err := s.w.Spawn(class, world.Placement{})
	s.w.Act(before)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.call(world.OnSpawn, slot, world.Args{}); err != nil {
		s.t.Fatal(err)
	}
	s.order()
	return slot
}

// place adds an object and ignores errors of its onSpawn.
func (s *testScene) place(class string) int {
	game, _ := s.w.Match()
	before := s.w.Act(game)
	slot, err := s.w.Spawn(class, world.Placement{})
	s.w.Act(before)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = s.call(world.OnSpawn, slot, world.Args{}) // what comes of it shows on a host
	return slot
}

// order ends the current order and begins the next.
func (s *testScene) order() {
	s.w.EndOrder()
	s.w.BeginOrder()
}

// reader ends the tick, and returns the world as it is after it.
func (s *testScene) reader() world.Reader {
	s.w.EndOrder()
	s.w.End()
	return s.w.Reader()
}

func (s *testScene) call(h world.Hook, slot int, a world.Args) error {
	return s.vm.Call(s.w.Actor(), h, slot, &a)
}

// tick runs a whole tick of all objects that have the hook OnTick.
func (s *testScene) tick() {
	s.t.Helper()
	s.w.Begin()
	s.w.BeginOrder()
	for _, slot := range append([]int32(nil), s.w.Now.Run...) {
		if err := s.call(world.OnTick, int(slot), world.Args{}); err != nil {
			s.t.Fatalf("tick: %v", err)
		}
	}
	s.w.EndOrder()
	s.w.Step()
	s.w.End()
	s.w.BeginOrder()
}

// field reads a number field.
func (s *testScene) field(slot int, name string) float64 {
	f, ok := s.w.Class(slot).Field(name)
	if !ok {
		s.t.Fatalf("no field %s", name)
	}
	return numberOf(s.w.Now.Row(slot).Word(f))
}

// scriptErrors returns the script errors in a joined error.
func scriptErrors(t testing.TB, err error) (out []*world.ScriptError) {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		var se *world.ScriptError
		if !errors.As(err, &se) {
			t.Fatalf("no script error: %v", err)
		}
		return []*world.ScriptError{se}
	}
	for _, e := range joined.Unwrap() {
		var se *world.ScriptError
		if !errors.As(e, &se) {
			t.Fatalf("no script error: %v", e)
		}
		out = append(out, se)
	}
	return out
}

// run runs statements in a hook and returns what they printed, without positions.
func run(t testing.TB, body string) ([]string, error) {
	t.Helper()
	return runAfter(t, "", body)
}

// runAfter is run with a file that has more before the class, and with further files.
func runAfter(t testing.TB, before, body string, more ...string) ([]string, error) {
	t.Helper()
	s := start(t, append([]string{"a.lua", before + " X = object \"X\" { state = { n = 0, on = false, s = str(16), r = ref() } }\nfunction X:tick()\n" + body + "\nend"}, more...)...)
	slot := s.spawn("X")
	err := s.call(world.OnTick, slot, world.Args{})
	for i, l := range s.lines {
		_, s.lines[i], _ = strings.Cut(l, ": ")
	}
	return s.lines, err
}
