package wire

import (
	"encoding/binary"
	"math"

	"github.com/hindcast/hindcast/world"
)

// ack reads an Ack: the newest number, and unless that is 0 the mask.
func readAck(r *reader, field string) Ack {
	a := Ack{Newest: r.uint32(field)}
	if a.Newest != 0 {
		a.Mask = readMask(r, field, 8)
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

// inputAck reads an InputAck: 0 for none yet, or one more than the zigzag of
// the newest tick's distance from the frame's tick, and the mask.
func readInputAck(r *reader, field string, frame world.Tick) InputAck {
	u := r.uvarint(field, math.MaxUint64)
	if u == 0 {
		return InputAck{}
	}
	newest := int64(frame) + unzigzag(u-1)
	if newest < 1 || newest > math.MaxUint32 {
		r.fail(field, "tick %d", newest)
		return InputAck{}
	}
	a := InputAck{Newest: world.Tick(newest), Mask: uint16(readMask(r, field, 2))}
	a.Early = int32(unzigzag(r.uvarint("early", 2*MaxEarly)))
	return a
}

func appendInputAck(b []byte, a InputAck, frame world.Tick) []byte {
	if a.Newest == 0 {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, zigzag(int64(a.Newest)-int64(frame))+1)
	b = appendMask(b, uint64(a.Mask), 2)
	return binary.AppendVarint(b, int64(min(max(a.Early, -MaxEarly), MaxEarly)))
}

// mask reads a mask of a few bytes. Nearly all that was sent has been received,
// nearly always: a first byte says which of the others, lowest first, are not
// 0xff, and only those follow.
func readMask(r *reader, field string, bytes int) uint64 {
	var v uint64
	gaps := r.byte(field)
	for i := range 8 {
		part := byte(0xff)
		if gaps&(1<<i) != 0 {
			part = r.byte(field)
			if part == 0xff || i >= bytes {
				r.fail(field, "byte %d of the mask should be left out", i)
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
