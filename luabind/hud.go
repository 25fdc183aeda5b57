package luabind

import (
	"fmt"
	"math"
	"path"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/world"
)

// Limits of a HUD.
const (
	// HUDInstructions is the limit of each of the functions of hud and camera, for one frame.
	HUDInstructions = 20_000
	MaxWidgets      = 256 // of a HUD
	maxHUDText      = 16 << 10
	maxWidgetDepth  = 8
	widgetCost      = 30 // instructions
)

var (
	hudAllowance    = &allowance{"the function of hud", HUDInstructions, HookMemory}
	cameraAllowance = &allowance{"the function of camera", HUDInstructions, HookMemory}
)

// HUD is what view.lua shows over the game: widgets, and where the camera looks.
type HUD struct {
	Widgets []*Widget `json:"widgets"`
	Camera  *Camera   `json:"camera,omitempty"` // nil: the page decides
	Scores  *Scores   `json:"scores,omitempty"` // nil: the page lists the players
	Font    string    `json:"font,omitempty"`   // the name of an asset, for all texts; "": the page's own

	Cost HUDCost `json:"-"`
}

// HUDCost is how many instructions the functions took that made a HUD, each of HUDInstructions.
type HUDCost struct{ HUD, Camera int }

// Widget is one part of a HUD. Which fields count depends on its kind.
type Widget struct {
	Kind  string    `json:"kind"`            // text, bar, row, column, tag, arrow, minimap, lines or banner
	ID    string    `json:"id,omitempty"`    // what the script calls it; the page keeps a widget of the same name
	At    string    `json:"at,omitempty"`    // the place in the window: top, bottomLeft and so on
	On    string    `json:"on,omitempty"`    // the object that it is drawn at, or points to
	Text  string    `json:"text,omitempty"`  //
	Color string    `json:"color,omitempty"` // as CSS writes it
	Value float64   `json:"value,omitempty"` // of a bar; of lines: how many of the first ones fade out
	Most  float64   `json:"most,omitempty"`  // of a bar: the value of a full one
	Away  []float64 `json:"away,omitempty"`  // x, y from the object, in metres
	Size  float64   `json:"size,omitempty"`  // CSS pixels
	Gap   float64   `json:"gap,omitempty"`   // CSS pixels between items; of an arrow: from the border of the window
	Blink bool      `json:"blink,omitempty"` //
	Ring  bool      `json:"ring,omitempty"`  // of a tag: a ring around the object
	// of lines; of a minimap: the classes that it shows; of a banner: the text below its own
	Lines []string  `json:"lines,omitempty"`
	Items []*Widget `json:"items,omitempty"` // of a row or a column
}

// Camera is where the camera of the page looks. Without objects to follow, it shows the arena.
type Camera struct {
	Follow []string  `json:"follow"` // objects
	Shares []float64 `json:"shares"` // how much each counts for the centre: they add up to 1
	// metres that the shorter side of the window shows: least and most; none: the arena
	Zoom   []float64 `json:"zoom"`
	Ahead  float64   `json:"ahead,omitempty"` // seconds of the movement of the first object that the camera looks ahead
	Ease   float64   `json:"ease,omitempty"`  // seconds until it has covered most of a way
	Inside bool      `json:"inside"`          // it shows nothing outside the arena
}

// Frame is what view.lua can read of the frame that is drawn. It is valid during the call.
type Frame struct {
	Now       float64 // seconds of the match
	Level     string  // the name of the level in force
	Player    world.PlayerID
	Match     world.FieldReader // at the present
	Committed world.FieldReader // that cannot change any more
	Objects   []FrameObject
	Players   []FramePlayer
	// Schema is that of the scripts in force: view.lua may not read names that it does not declare, and knows its teams.
	// Without one, it reads nil.
	Schema *world.Schema
}

// FrameObject is an object with a body, as it is drawn.
type FrameObject struct {
	ID     world.ObjectID
	Class  *world.Class // as scripts declare it
	Owner  world.PlayerID
	X, Y   float64 // metres
	Angle  float64 // radians
	Fields world.FieldReader
}

// FramePlayer is a player who is present.
type FramePlayer struct {
	ID    world.PlayerID
	Name  string            // as they joined with, or have answered
	Ping  int               // ms of round trip between the host and the player; 0: not known
	Stats world.FieldReader // the fields that player { ... } declares; not Known without any
}

// hud is the part of view.lua that describes the HUD.
type hud struct {
	draw, look *lua.LFunction // hud and camera
	board      *scoreboard    // nil: none is declared
	font       hudFont
	frame      *Frame      // while they run
	table      *lua.LTable // the argument of both, once it is made
	objects    map[int]*lua.LTable
	names      frameNames
	open       []*[]*Widget // the lists that widgets are added to, the innermost last
	widgets    int
	text       int // bytes
}

// forget forgets the functions, before the file runs in another interpreter.
func (h *hud) forget() {
	h.draw, h.look, h.board, h.font = nil, nil, nil, ""
}

// functions returns those of hud and camera that the file declares.
func (h *hud) functions() (list []*lua.LFunction) {
	for _, fn := range []*lua.LFunction{h.draw, h.look} {
		if fn != nil {
			list = append(list, fn)
		}
	}
	return list
}

// begin begins a frame.
func (h *hud) begin(f *Frame) {
	h.frame, h.table, h.objects, h.widgets, h.text, h.open = f, nil, map[int]*lua.LTable{}, 0, 0, nil
}

// entries returns the functions that view.lua has for a HUD, except text.
func (h *hud) entries() []extra {
	list := []extra{
		{entry{"hud", h.register("hud", &h.draw)}, true},
		{entry{"camera", h.register("camera", &h.look)}, true},
		{entry{"scoreboard", h.scoreboard}, true},
		{entry{"font", h.font.declare}, true},
	}
	for _, kind := range ident.Keys(widgetKeys()) {
		if kind != "text" {
			list = append(list, extra{entry: entry{kind, h.add(kind)}})
		}
	}
	return list
}

// scoreboard implements scoreboard { ... }.
func (h *hud) scoreboard(L call) int {
	if h.board != nil {
		L.RaiseError("scoreboard is declared already")
	}
	h.board = &scoreboard{}
	h.board.declare(L)
	return 0
}

// building reports whether the function of hud runs.
func (h *hud) building() bool { return len(h.open) > 0 }

// register implements hud(f) and camera(f).
func (h *hud) register(name string, to **lua.LFunction) func(call) int {
	return func(L call) int {
		fn, ok := L.Get(1).(*lua.LFunction)
		switch {
		case !ok:
			L.RaiseError("%s: the argument must be a function: %s(function(v) ... end)", name, name)
		case *to != nil:
			L.RaiseError("%s: a function is already declared", name)
		}
		*to = fn
		return 0
	}
}

// WidgetPlaces returns where a widget may be put.
func WidgetPlaces() []string { return slices.Clone(widgetPlaces) }

// widgetPlaces are where a widget may be put.
var widgetPlaces = []string{"bottom", "bottomLeft", "bottomRight", "center", "left", "right", "top", "topLeft",
	"topRight"}

// Widgets returns the names of the widgets that only the function of hud can show, sorted.
func Widgets() []string {
	return slices.DeleteFunc(ident.Keys(widgetKeys()), func(name string) bool { return name == "text" })
}

// WidgetRange returns the least and the most of a number that a widget is given. The page shows what is beyond them as
// they are; a text that is smaller cannot be read. ok is false for others.
func WidgetRange(widget, key string) (least [2]float64, ok bool) {
	switch {
	case key != "size":
	case widget == "minimap":
		return [2]float64{40, 400}, true
	case widget == "text" || widget == "bar" || widget == "lines" || widget == "banner":
		return [2]float64{4, 1000}, true
	}
	return least, false
}

// widgetKeys has the keys of each kind of widget besides at and id.
func widgetKeys() map[string][]string {
	return map[string][]string{
		"text":    {"blink", "color", "size"},
		"bar":     {"color", "dx", "dy", "hide", "most", "on", "size", "text", "value"},
		"row":     {"gap"},
		"column":  {"gap"},
		"tag":     {"color", "on", "ring", "text"},
		"arrow":   {"color", "edge", "to"},
		"minimap": {"classes", "size"},
		"lines":   {"color", "fade", "items", "most", "size"},
		"banner":  {"color", "size", "sub"},
	}
}

// add returns the function that adds a widget of a kind.
func (h *hud) add(kind string) func(call) int {
	return func(L call) int {
		if !h.building() {
			L.RaiseError("%s can be called only in the function of hud", kind)
		}
		if h.widgets++; h.widgets > MaxWidgets {
			L.RaiseError("%s: a HUD has at most %d widgets", kind, MaxWidgets)
		}
		L.charge(widgetCost)
		w := &Widget{Kind: kind}
		t := L.table(1, kind+": the argument")
		for _, k := range keysOf(L, t) {
			h.set(L, w, k, valueAt(t, k))
		}
		if hide, ok := t.RawGetString("hide").(lua.LNumber); ok && kind == "bar" && w.Value == float64(hide) {
			return 0
		}
		inner := h.open[len(h.open)-1]
		*inner = append(*inner, w)
		if kind == "row" || kind == "column" {
			h.fill(L, w)
		}
		return 0
	}
}

// fill calls the function that adds the items of a row or a column.
func (h *hud) fill(L call, w *Widget) {
	fn, ok := L.Get(2).(*lua.LFunction)
	if !ok {
		L.RaiseError("%s: the second argument must be a function that adds its items", w.Kind)
	}
	if len(h.open) == maxWidgetDepth {
		L.RaiseError("%s: rows and columns can be %d deep", w.Kind, maxWidgetDepth-1)
	}
	h.open = append(h.open, &w.Items)
	L.Push(fn)
	L.Call(0, 0)
	h.open = h.open[:len(h.open)-1]
}

// set reads one key of a widget.
func (h *hud) set(L call, w *Widget, k, v lua.LValue) {
	key := toText(k)
	if k == lua.LNumber(1) && (w.Kind == "text" || w.Kind == "banner") {
		w.Text = h.words(L, w.Kind, "1", v)
		return
	}
	if key == "id" {
		w.ID = h.words(L, w.Kind, key, v)
		return
	}
	if key == "at" {
		w.At = h.words(L, w.Kind, key, v)
		if !slices.Contains(widgetPlaces, w.At) {
			L.RaiseError("%s: at must be one of %s, not %q", w.Kind, world.Listed(widgetPlaces), w.At)
		}
		return
	}
	if keys := widgetKeys()[w.Kind]; !slices.Contains(keys, key) {
		L.RaiseError("%s has no %s; there are at, id, %s", w.Kind, key, world.Listed(keys))
	}
	numbers := map[string]*float64{"value": &w.Value, "most": &w.Most, "size": &w.Size, "gap": &w.Gap, "edge": &w.Gap}
	flags := map[string]*bool{"blink": &w.Blink, "ring": &w.Ring}
	words := map[string]*string{"text": &w.Text, "color": &w.Color}
	lists := map[string]*[]string{"classes": &w.Lines}
	switch {
	case key == "sub":
		w.Lines = []string{h.words(L, w.Kind, key, v)}
	case key == "items":
		h.lines(L, w, v)
	case key == "fade": // lines reads it
	case key == "hide": // add reads it
		finiteIn(L, w.Kind, key, v)
	case key == "dx" || key == "dy":
		if w.Away == nil {
			w.Away = make([]float64, 2)
		}
		w.Away[key[1]-'x'] = finiteIn(L, w.Kind, key, v)
	case numbers[key] != nil:
		*numbers[key] = finiteIn(L, w.Kind, key, v)
	case flags[key] != nil:
		*flags[key] = lua.LVAsBool(v)
	case words[key] != nil:
		*words[key] = h.words(L, w.Kind, key, v)
		if key == "color" && !isColor(w.Color) {
			L.RaiseError("%s: %q is not a color: write #f90 or orange", w.Kind, w.Color)
		}
	case lists[key] != nil:
		*lists[key] = h.names.withBelow(h.list(L, w.Kind, key, v))
	default: // on, to
		w.On = objectIn(L, w.Kind, key, v)
	}
}

// finiteIn returns a number.
func finiteIn(L call, kind, key string, v lua.LValue) float64 {
	n, ok := v.(lua.LNumber)
	if !ok || math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		L.RaiseError("%s: %s must be a number, not %s", kind, key, toText(v))
	}
	return float64(n)
}

// words returns a text, or a number as a text.
func (h *hud) words(L call, kind, key string, v lua.LValue) string {
	text := ""
	switch v := v.(type) {
	case lua.LString:
		text = string(v)
	case lua.LNumber:
		text = fmt.Sprintf("%.6g", float64(v))
	default:
		L.RaiseError("%s: %s must be a text or a number, not %s", kind, key, aTypeName(v))
	}
	if h.text += len(text); h.text > maxHUDText {
		L.RaiseError("%s: the texts of a HUD have at most %d bytes", kind, maxHUDText)
	}
	return text
}

func (h *hud) list(L call, kind, key string, v lua.LValue) (list []string) {
	t, ok := v.(*lua.LTable)
	if !ok {
		L.RaiseError("%s: %s must be a table, not %s", kind, key, aTypeName(v))
	}
	L.charge(4 * t.Len())
	for i := 1; i <= min(t.Len(), MaxWidgets); i++ {
		list = append(list, h.words(L, kind, key, t.RawGetInt(i)))
	}
	return list
}

// fadeTime is for how long a line fades out, in seconds.
const fadeTime = 0.6

// lines reads the items of lines: texts, numbers, and what push has added.
func (h *hud) lines(L call, w *Widget, v lua.LValue) {
	fade := 0.0 // seconds that a line of push is shown; 0: always
	if seconds := L.table(1, w.Kind).RawGetString("fade"); seconds != lua.LNil {
		fade = finiteIn(L, w.Kind, "fade", seconds)
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		L.RaiseError("%s: items must be a table, not %s", w.Kind, aTypeName(v))
	}
	L.charge(4 * t.Len())
	for i := 1; i <= min(t.Len(), MaxWidgets); i++ {
		item := t.RawGetInt(i)
		if pushed, ok := item.(*lua.LTable); ok {
			item = pushed.RawGetString("text")
			at, _ := pushed.RawGetString("at").(lua.LNumber)
			age := h.frame.Now - float64(at)
			if fade > 0 && (age >= fade || age < -1) { // below: it is of the match before
				continue
			}
			if fade > 0 && age > fade-fadeTime {
				w.Value++
			}
		}
		w.Lines = append(w.Lines, h.words(L, w.Kind, "items", item))
	}
}

// objectIn returns the name of an object, as the page knows it.
func objectIn(L call, kind, key string, v lua.LValue) string {
	switch v := v.(type) {
	case *lua.LTable:
		if id, ok := v.RawGetString("id").(lua.LString); ok {
			return string(id)
		}
	case lua.LString: // a reference
		if _, ok := world.ParseObjectID(string(v)); ok {
			return string(v)
		}
	}
	L.RaiseError("%s: %s must be an object, such as v.me or v.first(\"Ball\"), not %s", kind, key, toText(v))
	return ""
}

// addFields adds the fields of an object to a table. Those of records and lists are left out.
func addFields(t *lua.LTable, r world.FieldReader) {
	if !r.Known() {
		return
	}
	r.All(func(name string, v world.Value) bool {
		if !ident.Valid(name) {
			return true
		}
		t.RawSetString(name, frameValue(v))
		return true
	})
}

// frameValue returns what view.lua finds in a field: of a reference, the id, or nil.
func frameValue(v world.Value) lua.LValue {
	switch {
	case v.Kind != world.Ref:
		return shownValue(v)
	case v.Word == 0:
		return lua.LNil
	}
	return lua.LString(world.ObjectID(v.Word).String())
}

// hudFont is the asset that view.lua declares as the font of the HUD; "": none.
type hudFont string

// declare implements font("title.woff2").
func (f *hudFont) declare(L call) int {
	name := L.text(1, "font: the name of an asset")
	if path.Ext(name) != ".woff2" {
		L.RaiseError("font: %q must end in .woff2", name)
	}
	*f = hudFont(name)
	return 0
}
