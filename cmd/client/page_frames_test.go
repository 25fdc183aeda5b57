package main

import (
	"encoding/binary"
	"math"
	"testing"

	gamepage "github.com/hindcast/hindcast/cmd/client/page"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/simtest/draws"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
	"pgregory.net/rapid"
)

// readBody is a body as the page knows it.
type readBody struct {
	id          world.ObjectID
	kind, owner uint16
	x, y, angle float32
	bar         float32
}

// failer is a *testing.T or a *rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// frameReader keeps the bodies that the page shows, by slot.
type frameReader struct {
	tick   uint32
	whole  bool
	bodies map[uint16]*readBody
}

// read takes a frame as page/bodies.js does, and fails if it cannot be right.
func (r *frameReader) read(t failer, frame []byte) {
	t.Helper()
	le := binary.LittleEndian
	r.tick, r.whole = le.Uint32(frame), le.Uint32(frame[gamepage.FrameHead-4:]) == 1
	if r.whole || r.bodies == nil {
		r.bodies = map[uint16]*readBody{}
	}
	rest := frame[gamepage.FrameHead:]
	each := func(entry int, take func(slot uint16, data []byte)) {
		t.Helper()
		n := int(le.Uint32(rest))
		rest = rest[4:]
		if len(rest) < n*entry {
			t.Fatalf("%d entries of %d bytes in %d bytes", n, entry, len(rest))
		}
		for ; n > 0; n-- {
			take(le.Uint16(rest), rest[2:entry])
			rest = rest[entry:]
		}
	}
	of := func(slot uint16) *readBody {
		t.Helper()
		b := r.bodies[slot]
		if b == nil {
			t.Fatalf("nothing is in slot %d", slot)
		}
		return b
	}
	float := func(data []byte) float32 { return math.Float32frombits(le.Uint32(data)) }
	each(gamepage.GoneEntry, func(slot uint16, _ []byte) {
		of(slot)
		delete(r.bodies, slot)
	})
	each(gamepage.RowEntry, func(slot uint16, data []byte) {
		b := r.bodies[slot]
		if b == nil {
			b = &readBody{x: float32(math.NaN())}
			r.bodies[slot] = b
		}
		b.id, b.kind, b.owner = world.ObjectID(le.Uint64(data)), le.Uint16(data[8:]), le.Uint16(data[10:])
	})
	each(gamepage.PoseEntry, func(slot uint16, data []byte) {
		b := of(slot)
		b.x, b.y, b.angle = float(data), float(data[4:]), float(data[8:])
	})
	each(gamepage.BarEntry, func(slot uint16, data []byte) { of(slot).bar = float(data) })
	if len(rest) != 0 {
		t.Fatalf("%d bytes after the frame", len(rest))
	}
}

// byID returns a body; nil: the page does not show it.
func (r *frameReader) byID(id world.ObjectID) *readBody {
	for _, b := range r.bodies {
		if b.id == id {
			return b
		}
	}
	return nil
}

// check compares what the page shows with a view.
func (r *frameReader) check(t failer, v *room.View) {
	t.Helper()
	if r.tick != uint32(v.Tick) || len(r.bodies) != len(v.Bodies) {
		t.Fatalf("tick %d with %d bodies, want %d with %d", r.tick, len(r.bodies), v.Tick, len(v.Bodies))
	}
	for i := range v.Bodies {
		o := &v.Bodies[i]
		if b := r.byID(o.ID); b == nil || b.owner != uint16(o.Owner) || b.x != float32(o.X) || b.y != float32(o.Y) || b.angle != float32(o.Angle) {
			t.Fatalf("object %v is shown as %+v, want owner %d at %+v", o.ID, b, o.Owner, o.Pose)
		}
	}
}

// TestFramesSayWhatChanges tests random views: browsers that miss frames show what those show that get
// all of them, and what stays the same is not sent.
func TestFramesSayWhatChanges(t *testing.T) {
	whole, still := 0, 0
	draws.CheckN(t, 30, func(t *rapid.T) {
		shapes, v := newFakeShapes(), room.View{TickRate: 60}
		var f feed
		var readers [2]frameReader
		var cursors [2]cursor
		next := world.ObjectID(1)
		for tick := range rapid.IntRange(5, 40).Draw(t, "ticks") {
			v.Tick = world.Tick(tick + 1)
			for range rapid.IntRange(0, 3).Draw(t, "added") {
				v.Bodies = append(v.Bodies, room.ViewBody{ID: next, Class: "Ship", Shape: &shapes.ship})
				next++
			}
			for range rapid.IntRange(0, 2).Draw(t, "removed") {
				if n := len(v.Bodies); n > 0 {
					i := rapid.IntRange(0, n-1).Draw(t, "which")
					v.Bodies = append(v.Bodies[:i:i], v.Bodies[i+1:]...)
				}
			}
			moved := 0
			for i := range v.Bodies {
				if rapid.Bool().Draw(t, "moves") {
					v.Bodies[i].Pose = physics.Pose{X: float64(tick), Y: rapid.Float64Range(-9, 9).Draw(t, "y")}
					v.Bodies[i].Owner = world.PlayerID(tick % 3)
					moved++
				}
			}
			f.publish(&v, nil, false)
			for i := range readers {
				if i == 1 && rapid.IntRange(0, 2).Draw(t, "busy") == 0 {
					continue
				}
				_, frame := f.news(&cursors[i])
				readers[i].read(t, frame)
				readers[i].check(t, &v)
				if readers[i].whole {
					whole++
				}
				if again, _ := f.news(&cursors[i]); again != nil {
					t.Fatalf("news after the news: %s", again)
				}
				if most := gamepage.FrameHead + 4*4 + (moved+3)*(gamepage.RowEntry+gamepage.PoseEntry+gamepage.BarEntry) + 2*gamepage.GoneEntry; i == 0 && len(frame) > most {
					t.Fatalf("a frame of %d bytes, at most %d for %d bodies that move", len(frame), most, moved)
				}
			}
			if moved < len(v.Bodies) {
				still++
			}
		}
	})
	if whole == 0 || still == 0 {
		t.Errorf("%d frames were whole, and in %d a body was still", whole, still)
	}
}
