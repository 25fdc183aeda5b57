package luabind

import (
	"context"
	"errors"
	"fmt"
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

// RelevantInstructions is what relevant may use for one answer: a host asks it
// for many pairs in a tick.
const RelevantInstructions = 10_000

// What loading all files of a bundle may use.
const (
	loadInstructions = 2_000_000
	loadMemory       = 16 << 20
)

// allowance is what some code may use, as its errors name it.
type allowance struct {
	what         string
	instructions int64
	memory       int64
}

var (
	hookAllowance     = &allowance{"the hook", HookInstructions, HookMemory}
	loadAllowance     = &allowance{"loading", loadInstructions, loadMemory}
	testAllowance     = &allowance{"the test", testInstructions, testMemory}
	viewAllowance     = &allowance{"the function", ViewInstructions, HookMemory}
	relevantAllowance = &allowance{"the function", RelevantInstructions, HookMemory}
)

var errSpent = errors.New("budget spent")

// budget counts a hook's instructions and memory down. It is the context of
// the LStates: with a context set, gopher-lua asks it before each instruction
// whether it is done, and that question is what counts.
type budget struct {
	left   int64
	memory int64
	spent  bool
	of     *allowance
	closed chan struct{}
}

func newBudget() *budget {
	b := &budget{closed: make(chan struct{})}
	close(b.closed)
	return b
}

// start starts with all of an allowance.
func (b *budget) start(a *allowance) { b.reset(a.instructions, a) }

// reset starts with a number of instructions, at most those of an allowance.
func (b *budget) reset(instructions int64, a *allowance) {
	b.left, b.memory, b.spent, b.of = instructions, a.memory, false, a
}

// used returns how many of the given instructions are used.
func (b *budget) used(given int64) int64 { return given - max(b.left, 0) }

// problem is the message about a budget that is spent; "" if it is not.
func (b *budget) problem() string {
	if !b.spent {
		return ""
	}
	return fmt.Sprintf("%s used up its budget of %d instructions or %d KiB of memory; is there a loop that does not end?",
		b.of.what, b.of.instructions, b.of.memory>>10)
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
