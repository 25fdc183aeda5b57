package luabind

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// maxColumns is how many columns a scoreboard may have.
const maxColumns = 8

// Scores is the table of players that view.lua declares with scoreboard { ... }.
type Scores struct {
	Columns []string   `json:"columns"` // names of fields of player { ... }, name and ping
	Rows    []ScoreRow `json:"rows"`    // the best first, those of one group together
}

// ScoreRow is the row of a player.
type ScoreRow struct {
	Player world.PlayerID `json:"player"`
	Group  string         `json:"group,omitempty"` // the value of the field that groups players
	Cells  []string       `json:"cells"`           // one for each column
}

// scoreboard is what view.lua declares about the table of players.
type scoreboard struct {
	columns []string
	sort    string // a field; "": by the number of the player
	falls   bool   // from the largest down
	group   string // a field; "": all players are in one
}

// declare reads scoreboard { columns = { ... }, sort = "-goals", group = "team" }.
func (s *scoreboard) declare(L call) {
	t := L.table(1, "scoreboard: the argument")
	for _, k := range keysOf(L, t) {
		v, key := t.RawGet(k), toText(k)
		text, isText := v.(lua.LString)
		switch key {
		case "columns":
			s.columns = columns(L, v)
		case "sort", "group":
			name, falls := strings.CutPrefix(string(text), "-")
			if !isText || !ident.Valid(name) || falls && key == "group" {
				L.RaiseError(
					"scoreboard: %s must be the name of a field of player { ... }, as in \"goals\", or \"-goals\" for the largest first, not %s", key,
					toText(v))
			}
			if key == "group" {
				s.group = name
			} else {
				s.sort, s.falls = name, falls
			}
		case "1":
			L.RaiseError("scoreboard: name its columns: columns = { \"name\", \"goals\" }")
		default:
			L.RaiseError("scoreboard has no %s; there are columns, group and sort", key)
		}
	}
	if len(s.columns) == 0 {
		L.RaiseError("scoreboard: name its columns: columns = { \"name\", \"goals\" }")
	}
}

// columns reads the names of the columns.
func columns(L call, v lua.LValue) (names []string) {
	t, ok := v.(*lua.LTable)
	if !ok || t.Len() > maxColumns {
		L.RaiseError("scoreboard: columns must be a list of at most %d names, not %s", maxColumns, aTypeName(v))
	}
	for i := 1; i <= t.Len(); i++ {
		name, ok := t.RawGetInt(i).(lua.LString)
		if !ok || !ident.Valid(string(name)) {
			L.RaiseError(
				"scoreboard: column %d must be name, ping or the name of a field of player { ... }, not %s", i,
				toText(t.RawGetInt(i)))
		}
		names = append(names, string(name))
	}
	return names
}

// of returns the table for some players.
func (s *scoreboard) of(players []FramePlayer) *Scores {
	out := &Scores{Columns: s.columns, Rows: []ScoreRow{}}
	sorted := slices.Clone(players)
	slices.SortStableFunc(sorted, func(a, b FramePlayer) int {
		by := cmp.Compare(a.number(s.sort), b.number(s.sort))
		if s.falls {
			by = -by
		}
		return cmp.Or(strings.Compare(cell(a.Stats, s.group), cell(b.Stats, s.group)), by)
	})
	for _, p := range sorted {
		r := ScoreRow{Player: p.ID, Group: cell(p.Stats, s.group)}
		for _, name := range s.columns {
			r.Cells = append(r.Cells, p.cell(name))
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// cell returns what a column of the scoreboard shows of the player.
func (p *FramePlayer) cell(column string) string {
	switch {
	case column == "name":
		return p.Name
	case column != "ping":
		return cell(p.Stats, column)
	case p.Ping == 0:
		return ""
	}
	return strconv.Itoa(p.Ping)
}

// number returns the ping or a number field, 0 if there is none.
func (p *FramePlayer) number(name string) float64 {
	switch {
	case name == "ping":
		return float64(p.Ping)
	case name == "" || !p.Stats.Known():
		return 0
	}
	v, _ := p.Stats.Number(name)
	return v
}

// cell returns a field as a text, "" if there is none.
func cell(of world.FieldReader, name string) (text string) {
	if name == "" || !of.Known() {
		return ""
	}
	of.All(func(field string, v world.Value) bool {
		if field != name {
			return true
		}
		switch v.Kind {
		case world.Number:
			text = strconv.FormatFloat(v.Number(), 'g', 6, 64)
		case world.String:
			text = v.Text
		case world.Bool:
			text = map[bool]string{true: "yes", false: "no"}[v.Word != 0]
		}
		return false
	})
	return text
}
