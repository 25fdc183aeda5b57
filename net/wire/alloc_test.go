package wire

import (
	"encoding/binary"
	"math"
	"runtime"
	"testing"
)

// allocatedBy returns how many bytes a function allocates.
func allocatedBy(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// TestParsersAllocateNoAnnouncedLengths puts large numbers into every place of every message: what a parser allocates
// follows from the bytes that came, and not from what they announce.
func TestParsersAllocateNoAnnouncedLengths(t *testing.T) {
	worst, of := 0, Kind(0)
	for _, c := range codecs() {
		for _, m := range c.samples {
			whole := c.append(nil, m)
			usual := allocatedBy(func() { _, _ = c.parse(whole) }) // with what the test itself needs
			for at := 1; at < len(whole); at++ {
				for _, n := range []uint64{127, 1 << 10, 1 << 14, 1 << 20, math.MaxInt32, math.MaxUint32, math.MaxUint64} {
					b := append(whole[:at:at], binary.AppendUvarint(nil, n)...)
					b = append(b, whole[at+1:]...)
					took := allocatedBy(func() { _, _ = c.parse(b) }) - usual // most are malformed
					if took > worst {
						worst, of = took, c.kind
					}
					if took > 16<<10+64*len(b) {
						t.Fatalf("%v: %d bytes allocate %d: %x", c.kind, len(b), took, b)
					}
				}
			}
		}
	}
	t.Logf("at most %d bytes more than usual, by %v", worst, of)
}
