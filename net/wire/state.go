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
	b = append(appendObject(b, m.Object), byte(m.Mismatch))
	b = binary.AppendUvarint(b, uint64(m.Cause.Player))
	if m.Cause.Player != 0 {
		b = appendNear(b, uint32(m.Cause.Tick), uint64(m.Tick))
		b = binary.AppendUvarint(b, uint64(m.Cause.Late))
	}
	return appendBytes(b, m.State)
}

// ParseCorrection reads a Correction. State points into b; world.ParseState reads it.
// The error wraps ErrMalformed.
func ParseCorrection(b []byte) (Correction, error) {
	r := open(b, KindCorrection)
	m := Correction{Tick: r.tick("tick"), Object: r.object("object"), Mismatch: Mismatch(r.byte("mismatch"))}
	if m.Mismatch&^allMismatches != 0 {
		r.fail("mismatch", "%#x has unknown bits", uint8(m.Mismatch))
	}
	if m.Cause.Player = r.player("cause player"); m.Cause.Player != 0 {
		m.Cause.Tick = world.Tick(r.near("cause tick", uint64(m.Tick)))
		m.Cause.Late = r.uint32("cause late")
	}
	m.State = r.bytes("state", math.MaxInt32)
	return m, r.close()
}

// AppendKeyframe appends the bytes of m.
func AppendKeyframe(b []byte, m *Keyframe) []byte {
	b = append(b, byte(KindKeyframe))
	b = binary.AppendUvarint(b, uint64(m.FirstSeq))
	b = binary.AppendUvarint(b, uint64(m.Snapshot))
	b = binary.AppendUvarint(b, uint64(len(m.LastInputs)))
	for i := range m.LastInputs {
		b = AppendEvent(b, &m.LastInputs[i])
	}
	return appendBytes(appendBytes(b, m.State), m.PoseHistory)
}

// ParseKeyframe reads a Keyframe. State and PoseHistory point into b;
// world.ParseState and world.ParsePoseHistory read them. The error wraps ErrMalformed.
func ParseKeyframe(b []byte) (Keyframe, error) {
	r := open(b, KindKeyframe)
	m := Keyframe{FirstSeq: r.uint32("first seq"), Snapshot: r.uint32("snapshot")}
	if n := r.count("last inputs", MaxLastInputs, minInputEvent); n > 0 {
		m.LastInputs = make([]world.Event, n)
	}
	for i := range m.LastInputs {
		if readEvent(&r, &m.LastInputs[i]); !r.failed() && m.LastInputs[i].Kind != world.InputEvent {
			r.fail("last inputs", "event %d of %d is of kind %s", i+1, len(m.LastInputs), m.LastInputs[i].Kind)
		}
		if r.failed() {
			break
		}
	}
	m.State = r.bytes("state", math.MaxInt32)
	m.PoseHistory = r.bytes("pose history", math.MaxInt32)
	return m, r.close()
}

// AppendStateWant appends the bytes of m.
func AppendStateWant(b []byte, m *StateWant) []byte {
	b = append(b, byte(KindStateWant))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	return binary.LittleEndian.AppendUint64(b, m.Hash)
}

// ParseStateWant reads a StateWant. The error wraps ErrMalformed.
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

// ParseStateReply reads a StateReply. State points into b; world.ParseState reads it.
// The error wraps ErrMalformed.
func ParseStateReply(b []byte) (StateReply, error) {
	r := open(b, KindStateReply)
	m := StateReply{Tick: r.tick("tick"), State: r.bytes("state", math.MaxInt32)}
	return m, r.close()
}
