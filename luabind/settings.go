package luabind

import (
	"math"
	"path"
	"slices"
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
	d.keys([]string{key}, t,
		[]string{"bar", "color", "fps", "frame", "frames", "h", "image", "label", "layer", "shape", "trail", "w"})
	for _, part := range []struct {
		name string
		to   *string
	}{{"bar", &d.class().Look.Bar}, {"color", &d.class().Look.Color}, {"frame", &d.class().Look.Frame},
		{"image", &d.class().Look.Image}, {"label", &d.class().Look.Label}, {"shape", &d.class().Look.Shape}} {
		if v := t.RawGetString(part.name); v != lua.LNil {
			*part.to = d.text([]string{key, part.name}, v)
		}
	}
	for _, part := range [...][2]string{{"color", d.class().Look.Color}, {"image", d.class().Look.Image},
		{"shape", d.class().Look.Shape}} {
		name, text := part[0], part[1]
		if field := world.LookField(text); field != "" {
			if f := d.shown([]string{key, name}, field); f != nil && f.Kind != world.String {
				d.fail([]string{key, name}, "%s.look.%s: {%s} is not a string: declare it as %s = str(16)",
					d.class().Name, name, field, field)
			}
		}
	}
	d.class().Look.LabelParts(func(_, name string) {
		if name == "" {
			return
		}
		if f := d.shown([]string{key, "label"}, name); f != nil && f.Kind != world.Number && f.Kind != world.Bool &&
			f.Kind != world.String {
			d.fail([]string{key, "label"}, "%s.look.label: {%s} is not a number, string or boolean", d.class().Name,
				name)
		}
	})
	d.sprite(key, t)
	readDepth(d, key, t)
	if name := d.class().Look.Bar; name != "" {
		if f := d.shown([]string{key, "bar"}, name); f != nil && (f.Kind != world.Number || !(f.Min < f.Max)) {
			d.fail([]string{key, "bar"},
				"%s.look.bar: %s is not a number with a range: declare it as %s = { \"number\", min = 0, max = 100 }",
				d.class().Name, name, name)
		}
	}
}

// maxTail is the longest line behind an object, in seconds.
const maxTail = 2

// readDepth reads what look says besides the object itself: its layer, and the line behind it.
func readDepth(d settings, key string, t *lua.LTable) {
	if v := t.RawGetString("layer"); v != lua.LNil {
		n, ok := v.(lua.LNumber)
		if !ok || !(n >= -100 && n <= 100) {
			d.fail([]string{key, "layer"}, "%s.look.layer must be a number from -100 to 100", d.class().Name)
			return
		}
		d.class().Look.Layer = float64(n)
	}
	switch v := t.RawGetString("trail").(type) {
	case *lua.LNilType:
	case lua.LBool:
		if d.class().Look.Tail = 0.5; !v {
			d.class().Look.Tail = -1
		}
	case lua.LNumber:
		d.class().Look.Tail = float64(v)
		if !(v > 0 && v <= maxTail) {
			d.fail([]string{key, "trail"}, "%s.look.trail must be more than 0 and at most %d seconds",
				d.class().Name, maxTail)
		}
	default:
		d.fail([]string{key, "trail"}, "%s.look.trail must be true, false or a number of seconds", d.class().Name)
	}
}

// sprite reads the image of look.
func (d settings) sprite(key string, t *lua.LTable) {
	s := &d.class().Look.Sprite
	frames := 1.0
	for _, part := range []struct {
		name     string
		to       *float64
		from, up float64
	}{{"w", &s.W, 0, world.MaxSprite}, {"h", &s.H, 0, world.MaxSprite}, {"fps", &s.FPS, 0, 60},
		{"frames", &frames, 1, world.MaxFrames}} {
		v := t.RawGetString(part.name)
		if v == lua.LNil {
			continue
		}
		if *part.to = d.number([]string{key, part.name}, v); !(*part.to >= part.from && *part.to <= part.up) {
			d.fail([]string{key, part.name}, "%s.look.%s must be %g to %g", d.class().Name, part.name, part.from,
				part.up)
		}
	}
	s.Frames = int(frames)
	if s.Frames == 1 {
		s.Frames = 0
	}
	if f := s.Frame; f != "" {
		if f := d.shown([]string{key, "frame"}, f); f != nil && f.Kind != world.Number {
			d.fail([]string{key, "frame"}, "%s.look.frame: %s is not a number", d.class().Name, s.Frame)
		}
	}
	if s.Image == "" && *s != (world.Sprite{}) {
		d.fail([]string{key}, "%s.look has no image: w, h, frames, fps and frame are about image = \"ship.png\"",
			d.class().Name)
	}
	if name := s.Image; name != "" && world.LookField(name) == "" && !slices.Contains(imageEnds, path.Ext(name)) {
		d.fail([]string{key, "image"}, "%s.look.image = %q: must end in .png, .webp or .svg", d.class().Name, name)
	}
}

// imageEnds are the ends of the names of images.
var imageEnds = []string{".png", ".svg", ".webp"}

// shown returns the field that look names. It reports a problem and returns nil
// if there is none, and only the latter if what declares it is refused.
func (d settings) shown(path []string, name string) *world.Field {
	f, ok := d.class().Field(name)
	if d.wrong[name] {
		return nil
	}
	if !ok {
		var names []string
		for _, f := range d.class().Declared() {
			part, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "#"), ".")
			switch {
			case part == name:
				d.fail(path, "%s.%s: %s is a list or a record, of which nothing is shown there: keep what is shown in a field of "+
					"its own", d.class().Name, strings.Join(path, "."), name)
				return nil
			case f.List == 0 && part == f.Name:
				names = append(names, f.Name)
			}
		}
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

// reach reads range, the distance up to which clients receive objects of the class, or predict_range.
func (d settings) reach(key string, v lua.LValue) {
	n := d.number([]string{key}, v)
	if !(n > 0 && n <= world.MaxRange) {
		d.fail([]string{key}, "%s.%s must be a distance in metres, above 0 and at most %g", d.class().Name, key,
			world.MaxRange)
		return
	}
	if key == "predict_range" {
		d.class().Ranges.Predicted = n
		return
	}
	d.class().Ranges.Relevant = n
}

// correct reads how far an object may be wrong on its player's client before the host corrects it.
func (d settings) correct(key string, v lua.LValue) {
	t, ok := d.isTable([]string{key}, v)
	if !ok {
		return
	}
	if d.class().Body == nil {
		d.fail([]string{key},
			"%s.correct: the host corrects where objects are and how they move; the class needs a body",
			d.class().Name)
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

func (d settings) hidden(key string, v lua.LValue) {
	d.class().Ranges.Hidden = d.boolean([]string{key}, v)
}

// seen reads whether asSeen shows objects of the class where the player's screen showed them, and how
// far from where the host had them.
func (d settings) seen(key string, v lua.LValue) {
	t, isTable := v.(*lua.LTable)
	if !isTable {
		if d.boolean([]string{key}, v) {
			d.class().Seen = &world.SeenRules{}
		}
		return
	}
	d.keys([]string{key}, t, []string{"within"})
	rules, path := world.SeenRules{}, []string{key, "within"}
	if v := t.RawGetString("within"); v != lua.LNil {
		if rules.Within = d.number(path, v); !(rules.Within > 0 && rules.Within <= world.MaxSeenWithin) {
			d.fail(path, "%s.seen.within must be a distance in metres, above 0 and at most %g", d.class().Name,
				float64(world.MaxSeenWithin))
		}
	}
	d.class().Seen = &rules
}
