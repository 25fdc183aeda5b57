package luabind

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Limits of one hook, the same on every machine. A Go function that a script
// calls charges for its work in the same units.
const (
	HookInstructions = 100_000
	HookMemory       = 1 << 20 // bytes of tables, strings and functions made
	// OrderInstructions is the limit of all hooks of one object in one order of
	// a tick. When contacts are delivered, an object may have touched many
	// others.
	OrderInstructions = 4 * HookInstructions
)

// RelevantInstructions is the limit of relevant and predicted for one answer. They are called
// for many pairs of objects in a tick.
const RelevantInstructions = 10_000

// ShowInstructions is the limit of a function of show for one value. It runs for many fields in
// each frame.
const (
	ShowInstructions = 500
	showMemory       = 16 << 10
)

// Limits of loading all files of a bundle.
const (
	loadInstructions = 2_000_000
	loadMemory       = 16 << 20
)

// allowance is what a kind of code may use, and how errors name that code.
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
	showAllowance     = &allowance{"the function of show", ShowInstructions, showMemory}
	relevantAllowance = &allowance{"the function", RelevantInstructions, HookMemory}
)

// stringUnit is how many bytes of the longest string that a hook has made raise the price of each of its instructions
// by one, if the string is not short. At this price, to look the longest string up in four tables within one
// instruction takes some three times as long as an addition.
const stringUnit = 512

// stepOf is the price of an instruction while there is a string of n bytes.
func stepOf(n, short int) int64 {
	if n <= short {
		return 1
	}
	return 1 + int64(n)/stringUnit
}

// freeKept is the length up to which a string of the files, such as a licence, changes no prices.
const freeKept = 2 * syntax.ShortString

var errSpent = errors.New("budget spent")

// budget counts the instructions and the memory of a hook down. It is the
// context of the interpreters: gopher-lua asks a context before each
// instruction whether it is done, and budget counts these questions.
type budget struct {
	left   int64
	step   int64 // the price of an instruction: the higher one of stepOf and of captures.step
	sized  int64 // stepOf
	kept   int   // the length of the longest string that the files keep
	text   int   // the length of the longest string that the hook has, if it changes the price
	most   int64 // what left was
	memory int64
	had    int64 // what memory was
	shared bool  // it is half of what the hook around has left
	open   captures
	places int // of tables that have no value any more, see call.leaves
	spent  bool
	of     *allowance
	hook   hookName           // which uses it, empty if no hook does
	runs   func() *lua.LState // the interpreter that runs, nil: none does
	closed chan struct{}
	usage  usage
}

// hookName is a hook of an object that is called.
type hookName struct {
	class *world.Class
	hook  world.Hook
	args  *world.Args
}

// String returns Class:hook. The hooks of game.lua, which are global functions, have no class.
func (n hookName) String() string {
	name := n.hook.String()
	switch {
	case n.hook == world.OnTimer:
		name = n.class.Timers[n.args.Timer]
	case n.hook == world.HostEvent:
		name = n.args.Event.Name
	}
	if n.class.Name == world.GameClass {
		return name
	}
	return n.class.Name + ":" + name
}

func newBudget() *budget {
	b := &budget{runs: func() *lua.LState { return nil }, closed: make(chan struct{})}
	close(b.closed)
	return b
}

// object names the object whose hook it is.
func (n hookName) object() string {
	if n.class.Name == world.GameClass {
		return "game.lua"
	}
	return "one " + n.class.Name
}

// start starts with all of an allowance.
func (b *budget) start(a *allowance) { b.reset(a.instructions, a) }

// reset starts with a number of instructions, at most those of an allowance.
func (b *budget) reset(instructions int64, a *allowance) {
	b.left, b.most, b.spent, b.of, b.shared = instructions, instructions, false, a, false
	b.memory, b.had = a.memory, a.memory
	b.places = 0
	b.sized, b.text, b.open = stepOf(b.kept, freeKept), b.kept, captures{}
	b.step = b.sized
	b.hook = hookName{}
	b.usage.start(b.left, b.memory)
}

// keep notes the length of the longest string that the files keep. Every hook may use it.
func (b *budget) keep(n int) { b.kept = n }

// long notes that the hook has a string of n bytes.
func (b *budget) long(n int) {
	if step := stepOf(n, syntax.ShortString); step > b.sized {
		b.sized, b.text = step, n
		b.step = max(b.sized, b.open.step())
	}
}

// capture notes the variables that a new function has captured, and returns how many no function had captured before.
func (b *budget) capture(places []*lua.Upvalue) (fresh int) {
	fresh = b.open.add(places)
	b.step = max(b.sized, b.open.step())
	return fresh
}

// used returns how many instructions were used of those that reset set.
func (b *budget) used(most int64) int64 { return most - max(b.left, 0) }

// problem returns the message about an exceeded budget, or "" if it is not exceeded, and the line that used most of it.
// The message says first whose budget of what it was, up to a comma or a semicolon: see wire.MistakeKey.
func (b *budget) problem() (text string, at scriptLine) {
	if !b.spent {
		return "", scriptLine{}
	}
	memory, where := b.memory < 0, ""
	if most, ok := b.usage.most(memory); ok {
		where, at = ", "+most.String(), most.scriptLine
	}
	hint := "is there a loop that does not end?"
	what := b.of.what
	if b.hook.class != nil {
		what = b.hook.String()
		hint += " If there is none, let the hook do less at once: spread the work over several ticks"
	}
	const half = ", half of what the hook that spawned the object had left"
	const tables = "tables, strings and functions count, and those that it has dropped too; join strings with " +
		"table.concat, and make fewer tables and functions; "
	of := fmt.Sprintf("%d instructions", b.of.instructions)
	switch {
	case memory && b.shared:
		of = fmt.Sprintf("%d KiB of memory%s", b.had>>10, half)
	case memory:
		of = fmt.Sprintf("%d KiB of memory", b.of.memory>>10)
	case b.shared:
		of = fmt.Sprintf("%d instructions%s", b.most, half)
	case b.most < b.of.instructions && b.hook.class != nil:
		return fmt.Sprintf("the hooks of %s used up their budget of %d instructions: those before this one, %s, used %d, "+
			"and this one the %d that were left%s; %s%s", b.hook.object(), OrderInstructions, what, OrderInstructions-b.most,
			b.most, where, b.dear(), hint), at
	}
	why := tables
	if !memory {
		why = b.dear()
	}
	return fmt.Sprintf("%s used up its budget of %s%s; %s%s", what, of, where, why, hint), at
}

// dear says why each instruction has taken several from the budget, "" if it has not.
func (b *budget) dear() string {
	switch {
	case b.step <= 1:
		return ""
	case b.step > b.sized:
		return fmt.Sprintf("its functions have captured %d variables, so each instruction takes %d from the budget; ",
			len(b.open.places), b.step)
	}
	return fmt.Sprintf("it has a string of %d bytes, so each instruction takes %d from the budget: "+
		"make long strings last, with table.concat; ", b.text, b.step)
}

// Done is called before each instruction. A nil channel is never ready.
func (b *budget) Done() <-chan struct{} {
	b.left -= b.step
	if b.left >= b.usage.next {
		return nil
	}
	if L := b.runs(); L != nil && !b.spent {
		b.usage.look(L, b.left, b.memory)
	}
	if b.left >= 0 {
		return nil
	}
	b.spent = true
	return b.closed
}

// Err returns what gopher-lua raises once Done is ready.
func (b *budget) Err() error { return errSpent }

// Deadline and Value complete context.Context.
func (b *budget) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }

// Value returns nil.
func (b *budget) Value(any) any { return nil }

var _ context.Context = (*budget)(nil)

// charge takes n instructions for work that a Go function is about to do. It
// raises an error when the budget is exceeded.
func (b *budget) charge(L *lua.LState, n int) {
	b.left -= int64(n)
	if b.left < b.usage.next && !b.spent {
		b.usage.look(L, b.left, b.memory)
	}
	if b.left < 0 {
		b.spent = true
		L.RaiseError("%s", errSpent.Error())
	}
}

// listed takes instructions for the list of the calls in which an error was raised that ends the hook, which takes a
// time that grows with the square of their number. The hook may have too few left: it is over.
func (b *budget) listed(err error) {
	n := int64(unlisted(err, b.most-b.left, callDepth))
	b.left -= n * (16 + n/64)
}

// unlisted returns how many calls an error may have been raised in, of which gopher-lua made a list, if it left only
// its ends: as many as the instructions that were used allow. Otherwise it returns 0.
func unlisted(err error, used int64, most int) int {
	var ae *lua.ApiError
	if !errors.As(err, &ae) || !strings.Contains(ae.StackTrace, "\t...\n") {
		return 0
	}
	return int(min(used/leastCall, int64(most)))
}

// leastCall is how many instructions a call is at least.
const leastCall = 2

// alloc takes n bytes of memory, and one instruction for each 32 of them.
func (b *budget) alloc(L *lua.LState, n int) {
	b.memory -= int64(n)
	if b.memory < 0 {
		if !b.spent {
			b.usage.look(L, b.left, b.memory)
		}
		b.spent = true
		L.RaiseError("%s", errSpent.Error())
	}
	b.charge(L, n/32)
}

// share halves the budget for a nested hook and returns what it was, so that
// the hook around it can always go on. give adds the rest back.
func (b *budget) share() (keep budget) {
	keep = *b
	b.left, b.memory = b.left/2, b.memory/2
	b.most, b.had, b.shared = b.left, b.memory, true
	b.usage.apart(b.left, b.memory)
	return keep
}

func (b *budget) give(keep budget) {
	rest, memory := max(b.left, 0), max(b.memory, 0)
	b.left = keep.left - keep.left/2 + rest
	b.memory = keep.memory - keep.memory/2 + memory
	b.spent, b.most, b.had, b.shared = keep.spent, keep.most, keep.had, keep.shared
	b.step, b.sized, b.text = keep.step, keep.sized, keep.text
	b.usage = keep.usage
	if L := b.runs(); L != nil && b.left < b.usage.next {
		b.usage.look(L, b.left, b.memory) // what the hook within used is used by the line that spawns
	}
}
