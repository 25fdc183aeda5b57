package kcplink

import (
	"encoding/binary"
	"fmt"
)

const (
	lengthSize = 4        // before each message, little-endian
	keepBuffer = 64 << 10 // an assembler frees larger buffers
)

// assembler cuts messages out of the bytes of one stream. It allocates memory as the
// bytes arrive, never for a length that was only announced.
type assembler struct {
	limit   int // the largest message, in bytes
	head    [lengthSize]byte
	headLen int
	want    int // the length of the present message; 0: not known yet
	buf     []byte
}

// feed takes the next bytes of the stream and calls deliver for each message that they
// complete, until deliver returns false. The message is valid during the call only. An
// error ends the stream.
func (a *assembler) feed(b []byte, deliver func([]byte) bool) error {
	for len(b) > 0 {
		if a.want == 0 {
			n := copy(a.head[a.headLen:], b)
			a.headLen += n
			b = b[n:]
			if a.headLen < lengthSize {
				return nil
			}
			size := binary.LittleEndian.Uint32(a.head[:])
			if size == 0 || uint64(size) > uint64(a.limit) {
				return fmt.Errorf("a message of %d bytes where 1 to %d are taken", size, a.limit)
			}
			a.headLen, a.want = 0, int(size)
			continue
		}
		msg, n := a.collect(b)
		b = b[n:]
		if msg != nil && !deliver(msg) {
			return nil
		}
	}
	return nil
}

// withinLimit reports whether the present message fits the limit, and no more bytes of it
// are kept than it has.
func (a *assembler) withinLimit() bool { return a.want <= a.limit && len(a.buf) <= a.want }

// collect takes bytes of the present message from b. It returns the message, if it is
// complete, and how many bytes it took.
func (a *assembler) collect(b []byte) (msg []byte, n int) {
	n = min(len(b), a.want-len(a.buf))
	if len(a.buf) == 0 && n == a.want {
		a.want = 0
		return b[:n], n
	}
	a.buf = append(a.buf, b[:n]...)
	if len(a.buf) < a.want {
		return nil, n
	}
	msg = a.buf
	a.want = 0
	a.buf = a.buf[:0]
	if cap(a.buf) > keepBuffer {
		a.buf = nil
	}
	return msg, n
}
