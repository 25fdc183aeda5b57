package gamepage

import (
	"encoding/json"
	"fmt"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// kindTable numbers how bodies look, so that a frame needs two bytes for it.
type kindTable struct {
	generation uint64
	index      map[kindKey]uint16
	kinds      []json.RawMessage
	last       kindKey // of the body before: most are like it
	lastShape  *physics.Shape
	lastKind   uint16
}

// kindKey is everything in which looks can differ. Shapes are compared by value:
// every reload of the scripts makes new ones at other addresses.
type kindKey struct {
	class string
	shape physics.Shape
	look  world.Look
}

// maxKinds is how many kinds are kept before the numbering begins anew. One
// view cannot have more than world.MaxObjects.
const maxKinds = 2 * world.MaxObjects

// kindJSON describes a kind to the page.
type kindJSON struct {
	Class  string    `json:"class"`
	Wall   bool      `json:"wall,omitempty"`
	Radius float64   `json:"radius,omitempty"` // of a circle
	Points []float64 `json:"points,omitempty"` // x, y of the corners of a polygon
	Shape  string    `json:"shape,omitempty"`
	Color  string    `json:"color,omitempty"`
	Label  string    `json:"label,omitempty"`
	Layer  float64   `json:"layer,omitempty"`
	Tail   float64   `json:"trail,omitempty"` // seconds; below 0: none; 0: only ships of players have one
	world.Sprite
}

// kindsRead is which kinds a browser has been sent.
type kindsRead struct {
	generation uint64
	count      int
}

// String writes which kinds these are, for a browser that keeps it.
func (k kindsRead) String() string { return fmt.Sprintf("%d.%d", k.generation, k.count) }

// known reads what String has written; none, if it is something else.
func (t *kindTable) known(text string) (k kindsRead) {
	if _, err := fmt.Sscanf(text, "%d.%d", &k.generation, &k.count); err != nil || k.count < 0 ||
		k.count > len(t.kinds) {
		return kindsRead{}
	}
	return k
}

// begin begins a view: there are numbers enough for it.
func (t *kindTable) begin() {
	if t.index == nil || len(t.kinds) > maxKinds {
		t.reset()
	}
}

func (t *kindTable) reset() {
	*t = kindTable{generation: t.generation + 1, index: map[kindKey]uint16{}}
}

// of returns the number of a body's kind.
func (t *kindTable) of(b *room.ViewBody) uint16 {
	if b.Shape == t.lastShape && b.Class == t.last.class && b.Look == t.last.look {
		return t.lastKind
	}
	key := kindKey{b.Class, *b.Shape, b.Look}
	n, known := t.index[key]
	if !known {
		n = uint16(len(t.kinds))
		t.index[key] = n
		t.kinds = append(t.kinds, Encode(describe(&key)))
	}
	t.last, t.lastShape, t.lastKind = key, b.Shape, n
	return n
}

// label returns the label that all bodies of a kind have; "" if it shows fields.
func (k *kindKey) label() string {
	if k.look.Changes() {
		return ""
	}
	return k.look.Label
}

func describe(k *kindKey) kindJSON {
	out := kindJSON{
		Class:  k.class,
		Wall:   k.class == world.WallClass,
		Shape:  k.look.Shape,
		Color:  k.look.Color,
		Label:  k.label(),
		Layer:  k.look.Layer,
		Tail:   k.look.Tail,
		Sprite: k.look.Sprite,
	}
	if k.shape.Kind == physics.Circle {
		out.Radius = k.shape.Radius
		return out
	}
	for _, p := range k.shape.Points[:k.shape.Count] {
		out.Points = append(out.Points, p.X, p.Y)
	}
	return out
}

// since returns the message with the kinds that a browser lacks; nil if it has
// all of them.
func (t *kindTable) since(at *kindsRead) []byte {
	if at.generation != t.generation {
		*at = kindsRead{generation: t.generation}
	}
	if at.count == len(t.kinds) {
		return nil
	}
	msg := Encode(struct {
		T     string            `json:"t"`
		From  int               `json:"from"` // the number of the first
		Kinds []json.RawMessage `json:"kinds"`
	}{"kinds", at.count, t.kinds[at.count:]})
	at.count = len(t.kinds)
	return msg
}
