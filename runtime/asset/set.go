package asset

import (
	"errors"
	"maps"
	"slices"
)

// Set is the assets of a game with their content. It does not change, and any goroutine may read it. The
// zero Set has no files.
type Set struct {
	manifest Manifest
	blobs    map[Hash][]byte // of the files and of the manifest
	hash     Hash
}

// NewSet returns the set of these files, by name. The error joins an ErrInvalid for each file that breaks a
// limit.
func NewSet(files map[string][]byte) (*Set, error) {
	s := &Set{blobs: map[Hash][]byte{}}
	var problems []error
	var images Decoded
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data := files[name]
		f := File{Name: name, Hash: HashOf(data), Bytes: len(data)}
		err := checkName(name)
		if err == nil && len(data) <= MaxFile { // a larger one is refused below
			err = images.Add(f, data)
		}
		if err != nil {
			problems = append(problems, err)
		}
		s.manifest.Files = append(s.manifest.Files, f)
		s.blobs[f.Hash] = data
	}
	if len(problems) == 0 {
		if err := s.manifest.Check(); err != nil {
			problems = append(problems, err)
		}
	}
	encoded := s.manifest.Encode()
	s.hash = HashOf(encoded)
	s.blobs[s.hash] = encoded
	return s, errors.Join(problems...)
}

// Manifest returns the list of the files.
func (s *Set) Manifest() *Manifest { return &s.manifest }

// Hash returns the hash of the manifest, which names the set.
func (s *Set) Hash() Hash { return s.hash }

// Blob returns the bytes of the file or of the manifest with a hash, nil if there is none. The caller must
// not change them.
func (s *Set) Blob(h Hash) []byte {
	if s == nil {
		return nil
	}
	return s.blobs[h]
}

// Receiver gets the assets that a client has. Its methods are called within Poll of the client and
// must not call the client.
type Receiver interface {
	// Load returns the bytes of the file or manifest with a hash that was kept before, nil if there is
	// none. It may return wrong bytes, because the client checks their hash.
	Load(h Hash) []byte
	// Store keeps a file or a manifest for the next run.
	Store(h Hash, data []byte)
	// Announced gets the list of the assets of the game. Files of an earlier list with the same hash remain.
	Announced(m *Manifest)
	// Arrived gets the content of a file of the list, whose hash, size and kind were checked. The
	// receiver may keep data, and must not change it.
	Arrived(f File, data []byte)
}
