package programs_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/hindcast/hindcast/luabind/programs"
	"github.com/hindcast/hindcast/world"
)

// variant returns the files of a small game; each n has another text.
func variant(n int) []world.Source {
	return []world.Source{{Name: "ship.lua", Text: fmt.Sprintf("Ship = object \"Ship\" { state = { fuel = %d } }", n)}}
}

// schemaOf compiles and returns the schema, which programs have in common if they are one.
func schemaOf(t *testing.T, cache *programs.Cache, files []world.Source, setup world.Setup) *world.Schema {
	t.Helper()
	script, err := cache.Compile(files, setup)
	if err != nil {
		t.Fatal(err)
	}
	return script.Schema()
}

// TestProgramsAreShared: equal bundles have one program, all others have another one.
func TestProgramsAreShared(t *testing.T) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30}
	var cache programs.Cache
	first := schemaOf(t, &cache, variant(1), setup)
	if schemaOf(t, &cache, variant(1), setup) != first {
		t.Error("the same bundle was compiled twice")
	}
	faster := setup
	faster.TickRate = 30
	split := []world.Source{{Name: "ship.lu", Text: "a" + variant(1)[0].Text}} // "ship.lua" is not its name
	for what, schema := range map[string]*world.Schema{
		"another text":  schemaOf(t, &cache, variant(2), setup),
		"another setup": schemaOf(t, &cache, variant(1), faster),
		"another name":  schemaOf(t, &cache, split, setup),
	} {
		if schema == first {
			t.Errorf("%s has the same program", what)
		}
	}
}

// TestProgramsAreBounded: the program that was not used for the longest time is forgotten.
func TestProgramsAreBounded(t *testing.T) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30}
	var cache programs.Cache
	used, unused := schemaOf(t, &cache, variant(0), setup), schemaOf(t, &cache, variant(1), setup)
	for n := 2; n < 40; n++ {
		schemaOf(t, &cache, variant(n), setup)
		if schemaOf(t, &cache, variant(0), setup) != used {
			t.Fatalf("a program in use was compiled again after %d others", n)
		}
	}
	if schemaOf(t, &cache, variant(1), setup) == unused {
		t.Error("40 programs were kept")
	}
}

// TestProgramsForgetFailures: what does not compile has the same errors each time.
func TestProgramsForgetFailures(t *testing.T) {
	var cache programs.Cache
	files := []world.Source{{Name: "ship.lua", Text: "Ship ="}}
	_, first := cache.Compile(files, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30})
	_, second := cache.Compile(files, world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30})
	if first == nil || second == nil || first.Error() != second.Error() || first == second {
		t.Errorf("%v, then %v: want the same text of two errors", first, second)
	}
}

// TestProgramsAreSharedConcurrently: goroutines that compile one bundle at a time share its program.
func TestProgramsAreSharedConcurrently(t *testing.T) {
	var cache programs.Cache
	var wait sync.WaitGroup
	schemas := make([]*world.Schema, 8)
	for i := range schemas {
		wait.Go(func() {
			schemas[i] = schemaOf(t, &cache, variant(1), world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30})
		})
	}
	wait.Wait()
	for _, s := range schemas {
		if s == nil || s != schemas[0] {
			t.Fatal("goroutines got programs of their own")
		}
	}
}

// Two rooms of one process share a program.
func ExampleCache() {
	var cache programs.Cache
	files := []world.Source{{Name: "ship.lua", Text: `Ship = object "Ship" { state = { fuel = 100 } }`}}
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 40, Height: 30}
	one, _ := cache.Compile(files, setup) // host.Config{Compile: cache.Compile, ...}
	two, _ := cache.Compile(files, setup)
	fmt.Println(one == two, one.Schema() == two.Schema())
	// Output: false true
}
