package luabind

import (
	"math"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// fieldReader reads state and aux.
type fieldReader struct{ *reader }

// maxItems is the greatest number of items that a list in state may be declared
// with.
const maxItems = 256

// fieldType is what str(n), ref(), list(of, n) and record {...} return: the
// declaration of a field other than a number or a boolean.
type fieldType struct {
	kind  world.FieldKind
	cap   int    // of a string in bytes, of a list in items
	text  string // a string's default
	items lua.LValue
	parts *lua.LTable
}

// fields reads state or aux: names with defaults. The default gives the type.
func (d fieldReader) fields(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	others := shapesOf(d.class()) // those of state, if this is aux
	for _, k := range d.counted(t) {
		name := toText(k)
		path := []string{key, name}
		var leaves []world.Field
		if d.fieldName(path, k, others) {
			leaves = d.leaves(path, name, valueAt(t, k), key == "aux", false)
			d.class().Fields = append(d.class().Fields, leaves...)
		}
		if len(leaves) == 0 {
			d.refuse(name)
		}
	}
}

// refuse notes a field whose declaration is refused.
func (d fieldReader) refuse(name string) {
	if d.wrong == nil {
		d.wrong = map[string]bool{}
	}
	d.wrong[name] = true
}

// fieldName checks the name of a field. others are those that the class has elsewhere.
func (d fieldReader) fieldName(path []string, k lua.LValue, others map[string]*shape) bool {
	name := toText(k)
	if _, isString := k.(lua.LString); !isString || !ident.Valid(name) {
		d.fail(path, "%s.%s: a field needs a name of letters, digits and _, and a default: fuel = 100",
			d.class().Name, strings.Join(path, "."))
		return false
	}
	if names := d.reserved(); slices.Contains(names, name) {
		d.fail(path, "%s.%s: the name is reserved; these are: %s", d.class().Name, strings.Join(path, "."),
			strings.Join(names, ", "))
		return false
	}
	if others[name] != nil {
		d.fail(path, "%s.%s: the field is declared in state and in aux", d.class().Name, strings.Join(path, "."))
		return false
	}
	return true
}

// leaves returns the fields of the schema that a declaration stands for: one,
// or one for each leaf of a list or a record.
func (d fieldReader) leaves(path []string, name string, v lua.LValue, aux, inList bool) []world.Field {
	t := typeOf(v)
	switch {
	case !d.count(1):
		return nil
	case len(path) > maxRecordDepth:
		d.fail(path[:2], "%s.%s: records are within each other, or in themselves, more than %d deep", d.class().Name,
			strings.Join(path[:2], "."), maxRecordDepth)
		return nil
	case t != nil && t.parts != nil:
		return d.recordLeaves(path, name, t.parts, aux, inList)
	case t != nil && t.items != nil && inList:
		d.fail(path, "%s.%s: a list cannot hold lists, nor records with lists in them", d.class().Name,
			strings.Join(path, "."))
		return nil
	case t != nil && t.items != nil:
		items := d.leaves(path, "", t.items, aux, true)
		if len(items) == 0 || !d.count(t.cap*len(items)) {
			return nil
		}
		return world.AppendList(nil, name, t.cap, aux, items)
	}
	f, ok := d.leaf(path, v)
	if !ok {
		return nil
	}
	f.Name, f.Aux = name, aux
	return []world.Field{f}
}

func typeOf(v lua.LValue) *fieldType {
	u, ok := v.(*lua.LUserData)
	if !ok {
		return nil
	}
	t, _ := u.Value.(*fieldType)
	return t
}

func (d fieldReader) recordLeaves(path []string, name string, parts *lua.LTable, aux, inList bool) (out []world.Field) {
	keys := sortedTableKeys(parts)
	for _, k := range keys {
		at := append(slices.Clone(path), toText(k))
		if _, isString := k.(lua.LString); !isString || !ident.Valid(toText(k)) {
			d.fail(path,
				"%s.%s: a part of a record needs a name of letters, digits and _, and a default: count = 0",
				d.class().Name, strings.Join(at, "."))
			continue
		}
		out = append(out, d.leaves(at, name+"."+toText(k), valueAt(parts, k), aux, inList)...)
	}
	if len(keys) == 0 {
		d.fail(path, "%s.%s: a record needs at least one part: record { count = 0 }", d.class().Name,
			strings.Join(path, "."))
	}
	return out
}

// leaf reads the declaration of a plain value.
func (d fieldReader) leaf(path []string, v lua.LValue) (f world.Field, ok bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return world.Field{Kind: world.Number, Default: []uint64{world.NumberBits(float64(v))}}, true
	case lua.LBool:
		word := uint64(0)
		if v {
			word = 1
		}
		return world.Field{Kind: world.Bool, Show: world.ShowStep, Default: []uint64{word}}, true
	case *lua.LTable:
		return d.leafWithOptions(path, v)
	case lua.LString:
		d.fail(path, "%s.%s: a string field needs a maximum length: str(%d, %q)", d.class().Name,
			strings.Join(path, "."), max(16, len(v)), string(v))
		return f, false
	}
	if t := typeOf(v); t != nil {
		return t.field(), true
	}
	d.fail(path,
		"%s.%s: a default must be a number, true, false, str(n), ref(), list(of, n), record {...} or { \"number\", "+
			"... }, not a %s", d.class().Name, strings.Join(path, "."), typeName(v))
	return f, false
}

func (t *fieldType) field() world.Field {
	f := world.Field{Name: "default", Kind: t.kind, Cap: t.cap, Show: world.ShowStep}
	f.Default = make([]uint64, f.Words())
	if t.kind == world.String {
		_ = world.PutString(world.Row{State: f.Default}, &f, t.text) // its length was checked by str
	}
	return f
}

// kinds are the first values of a declaration like { "number", step = 1 }, and
// the items of a list(of, n).
var kinds = map[string]lua.LValue{
	"number": lua.LNumber(0), "angle": lua.LNumber(0), "bool": lua.LFalse,
	"ref": &lua.LUserData{Value: &fieldType{kind: world.Ref}},
}

// shows are the values of show =.
var shows = map[string]world.Show{"lerp": world.ShowLerp, "step": world.ShowStep, "shortest": world.ShowShortest}

// leafWithOptions reads { "number", default = 5, min = 0, max = 9, step = 1, show = "step" }.
func (d fieldReader) leafWithOptions(path []string, t *lua.LTable) (f world.Field, ok bool) {
	of, at := t.RawGetInt(1), d.class().Name+"."+strings.Join(path, ".")
	kind, isText := of.(lua.LString)
	if isText {
		of = kinds[string(kind)]
	}
	if c := d.set.of(t); c != nil {
		d.fail(path, "%s: a class is no value: write ref() for an object of %s", at, c.class().Name)
		return f, false
	}
	if n := t.Len(); n > 1 && of.Type() == t.RawGetInt(2).Type() && (of.Type() == lua.LTNumber || of.Type() == lua.LTBool) {
		item := map[lua.LValueType]string{lua.LTNumber: "number", lua.LTBool: "bool"}[of.Type()]
		d.fail(path, "%s: several values are a list: write list(%q, %d), and fill it in a hook", at, item, n)
		return f, false
	}
	if _, isTable := of.(*lua.LTable); of == nil || of == lua.LNil || isTable ||
		typeOf(of) != nil && (typeOf(of).items != nil || typeOf(of).parts != nil) {
		d.fail(path,
			"%s: a field with options must begin with its kind: { \"number\", ... }, { \"angle\", ... }, { "+
				"\"bool\", ... } or { str(16), ... }; for several values, write list(of, n) or record {...}", at)
		return f, false
	}
	if v := t.RawGetString("default"); v != lua.LNil && typeOf(of) == nil {
		if v.Type() != of.Type() {
			d.fail(path, "%s: the default is a %s, not a %s", at, typeName(v), typeName(of))
			return f, false
		}
		of = v
	}
	f, ok = d.leaf(path, of)
	allowed := []string{"show"}
	switch f.Kind {
	case world.Number:
		allowed = []string{"default", "max", "min", "show", "step"}
	case world.Bool:
		allowed = []string{"default", "show"}
	}
	return f, d.reader.options(path, t, allowed) && ok && d.limits(path, &f, t, kind == "angle")
}

// limits reads range and step of a number, and show.
func (d fieldReader) limits(path []string, f *world.Field, t *lua.LTable, angle bool) bool {
	at := d.class().Name + "." + strings.Join(path, ".")
	for _, o := range []struct {
		name string
		to   *float64
	}{{"min", &f.Min}, {"max", &f.Max}, {"step", &f.Step}} {
		if v := t.RawGetString(o.name); v != lua.LNil {
			*o.to = d.number(append(slices.Clone(path), o.name), v)
		}
	}
	hasMin, hasMax := t.RawGetString("min") != lua.LNil, t.RawGetString("max") != lua.LNil
	switch {
	case hasMin != hasMax || hasMin && !(f.Min < f.Max):
		d.fail(path, "%s: a range needs min and max, and min must be less than max", at)
		return false
	case f.Step < 0 || hasMin && f.Step > f.Max-f.Min:
		d.fail(path, "%s: step = %v: must be 0 (every value), or fit into the range", at, f.Step)
		return false
	}
	if given := math.Float64frombits(f.Default[0]); hasMin && isNumber(t) && !(given >= f.Min && given <= f.Max) {
		d.fail(path, "%s: the default must be within the range of %v to %v, and is %v", at, f.Min, f.Max, given)
		return false
	}
	if f.Kind == world.Number {
		f.Default = []uint64{world.NumberBits(f.Quantize(math.Float64frombits(f.Default[0])))}
	}
	if angle {
		f.Show = world.ShowShortest
	}
	return d.show(append(slices.Clone(path), "show"), at, f, t.RawGetString("show"))
}

// isNumber reports whether a declaration with options gives a default that is a number: { 5, min = 1, max = 9 }.
func isNumber(t *lua.LTable) bool {
	return t.RawGetInt(1).Type() == lua.LTNumber || t.RawGetString("default").Type() == lua.LTNumber
}

// show reads show, which is the name of a way or a function.
func (d fieldReader) show(path []string, at string, f *world.Field, v lua.LValue) bool {
	if v == lua.LNil {
		return true
	}
	show, known := shows[toText(v)]
	fn, isFunction := v.(*lua.LFunction)
	switch {
	case isFunction && fn.Proto == nil:
		d.fail(path, "%s: show is a function of the library: write one of your own, function(a, b, f) ... end", at)
		return false
	case isFunction && f.Kind != world.Ref:
		f.Show, f.ShowWith = world.ShowFunction, addShow(d.reader, fn)
		return true
	case !known || f.Kind != world.Number && show != world.ShowStep:
		d.fail(path, "%s: show must be %s", at, showsOf[f.Kind])
		return false
	}
	f.Show = show
	return true
}

// showsOf says what show may be for a kind of field.
var showsOf = map[world.FieldKind]string{
	world.Number: `"lerp", "step", "shortest" or a function of two values and a fraction: ` +
		`function(a, b, f) return ... end`,
	world.Bool:   `"step" or a function of two values and a fraction: function(a, b, f) return ... end`,
	world.String: `"step" or a function of two values and a fraction: function(a, b, f) return ... end`,
	world.Ref:    `"step" for a reference`,
}
