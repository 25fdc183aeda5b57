package client

import (
	"fmt"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/world"
)

// bundleReader parses and compiles bundles, in the background if the program lends it another goroutine: a large one
// takes longer than many ticks.
type bundleReader struct {
	compile    world.Compile
	background func(job func()) // nil: within the call
	pending    []*reading       // in the order in which they began
}

// reading is a bundle that is being read.
type reading struct {
	hash    bundle.Hash
	data    []byte
	cached  bool // data is from the cache
	scripts bool // they are compiled, too
	done    chan readBundle
}

// readBundle is a bundle that was read. script is nil if scripts was not set.
type readBundle struct {
	*bundle.Bundle
	script world.Script
	err    error
}

func newBundleReader(compile world.Compile, background func(job func())) *bundleReader {
	return &bundleReader{compile: compile, background: background}
}

// has reports whether a bundle is being read.
func (r *bundleReader) has(hash bundle.Hash) bool {
	for _, p := range r.pending {
		if p.hash == hash {
			return true
		}
	}
	return false
}

// begin begins to read a bundle.
func (r *bundleReader) begin(p *reading) {
	p.done = make(chan readBundle, 1)
	r.pending = append(r.pending, p)
	compile := r.compile // the job touches nothing else of the client
	job := func() { p.done <- p.read(compile) }
	if r.background == nil {
		job()
		return
	}
	r.background(job)
}

// take returns the next bundle that was read, and drops it; ok is false if there is none.
func (r *bundleReader) take() (p *reading, b readBundle, ok bool) {
	for i, p := range r.pending {
		select {
		case b := <-p.done:
			r.pending = append(r.pending[:i:i], r.pending[i+1:]...)
			return p, b, true
		default:
		}
	}
	return nil, readBundle{}, false
}

// read parses the bundle, and compiles its scripts if they are wanted.
func (p *reading) read(compile world.Compile) readBundle {
	b, err := bundle.Parse(p.data)
	if err != nil || !p.scripts {
		return readBundle{Bundle: b, err: err}
	}
	script, err := side.Compiled(compile, b.Files, b.Setup)
	if err != nil {
		return readBundle{err: fmt.Errorf("scripts of bundle %s: %w", p.hash, err)}
	}
	return readBundle{Bundle: b, script: script}
}
