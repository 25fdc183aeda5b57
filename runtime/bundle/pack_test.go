package bundle_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
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

// TestPackAgainst: a game that was edited is a few bytes more than the one before, however large it is, and comes out as
// it was. A game that has nothing in common with it is packed as a whole.
func TestPackAgainst(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func(n int) string {
		b := make([]byte, n/2)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return hex.EncodeToString(b)
	}
	encode := func(texts ...string) []byte {
		b := bundle.New("game")
		for i, text := range texts {
			b.Files = append(b.Files, world.Source{Name: fmt.Sprintf("f%02d.lua", i), Text: text})
		}
		return b.Encode()
	}
	a, b, c := noise(50_000), noise(50_000), noise(3000)
	base := encode(a, b, c)
	for what, edit := range map[string]struct {
		data []byte
		most int
	}{
		"nothing changed":            {base, 20},
		"a line at the end":          {encode(a, b, c+"\n-- 7"), 40},
		"a line in two files":        {encode("-- 1\n"+a, b, c+"\n-- 7"), 60},
		"a new file":                 {encode(a, b, noise(100), c), 180},
		"files in another order":     {encode(c, b, a), 100},
		"a file that is gone":        {encode(a, c), 60},
		"a function that was moved":  {encode(a[:10_000]+a[20_000:]+a[10_000:20_000], b, c), 120},
		"a bundle of the base twice": {encode(a, b, c, a, b, c), 150},
	} {
		packed := bundle.PackAgainst(base, edit.data)
		got, err := bundle.UnpackAgainst(base, packed, len(edit.data))
		if packed == nil || len(packed) > edit.most || err != nil || !bytes.Equal(got, edit.data) {
			t.Errorf("%s: %d bytes packed as %d, at most %d, unpacked as %d: %v", what, len(edit.data), len(packed), edit.most, len(got), err)
		}
	}
	for _, other := range [][]byte{encode(noise(50_000)), {}, []byte("x"), encode(a, noise(80_000))} {
		if packed := bundle.PackAgainst(base, other); packed != nil && len(other) > 0 {
			t.Errorf("%d bytes that are new are packed as %d", len(other), len(packed))
		}
	}
}

// TestUnpackAgainst: what an attacker packs is an error before it takes more memory than was announced.
func TestUnpackAgainst(t *testing.T) {
	base := bundle.New("game", world.Source{Name: "game.lua", Text: strings.Repeat("local a = 1\n", 5000)}).Encode()
	data := append(bytes.Clone(base[:len(base)-2]), "-- one line more }}"...)
	packed := bundle.PackAgainst(base, data)
	step := func(n, from int) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(n)<<1|1), uint64(from))
	}
	for what, c := range map[string]struct {
		base, packed []byte
		most         int
		says         string
	}{
		"one byte more":             {base, packed, len(data) - 1, "more than the"},
		"a shorter base":            {base[:40], packed, len(data), "another bundle"},
		"no base":                   {nil, packed, len(data), "another bundle"},
		"cut off":                   {base, packed[:len(packed)-2], len(data), "not packed"},
		"steps without end":         {base, bundle.Pack(make([]byte, 64<<20)), 1 << 40, "more than the"},
		"the base 60,000 times":     {base, bundle.Pack(bytes.Repeat(step(len(base), 0), 60_000)), 1 << 40, "more than the"},
		"a step of nothing":         {base, bundle.Pack([]byte{0}), 100, "broken"},
		"a copy of nothing":         {base, bundle.Pack(step(0, 0)), 100, "broken"},
		"a copy from after the end": {base, bundle.Pack(step(16, len(base)-15)), 100, "another bundle"},
		"a copy from far after it":  {base, bundle.Pack(append(step(16, 0)[:1], 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1)), 100, "another bundle"},
		"a copy from nowhere":       {base, bundle.Pack(step(16, 0)[:1]), 100, "another bundle"},
		"fewer bytes than it says":  {base, bundle.Pack([]byte{8, 'a'}), 100, "cut off"},
		"a number without end":      {base, bundle.Pack(bytes.Repeat([]byte{0xff}, 20)), 100, "broken"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := bundle.UnpackAgainst(c.base, c.packed, c.most)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, bundle.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, should say %q", what, err, c.says)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 32<<20 { // of buffers that grow, each one anew
			t.Errorf("%s takes %d bytes", what, got)
		}
	}
}

// FuzzUnpackAgainst: whatever was packed against another bundle comes out, and nothing is more than was announced.
func FuzzUnpackAgainst(f *testing.F) {
	base := []byte(`{"game":"a","setup":{"tick_rate":60,"seed":1,"width":40,"height":24},"files":[]}`)
	f.Add(base, []byte(`{"game":"b","setup":{"tick_rate":60,"seed":1,"width":40,"height":24},"files":[]}`), uint16(300))
	f.Add([]byte("x"), []byte{33, 0}, uint16(10))
	f.Add(bytes.Repeat([]byte("ab"), 40), bytes.Repeat([]byte("ba"), 90), uint16(3))
	f.Fuzz(func(t *testing.T, base, b []byte, most uint16) {
		for _, packed := range [][]byte{b, bundle.Pack(b)} {
			data, err := bundle.UnpackAgainst(base, packed, int(most))
			switch {
			case err != nil && !errors.Is(err, bundle.ErrInvalid):
				t.Fatal(err)
			case len(data) > int(most):
				t.Fatalf("%d bytes where %d were announced", len(data), most)
			}
		}
		if packed := bundle.PackAgainst(base, b); packed != nil {
			if back, err := bundle.UnpackAgainst(base, packed, len(b)); err != nil || !bytes.Equal(back, b) {
				t.Fatalf("%x came out as %x, %v", b, back, err)
			}
		}
	})
}
