package luabind

import (
	"math"
	"strings"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// settings reads the plain values of a class.
type settings struct{ *reader }

func (d settings) order(key string, v lua.LValue) {
	n := d.number([]string{key}, v)
	if n != math.Trunc(n) || math.Abs(n) > 1e6 {
		d.fail([]string{key}, "%s.order must be a whole number from -1000000 to 1000000", d.class().Name)
		return
	}
	d.class().Order = int32(n)
}

// LookShapes returns the shapes that look can name; body is the shape of the
// body.
func LookShapes() []string {
	return []string{"arrow", "body", "circle", "diamond", "hexagon", "ship", "square", "star", "triangle"}
}

func (d settings) look(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	d.keys([]string{key}, t, []string{"bar", "color", "label", "shape"})
	for _, part := range []struct {
		name string
		to   *string
	}{{"bar", &d.class().Look.Bar}, {"color", &d.class().Look.Color}, {"label", &d.class().Look.Label}, {"shape", &d.class().Look.Shape}} {
		if v := t.RawGetString(part.name); v != lua.LNil {
			*part.to = d.text([]string{key, part.name}, v)
		}
	}
	d.class().Look.LabelParts(func(_, name string) {
		if name == "" {
			return
		}
		if f := d.shown([]string{key, "label"}, name); f != nil && f.Kind != world.Number && f.Kind != world.Bool && f.Kind != world.String {
			d.fail([]string{key, "label"}, "%s.look.label: {%s} is not a number, string or boolean", d.class().Name, name)
		}
	})
	if name := d.class().Look.Bar; name != "" {
		if f := d.shown([]string{key, "bar"}, name); f != nil && (f.Kind != world.Number || !(f.Min < f.Max)) {
			d.fail([]string{key, "bar"}, "%s.look.bar: %s is not a number with a range: declare it as %s = { \"number\", min = 0, max = 100 }", d.class().Name, name, name)
		}
	}
}

// shown returns the field that look names. It reports a problem and returns nil
// if there is none.
func (d settings) shown(path []string, name string) *world.Field {
	f, ok := d.class().Field(name)
	if !ok {
		names := fieldNames(d.class())
		hint := "it has no fields"
		if len(names) > 0 {
			hint = "there are " + strings.Join(ident.NearestFirst(name, names), ", ")
		}
		d.fail(path, "%s.%s: there is no field %s; %s", d.class().Name, strings.Join(path, "."), name, hint)
		return nil
	}
	return f
}

// lod reads the level of detail of the class.
func (d settings) lod(key string, v lua.LValue) {
	levels := [...]world.LOD{world.Predict, world.Interpolate, world.Extrapolate}
	s := d.text([]string{key}, v)
	for _, l := range levels {
		if s == l.String() {
			d.class().LOD = l
			return
		}
	}
	if s != "" {
		d.fail([]string{key}, "%s.lod = %q: must be \"predict\", \"interpolate\" or \"extrapolate\"", d.class().Name, s)
	}
}

// reach reads range: the distance up to which clients receive objects of the class.
func (d settings) reach(key string, v lua.LValue) {
	n := d.number([]string{key}, v)
	if !(n > 0 && n <= world.MaxRange) {
		d.fail([]string{key}, "%s.range must be a distance in metres, above 0 and at most %g", d.class().Name, world.MaxRange)
		return
	}
	d.class().Range = n
}

// correct reads how far an object may be wrong on its player's client before the host corrects it.
func (d settings) correct(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	if d.class().Body == nil {
		d.fail([]string{key}, "%s.correct: the host corrects where objects are and how they move; the class needs a body", d.class().Name)
		return
	}
	d.keys([]string{key}, t, []string{"angle", "angular_velocity", "position", "velocity"})
	rules := world.CorrectRules{Position: -1, Angle: -1, Velocity: -1, AngularVelocity: -1} // the game's
	for _, part := range []struct {
		name string
		to   *float64
		most float64
		unit string
	}{{"position", &rules.Position, 1e5, "m"}, {"angle", &rules.Angle, math.Pi, "radians"},
		{"velocity", &rules.Velocity, 1000, "m/s"}, {"angular_velocity", &rules.AngularVelocity, 1000, "rad/s"}} {
		v := t.RawGetString(part.name)
		if v == lua.LNil {
			continue
		}
		path := []string{key, part.name}
		if *part.to = d.number(path, v); !(*part.to >= 0 && *part.to <= part.most) {
			d.fail(path, "%s.correct.%s must be 0 to %.6g %s", d.class().Name, part.name, part.most, part.unit)
		}
	}
	d.class().Correct = &rules
}

func (d settings) hidden(key string, v lua.LValue) { d.class().Hidden = d.boolean([]string{key}, v) }

// seen reads whether asSeen shows objects of the class where they were.
func (d settings) seen(key string, v lua.LValue) { d.class().Seen = d.boolean([]string{key}, v) }
