package main

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/hindcast/hindcast/luabind/keyname"
	"github.com/hindcast/hindcast/world"
)

// keyControls is a client.Controls: it makes inputs of the keys that are pressed
// in the browsers, for the objects that this player owns.
type keyControls struct {
	mu      sync.Mutex
	ticks   sampled             // for the inputs of ticks
	frames  sampled             // for independent frames
	display int                 // frames that the page has displayed
	framed  bool                // there was an independent frame
	chosen  map[string][]string // the keys that the player chose, by input
	schema  *world.Schema       // of classes and help
	classes map[*world.Class][]binding
	help    []helpRow
}

func newKeyControls(d *devices) *keyControls {
	ticks, frames := d.keyboards()
	return &keyControls{ticks: sampled{keys: ticks}, frames: sampled{keys: frames}}
}

// sampled is the last sample of a keyboard, and what it was read for.
type sampled struct {
	keys    *keyboard
	sample  keySample
	read    bool
	tick    world.Tick
	display int
}

// of returns the sample for a tick and a displayed frame, which it reads once.
func (s *sampled) of(t world.Tick, display int) *keySample {
	if !s.read || s.tick != t || s.display != display {
		s.read, s.tick, s.display = true, t, display
		s.keys.sample(&s.sample)
	}
	return &s.sample
}

// displayed notes that the page displays a frame.
func (c *keyControls) displayed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.display++
}

// wantsFrames reports whether this player has had an object that ticks independently, for which the
// page tells when it displays a frame.
func (c *keyControls) wantsFrames() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.framed
}

// rebind uses other keys for some inputs.
func (c *keyControls) rebind(chosen map[string][]string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.chosen, c.schema = chosen, nil
}

// helpRow tells the page which keys a field is bound to.
type helpRow struct {
	What string   `json:"what"` // the field's name
	Keys []string `json:"keys"` // names as keyname.Canonical gives them; "-" in front: reversed
	Axis bool     `json:"axis,omitempty"`
	// Sticks are names such as pad:lx; "-" in front: reversed.
	Sticks []string `json:"sticks,omitempty"`
}

// binding is one field of an input, and everything that it is bound to.
type binding struct {
	field  *world.InputField
	keys   []boundKey
	sticks []boundStick
	flows  []boundStick // of keyname.Flows
	mouse  bool         // an axis: the angle from the object to the pointer
}

// boundKey is a key. It sets an axis to its greatest value, or to its least.
type boundKey struct {
	name string
	back bool
}

// boundStick is an axis of a pad's stick.
type boundStick struct {
	axis int
	back bool
}

// Input returns the input of an object in this tick, by the bindings of its class.
func (c *keyControls) Input(r world.Reader, slot int) world.Input {
	c.mu.Lock()
	defer c.mu.Unlock()
	var keys *keySample
	if r.Class(slot).Independent {
		c.framed = true
		keys = c.frames.of(r.Tick(), c.display)
	} else {
		keys = c.ticks.of(r.Tick(), 0)
	}
	b := r.State().Body(slot)
	var in world.Input
	for _, bound := range c.bound(r, slot) {
		if bound.field.Axis {
			in.Axes[bound.field.Index] = bound.axis(keys, b.X, b.Y)
		} else if down := bound.down(keys); down > 0 {
			in.Press(bound.field.Index, down)
		}
	}
	return in
}

// bound returns the bindings of an object's class.
func (c *keyControls) bound(r world.Reader, slot int) []binding {
	c.take(r.Schema())
	bound := c.classes[r.Class(slot)]
	c.explain(bound)
	return bound
}

// learn makes the bindings and the help of the classes in force, also for a player who owns no object yet.
func (c *keyControls) learn(schema *world.Schema) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.take(schema)
}

func (c *keyControls) take(schema *world.Schema) {
	if c.schema == schema {
		return
	}
	c.schema, c.classes, c.help = schema, map[*world.Class][]binding{}, nil
	var ranked [3][][]binding
	for i := range schema.Classes {
		class := &schema.Classes[i]
		bound := bind(class.Inputs, c.chosen)
		c.classes[class] = bound
		r := rank(class)
		ranked[r] = append(ranked[r], bound)
	}
	for _, list := range ranked[:2] {
		for _, bound := range list {
			c.explain(bound)
		}
	}
}

// rank says how likely a player is to steer objects of a class: 0 if its controls are declared, 2 if the class decides
// on its inputs itself, and otherwise 1. Classes of rank 2 are explained to players who own such an object.
func rank(class *world.Class) int {
	switch {
	case slices.ContainsFunc(class.Inputs, func(f world.InputField) bool { return len(f.Keys) > 0 }):
		return 0
	case class.Hooks.Has(world.Think):
		return 2
	}
	return 1
}

// explain adds the fields that the help does not have yet.
func (c *keyControls) explain(bound []binding) {
	for i := range bound {
		if !slices.ContainsFunc(c.help, func(r helpRow) bool { return r.What == bound[i].field.Name }) {
			c.help = append(c.help[:len(c.help):len(c.help)], bound[i].row()) // the page may still hold the old one
		}
	}
}

// shown returns the help for all classes.
func (c *keyControls) shown() []helpRow {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.help
}

// bind makes the bindings of a class's fields. What the player chose takes the place of the keys and
// buttons that a field is bound to otherwise, and leaves sticks and movements alone.
func bind(fields []world.InputField, chosen map[string][]string) []binding {
	names := fieldKeys(fields)
	out := make([]binding, len(fields))
	for i := range fields {
		out[i].field = &fields[i]
		for _, name := range names[i] {
			out[i].add(name)
		}
		if keys := chosen[fields[i].Name]; len(keys) > 0 {
			out[i].keys = nil
			for _, name := range keys {
				out[i].add(name)
			}
		}
	}
	return out
}

// add binds a name as a script writes it: a key ("w", "ArrowLeft", "Space"), a
// pad's button ("pad:a"), a mouse button ("mouse:right"); to an axis also a
// stick ("pad:lx", "pad:ly", "pad:rx", "pad:ry"), the pointer ("mouse"), or a
// movement ("wheel", "mouse:dx", "mouse:dy"). A minus in front reverses the axis.
func (b *binding) add(name string) {
	back := len(name) > 1 && name[0] == '-'
	if back {
		name = name[1:]
	}
	if b.field.Axis {
		if strings.EqualFold(name, "mouse") {
			b.mouse = true
			return
		}
		if i := slices.Index(keyname.Sticks(), strings.ToLower(name)); i >= 0 {
			b.sticks = append(b.sticks, boundStick{i, back})
			return
		}
		if i := slices.Index(keyname.Flows(), strings.ToLower(name)); i >= 0 {
			b.flows = append(b.flows, boundStick{i, back})
			return
		}
	}
	b.keys = append(b.keys, boundKey{keyname.Canonical(name), back})
}

// row returns the binding as the page shows it.
func (b *binding) row() helpRow {
	r := helpRow{What: b.field.Name, Keys: []string{}, Axis: b.field.Axis}
	for _, k := range b.keys {
		if k.back {
			r.Keys = append(r.Keys, "-"+k.name)
		} else {
			r.Keys = append(r.Keys, k.name)
		}
	}
	if b.mouse {
		r.Keys = append(r.Keys, "mouse")
	}
	for _, s := range b.sticks {
		r.Sticks = append(r.Sticks, map[bool]string{true: "-"}[s.back]+keyname.Sticks()[s.axis])
	}
	for _, f := range b.flows {
		r.Keys = append(r.Keys, keyname.Flows()[f.axis])
	}
	return r
}

// down returns the fraction of the tick for which a button was down: that of the key
// that was down for longest. With merge = "last", a key must be down at the end of
// the tick.
func (b *binding) down(s *keySample) (part float64) {
	last := b.field.Merge != world.MergeLast
	for _, k := range b.keys {
		part, last = max(part, s.down[k.name]), last || s.last[k.name]
	}
	if !last {
		return 0
	}
	return part
}

// axis returns the value of an axis: that of the keys; otherwise of the stick that is pushed
// furthest; otherwise of the pointer.
func (b *binding) axis(s *keySample, x, y float64) float64 {
	if b.field.Merge == world.MergeSum {
		return b.sum(s)
	}
	v := b.pressed(s)
	for _, st := range b.sticks {
		push := s.sticks[st.axis].last
		switch b.field.Merge {
		case world.MergeMean:
			push = s.sticks[st.axis].mean
		case world.MergeFurthest:
			push = s.sticks[st.axis].furthest
		}
		if moved := math.Abs(push) * b.end((push < 0) != st.back); math.Abs(moved) > math.Abs(v) {
			v = moved
		}
	}
	if v == 0 && b.mouse && s.pointer.known {
		v = math.Atan2(s.pointer.y-y, s.pointer.x-x)
		if v < b.field.Min && v+2*math.Pi <= b.field.Max {
			v += 2 * math.Pi // a range of 0 to 2 pi
		}
	}
	return v
}

// pressed returns the value that the keys of an axis give. A key that was down at all
// counts for the whole tick; with merge = "mean", for the time that it was down.
func (b *binding) pressed(s *keySample) (v float64) {
	for _, k := range b.keys {
		switch down := s.down[k.name]; {
		case b.field.Merge == world.MergeMean:
			v += float64(down * b.end(k.back))
		case down > 0:
			v += b.end(k.back)
		}
	}
	return v
}

// sum returns the movement of wheel and pointer.
func (b *binding) sum(s *keySample) (v float64) {
	for _, f := range b.flows {
		if f.back {
			v -= s.flows[f.axis]
		} else {
			v += s.flows[f.axis]
		}
	}
	return v
}

// end returns the greatest value of the axis, or the least.
func (b *binding) end(back bool) float64 {
	if back {
		return b.field.Min
	}
	return b.field.Max
}
