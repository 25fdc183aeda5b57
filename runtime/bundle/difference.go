package bundle

import (
	"encoding/binary"
	"fmt"
)

// A difference makes the bytes of a bundle from those of another one, its base. It is a list of steps, each a varint
// of twice the number of bytes that it makes, plus 1 for a copy. A copy has as another varint where its bytes begin in
// the base; otherwise they follow. A preset dictionary of DEFLATE would do for small games only: it ends after 32 KB.
const (
	// block is the length of the blocks of the base that are looked up. A copy makes at least as many bytes, so that the
	// steps are never longer than what they make, but for stepsSlack.
	block      = 16
	stepsSlack = binary.MaxVarintLen32
	copied     = 1
)

// difference returns the steps that make data from base. ok is false if they would leave more than half of data to be
// packed as it is: then they save little, and take time.
func difference(base, data []byte) (steps []byte, ok bool) {
	head := commonPrefix(base, data)
	tail := commonSuffix(base[head:], data[head:])
	d := differ{base: base, data: data}
	if head >= block {
		d.copy(0, 0, head)
	}
	d.between(head, len(data)-tail)
	if tail >= block {
		d.copy(len(base)-tail, len(data)-tail, tail)
	}
	d.literal(len(data))
	return d.steps, 2*d.literals <= len(data)
}

// differ makes a difference.
type differ struct {
	base, data []byte
	steps      []byte
	done       int // how many bytes of data the steps make
	literals   int // of these: as they are
}

// literal makes the bytes up to an offset as they are.
func (d *differ) literal(to int) {
	if n := to - d.done; n > 0 {
		d.steps = binary.AppendUvarint(d.steps, uint64(n)<<1)
		d.steps = append(d.steps, d.data[d.done:to]...)
		d.literals += n
		d.done = to
	}
}

// copy makes n bytes at an offset, and those before it as they are.
func (d *differ) copy(from, at, n int) {
	d.literal(at)
	d.steps = binary.AppendUvarint(d.steps, uint64(n)<<1|copied)
	d.steps = binary.AppendUvarint(d.steps, uint64(from))
	d.done += n
}

// between copies what the base has of the bytes from an offset to another one.
func (d *differ) between(from, to int) {
	if min(to-from, len(d.base)) < block {
		return
	}
	blocks := make(map[[block]byte]int, len(d.base)/block)
	for at := (len(d.base) - block) / block * block; at >= 0; at -= block {
		blocks[[block]byte(d.base[at:])] = at // the first one counts
	}
	for at := from; at+block <= to; {
		found, ok := blocks[[block]byte(d.data[at:])]
		if !ok {
			at++
			continue
		}
		back := commonSuffix(d.base[:found], d.data[max(d.done, from):at])
		n := back + block + commonPrefix(d.base[found+block:], d.data[at+block:to])
		d.copy(found-back, at-back, n)
		at = d.done
	}
}

// apply makes what the steps make from base: at most so many bytes. The error wraps ErrInvalid.
func apply(base, steps []byte, most int) ([]byte, error) {
	var data []byte
	for len(steps) > 0 {
		head, ok := number(&steps)
		n := head >> 1
		switch {
		case !ok || n == 0:
			return nil, fmt.Errorf("%w: not packed against another bundle: a step is broken", ErrInvalid)
		case n > uint64(most-len(data)):
			return nil, fmt.Errorf("%w: more than the %d bytes that were announced", ErrInvalid, most)
		case head&copied == 0 && n > uint64(len(steps)):
			return nil, fmt.Errorf("%w: not packed against another bundle: a step is cut off", ErrInvalid)
		case head&copied == 0:
			data, steps = append(data, steps[:n]...), steps[n:]
			continue
		}
		from, ok := number(&steps)
		if size := uint64(len(base)); !ok || n > size || from > size-n {
			return nil, fmt.Errorf("%w: packed against another bundle than it says: it has %d bytes", ErrInvalid, size)
		}
		data = append(data, base[from:from+n]...)
	}
	return data, nil
}

// number takes a varint from the steps. It reports whether there is one.
func number(steps *[]byte) (v uint64, ok bool) {
	v, n := binary.Uvarint(*steps)
	if n <= 0 {
		return 0, false
	}
	*steps = (*steps)[n:]
	return v, true
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
