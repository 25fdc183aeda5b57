package scripts

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Changes returns the differences between the game.toml of g and that of another game, one line each, sorted by
// the names of the keys: "tick_rate was 60, is 30", "wall[3] added".
func (g *Game) Changes(to *Game) (lines []string) {
	return settingChanges(nil, "", g.settings, to.settings)
}

// Settings returns what game.toml sets, one line each, sorted by the names of the keys.
func (g *Game) Settings() (lines []string) {
	return settingChanges(nil, "", map[string]any{}, g.settings)
}

// settingChanges appends the differences between two values of game.toml that a path names.
func settingChanges(lines []string, at string, from, to any) []string {
	a, b := members(from), members(to)
	switch isTable := a != nil || b != nil; {
	case reflect.DeepEqual(from, to):
		return lines
	case from == nil && strings.HasSuffix(at, "]"):
		return append(lines, at+" added")
	case to == nil && strings.HasSuffix(at, "]"):
		return append(lines, at+" removed")
	case from == nil && !isTable:
		return append(lines, at+" added ("+leaf(to)+")")
	case to == nil && !isTable:
		return append(lines, at+" removed (was "+leaf(from)+")")
	case !isTable, from != nil && a == nil, to != nil && b == nil:
		return append(lines, fmt.Sprintf("%s was %s, is %s", at, leaf(from), leaf(to)))
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.SortFunc(names, byNumber)
	for _, name := range slices.Compact(names) {
		path := at + name
		if !strings.HasPrefix(name, "[") {
			path = join2(at, name)
		}
		lines = settingChanges(lines, path, a[name], b[name])
	}
	return lines
}

// byNumber orders keys by name, and the elements of a list by their number.
func byNumber(a, b string) int {
	if strings.HasPrefix(a, "[") && strings.HasPrefix(b, "[") && len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// members returns what a table or a list of tables contains, by key or "[n]"; nil for any other
// value.
func members(v any) map[string]any {
	if table, ok := v.(map[string]any); ok {
		return table
	}
	rows, ok := tables(v)
	if !ok || len(rows) == 0 {
		return nil
	}
	out := make(map[string]any, len(rows))
	for i, row := range rows {
		out[element("", i+1)] = row
	}
	return out
}

// leaf returns a short text for a value.
func leaf(v any) string {
	if list, ok := v.([]any); ok && len(list) <= 4 {
		texts := make([]string, len(list))
		for i, e := range list {
			texts[i] = show(e)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	return show(v)
}
