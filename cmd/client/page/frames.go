package gamepage

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// FrameHead is the length of the head of a frame in bytes. A frame has the head and what has changed since the
// frame before. Its numbers are little-endian. Each body that is shown has a slot, by which the lists name it.
// Each list begins with its length as a u32.
//
//	head   u32 tick, confirmed, rewinds, corrections, repredictions; f32 round trip (ms), lead (ticks),
//	       part (of the tick that is shown); u32 whole: 1 if the lists have everything
//	gone   u16 slot
//	rows   u16 slot, u64 id, u16 kind, u16 owner
//	poses  u16 slot, f32 x, y (metres), angle (radians)
//	bars   u16 slot, f32 bar (0 to 1; below 0: none)
//
// room.js and bodies.js read it.
const FrameHead = 36

// How many bytes the entries of the lists have.
const (
	GoneEntry = 2
	RowEntry  = 14
	PoseEntry = 14
	BarEntry  = 6
)

// frames makes the frames of views. A browser that has the frame before the newest gets what has
// changed since then, any other one everything.
type frames struct {
	seq    uint64
	head   []byte // of the newest frame
	bodies []shownBody
	slots  map[world.ObjectID]uint16 // of bodies
	free   []uint16
	change []byte // the newest frame, for a browser that has the one before
	whole  []byte // for others; nil: nobody has needed it yet
}

// shownBody is what browsers know of the body in a slot, in the bits that are sent.
type shownBody struct {
	id          world.ObjectID // 0: the slot is free
	kind, owner uint16
	pose        [3]uint32
	bar         uint32
	seen        uint64 // the last frame that has it
}

// noPose differs from each pose: its bits are those of no number.
const noPose = math.MaxUint32

// publish makes the next frame of a view.
func (f *frames) publish(v *room.View, kinds *kindTable) {
	if f.slots == nil {
		f.slots = map[world.ObjectID]uint16{}
	}
	f.seq++
	f.whole = nil
	f.head = appendHead(make([]byte, 0, FrameHead), v)
	var l lists
	for i := range v.Bodies {
		f.show(&v.Bodies[i], kinds, &l)
	}
	for slot := range f.bodies {
		if b := &f.bodies[slot]; b.id != 0 && b.seen != f.seq {
			l.goes(uint16(slot))
			delete(f.slots, b.id)
			f.free = append(f.free, uint16(slot))
			*b = shownBody{}
		}
	}
	f.change = l.append(f.head, false)
}

// show notes what has changed of a body.
func (f *frames) show(o *room.ViewBody, kinds *kindTable, l *lists) {
	slot, known := f.slots[o.ID]
	if !known {
		slot = f.take(o.ID)
	}
	b := &f.bodies[slot]
	b.seen = f.seq
	if kind, owner := kinds.of(o), uint16(o.Owner); !known || kind != b.kind || owner != b.owner {
		b.kind, b.owner = kind, owner
		l.row(slot, b)
	}
	if pose := [3]uint32{bits(o.X), bits(o.Y), bits(o.Angle)}; pose != b.pose {
		b.pose = pose
		l.posed(slot, b)
	}
	bar, ok := o.Bar()
	if !ok {
		bar = -1
	}
	if bar := bits(bar); bar != b.bar {
		b.bar = bar
		l.barred(slot, b)
	}
}

// take takes a slot for a body. There are always enough: world.MaxObjects is below 1<<16.
func (f *frames) take(id world.ObjectID) (slot uint16) {
	if n := len(f.free); n > 0 {
		slot, f.free = f.free[n-1], f.free[:n-1]
	} else {
		slot = uint16(len(f.bodies))
		f.bodies = append(f.bodies, shownBody{})
	}
	f.slots[id] = slot
	f.bodies[slot] = shownBody{id: id, pose: [3]uint32{noPose, noPose, noPose}, bar: noPose}
	return slot
}

// since returns the frame for a browser that has been sent the one of number *seq, which it moves; nil
// if that is the newest.
func (f *frames) since(seq *uint64) []byte {
	before := *seq
	*seq = f.seq
	switch before {
	case f.seq:
		return nil
	case f.seq - 1:
		return f.change
	}
	return f.all()
}

// all returns the newest frame with everything.
func (f *frames) all() []byte {
	if f.whole == nil {
		var l lists
		for slot := range f.bodies {
			if b := &f.bodies[slot]; b.id != 0 {
				l.row(uint16(slot), b)
				l.posed(uint16(slot), b)
				l.barred(uint16(slot), b)
			}
		}
		f.whole = l.append(f.head, true)
	}
	return f.whole
}

// lists are the entries of a frame.
type lists struct {
	gone, rows, poses, bars []byte
}

func (l *lists) goes(slot uint16) { l.gone = binary.LittleEndian.AppendUint16(l.gone, slot) }

func (l *lists) row(slot uint16, b *shownBody) {
	le := binary.LittleEndian
	l.rows = le.AppendUint16(le.AppendUint16(le.AppendUint64(le.AppendUint16(l.rows, slot), uint64(b.id)), b.kind),
		b.owner)
}

func (l *lists) posed(slot uint16, b *shownBody) {
	le := binary.LittleEndian
	l.poses = le.AppendUint32(
		le.AppendUint32(le.AppendUint32(le.AppendUint16(l.poses, slot), b.pose[0]), b.pose[1]), b.pose[2])
}

func (l *lists) barred(slot uint16, b *shownBody) {
	le := binary.LittleEndian
	l.bars = le.AppendUint32(le.AppendUint16(l.bars, slot), b.bar)
}

// append returns a frame of a head and the lists.
func (l *lists) append(head []byte, whole bool) []byte {
	out := make([]byte, 0, FrameHead+4*4+len(l.gone)+len(l.rows)+len(l.poses)+len(l.bars))
	out = append(out, head...)
	if whole {
		binary.LittleEndian.PutUint32(out[FrameHead-4:], 1)
	}
	for _, list := range []struct {
		data  []byte
		entry int
	}{{l.gone, GoneEntry}, {l.rows, RowEntry}, {l.poses, PoseEntry}, {l.bars, BarEntry}} {
		out = binary.LittleEndian.AppendUint32(out, uint32(len(list.data)/list.entry))
		out = append(out, list.data...)
	}
	return out
}

// appendHead appends the head of a frame that is not whole.
func appendHead(b []byte, v *room.View) []byte {
	le := binary.LittleEndian
	for _, n := range [...]uint32{uint32(v.Tick), uint32(v.Confirmed), uint32(v.Rewinds), uint32(v.Corrections),
		uint32(v.Repredictions)} {
		b = le.AppendUint32(b, n)
	}
	for _, n := range [...]float64{v.RTT, v.Lead, v.Alpha} {
		b = le.AppendUint32(b, bits(n))
	}
	return le.AppendUint32(b, 0)
}

func bits(v float64) uint32 { return math.Float32bits(float32(v)) }
