package replay

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// MaxBundles is the most bundles that a match may have had.
const MaxBundles = 1 << 16

// MatchBundle names a bundle of a recorded match. File.Source returns what it is.
type MatchBundle struct {
	Number uint32      // in the match, from 1
	Tick   world.Tick  // in force from this tick on
	Hash   bundle.Hash // of the bundle with the newest view.lua that it had
	First  bundle.Hash // of the bundle with its first view.lua
	Files  int         // the number of its scripts

	simulation bundle.Hash // of all but its view.lua
	memory     int         // of the bundle with Hash, once it is compiled
}

// Source returns the bundle of the match with this hash. It reads a block of the file. The error
// wraps ErrCorrupt, or is that of the file's source.
func (f *File) Source(h bundle.Hash) (*bundle.Bundle, error) {
	block, ok := f.where[h]
	if !ok {
		return nil, fmt.Errorf("%w: bundle %s is not in it", ErrCorrupt, h)
	}
	var b *bundle.Bundle
	err := f.Each(block, func(r *Record) (err error) {
		if b == nil && r.Kind == Bundle && len(r.Data) > 0 && r.Hash32 == h {
			b, err = parseBundle(r)
		}
		return err
	})
	if err == nil && b == nil {
		err = fmt.Errorf("%w: bundle %s is not in it", ErrCorrupt, h)
	}
	return b, err
}

// parseBundle reads a bundle from its record.
func parseBundle(r *Record) (*bundle.Bundle, error) {
	if bundle.HashOf(r.Data) != r.Hash32 {
		return nil, fmt.Errorf("%w: bundle %d has another hash than it should", ErrCorrupt, r.Number)
	}
	b, err := bundle.Parse(r.Data)
	if err != nil {
		return nil, fmt.Errorf("%w: bundle %d: %w", ErrCorrupt, r.Number, err)
	}
	return b, nil
}

// readBundles checks the bundles of the match in the blocks that hold some, and notes where they are.
func (f *File) readBundles() error {
	known := map[bundle.Hash]MatchBundle{} // by the hash of the whole; only looked up
	for i := range f.Blocks {
		if !f.Blocks[i].has(holdsBundle) {
			continue
		}
		err := f.Each(i, func(r *Record) error {
			if r.Kind != Bundle {
				return nil
			}
			return f.addBundle(r, i, known)
		})
		if err != nil {
			return err
		}
	}
	if len(f.Bundles) == 0 {
		return fmt.Errorf("%w: it holds no bundle", ErrCorrupt)
	}
	return nil
}

// addBundle adds a bundle of a block. A bundle that occurred before has no bytes of its own. One with the number of the
// bundle before it replaces only its view.lua.
func (f *File) addBundle(r *Record, block int, known map[bundle.Hash]MatchBundle) error {
	b, ok := known[r.Hash32]
	switch {
	case len(f.Bundles) == MaxBundles:
		return fmt.Errorf("%w: it has more than %d bundles", ErrCorrupt, MaxBundles)
	case !ok && len(r.Data) == 0:
		return fmt.Errorf("%w: bundle %d is not in it", ErrCorrupt, r.Number)
	case !ok:
		parsed, err := parseBundle(r)
		if err != nil {
			return err
		}
		b = MatchBundle{Hash: r.Hash32, Files: len(parsed.Files),
			simulation: parsed.SimulationHash(), memory: memory(parsed, len(r.Data))}
		known[r.Hash32], f.where[r.Hash32] = b, block
	}
	b.Number, b.Tick, b.First = r.Number, r.Tick, r.Hash32
	last := len(f.Bundles) - 1
	if last < 0 || r.Number > f.Bundles[last].Number {
		f.Bundles = append(f.Bundles, b)
		return nil
	}
	before := &f.Bundles[last]
	switch {
	case r.Number < before.Number:
		return fmt.Errorf("%w: bundle %d after bundle %d", ErrCorrupt, r.Number, before.Number)
	case b.simulation != before.simulation:
		return fmt.Errorf("%w: bundle %d is recorded twice and differs in more than %s", ErrCorrupt, r.Number,
			world.ViewFile)
	}
	b.First = before.First
	*before = b
	return nil
}

// bundle returns the bundle of a number, nil if the match had none.
func (f *File) bundle(number uint32) *MatchBundle {
	i, ok := slices.BinarySearchFunc(f.Bundles, number, func(b MatchBundle, n uint32) int { return cmp.Compare(b.Number, n) })
	if !ok {
		return nil
	}
	return &f.Bundles[i]
}
