package luabind

import (
	"errors"

	"github.com/hindcast/hindcast/luabind/internal/ident"
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
	ignored  []string // what the last result set, and the class does not declare
	clamped  []string // what was done to numbers in it
	asked    asked    // in the last Decide
}

// asked says for what an input was decided.
type asked struct {
	tick   world.Tick
	object world.ObjectID
	class  *world.Class
}

// in returns an error with that.
func (a asked) in(se *world.ScriptError) *world.ScriptError {
	se.Tick, se.Object, se.Class, se.Hook = a.tick, a.object, a.class.Name, world.Think
	return se
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
	p, errs := compileAs(dialect{anyField: true, work: syntax.NewWork(syntax.MostWork)}, files, setup,
		map[string]bool{})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	vm := p.NewVM()
	vm.objects.outside = true
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
	b.ignored, b.clamped, b.asked = b.ignored[:0], b.clamped[:0], asked{now.Tick, id, class}
	fn := vm.global("bot")
	answer, se := vm.ask(r.Actor(), actor{ID: id, Slot: slot, Hook: world.Think},
		question{refusal: botRefusal, random: own ^ uint64(now.Tick)}, HookInstructions, hookAllowance, fn,
		vm.handleIn(now, slot), b.view)
	if se == nil && answer != lua.LNil {
		in, err := inputOf(class, answer, b.ignore, b.clamp)
		if err == nil {
			return in, nil
		}
		se = syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined, "the result %s", err)
	}
	if se == nil {
		return world.Input{}, nil
	}
	return world.Input{}, b.asked.in(se)
}

// maxIgnored is how many inputs are noted that one result sets and the class does not declare.
const maxIgnored = 8

func (b *Bot) ignore(key string) {
	if len(b.ignored) < maxIgnored {
		b.ignored = append(b.ignored, key)
	}
}

func (b *Bot) clamp(what string) {
	if len(b.clamped) < maxIgnored {
		b.clamped = append(b.clamped, what)
	}
}

// Ignored returns what was wrong with the result of the last Decide, although the rest of it was taken: an error for each
// input that it set and the class does not declare, at most 8, and for each number that was far outside its range.
func (b *Bot) Ignored() (errs []*world.ScriptError) {
	if len(b.ignored)+len(b.clamped) == 0 {
		return nil
	}
	fn, class := b.vm.global("bot"), b.asked.class
	names := inputNames(class)
	for _, key := range b.ignored {
		hint := ""
		if near := ident.Nearest(key, names); len(near) > 0 {
			hint = "; did you mean " + near[0] + "?"
		}
		errs = append(errs, b.asked.in(syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined,
			"the result sets %s, which is ignored: %s declares the inputs %s%s", key, class.Name,
			world.Listed(ident.NearestFirst(key, names)), hint)))
	}
	for _, what := range b.clamped {
		errs = append(errs, b.asked.in(syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined, "the result %s", what)))
	}
	return errs
}

// Lost reports whether the bot called steer in the last Decide and steer could
// not tell from the names of the inputs what they do.
func (b *Bot) Lost() bool { return b.steering.isLost() }

// meet prepares for worlds of a schema.
func (b *Bot) meet(s *world.Schema) {
	b.vm.show(s)
	b.view = b.vm.lookTable(b.steering.entries())
}
