package kcplink

// windowSize is how far behind the newest sequence number a packet may be, in
// packets. At full bulk speed that is about two seconds.
const windowSize = 1024

// seqWindow remembers which of the last windowSize sequence numbers came. The
// numbers may wrap round.
type seqWindow struct {
	any    bool
	newest uint32
	seen   [windowSize / 64]uint64 // ring of bits, by seq modulo windowSize
}

type verdict uint8

const (
	fresh     verdict = iota // newer than all before it
	lateFresh                // older, but not seen before
	duplicate
	stale // too old to know
)

// take says what seq is, and remembers it.
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

// advance moves the newest number on by n and forgets what leaves the ring.
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
