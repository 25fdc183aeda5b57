package host

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// Fields are values for fields of an object, by name. A value is a number of any type, a bool, a
// string, a world.ObjectID (nil is none) or a world.Value. A list is a slice, and a record is Fields;
// parts that they do not name start at their defaults. A part can also be named by itself:
// "slot.count", "hits[2]".
type Fields map[string]any

// Values returns the leaves of the fields for a class, sorted by field. An error wraps
// world.ErrNoField or world.ErrValue.
func (f Fields) Values(c *world.Class) ([]world.NamedValue, error) {
	w := valueWriter{class: c}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if err := w.field(name, f[name], false); err != nil {
			return nil, err
		}
	}
	return w.out, c.CheckValues(w.out)
}

// valueWriter splits values of fields into their leaves.
type valueWriter struct {
	class *world.Class
	out   []world.NamedValue
}

// field writes a field, or a part of one. fresh says that its leaves already have their defaults.
func (w *valueWriter) field(name string, v any, fresh bool) error {
	if _, leaf := w.class.Field(name); leaf {
		value, err := valueOf(v)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", w.class.Name, name, err)
		}
		w.add(name, value)
		return nil
	}
	if _, list := w.class.Field("#" + name); list {
		return w.list(name, reflect.ValueOf(v))
	}
	if parts := w.parts(name); parts != nil {
		return w.record(name, v, parts, fresh)
	}
	return w.class.CheckValues([]world.NamedValue{{Name: name}}) // there is no such field
}

func (w *valueWriter) add(name string, v world.Value) {
	w.out = append(w.out, world.NamedValue{Name: name, Value: v})
}

// list replaces a list. Its length comes first, which empties it.
func (w *valueWriter) list(name string, v reflect.Value) error {
	if k := v.Kind(); k != reflect.Slice && k != reflect.Array {
		return fmt.Errorf("%w: %s.%s is a list, and takes a slice", world.ErrValue, w.class.Name, name)
	}
	w.add("#"+name, world.Value{Kind: world.Count, Word: uint64(v.Len())})
	if count, _ := w.class.Field("#" + name); v.Len() > count.Cap {
		return nil // CheckValues returns the error
	}
	for i := range v.Len() {
		if err := w.field(fmt.Sprintf("%s[%d]", name, i+1), v.Index(i).Interface(), true); err != nil {
			return err
		}
	}
	return nil
}

// parts returns the names of the parts of a record, nil if there is none of that name.
func (w *valueWriter) parts(name string) (parts []string) {
	for i := range w.class.Declared() {
		path := strings.TrimPrefix(w.class.Fields[i].Name, "#")
		if rest, ok := strings.CutPrefix(path, name+"."); ok {
			part := rest[:strings.IndexAny(rest+".", ".[")]
			if !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

// record replaces a record.
func (w *valueWriter) record(name string, v any, parts []string, fresh bool) error {
	named, ok := v.(Fields)
	if plain, isMap := v.(map[string]any); isMap {
		named, ok = plain, true
	}
	if !ok {
		return fmt.Errorf("%w: %s.%s is a record, and takes Fields", world.ErrValue, w.class.Name, name)
	}
	for _, part := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(parts, part) {
			return fmt.Errorf("%w: %s.%s has no %q; it has %s", world.ErrNoField, w.class.Name, name, part,
				world.Listed(parts))
		}
	}
	for _, part := range parts {
		path := name + "." + part
		if v, ok := named[part]; ok {
			if err := w.field(path, v, fresh); err != nil {
				return err
			}
		} else if !fresh {
			w.reset(path)
		}
	}
	return nil
}

// reset sets a part to its default.
func (w *valueWriter) reset(path string) {
	if _, list := w.class.Field("#" + path); list {
		w.add("#"+path, world.Value{Kind: world.Count})
		return
	}
	if f, leaf := w.class.Field(path); leaf {
		w.add(path, f.DefaultValue())
		return
	}
	for _, part := range w.parts(path) {
		w.reset(path + "." + part)
	}
}

// valueOf returns a Go value as scripts get it. An error wraps world.ErrValue.
func valueOf(v any) (world.Value, error) {
	switch of := v.(type) {
	case nil:
		return world.RefValue(0), nil
	case world.ObjectID:
		return world.RefValue(of), nil
	case world.Value:
		return of, nil
	}
	var n float64
	exact := true
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Bool:
		return world.BoolValue(r.Bool()), nil
	case reflect.String:
		return world.TextValue(r.String()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n = float64(r.Int())
		exact = r.Int() >= -1<<53 && r.Int() <= 1<<53
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n = float64(r.Uint())
		exact = r.Uint() <= 1<<53
	case reflect.Float32, reflect.Float64:
		n = r.Float()
	default:
		return world.Value{}, fmt.Errorf("%w: a %T is no number, bool, string or world.ObjectID", world.ErrValue, v)
	}
	if !exact {
		return world.Value{}, fmt.Errorf("%w: scripts have no number %v", world.ErrValue, v)
	}
	return world.NumberValue(n), nil
}
