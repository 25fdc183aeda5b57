package lint

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/hindcast/hindcast/luabind/internal/syntax"
	"github.com/hindcast/hindcast/world"
	"github.com/yuin/gopher-lua/ast"
)

// What methods of objects need: a body at all, one that is moved by its velocity, one that is moved by forces.
var (
	ofBodies = []string{"attach", "detach", "getAngularVelocity", "getDirection", "getMass", "getPosition", "getVelocity",
		"moveAndSlide", "setDirection", "setPosition"}
	ofMoving  = []string{"setAngularVelocity", "setVelocity"}
	ofDynamic = []string{"applyAngularImpulse", "applyForce", "applyImpulse", "applyTorque", "setDirectionalForce",
		"setForce", "setTorque"}
)

// aBody is what is known of the bodies of a class.
type aBody struct {
	known  bool // the class is loaded
	has    bool // it has a body
	sensor bool
	moves  bool // by its velocity
	pushed bool // by forces

	layer, collides uint64 // layers, as bits
}

// listsLayer reports whether a body collides with the layer of another one.
func (b aBody) listsLayer(o aBody) bool { return b.collides&o.layer != 0 }

// bodyOf returns what is known of the bodies of a class.
func bodyOf(s *world.Schema, def *world.Class) aBody {
	if def.Body == nil {
		return aBody{known: true}
	}
	d := &s.Defs[def.DefIndex()]
	return aBody{true, true, d.Sensor, def.Body.Moves(), def.Body.Pushable(), d.Layer, d.Collides}
}

// senses reports whether a body is a sensor that reports another one, which moves.
func (b aBody) senses(o aBody) bool { return b.sensor && !o.sensor && o.moves }

// meets reports whether the layers of two bodies let them touch.
func (b aBody) meets(o aBody) bool { return b.listsLayer(o) && o.listsLayer(b) }

// bodiless reports whether the class is loaded, and has no body.
func (c *class) bodiless() bool { return c.body.known && !c.body.has }

// sameBodies reports whether the classes that extend a class have bodies like its own.
func (c *class) sameBodies() bool {
	return !slices.ContainsFunc(c.below, func(b *class) bool { return b.body != c.body })
}

// bodyMethod checks a call of a method that the body of a class cannot obey: setForce of what is static.
func (k *checks) bodyMethod(c *class, name string, line int) {
	b := c.body
	if world.HoldsState(c.name()) && (library.Method(name) != nil && name != "valid" && name != "is") {
		k.report.say(line, name, "it has the fields that "+c.name()+" { ... } declares", "%s is no object of the world, and %s "+
			"does nothing with it", c.name(), name)
		return
	}
	if !b.known || world.HoldsState(c.name()) || !c.sameBodies() || c.isMethod(name) {
		return
	}
	moving, dynamic := slices.Contains(ofMoving, name), slices.Contains(ofDynamic, name)
	switch {
	case !b.has && (moving || dynamic || slices.Contains(ofBodies, name)):
		k.report.say(line, name, "declare one: body = { shape = { circle = 0.5 } }", "%s has no body, and so no %s", c.name(),
			name)
	case b.has && !b.moves && (moving || dynamic):
		k.report.say(line, name, "setPosition(x, y) places it; or declare body = { type = \"dynamic\", ... }",
			"the body of %s is static, and %s does not move it", c.name(), name)
	case b.has && !b.pushed && dynamic:
		k.report.say(line, name, "setVelocity(vx, vy) moves it; or declare body = { type = \"dynamic\", ... }",
			"the body of %s is kinematic, and %s does not move it", c.name(), name)
	}
}

// bodyHook reports a hook of a class that never runs because of its body.
func (u unused) bodyHook(c *class, name string, at syntax.Place) {
	touches := name == world.OnContact.String() || name == world.OnContactEnd.String()
	switch senses := touches || name == world.OnTrigger.String(); {
	case !c.body.known || !senses || u.named[name] || !c.sameBodies() || u.game.sharesMethod(c, name):
	case !c.body.has:
		u.report.sayIn(at, name, "declare one: body = { shape = { circle = 0.5 } }",
			"%s has no body, and %s never runs", c.name(), name)
	case c.body.sensor && touches:
		u.report.sayIn(at, name, "onTrigger(self, other) runs when it begins to overlap",
			"the body of %s is a sensor, for which %s never runs", c.name(), name)
	default:
		u.untouched(c, name, touches, at)
	}
}

// untouched reports a hook of a class for contacts, or for sensors, that never runs because there is no body that
// the bodies of the class can touch.
func (u unused) untouched(c *class, name string, contact bool, at syntax.Place) {
	b := c.body
	if !u.game.isLoaded() || b.pushed && (contact || b.sensor) { // which can touch the walls of a level
		return
	}
	near := false
	for _, o := range u.game.all() {
		if o.body.has && b.meets(o.body) && (b.sensor != o.body.sensor) == !contact {
			if b.pushed || o.body.pushed || b.senses(o.body) || o.body.senses(b) {
				return
			}
			near = true
		}
	}
	switch {
	case near && contact:
		u.report.sayIn(at, name, `declare body = { type = "dynamic", ... } for one of them, or body = { sensor = true, ... } and onTrigger`,
			"neither the body of %s nor any that it can touch is dynamic: such bodies do not touch, and %s never runs", c.name(), name)
	case near:
		u.report.sayIn(at, name, `declare body = { type = "kinematic", ... } for what moves`,
			"%s:%s never runs: a sensor that is not dynamic reports no static bodies", c.name(), name)
	case !contact && !b.sensor:
		u.report.sayIn(at, name, "onContact(self, other, contact) runs when two bodies touch; or declare body = { sensor = true, ... }",
			"neither the body of %s nor any that it can touch is a sensor, and %s never runs", c.name(), name)
	case u.oneSided[u.layerOf(c)]: // which is said
	default:
		u.report.sayIn(at, name, u.untouching(c), "there is no body that the body of %s can touch, and %s never runs",
			c.name(), name)
	}
}

// sharesMethod reports whether another class has the same method.
func (g *game) sharesMethod(c *class, name string) bool {
	return slices.ContainsFunc(g.all(), func(o *class) bool {
		at, has := o.methods[name]
		return o != c && has && at == c.methods[name]
	})
}

// layerOf returns the name of the layer of the bodies of a class.
func (u unused) layerOf(c *class) string {
	if i := bits.TrailingZeros64(c.body.layer); i < len(u.game.layers()) {
		return u.game.layers()[i]
	}
	return ""
}

// onLayer returns the classes with bodies on a layer.
func (u unused) onLayer(layer string) (list []*class) {
	for _, c := range u.game.all() {
		if c.body.has && u.layerOf(c) == layer {
			list = append(list, c)
		}
	}
	return list
}

// untouching says why the bodies of a class touch no others: one of the two does not collide with the layer of the other.
func (u unused) untouching(c *class) string {
	for _, o := range u.game.all() {
		switch {
		case !o.body.has:
		case c.body.listsLayer(o.body) && !o.body.listsLayer(c.body):
			return fmt.Sprintf("write %q into collides of %s, too: bodies touch if each collides with the layer of the other", u.layerOf(c), o.name())
		case o.body.listsLayer(c.body) && !c.body.listsLayer(o.body):
			return fmt.Sprintf("write %q into collides of %s, too: bodies touch if each collides with the layer of the other", u.layerOf(o), c.name())
		}
	}
	return "see layer and collides of the bodies"
}

// onOneSide reports layers in collides of a class that are named on one side only: no class on such a layer collides with
// that of the class, so that their bodies never touch. What moveAndSlide meets needs one side only.
func (u unused) onOneSide(tree []ast.Stmt, file string) {
	eachExpr(tree, func(e ast.Expr) {
		name, table, isClass := declaredClass(e)
		c := u.game.class(name)
		list, isList := valueOf(valueOf(table, "body"), "collides").(*ast.TableExpr)
		if !isClass || !isList || c == nil || !c.body.has || !c.sameBodies() || u.named["moveAndSlide"] {
			return
		}
		for _, f := range list.Fields {
			layer, isText := syntax.TextOf(f.Value)
			others, own := u.onLayer(layer), u.layerOf(c)
			if !isText || layer == world.WallLayer || layer == world.DefaultLayer || len(others) == 0 || u.oneSided[own] ||
				slices.ContainsFunc(others, func(o *class) bool {
					return slices.ContainsFunc(u.onLayer(own), func(c *class) bool { return c.body.meets(o.body) })
				}) {
				continue
			}
			var names []string
			for _, o := range others {
				names = append(names, o.name())
			}
			verb := map[bool]string{true: "does", false: "do"}[len(names) == 1]
			u.oneSided[own], u.oneSided[layer] = true, true
			u.report.sayIn(syntax.Place{File: file, Line: max(f.Value.Line(), list.Line())}, layer, fmt.Sprintf("write %q into collides of %s, too, or leave out %q here",
				own, world.Listed(names), layer), "%s collides with layer %s, but %s %s not collide with layer %s, on which %s is: they never touch", c.name(), layer,
				world.Listed(names), verb, own, c.name())
		}
	})
}
