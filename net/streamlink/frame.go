package streamlink

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/hindcast/hindcast/net/link"
)

// kind is the first byte of a frame. doc.go lists the others.
type kind uint8

const (
	kindHello kind = iota + 1
	kindPing
	kindDatagram
	kindSegment
	kindCredit
	kindBye
)

const (
	magic   = "HCST"
	version = 1

	headHello    = 1 + len(magic) + 1 + 4
	headDatagram = 1 + 2
	headSegment  = 1 + 1 + 1 + 2
	headCredit   = 1 + 1 + 4
	headBye      = 1 + 1

	maxSegment = 4096 // bytes of a message in one frame
)

// windowOf returns how many bytes of a stream may be in transit: sent, and not yet taken by
// a poll of the other end. That of Bulk is what a control message may have to wait behind.
func windowOf(s link.Stream) int {
	if s == link.Control {
		return 256 << 10
	}
	return 64 << 10
}

func appendHello(b []byte, protocol uint32) []byte {
	b = append(b, byte(kindHello))
	b = append(b, magic...)
	b = append(b, version)
	return binary.LittleEndian.AppendUint32(b, protocol)
}

func appendDatagram(b, data []byte) []byte {
	b = append(b, byte(kindDatagram))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	return append(b, data...)
}

func appendSegment(b []byte, s link.Stream, last bool, data []byte) []byte {
	flag := byte(0)
	if last {
		flag = 1
	}
	b = append(b, byte(kindSegment), byte(s), flag)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	return append(b, data...)
}

func appendCredit(b []byte, s link.Stream, n int) []byte {
	b = append(b, byte(kindCredit), byte(s))
	return binary.LittleEndian.AppendUint32(b, uint32(n))
}

func appendBye(b []byte, reason string) []byte {
	reason = link.CleanReason(reason)
	b = append(b, byte(kindBye), byte(len(reason)))
	return append(b, reason...)
}

// frame is a frame that was read. Data is valid until the next one is read.
type frame struct {
	Kind     kind
	Protocol uint32      // of a hello
	Stream   link.Stream // of a segment or a credit
	Last     bool        // of a segment: it ends its message
	Credit   int         // of a credit, in bytes
	Data     []byte      // of a datagram or a segment; the reason of a bye
}

// violation is what the other end did that it may not do, for people.
type violation string

func (v violation) Error() string { return string(v) }

const errMalformed violation = "protocol violation: malformed frame"

// frameReader reads frames. It allocates nothing for lengths that are only announced.
type frameReader struct {
	from *bufio.Reader
	head [headHello]byte
	data [maxSegment]byte
}

func newFrameReader(r io.Reader) *frameReader {
	return &frameReader{from: bufio.NewReaderSize(r, 16<<10)}
}

// next reads a frame.
func (r *frameReader) next() (f frame, err error) {
	first, err := r.from.ReadByte()
	if err != nil {
		return f, err
	}
	f.Kind = kind(first)
	switch f.Kind {
	case kindHello:
		return f, r.hello(&f)
	case kindPing:
		return f, nil
	case kindDatagram:
		if err = r.header(headDatagram); err == nil {
			err = r.body(&f, int(binary.LittleEndian.Uint16(r.head[:])), link.MaxDatagram)
		}
		return f, err
	case kindSegment:
		if err = r.header(headSegment); err == nil {
			f.Stream, f.Last = link.Stream(r.head[0]), r.head[1] == 1
			err = r.body(&f, int(binary.LittleEndian.Uint16(r.head[2:])), maxSegment)
		}
		return f, orMalformed(err, f.Stream < link.Streams && r.head[1] <= 1)
	case kindCredit:
		if err = r.header(headCredit); err == nil {
			f.Stream, f.Credit = link.Stream(r.head[0]), int(min(binary.LittleEndian.Uint32(r.head[1:]), 1<<30))
		}
		return f, orMalformed(err, f.Stream < link.Streams)
	case kindBye:
		if err = r.header(headBye); err == nil && r.head[0] > 0 {
			err = r.body(&f, int(r.head[0]), link.MaxReason)
		}
		return f, err
	}
	return f, errMalformed
}

func orMalformed(err error, ok bool) error {
	if err == nil && !ok {
		return errMalformed
	}
	return err
}

// hello reads the rest of a hello.
func (r *frameReader) hello(f *frame) error {
	if err := r.header(headHello); err != nil {
		return err
	}
	if string(r.head[:len(magic)]) != magic {
		return violation("the other end is no link of this kind")
	}
	if v := r.head[len(magic)]; v != version {
		return violation(
			fmt.Sprintf("the link's version is %d here and %d at the other end: run the same release on both sides",
				version, v),
		)
	}
	f.Protocol = binary.LittleEndian.Uint32(r.head[len(magic)+1:])
	return nil
}

// header reads the rest of a header of size bytes, without the kind.
func (r *frameReader) header(size int) error {
	_, err := io.ReadFull(r.from, r.head[:size-1])
	return err
}

// body reads the data of a frame.
func (r *frameReader) body(f *frame, size, most int) error {
	if size == 0 || size > most {
		return errMalformed
	}
	f.Data = r.data[:size]
	_, err := io.ReadFull(r.from, f.Data)
	return err
}
