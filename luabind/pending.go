package luabind

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// pending watches for scripts that overlook that what a hook does to another object takes effect when the order ends.
// It costs time, so only trial runs and tests watch. It changes no effect and no budget.
type pending struct {
	scene  *scene
	report func(*world.ScriptError) // nil: nobody watches
	tick   world.Tick               // that the maps are of
	// The line of the last write of a field by an acting object, and of the last one that computes the new value of the
	// field from the one that it has.
	wrote   map[pendingWrite]scriptLine
	revised map[pendingField]pendingRevision
}

// pendingField is a field of an object, by its index in the class; of a list, of its Count.
type pendingField struct {
	of    world.ObjectID
	field int
}

type pendingWrite struct {
	pendingField
	by world.ObjectID
}

type pendingRevision struct {
	by   world.ObjectID
	hook string
	line scriptLine
}

// watch calls f with a ScriptError that says what a script overlooks; nil: it ends.
func (pe *pending) watch(f func(*world.ScriptError)) { pe.report = f }

// watches reports whether anyone watches what the running hook does.
func (pe *pending) watches() bool {
	return pe.report != nil && pe.scene.rights.simulates() && !pe.scene.rights.seesPast()
}

// forget forgets earlier ticks.
func (pe *pending) forget() {
	if now := pe.scene.w.State().Tick; pe.wrote == nil || pe.tick != now {
		pe.tick, pe.wrote, pe.revised = now, map[pendingWrite]scriptLine{}, map[pendingField]pendingRevision{}
	}
}

// write notes a change of a field.
func (pe *pending) write(L call, op *world.Op) {
	if !pe.watches() || !op.OfField() && !op.OfList() || pe.scene.w.AtOnce(op.Target) {
		return
	}
	pe.forget()
	file, line := lineOf(L.LState)
	pe.wrote[pendingWrite{pendingField{op.Target, op.Field}, pe.scene.actor.ID}] = scriptLine{file, line}
}

// revise notes that a hook is about to write a field with a value that it has computed from the one that the field
// has. It is told if another object has done so in this order: then only one of the two counts.
func (pe *pending) revise(L call, h *handle, field int) {
	if !pe.watches() || pe.scene.w.AtOnce(h.ID) {
		return
	}
	pe.forget()
	at, by := pendingField{h.ID, field}, pe.scene.actor
	file, line := lineOf(L.LState)
	before, again := pe.revised[at]
	pe.revised[at] = pendingRevision{by.ID, pe.hook(), scriptLine{file, line}}
	if !again || before.by == by.ID || !pe.scene.w.Asked(before.by, h.ID, field) {
		return
	}
	name := pe.name(h, field)
	pe.tell(file, line, fmt.Sprintf("two objects compute a new %s from its value in the same tick, here and in %s "+
		"(%s:%d): only one of the two counts, since each sees the value from before. Changes that are written as %[1]s = "+
		"%[1]s + n add up (a range of the field, as in { \"number\", min = 0 }, clamps what comes of it)",
		name, before.hook, before.line.file, before.line.line))
}

// read looks whether a hook has changed a field of another object that it reads.
func (pe *pending) read(L call, h *handle, row world.Row, field int) {
	if !pe.watches() || pe.scene.w.AtOnce(h.ID) {
		return
	}
	pe.forget()
	wrote, did := pe.wrote[pendingWrite{pendingField{h.ID, field}, pe.scene.actor.ID}]
	if !did {
		return
	}
	then, asked := pe.scene.w.Pending(h.ID)
	f := &h.Class.def().Fields[field]
	if !asked || slices.Equal(row.Words(f), then.Words(f)) {
		return
	}
	file, line := lineOf(L.LState)
	name := pe.name(h, field)
	pe.tell(file, line, fmt.Sprintf("%s is %s here, not %s: %s has changed it (%s:%d), but what a hook does to another "+
		"object takes effect when its order ends. Look at it in %s, or compute the new value in a local variable first",
		name, pe.fieldText(L, row, f), pe.fieldText(L, then, f), pe.hook(), wrote.file, wrote.line, pe.ownTick(h)))
}

// tell reports what is said of a line.
func (pe *pending) tell(file string, line int, message string) {
	a := pe.scene.actor
	pe.report(&world.ScriptError{File: file, Line: line, Tick: pe.scene.w.State().Tick, Object: a.ID,
		Class: pe.scene.w.Class(a.Slot).Name, Hook: a.Hook, Message: message})
}

// hook returns the hook that runs, as users call it.
func (pe *pending) hook() string {
	switch a := pe.scene.actor; a.Hook {
	case world.OnTimer, world.HostEvent: // functions of other names
		return "the hook"
	default:
		return a.Hook.Of(pe.scene.w.Class(a.Slot).Name)
	}
}

// name returns a field as scripts write it; Class.field for that of an object.
func (pe *pending) name(h *handle, field int) string {
	c := h.Class.def()
	name := c.Fields[field].Name
	if c.Fields[field].Kind == world.Count {
		name = name[1:]
	}
	switch c.Name {
	case world.GameClass:
		return "game." + name
	case world.PlayerClass:
		return "stats(player)." + name
	}
	return c.Name + "." + name
}

// ownTick returns where an object can look at its own fields.
func (pe *pending) ownTick(h *handle) string {
	if world.HoldsState(h.Class.def().Name) {
		return "tick() of game.lua"
	}
	return world.OnTick.Of(h.Class.def().Name) + "()"
}

// fieldText returns the value of a field as print shows it; of a list, how many items it has.
func (pe *pending) fieldText(L call, row world.Row, f *world.Field) string {
	switch f.Kind {
	case world.Count:
		return fmt.Sprintf("a list of %d", f.Len(row))
	case world.String:
		return fmt.Sprintf("%q", world.StringField(row, f))
	case world.Bool:
		return fmt.Sprint(row.Word(f) != 0)
	case world.Ref:
		if row.Word(f) == 0 {
			return "nil"
		}
		return "the object " + world.ObjectID(row.Word(f)).String()
	}
	return toText(lua.LNumber(numberOf(row.Word(f))))
}
