package scripts

import (
	"maps"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// readFields returns the leaves of [spawn.fields], in the order in which they are set. Whether the
// class has them is known once the scripts are compiled.
func readFields(t *table) []world.NamedValue {
	r := fieldReader{t: t}
	fields := map[string]any{}
	for _, name := range t.keys() {
		fields[name], _ = t.get(name)
	}
	r.record("", fields)
	if len(r.out) > world.MaxValues {
		t.within("", "has %d values; an object takes at most %d", len(r.out), world.MaxValues)
	}
	return r.out
}

// fieldReader splits a TOML table into the leaves of fields.
type fieldReader struct {
	t   *table
	out []world.NamedValue
}

// record reads each part of a record or, at the top, each field.
func (r *fieldReader) record(path string, parts map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if name == "" || strings.ContainsAny(name, ".[]#") {
			r.t.within(path, "%q is no field's name: write a list as [1, 2] and a record as { x = 1 }", name)
			continue
		}
		r.value(strings.TrimPrefix(path+"."+name, "."), parts[name])
	}
}

// value reads a field or a part of one. A list is its length, then its items.
func (r *fieldReader) value(path string, v any) {
	switch v := v.(type) {
	case float64:
		r.add(path, world.NumberValue(v))
	case int64:
		if v < -1<<53 || v > 1<<53 {
			r.t.within(path, "= %d: scripts have no such number; whole numbers go to 2^53", v)
			return
		}
		r.add(path, world.NumberValue(float64(v)))
	case bool:
		r.add(path, world.BoolValue(v))
	case string:
		r.add(path, world.TextValue(v))
	case []any:
		r.length(path, len(v))
		for i, item := range v {
			r.value(element(path, i+1), item)
		}
	case []map[string]any: // of [[spawn.fields.path]]
		r.length(path, len(v))
		for i, item := range v {
			r.record(element(path, i+1), item)
		}
	case map[string]any:
		r.record(path, v)
	default:
		r.t.within(path, "= %s: no field holds %s", show(v), kind(v))
	}
}

func (r *fieldReader) length(path string, n int) {
	r.add("#"+path, world.Value{Kind: world.Count, Word: uint64(n)})
}

func (r *fieldReader) add(leaf string, v world.Value) {
	if len(leaf) > world.MaxValueName || len(v.Text) > world.MaxValueText {
		r.t.within(strings.TrimPrefix(leaf, "#"), "is too long: a name has at most %d bytes, a text %d",
			world.MaxValueName, world.MaxValueText)
		return
	}
	r.out = append(r.out, world.NamedValue{Name: leaf, Value: v})
}
