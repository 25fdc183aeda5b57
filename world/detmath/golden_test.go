package detmath

import (
	"math"
	"testing"
)

// goldenCalls is the number of calls a function that a golden hash covers: three
// in four with the arguments of the accuracy test, one in four with any bits.
const goldenCalls = 100_000

// golden holds the hash of each function's results. They are the same on every
// CPU; if one changes, so does every recorded match.
var golden = map[string]uint64{
	"Sincos.sin": 0x4fe88423cd36b67b,
	"Sincos.cos": 0x4b6b8d6709751929,
	"Sin":        0x4fe88423cd36b67b,
	"Cos":        0x4b6b8d6709751929,
	"Tan":        0xc7514c873d1daad8,
	"Atan2":      0x89b363ff76bbf742,
	"Atan":       0x975e0e7045edcf61,
	"Asin":       0xd30893236ce636cc,
	"Acos":       0xfa1d741cda50a5da,
	"Exp":        0x296d392a893dc5dd,
	"Log":        0x0af12e62ebdb452a,
	"Log2":       0xc9ac01dafbc23eb0,
	"Log10":      0x40a074d8361c8a69,
	"Pow":        0xfd244f068217cc2a,
	"Hypot":      0x5109bc2397bd6939,
	"Sqrt":       0x0e4f32b0f58f7862,
	"Wrap":       0x03c6e36ecbde82c4,
}

// goldenHash mixes the bits of f's results in order (FNV-1a, a word at a time).
func goldenHash(f function) uint64 {
	s := stream(uint64(goldenCalls))
	h := uint64(0xcbf29ce484222325)
	for i := range goldenCalls {
		args := f.args
		if i&3 == 3 {
			args = anything
		}
		p := args(&s, i)
		h = (h ^ math.Float64bits(f.of(p.a, p.b))) * 0x100000001b3
		h ^= h >> 32
	}
	return h
}

func TestGolden(t *testing.T) {
	all := append(functions(), function{name: "Wrap", of: one(Wrap), args: angles})
	for _, f := range all {
		if got := goldenHash(f); got != golden[f.name] {
			t.Errorf("%s: hash %#016x, want %#016x", f.name, got, golden[f.name])
		}
	}
	if len(all) != len(golden) {
		t.Errorf("%d functions, %d golden hashes", len(all), len(golden))
	}
}
