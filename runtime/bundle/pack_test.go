package bundle_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/world"
)

// TestPack: what is packed is smaller, comes out as it was, and a bundle that is larger than was announced is refused
// before it takes memory.
func TestPack(t *testing.T) {
	data := bundle.New("game", world.Source{Name: "game.lua", Text: string(bytes.Repeat([]byte("local a = 1\n"), 1000))}).Encode()
	packed := bundle.Pack(data)
	if got, err := bundle.Unpack(packed, len(data)); err != nil || !bytes.Equal(got, data) || 10*len(packed) > len(data) {
		t.Errorf("%d bytes packed as %d, unpacked as %d: %v", len(data), len(packed), len(got), err)
	}
	bomb := bundle.Pack(make([]byte, 64<<20))
	for what, c := range map[string]struct {
		packed []byte
		most   int
	}{
		"one byte more":      {packed, len(data) - 1},
		"a bomb":             {bomb, 1 << 40},
		"nothing":            {nil, 10},
		"bytes of no bundle": {[]byte{0xff, 0xff}, 10},
		"cut off":            {packed[:len(packed)-2], len(data)},
	} {
		if _, err := bundle.Unpack(c.packed, c.most); !errors.Is(err, bundle.ErrInvalid) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzUnpack: whatever was packed comes out, and nothing takes more memory than was announced.
func FuzzUnpack(f *testing.F) {
	f.Add(bundle.Pack([]byte(`{"setup":{}}`)), uint16(12))
	f.Add([]byte{0xff, 0xff}, uint16(10))
	f.Fuzz(func(t *testing.T, b []byte, most uint16) {
		data, err := bundle.Unpack(b, int(most))
		switch {
		case err != nil && !errors.Is(err, bundle.ErrInvalid):
			t.Fatal(err)
		case len(data) > int(most):
			t.Fatalf("%d bytes where %d were announced", len(data), most)
		}
		if back, err := bundle.Unpack(bundle.Pack(b), len(b)); err != nil || !bytes.Equal(back, b) {
			t.Fatalf("%x came out as %x, %v", b, back, err)
		}
	})
}
