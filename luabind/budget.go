package luabind

import (
	"context"
	"errors"
	"time"

	lua "github.com/yuin/gopher-lua"
)

// What one hook may use, the same on every machine. A Go function that a
// script calls charges for its size in the same units.
const (
	HookInstructions = 100_000
	HookMemory       = 1 << 20 // bytes of tables and strings made
	// OrderInstructions is what all hooks of one object may use in one order of
	// a tick: when contacts are told, it may have met many others.
	OrderInstructions = 4 * HookInstructions
)

// What loading all files of a bundle may use.
const (
	loadInstructions = 2_000_000
	loadMemory       = 16 << 20
)

var errSpent = errors.New("budget spent")

// budget counts a hook's instructions and memory down. It is the context of
// the LStates: with a context set, gopher-lua asks it before each instruction
// whether it is done, and that question is what counts.
type budget struct {
	left   int64
	memory int64
	spent  bool
	closed chan struct{}
}

func newBudget() *budget {
	b := &budget{closed: make(chan struct{})}
	close(b.closed)
	return b
}

func (b *budget) reset(instructions, memory int64) {
	b.left, b.memory, b.spent = instructions, memory, false
}

// Done is called before each instruction. A nil channel is never ready.
func (b *budget) Done() <-chan struct{} {
	b.left--
	if b.left >= 0 {
		return nil
	}
	b.spent = true
	return b.closed
}

// Err is what gopher-lua raises once Done is ready.
func (b *budget) Err() error { return errSpent }

// Deadline and Value complete context.Context.
func (b *budget) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Value knows nothing.
func (b *budget) Value(any) any { return nil }

var _ context.Context = (*budget)(nil)

// charge takes n instructions for work that a Go function is about to do.
func (b *budget) charge(L *lua.LState, n int) {
	b.left -= int64(n)
	if b.left < 0 {
		b.spent = true
		L.RaiseError("%s", errSpent.Error())
	}
}

// alloc takes n bytes, and an instruction for each 32 of them.
func (b *budget) alloc(L *lua.LState, n int) {
	b.memory -= int64(n)
	if b.memory < 0 {
		b.spent = true
		L.RaiseError("%s", errSpent.Error())
	}
	b.charge(L, n/32)
}

// share gives a nested hook half of what is left, so that the hook around it
// can always go on. give puts the rest back.
func (b *budget) share() (keep budget) {
	keep = *b
	b.left, b.memory = b.left/2, b.memory/2
	return keep
}

func (b *budget) give(keep budget) {
	rest, memory := max(b.left, 0), max(b.memory, 0)
	b.left = keep.left - keep.left/2 + rest
	b.memory = keep.memory - keep.memory/2 + memory
	b.spent = keep.spent
}
