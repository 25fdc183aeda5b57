package replay

import (
	"errors"
	"fmt"
	"io"

	"github.com/hindcast/hindcast/world"
)

// Writer writes a file block by block, each in one call of Write. It keeps the first
// error, and writes nothing after it.
type Writer struct {
	out     io.Writer
	packing Packing // nil: stored
	at      int64
	lastKey int64 // offset of the last block with a keyframe; 0: none
	block   Block // being filled
	raw     []byte
	packed  []byte
	blocks  int // that have been written
	err     error
}

// ErrNoWriter is the error of a Writer or Recorder without an io.Writer.
var ErrNoWriter = errors.New("replay: no io.Writer to write to")

// NewWriter writes the file's header to out. packing may be nil: blocks are
// stored as they are. Without out, Err is ErrNoWriter.
func NewWriter(out io.Writer, packing Packing) *Writer {
	if out == nil {
		return &Writer{err: ErrNoWriter}
	}
	w := &Writer{out: out, packing: packing}
	w.write(appendHeader(nil))
	return w
}

// Err returns the first error of writing.
func (w *Writer) Err() error { return w.err }

// fullBlock is the size in bytes at which a block is written at any time.
const fullBlock = 1 << 20

// Add appends a record. A keyframe begins a block.
func (w *Writer) Add(r *Record) {
	if w.err != nil {
		return
	}
	switch r.Kind {
	case Tick:
		w.block.To = r.Tick
	case Mark:
		if r.Committed {
			w.block.Committed = r.Tick
		}
	case Bundle:
		w.block.hold(holdsBundle)
	case Keyframe:
		if !w.block.hasOnly(holdsBundle) || w.block.From != w.block.To { // its bundle may come before it
			w.flush()
		}
		w.block.hold(holdsKeyframe)
		w.block.Key, w.block.To, w.block.Committed = r.Tick, max(w.block.To, r.Clock), max(w.block.Committed, r.Tick)
	case End:
		w.block.hold(holdsEnd)
	}
	if w.raw = Append(w.raw, r); len(w.raw) >= fullBlock {
		w.flush()
	}
}

// Flush writes the records since the last block as a block. It returns the first error of
// writing, also in all later calls.
func (w *Writer) Flush() error {
	w.flush()
	return w.err
}

func (w *Writer) flush() {
	if len(w.raw) == 0 || w.err != nil {
		return
	}
	if len(w.raw) > MaxBlock {
		w.err = fmt.Errorf("replay: %w: %d bytes, at most %d", errTooLarge, len(w.raw), MaxBlock)
		return
	}
	if w.blocks++; w.blocks > MaxBlocks {
		w.err = fmt.Errorf("replay: %w: it has %d blocks, about a week of play; record the rest in another one",
			errFull, MaxBlocks)
		return
	}
	h := &w.block
	h.Offset = w.at
	w.packed = h.pack(w.packed[:0], w.raw, w.packing)
	if w.lastKey != 0 {
		h.Back = h.Offset - w.lastKey
	}
	h.append(w.packed[:0])
	if h.has(holdsKeyframe) {
		w.lastKey = h.Offset
	}
	w.write(w.packed)
	w.next(h.To, h.Committed)
}

var (
	errTooLarge = errors.New("a block is too large")
	errFull     = errors.New("the file is full")
)

// next begins another block.
func (w *Writer) next(clock, committed world.Tick) {
	w.block = Block{From: clock, To: clock, Committed: committed}
	w.raw = w.raw[:0]
}

func (w *Writer) write(b []byte) {
	n, err := w.out.Write(b)
	w.at += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err != nil {
		w.err = fmt.Errorf("replay: %w", err)
	}
}
