package physics

import (
	"encoding/binary"
	"fmt"
	"math"
)

const jointVersion = 1 // the first byte that AppendJoint writes

// JointWire is the length of a joint's byte form.
const JointWire = 1 + 3*8 + 2 + 4 + (jointSettings+jointRows)*8

// AppendJoint appends the byte form of Joints[i], little-endian: version u8,
// key u64, body A u64, body B u64 (0: the world), kind u8, flags u8, rest u32, then
// float64: anchor A x, y, anchor B x, y, axis, angle, length, min, max, hertz,
// damping, turn hertz, turn damping, speed, max force, break force, break
// torque, and the impulses x, y, angle, motor, lower, upper.
func AppendJoint(dst []byte, s *State, i int) []byte {
	le := binary.LittleEndian
	j := &s.Joints[i]
	dst = append(dst, jointVersion)
	dst = le.AppendUint64(dst, j.Key)
	dst = le.AppendUint64(dst, j.KeyA)
	dst = le.AppendUint64(dst, j.KeyB)
	dst = append(dst, byte(j.Kind), byte(j.Flags))
	dst = le.AppendUint32(dst, j.Rest)
	for _, v := range j.floats() {
		dst = le.AppendUint64(dst, math.Float64bits(*v))
	}
	return dst
}

// ParseJoint reads what AppendJoint wrote, adds it to the joints of s, and returns the
// rest. find returns the slot of a key in s; a joint that names a body which find does
// not know is an error, unless it says that the body is gone, and so is one that does not
// come after the last one of s in the order of keys. After an error s is unchanged.
func ParseJoint(src []byte, s *State, find func(key uint64) (slot int, ok bool)) (rest []byte, err error) {
	if len(src) < JointWire {
		return src, fmt.Errorf("%w: a joint takes %d bytes, %d are left", ErrFormat, JointWire, len(src))
	}
	if src[0] != jointVersion {
		return src, fmt.Errorf("%w: joint version %d, this program reads %d", ErrFormat, src[0], jointVersion)
	}
	le := binary.LittleEndian
	j := Joint{
		Key:   le.Uint64(src[1:]),
		KeyA:  le.Uint64(src[9:]),
		KeyB:  le.Uint64(src[17:]),
		Kind:  JointKind(src[25]),
		Flags: JointFlags(src[26]),
		Rest:  le.Uint32(src[27:]),
	}
	for i, f := range j.floats() {
		*f = math.Float64frombits(le.Uint64(src[31+8*i:]))
	}
	if err := j.Check(); err != nil {
		return src, fmt.Errorf("%w: joint %016x: %w", ErrFormat, j.Key, err)
	}
	if !s.resolveJoint(&j, find) {
		return src, fmt.Errorf("%w: joint %016x: no body %016x or %016x here", ErrFormat, j.Key, j.KeyA, j.KeyB)
	}
	if err := j.checkMark(); err != nil {
		return src, err
	}
	if n := len(s.Joints); n > 0 && compareJoints(s.Joints[n-1], j) >= 0 {
		return src, fmt.Errorf("%w: joint %016x comes after one that it must precede, or occurs twice", ErrFormat,
			j.Key)
	}
	s.Joints = append(s.Joints, j)
	return src[JointWire:], nil
}

// checkMark refuses a joint that is marked gone but has more than its event needs.
func (j *Joint) checkMark() error {
	marked := *j
	marked.markGone()
	want, got := marked.floats(), j.floats()
	for i := range want {
		if math.Float64bits(*want[i]) != math.Float64bits(*got[i]) || marked.Flags != j.Flags || marked.Rest != j.Rest {
			return fmt.Errorf("%w: joint %016x is gone but has numbers", ErrFormat, j.Key)
		}
	}
	return nil
}
