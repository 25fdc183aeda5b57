package asset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
)

// Limits of the assets of a game.
const (
	MaxFile     = 2 << 20  // bytes of a file
	MaxBytes    = 16 << 20 // bytes of all files
	MaxFiles    = 256
	MaxName     = 64       // bytes of a name
	MaxSide     = 4096     // pixels of an image in each direction
	MaxDecoded  = 64 << 20 // bytes of all images together, decoded with 4 bytes a pixel
	MaxManifest = MaxFiles * (MaxName + 40)
)

// Hash is the SHA-256 of a file or of a manifest.
type Hash [sha256.Size]byte

// HashOf returns the hash of the bytes of a file or of a manifest.
func HashOf(data []byte) Hash { return sha256.Sum256(data) }

// String returns all hexadecimal digits.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// File is one asset of a game.
type File struct {
	Name  string // as looks and sounds name it
	Hash  Hash   // of its content
	Bytes int    // its size
}

// Manifest lists the assets of a game, by name.
type Manifest struct{ Files []File }

// Find returns the file of a name.
func (m *Manifest) Find(name string) (f File, ok bool) {
	i, ok := slices.BinarySearchFunc(
		m.Files,
		name,
		func(f File, name string) int { return strings.Compare(f.Name, name) },
	)
	if !ok {
		return File{}, false
	}
	return m.Files[i], true
}

// Check returns an ErrInvalid that names the first file which breaks a limit, nil if there is none.
func (m *Manifest) Check() error {
	if len(m.Files) > MaxFiles {
		return invalid("", "%d assets: at most %d", len(m.Files), MaxFiles)
	}
	total, taken := 0, paths{}
	for i, f := range m.Files {
		if err := checkName(f.Name); err != nil {
			return err
		}
		if i > 0 && m.Files[i-1].Name >= f.Name {
			return invalid(f.Name, "the manifest is not sorted by name")
		}
		if err := taken.add(f.Name); err != nil {
			return err
		}
		if f.Bytes < 1 || f.Bytes > MaxFile {
			return invalid(f.Name, "%d bytes: must be 1 to %d", f.Bytes, MaxFile)
		}
		if total += f.Bytes; total > MaxBytes {
			return invalid(f.Name, "the assets have more than %d bytes together", MaxBytes)
		}
	}
	return nil
}

// Encode returns the bytes of the manifest: for each file the length of its name, the name, its hash and
// its size. Lengths and sizes are uvarints.
func (m *Manifest) Encode() []byte {
	var b []byte
	for _, f := range m.Files {
		b = binary.AppendUvarint(b, uint64(len(f.Name)))
		b = append(b, f.Name...)
		b = append(b, f.Hash[:]...)
		b = binary.AppendUvarint(b, uint64(f.Bytes))
	}
	return b
}

// ParseManifest reads the bytes of a manifest and checks it. The error wraps ErrInvalid.
func ParseManifest(data []byte) (*Manifest, error) {
	if len(data) > MaxManifest {
		return nil, invalid("", "a manifest of %d bytes: at most %d", len(data), MaxManifest)
	}
	m := &Manifest{}
	for len(data) > 0 {
		var f File
		n, used := binary.Uvarint(data)
		if used <= 0 || n > MaxName || len(data) < used+int(n)+len(f.Hash) {
			return nil, invalid("", "the manifest ends within file %d", len(m.Files)+1)
		}
		f.Name = string(data[used : used+int(n)])
		data = data[used+int(n):]
		copy(f.Hash[:], data)
		data = data[len(f.Hash):]
		n, used = binary.Uvarint(data)
		if used <= 0 || n > MaxFile {
			return nil, invalid("", "the size of file %d is not 1 to %d", len(m.Files)+1, MaxFile)
		}
		f.Bytes, data = int(n), data[used:]
		m.Files = append(m.Files, f)
	}
	return m, m.Check()
}
