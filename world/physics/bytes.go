package physics

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrFormat is the reason why bytes are not a body, a contact or a joint,
// wrapped with the details.
var ErrFormat = errors.New("bad physics bytes")

// The versions that AppendBody and AppendContact write, in the first byte.
const (
	bodyVersion    = 2
	contactVersion = 2
)

// Lengths of the byte forms.
const (
	BodyWire    = 1 + 8 + 4 + 12*8 + 4 // always
	ContactWire = 1 + 16 + 4           // at least; 18 more for each point
	pointWire   = 2 + 8 + 8
	maxContact  = 2 // points
)

// AppendBody appends the byte form of a body, little-endian: version u8, key
// u64, def u32, then float64: x, y, angle, vx, vy, w, fx, fy, torque, and the
// forces of this tick fx, fy, torque, and rest u32. Cos and Sin follow from
// the angle.
func AppendBody(dst []byte, b *Body) []byte {
	le := binary.LittleEndian
	dst = append(dst, bodyVersion)
	dst = le.AppendUint64(dst, b.Key)
	dst = le.AppendUint32(dst, b.Def)
	for _, v := range [...]float64{b.X, b.Y, b.Angle, b.VX, b.VY, b.W, b.FX, b.FY, b.Torque, b.ImpFX, b.ImpFY, b.ImpT} {
		dst = le.AppendUint64(dst, math.Float64bits(v))
	}
	return le.AppendUint32(dst, b.Rest)
}

// ParseBody reads into b what AppendBody wrote, and returns the rest. After an error b is
// unchanged. A body in bytes has a key, finite numbers and an angle in (-pi, pi]; the
// next Step clamps positions and speeds that are beyond the limits.
func ParseBody(src []byte, b *Body) (rest []byte, err error) {
	if len(src) < BodyWire {
		return src, fmt.Errorf("%w: a body takes %d bytes, %d are left", ErrFormat, BodyWire, len(src))
	}
	if src[0] != bodyVersion {
		return src, fmt.Errorf("%w: body version %d, this program reads %d", ErrFormat, src[0], bodyVersion)
	}
	le := binary.LittleEndian
	p := Body{Key: le.Uint64(src[1:]), Def: le.Uint32(src[9:])}
	if p.Key == 0 {
		return src, fmt.Errorf("%w: a body with key 0", ErrFormat)
	}
	fields := [...]*float64{
		&p.X,
		&p.Y,
		&p.Angle,
		&p.VX,
		&p.VY,
		&p.W,
		&p.FX,
		&p.FY,
		&p.Torque,
		&p.ImpFX,
		&p.ImpFY,
		&p.ImpT,
	}
	for i, f := range fields {
		*f = math.Float64frombits(le.Uint64(src[13+8*i:]))
		if !finite(*f) {
			return src, fmt.Errorf("%w: body %016x: number %d is %v", ErrFormat, p.Key, i, *f)
		}
	}
	angle := p.Angle
	p.SetAngle(angle)
	if math.Float64bits(p.Angle) != math.Float64bits(angle) {
		return src, fmt.Errorf("%w: body %016x: angle %v is not in (-pi, pi]", ErrFormat, p.Key, angle)
	}
	p.Rest = le.Uint32(src[BodyWire-4:])
	*b = p
	return src[BodyWire:], nil
}

// AppendContact appends the byte form of Contacts[i], little-endian: version
// u8, lower key u64, higher key u64, flags u8, points u8, parts of the lower
// and of the higher u8, and for each point id u16, normal and tangent impulse float64.
func AppendContact(dst []byte, s *State, i int) []byte {
	le := binary.LittleEndian
	c := &s.Contacts[i]
	dst = append(dst, contactVersion)
	dst = le.AppendUint64(dst, c.KeyA)
	dst = le.AppendUint64(dst, c.KeyB)
	dst = append(dst, byte(c.Flags), c.Count, c.PartA, c.PartB)
	for j := range c.Count {
		dst = le.AppendUint16(dst, c.ID[j])
		dst = le.AppendUint64(dst, math.Float64bits(c.Normal[j]))
		dst = le.AppendUint64(dst, math.Float64bits(c.Tangent[j]))
	}
	return dst
}

// ParseContact reads what AppendContact wrote, adds it to the contacts of s, and returns
// the rest. find returns the slot of a key in s; a contact that names a body which find
// does not know is an error, unless it says that the body is gone, and so is one that
// does not come after the last one of s in the order of keys. After an error s is
// unchanged.
func ParseContact(src []byte, s *State, find func(key uint64) (slot int, ok bool)) (rest []byte, err error) {
	c, rest, err := parseContact(src)
	if err != nil {
		return src, err
	}
	slotA, okA := find(c.KeyA)
	slotB, okB := find(c.KeyB)
	switch {
	case c.Flags&GoneA != 0:
		slotA, okA = slotB, okB
	case c.Flags&GoneB != 0:
		slotB, okB = slotA, okA
	}
	if !okA || !okB {
		return src, fmt.Errorf("%w: contact %016x-%016x: no such bodies here", ErrFormat, c.KeyA, c.KeyB)
	}
	c.SlotA, c.SlotB = int32(slotA), int32(slotB)
	if n := len(s.Contacts); n > 0 && compareContacts(s.Contacts[n-1], c) >= 0 {
		return src, fmt.Errorf("%w: contact %016x-%016x comes after one that it must precede, or occurs twice",
			ErrFormat, c.KeyA, c.KeyB)
	}
	s.Contacts = append(s.Contacts, c)
	return rest, nil
}

// parseContact reads a contact without slots.
func parseContact(src []byte) (c Contact, rest []byte, err error) {
	if len(src) < ContactWire {
		return c, src, fmt.Errorf("%w: a contact takes at least %d bytes, %d are left", ErrFormat, ContactWire,
			len(src))
	}
	if src[0] != contactVersion {
		return c, src, fmt.Errorf("%w: contact version %d, this program reads %d", ErrFormat, src[0], contactVersion)
	}
	le := binary.LittleEndian
	c = Contact{
		KeyA:  le.Uint64(src[1:]),
		KeyB:  le.Uint64(src[9:]),
		Flags: ContactFlags(src[17]),
		Count: src[18],
		PartA: src[19],
		PartB: src[20],
	}
	if err := c.check(); err != nil {
		return c, src, err
	}
	rest = src[ContactWire:]
	if len(rest) < int(c.Count)*pointWire {
		return c, src, fmt.Errorf("%w: contact %016x-%016x: %d points in %d bytes", ErrFormat, c.KeyA, c.KeyB,
			c.Count, len(rest))
	}
	for j := range c.Count {
		c.ID[j] = le.Uint16(rest)
		c.Normal[j] = math.Float64frombits(le.Uint64(rest[2:]))
		c.Tangent[j] = math.Float64frombits(le.Uint64(rest[10:]))
		rest = rest[pointWire:]
		if !finite(c.Normal[j]) || !finite(c.Tangent[j]) || c.Normal[j] < 0 {
			return c, src, fmt.Errorf("%w: contact %016x-%016x: impulses %v and %v", ErrFormat, c.KeyA, c.KeyB,
				c.Normal[j], c.Tangent[j])
		}
	}
	return c, rest, nil
}

// check refuses values that no step makes.
func (c *Contact) check() error {
	pointless := c.Flags&(SensorContact|goneFlags) != 0
	switch {
	case c.KeyA == 0 || c.KeyA >= c.KeyB:
		return fmt.Errorf("%w: contact %016x-%016x: the lower key comes first, and none is 0", ErrFormat, c.KeyA,
			c.KeyB)
	case c.Flags&^knownFlags != 0 || c.Flags&goneFlags == goneFlags:
		return fmt.Errorf("%w: contact %016x-%016x: flags %08b", ErrFormat, c.KeyA, c.KeyB, c.Flags)
	case c.Count > maxContact || c.Count > 0 && pointless || c.Count == 0 && !pointless:
		return fmt.Errorf("%w: contact %016x-%016x: %d points with flags %08b", ErrFormat, c.KeyA, c.KeyB, c.Count,
			c.Flags)
	case c.Gone() && c.PartA|c.PartB != 0:
		return fmt.Errorf("%w: contact %016x-%016x: gone, with parts %d and %d", ErrFormat, c.KeyA, c.KeyB, c.PartA,
			c.PartB)
	}
	return nil
}
