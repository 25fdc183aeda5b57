package lint

import (
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/api"
	"github.com/hindcast/hindcast/luabind/internal/ident"
	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// class is what is known of a class from the text and, if the scripts compile,
// from the schema.
type class struct {
	called   string // its name
	file     string
	open     bool // declared in a way that cannot be read: it may have any member
	members  map[string]bool
	methods  map[string]syntax.Place
	inputs   map[string]int          // by name: the line of the declaration; 0: not known
	axes     map[string]bool         // by input whose kind is known: whether it is a number
	positive map[string]bool         // inputs with a range of their own: they may begin at 0
	props    map[string]bool         // of objProps; nil: not known
	fields   map[string]*part        // declared fields of the loaded class, and id, owner and class
	colon    map[string]bool         // methods that are written with a colon
	calls    map[string]int          // of a cue, by field: how many calls give it
	tables   map[string]bool         // tables that files give to it: Ship.list = {}
	silent   map[string]syntax.Place // methods that return nothing
	below    []*class                // those that extend it
	unseen   map[string]bool         // of the one that bots steer: functions of the scripts, which they do not see
	either   []*class                // of one that stands for objects of several classes: these
	read     map[string]bool         // inputs that applyInput reads
	anyInput bool                    // it may read, or have, any input
	lacksArg bool                    // one of its methods leaves an argument out, which may be an input
	body     aBody                   // what is known of its bodies
	timers   []string                // of the loaded class, sorted
	inherits bool                    // it has what another class has
	declared map[string]int          // fields that are written out in the declaration, with their lines
	walked   map[string]bool         // methods whose text has been read as that of this class
}

// name returns the name of the class.
func (c *class) name() string { return c.called }

// declares reports whether a file declares the class, other than those that are there without it.
func (c *class) declares() bool { return c.file != "" || !world.HoldsState(c.name()) }

// newClass reads the table of a declaration.
func newClass(name, file string, table ast.Expr) *class {
	c := &class{called: name, file: file, members: map[string]bool{}, methods: map[string]syntax.Place{},
		inputs: map[string]int{}, axes: map[string]bool{}, read: map[string]bool{}, walked: map[string]bool{}, declared: map[string]int{}, positive: map[string]bool{},
		fields: map[string]*part{}, calls: map[string]int{}, tables: map[string]bool{}, colon: map[string]bool{}, silent: map[string]syntax.Place{}}
	t, ok := table.(*ast.TableExpr)
	if !ok {
		c.open = true
		return c
	}
	unread, hasProps := false, false
	for _, f := range t.Fields {
		key, isText := syntax.TextOf(f.Key)
		if f.Key == nil || !isText {
			c.open, unread = true, true
			continue
		}
		hasProps = hasProps || key == "objProps"
		c.declare(key, f.Value)
	}
	if !unread && !hasProps {
		c.props = map[string]bool{}
	}
	return c
}

// inherit adds the constants of a class that this one extends, and forgets that there may be others if last is true: it
// extends no further class.
func (c *class) inherit(of *class, last bool) {
	if c.props == nil || of.props == nil {
		c.props = nil
		return
	}
	for _, name := range ident.Keys(of.props) {
		c.props[name] = true
	}
	c.inherits = !last
}

// declare reads one key of a declaration.
func (c *class) declare(key string, value ast.Expr) {
	keys, whole := tableKeys(value)
	switch key {
	case "extends":
		c.open, c.anyInput, c.inherits = true, true, true // what else it has is known once it is loaded, see complete
	case "state", "aux":
		c.open = c.open || !whole
		for _, k := range ident.Keys(keys) {
			c.members[k] = true
			c.declared[k] = keys[k]
		}
	case "input":
		c.anyInput = c.anyInput || !whole
		c.inputs = keys
		c.axes = axesIn(value)
		for _, in := range ident.Keys(keys) {
			c.positive[in] = valueOf(valueOf(value, in), "min") != nil
		}
	case "objProps":
		if whole {
			c.props = map[string]bool{}
			for _, k := range ident.Keys(keys) {
				c.props[k] = true
			}
		}
	}
}

// shownClass returns a class that stands for a table with some fields.
func shownClass(name string, fields ...string) *class {
	c := newClass(name, "", nil)
	c.open = false
	c.addMembers(fields)
	return c
}

// anySteered returns a class that stands for all objects that a bot may have to steer:
// it has the members of all classes with inputs.
func anySteered(classes []*class) *class {
	any := newClass("me", "", nil)
	any.open, any.unseen = false, map[string]bool{}
	kinds, mixed := map[string]bool{}, map[string]bool{} // inputs, and those that differ between classes
	var steered []*class
	for _, c := range classes {
		if len(c.inputs) == 0 && !c.anyInput && !c.open {
			continue
		}
		any.open, any.anyInput = any.open || c.open, any.anyInput || c.anyInput
		steered = append(steered, c)
		for _, in := range ident.Keys(c.inputs) {
			any.inputs[in] = c.inputs[in]
			axis, known := c.axis(in)
			if before, again := kinds[in]; !known || again && before != axis {
				mixed[in] = true
			}
			kinds[in] = axis
		}
		for _, m := range c.names() {
			any.members[m] = true
			any.unseen[m] = (any.unseen[m] || c.isMethod(m)) && c.fields[m] == nil
		}
	}
	for _, in := range ident.Keys(kinds) {
		if !mixed[in] {
			any.axes[in] = kinds[in]
		}
	}
	if !any.open {
		any.agreeOn(steered)
	}
	return any
}

// names returns the members that the class has besides those of every object.
func (c *class) names() []string { return append(ident.Keys(c.members), ident.Keys(c.methods)...) }

// has reports whether the class itself has a member, or may have it.
func (c *class) has(name string) bool {
	_, isMethod := c.methods[name]
	return c.open || isMethod || c.members[name]
}

// addMembers notes members other than declared fields.
func (c *class) addMembers(names []string) {
	for _, n := range names {
		c.addMember(n)
	}
}

// addMember notes a member other than a declared field.
func (c *class) addMember(name string) { c.members[name] = true }

// addTable notes a member that a file gives to the class, and whether it is a table.
func (c *class) addTable(name string, isTable bool) {
	c.addMember(name)
	c.tables[name] = isTable
}

// addMethod notes a method.
func (c *class) addMethod(name string, at syntax.Place) { c.methods[name] = at }

// isMethod reports whether the class has a method.
func (c *class) isMethod(name string) bool {
	_, is := c.methods[name]
	return is
}

// noteColon notes whether a method is written with a colon.
func (c *class) noteColon(name string, colon bool) { c.colon[name] = colon }

// noteSilent notes a method that returns nothing.
func (c *class) noteSilent(name string, at syntax.Place) { c.silent[name] = at }

// isSilent reports whether a method of the loaded class returns nothing: it is the one of the text, and no class that
// extends this one has another.
func (c *class) isSilent(name string) bool {
	at, isMethod := c.methods[name]
	for _, b := range c.below {
		if b.methods[name] != at {
			return false
		}
	}
	return isMethod && at == c.silent[name]
}

// complete adds the members and inputs of the loaded class. Others there are none then.
func (c *class) complete(s *world.Schema, def *world.Class, members map[string]syntax.Place) {
	for i := range def.Declared() {
		c.members[api.FieldRoot(def.Fields[i].Name)] = true
	}
	c.noteTypes(def)
	c.body, c.timers = bodyOf(s, def), def.Timers
	for _, m := range ident.Keys(members) {
		if c.members[m] = true; members[m].Line > 0 {
			c.methods[m] = members[m]
		}
	}
	for i := range def.Inputs {
		in := &def.Inputs[i]
		if _, written := c.inputs[in.Name]; !written {
			c.inputs[in.Name] = 0
		}
		c.axes[in.Name] = in.Axis
	}
	c.open, c.anyInput = false, false
}

// walk notes that the text of a method has been read as that of this class.
func (c *class) walk(method string) { c.walked[method] = true }

// allInputs notes that any input may be read.
func (c *class) allInputs() { c.anyInput = true }

// leavesOut notes that one of its methods leaves out an argument of a call.
func (c *class) leavesOut() { c.lacksArg = true }

// reads notes that an input is read. missing: the class does not declare it.
func (c *class) reads(input string) (missing bool) {
	c.read[input] = true
	return c.lacksInput(input)
}

// lacksInput reports whether the class surely does not declare an input.
func (c *class) lacksInput(name string) bool {
	_, ok := c.inputs[name]
	return !ok && !c.anyInput && !c.open
}

// inputNames returns the declared inputs. known is false if there may be others.
func (c *class) inputNames() (names []string, known bool) {
	return ident.Keys(c.inputs), !c.anyInput && !c.open
}

// axis reports whether an input is a number, and whether that is known.
func (c *class) axis(input string) (axis, known bool) {
	axis, known = c.axes[input]
	return axis, known
}

// lacksProp reports whether objProps surely has no such constant, and gives those
// that it has.
func (c *class) lacksProp(name string) (known []string, lacks bool) {
	return ident.Keys(c.props), c.props != nil && !c.props[name] && !c.inherits
}

// unreadInputs returns the inputs that no hook reads, and where each is declared.
func (c *class) unreadInputs() (names []string, at []syntax.Place) {
	if c.anyInput || c.open || c.lacksArg || c.hasUnwalked(world.ApplyInput) || c.hasUnwalked(world.Simulate) {
		return nil, nil
	}
	for _, in := range ident.Keys(c.inputs) {
		if !c.read[in] && c.inputs[in] > 0 {
			names, at = append(names, in), append(at, syntax.Place{File: c.file, Line: c.inputs[in]})
		}
	}
	return names, at
}

// hasUnwalked reports whether the class has a hook whose text has not been read as that of this class:
// a function that several classes have, or one that is made elsewhere.
func (c *class) hasUnwalked(h world.Hook) bool {
	_, has := c.methods[h.String()]
	return has && !c.walked[h.String()]
}

// takesInput reports whether the class has a hook that is given inputs.
func (c *class) takesInput() bool {
	_, applies := c.methods[world.ApplyInput.String()]
	_, simulates := c.methods[world.Simulate.String()]
	return applies || simulates
}

// eachMethod visits the methods, sorted by name.
func (c *class) eachMethod(visit func(name string, at syntax.Place)) {
	for _, m := range ident.Keys(c.methods) {
		visit(m, c.methods[m])
	}
}

// spawnKeys returns the keys of spawn's second argument besides fields.
func spawnKeys() []string { return []string{"angle", "owner", "vx", "vy", "w", "x", "y"} }

// lacksSpawnKey reports whether spawn surely takes no such key for the class, and
// gives those that it takes.
func (c *class) lacksSpawnKey(key string) (allowed []string, lacks bool) {
	allowed = append(spawnKeys(), ident.Keys(c.members)...)
	return allowed, !slices.Contains(allowed, key) && !c.open
}

// axesIn returns which inputs of a table are numbers: { aim = "number", Fire =
// "bool", turn = { "number", min = -2 } }.
func axesIn(e ast.Expr) map[string]bool {
	axes := map[string]bool{}
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return axes
	}
	for _, f := range t.Fields {
		name, _ := syntax.TextOf(f.Key)
		kind := f.Value
		if options, ok := kind.(*ast.TableExpr); ok && len(options.Fields) > 0 && options.Fields[0].Key == nil {
			kind = options.Fields[0].Value
		}
		if k, ok := syntax.TextOf(kind); ok && (k == "number" || k == "bool") {
			axes[name] = k == "number"
		}
	}
	return axes
}

// tableKeys returns the keys of a table that is written out, with their lines.
// whole reports whether the table has no others.
func tableKeys(e ast.Expr) (keys map[string]int, whole bool) {
	keys = map[string]int{}
	t, ok := e.(*ast.TableExpr)
	if !ok {
		return keys, false
	}
	whole = true
	for _, f := range t.Fields {
		if k, isText := syntax.TextOf(f.Key); f.Key != nil && isText {
			keys[k] = max(f.Key.Line(), f.Value.Line())
		} else {
			whole = false
		}
	}
	return keys, whole
}
