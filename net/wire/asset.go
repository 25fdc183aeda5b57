package wire

import "encoding/binary"

// MaxAssetPart is the largest AssetPart, in bytes of content. It bounds for how long a part delays
// what is sent on the bulk stream after it.
const MaxAssetPart = 8 << 10

// Assets announces the assets of the game: the SHA-256 of their manifest, and its size. The host sends it
// with the first keyframe, and each time the assets change.
type Assets struct {
	Hash  [32]byte // of the manifest
	Bytes uint32   // of the manifest; 0: the game has no assets
}

// AssetWant asks for a part of a manifest or of an asset. A client sends it when it has the part before.
type AssetWant struct {
	Hash   [32]byte // of the file or of the manifest
	Offset uint32   // of the first byte of the part
}

// AssetPart answers an AssetWant. Data has at most MaxAssetPart bytes; none says that the host does not
// have the asset any more.
type AssetPart struct {
	Hash   [32]byte // that of the AssetWant
	Offset uint32   // that of the AssetWant
	Data   []byte
}

// AppendAssets appends the bytes of m.
func AppendAssets(b []byte, m *Assets) []byte {
	b = append(append(b, byte(KindAssets)), m.Hash[:]...)
	return binary.AppendUvarint(b, uint64(m.Bytes))
}

// ParseAssets reads an Assets. The error wraps ErrMalformed.
func ParseAssets(b []byte) (Assets, error) {
	var m Assets
	r := open(b, KindAssets)
	readHash(&r, "hash", &m.Hash)
	m.Bytes = r.uint32("size")
	return m, r.close()
}

// AppendAssetWant appends the bytes of m.
func AppendAssetWant(b []byte, m *AssetWant) []byte {
	b = append(append(b, byte(KindAssetWant)), m.Hash[:]...)
	return binary.AppendUvarint(b, uint64(m.Offset))
}

// ParseAssetWant reads an AssetWant. The error wraps ErrMalformed.
func ParseAssetWant(b []byte) (AssetWant, error) {
	var m AssetWant
	r := open(b, KindAssetWant)
	readHash(&r, "hash", &m.Hash)
	m.Offset = r.uint32("offset")
	return m, r.close()
}

// AppendAssetPart appends the bytes of m.
func AppendAssetPart(b []byte, m *AssetPart) []byte {
	b = append(append(b, byte(KindAssetPart)), m.Hash[:]...)
	b = binary.AppendUvarint(b, uint64(m.Offset))
	return appendBytes(b, m.Data)
}

// ParseAssetPart reads an AssetPart. Data points into b. The error wraps ErrMalformed.
func ParseAssetPart(b []byte) (AssetPart, error) {
	var m AssetPart
	r := open(b, KindAssetPart)
	readHash(&r, "hash", &m.Hash)
	m.Offset = r.uint32("offset")
	m.Data = r.bytes("data", MaxAssetPart)
	return m, r.close()
}
