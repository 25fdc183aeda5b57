package luabind

import (
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// filters are the functions of game.lua that are asked about an object, or a line of chat, between ticks; nil: there is
// none.
type filters struct{ relevant, predicted, chat *lua.LFunction }

// take takes a function under its name.
func (f *filters) take(name string, fn *lua.LFunction) {
	switch name {
	case api.Relevant:
		f.relevant = fn
	case api.Predicted:
		f.predicted = fn
	case api.FilterChat:
		f.chat = fn
	}
}

// HasRelevancy reports whether game.lua has a function relevant.
func (vm *VM) HasRelevancy() bool { return vm.filters.relevant != nil }

// Relevant calls game.lua's relevant(viewer, object): whether the owner of the object
// in slot viewer receives the object in slot object. An error is a *world.ScriptError,
// and means that there is no answer.
func (vm *VM) Relevant(r world.Reader, viewer, object int) (bool, error) {
	return vm.filter(r, viewer, object, api.Relevant+refusesChanges, vm.filters.relevant)
}

// HasPrediction reports whether game.lua has a function predicted.
func (vm *VM) HasPrediction() bool { return vm.filters.predicted != nil }

// Predicted calls game.lua's predicted(viewer, object): whether the client of the owner of the object in slot
// viewer predicts the object in slot object. An error is a *world.ScriptError, and means that there is no
// answer.
func (vm *VM) Predicted(r world.Reader, viewer, object int) (bool, error) {
	return vm.filter(r, viewer, object, api.Predicted+refusesChanges, vm.filters.predicted)
}

// FilterChat calls game.lua's filterChat(player, text), and returns the text that everybody gets; ok is false if nobody
// gets
// one. Without the function that is text itself. An error is a *world.ScriptError; then the text stays, too.
func (vm *VM) FilterChat(r world.Reader, p world.PlayerID, text string) (filtered string, ok bool, err error) {
	now := r.State()
	slot, here := now.Find(world.MatchID)
	if vm.filters.chat == nil || !here {
		return text, true, nil
	}
	vm.objects.trim()
	q := question{
		refusal: api.FilterChat + " can look at the world and cannot change it: it returns a text or nil",
		random:  mix(r.Schema().Setup.Seed^uint64(p)) ^ uint64(now.Tick),
	}
	answer, fault := vm.ask(r.Actor(), actor{ID: world.MatchID, Slot: slot}, q, RelevantInstructions,
		relevantAllowance, vm.filters.chat, lua.LNumber(p), lua.LString(text))
	if fault == nil {
		switch a := answer.(type) {
		case lua.LString:
			return string(a), true, nil
		case *lua.LNilType:
			return "", false, nil
		}
		fn := vm.filters.chat.Proto
		fault = syntax.Problem(fn.SourceName, fn.LineDefined, "%s returned %s: it must return a text, or nil",
			api.FilterChat, answer.Type())
	}
	fault.Tick, fault.Object, fault.Class = now.Tick, world.MatchID, world.GameClass
	return text, true, fault
}

const refusesChanges = " can look at the world and cannot change it: it returns true or false"

// filter asks a function about the objects in two slots; yes if there is no function. refusal is the error of a
// change.
func (vm *VM) filter(r world.Reader, viewer, object int, refusal string, fn *lua.LFunction) (bool, error) {
	if fn == nil {
		return true, nil
	}
	vm.objects.trim()
	on := r.Actor()
	now := r.State()
	o, v := &now.Objects[object], &now.Objects[viewer]
	q := question{refusal: refusal, random: mix(on.Schema().Setup.Seed^uint64(o.ID)) ^ uint64(now.Tick)}
	answer, err := vm.ask(on, actor{ID: v.ID, Slot: viewer}, q, RelevantInstructions, relevantAllowance, fn,
		vm.objects.handle(v.ID, vm.objects.class(v.Class)), vm.objects.handle(o.ID, vm.objects.class(o.Class)))
	if err != nil {
		err.Tick, err.Object, err.Class = now.Tick, o.ID, world.GameClass
		return false, err
	}
	return lua.LVAsBool(answer), nil
}
