package luabind

import (
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	lua "github.com/yuin/gopher-lua"
)

// View is the view.lua of a game, which turns cues into effects, and describes what is shown over the game.
// It does not affect the simulation.
type View struct {
	vm      *VM
	w       *world.World                         // stands for the world: print goes there
	rate    float64                              // ticks a second
	hooks   [viewHooks]map[string]*lua.LFunction // by the names of cues
	showing bool
	shown   []Effect
	hud     hud
	memory  memory
	tiles   tileMaps
}

// ViewHook is the kind of change of a cue for which view.lua has a function.
type ViewHook uint8

// The hooks of a View.
const (
	OnCue ViewHook = iota
	OnCueMoved
	OnCueCancelled
	viewHooks
)

// String returns the name of the hook in view.lua.
func (h ViewHook) String() string { return [...]string{"onCue", "onCueMoved", "onCueCancelled"}[h] }

// Effect is a visible or audible effect of short duration.
type Effect struct {
	// Kind is flash (a ring that grows and fades), text (words that rise), burst (particles), shake (of the
	// camera), sound (a tone), rumble (of a pad or a phone) or instantReplay.
	Kind string  `json:"kind"`
	X    float64 `json:"x"` // metres
	Y    float64 `json:"y"` // metres
	// metres: how wide the ring gets, how high the letters are, how far particles fly, how far the camera shakes
	Size  float64 `json:"size"`
	MS    float64 `json:"ms"`              // how long it lasts, in milliseconds
	Color string  `json:"color,omitempty"` // as CSS writes it
	Text  string  `json:"text,omitempty"`  // the words of a text
	Count float64 `json:"n,omitempty"`     // of a burst: particles
	// Of a sound.
	Wave   string  `json:"wave,omitempty"`   // sine, triangle, square, sawtooth or noise
	Freq   float64 `json:"freq,omitempty"`   // Hz
	Volume float64 `json:"volume,omitempty"` // 0 to 1; of a rumble: how strong it is
	File   string  `json:"file,omitempty"`   // the name of an asset, in the place of a wave
	Placed bool    `json:"placed,omitempty"` // it comes from X, Y; otherwise from everywhere
	Replay *Replay `json:"replay,omitempty"` // of an instantReplay
}

// Replay is what an instant replay shows: what the page has drawn, once more.
type Replay struct {
	Seconds float64 `json:"seconds"` // how much of it
	Speed   float64 `json:"speed"`   // 1: as fast as it was
	// the object that the camera follows; "": the camera does what it does otherwise
	Focus string `json:"focus,omitempty"`
}

// Waves returns the waveforms of a sound.
func Waves() []string { return slices.Clone(waves) }

// waves are the waveforms of a sound.
var waves = []string{"noise", "sawtooth", "sine", "square", "triangle"}

// soundEnds are the ends of the names of sounds.
var soundEnds = []string{".mp3", ".ogg", ".wav"}

// Limits of effects.
const (
	MaxEffects = 32 // of one cue
	// ViewInstructions is the limit of a function for one cue. It runs between
	// two rendered frames.
	ViewInstructions = 10_000
	maxEffectMS      = 5000
	maxParticles     = 200 // of a burst
	maxReplay        = 8   // seconds
	maxShake         = 3   // metres
	maxColorSize     = 32
)

// isColor reports whether what a page shows may have a colour.
func isColor(text string) bool {
	return len(text) <= maxColorSize && !strings.Contains(text, "{") && api.IsColor(text)
}

// rxObject matches the id of an object.
var rxObject = regexp.MustCompile(`^[0-9a-f]{1,16}$`)

// NewView loads the view.lua among the files of a bundle. It returns nil if
// there is none. print is called with each line that view.lua prints, with file
// and line; it may be nil. The error joins every problem, each a *world.ScriptError.
func NewView(files []world.Source, setup world.Setup, print func(line string)) (*View, error) {
	i := slices.IndexFunc(files, func(f world.Source) bool { return f.Name == api.ViewFile })
	if i < 0 {
		return nil, nil
	}
	if errs := syntax.CheckSources(withModules(files[i:i+1], files)); len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	v := &View{rate: float64(setup.TickRate)}
	v.forget()
	var own []extra
	for h := range viewHooks {
		own = append(own, extra{entry{h.String(), v.register(h)}, true})
	}
	own = append(own, v.hud.entries()...)
	own = append(own, v.memory.entries()...)
	own = append(own, extra{entry{"tiles", v.tiles.declare}, true})
	for _, e := range []entry{{"flash", v.effect("flash", 1, 300)}, {"text", v.text}, {"sound", v.sound},
		{"burst", v.burst}, {"shake", v.shake}, {"rumble", v.rumble}, {"instantReplay", v.instantReplay}} {
		own = append(own, extra{entry: e})
	}
	bare := world.Setup{TickRate: 60, Substeps: 1, Width: setup.Width, Height: setup.Height}
	p, errs := compileAs(dialect{
		anyField: true,
		extra:    own,
		all:      sourceNames(files),
		work:     syntax.NewWork(syntax.MostViewWork),
	}, withModules(files[i:i+1], files), bare, map[string]bool{})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	if line, any := p.declares(); any {
		return nil, syntax.Problem(api.ViewFile, line,
			"%s cannot declare classes: it cannot reach the simulation", api.ViewFile)
	}
	v.forget() // compiling has run the file once
	v.w = world.New()
	v.use(p.NewVM())
	if print != nil {
		v.w.Print = func(_ world.Tick, _ world.ObjectID, line string) { print(line) }
	}
	return v, nil
}

// text implements text { ... }, which is an effect of a cue or a widget.
func (v *View) text(L call) int {
	if v.hud.building() {
		return v.hud.add("text")(L)
	}
	return v.effect("text", 0.6, 1200)(L)
}

// renew makes a new interpreter after one that failed.
func (v *View) renew() {
	kept := v.memory
	v.forget()
	v.use(v.vm.again())
	v.memory.takeOver(&kept)
}

// TakeOver takes over what another View has kept, with keep, under names that this one keeps, too. The program
// that shows a match calls it when the scripts have changed. before may be nil.
func (v *View) TakeOver(before *View) {
	if v != nil && before != nil {
		v.memory.takeOver(&before.memory)
	}
}

// use makes an interpreter, which has run the file, that of the functions. It sees no world.
func (v *View) use(vm *VM) {
	v.vm = vm
	vm.hideWorld(v.w, inView)
	functions := v.hud.functions()
	for h := range v.hooks {
		for _, name := range ident.Keys(v.hooks[h]) {
			functions = append(functions, v.hooks[h][name])
		}
	}
	vm.freezeCaptured(functions)
}

func (v *View) forget() {
	v.hud.forget()
	v.memory.forget()
	v.tiles.forget()
	for h := range v.hooks {
		v.hooks[h] = map[string]*lua.LFunction{}
	}
}

// register implements onCue(name, function(c) ... end) and the like.
func (v *View) register(h ViewHook) func(call) int {
	return func(L call) int {
		name := L.text(1, h.String()+": the cue's name")
		fn, ok := L.Get(2).(*lua.LFunction)
		switch {
		case !ok:
			L.RaiseError("%s: the second argument must be a function: %s(%q, function(c) ... end)", h, h, name)
		case v.hooks[h][name] != nil:
			L.RaiseError("%s: a function for %q is already declared", h, name)
		}
		v.hooks[h][name] = fn
		return 0
	}
}

// effect implements flash { x =, y =, ... } and the like.
func (v *View) effect(kind string, size, ms float64) func(call) int {
	return func(L call) int {
		e := Effect{Kind: kind, Size: size, MS: ms}
		v.read(L, &e)
		v.shown = append(v.shown, e)
		return 0
	}
}

// sound implements sound { wave =, freq =, ... }.
func (v *View) sound(L call) int {
	e := Effect{Kind: "sound", MS: 120, Wave: "sine", Freq: 440, Volume: 0.3}
	v.read(L, &e)
	if e.File != "" && L.table(1, "sound").RawGetString("volume") == lua.LNil {
		e.Volume = 1
	}
	v.shown = append(v.shown, e)
	return 0
}

// burst implements burst { x =, y =, n =, ... }.
func (v *View) burst(L call) int {
	e := Effect{Kind: "burst", Size: 3, MS: 600, Count: 24}
	v.read(L, &e)
	e.Count = math.Floor(e.Count)
	v.shown = append(v.shown, e)
	return 0
}

// shake implements shake { 0.6, ms = 300 }.
func (v *View) shake(L call) int {
	e := Effect{Kind: "shake", Size: 0.3, MS: 250}
	v.read(L, &e)
	v.shown = append(v.shown, e)
	return 0
}

// rumble implements rumble { 0.5, ms = 120 }.
func (v *View) rumble(L call) int {
	e := Effect{Kind: "rumble", MS: 120, Volume: 0.5}
	v.read(L, &e)
	v.shown = append(v.shown, e)
	return 0
}

// instantReplay implements instantReplay { seconds = 4, speed = 0.5, focus = object }.
func (v *View) instantReplay(L call) int {
	e := Effect{Kind: "instantReplay", Replay: &Replay{Seconds: 4, Speed: 0.5}}
	v.read(L, &e)
	v.shown = append(v.shown, e)
	return 0
}

// read reads the argument of an effect.
func (v *View) read(L call, e *Effect) {
	if !v.showing {
		L.RaiseError("%s can be called only in a function of %s", e.Kind, OnCue)
	}
	t := L.table(1, e.Kind+": the argument")
	if len(v.shown) == MaxEffects {
		L.RaiseError("%s: a cue has at most %d effects", e.Kind, MaxEffects)
	}
	L.charge(cueCost)
	for _, k := range keysOf(L, t) {
		value := valueAt(t, k)
		if o, ok := value.(*lua.LTable); ok && toText(k) == "focus" { // an object of a frame, which a cue has the id of
			value = o.RawGetString("id")
		}
		e.set(L, toText(k), value)
	}
	numbers, _ := e.keys()
	// order: they are independent
	for key, n := range numbers {
		if r, ok := EffectRange(e.Kind, key); ok {
			*n = min(max(*n, r[0]), r[1])
		}
	}
}

// EffectRange returns the least and the most of a number that an effect is given; a value without a key is "1". What
// is beyond them is shown as they are. ok is false for others.
func EffectRange(effect, key string) (least [2]float64, ok bool) {
	if key == "ms" {
		effect = ""
	}
	least, ok = effectRanges[effect+"."+key]
	return least, ok
}

// effectRanges are the least and the most of numbers that effects are given, by effect and key.
var effectRanges = map[string][2]float64{
	".ms": {20, maxEffectMS}, "flash.size": {0.05, 50}, "text.size": {0.05, 50}, "burst.size": {0.05, 50},
	"burst.n": {1, maxParticles}, "sound.freq": {20, 16_000}, "sound.volume": {0, 1}, "rumble.1": {0, 1},
	"shake.1": {0, maxShake}, "instantReplay.seconds": {0.5, maxReplay}, "instantReplay.speed": {0.1, 2},
}

// Effects returns the names of the effects, which only functions for cues can show. A text is one, too, but also a
// widget.
func Effects() []string {
	return []string{"burst", "flash", "instantReplay", "rumble", "shake", "sound"}
}

// keys returns the keys of the effect, and where their values are stored.
func (e *Effect) keys() (numbers map[string]*float64, words map[string]*string) {
	switch e.Kind {
	case "sound":
		return map[string]*float64{"freq": &e.Freq, "ms": &e.MS, "volume": &e.Volume, "x": &e.X, "y": &e.Y},
			map[string]*string{"file": &e.File, "wave": &e.Wave}
	case "burst":
		return map[string]*float64{"x": &e.X, "y": &e.Y, "size": &e.Size, "ms": &e.MS, "n": &e.Count},
			map[string]*string{"color": &e.Color}
	case "shake":
		return map[string]*float64{"1": &e.Size, "ms": &e.MS}, nil
	case "rumble":
		return map[string]*float64{"1": &e.Volume, "ms": &e.MS}, nil
	case "instantReplay":
		return map[string]*float64{"seconds": &e.Replay.Seconds, "speed": &e.Replay.Speed},
			map[string]*string{"focus": &e.Replay.Focus}
	}
	numbers = map[string]*float64{"x": &e.X, "y": &e.Y, "size": &e.Size, "ms": &e.MS}
	words = map[string]*string{"color": &e.Color}
	if e.Kind == "text" {
		words["text"] = &e.Text
	}
	return numbers, words
}

// set reads one key of the effect.
func (e *Effect) set(L call, key string, value lua.LValue) {
	numbers, words := e.keys()
	number, word := numbers[key], words[key]
	n, isNumber := value.(lua.LNumber)
	text, isText := value.(lua.LString)
	switch {
	case number == nil && word == nil:
		names := append(ident.Keys(numbers), ident.Keys(words)...)
		slices.Sort(names)
		L.RaiseError("%s has no %s; there are %s", e.Kind, key, world.Listed(names))
	case number != nil && (!isNumber || n-n != 0):
		L.RaiseError("%s: %s must be a number, not %s", e.Kind, key, toText(value))
	case number != nil:
		*number = float64(n)
		e.Placed = e.Placed || e.Kind == "sound" && (number == &e.X || number == &e.Y)
	case !isText:
		L.RaiseError("%s: %s must be a string, not %s", e.Kind, key, aTypeName(value))
	case key == "color" && !isColor(string(text)):
		L.RaiseError("%s: %q is not a color: write #f90 or orange", e.Kind, string(text))
	case key == "file" && !slices.Contains(soundEnds, path.Ext(string(text))):
		L.RaiseError("sound: file = %q: must end in .mp3, .ogg or .wav", string(text))
	case key == "wave" && !slices.Contains(waves, string(text)):
		L.RaiseError("%s: wave must be one of %v, not %q", e.Kind, waves, string(text))
	case key == "focus" && !rxObject.MatchString(string(text)):
		L.RaiseError("%s: focus must be an object, such as c.object, not %q", e.Kind, string(text))
	case len(text) > world.MaxCueText:
		L.RaiseError("%s: %s has %d bytes: at most %d", e.Kind, key, len(text), world.MaxCueText)
	default:
		*word = string(text)
	}
}

// Showing is what view.lua finds in a cue besides its content.
type Showing struct {
	Mine bool          // the object that emitted the cue belongs to the viewing player
	Age  time.Duration // how long before the moment shown the cue happened
}

// Show runs the function for a cue. ok is false if view.lua has no such
// function. The error is a *world.ScriptError.
func (v *View) Show(h ViewHook, c *world.Cue, s Showing) (effects []Effect, ok bool, err error) {
	fn := v.hooks[h][c.Name]
	if fn == nil {
		return nil, false, nil
	}
	v.shown, v.showing = nil, true
	defer func() { v.showing = false }()
	_, problem, lost := v.vm.runAlone(fn, viewAllowance, v.cueTable(c, s))
	if lost {
		v.renew()
	}
	if problem != nil {
		if problem.Budget { // of which function
			problem.Message = strings.Replace(problem.Message, viewAllowance.what, fmt.Sprintf("%s of %s(%q)",
				viewAllowance.what, h, c.Name), 1)
		}
		return v.shown, true, problem
	}
	return v.shown, true, v.memory.check()
}

// Ring returns the effect of a cue that view.lua has no function for: a ring,
// if the cue has a position.
func Ring(c *world.Cue) []Effect {
	e := Effect{Kind: "flash", Size: 1, MS: 300}
	has := func(name string, to *float64) bool {
		i := slices.IndexFunc(c.Fields, func(f world.CueField) bool { return f.Name == name && f.Kind == world.Number })
		if i >= 0 {
			*to = c.Fields[i].Number
		}
		return i >= 0
	}
	if !has("x", &e.X) || !has("y", &e.Y) {
		return nil
	}
	return []Effect{e}
}

// cueTable makes the argument of a function for a cue.
func (v *View) cueTable(c *world.Cue, s Showing) *lua.LTable {
	t := v.vm.newTable(len(c.Fields) + len(cueReserved) + 1)
	addCueFields(t, c)
	t.RawSetString("name", lua.LString(c.Name))
	t.RawSetString("object", lua.LString(c.Object.String()))
	t.RawSetString("mine", lua.LBool(s.Mine))
	t.RawSetString("age", lua.LNumber(s.Age.Seconds()))
	if c.Lasts > 0 {
		t.RawSetString("lasts", lua.LNumber(float64(c.Lasts)/v.rate))
	}
	v.vm.freeze(t)
	return t
}

// addCueFields adds what a cue carries to a table.
func addCueFields(t *lua.LTable, c *world.Cue) {
	for i := range c.Fields {
		switch f := &c.Fields[i]; f.Kind {
		case world.Bool:
			t.RawSetString(f.Name, lua.LBool(f.Number != 0))
		case world.String:
			t.RawSetString(f.Name, lua.LString(f.Text))
		default:
			t.RawSetString(f.Name, lua.LNumber(f.Number))
		}
	}
}
