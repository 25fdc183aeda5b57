package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// The errors of a file.
var (
	// ErrForeign is the error of a file that is not a replay.
	ErrForeign = errors.New("not a Hindcast replay")
	// ErrVersion is the error of a replay of another version of the format.
	ErrVersion = errors.New("replay of another version")
	// ErrTruncated is the error of a file that ends within a block. The blocks before
	// can be used.
	ErrTruncated = errors.New("replay is cut off")
	// ErrCorrupt is the error of a file whose bytes have changed.
	ErrCorrupt = errors.New("replay is damaged")
)

// Version is the version of the format that this package writes and reads. It also
// changes when the same events give other bits.
const Version = 15

const (
	MaxBlock  = 64 << 20 // the most bytes that a block may have unpacked
	MaxBlocks = 1 << 20  // the most blocks that a file may have: a week of play
)

const (
	magic       = "\x8bHCR\r\n\x1a\n" // not text: a changed line end is detected
	headerSize  = 16
	blockMark   = "HCB1"
	blockHeader = 48
)

// The packings that a block can name.
const (
	Stored = 0
	Zstd   = 1
)

// What a block can hold, as bits.
const (
	holdsKeyframe = 1 << iota
	holdsBundle
	holdsEnd
)

// Packing compresses and decompresses blocks.
type Packing interface {
	// ID returns the number of the packing in blocks.
	ID() byte
	// Pack appends the packed form of src to dst.
	Pack(dst, src []byte) []byte
	// Unpack returns the size bytes from which src was packed, or an error.
	Unpack(src []byte, size int) ([]byte, error)
}

// MagicSize is how many bytes Is needs.
const MagicSize = len(magic)

// Is reports whether a file that begins with b is a replay.
func Is(b []byte) bool { return strings.HasPrefix(string(b), magic) }

// Block is the header of one block of a file.
type Block struct {
	Offset    int64      // bytes from the beginning of the file
	From, To  world.Tick // the clock when it begins and ends
	Committed world.Tick // the last tick that is committed by its end
	Key       world.Tick // of its keyframe, if it HasKey
	HasKey    bool       // it has a keyframe
	Back      int64      // bytes back to the last block before it that has a keyframe; 0: none

	packing      byte
	holds        byte
	packed, size int
	sum          uint32
}

func castagnoli(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func appendHeader(b []byte) []byte {
	at := len(b)
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint16(b, Version)
	b = binary.LittleEndian.AppendUint16(b, 0)
	return binary.LittleEndian.AppendUint32(b, castagnoli(b[at:]))
}

func parseHeader(b []byte) error {
	if !Is(b) {
		if len(b) < len(magic) && len(b) > 0 && string(b) == magic[:len(b)] {
			return fmt.Errorf("%w: %d bytes, within its header", ErrTruncated, len(b))
		}
		return ErrForeign
	}
	if len(b) < headerSize {
		return fmt.Errorf("%w: %d bytes, within its header", ErrTruncated, len(b))
	}
	if castagnoli(b[:12]) != binary.LittleEndian.Uint32(b[12:]) {
		return fmt.Errorf("%w: header", ErrCorrupt)
	}
	if v := binary.LittleEndian.Uint16(b[8:]); v != Version {
		return fmt.Errorf("%w: it is of version %d, this program reads %d", ErrVersion, v, Version)
	}
	return nil
}

// has reports whether the block holds records of a kind; hold notes that it does.
func (h *Block) has(kind byte) bool { return h.holds&kind != 0 }
func (h *Block) hold(kind byte)     { h.holds |= kind }

// hasOnly reports whether the block holds records of that kind, and none of the others.
func (h *Block) hasOnly(kind byte) bool { return h.holds == kind }

// pack appends the packed form of raw to dst, after room for the header, and notes its
// sizes and its checksum.
func (h *Block) pack(dst, raw []byte, packing Packing) []byte {
	dst = append(dst, make([]byte, blockHeader)...)
	h.size, h.packing = len(raw), Stored
	if packing == nil {
		dst = append(dst, raw...)
	} else {
		h.packing = packing.ID()
		dst = packing.Pack(dst, raw)
	}
	h.packed, h.sum = len(dst)-blockHeader, castagnoli(dst[blockHeader:])
	return dst
}

// intact returns an error if the content of the block is not what was written.
func (h *Block) intact(src io.ReaderAt) error {
	_, err := h.content(src)
	return err
}

// content returns the packed records of the block from its file.
func (h *Block) content(src io.ReaderAt) ([]byte, error) {
	b := make([]byte, h.packed)
	if _, err := src.ReadAt(b, h.Offset+blockHeader); err != nil {
		return nil, readError(h.Offset, err)
	}
	if castagnoli(b) != h.sum {
		return nil, fmt.Errorf("%w: block at byte %d (ticks %d to %d): its checksum does not fit", ErrCorrupt,
			h.Offset, h.From, h.To)
	}
	return b, nil
}

// read returns the records of the block from its file.
func (h *Block) read(src io.ReaderAt, packing Packing) ([]byte, error) {
	b, err := h.content(src)
	if err != nil {
		return nil, err
	}
	if h.packing == Stored {
		return b, nil
	}
	if packing == nil || packing.ID() != h.packing {
		return nil, fmt.Errorf("%w: block at byte %d is packed in a way (%d) that this program does not know",
			ErrVersion, h.Offset, h.packing)
	}
	raw, err := packing.Unpack(b, h.size)
	if err == nil && len(raw) != h.size {
		err = fmt.Errorf("%d bytes, not %d", len(raw), h.size)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: block at byte %d cannot be unpacked: %w", ErrCorrupt, h.Offset, err)
	}
	return raw, nil
}

// readError returns the error of a source as that of a block. A source that ends early is damaged.
func readError(at int64, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: block at byte %d: %w", ErrCorrupt, at, err)
	}
	return fmt.Errorf("block at byte %d: %w", at, err)
}

// isDamage reports whether an error says something about the bytes of a file.
func isDamage(err error) bool { return errors.Is(err, ErrCorrupt) || errors.Is(err, ErrTruncated) }

// append writes the block's header.
func (h *Block) append(b []byte) []byte {
	le, at := binary.LittleEndian, len(b)
	b = append(b, blockMark...)
	b = append(b, h.packing, h.holds, 0, 0)
	for _, v := range []uint32{uint32(h.From), uint32(h.To), uint32(h.Committed), uint32(h.Key)} {
		b = le.AppendUint32(b, v)
	}
	b = le.AppendUint64(b, uint64(h.Back))
	for _, v := range []uint32{uint32(h.packed), uint32(h.size), h.sum} {
		b = le.AppendUint32(b, v)
	}
	return le.AppendUint32(b, castagnoli(b[at:]))
}

// parse reads the header of the block at h.Offset.
func (h *Block) parse(b []byte) error {
	le := binary.LittleEndian
	if string(b[:4]) != blockMark || castagnoli(b[:blockHeader-4]) != le.Uint32(b[blockHeader-4:]) {
		return fmt.Errorf("%w: block at byte %d", ErrCorrupt, h.Offset)
	}
	h.packing, h.holds = b[4], b[5]
	h.From, h.To = world.Tick(le.Uint32(b[8:])), world.Tick(le.Uint32(b[12:]))
	h.Committed, h.Key = world.Tick(le.Uint32(b[16:])), world.Tick(le.Uint32(b[20:]))
	h.Back = int64(le.Uint64(b[24:]))
	packed, size := le.Uint32(b[32:]), le.Uint32(b[36:]) // compared before they become ints, which may have 32 bits
	h.packed, h.size, h.sum = int(packed), int(size), le.Uint32(b[40:])
	h.HasKey = h.holds&holdsKeyframe != 0
	switch {
	case size > MaxBlock || packed > MaxBlock || h.packing == Stored && h.packed != h.size:
		return fmt.Errorf("%w: block at byte %d of %d bytes, %d packed", ErrCorrupt, h.Offset, size, packed)
	case size == 0:
		return fmt.Errorf("%w: block at byte %d is empty", ErrCorrupt, h.Offset)
	case h.To < h.From || h.Committed > h.To || h.HasKey && h.Key > h.To || h.Back < 0 || h.Back > h.Offset-headerSize:
		return fmt.Errorf("%w: block at byte %d contradicts itself", ErrCorrupt, h.Offset)
	}
	return nil
}

// end returns the offset after the block.
func (h *Block) end() int64 { return h.Offset + blockHeader + int64(h.packed) }
