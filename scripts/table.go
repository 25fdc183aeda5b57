package scripts

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// maxLine bounds a line of game.toml. The TOML library takes quadratic time
// for a key of many parts.
const maxLine = 4096

// parse reads a TOML text. It calls fail with the line of each mistake.
func parse(text string, fail func(line int, format string, args ...any)) (values map[string]any, ok bool) {
	n := 0
	for l := range strings.Lines(text) {
		n++
		if size := len(strings.TrimRight(l, "\r\n")); size > maxLine {
			fail(n, "%d bytes on one line: at most %d", size, maxLine)
			return nil, false
		}
	}
	defer func() {
		if broken := recover(); broken != nil { // the library panics at what it considers its own fault
			fail(1, "the TOML library cannot read this: %v", broken)
			values, ok = nil, false
		}
	}()
	_, err := toml.Decode(text, &values)
	if err == nil {
		return values, true
	}
	line, message := 1, err.Error()
	if pe := (toml.ParseError{}); errors.As(err, &pe) {
		line, message = pe.Position.Line, pe.Message
	}
	line = min(line, n)
	if at := strings.Split(text, "\n"); line > 0 && isConflict(at[line-1]) {
		message = "this line is a conflict marker of a merge: keep one of the two versions, and delete the lines " +
			"with <<<<<<<, ======= and >>>>>>>"
	}
	fail(line, "%s", message)
	return nil, false
}

// isConflict reports whether a line is one with which git marks the two versions of a conflict.
func isConflict(line string) bool {
	for _, marker := range []string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := strings.CutPrefix(line, marker); ok && (rest == "\r" || rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// table reads the keys of one table of a TOML text into Go values. Keys that were
// read are known; done reports all others.
type table struct {
	name    string // its path: "history", "wall[2]"; "" at the top
	values  map[string]any
	known   []string
	missing map[string]string // keys that it needs and does not have, with the reason
	lines   lines
	fail    func(line int, format string, args ...any)
}

func newTable(name string, values map[string]any, lines lines, fail func(line int, format string, args ...any)) *table {
	return &table{name: name, values: values, missing: map[string]string{}, lines: lines, fail: fail}
}

// wrong reports a mistake on the line of a key; without such a line, on the line of
// its table.
func (t *table) wrong(key, format string, args ...any) {
	t.fail(t.line(key), "%s", join2(t.name, key)+" "+fmt.Sprintf(format, args...))
}

// within reports a mistake in the table, in a part of a value that a path such as "slot.count" names. Its line
// is that of the key that the path begins with.
func (t *table) within(path, format string, args ...any) {
	key := path
	if end := strings.IndexAny(path, ".["); end >= 0 {
		key = path[:end]
	}
	t.fail(t.line(key), "%s %s", strings.TrimSuffix(t.name+"."+path, "."), fmt.Sprintf(format, args...))
}

func (t *table) line(key string) int {
	if at, ok := t.lines[join2(t.name, key)]; ok {
		return at
	}
	return max(t.lines[t.name], 1)
}

// keys returns the keys that are there, sorted.
func (t *table) keys() []string { return slices.Sorted(maps.Keys(t.values)) }

// get returns the value of an optional key.
func (t *table) get(key string) (v any, ok bool) {
	t.known = append(t.known, key)
	v, ok = t.values[key]
	return v, ok
}

// need makes done report a key if it is missing, and why it is needed.
func (t *table) need(key, why string) {
	if _, ok := t.values[key]; !ok {
		t.missing[key] = why
	}
}

// number reads a number from lo to hi.
func (t *table) number(key string, into *float64, lo, hi float64, unit string) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	f, fault := asNumber(v, lo, hi, unit)
	if fault != "" {
		t.wrong(key, "%s", fault)
		return
	}
	*into = f
}

// asNumber returns a value as a number, or its fault.
func asNumber(v any, lo, hi float64, unit string) (f float64, fault string) {
	f, ok := v.(float64)
	if n, whole := v.(int64); whole {
		f, ok = float64(n), true
	}
	switch {
	case !ok:
		return 0, fmt.Sprintf("= %s: must be a number, not %s", show(v), kind(v))
	case !(f >= lo && f <= hi): // also refuses NaN
		return 0, fmt.Sprintf("= %s: must be %s to %s%s", show(v), short(lo), short(hi), unit)
	}
	return f + 0, "" // -0 becomes 0
}

func short(f float64) string { return strconv.FormatFloat(f, 'g', 6, 64) }

// integer reads a whole number from lo to hi.
func (t *table) integer(key string, into *int64, lo, hi int64, unit string) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	n, ok := v.(int64)
	switch {
	case !ok:
		t.wrong(key, "= %s: must be a whole number, not %s", show(v), kind(v))
	case n < lo || n > hi:
		t.wrong(key, "= %d: must be %d to %d%s", n, lo, hi, unit)
	default:
		*into = n
	}
}

// whole is integer for an int.
func (t *table) whole(key string, into *int, lo, hi int) {
	n := int64(*into)
	t.integer(key, &n, int64(lo), int64(hi), "")
	*into = int(n)
}

// milliseconds reads a whole number of milliseconds.
func (t *table) milliseconds(key string, into *time.Duration, lo, hi time.Duration) {
	n := into.Milliseconds()
	t.integer(key, &n, lo.Milliseconds(), hi.Milliseconds(), " ms")
	*into = time.Duration(n) * time.Millisecond
}

// flag reads true or false.
func (t *table) flag(key string, into *bool) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	if *into, ok = v.(bool); !ok {
		t.wrong(key, "= %s: must be true or false, not %s", show(v), kind(v))
	}
}

// str reads a text.
func (t *table) str(key string, into *string) bool {
	v, ok := t.get(key)
	if !ok {
		return false
	}
	s, ok := v.(string)
	if !ok {
		t.wrong(key, "= %s: must be a text in quotes, not %s", show(v), kind(v))
		return false
	}
	*into = s
	return true
}

// pair reads [x, y].
func (t *table) pair(key string, x, y *float64, lo, hi float64, unit string) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	list, ok := v.([]any)
	if !ok || len(list) != 2 {
		t.wrong(key, "= %s: must be two numbers, [x, y]", show(v))
		return
	}
	for i, into := range []*float64{x, y} {
		f, fault := asNumber(list[i], lo, hi, unit)
		if fault == "" {
			*into = f
			continue
		}
		at := element(join2(t.name, key), i+1)
		t.fail(t.lines[at], "%s %s", at, fault)
	}
}

// sub returns a table below t; a table without keys if there is none.
func (t *table) sub(key string) *table {
	out := newTable(join2(t.name, key), nil, t.lines, t.fail)
	if v, ok := t.get(key); ok {
		if out.values, ok = v.(map[string]any); !ok {
			t.wrong(key, "= %s: must be a table, [%s], not %s", show(v), key, kind(v))
		}
	}
	return out
}

// list returns the tables of an array of tables.
func (t *table) list(key string) (out []*table) {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	rows, ok := tables(v)
	if !ok {
		t.wrong(key, "= %s: must be tables, each under [[%s]], not %s", show(v), key, kind(v))
	}
	for i, row := range rows {
		out = append(out, newTable(element(join2(t.name, key), i+1), row, t.lines, t.fail))
	}
	return out
}

func tables(v any) (rows []map[string]any, ok bool) {
	if rows, ok = v.([]map[string]any); ok {
		return rows, true
	}
	list, ok := v.([]any)
	for _, e := range list {
		row, is := e.(map[string]any)
		rows, ok = append(rows, row), ok && is
	}
	if !ok {
		return nil, false
	}
	return rows, true
}

// otherwise are names that keys have in other programs.
var otherwise = map[string]string{
	"title": "name", "game": "name", "id": "name", "width": "w", "height": "h", "type": "class", "object": "class", "tps": "tick_rate",
	"fps": "tick_rate", "hz": "tick_rate",
}

// meant returns the known key that an unknown one seems to mean; empty: none.
func (t *table) meant(key string) string {
	if other := otherwise[strings.ToLower(key)]; slices.Contains(t.known, other) {
		return other
	}
	return nearest(key, t.known)
}

// done reports the keys that were not read, and those that are missing unless one of the former seems to mean them.
func (t *table) done() {
	for key := range t.values { // in any order: the faults are sorted by line
		if slices.Contains(t.known, key) {
			continue
		}
		hint := allOf(slices.Sorted(slices.Values(t.known)))
		if like := t.meant(key); like != "" {
			hint = fmt.Sprintf("did you mean %s?", like)
			delete(t.missing, like)
		}
		t.wrong(key, "is unknown: %s", hint)
	}
	for key, why := range t.missing { // in any order: the faults are sorted by line
		t.wrong(key, "is missing: %s", why)
	}
}

// kind names a value's type as TOML does.
func kind(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case int64:
		return "a whole number"
	case float64:
		return "a number with a fraction"
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return "a date or time"
}

// show returns a short text for a value.
func show(v any) string {
	switch v := v.(type) {
	case string:
		if len(v) > 40 {
			v = strings.ToValidUTF8(v[:40], "") + "..."
		}
		return fmt.Sprintf("%q", v)
	case float64:
		s := strings.ToLower(strconv.FormatFloat(v, 'g', -1, 64)) // nan, +inf
		if !strings.ContainsAny(s, ".einf") {
			s += ".0"
		}
		return s
	case bool, int64:
		return fmt.Sprint(v)
	case map[string]any:
		return "{...}"
	case []any:
		return fmt.Sprintf("[%d values]", len(v))
	case []map[string]any:
		return fmt.Sprintf("[%d tables]", len(v))
	}
	return "..."
}
