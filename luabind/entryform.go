package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// enter is the command with which a player answers an entry form: /enter team=Red kit=Scout.
const enter = "enter"

// The limits of an entry form.
const (
	maxQuestions = 8
	maxOptions   = 16
	maxOption    = 16  // bytes of the name of a question or an option
	maxNote      = 200 // bytes
)

// chooseTeam is the value of entry { team = "choose" }: the options are the teams.
const chooseTeam = "choose"

// readEntry reads the argument of entry { ... }. The options of the question about the team are not known yet.
func readEntry(L call) *world.EntryForm {
	t, ok := L.Get(1).(*lua.LTable)
	if !ok {
		L.RaiseError("entry must be declared with a table: entry { name = true, team = \"choose\", kit = { " +
			"\"Scout\", \"Tank\" }, note = \"First team to 30\" }")
	}
	s := &world.EntryForm{}
	for _, k := range sortedTableKeys(t) {
		name, isText := k.(lua.LString)
		if !isText || !isOption(string(name)) {
			L.RaiseError("entry: %s: a question has a name of letters, digits and _, at most %d bytes", toText(k),
				maxOption)
		}
		switch v := t.RawGet(k).(type) {
		case lua.LString:
			switch {
			case name == "note" && len(v) <= maxNote:
				s.Note = string(v)
			case name == teamField && v == chooseTeam:
				s.Questions = append(s.Questions, world.Question{Name: teamField})
			default:
				L.RaiseError("entry.%s = %q: there are note, a text of at most %d bytes, name = true, team = "+
					"\"choose\", and questions: %s = { \"one\", \"two\" }", string(name), string(v), maxNote,
					string(name))
			}
		case lua.LBool:
			if name != "name" {
				L.RaiseError("entry.%s: must be a list of answers: %s = { \"one\", \"two\" }; only name may be "+
					"true", string(name), string(name))
			}
			s.Name = bool(v)
		case *lua.LTable:
			s.Questions = append(s.Questions, world.Question{
				Name:    string(name),
				Options: readOptions(L, string(name), v),
			})
		default:
			L.RaiseError("entry.%s: must be a list of answers: %s = { \"one\", \"two\" }", string(name), string(name))
		}
	}
	if len(s.Questions) > maxQuestions {
		L.RaiseError("entry: %d questions: at most %d", len(s.Questions), maxQuestions)
	}
	return s
}

func isOption(name string) bool { return ident.Valid(name) && len(name) <= maxOption }

// readOptions reads the answers of a question.
func readOptions(L call, question string, t *lua.LTable) (list []world.Option) {
	n := t.Len()
	if n < 1 || n > maxOptions || len(sortedTableKeys(t)) != n {
		L.RaiseError("entry.%s: must be a list of 1 to %d answers: { \"one\", \"two\" }", question, maxOptions)
	}
	for i := 1; i <= n; i++ {
		name, ok := t.RawGetInt(i).(lua.LString)
		if !ok || !isOption(string(name)) {
			L.RaiseError("entry.%s: answer %d must be a text of letters, digits and _, at most %d bytes", question,
				i, maxOption)
		}
		list = append(list, world.Option{Name: string(name)})
	}
	return list
}

// admit adds the function with which players answer the entry form.
func (hc *hostCalls) admit(s *world.EntryForm, onJoin *lua.LFunction) {
	hc.declare(world.Function{
		Name:    enter,
		Params:  []world.FieldKind{world.Number, world.String},
		Command: true,
		Entry:   s,
	})
	slices.SortFunc(hc.list, func(a, b world.Function) int { return strings.Compare(a.Name, b.Name) })
	if onJoin != nil {
		hc.fns[enter] = onJoin
	}
}

// answered returns the entry form whose answers an event has; nil: it has none.
func answered(on world.Actor, e *world.Event) *world.EntryForm {
	if name, s := on.Schema().Functions.EntryForm(); s != nil && e.Name == name {
		return s
	}
	return nil
}

// admits notes that the player of the event has answered. It reports whether the player is here and has not answered
// before.
func (vm *VM) admits(on world.Actor, e *world.Event) bool {
	p, here := on.State().PlayerByID(world.PlayerID(e.Values[0].Number()))
	c := vm.objects.named(world.PlayerClass)
	if !here || c == nil {
		return false
	}
	slot, ok := on.Find(p.Object())
	i := slices.IndexFunc(c.def().Fields, func(f world.Field) bool { return f.Name == world.EnteredField })
	if !ok || i < 0 || on.State().Row(slot).Word(&c.def().Fields[i]) != 0 {
		return false
	}
	on.Calls().Lend(slot) // onJoin reads what it writes, as it does without an entry form
	return on.Do(world.Op{Target: p.Object(), Kind: world.SetWord, Field: i, Word: 1}) == nil
}

// pushAnswers pushes the arguments of onJoin: the player, and a table of the answers. An answer that is not among the
// options is nil.
func (ha *hookArgs) pushAnswers(L call, s *world.EntryForm, e *world.Event) int {
	L.Push(L.num(e.Values[0].Number()))
	asked := L.CreateTable(0, len(s.Questions))
	for word := range strings.FieldsSeq(e.Values[1].Text) {
		name, answer, _ := strings.Cut(word, "=")
		for _, q := range s.Questions {
			if q.Name == name && slices.ContainsFunc(q.Options, func(o world.Option) bool { return o.Name == answer }) {
				asked.RawSetString(name, lua.LString(answer))
			}
		}
	}
	ha.env.freeze(asked)
	L.Push(asked)
	return 2
}
