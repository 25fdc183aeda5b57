package kcplink

// windowSize is how many packets behind the newest one a packet may be. At the full rate
// of bulk that is about two seconds.
const windowSize = 1024

// seqWindow remembers which of the last windowSize sequence numbers were received. The
// numbers may wrap around.
type seqWindow struct {
	any    bool
	newest uint32
	seen   [windowSize / 64]uint64 // a ring of bits, by sequence number modulo windowSize
}

type verdict uint8

const (
	fresh     verdict = iota // newer than all before it
	lateFresh                // older, but not seen before
	duplicate
	stale // too old to tell
)

// take classifies seq and remembers it.
func (w *seqWindow) take(seq uint32) verdict {
	if !w.any {
		w.any, w.newest = true, seq
		w.set(seq)
		return fresh
	}
	ahead := int32(seq - w.newest)
	switch {
	case ahead > 0:
		w.advance(uint32(ahead))
		w.set(seq)
		return fresh
	case ahead <= -windowSize:
		return stale
	case w.has(seq):
		return duplicate
	}
	w.set(seq)
	return lateFresh
}

// advance moves the newest number on by n, and forgets the numbers that leave the ring.
func (w *seqWindow) advance(n uint32) {
	if n >= windowSize {
		w.seen = [windowSize / 64]uint64{}
		w.newest += n
		return
	}
	for range n {
		w.newest++
		i := w.newest % windowSize
		w.seen[i/64] &^= 1 << (i % 64)
	}
}

func (w *seqWindow) has(seq uint32) bool {
	i := seq % windowSize
	return w.seen[i/64]&(1<<(i%64)) != 0
}

func (w *seqWindow) set(seq uint32) {
	i := seq % windowSize
	w.seen[i/64] |= 1 << (i % 64)
}
