package wire

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hindcast/hindcast/world"
)

// reader reads the fields of one message. It keeps the first error. Everything that is
// read after it is zero, so a parser may go on to the end and check for an error once.
type reader struct {
	kind Kind
	size int // of the whole message
	b    []byte
	err  error
}

// open returns a reader of a message, after its kind.
func open(b []byte, kind Kind) reader {
	r := reader{kind: kind, size: len(b), b: b}
	if got := KindOf(b); got != kind {
		r.fail("kind", "%d, not %d", uint8(got), uint8(kind))
		return r
	}
	r.b = b[1:]
	return r
}

// openDatagram returns open for a message that must fit into a datagram.
func openDatagram(b []byte, kind Kind) reader {
	r := open(b, kind)
	if len(b) > MaxDatagram {
		r.fail("size", "%d bytes, at most %d", len(b), MaxDatagram)
	}
	return r
}

// failed reports whether there is an error.
func (r *reader) failed() bool { return r.err != nil }

// failure returns the first error.
func (r *reader) failure() error { return r.err }

// rest returns all bytes that are left.
func (r *reader) rest(field string) []byte { return r.take(field, len(r.b)) }

// close returns the first error; bytes that are left over are one.
func (r *reader) close() error {
	if len(r.b) != 0 {
		r.fail("end", "%d bytes too many", len(r.b))
	}
	return r.err
}

// fail keeps an error about a field, unless there is one already.
func (r *reader) fail(field, format string, args ...any) {
	if r.err == nil {
		at := r.size - len(r.b)
		r.err = &MalformedError{Kind: r.kind, Field: field, At: at, Why: fmt.Sprintf(format, args...)}
	}
	r.b = nil
}

// take returns the next n bytes, or nil.
func (r *reader) take(field string, n int) []byte {
	if n > len(r.b) {
		r.fail(field, "cut off: %d bytes wanted, %d left", n, len(r.b))
		return nil
	}
	b := r.b[:n:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) byte(field string) byte {
	if b := r.take(field, 1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) fixed32(field string) uint32 {
	if b := r.take(field, 4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) fixed64(field string) uint64 {
	if b := r.take(field, 8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// uvarint reads a number that is at most most. Each number has one encoding: needless
// zero bytes are refused.
func (r *reader) uvarint(field string, most uint64) uint64 {
	v, n := binary.Uvarint(r.b)
	switch {
	case n == 0:
		r.fail(field, "cut off in a number")
	case n < 0:
		r.fail(field, "a number of more than 64 bits")
	case n > 1 && r.b[n-1] == 0:
		r.fail(field, "a number with %d needless bytes", n)
	case v > most:
		r.fail(field, "%d is above %d", v, most)
	default:
		r.b = r.b[n:]
		return v
	}
	return 0
}

func (r *reader) uint32(field string) uint32 {
	return uint32(r.uvarint(field, math.MaxUint32))
}

func (r *reader) tick(field string) world.Tick { return world.Tick(r.uint32(field)) }

func (r *reader) player(field string) world.PlayerID {
	return world.PlayerID(r.uvarint(field, math.MaxUint16))
}

// object reads 8 bytes. Object ids have their top bit set, so a varint would take 10.
func (r *reader) object(field string) world.ObjectID {
	return world.ObjectID(r.fixed64(field))
}

// count reads the number of entries of a list, at most most, of at least size bytes
// each. It fails if the bytes that are left cannot hold so many.
func (r *reader) count(field string, most, size int) int {
	n := int(r.uvarint(field, uint64(most)))
	if n > len(r.b)/size {
		r.fail(field, "%d of at least %d bytes in %d bytes", n, size, len(r.b))
		return 0
	}
	return n
}

// near reads a 32-bit number that is written as its signed distance from base.
func (r *reader) near(field string, base uint64) uint32 {
	v := int64(base) + unzigzag(r.uvarint(field, math.MaxUint64))
	if v < 0 || v > math.MaxUint32 {
		r.fail(field, "%d is not within 32 bits", v)
		return 0
	}
	return uint32(v)
}

// appendNear appends what near reads.
func appendNear(b []byte, v uint32, base uint64) []byte {
	return binary.AppendVarint(b, int64(v)-int64(base))
}

func appendObject(b []byte, id world.ObjectID) []byte {
	return binary.LittleEndian.AppendUint64(b, uint64(id))
}

// zigzag maps 0, -1, 1, -2 ... to 0, 1, 2, 3 ..., as binary.AppendVarint does.
func zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }
