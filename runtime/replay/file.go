package replay

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// File is a replay to be read. It does not change; reading it needs no lock.
type File struct {
	Blocks  []Block
	Bundles []MatchBundle // in the order in which they were announced
	// Damage is the error after the last of Blocks: ErrTruncated if a host was killed,
	// otherwise ErrCorrupt; nil if there is none.
	Damage error
	// Ended reports whether the host stopped properly.
	Ended bool

	src     io.ReaderAt
	size    int64
	packing Packing
	where   map[bundle.Hash]int // the blocks that have the bytes of bundles; only looked up
}

// Open reads the headers of all blocks, and checks the bundles of the match. packing is for
// files whose blocks are packed. If not even the first block is whole, Open returns an error;
// an error further on is in Damage. The error wraps ErrForeign, ErrVersion, ErrTruncated or
// ErrCorrupt, or is that of src.
//
// A File takes memory for its headers, at most MaxBlocks, and reads one block at a time. To give
// a File up while it is read, let src return an error.
func Open(src io.ReaderAt, size int64, packing Packing) (*File, error) {
	if src == nil {
		return nil, fmt.Errorf("%w: no io.ReaderAt to read from", ErrForeign)
	}
	f := &File{src: src, size: size, packing: packing, where: map[bundle.Hash]int{}}
	head := make([]byte, min(size, headerSize))
	if _, err := src.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := parseHeader(head); err != nil {
		return nil, err
	}
	if f.Damage = f.index(); f.Damage != nil && !isDamage(f.Damage) {
		return nil, f.Damage
	}
	if err := f.dropLost(); err != nil {
		return nil, err
	}
	if len(f.Blocks) == 0 {
		if f.Damage == nil {
			f.Damage = fmt.Errorf("%w: it has no block yet", ErrTruncated)
		}
		return nil, f.Damage
	}
	if !f.Blocks[0].HasKey {
		return nil, fmt.Errorf("%w: it does not begin with a keyframe", ErrCorrupt)
	}
	return f, f.readBundles()
}

// index hops from block to block.
func (f *File) index() error {
	b := make([]byte, blockHeader)
	for at := int64(headerSize); at < f.size; {
		h := Block{Offset: at}
		if f.size-at < blockHeader {
			return f.cut(at)
		}
		if len(f.Blocks) == MaxBlocks {
			return fmt.Errorf("%w: it has more than %d blocks, about a week of play", ErrCorrupt, MaxBlocks)
		}
		if _, err := f.src.ReadAt(b, at); err != nil {
			return readError(at, err)
		}
		if err := h.parse(b); err != nil {
			return err
		}
		if h.end() > f.size {
			return f.cut(at)
		}
		if n := len(f.Blocks); n > 0 && (h.From != f.Blocks[n-1].To || h.Committed < f.Blocks[n-1].Committed) {
			return fmt.Errorf("%w: block at byte %d does not follow the one before", ErrCorrupt, at)
		}
		f.Blocks = append(f.Blocks, h)
		f.Ended = h.has(holdsEnd)
		at = h.end()
	}
	return nil
}

// dropLost drops the last blocks if their bytes are not those that were written. A machine that loses power can leave
// the header of a block without its content. The error is that of the source.
func (f *File) dropLost() error {
	for len(f.Blocks) > 0 {
		last := len(f.Blocks) - 1
		err := f.Blocks[last].intact(f.src)
		if err == nil || !isDamage(err) {
			return err
		}
		f.Blocks, f.Damage, f.Ended = f.Blocks[:last], err, false
	}
	return nil
}

func (f *File) cut(at int64) error {
	return fmt.Errorf("%w: its last %d bytes, from byte %d on, are a part of a block", ErrTruncated, f.size-at, at)
}

// Read returns the records of block i, as bytes for Next. The error wraps ErrCorrupt, or
// ErrVersion if the block is packed in a way that Open was not given.
func (f *File) Read(i int) ([]byte, error) { return f.Blocks[i].read(f.src, f.packing) }

// Each calls do with the records of block i, in their order, until it returns an error. A record is valid until the
// call after. The error is that of do, or as of Read.
func (f *File) Each(i int, do func(*Record) error) error {
	rest, err := f.records(i)
	var rec Record
	for err == nil && !rest.done() {
		if err = rest.next(&rec); err == nil {
			err = do(&rec)
		}
	}
	return err
}

// records returns the records of block i.
func (f *File) records(i int) (records, error) {
	b, err := f.Read(i)
	return records{rest: b, size: len(b)}, err
}

// records reads the records of a block.
type records struct {
	rest []byte
	size int // of the block
}

func (r *records) done() bool { return len(r.rest) == 0 }

// next reads the next record into rec. A Writer ends a block that is full: so a block has a bounded number of records,
// however many bytes it has.
func (r *records) next(rec *Record) (err error) {
	if read := r.size - len(r.rest); read >= fullBlock {
		return fmt.Errorf("%w: a block goes on after %d bytes of records", ErrCorrupt, read)
	}
	r.rest, err = Next(r.rest, rec)
	return err
}

// KeyAt returns the last block that begins with a keyframe of tick t or before; the
// first block if there is none.
func (f *File) KeyAt(t world.Tick) int {
	i := sort.Search(
		len(f.Blocks),
		func(i int) bool { return f.Blocks[i].Committed > t },
	) // a keyframe's tick is committed
	for i = min(i, len(f.Blocks)-1); i > 0; i-- {
		if h := &f.Blocks[i]; h.HasKey && h.Key <= t {
			return i
		}
	}
	return 0
}
