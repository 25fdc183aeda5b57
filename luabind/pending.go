package luabind

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// pending watches for scripts that overlook that what a hook does to another object takes effect when the order ends, and
// what it removes or gives away goes when the tick does. It costs time, so only trial runs and tests watch. It changes no
// effect and no budget.
type pending struct {
	scene  *scene
	report func(*world.ScriptError) // nil: nobody watches
	tick   world.Tick               // that the maps are of
	// The last change of a part by an acting object, and the last one that computes the new value of a field from the one
	// that it has.
	wrote   map[pendingWrite]pendingChange
	revised map[pendingPart]pendingRevision
}

// pendingPart is a part of an object: the field of an index in the class; of a list, its Count; or, below 0, what the
// operations of a kind set.
type pendingPart struct {
	of   world.ObjectID
	part int
}

type pendingWrite struct {
	pendingPart
	by world.ObjectID
}

type pendingChange struct {
	scriptLine
	op world.Op
}

type pendingRevision struct {
	by    world.ObjectID
	hook  string
	line  scriptLine
	value lua.LValue
}

// What is said of changes that take effect when the order or the tick ends.
const (
	afterOrder = "what a hook does to another object takes effect when its order ends. Look at it in %s, or compute the new " +
		"value in a local variable first"
	afterTick = "takes effect when the tick ends"
)

// watch calls f with a ScriptError that says what a script overlooks; nil: it ends.
func (pe *pending) watch(f func(*world.ScriptError)) { pe.report = f }

// watches reports whether anyone watches what the running hook does.
func (pe *pending) watches() bool {
	return pe.report != nil && pe.scene.rights.simulates() && !pe.scene.rights.seesPast()
}

// forget forgets earlier ticks.
func (pe *pending) forget() {
	if now := pe.scene.w.State().Tick; pe.wrote == nil || pe.tick != now {
		pe.tick, pe.wrote, pe.revised = now, map[pendingWrite]pendingChange{}, map[pendingPart]pendingRevision{}
	}
}

// write notes a change.
func (pe *pending) write(L call, op *world.Op) {
	if !pe.watches() {
		return
	}
	part := ^int(op.Kind)
	switch {
	case op.OfField(), op.OfList():
		part = op.Field
	case op.Kind == world.LetGo:
		part = ^int(world.AttachTo)
	}
	if op.Kind != world.Remove && op.Kind != world.SetOwner && pe.scene.w.AtOnce(op.Target) {
		return
	}
	pe.forget()
	pe.wrote[pendingWrite{pendingPart{op.Target, part}, pe.scene.actor.ID}] = pendingChange{pe.here(L), *op}
}

// written returns the last change of a part by the acting object in this tick.
func (pe *pending) written(of world.ObjectID, part int) (ch pendingChange, did bool) {
	if !pe.watches() {
		return ch, false
	}
	pe.forget()
	ch, did = pe.wrote[pendingWrite{pendingPart{of, part}, pe.scene.actor.ID}]
	return ch, did
}

// revise notes that a hook is about to write a field with a value that it has computed from the one that the field
// has. It is told if another object has done so in this order: then only one of the two counts. once: to compute the value
// again from itself changes nothing, so that nothing is lost if both are the same.
func (pe *pending) revise(L call, h *handle, field int, value lua.LValue, once bool) {
	if !pe.watches() || pe.scene.w.AtOnce(h.ID) {
		return
	}
	pe.forget()
	at, by := pendingPart{h.ID, field}, pe.scene.actor
	before, again := pe.revised[at]
	pe.revised[at] = pendingRevision{by.ID, pe.hook(), pe.here(L), value}
	if !again || before.by == by.ID || once && before.value == value {
		return
	}
	hint := "Let the object itself change it"
	if h.Class.def().Fields[field].Kind == world.Number {
		hint = "Changes that are written as %[1]s = %[1]s + n add up (a range of the field, as in { \"number\", min = 0 }, " +
			"clamps what comes of it)"
	}
	if _, asked := pe.scene.w.Asked(before.by, h.ID, func(op *world.Op) bool { return op.OfField() && op.Field == field }); asked {
		pe.tell(L, "two objects compute a new %s from its value in the same tick, here and in %s (%s): only one of the two "+
			"counts, since each sees the value from before. "+hint, pe.name(h, field), before.hook, before.line)
	}
}

// read looks whether a hook has changed a field of another object that it reads, or the length of a list.
func (pe *pending) read(L call, h *handle, row world.Row, field int) {
	ch, did := pe.written(h.ID, field)
	if !did || pe.scene.w.AtOnce(h.ID) {
		return
	}
	f := &h.Class.def().Fields[field]
	if then, asked := pe.scene.w.Pending(h.ID); asked && !slices.Equal(row.Words(f), then.Words(f)) {
		pe.stale(L, h, pe.name(h, field), pe.fieldText(row, f), pe.fieldText(then, f), ch)
	}
}

// readItem looks whether a hook has changed the list of another object so that the item that it reads is another one.
func (pe *pending) readItem(L call, p *part, item int) {
	ch, did := pe.written(p.Of.ID, p.Base+p.Shape.At)
	if !did || pe.scene.w.AtOnce(p.Of.ID) {
		return
	}
	s, slot := pe.scene.look(L, p.Of)
	row, count := s.Row(slot), p.count()
	then, asked := pe.scene.w.Pending(p.Of.ID)
	was, will := item >= 1 && item <= count.Len(row), item >= 1 && item <= count.Len(then)
	if !asked || was == will && (!was || slices.Equal(p.words(row, item), p.words(then, item))) {
		return
	}
	text := func(row world.Row, here bool) string {
		switch {
		case !here:
			return "nil"
		case !p.Shape.Item.plain():
			return "a record"
		}
		return pe.fieldText(row, &p.Of.Class.def().Fields[p.itemBase(item)])
	}
	old, next := text(row, was), text(then, will)
	if old == next {
		next = "another one"
	}
	pe.stale(L, p.Of, fmt.Sprintf("%s[%d]", pe.name(p.Of, p.Base+p.Shape.At), item), old, next, ch)
}

// readBody looks whether a hook has set with operations of a kind what it asks the body of another object for.
func (pe *pending) readBody(L call, h *handle, kind world.OpKind, getter string, is ...float64) {
	ch, did := pe.written(h.ID, ^int(kind))
	if !did || pe.scene.w.AtOnce(h.ID) {
		return
	}
	op, asked := pe.scene.w.Asked(pe.scene.actor.ID, h.ID, func(op *world.Op) bool { return op.Kind == kind })
	then := []float64{op.A, op.B}[:len(is)]
	if asked && !slices.Equal(is, then) {
		pe.stale(L, h, pe.getter(h, getter), numbersText(is), numbersText(then), ch)
	}
}

// readHolder looks whether a hook has attached or let go the object whose holder it asks for.
func (pe *pending) readHolder(L call, h *handle, is world.ObjectID) {
	ch, did := pe.written(h.ID, ^int(world.AttachTo))
	if did && !pe.scene.w.AtOnce(h.ID) && world.ObjectID(ch.op.Word) != is {
		pe.stale(L, h, pe.getter(h, "getHolder"), pe.refText(is), pe.refText(world.ObjectID(ch.op.Word)), ch)
	}
}

// readOwner looks whether a hook has set the owner that it reads.
func (pe *pending) readOwner(L call, h *handle, is world.PlayerID) {
	if ch, did := pe.written(h.ID, ^int(world.SetOwner)); did && world.PlayerID(ch.op.Word) != is {
		pe.tell(L, "%s.owner is %d here, not %d: %s has set it (%s), which %s", h.Class.def().Name, is, ch.op.Word, pe.hook(),
			ch.scriptLine, afterTick)
	}
}

// readValid looks whether a hook has removed what it calls valid.
func (pe *pending) readValid(L call, h *handle) {
	if ch, did := pe.written(h.ID, ^int(world.Remove)); did {
		pe.tell(L, "valid() is still true: %s has removed this %s (%s), which %s. Keep what has happened in a field",
			pe.hook(), h.Class.def().Name, ch.scriptLine, afterTick)
	}
}

// stale tells of a part of another object that a hook reads before its change takes effect.
func (pe *pending) stale(L call, h *handle, name, is, then string, ch pendingChange) {
	pe.tell(L, "%s is %s here, not %s: %s has changed it (%s), but "+afterOrder, name, is, then, pe.hook(), ch.scriptLine,
		pe.ownTick(h))
}

// result returns a function that reports what is overlooked in the result of a hook; nil: nobody watches.
func (pe *pending) result(file string, line int) func(what string) {
	if !pe.watches() {
		return nil
	}
	return func(what string) { pe.tellAt(scriptLine{file: file, line: line}, "the result "+what) }
}

// tell reports what is said of the running line.
func (pe *pending) tell(L call, format string, args ...any) {
	pe.tellAt(pe.here(L), fmt.Sprintf(format, args...))
}

func (pe *pending) tellAt(at scriptLine, message string) {
	a := pe.scene.actor
	pe.report(&world.ScriptError{File: at.file, Line: at.line, Tick: pe.scene.w.State().Tick, Object: a.ID,
		Class: pe.scene.w.Class(a.Slot).Name, Hook: a.Hook, Message: message})
}

// here returns the line that runs.
func (pe *pending) here(L call) (at scriptLine) {
	at.file, at.line = lineOf(L.LState)
	return at
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

// getter returns a method as users call it.
func (pe *pending) getter(h *handle, name string) string {
	return h.Class.def().Name + ":" + name + "()"
}

// ownTick returns where an object can look at its own fields.
func (pe *pending) ownTick(h *handle) string {
	if world.HoldsState(h.Class.def().Name) {
		return "tick() of game.lua"
	}
	return world.OnTick.Of(h.Class.def().Name) + "()"
}

// fieldText returns the value of a field as print shows it; of a list, how many items it has.
func (pe *pending) fieldText(row world.Row, f *world.Field) string {
	switch f.Kind {
	case world.Count:
		return fmt.Sprintf("a list of %d", f.Len(row))
	case world.String:
		return fmt.Sprintf("%q", world.StringField(row, f))
	case world.Bool:
		return fmt.Sprint(row.Word(f) != 0)
	case world.Ref:
		return pe.refText(world.ObjectID(row.Word(f)))
	}
	return numbersText([]float64{numberOf(row.Word(f))})
}

func (pe *pending) refText(id world.ObjectID) string {
	if id == 0 {
		return "nil"
	}
	class := "object"
	if s, slot, ok := pe.scene.see(id); ok {
		class = pe.scene.w.Schema().Classes[s.Objects[slot].Class].Name
	}
	return "the " + class + " " + id.String()
}

func numbersText(list []float64) (text string) {
	for i, v := range list {
		if i > 0 {
			text += ", "
		}
		text += toText(lua.LNumber(v))
	}
	return text
}
