package luabind

import (
	"errors"
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Bot is a player written in Lua: a file with
//
//	function bot(me, world) return { Accel = true } end
//
// called each tick with the object it steers. world has objects, nearest, the
// queries (raycast, overlapBox ...), players, now, tickNumber and random. A bot
// only looks, and keeps nothing between ticks.
type Bot struct {
	vm   *VM
	fn   *lua.LFunction
	view *lua.LTable // the second argument
	seed uint64
}

const botOnlyLooks = "a bot may look at the world, not change it: give back a table of inputs"

// botRun is one question to a bot, or to relevant.
type botRun struct {
	state  uint64 // of its random numbers
	as     string // what is said to who wants to change something
	looked bool
	class  *world.Class // of the object that a bot steers
	own    uint64       // a number of the bot's and the object's own
	lost   bool         // steer did not understand the names of the inputs
}

// NewBot loads a bot file.
func NewBot(name, source string) (*Bot, error) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1}
	files := []world.Source{{Name: name, Text: source}}
	if errs := syntax.CheckSources(files); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	p, errs := compileAs(dialect{anyField: true}, files, setup, map[string]bool{})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	vm := p.NewVM()
	fn, ok := vm.states[0].G.Global.RawGetString("bot").(*lua.LFunction)
	if !ok {
		return nil, syntax.Problem(name, 1, "a bot file has a function: function bot(me, world) return { ... } end")
	}
	b := &Bot{vm: vm, fn: fn, seed: 14695981039346656037}
	for _, c := range []byte(name) { // FNV-1a
		b.seed = (b.seed ^ uint64(c)) * 1099511628211
	}
	vm.schema = nil // the world's is taken when there is one
	return b, nil
}

// Decide asks what to do with the object in slot, of which class says the
// inputs. It reads w as it is between ticks and changes nothing that lasts.
func (b *Bot) Decide(w *world.World, slot int, class *world.Class) (world.Input, error) {
	vm := b.vm
	if vm.schema != w.Schema() {
		b.meet(w.Schema())
	}
	id := w.Now.Objects[slot].ID
	own := mix(b.seed ^ uint64(id))
	vm.bot = &botRun{state: own ^ uint64(w.Now.Tick), as: botOnlyLooks, class: class, own: own}
	vm.w, vm.actor = w, actor{id: id, slot: slot, hook: world.Think}
	vm.calls++
	vm.numbers.Reuse()
	vm.budget.reset(HookInstructions, HookMemory)
	defer w.Act(w.Act(slot))
	answer, err := b.ask()
	if err != nil {
		se := vm.luaProblem(err)
		se.Tick, se.Object, se.Class, se.Hook = w.Now.Tick, id, class.Name, world.Think
		return world.Input{}, se
	}
	if answer == lua.LNil {
		return world.Input{}, nil
	}
	in, err := inputOf(class, answer, true)
	if err != nil {
		se := syntax.Problem(b.fn.Proto.SourceName, b.fn.Proto.LineDefined, "%s", err)
		se.Tick, se.Object, se.Class, se.Hook = w.Now.Tick, id, class.Name, world.Think
		return world.Input{}, se
	}
	return in, nil
}

// Lost reports whether the bot called steer when it was asked last, and the
// names of the inputs said nothing.
func (b *Bot) Lost() bool { return b.vm.bot != nil && b.vm.bot.lost }

// ask calls the bot's function.
func (b *Bot) ask() (answer lua.LValue, err error) {
	vm := b.vm
	L := vm.states[0]
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: the interpreter failed: %v", r)
			b.reload()
		}
	}()
	L.Push(b.fn)
	L.Push(vm.self())
	L.Push(b.view)
	if err := L.PCall(2, 1, nil); err != nil {
		if isPanic(err) {
			b.reload()
		}
		return nil, err
	}
	answer = L.Get(-1)
	L.Pop(1)
	return answer, nil
}

// reload makes the interpreter anew after a panic.
func (b *Bot) reload() {
	fresh := b.vm.prog.NewVM()
	fresh.schema = nil
	b.vm = fresh
	b.fn = fresh.states[0].G.Global.RawGetString("bot").(*lua.LFunction)
}

// meet gets ready for worlds of a schema.
func (b *Bot) meet(s *world.Schema) {
	vm := b.vm
	L := vm.states[0]
	vm.schema = s
	vm.dropHandles()
	vm.buildClasses(L)
	vm.openArena(L, &s.Setup)
	b.view = vm.worldView(L)
}

// worldView is the second argument: the functions that look.
func (vm *VM) worldView(L *lua.LState) *lua.LTable {
	t := L.CreateTable(0, 12)
	for _, e := range lookEntries() {
		t.RawSetString(e.name, vm.provided(e.name))
	}
	for _, e := range botEntries() {
		t.RawSetString(e.name, vm.wrap(L, e))
	}
	t.RawSetString("arena", vm.provided("arena"))
	t.Metatable = vm.frozen
	return t
}

// look lets queries see the world as it is, once for each question.
func (r *botRun) look(w *world.World) {
	if !r.looked {
		w.BeginOrder()
		r.looked = true
	}
}

// random is a number in [0, 1), of a stream that no simulation shares.
func (r *botRun) random() float64 {
	r.state = mix(r.state)
	return float64(r.state>>11) * (1.0 / (1 << 53))
}

// mix is SplitMix64's scrambling (Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
