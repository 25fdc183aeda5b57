package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// AppendCorrection appends the bytes of m.
func AppendCorrection(b []byte, m *Correction) []byte {
	b = append(b, byte(KindCorrection))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	b = append(appendObject(b, m.Object), byte(m.Wrong))
	b = binary.AppendUvarint(b, uint64(m.Rewound.Player))
	if m.Rewound.Player != 0 {
		b = appendNear(b, uint32(m.Rewound.Tick), uint64(m.Tick))
		b = binary.AppendUvarint(b, uint64(m.Rewound.Late))
	}
	return appendBytes(b, m.State)
}

// ParseCorrection reads a Correction; State points into b, and is for
// world.ParseState to read.
func ParseCorrection(b []byte) (Correction, error) {
	r := open(b, KindCorrection)
	m := Correction{Tick: r.tick("tick"), Object: r.object("object"), Wrong: Wrong(r.byte("wrong"))}
	if m.Wrong&^allWrong != 0 {
		r.fail("wrong", "%#x has unknown bits", uint8(m.Wrong))
	}
	if m.Rewound.Player = r.player("rewound for"); m.Rewound.Player != 0 {
		m.Rewound.Tick = world.Tick(r.near("rewound tick", uint64(m.Tick)))
		m.Rewound.Late = r.uint32("late")
	}
	m.State = r.bytes("state", math.MaxInt32)
	return m, r.close()
}

// AppendKeyframe appends the bytes of m.
func AppendKeyframe(b []byte, m *Keyframe) []byte {
	b = append(b, byte(KindKeyframe))
	b = binary.AppendUvarint(b, uint64(m.FirstSeq))
	b = binary.AppendUvarint(b, uint64(m.Snapshot))
	b = binary.AppendUvarint(b, uint64(len(m.Held)))
	for i := range m.Held {
		b = AppendEvent(b, &m.Held[i])
	}
	return appendBytes(appendBytes(b, m.State), m.Trail)
}

// ParseKeyframe reads a Keyframe; State and Trail point into b, and are for
// world.ParseState and world.ParseTrail to read.
func ParseKeyframe(b []byte) (Keyframe, error) {
	r := open(b, KindKeyframe)
	m := Keyframe{FirstSeq: r.uint32("first seq"), Snapshot: r.uint32("snapshot")}
	if n := r.count("held inputs", MaxHeld, minInputEvent); n > 0 {
		m.Held = make([]world.Event, n)
	}
	for i := range m.Held {
		if r.event(&m.Held[i]); r.err == nil && m.Held[i].Kind != world.InputEvent {
			r.fail("held inputs", "event %d of %d is of kind %s", i+1, len(m.Held), m.Held[i].Kind)
		}
		if r.err != nil {
			break
		}
	}
	m.State = r.bytes("state", math.MaxInt32)
	m.Trail = r.bytes("trail", math.MaxInt32)
	return m, r.close()
}

// AppendStateWant appends the bytes of m.
func AppendStateWant(b []byte, m *StateWant) []byte {
	b = append(b, byte(KindStateWant))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	return binary.LittleEndian.AppendUint64(b, m.Hash)
}

// ParseStateWant reads a StateWant.
func ParseStateWant(b []byte) (StateWant, error) {
	r := open(b, KindStateWant)
	m := StateWant{Tick: r.tick("tick"), Hash: r.fixed64("hash")}
	return m, r.close()
}

// AppendStateReply appends the bytes of m.
func AppendStateReply(b []byte, m *StateReply) []byte {
	b = append(b, byte(KindStateReply))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	return appendBytes(b, m.State)
}

// ParseStateReply reads a StateReply; State points into b, and is for
// world.ParseState to read.
func ParseStateReply(b []byte) (StateReply, error) {
	r := open(b, KindStateReply)
	m := StateReply{Tick: r.tick("tick"), State: r.bytes("state", math.MaxInt32)}
	return m, r.close()
}
