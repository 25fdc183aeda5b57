package memlink

// dedupeSpan is the number of datagrams that are remembered. Older ones are dropped: at
// 240 datagrams a second they are more than 4 s late.
const dedupeSpan = 1024

// dedupe finds datagrams that were received before.
type dedupe struct {
	newest uint64 // the highest number received; numbers begin at 1
	seen   [dedupeSpan / 64]uint64
}

// first reports whether a number is received for the first time.
func (d *dedupe) first(number uint64) bool {
	if number > d.newest {
		for n := d.newest + 1; n <= number && n <= d.newest+dedupeSpan; n++ {
			d.seen[n/64%uint64(len(d.seen))] &^= 1 << (n % 64)
		}
		d.newest = number
	} else if d.newest-number >= dedupeSpan {
		return false
	}
	word, bit := &d.seen[number/64%uint64(len(d.seen))], uint64(1)<<(number%64)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}
