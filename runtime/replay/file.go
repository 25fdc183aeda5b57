package replay

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/hindcast/hindcast/world"
)

// File is a replay to be read. It does not change; reading it needs no lock.
type File struct {
	Blocks []Block
	// Bundles are the bundles of the match in the order in which they were announced,
	// each with its Data. One with the number of the bundle before it replaced only its view.lua.
	Bundles []Record
	// Damage is the error after the last of Blocks: ErrTruncated if a host was killed,
	// otherwise ErrCorrupt; nil if there is none.
	Damage error
	// Ended reports whether the host stopped properly.
	Ended bool

	src     io.ReaderAt
	size    int64
	packing Packing
}

// Open reads the headers of all blocks. packing is for files whose blocks are packed.
// If not even the first block is whole, Open returns an error; an error further on is
// in Damage. The error wraps ErrForeign, ErrVersion, ErrTruncated or ErrCorrupt, or is
// that of src.
func Open(src io.ReaderAt, size int64, packing Packing) (*File, error) {
	if src == nil {
		return nil, fmt.Errorf("%w: no io.ReaderAt to read from", ErrForeign)
	}
	f := &File{src: src, size: size, packing: packing}
	head := make([]byte, min(size, headerSize))
	if _, err := src.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := parseHeader(head); err != nil {
		return nil, err
	}
	f.Damage = f.index()
	f.dropLost()
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
		if _, err := f.src.ReadAt(b, at); err != nil {
			return fmt.Errorf("%w: block at byte %d: %w", ErrCorrupt, at, err)
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
// the header of a block without its content.
func (f *File) dropLost() {
	for len(f.Blocks) > 0 {
		last := len(f.Blocks) - 1
		err := f.Blocks[last].intact(f.src)
		if err == nil {
			return
		}
		f.Blocks, f.Damage, f.Ended = f.Blocks[:last], err, false
	}
}

func (f *File) cut(at int64) error {
	return fmt.Errorf("%w: its last %d bytes, from byte %d on, are a part of a block", ErrTruncated, f.size-at, at)
}

// Read returns the records of block i, as bytes for Next. The error wraps ErrCorrupt, or
// ErrVersion if the block is packed in a way that Open was not given.
func (f *File) Read(i int) ([]byte, error) { return f.Blocks[i].read(f.src, f.packing) }

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

// readBundles gathers the bundles of the match from the blocks that hold some.
func (f *File) readBundles() error {
	for i := range f.Blocks {
		if !f.Blocks[i].has(holdsBundle) {
			continue
		}
		rest, err := f.Read(i)
		for len(rest) > 0 && err == nil {
			var r Record
			if rest, err = Next(rest, &r); err == nil && r.Kind == Bundle {
				err = f.addBundle(r)
			}
		}
		if err != nil {
			return err
		}
	}
	if len(f.Bundles) == 0 {
		return fmt.Errorf("%w: it holds no bundle", ErrCorrupt)
	}
	return nil
}

// addBundle adds a bundle. A bundle that occurred before has no bytes of its own.
func (f *File) addBundle(r Record) error {
	if n := len(f.Bundles); n > 0 && r.Number < f.Bundles[n-1].Number {
		return fmt.Errorf("%w: bundle %d after bundle %d", ErrCorrupt, r.Number, f.Bundles[n-1].Number)
	}
	for i := range f.Bundles {
		if len(r.Data) == 0 && f.Bundles[i].Hash32 == r.Hash32 {
			r.Data = f.Bundles[i].Data
		}
	}
	if len(r.Data) == 0 {
		return fmt.Errorf("%w: bundle %d is not in it", ErrCorrupt, r.Number)
	}
	f.Bundles = append(f.Bundles, r)
	return nil
}
