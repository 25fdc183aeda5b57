package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// readAck reads an Ack: the newest number and, unless that is 0, the mask.
func readAck(r *reader) Ack {
	a := Ack{Newest: r.uint32("newest packet")}
	if a.Newest != 0 {
		a.Mask = readMask(r, "packet mask", 8)
	}
	return a
}

func appendAck(b []byte, a Ack) []byte {
	b = binary.AppendUvarint(b, uint64(a.Newest))
	if a.Newest == 0 {
		return b
	}
	return appendMask(b, a.Mask, 8)
}

// readInputAck reads an InputAck: 0 for none, or one more than the zigzag of the
// newest tick's distance from the packet's, and then the mask and the earliness.
func readInputAck(r *reader, tick world.Tick) InputAck {
	u := r.uvarint("newest inputs", math.MaxUint64)
	if u == 0 {
		return InputAck{}
	}
	newest := int64(tick) + unzigzag(u-1)
	if newest < 1 || newest > math.MaxUint32 {
		r.fail("newest inputs", "tick %d", newest)
		return InputAck{}
	}
	a := InputAck{Newest: world.Tick(newest), Mask: uint16(readMask(r, "input mask", 2))}
	a.Early = int32(unzigzag(r.uvarint("early", 2*MaxEarly)))
	return a
}

func appendInputAck(b []byte, a InputAck, tick world.Tick) []byte {
	if a.Newest == 0 {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, zigzag(int64(a.Newest)-int64(tick))+1)
	b = appendMask(b, uint64(a.Mask), 2)
	return binary.AppendVarint(b, int64(min(max(a.Early, -MaxEarly), MaxEarly)))
}

// readMask reads a mask of a few bytes. Nearly all packets arrive, so most of these
// bytes are 0xff: a first byte says which are not, lowest first, and only those
// follow.
func readMask(r *reader, field string, bytes int) uint64 {
	var v uint64
	gaps := r.byte(field)
	for i := range 8 {
		part := byte(0xff)
		if gaps&(1<<i) != 0 {
			part = r.byte(field)
			if part == 0xff || i >= bytes {
				r.fail(field, "byte %d of the mask is 0xff and must be left out, or is beyond the mask", i)
			}
		}
		if i < bytes {
			v |= uint64(part) << (8 * i)
		}
	}
	return v
}

func appendMask(b []byte, v uint64, bytes int) []byte {
	at := len(b)
	b = append(b, 0)
	for i := range bytes {
		if part := byte(v >> (8 * i)); part != 0xff {
			b[at] |= 1 << i
			b = append(b, part)
		}
	}
	return b
}
