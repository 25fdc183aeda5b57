package luabind

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	lua "github.com/yuin/gopher-lua"
)

// bodyReader reads body.
type bodyReader struct{ *reader }

var bodyTypes = map[string]physics.BodyType{
	"static":    physics.Static,
	"kinematic": physics.Kinematic,
	"dynamic":   physics.Dynamic,
}

// body reads body = { shape = ..., type = "dynamic", density = 1, ... }.
func (d bodyReader) body(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	problems := failures(d.reader)
	b := &world.BodySpec{Def: physics.Def{Type: physics.Dynamic, Friction: 0.3, GravityScale: 1}}
	numbers := map[string]*float64{
		"density": &b.Def.Density, "mass": &b.Def.Mass, "inertia": &b.Def.Inertia, "friction": &b.Def.Friction,
		"restitution": &b.Def.Restitution, "linear_damping": &b.Def.LinearDamping,
		"angular_damping": &b.Def.AngularDamping, "gravity_scale": &b.Def.GravityScale,
	}
	switches := map[string]*bool{
		"fixed_rotation": &b.Def.FixedRotation, "bullet": &b.Def.Bullet,
		"force_per_mass": &b.Def.ForcePerMass, "sensor": &b.Def.Sensor,
	}
	d.keys([]string{key}, t,
		slices.Sorted(slices.Values(append(append(ident.Keys(numbers), ident.Keys(switches)...), "shape", "type",
			"layer", "collides", "sleep"))))
	for _, name := range ident.Keys(numbers) {
		if v := t.RawGetString(name); v != lua.LNil {
			*numbers[name] = d.number([]string{key, name}, v)
		}
	}
	if b.Def.Density == 0 && b.Def.Mass == 0 && t.RawGetString("density") == lua.LNil {
		b.Def.Density = 1
	}
	d.switches(t, switches)
	d.switches(t, map[string]*bool{"sleep": &b.Def.NoSleep})
	b.Def.NoSleep = t.RawGetString("sleep") != lua.LNil && !b.Def.NoSleep
	d.bodyType(t, b)
	d.layers(t, b)
	d.shape(t.RawGetString("shape"), b)
	if failures(d.reader) > problems {
		return
	}
	def := b.Def
	if err := def.Prepare(); err != nil {
		d.fail([]string{key}, "%s.body: %s", d.class().Name, err)
		return
	}
	d.class().Body = b
}

// switches reads the keys of a body that are true or false.
func (d bodyReader) switches(t *lua.LTable, switches map[string]*bool) {
	for _, name := range ident.Keys(switches) {
		v := t.RawGetString(name)
		on, ok := v.(lua.LBool)
		if !ok && v != lua.LNil {
			d.fail([]string{"body", name}, "%s.body.%s must be true or false, not a %s", d.class().Name, name,
				typeName(v))
		}
		*switches[name] = bool(on)
	}
}

func (d bodyReader) bodyType(t *lua.LTable, b *world.BodySpec) {
	v := t.RawGetString("type")
	if v == lua.LNil {
		return
	}
	name := d.text([]string{"body", "type"}, v)
	kind, ok := bodyTypes[name]
	if !ok {
		d.fail([]string{"body", "type"}, "%s.body.type = %q: there are %s", d.class().Name, name,
			strings.Join(ident.NearestFirst(name, ident.Keys(bodyTypes)), ", "))
		return
	}
	b.Def.Type = kind
}

func (d bodyReader) layers(t *lua.LTable, b *world.BodySpec) {
	if v := t.RawGetString("layer"); v != lua.LNil {
		b.Layer = d.text([]string{"body", "layer"}, v)
	}
	v := t.RawGetString("collides")
	if v == lua.LNil {
		return
	}
	list, ok := d.isTable([]string{"body", "collides"}, v)
	if !ok {
		return
	}
	b.Collides = []string{} // none of them: it collides with nothing
	for i := 1; i <= list.Len(); i++ {
		b.Collides = append(b.Collides, d.text([]string{"body", "collides"}, list.RawGetInt(i)))
	}
	if len(sortedTableKeys(list)) != len(b.Collides) {
		d.fail([]string{"body", "collides"}, "%s.body.collides is a list of layers: { \"ship\", \"wall\" }",
			d.class().Name)
	}
}

// shape reads { circle = r }, { box = {w, h} } or { polygon = {x1, y1, ...} }.
func (d bodyReader) shape(v lua.LValue, b *world.BodySpec) {
	path := []string{"body", "shape"}
	t, ok := v.(*lua.LTable)
	if !ok || len(sortedTableKeys(t)) != 1 {
		d.fail(path,
			"%s.body.shape must be one of { circle = radius }, { box = { width, height } } and { polygon = { x1, "+
				"y1, x2, y2, ... } }", d.class().Name)
		return
	}
	d.keys(path, t, []string{"box", "circle", "polygon"})
	if r := t.RawGetString("circle"); r != lua.LNil {
		b.Def.Shape = physics.CircleShape(d.number(append(path, "circle"), r))
	}
	if v := t.RawGetString("box"); v != lua.LNil {
		if n := d.numbers(append(path, "box"), v); len(n) == 2 {
			b.Def.Shape = physics.BoxShape(n[0], n[1])
		} else {
			d.fail(append(path, "box"), "%s.body.shape.box needs a width and a height: { box = { 2, 1 } }",
				d.class().Name)
		}
	}
	if v := t.RawGetString("polygon"); v != lua.LNil {
		d.polygon(append(path, "polygon"), d.numbers(append(path, "polygon"), v), b)
	}
}

func (d bodyReader) polygon(path []string, n []float64, b *world.BodySpec) {
	if len(n)%2 != 0 {
		d.fail(path, "%s.body.shape.polygon has %d numbers: write an x and a y for each corner", d.class().Name, len(n))
		return
	}
	var points []physics.Vec
	for i := 0; i+1 < len(n); i += 2 {
		points = append(points, physics.Vec{X: n[i], Y: n[i+1]})
	}
	shape, err := physics.PolygonShape(points)
	if err != nil {
		d.fail(path, "%s.body.shape: %s", d.class().Name, err)
		return
	}
	b.Def.Shape = shape
}

// numbers returns a list of numbers.
func (d bodyReader) numbers(path []string, v lua.LValue) (out []float64) {
	t, ok := d.isTable(path, v)
	if !ok {
		return nil
	}
	for i := 1; i <= t.Len(); i++ {
		out = append(out, d.number(path, t.RawGetInt(i)))
	}
	return out
}
