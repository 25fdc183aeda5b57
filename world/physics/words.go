package physics

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A body, a contact and a joint as words of 64 bits, for code that encodes their
// changes. The words have the same content as the byte forms; slots are left out.

// Counts of words.
const (
	BodyWords    = 13
	ContactWords = 7
	JointWords   = 4 + jointSettings + jointRows
)

// AppendBodyWords appends the words of a body but for its key.
func AppendBodyWords(out []uint64, b *Body) []uint64 {
	out = append(out, uint64(b.Def)|uint64(b.Rest)<<32)
	for _, v := range [...]float64{b.X, b.Y, b.Angle, b.VX, b.VY, b.W, b.FX, b.FY, b.Torque, b.ImpFX, b.ImpFY, b.ImpT} {
		out = append(out, math.Float64bits(v))
	}
	return out
}

// BodyOf returns the body with a key and BodyWords words. It returns the errors of
// ParseBody.
func BodyOf(key uint64, words []uint64) (b Body, err error) {
	if err := checkWords("body", words, BodyWords); err != nil {
		return b, err
	}
	le := binary.LittleEndian
	src := append(le.AppendUint64([]byte{bodyVersion}, key), 0, 0, 0, 0)
	le.PutUint32(src[9:], uint32(words[0]))
	for _, w := range words[1:] {
		src = le.AppendUint64(src, w)
	}
	_, err = ParseBody(le.AppendUint32(src, uint32(words[0]>>32)), &b)
	return b, err
}

// checkWords returns an ErrFormat for another number of words than what takes.
func checkWords(what string, words []uint64, want int) error {
	if len(words) != want {
		return fmt.Errorf("%w: %d words: a %s takes %d", ErrFormat, len(words), what, want)
	}
	return nil
}

// Compare returns the order of State.Contacts.
func (c *Contact) Compare(d *Contact) int { return c.compare(d) }

// AppendContactWords appends the words of a contact.
func AppendContactWords(out []uint64, c *Contact) []uint64 {
	out = append(
		out,
		c.KeyA,
		c.KeyB,
		uint64(
			c.Flags,
		)|uint64(
			c.Count,
		)<<8|uint64(
			c.PartA,
		)<<16|uint64(
			c.PartB,
		)<<24|uint64(
			c.ID[0],
		)<<32|uint64(
			c.ID[1],
		)<<48,
	)
	for j := range c.Normal {
		out = append(out, math.Float64bits(c.Normal[j]), math.Float64bits(c.Tangent[j]))
	}
	return out
}

// AddContactOf adds the contact of ContactWords words to s, as ParseContact does, with
// the same errors.
func AddContactOf(words []uint64, s *State, find func(key uint64) (slot int, ok bool)) error {
	if err := checkWords("contact", words, ContactWords); err != nil {
		return err
	}
	le := binary.LittleEndian
	src := le.AppendUint64(le.AppendUint64([]byte{contactVersion}, words[0]), words[1])
	count := byte(words[2] >> 8)
	src = append(src, byte(words[2]), count, byte(words[2]>>16), byte(words[2]>>24))
	for j := range min(int(count), maxContact) {
		src = le.AppendUint16(src, uint16(words[2]>>(32+16*j)))
		src = le.AppendUint64(le.AppendUint64(src, words[3+2*j]), words[4+2*j])
	}
	_, err := ParseContact(src, s, find)
	return err
}

// Compare returns the order of State.Joints.
func (j *Joint) Compare(k *Joint) int { return j.compare(k) }

// AppendJointWords appends the words of a joint.
func AppendJointWords(out []uint64, j *Joint) []uint64 {
	out = append(out, j.Key, j.KeyA, j.KeyB, uint64(j.Kind)|uint64(j.Flags)<<8|uint64(j.Rest)<<32)
	for _, v := range j.floats() {
		out = append(out, math.Float64bits(*v))
	}
	return out
}

// AddJointOf adds the joint of JointWords words to s, as ParseJoint does, with the same
// errors.
func AddJointOf(words []uint64, s *State, find func(key uint64) (slot int, ok bool)) error {
	if err := checkWords("joint", words, JointWords); err != nil {
		return err
	}
	le := binary.LittleEndian
	src := []byte{jointVersion}
	for _, w := range words[:3] {
		src = le.AppendUint64(src, w)
	}
	src = le.AppendUint32(append(src, byte(words[3]), byte(words[3]>>8)), uint32(words[3]>>32))
	for _, w := range words[4:] {
		src = le.AppendUint64(src, w)
	}
	_, err := ParseJoint(src, s, find)
	return err
}
