package programs

import (
	"slices"
	"sync"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// maxKept bounds how many programs a Cache keeps: those of the games of a process, before and after an
// edit.
const maxKept = 32

// Cache compiles bundles, and keeps the 32 programs that were used most recently. The zero value is
// ready for use.
type Cache struct {
	mu   sync.Mutex
	kept []*entry // the one used last is at the end
}

// entry is a program that is compiled once.
type entry struct {
	key  bundle.Hash
	once sync.Once
	prog *luabind.Program
	err  error
}

// Compile makes a VM of a bundle. It is a world.Compile. It compiles the files unless their program is
// kept. The error joins every problem, each a *world.ScriptError; it is not kept.
func (c *Cache) Compile(files []world.Source, setup world.Setup) (world.Script, error) {
	e := c.take(bundle.HashOf((&bundle.Bundle{Files: files, Setup: setup}).Encode()))
	e.once.Do(func() { e.prog, e.err = luabind.NewProgram(files, setup) })
	if e.err != nil {
		c.drop(e)
		return nil, e.err
	}
	return e.prog.NewVM(), nil
}

// take returns the entry of a key, and makes one if there is none. The one that was not used for the
// longest time gives way.
func (c *Cache) take(key bundle.Hash) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := &entry{key: key}
	if i := slices.IndexFunc(c.kept, func(e *entry) bool { return e.key == key }); i >= 0 {
		e = c.kept[i]
		c.kept = slices.Delete(c.kept, i, i+1)
	}
	if len(c.kept) == maxKept {
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	c.kept = append(c.kept, e)
	return e
}

// drop forgets an entry that did not compile.
func (c *Cache) drop(failed *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = slices.DeleteFunc(c.kept, func(e *entry) bool { return e == failed })
}
