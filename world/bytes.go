package world

import (
	"encoding/binary"
	"fmt"

	"github.com/hindcast/hindcast/world/physics"
)

// stateVersion is the first byte of the byte form of a State.
const stateVersion = 6

// AppendState appends the byte form of the whole state: a keyframe. The schema is that of the state's
// bundle.
func AppendState(b []byte, s *State, schema *Schema) []byte {
	return AppendObjects(b, s, schema, s.Run)
}

// AppendObjects appends the byte form of the objects in slots, of the
// contacts and joints among them, and of what belongs to no object: a
// correction. A joint with the world is one among them if its body is.
//
// Little-endian: version u8, tick u32, bundle u32, seed u64, stride u16;
// players: count u16, each id u16, joined u32, left u32; suspensions: count u32,
// each class u16, owner u16, hooks u8, times u8, since u32, until u32; objects: count u32,
// each id u64, spawned u32, order i32, class u16, owner u16, nth u16, flags u8
// (1 removed, 2 has a body, 4 its fields are whole), HookCount fault counters
// u8, its fields (stride words u64, then those of its aux fields, if they are whole, otherwise as appendRow has
// them), and the body; contacts: count u32, each as physics.AppendContact writes
// it; joints: count u32, each as physics.AppendJoint does.
func AppendObjects(b []byte, s *State, schema *Schema, slots []int32) []byte {
	le := binary.LittleEndian
	b = append(b, stateVersion)
	b = le.AppendUint32(b, uint32(s.Tick))
	b = le.AppendUint32(b, s.Bundle)
	b = le.AppendUint64(b, s.Seed)
	b = le.AppendUint16(b, uint16(s.Rows.Stride))
	b = le.AppendUint16(b, uint16(len(s.Players)))
	for _, p := range s.Players {
		b = le.AppendUint16(b, uint16(p.ID))
		b = le.AppendUint32(b, uint32(p.Joined))
		b = le.AppendUint32(b, uint32(p.Left))
	}
	b = le.AppendUint32(b, uint32(len(s.Suspended)))
	for i := range s.Suspended {
		b = appendSuspension(b, &s.Suspended[i])
	}
	b = le.AppendUint32(b, uint32(len(slots)))
	for _, slot := range slots {
		b = appendObject(b, s, schema, int(slot))
	}
	in := make([]bool, len(s.Objects))
	for _, slot := range slots {
		in[slot] = true
	}
	return appendJoints(appendContacts(b, s, in), s, in)
}

const (
	flagRemoved = 1 << iota
	flagBody
	flagWhole
)

func appendObject(b []byte, s *State, schema *Schema, slot int) []byte {
	le := binary.LittleEndian
	o, row := &s.Objects[slot], s.Row(slot)
	class := &schema.Classes[o.Class]
	var flags byte
	if !class.isTidy(row) {
		flags |= flagWhole
	}
	if o.Removed {
		flags |= flagRemoved
	}
	if s.Physics.Bodies[slot].Key != 0 {
		flags |= flagBody
	}
	b = le.AppendUint64(b, uint64(o.ID))
	b = le.AppendUint32(b, uint32(o.Spawned))
	b = le.AppendUint32(b, uint32(o.Order))
	b = le.AppendUint16(b, o.Class)
	b = le.AppendUint16(b, uint16(o.Owner))
	b = le.AppendUint16(b, o.Nth)
	b = append(b, flags)
	counts, pause := o.faultWords()
	b = le.AppendUint64(le.AppendUint64(b, counts), pause)
	if flags&flagWhole == 0 {
		b = class.appendRow(b, row)
	} else {
		for _, part := range [...][]uint64{row.State, row.Aux} {
			for _, word := range part {
				b = le.AppendUint64(b, word)
			}
		}
	}
	if flags&flagBody != 0 {
		b = physics.AppendBody(b, &s.Physics.Bodies[slot])
	}
	return b
}

func appendSuspension(b []byte, s *Suspension) []byte {
	le := binary.LittleEndian
	b = le.AppendUint16(b, s.Class)
	b = le.AppendUint16(b, uint16(s.Owner))
	b = append(b, byte(s.Hooks), s.Times)
	return le.AppendUint32(le.AppendUint32(b, uint32(s.Since)), uint32(s.Until))
}

// parseSuspension reads what appendSuspension appends. They are in order.
func parseSuspension(r *reader, to *State, schema *Schema) {
	s := Suspension{Class: r.u16(), Owner: PlayerID(r.u16()), Hooks: HookGroup(r.u8()), Times: r.u8(),
		Since: Tick(r.u32()), Until: Tick(r.u32())}
	if r.err != nil {
		return
	}
	n := len(to.Suspended)
	switch {
	case s.Class != EveryClass && int(s.Class) >= len(schema.Classes), s.Hooks >= hookGroups,
		s.Times == 0 || s.Times > maxTimes, s.Since > s.Until:
		r.fail(fmt.Errorf("suspension %+v", s))
	case n > 0 && compareSuspensions(to.Suspended[n-1], s) >= 0:
		r.fail(fmt.Errorf("suspension %+v after %+v", s, to.Suspended[n-1]))
	}
	to.Suspended = append(to.Suspended, s)
}

// appendContacts appends the contacts of which both ends are in.
func appendContacts(b []byte, s *State, in []bool) []byte {
	at, n := len(b), uint32(0)
	b = binary.LittleEndian.AppendUint32(b, 0)
	for i := range s.Physics.Contacts {
		if c := &s.Physics.Contacts[i]; in[c.SlotA] && in[c.SlotB] {
			b = physics.AppendContact(b, &s.Physics, i)
			n++
		}
	}
	binary.LittleEndian.PutUint32(b[at:], n)
	return b
}

// appendJoints appends the joints of which all ends are in.
func appendJoints(b []byte, s *State, in []bool) []byte {
	at, n := len(b), uint32(0)
	b = binary.LittleEndian.AppendUint32(b, 0)
	for i := range s.Physics.Joints {
		if j := &s.Physics.Joints[i]; (j.SlotA < 0 || in[j.SlotA]) && (j.SlotB < 0 || in[j.SlotB]) {
			b = physics.AppendJoint(b, &s.Physics, i)
			n++
		}
	}
	binary.LittleEndian.PutUint32(b[at:], n)
	return b
}

// ParseState reads the byte form that AppendState and AppendObjects write. The schema
// is that of the state's bundle; bytes that do not fit it are an error.
func ParseState(b []byte, schema *Schema) (*State, error) {
	r := reader{b: b}
	if v := r.u8(); r.err == nil && v != stateVersion {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrFormat, v, stateVersion)
	}
	s := &State{Tick: Tick(r.u32()), Bundle: r.u32(), Seed: r.u64(), Rows: Rows{Stride: int(r.u16())}}
	if r.err == nil && s.Rows.Stride != schema.rowWords() {
		return nil, fmt.Errorf("%w: rows of %d words, the bundle declares %d", ErrFormat, s.Rows.Stride,
			schema.rowWords())
	}
	for n := r.count(int(r.u16()), 10); n > 0 && r.err == nil; n-- {
		addPlayer(s, Player{ID: PlayerID(r.u16()), Joined: Tick(r.u32()), Left: Tick(r.u32())})
	}
	for n := r.count(int(r.u32()), 14); n > 0 && r.err == nil; n-- {
		parseSuspension(&r, s, schema)
	}
	for n := r.count(int(r.u32()), 23+int(HookCount)); n > 0 && r.err == nil; n-- {
		parseObject(&r, s, schema)
	}
	find := func(key uint64) (int, bool) { return s.Find(ObjectID(key)) }
	for n := r.count(int(r.u32()), 16); n > 0 && r.err == nil; n-- {
		rest, err := physics.ParseContact(r.b, &s.Physics, find)
		r.b = rest
		r.fail(err)
	}
	bodied := func(key uint64) (int, bool) {
		slot, ok := s.Find(ObjectID(key))
		return slot, ok && s.Physics.Bodies[slot].Key != 0
	}
	for n := r.count(int(r.u32()), physics.JointWire); n > 0 && r.err == nil; n-- {
		rest, err := physics.ParseJoint(r.b, &s.Physics, bodied)
		r.b = rest
		r.fail(err)
	}
	if r.err == nil && len(r.b) != 0 {
		r.fail(fmt.Errorf("%d bytes too many", len(r.b)))
	}
	if r.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, r.err)
	}
	return s, nil
}

func parseObject(r *reader, s *State, schema *Schema) {
	o := Object{
		ID:      ObjectID(r.u64()),
		Spawned: Tick(r.u32()),
		Order:   int32(r.u32()),
		Class:   r.u16(),
		Owner:   PlayerID(r.u16()),
		Nth:     r.u16(),
	}
	flags := r.u8()
	o.Removed = flags&flagRemoved != 0
	counts := r.u64()
	if err := o.setFaultWords(counts, r.u64()); err != nil {
		r.fail(err)
	}
	if _, twice := s.Find(o.ID); twice || o.ID == 0 {
		r.fail(fmt.Errorf("object %s occurs twice or has no id", o.ID))
	}
	if int(o.Class) >= len(schema.Classes) || len(s.Objects) >= MaxObjects {
		r.fail(fmt.Errorf("object %s: class %d of %d, object %d", o.ID, o.Class, len(schema.Classes), len(s.Objects)))
	}
	if r.err != nil {
		return
	}
	slot := len(s.Objects)
	s.set(slot, o)
	class := &schema.Classes[o.Class]
	row := Row{s.Rows.flat(slot), make([]uint64, auxWords(class))}
	if flags&flagWhole == 0 {
		class.parseRow(r, row)
	} else {
		for _, part := range [...][]uint64{row.State, row.Aux} {
			for i := range part {
				part[i] = r.u64()
			}
		}
	}
	s.Rows.putAux(slot, class, row.Aux)
	if flags&flagBody == 0 || r.err != nil {
		return
	}
	rest, err := physics.ParseBody(r.b, &s.Physics.Bodies[slot])
	r.b = rest
	r.fail(err)
	body := s.Body(slot)
	if r.err == nil && (body.Key != uint64(o.ID) || int(body.Def) >= len(schema.Defs)) {
		r.fail(fmt.Errorf("object %s: body %016x of def %d", o.ID, body.Key, body.Def))
	}
}

// reader reads little-endian numbers from a slice. It keeps the first error.
type reader struct {
	b    []byte
	err  error
	none [64]byte // the result of take after an error
}

// ok reports whether there has been no error.
func (r *reader) ok() bool { return r.err == nil }

// failure returns the first error.
func (r *reader) failure() error { return r.err }

// left returns how many bytes have not been read.
func (r *reader) left() int { return len(r.b) }

func (r *reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = err
	}
}

// count refuses a number of entries, of size bytes each, that the rest cannot hold.
func (r *reader) count(n, size int) int {
	if r.err == nil && n > len(r.b)/size {
		r.fail(fmt.Errorf("%d entries of %d bytes announced in %d bytes", n, size, len(r.b)))
	}
	return n
}

func (r *reader) take(n int) []byte {
	if r.err != nil || len(r.b) < n {
		r.fail(fmt.Errorf("cut off: %d bytes wanted, %d left", n, len(r.b)))
		return r.none[:min(n, len(r.none))]
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) u8() byte    { return r.take(1)[0] }
func (r *reader) u16() uint16 { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *reader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// BundleOf returns the bundle number of a state's byte form. ParseState needs the schema of that
// bundle. If there are too few bytes, the error wraps ErrFormat.
func BundleOf(b []byte) (uint32, error) {
	r := reader{b: b}
	r.u8()
	r.u32()
	n := r.u32()
	return n, r.err
}
