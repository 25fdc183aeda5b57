package luabind

import (
	"errors"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Bot is a player written in Lua. Its file has a function
//
//	function bot(me, world) return { Accel = true } end
//
// which is called in each tick with the object that it steers. world holds the
// functions that read the world. A bot changes nothing and keeps nothing between ticks.
type Bot struct {
	vm       *VM
	steering steering
	view     *lua.LTable // the second argument
	seed     uint64
}

const botRefusal = "a bot can look at the world and cannot change it: return a table of inputs"

// NewBot loads a bot file. The error joins every problem, each a
// *world.ScriptError.
func NewBot(name, source string) (*Bot, error) {
	setup := world.Setup{TickRate: 60, Substeps: 1, Width: 1, Height: 1}
	files := []world.Source{{Name: name, Text: source}}
	if errs := syntax.CheckSources(files); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	p, errs := compileAs(dialect{anyField: true, work: syntax.NewWork(syntax.MostWork)}, files, setup, map[string]bool{})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	vm := p.NewVM()
	fn := vm.global("bot")
	if fn == nil {
		return nil, syntax.Problem(name, 1,
			"a bot file must declare a function: function bot(me, world) return { ... } end")
	}
	b := &Bot{vm: vm, seed: 14695981039346656037}
	for _, c := range []byte(name) { // FNV-1a
		b.seed = (b.seed ^ uint64(c)) * 1099511628211
	}
	return b, nil
}

// Decide returns the input that the bot chooses for the object in slot. class
// declares the inputs. An error is a *world.ScriptError.
func (b *Bot) Decide(r world.Reader, slot int, class *world.Class) (world.Input, error) {
	if b.vm.Schema() != r.Schema() { // or the interpreter has been made anew
		b.meet(r.Schema())
	}
	vm, now := b.vm, r.State()
	id := now.Objects[slot].ID
	own := mix(b.seed ^ uint64(id))
	b.steering.begin(class, own, now.Tick)
	fn := vm.global("bot")
	answer, se := vm.ask(r.Actor(), actor{ID: id, Slot: slot, Hook: world.Think},
		question{refusal: botRefusal, random: own ^ uint64(now.Tick)}, HookInstructions, hookAllowance, fn,
		vm.handleIn(now, slot), b.view)
	if se == nil && answer != lua.LNil {
		in, err := inputOf(class, answer, true)
		if err == nil {
			return in, nil
		}
		se = syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined, "the result %s", err)
	}
	if se == nil {
		return world.Input{}, nil
	}
	se.Tick, se.Object, se.Class, se.Hook = now.Tick, id, class.Name, world.Think
	return world.Input{}, se
}

// Lost reports whether the bot called steer in the last Decide and steer could
// not tell from the names of the inputs what they do.
func (b *Bot) Lost() bool { return b.steering.isLost() }

// meet prepares for worlds of a schema.
func (b *Bot) meet(s *world.Schema) {
	b.vm.show(s)
	b.view = b.vm.lookTable(b.steering.entries())
}
