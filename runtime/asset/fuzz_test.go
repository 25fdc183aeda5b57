package asset_test

import (
	"bytes"
	"hash/crc32"
	"testing"

	"github.com/hindcast/hindcast/runtime/asset"
)

func crc(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// FuzzInspect: whatever a file has, an image that is accepted has a size within the limits.
func FuzzInspect(f *testing.F) {
	for _, s := range [][]byte{pngOf(2, 2), pngHead(4096, 4096), webp("VP8 ", 0, 0, 0, 0x9d, 1, 0x2a, 4, 0, 4, 0), webp("VP8L", 0x2f, 1, 2, 3, 0), webp("VP8X", 0, 0, 0, 0, 1, 0, 0, 1, 0, 0),
		[]byte(`<svg width="3" height="4"/>`), []byte(inkscape), []byte("OggS"), []byte("RIFF1234WAVE"), []byte("ID3"), woff2(10)} {
		for k := asset.PNG; k <= asset.WOFF2; k++ {
			f.Add(uint8(k), s)
		}
	}
	f.Fuzz(func(t *testing.T, k uint8, data []byte) {
		kind := asset.Kind(k)
		s, err := asset.Inspect(kind, data)
		if err == nil && kind.IsImage() != (s.Width >= 1 && s.Width <= asset.MaxSide && s.Height >= 1 && s.Height <= asset.MaxSide) || err != nil && s != (asset.Size{}) {
			t.Errorf("%s: %v, %v", kind, s, err)
		}
	})
}

// FuzzParseManifest: a manifest that is accepted is within the limits, and has these bytes.
func FuzzParseManifest(f *testing.F) {
	m := asset.Manifest{Files: []asset.File{{Name: "a.png", Bytes: 300}, {Name: "b/c.ogg", Bytes: 1}}}
	f.Add(m.Encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := asset.ParseManifest(data)
		if err != nil {
			return
		}
		again, err := asset.ParseManifest(m.Encode())
		if err != nil || !bytes.Equal(again.Encode(), m.Encode()) {
			t.Errorf("%v, %v", m, err)
		}
	})
}
