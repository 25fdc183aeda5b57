package main

import (
	"sync"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// Players of one process who get the same scripts and level share one Program;
// with others they do not, and what does not compile is not kept.
func TestProgramsAreCompiledOnce(t *testing.T) {
	c := newPrograms()
	files := func(text string) []world.Source { return []world.Source{{Name: "a.lua", Text: text}} }
	compile := func(text string, setup world.Setup) *world.Schema {
		s, err := c.compile(files(text), setup)
		if err != nil {
			t.Error(err)
			return nil
		}
		return s.Schema()
	}
	setup := bundle.DefaultSetup()
	var players sync.WaitGroup
	schemas := make([]*world.Schema, 8)
	for i := range schemas {
		players.Go(func() { schemas[i] = compile("X = object 'X' {}", setup) })
	}
	players.Wait()
	for _, s := range schemas {
		if s == nil || s != schemas[0] {
			t.Fatalf("not one program: %v", schemas)
		}
	}
	wider := setup
	wider.Width++
	for _, other := range []*world.Schema{compile("Y = object 'Y' {}", setup), compile("X = object 'X' {}", wider)} {
		if other == schemas[0] {
			t.Error("another bundle got the same program")
		}
	}
	for range 2 {
		if _, err := c.compile(files("X ="), setup); err == nil {
			t.Error("compiled")
		}
	}
	if len(c.made) != 3 {
		t.Errorf("%d programs are kept, want 3", len(c.made))
	}
}
