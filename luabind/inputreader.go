package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/keyname"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// inputReader reads input and controls.
type inputReader struct{ *reader }

// inputs reads input = { Accel = "bool", aim = { "number", min =, max =, step = } }.
// Buttons and axes are numbered in the order of their names.
func (d inputReader) inputs(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	buttons, axes, methods := 0, 0, api.InputMethods()
	for _, k := range d.counted(t) {
		name := toText(k)
		path := []string{key, name}
		if _, isString := k.(lua.LString); !isString || !ident.Valid(name) {
			d.fail(path, "%s.%s: an input needs a name of letters, digits and _: Accel = \"bool\"", d.class().Name,
				strings.Join(path, "."))
			continue
		}
		if slices.Contains(methods, name) {
			d.fail(path, "%s.%s: the name is reserved for the method input:%s(\"Accel\")", d.class().Name,
				strings.Join(path, "."), name)
			continue
		}
		f, ok := d.inputField(path, valueAt(t, k))
		if !ok {
			continue
		}
		f.Name = name
		if f.Axis {
			f.Index = axes
			axes++
		} else {
			f.Index = buttons
			buttons++
		}
		if buttons <= world.MaxButtons && axes <= world.MaxAxes { // or it is an error
			d.class().Inputs = append(d.class().Inputs, f)
		}
	}
	if buttons > world.MaxButtons || axes > world.MaxAxes {
		d.fail([]string{key}, "%s declares %d bools and %d numbers as input: at most %d and %d are allowed",
			d.class().Name, buttons, axes, world.MaxButtons, world.MaxAxes)
	}
}

func (d inputReader) inputField(path []string, v lua.LValue) (f world.InputField, ok bool) {
	kind, options := v, (*lua.LTable)(nil)
	if t, isTable := v.(*lua.LTable); isTable {
		kind, options = t.RawGetInt(1), t
	}
	switch kind {
	case lua.LString("bool"):
		if options != nil {
			d.reader.options(path, options, []string{"merge", "repeats"})
			d.merge(path, options, &f)
			d.repeats(path, options, &f)
		}
		return f, true
	case lua.LString("number"):
		return d.axis(path, options)
	}
	d.fail(path, "%s.%s: an input must be \"bool\", \"number\" or { \"number\", min = -1, max = 1, step = 0.01 }",
		d.class().Name, strings.Join(path, "."))
	return f, false
}

// axis reads an input that is a number. Its range is -1 to 1 by default, and
// must hold 0, the value of an absent input.
func (d inputReader) axis(path []string, options *lua.LTable) (f world.InputField, ok bool) {
	f = world.InputField{Axis: true, Min: -1, Max: 1}
	if options == nil {
		return f, true
	}
	d.reader.options(path, options, []string{"decay", "max", "merge", "min", "repeats", "step"})
	d.merge(path, options, &f)
	d.repeats(path, options, &f)
	d.decay(path, options, &f)
	for _, o := range []struct {
		name string
		to   *float64
	}{{"min", &f.Min}, {"max", &f.Max}, {"step", &f.Step}} {
		if v := options.RawGetString(o.name); v != lua.LNil {
			*o.to = d.number(append(slices.Clone(path), o.name), v)
		}
	}
	at := d.class().Name + "." + strings.Join(path, ".")
	switch {
	case f.Min > f.Max:
		d.fail(path, "%s: min = %v is above max = %v; write min = %v, max = %v", at, f.Min, f.Max, f.Max, f.Min)
		return f, false
	case !(f.Min <= 0 && f.Max >= 0 && f.Min < f.Max):
		d.fail(path, "%s: min = %v, max = %v: the range must contain 0, which stands for no input", at, f.Min, f.Max)
		return f, false
	case f.Step < 0 || f.Step > 0 && (f.Max-f.Min)/f.Step > 1e9 || f.Step > f.Max-f.Min:
		d.fail(path, "%s: step = %v: must be 0 (every value), or divide the range into at most 1e9 parts", at, f.Step)
		return f, false
	}
	return f, true
}

// merge reads how the frames of a tick are merged into one input.
func (d inputReader) merge(path []string, options *lua.LTable, f *world.InputField) {
	v := options.RawGetString("merge")
	if v == lua.LNil {
		return
	}
	path = append(slices.Clone(path), "merge")
	name, isText := v.(lua.LString)
	if rule, ok := world.MergeNamed(string(name), f.Axis); isText && ok {
		f.Merge = rule
		return
	}
	kind := "bool"
	if f.Axis {
		kind = "number"
	}
	d.fail(path, "%s.%s = %q: the rules for a %s are \"%s\"", d.class().Name, strings.Join(path, "."), toText(v),
		kind, strings.Join(world.MergeNames(f.Axis), "\", \""))
}

// repeats reads repeats = false: ticks whose own input is missing do not repeat the field.
func (d inputReader) repeats(path []string, options *lua.LTable, f *world.InputField) {
	switch v := options.RawGetString("repeats").(type) {
	case *lua.LNilType:
	case lua.LBool:
		f.Once = !bool(v)
	default:
		d.fail(append(slices.Clone(path), "repeats"), "%s.%s.repeats = %s: must be true or false", d.class().Name,
			strings.Join(path, "."), toText(v))
	}
}

// maxDecay is the longest decay, in seconds: longer than any input is repeated.
const maxDecay = 10

// decay reads decay = 0.2: in how many seconds the field falls to 0 while it is repeated.
func (d inputReader) decay(path []string, options *lua.LTable, f *world.InputField) {
	v := options.RawGetString("decay")
	if v == lua.LNil {
		return
	}
	f.Decay = d.number(append(slices.Clone(path), "decay"), v)
	at := d.class().Name + "." + strings.Join(path, ".")
	switch {
	case !(f.Decay >= 0 && f.Decay <= maxDecay):
		d.fail(path, "%s: decay = %v: must be 0 (it stays) to %d seconds", at, f.Decay, maxDecay)
	case f.Decay > 0 && f.Once:
		d.fail(path, "%s: with repeats = false the number is 0 at once; leave out decay or repeats", at)
	}
}

// controls reads controls = { Accel = "ArrowUp", Fire = { "space", "pad:a" } }.
func (d inputReader) controls(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	var names []string
	for i := range d.class().Inputs {
		names = append(names, d.class().Inputs[i].Name)
	}
	d.keys([]string{key}, t, names)
	for i := range d.class().Inputs {
		f := &d.class().Inputs[i]
		switch v := t.RawGetString(f.Name).(type) {
		case *lua.LNilType:
		case *lua.LTable:
			for n := 1; n <= v.Len(); n++ {
				f.Keys = append(f.Keys, d.text([]string{key, f.Name}, v.RawGetInt(n)))
			}
		default:
			f.Keys = []string{d.text([]string{key, f.Name}, v)}
		}
		d.checkFlows(key, f)
	}
}

// checkFlows finds controls that do not fit how an input is merged: a wheel
// gives amounts, which are summed, and a key does not.
func (d inputReader) checkFlows(key string, f *world.InputField) {
	for _, k := range f.Keys {
		name := strings.TrimPrefix(keyname.Canonical(strings.TrimPrefix(k, "-")), "-")
		isFlow := slices.Contains(keyname.Flows(), name)
		switch {
		case isFlow && f.Merge != world.MergeSum:
			d.fail([]string{key, f.Name},
				"%s.%s.%s = %q moves by amounts and has no position: declare %s = { \"number\", merge = \"sum\" } "+
					"in input",
				d.class().Name, key, f.Name, k, f.Name)
		case !isFlow && f.Merge == world.MergeSum:
			d.fail([]string{key, f.Name},
				"%s.%s.%s = %q has no amounts to add up: with merge = \"sum\", use one of %s; or leave out merge",
				d.class().Name, key, f.Name, k, strings.Join(keyname.Flows(), ", "))
		}
	}
}
