package luabind

import (
	"fmt"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// display runs the functions that the declarations of fields have for show. It loads the program again, into
// interpreters of its own in which there is no world, so that no hook can notice what they do.
type display struct {
	prog    *Program
	objects *objects // nil: the program is not loaded
	caller  loneCaller
}

// open loads the program, if it is not loaded.
func (d *display) open() {
	if d.objects != nil {
		return
	}
	vm := d.prog.NewVM()
	vm.hideWorld(world.New(), inShow)
	d.objects, d.caller = vm.objects, vm.loneCaller()
}

// ShowField calls the function that the declaration of a field has for show. The function runs in
// interpreters of its own, in which there is no world, so that no hook can notice it. The error is a
// *world.ScriptError that names the field.
func (vm *VM) ShowField(c *world.Class, field int, a, b world.Value, part float64) (world.Value, error) {
	return vm.display.show(c, field, a, b, part)
}

func (d *display) show(c *world.Class, field int, a, b world.Value, part float64) (world.Value, error) {
	d.open()
	f := &c.Fields[field]
	fn := d.objects.named(c.Name).show(f.ShowWith)
	answer, err, lost := d.caller.run(fn, showAllowance, shownValue(a), shownValue(b), lua.LNumber(part))
	if lost {
		d.objects = nil
	}
	if err != nil {
		err.Class, err.Message = c.Name, c.Name+"."+f.Name+": "+err.Message
		return world.Value{}, err
	}
	v, problem := readShown(answer, f)
	if problem != "" {
		err = syntax.Problem(fn.Proto.SourceName, fn.Proto.LineDefined, "%s.%s: the function of show %s", c.Name,
			f.Name, problem)
		err.Class = c.Name
		return world.Value{}, err
	}
	return v, nil
}

// shownValue returns a value for a function of show.
func shownValue(v world.Value) lua.LValue {
	switch v.Kind {
	case world.Bool:
		return lua.LBool(v.Word != 0)
	case world.String:
		return lua.LString(v.Text)
	}
	return lua.LNumber(v.Number())
}

// readShown reads the result of a function of show. problem says what is wrong with it.
func readShown(v lua.LValue, f *world.Field) (shown world.Value, problem string) {
	want := ""
	switch f.Kind {
	case world.Number:
		if n, ok := v.(lua.LNumber); ok {
			return world.NumberValue(float64(n)), ""
		}
		want = "a number"
	case world.Bool:
		if on, ok := v.(lua.LBool); ok {
			return world.BoolValue(bool(on)), ""
		}
		want = "true or false"
	default:
		text, ok := v.(lua.LString)
		if ok && len(text) > f.Cap {
			return world.Value{}, fmt.Sprintf("returns %d bytes, and the field has at most %d", len(text), f.Cap)
		}
		if ok {
			return world.TextValue(string(text)), ""
		}
		want = "a string"
	}
	return world.Value{}, "must return " + want + ", not " + aTypeName(v)
}
