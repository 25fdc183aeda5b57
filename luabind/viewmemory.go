package luabind

import (
	"cmp"
	"fmt"
	"math"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// Limits of what view.lua keeps.
const (
	MaxKept      = 1000     // values
	maxKeptBytes = 16 << 10 // of texts
	maxKeptDepth = 3        // tables in tables
	maxPushed    = 64       // lines in a list of push
)

// keptMark marks the tables of keep, which the files may change after they were loaded.
const keptMark = "kept"

// memory is what view.lua keeps between cues and frames: the table of keep. It is not rewound.
type memory struct {
	table, fresh *lua.LTable // as it is, and as it was declared; nil: nothing is kept
	at           scriptLine  // of keep
	names        map[world.PlayerID]string
	teams        []world.Option
	now          float64 // seconds of the match, of the last frame
}

// forget forgets the table, before the file runs in another interpreter.
func (m *memory) forget() { m.table, m.fresh = nil, nil }

// look notes what a frame shows.
func (m *memory) look(f *Frame) {
	m.now, m.names, m.teams = f.Now, map[world.PlayerID]string{}, teamsOf(f.Schema)
	for _, p := range f.Players {
		m.names[p.ID] = p.Name
	}
}

// teamsOf returns the teams that a schema declares, by name.
func teamsOf(schema *world.Schema) []world.Option {
	if schema == nil {
		return nil
	}
	return schema.Teams
}

// entries returns the functions of view.lua about what it keeps.
func (m *memory) entries() []extra {
	return []extra{
		{entry{"keep", m.keep}, true},
		{entry: entry{"push", m.push}},
		{entry: entry{"playerName", m.playerName}},
		{entry: entry{"countdown", m.countdown}},
		{entry: entry{"teamName", m.teamName}},
	}
}

// keep implements keep { name = value, ... }, which returns the table.
func (m *memory) keep(L call) int {
	if m.table != nil {
		L.RaiseError("keep is called already: one table has all that view.lua keeps")
	}
	t := L.table(1, "keep: the argument")
	for _, k := range keysOf(L, t) {
		if name, ok := k.(lua.LString); !ok || !ident.Valid(string(name)) {
			L.RaiseError("keep: %s is no name: write keep { goals = 0, feed = {} }", toText(k))
		}
	}
	if fault := keptFault(t); fault != "" {
		L.RaiseError("keep: %s", fault)
	}
	m.table, m.fresh = copyKept(t), copyKept(t)
	m.at.file, m.at.line = lineOf(L.LState)
	L.Push(m.table)
	return 1
}

// push implements push(list, text), which adds a line for lines { items = list }.
func (m *memory) push(L call) int {
	t := L.table(1, "push: the list")
	if !marked(t, keptMark) {
		L.RaiseError(
			"push: the list must be one that view.lua keeps: local mine = keep { feed = {} }, and push(mine.feed, " +
				"text)")
	}
	text := L.text(2, "push: the text")
	if len(text) > world.MaxCueText {
		L.RaiseError("push: the text has %d bytes: at most %d", len(text), world.MaxCueText)
	}
	L.charge(cueCost)
	L.alloc(128 + len(text))
	line := newKept()
	line.RawSetString("text", lua.LString(text))
	line.RawSetString("at", lua.LNumber(m.now))
	L.shifts(t, 1)
	t.Append(line)
	for t.Len() > maxPushed {
		t.Remove(1)
	}
	return 0
}

// playerName implements playerName(number).
func (m *memory) playerName(L call) int {
	id := world.PlayerID(L.number(1, "playerName: the player's number"))
	name := m.names[id]
	if name == "" {
		name = fmt.Sprintf("player %d", id)
	}
	return L.pushText(name)
}

// teamName implements teamName(team): the name of a team, by its number or its name; "" for no team.
func (m *memory) teamName(L call) int {
	switch v := L.Get(1).(type) {
	case lua.LString:
		return L.pushText(string(v))
	case lua.LNumber:
		if i := int(v) - 1; i >= 0 && i < len(m.teams) {
			return L.pushText(m.teams[i].Name)
		}
		return L.pushText("")
	}
	L.RaiseError("teamName: the team must be a name, or a number from 1, not %s", toText(L.Get(1)))
	return 0
}

// countdown implements countdown(seconds): the time until then, as in 2:05.
func (m *memory) countdown(L call) int {
	left := int(math.Ceil(min(max(L.number(1, "countdown: the time, in seconds")-m.now, 0), 1e6)))
	return L.pushText(fmt.Sprintf("%d:%02d", left/60, left%60))
}

// check returns an error if the table has what cannot be kept, or too much. It then begins again with what was
// declared.
func (m *memory) check() error {
	if m.table == nil {
		return nil
	}
	fault := keptFault(m.table)
	if fault == "" {
		return nil
	}
	m.fill(m.fresh)
	return syntax.Problem(m.at.file, m.at.line, "keep: %s: it begins again with what it was declared with", fault)
}

// takeOver takes over what the view.lua before has kept under the same names, if the values are of the same type.
func (m *memory) takeOver(before *memory) {
	if m.table == nil || before.table == nil {
		return
	}
	m.fresh.ForEach(func(name, declared lua.LValue) {
		if v := before.table.RawGet(name); v.Type() == declared.Type() {
			m.table.RawSet(name, copyOf(v))
		}
	})
}

// fill makes the content of the table a copy of that of another one.
func (m *memory) fill(from *lua.LTable) {
	for _, k := range sortedTableKeys(m.table) {
		m.table.RawSet(k, lua.LNil)
	}
	from.ForEach(func(k, v lua.LValue) { m.table.RawSet(k, copyOf(v)) })
}

// newKept returns an empty table that files may change.
func newKept() *lua.LTable {
	meta := &lua.LTable{Metatable: lua.LNil}
	meta.RawSetString(openMark, lua.LTrue)
	meta.RawSetString(keptMark, lua.LTrue)
	return &lua.LTable{Metatable: meta}
}

// copyKept returns a copy of a table, and of the tables in it, that files may change.
func copyKept(t *lua.LTable) *lua.LTable {
	out := newKept()
	for _, k := range sortedTableKeys(t) {
		out.RawSet(k, copyOf(valueAt(t, k)))
	}
	return out
}

func copyOf(v lua.LValue) lua.LValue {
	if t, ok := v.(*lua.LTable); ok {
		return copyKept(t)
	}
	return v
}

// keptFault says why the content of a table cannot be kept; "": it can.
func keptFault(t *lua.LTable) string {
	values, bytes := 0, 0
	var walk func(t *lua.LTable, at string, depth int) string
	walk = func(t *lua.LTable, at string, depth int) string {
		if depth > maxKeptDepth {
			return fmt.Sprintf("%s: tables are at most %d deep", at, maxKeptDepth)
		}
		if metaOf(t) != nil {
			return fmt.Sprintf("%s has a metatable: only plain tables are kept", cmp.Or(at, "the table"))
		}
		for _, k := range sortedTableKeys(t) {
			if keyRank(k) > keyRank(lua.LTrue) {
				return fmt.Sprintf("a key of %s is %s: only numbers, texts and booleans are kept",
					cmp.Or(at, "the table"), aTypeName(k))
			}
			name := at + "." + toText(k)
			if at == "" {
				name = toText(k)
			}
			if values++; values > MaxKept {
				return fmt.Sprintf("more than %d values", MaxKept)
			}
			switch v := valueAt(t, k).(type) {
			case lua.LString:
				bytes += len(v)
			case lua.LNumber, lua.LBool:
			case *lua.LTable:
				if fault := walk(v, name, depth+1); fault != "" {
					return fault
				}
			default:
				return fmt.Sprintf("%s is %s: only numbers, booleans, texts and tables of them are kept", name,
					aTypeName(v))
			}
		}
		return ""
	}
	fault := walk(t, "", 0)
	if fault == "" && bytes > maxKeptBytes {
		return fmt.Sprintf("%d bytes of texts: at most %d", bytes, maxKeptBytes)
	}
	return fault
}
