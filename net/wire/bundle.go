package wire

import (
	"encoding/binary"
	"math"
)

// AppendAnnounce appends the bytes of m.
func AppendAnnounce(b []byte, m *Announce) []byte {
	return appendAnnounce(append(b, byte(KindAnnounce)), m)
}

// ParseAnnounce reads an Announce. The error wraps ErrMalformed.
func ParseAnnounce(b []byte) (Announce, error) {
	var m Announce
	r := open(b, KindAnnounce)
	readAnnounce(&r, &m)
	return m, r.close()
}

// minAnnounce is the smallest size of an Announce without its kind.
const minAnnounce = 1 + 1 + 32 + 1

// appendAnnounce appends an Announce without its kind, as in a Welcome.
func appendAnnounce(b []byte, m *Announce) []byte {
	b = binary.AppendUvarint(b, uint64(m.Number))
	b = binary.AppendUvarint(b, uint64(m.Tick))
	b = append(b, m.Hash[:]...)
	return binary.AppendUvarint(b, uint64(m.Bytes))
}

func readAnnounce(r *reader, m *Announce) {
	m.Number = r.uint32("bundle number")
	m.Tick = r.tick("bundle tick")
	readHash(r, "bundle hash", &m.Hash)
	m.Bytes = r.uint32("bundle size")
}

func readHash(r *reader, field string, h *[32]byte) { copy(h[:], r.take(field, len(h))) }

// AppendBundleWant appends the bytes of m.
func AppendBundleWant(b []byte, m *BundleWant) []byte {
	b = append(b, byte(KindBundleWant))
	return append(append(b, m.Hash[:]...), m.Base[:]...)
}

// ParseBundleWant reads a BundleWant. The error wraps ErrMalformed.
func ParseBundleWant(b []byte) (BundleWant, error) {
	var m BundleWant
	r := open(b, KindBundleWant)
	readHash(&r, "hash", &m.Hash)
	readHash(&r, "base", &m.Base)
	return m, r.close()
}

// AppendBundle appends the bytes of m.
func AppendBundle(b []byte, m *Bundle) []byte {
	b = append(b, byte(KindBundle))
	b = append(append(b, m.Hash[:]...), m.Base[:]...)
	return appendBytes(b, m.Data)
}

// ParseBundle reads a Bundle. Data points into b. The caller checks that what is unpacked has the hash.
// The error wraps ErrMalformed.
func ParseBundle(b []byte) (Bundle, error) {
	var m Bundle
	r := open(b, KindBundle)
	readHash(&r, "hash", &m.Hash)
	readHash(&r, "base", &m.Base)
	m.Data = r.bytes("data", math.MaxInt32)
	return m, r.close()
}
