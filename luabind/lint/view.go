package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// view is what the files of a game let view.lua read and name.
type view struct {
	game     *class            // the fields of the match
	row      *class            // a player: of v.players()
	any      *class            // an object of a class that is not known
	objects  map[string]*class // by class; nil: they are not known
	emitted  []string          // the names of cues; nil: they are not known
	sent     map[string]*class // what cues contain, by name, as far as it is known
	sides    *cueSides         // what hooks and view.lua name differently
	inHUD    bool              // the function of hud is being walked
	inCue    bool              // the function of a cue is being walked
	inCamera bool              // the function of camera is being walked
}

// checkView returns the findings about view.lua. The other files compile to p, nil if they do not.
// sent are the types of what the hooks of these send in cues, and known is what a walk of them has found out.
// sides are the two sides of the cues.
func checkView(files []world.Source, p *luabind.Program, sent sentFields, known *learned, sides *cueSides) []Finding {
	i := slices.IndexFunc(files, func(f world.Source) bool { return f.Name == api.ViewFile })
	if i < 0 {
		return nil
	}
	tree, err := syntax.Parse(files[i])
	if err != nil {
		return nil
	}
	r := &report{files: files}
	g := newGame(files, p, &report{})
	g.known, g.usedWords = known, sides.words
	v := newView(nil)
	if p != nil {
		v = newView(p.Schema())
	}
	v.emitted = cueNames(api.WithoutView(files))
	v.sides = sides
	v.sent = cueContents(api.WithoutView(files))
	sent.addTo(v.sent)
	for range 2 { // to find out what functions are given, and what variables hold that are assigned to again
		g.learning = newLearnedOfView(tree)
		before := newWalker(g, &report{})
		before.scope.show(v)
		before.file(api.ViewFile, tree)
		g.ofView, g.learning = g.learning, nil
	}
	w := newWalker(g, r)
	w.scope.show(v)
	w.file(api.ViewFile, tree)
	w.viewHooks(tree)
	return r.findings()
}

// What messages call the tables that view.lua is shown.
const (
	anyShown   = "an object"
	aCueCalled = "the cue "
	theMatch   = "the match"
	aPlayer    = "a player of v.players()"
)

// newView returns what view.lua can read of worlds of a schema; nil: that is not known.
func newView(s *world.Schema) *view {
	v := &view{}
	v.any = shownClass(anyShown, "id", "class", "owner", "x", "y", "angle")
	v.game = shownClass(theMatch)
	v.row = shownClass(aPlayer, "id", "name", "mine", "object", "ping")
	v.any.typed(map[string]string{"id": "string", "class": "string", "owner": "number", "x": "number", "y": "number",
		"angle": "number"})
	v.row.typed(map[string]string{"id": "number", "name": "string", "mine": "boolean", "ping": "number"})
	if s == nil {
		v.any.open, v.game.open, v.row.open = true, true, true
		return v
	}
	v.objects = map[string]*class{}
	for i := range s.Classes {
		def := &s.Classes[i]
		names := shownFields(def)
		switch def.Name {
		case world.GameClass:
			v.game.addMembers(names)
			v.game.shows(def)
		case world.PlayerClass:
			v.row.addMembers(names)
			v.row.shows(def)
		default:
			v.objects[def.Name] = shownClass(def.Name, v.any.names()...)
			v.objects[def.Name].addMembers(names)
			v.objects[def.Name].fields = maps.Clone(v.any.fields)
			v.objects[def.Name].shows(def)
		}
	}
	for _, name := range ident.Keys(v.objects) {
		for i := range s.Classes {
			if below := v.objects[s.Classes[i].Name]; below != nil && s.Classes[i].Name != name && s.Classes[i].Is(name) {
				v.objects[name].below = append(v.objects[name].below, below)
			}
		}
	}
	for _, c := range ident.Keys(v.objects) {
		v.any.addMembers(v.objects[c].names())
		v.any.share(v.objects[c])
	}
	return v
}

// shownFields returns the fields of a class that view.lua gets.
func shownFields(def *world.Class) (names []string) {
	for _, f := range def.Declared() {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "#"), ".")
		if ident.Valid(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// typed notes the types of fields.
func (c *class) typed(types map[string]string) {
	for _, name := range ident.Keys(types) {
		c.fields[name] = &part{name: c.name() + "." + name, of: types[name]}
	}
}

// shows notes the types of the fields of a class that view.lua gets.
func (c *class) shows(def *world.Class) {
	loaded := &class{called: c.called, fields: map[string]*part{}}
	loaded.noteParts(def)
	for _, name := range shownFields(def) {
		if _, known := c.fields[name]; !known {
			p := loaded.fields[name]
			p.nameRefs()
			c.fields[name] = p
		}
	}
}

// nameRefs makes references ids: in view.lua they are texts, or nil.
func (p *part) nameRefs() {
	p.ref, p.id = false, p.ref
	// order: each changes alone
	inner := slices.Collect(maps.Values(p.parts))
	if p.item != nil {
		inner = append(inner, p.item)
	}
	for _, q := range inner {
		q.nameRefs()
	}
}

// object returns the class with a name, nil if there is none.
func (v *view) object(name string) *class { return v.objects[name] }

// match, player and anyObject return what these tables have.
func (v *view) match() *class     { return v.game }
func (v *view) player() *class    { return v.row }
func (v *view) anyObject() *class { return v.any }

// cues returns the names of the cues that the game emits; nil: they are not known.
func (v *view) cues() []string { return v.emitted }

// playerFields returns the fields that player { ... } declares, and what else each player has.
func (v *view) playerFields() []string {
	return slices.DeleteFunc(v.row.names(), func(n string) bool { return n == "id" || n == "mine" || n == "object" })
}

// camera notes whether the function of camera is being walked. It returns what was so before.
func (v *view) camera(on bool) (before bool) {
	before, v.inCamera = v.inCamera, on
	return before
}

// isCamera reports whether the function of camera is being walked.
func (v *view) isCamera() bool { return v != nil && v.inCamera }

// shows returns what view.lua is given; nil: another file is walked.
func (s *scope) shows() *view { return s.view }

// show makes view.lua the file that is walked.
func (s *scope) show(v *view) { s.view = v }

// frameFields are the members of v.
var frameFields = []string{"all", "committed", "first", "game", "level", "me", "now", "object", "player", "players"}

// inferShown returns the value of v.game and the like.
func (s *scope) inferShown(of value, name string) value {
	switch {
	case of.Kind == frame && name == "game", of.Kind == committed && name == "game":
		return value{Kind: shown, Class: s.view.match()}
	case of.Kind == frame && (name == "now" || name == "player"):
		return value{Type: "number"}
	case of.Kind == frame && name == "level":
		return value{Type: "string"}
	case of.Kind == frame && slices.Contains(frameFunctions, name):
		return value{Type: "function"}
	case of.Kind == frame && name == "committed":
		return value{Kind: committed}
	case of.Kind == frame && name == "me", of.Kind == shown && of.Class == s.view.player() && name == "object":
		return value{Kind: shown, Class: s.view.anyObject()}
	case (of.Kind == shown || of.Kind == shownCue) && of.Class != nil && of.Class.fields[name] != nil:
		p := of.Class.fields[name]
		if of.Kind == shownCue && name == "object" {
			return value{Type: "string", Field: true, Hint: isAnID}
		}
		return s.valueOf(p)
	case of.Kind == shared, of.Kind == kept, of.Own != nil:
		return s.memberOf(of, name)
	}
	return value{}
}

// isAnID says what view.lua has in the place of a reference.
const isAnID = "it is a text, the id of the object: v.object(id) gives the object"

// inferFound returns the value of v.first("Ball"), v.all("Ball") and v.players().
func (s *scope) inferFound(e *ast.FuncCallExpr) value {
	get, ok := e.Func.(*ast.AttrGetExpr)
	if !ok || s.infer(get.Object).Kind != frame {
		return value{}
	}
	of := s.view.anyObject()
	if name, ok := syntax.TextOf(first(e.Args)); ok && s.view.object(name) != nil {
		of = s.view.object(name)
	}
	switch name, _ := syntax.TextOf(get.Key); name {
	case "first", "object":
		return value{Kind: shown, Class: of}
	case "all":
		return value{Kind: shownList, Class: of}
	case "players":
		return value{Kind: shownList, Class: s.view.player()}
	}
	return value{}
}

// frameFunctions are the functions of v.
var frameFunctions = []string{"all", "first", "object", "players"}

// shownMember checks a field of a table that view.lua is given.
func (k *checks) shownMember(s *scope, v value, name string, line int) {
	switch {
	case v.Kind == frame && !slices.Contains(frameFields, name):
		k.report.say(line, name, or(foreignFrame[name], didYouMean(name, frameFields, "there are "+world.Listed(frameFields))),
			"v has no %s", name)
	case v.Kind == committed && name != "game":
		hint := "it has game alone; write v." + name
		if !slices.Contains(frameFields, name) {
			hint = "write v.committed.game." + name
		}
		k.report.say(line, name, hint, "v.committed has no %s", name)
	case v.Kind == shownCue && !v.Class.has(name):
		known, cue := v.Class.names(), strings.TrimPrefix(v.Class.name(), aCueCalled)
		hint := didYouMean(name, known, "there are "+world.Listed(known))
		if m, isKnown := s.view.sides.hints[cue][name]; isKnown && (len(ident.Nearest(name, known)) == 0 || ident.Nearest(name, known)[0] == m.meant) {
			hint = m.hint("sent")
		}
		if _, said := s.view.sides.fields[cue][name]; !said && !s.view.sides.tables[cue] {
			k.report.say(line, name, hint, "%s has no %s", v.Class.name(), name)
		}
	case v.Kind == shown && !v.Class.has(name) && !slices.ContainsFunc(v.Class.below, func(b *class) bool { return b.has(name) }):
		known := v.Class.names()
		k.report.sayAbout(topic{aMember, v.Class.ofState(), name}, line, name, didYouMean(name, known, shownThere(known)), "%s has no field %s",
			v.Class.name(), name)
	}
}

// ofState returns the name of the class in whose state the fields are that view.lua is shown.
func (c *class) ofState() string {
	switch c.name() {
	case theMatch:
		return world.GameClass
	case aPlayer:
		return world.PlayerClass
	case anyShown:
		return ""
	}
	return c.name()
}

// shownThere lists the fields that view.lua is shown.
func shownThere(known []string) string {
	if len(known) == 0 {
		return "game { state = { ... } } declares what is shown"
	}
	return "there are " + world.Listed(known)
}

// viewCall checks a call in view.lua, and walks the functions that it declares. done reports that nothing of it is left
// to walk.
func (w *walker) viewCall(e *ast.FuncCallExpr) (done bool) {
	if get, ok := e.Func.(*ast.AttrGetExpr); ok && w.scope.infer(get.Object).Kind == frame {
		if name, _ := syntax.TextOf(get.Key); name == "first" || name == "all" {
			w.checks.shownClassName(w.scope.shows(), name, first(e.Args), e.Line())
			w.checks.givesClass(w.scope, name, e)
		}
		return false
	}
	name := syntax.NameOf(e.Func)
	if w.looksAtWorld(name, e) {
		return false
	}
	if slices.Contains(changing, name) && w.scope.isGlobal(e.Func, name) {
		w.report.say(e.Line(), name, "call it in a hook, such as tick",
			"%s changes the world, which %s only shows", name, api.ViewFile)
		return false
	}
	m := api.ViewFunction(name)
	if m == nil || !w.scope.isGlobal(e.Func, name) {
		return false
	}
	if w.misplaced(name, e.Line()) || w.rowed(name, e) {
		return true
	}
	for i := range m.Params[:min(len(m.Params), len(e.Args))] {
		keys := m.Params[i].Keys()
		if name == "text" {
			keys = w.scope.shows().textKeys(keys)
		}
		w.checks.keys(m.Name, keys, e.Args[i])
		w.widget(m.Name, &m.Params[i], e.Args[i])
	}
	if list := first(e.Args); name == "push" && list != nil && w.keptList(list) != "" {
		w.report.say(e.Line(), name, "write push("+shortly(list)+"."+w.keptList(list)+", ...)", "push: list must be a list, and %s is a table that has one", shortly(list))
	}
	w.noteFramed(e)
	switch name {
	case "countdown":
		w.countedTwice(e)
	case "hud", "camera":
		return w.frameFunction(name == "camera", first(e.Args))
	case "onCue", "onCueMoved", "onCueCancelled":
		if literal(first(e.Args)) == "function" { // the file does not load
			w.expr(e.Args[0])
			return true
		}
		w.checks.cueName(w.scope.shows(), name, e)
		return w.cueFunction(e)
	case "scoreboard":
		w.checks.columns(w.scope.shows(), first(e.Args))
	case "minimap":
		for _, item := range itemsOf(first(e.Args), "classes") {
			w.checks.shownClassName(w.scope.shows(), "minimap", item, 0)
		}
	}
	return false
}

// rowed checks that a row or a column is given a function which adds its widgets: row({ gap = 2 }, text { 1 }). said
// reports that there is a finding.
func (w *walker) rowed(name string, e *ast.FuncCallExpr) (said bool) {
	if name != "row" && name != "column" {
		return false
	}
	isWidget := func(e ast.Expr) bool {
		call, ok := e.(*ast.FuncCallExpr)
		return ok && call.Receiver == nil && w.scope.isGlobal(call.Func, append(luabind.Widgets(), "text")...)
	}
	given := ""
	if len(e.Args) > 1 && (isWidget(e.Args[1]) || w.scope.typeOf(e.Args[1]) == "table") {
		given = "widgets, and not a function that adds them"
	}
	t, isTable := first(e.Args).(*ast.TableExpr)
	if isTable && slices.ContainsFunc(t.Fields, func(f *ast.Field) bool { return f.Key == nil }) {
		given = "widgets in its table, and not a function that adds them"
	}
	if w.scope.typeOf(first(e.Args)) == "function" {
		given = "a function in the place of its table"
	}
	if given == "" {
		return false
	}
	w.report.say(e.Line(), name, "write "+name+"({ gap = 8 }, function() text { \"...\" } end)", "%s is given %s", name, given)
	return true
}

// changing are functions of hooks that view.lua cannot call.
var changing = []string{"after", "cue", "every", "fillTeams", "resetStats", "setTeam", "spawn", "takeOver", "tell"}

// frameFunction walks the function of hud or camera.
func (w *walker) frameFunction(camera bool, e ast.Expr) (done bool) {
	f, ok := e.(*ast.FunctionExpr)
	if !ok {
		return false
	}
	vars := unknown(f.ParList.Names)
	if len(f.ParList.Names) > 0 {
		vars[f.ParList.Names[0]] = value{Kind: frame}
	}
	if isKey := func(key string) bool { return slices.Contains(api.CameraKeys(), key) }; camera &&
		w.lost(f.Stmts, "camera", func(key string) bool { return !isKey(key) }) {
		return true
	}
	if camera && !gives(f.Stmts) {
		w.report.say(f.Line(), "camera", "return a table, such as { follow = v.me, zoom = 20 }",
			"camera: the function returns nothing, so that it moves nothing")
	}
	before, outer := w.scope.shows().camera(camera), w.inTick
	w.scope.shows().inHUD, w.inTick = !camera, true
	w.function(nil, vars, f.Stmts)
	w.scope.shows().inHUD, w.inTick = false, outer
	w.scope.shows().camera(before)
	return true
}

// keys checks the keys of a table that is written out against those that a function takes.
func (k *checks) keys(of string, known []string, e ast.Expr) {
	if len(known) == 0 || of == "scoreboard" { // with a wrong key, the file does not load
		return
	}
	keys, _ := tableKeys(e)
	if t, ok := e.(*ast.TableExpr); ok && !slices.Contains(known, "[1]") && of != "camera" {
		for _, f := range t.Fields {
			if f.Key != nil {
				continue
			}
			hint := "there are " + world.Listed(known)
			if of == "text" {
				hint = "write text = \"...\" in a function for cues"
			}
			k.report.say(max(e.Line(), f.Value.Line()), of, hint, "%s takes no value without a name", of)
			return
		}
	}
	named := slices.DeleteFunc(slices.Clone(known), func(n string) bool { return strings.HasPrefix(n, "[") })
	for _, key := range ident.Keys(keys) {
		_, hasX := keys["x"]
		if key == "y" && hasX && (of == "arrow" || of == "camera") {
			continue // it is said of x
		}
		if !slices.Contains(named, key) {
			there := "there are " + world.Listed(named)
			if slices.Contains(known, "[1]") {
				there += ", and a value without a name"
			}
			k.report.say(keys[key], key, or(foreignKey(of, key, named), didYouMean(key, named, there)), "%s has no %s", of, key)
		}
	}
}

// foreignKeys are keys that widgets and effects have in other engines, by those in their place.
var foreignKeys = map[string][]string{
	"at": {"align", "anchor", "place", "pos", "position"}, "color": {"col", "fill", "tint"}, "fade": {"lifetime", "seconds"},
	"file": {"asset", "name", "path", "src"}, "follow": {"on", "subject", "target"}, "freq": {"frequency", "hz", "note", "pitch"},
	"items": {"lines", "list"}, "most": {"full", "limit", "max", "maximum", "total"}, "ms": {"duration", "length", "life", "lifetime", "time"},
	"n": {"amount", "count", "number", "particles"}, "on": {"object", "target", "to"}, "size": {"fontSize", "font_size", "height", "r", "radius", "scale"},
	"text": {"caption", "content", "label", "message", "name", "string", "title", "value"}, "to": {"at", "object", "on", "target"}, "volume": {"gain", "loudness", "vol"},
	"zoom": {"distance", "height", "scale", "size"}, "value": {"amount", "current", "progress"}, "gap": {"padding", "spacing"},
	"ease": {"lerp", "smooth", "smoothing", "speed"},
}

// foreignKey says which key stands for one that widgets have in other engines; empty: none.
func foreignKey(of, key string, known []string) string {
	for _, name := range known {
		if slices.Contains(foreignKeys[name], key) {
			return "write " + name
		}
	}
	if of == "text" && slices.Contains(append(foreignKeys["text"], "text"), key) {
		return "write it without a name: text { \"...\" }"
	}
	if of == "camera" && (key == "x" || key == "y") {
		return "it follows objects: follow = v.me, or a list of them"
	}
	if of == "arrow" && (key == "x" || key == "y") {
		return "it points to an object: to = v.first(\"Class\")"
	}
	return ""
}

// foreignFrame are members that v has in other engines, with what stands for them.
var foreignFrame = map[string]string{
	"count": "write #v.all(\"Class\")", "objects": "write v.all(\"Class\")", "find": "write v.first(\"Class\")", "nearest": "write v.first(\"Class\")",
	"time": "write v.now", "self": "write v.me", "match": "write v.game", "state": "write v.game", "score": "write v.committed.game",
	"stats": "v.players() have what player { ... } declares", "localPlayer": "write v.player, or v.me for the object", "get": "write v.first(\"Class\")",
	"dt": "v.now is the time: keep the one before in a table that keep { ... } makes", "width": "at = \"top\" and the like place widgets",
	"height": "at = \"top\" and the like place widgets", "x": "write v.me.x", "y": "write v.me.y",
}

// givesClass checks that v.first and v.all are given the name of a class.
func (k *checks) givesClass(s *scope, of string, e *ast.FuncCallExpr) {
	given := ""
	if len(e.Args) > 0 {
		given = s.typeOf(e.Args[0])
	}
	switch {
	case len(e.Args) == 0:
		k.report.say(e.Line(), of, "write v."+of+"(\"Class\")", "%s takes 1 argument, and is called with none", of)
	case given != "" && given != "string":
		k.report.say(e.Line(), of, "write v."+of+"(\"Class\")",
			"%s: the name of a class must be a string, and is %s", of, aKind(given))
	}
}

// shownClassName checks the name of a class.
func (k *checks) shownClassName(v *view, of string, e ast.Expr, line int) {
	for _, name := range textsOf(e) {
		if v.objects != nil && v.object(name) == nil {
			known := ident.Keys(v.objects)
			k.report.sayAbout(topic{sort: aClassName, name: name}, max(e.Line(), line), name, didYouMean(name, known, theyDeclare(known)),
				"%s: "+noClass+"%s", of, name)
		}
	}
}

// cueName checks the name of a cue.
func (k *checks) cueName(v *view, of string, e *ast.FuncCallExpr) {
	for _, name := range textsOf(first(e.Args)) {
		if v.cues() == nil || slices.Contains(v.cues(), name) {
			continue
		}
		hint, isKnown := v.sides.nameHint(name)
		if !isKnown {
			hint = meantElsewhere(name, v.cues(), v.sides.sentAt, "the scripts emit "+world.Listed(v.cues()))
		}
		k.report.sayAbout(topic{sort: aCue, name: name}, e.Line(), name, hint,
			"%s: no script emits a cue %s", of, name)
	}
}

// columns checks the fields that scoreboard { ... } names.
func (k *checks) columns(v *view, e ast.Expr) {
	if v.row.open {
		return
	}
	known := v.playerFields()
	items := itemsOf(e, "columns")
	for _, key := range []string{"sort", "group"} {
		items = append(items, valueOf(e, key))
	}
	for _, item := range items {
		name, ok := syntax.TextOf(item)
		if name = strings.TrimPrefix(name, "-"); ok && ident.Valid(name) && !slices.Contains(known, name) {
			k.report.sayAbout(topic{aMember, world.PlayerClass, name}, item.Line(), name, didYouMean(name, known, "there are "+world.Listed(known)),
				"scoreboard: player { ... } declares no field %s", name)
		}
	}
}

// valueOf returns the value of a key of a table that is written out, nil if there is none.
func valueOf(e ast.Expr, key string) ast.Expr {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return nil
	}
	for _, f := range t.Fields {
		if name, isText := syntax.TextOf(f.Key); isText && name == key {
			return f.Value
		}
	}
	return nil
}

// itemsOf returns the items of a list that is the value of a key.
func itemsOf(e ast.Expr, key string) (items []ast.Expr) {
	t, ok := valueOf(e, key).(*ast.TableExpr)
	if !ok {
		return nil
	}
	for _, f := range t.Fields {
		if f.Key == nil {
			items = append(items, f.Value)
		}
	}
	return items
}

// widget checks the values in the table that a function of view.lua is given.
func (w *walker) widget(of string, p *api.Param, e ast.Expr) {
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return
	}
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if f.Key == nil {
			key, isText = "[1]", true
		}
		takes := p.KeyType(key)
		if !isText || takes == "" {
			continue
		}
		line := max(f.Value.Line(), e.Line())
		if part := w.keptList(f.Value); part != "" && (takes == "table" || strings.HasSuffix(takes, "[]")) {
			w.report.say(line, shortly(f.Value), "write "+key+" = "+shortly(f.Value)+"."+part, "%s: %s must be a list, and %s is a table that has one", of,
				key, shortly(f.Value))
			continue
		}
		if f.Key != nil {
			line = max(line, f.Key.Line())
		}
		if (takes == "table" || strings.HasSuffix(takes, "[]")) && w.keptNowhere(of, key, f.Value, line) {
			continue
		}
		if v := w.scope.infer(f.Value); (key == "on" || key == "to" || key == "focus") && v.Kind == shown && v.Class == w.scope.shows().player() {
			w.report.say(line, key, "write "+shortly(f.Value)+".object, which may be nil", "%s: %s must be an object, and is a player", of, key)
			continue
		}
		switch given := w.scope.typeOf(f.Value); {
		case (key == "on" || key == "to") && w.scope.infer(f.Value).Hint == isAnID:
		case takes == "boolean" && w.flag(of, key, f.Value, line):
		case takes == "string" && given == "number" && key != "color" && w.scope.shows().inCue:
			w.report.say(line, key, "write tostring(...) around it", "%s: %s must be a string for a cue, and is a number", of, key)
		case !takesValue(takes, given):
			hint := "docs/reference.md lists what " + of + " takes"
			if key == "on" || key == "to" {
				hint = "give an object, such as v.me or v.first(\"Class\")"
			} else if given == "boolean" && takes == "string" {
				hint = "write tostring(...) around it"
			} else if key == "at" {
				hint = "there are " + world.Listed(luabind.WidgetPlaces())
			} else if text, isText := syntax.TextOf(f.Value); isText && given == "string" && (takes == "table" || takes == "string[]") {
				hint = "write " + key + " = { \"" + text + "\" }"
			} else if w.scope.infer(f.Value).Kind == shownList {
				hint = "write #v." + shortly(f.Value) + " for their number, or loop over them"
			} else if key == "color" {
				hint = "a colour is a text: #rgb, #rrggbb or a name such as orange"
			} else if list := w.keptBeside(f.Value); list != "" && (takes == "table" || takes == "string[]") {
				hint = "write " + key + " = " + list
			} else if takes == "table" || takes == "string[]" {
				hint = "write " + key + " = { ... }"
			} else if given == "function" && named(f.Value) != nil && takes != "function" {
				hint = w.scope.callIt(f.Value)
			} else if takes == "string" {
				hint = "write a text"
			} else if takes == "number" && literal(f.Value) == "string" {
				hint = "write a number, without quotes"
			} else if takes == "number" {
				hint = "give a number"
			}
			w.report.say(line, or(strings.Trim(key, "[]1"), of), hint,
				"%s: %s must be %s, and is %s", of, or(strings.Trim(key, "[]1"), "the value"), aType(takes), aKind(given))
		case w.outOfRange(of, key, f.Value, line):
		case key == "color" && given == "number":
			w.report.say(line, key, "a colour is #rgb, #rrggbb or a name such as orange",
				"%s: a number is not a colour", of)
		case key == "color":
			w.color(of, f.Value, line)
		case key == "at":
			w.checks.oneOf(of, key, f.Value, luabind.WidgetPlaces(), line)
		case key == "wave":
			w.checks.oneOf(of, key, f.Value, luabind.Waves(), line)
		}
	}
}

// keptList returns the name of the only list in a table that keep { ... } makes and a variable of the file holds; empty:
// the table is a list itself, or not known.
func (w *walker) keptList(e ast.Expr) (list string) {
	t := w.keeps[syntax.NameOf(e)]
	if t == nil || w.scope.again[syntax.NameOf(e)] {
		return ""
	}
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if !isText || f.Key == nil || list != "" && literal(f.Value) == "table" {
			return ""
		}
		if literal(f.Value) == "table" {
			list = key
		}
	}
	return list
}

// keptBeside returns the only list in the table of the file's that keep { ... } makes, and that an expression looks another
// field up in; empty: there is none.
func (w *walker) keptBeside(e ast.Expr) string {
	get, ok := e.(*ast.AttrGetExpr)
	if !ok {
		return ""
	}
	t, list := w.keeps[syntax.NameOf(get.Object)], ""
	if t == nil {
		return ""
	}
	for _, f := range t.Fields {
		if key, isText := syntax.TextOf(f.Key); isText && literal(f.Value) == "table" {
			if list != "" {
				return ""
			}
			list = syntax.NameOf(get.Object) + "." + key
		}
	}
	return list
}

// keptMisspelt checks mine.feeds = {} of local mine = keep { feed = {} }, which the file reads nowhere.
func (w *walker) keptMisspelt(get *ast.AttrGetExpr) {
	table := syntax.NameOf(get.Object)
	if w.keeps[table] == nil {
		return
	}
	keys, whole := tableKeys(w.keeps[table])
	name, isText := syntax.TextOf(get.Key)
	if !isText || !whole || keys[name] > 0 || w.scope.again[table] || len(ident.Nearest(name, ident.Keys(keys))) == 0 {
		return
	}
	uses := 0
	eachExpr(w.tree, func(e ast.Expr) {
		if other, ok := e.(*ast.AttrGetExpr); ok && syntax.LastName(other) == name {
			uses++
		}
	})
	if uses == 1 {
		w.report.say(max(get.Line(), get.Key.Line()), name, didYouMean(name, ident.Keys(keys), ""), "%s keeps no %s, and nothing reads it", table, name)
	}
}

// keptNowhere checks lines { items = notes.lines } of local notes = keep { feed = {} }. said reports that there is a finding.
func (w *walker) keptNowhere(of, key string, e ast.Expr, line int) (said bool) {
	get, isGet := e.(*ast.AttrGetExpr)
	if !isGet {
		return false
	}
	name, isText := syntax.TextOf(get.Key)
	table := syntax.NameOf(get.Object)
	if w.keeps[table] == nil {
		return false
	}
	keys, whole := tableKeys(w.keeps[table])
	if !isText || !whole || w.scope.again[table] || keys[name] > 0 || w.scope.fields[name] || len(keys) == 0 {
		return false
	}
	if len(ident.Nearest(name, ident.Keys(keys))) > 0 {
		return false // which is said of all members
	}
	w.report.say(line, table, "it keeps "+world.Listed(ident.Keys(keys)), "%s: %s must be a table, and %s keeps no %s", of, key, table, name)
	return true
}

// keptIn returns the tables that a file keeps, by variable: local feed = keep { items = {} }.
func keptIn(tree []ast.Stmt) map[string]*ast.TableExpr {
	kept := map[string]*ast.TableExpr{}
	for _, s := range tree {
		if local, ok := s.(*ast.LocalAssignStmt); ok && len(local.Names) == 1 && len(local.Exprs) == 1 {
			if call, isCall := local.Exprs[0].(*ast.FuncCallExpr); isCall && syntax.NameOf(call.Func) == "keep" {
				kept[local.Names[0]], _ = first(call.Args).(*ast.TableExpr)
			}
		}
	}
	return kept
}

// outOfRange checks a number, written out, that an effect is given. said reports that there is a finding.
func (w *walker) outOfRange(of, key string, e ast.Expr, line int) (said bool) {
	r, isBound := luabind.EffectRange(of, strings.Trim(key, "[]"))
	if of != "text" || w.scope.shows().inHUD {
		if in, isWidget := luabind.WidgetRange(of, key); isWidget {
			r, isBound = in, true
		}
	}
	n, isWritten := writtenNumber(e)
	if !isBound || !isWritten || n >= r[0] && n <= r[1] || of == "text" && !w.scope.shows().inHUD && !w.scope.shows().inCue {
		return false
	}
	if w.scope.shows().inHUD && of != "minimap" {
		w.report.say(line, key, "sizes in the HUD are in pixels: 13 is that of a text", "%s: a size of %v cannot be read", of, n)
		return true
	}
	w.report.say(line, or(strings.Trim(key, "[]1"), of), fmt.Sprintf("it is shown as %v", min(max(n, r[0]), r[1])),
		"%s: %s is from %v to %v", of, or(strings.Trim(key, "[]1"), "the number"), r[0], r[1])
	return true
}

// misplaced checks that effects are shown for cues only, and widgets in the HUD. said reports that there is a finding.
func (w *walker) misplaced(name string, line int) (said bool) {
	v := w.scope.shows()
	switch {
	case v.inHUD && slices.Contains(luabind.Effects(), name):
		w.report.say(line, name, "show it for a cue: onCue(name, function(c) "+name+" { ... } end)",
			"%s is an effect, which the function of hud cannot show", name)
	case v.inCue && slices.Contains(luabind.Widgets(), name):
		w.report.say(line, name, "show it in hud(function(v) ... end)", "%s is a widget, which the function of a cue cannot show",
			name)
	default:
		return false
	}
	return true
}

// takesValue reports whether a key of a type may be given a value of a type. Numbers are texts, too, and anything is
// true or false.
func takesValue(takes, given string) bool {
	switch takes {
	case "number":
		return given == "" || given == "nil" || given == "number"
	case "string":
		return given == "" || given == "nil" || given == "string" || given == "number"
	case "table", "string[]":
		return given == "" || given == "nil" || given == "table"
	}
	return true
}

// cameraValues checks the table that the function of camera returns.
func (k *checks) cameraValues(s *scope, e ast.Expr) {
	if v := valueOf(e, "follow"); v != nil && s.typeOf(v) != "" && s.typeOf(v) != "table" && s.typeOf(v) != "nil" {
		k.report.say(max(v.Line(), e.Line()), "follow", "write v.first(\"Class\"), or v.me",
			"camera: follow must be an object or a list of objects, and is %s", aKind(s.typeOf(v)))
	}
	if text, isText := syntax.TextOf(valueOf(e, "inside")); isText && text != "arena" {
		v := valueOf(e, "inside")
		k.report.say(max(v.Line(), e.Line()), text, `write inside = "arena"`, "camera: inside must be \"arena\", and is %q", text)
	}
	for _, key := range []string{"ahead", "ease", "zoom"} {
		v := valueOf(e, key)
		given := s.typeOf(v)
		if k.cameraRange(key, append(itemsOf(e, key), v), e) {
			continue
		}
		if key == "zoom" && slices.ContainsFunc(itemsOf(e, key), func(item ast.Expr) bool {
			return !takesValue("number", s.typeOf(item))
		}) {
			k.report.say(max(v.Line(), e.Line()), key, "write zoom = { 14, 26 }: the least and the most",
				"camera: zoom must be a number or two")
		}
		if pair := itemsOf(e, key); key == "zoom" && len(pair) == 2 {
			least, isLeast := writtenNumber(pair[0])
			most, isMost := writtenNumber(pair[1])
			if isLeast && isMost && least > most {
				k.report.say(max(v.Line(), e.Line()), key, fmt.Sprintf("write zoom = { %v, %v }", most, least),
					"camera: the least zoom comes first, and %v is more than %v", least, most)
			}
		}
		if !takesValue("number", given) && (key != "zoom" || given != "table") {
			hint := "write " + key + " = 0.2: a number of seconds"
			if key == "zoom" {
				hint = "write zoom = 20: how many metres are shown, or zoom = { 14, 26 }: the least and the most"
			}
			k.report.say(max(v.Line(), e.Line()), key, hint,
				"camera: %s must be a number, and is %s", key, aKind(given))
		}
	}
}

// cameraRange checks numbers, written out, that the function of camera returns. said reports that there is a finding.
func (k *checks) cameraRange(key string, list []ast.Expr, of ast.Expr) (said bool) {
	r, isBound := luabind.CameraRange(key)
	for _, v := range list {
		n, isWritten := writtenNumber(v)
		if !isBound || !isWritten || n >= r[0] && n <= r[1] {
			continue
		}
		unit := "seconds"
		if key == "zoom" {
			unit = "metres"
		}
		k.report.say(max(v.Line(), of.Line()), key, fmt.Sprintf("give %v to %v %s", r[0], r[1], unit), "camera: %s cannot be %v", key, n)
		return true
	}
	return false
}

// cameraResult checks that what the function of camera returns is a table of what it takes, or nil.
func (k *checks) cameraResult(s *scope, r *ast.ReturnStmt) {
	e := first(r.Exprs)
	of, kind := s.typeOf(e), s.infer(e).Kind
	switch example := "return { follow = v.me, zoom = 20 }"; {
	case e == nil:
	case kind == shown, kind == shownList, kind == frame:
		k.report.say(r.Line(), nameIn(e), "write return { follow = "+shortly(e)+" }",
			"camera: the result has names, and is not an object itself")
	case of != "" && of != "table" && of != "nil":
		k.report.say(r.Line(), "return", example, "camera: the result must be a table or nil, and is %s", aKind(of))
	}
}

// shownMethod reports a method that is called on what view.lua is given.
func (k *checks) shownMethod(e *ast.FuncCallExpr) {
	on := shortly(e.Receiver)
	if on == "this" {
		on = "o"
	}
	hint := "read a field, such as " + on + ".x"
	if slices.Contains(frameFunctions, e.Method) {
		hint = "write " + shortly(e.Receiver) + "." + e.Method + "(...)"
	}
	k.report.say(e.Line(), e.Method, hint,
		"what %s is given has fields, and no method %s", api.ViewFile, e.Method)
}

// oneOf checks the texts that a key may have.
func (k *checks) oneOf(of, key string, e ast.Expr, known []string, line int) {
	for _, text := range textsOf(e) {
		if !slices.Contains(known, text) {
			k.report.say(line, text, didYouMean(text, known, "there are "+world.Listed(known)),
				"%s: there is no %s %q", of, key, text)
		}
	}
}
