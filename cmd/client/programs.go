package main

import (
	"sync"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// programs keeps the programs compiled in this process, by the hash of their
// bundle, so that many players of one room compile its scripts once. It is safe
// for concurrent use.
type programs struct {
	mu   sync.Mutex
	made map[bundle.Hash]*luabind.Program
}

func newPrograms() *programs { return &programs{made: map[bundle.Hash]*luabind.Program{}} }

// compile makes a script of a bundle's files; it is a world.Compile.
func (c *programs) compile(files []world.Source, setup world.Setup) (world.Script, error) {
	key := bundle.HashOf((&bundle.Bundle{Files: files, Setup: setup}).Encode())
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.made[key]; p != nil {
		return p.NewVM(), nil
	}
	p, err := luabind.NewProgram(files, setup)
	if err != nil {
		return nil, err
	}
	c.made[key] = p
	return p.NewVM(), nil
}
