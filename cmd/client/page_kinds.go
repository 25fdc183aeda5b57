package main

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/hindcast/hindcast/runtime"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// A frame is little-endian: a head of 36 bytes and 28 for each body.
//
//	head  u32 tick, confirmed, rewinds, corrections, repredictions; f32 round trip (ms), lead (ticks),
//	      part (of the tick that is shown); u32 bodies
//	body  u64 id, u16 kind, u16 owner, f32 x, y (metres), angle (radians), bar (0 to 1; below 0: none)
//
// page/line.js reads it.
const (
	frameHead = 36
	frameBody = 28
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
}

// kindsRead is which kinds a browser has been sent.
type kindsRead struct {
	generation uint64
	count      int
}

func (t *kindTable) reset() {
	*t = kindTable{generation: t.generation + 1, index: map[kindKey]uint16{}}
}

// of returns the number of a body's kind.
func (t *kindTable) of(b *runtime.ViewBody) uint16 {
	if b.Shape == t.lastShape && b.Class == t.last.class && b.Look == t.last.look {
		return t.lastKind
	}
	key := kindKey{b.Class, *b.Shape, b.Look}
	n, known := t.index[key]
	if !known {
		n = uint16(len(t.kinds))
		t.index[key] = n
		t.kinds = append(t.kinds, mustJSON(describe(&key)))
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
	out := kindJSON{Class: k.class, Wall: k.class == world.WallClass, Shape: k.look.Shape, Color: k.look.Color, Label: k.label()}
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
	msg := mustJSON(struct {
		T     string            `json:"t"`
		From  int               `json:"from"` // the number of the first
		Kinds []json.RawMessage `json:"kinds"`
	}{"kinds", at.count, t.kinds[at.count:]})
	at.count = len(t.kinds)
	return msg
}

// appendFrame appends the frame of a view.
func (t *kindTable) appendFrame(b []byte, v *runtime.View) []byte {
	if len(t.kinds) > maxKinds {
		t.reset()
	}
	if b == nil {
		b = make([]byte, 0, frameHead+frameBody*len(v.Bodies))
	}
	le := binary.LittleEndian
	for _, n := range [...]uint32{uint32(v.Tick), uint32(v.Confirmed), uint32(v.Rewinds), uint32(v.Corrections), uint32(v.Repredictions)} {
		b = le.AppendUint32(b, n)
	}
	b = appendFloat(appendFloat(appendFloat(b, v.RTT), v.Lead), v.Alpha)
	b = le.AppendUint32(b, uint32(len(v.Bodies)))
	for i := range v.Bodies {
		o := &v.Bodies[i]
		b = le.AppendUint64(b, uint64(o.ID))
		b = le.AppendUint16(b, t.of(o))
		b = le.AppendUint16(b, uint16(o.Owner))
		bar, ok := o.Bar()
		if !ok {
			bar = -1
		}
		b = appendFloat(appendFloat(appendFloat(appendFloat(b, o.X), o.Y), o.Angle), bar)
	}
	return b
}

func appendFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
}
