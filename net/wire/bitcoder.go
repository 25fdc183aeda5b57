package wire

import "math/bits"

// bitCoder is an arithmetic coder of bits: the more likely a bit was, the less it
// costs, down to a few thousandths of a bit. It either writes or reads, and the same
// calling code does both: each method returns the value that was written or read, and
// ignores its argument when it reads. It uses integers only, so all CPUs agree.
//
// Each bit narrows an interval of 32 bits. The top byte is written when it is certain;
// a carry goes through the bytes that are written already.
type bitCoder struct {
	b    []byte
	span uint32 // the length of the interval; at least 2^24 between bits

	low   uint32 // writing: where the interval begins, without what is written in b
	start int    // writing: the index of the coder's first byte

	reading bool
	code    uint32 // reading: the coded number less where the interval begins
	at      int    // reading: the number of bytes taken; those beyond the end are 0
}

// tailBytes is the number of bytes at the end that name a number in the last
// interval. Trailing zeros are left out.
const tailBytes = 4

// writeBits returns a coder that appends to b.
func writeBits(b []byte) bitCoder {
	return bitCoder{b: b, start: len(b), span: 1<<32 - 1}
}

// readBits returns a coder that reads all of b.
func readBits(b []byte) bitCoder {
	c := bitCoder{b: b, span: 1<<32 - 1, reading: true}
	for range tailBytes {
		c.code = c.code<<8 | uint32(c.next())
	}
	return c
}

func (c *bitCoder) next() (v byte) {
	if c.at < len(c.b) {
		v = c.b[c.at]
	}
	c.at++
	return v
}

// overrun reports whether more was read than there is.
func (c *bitCoder) overrun() bool { return c.at > len(c.b)+tailBytes }

// complete reports, at the end of reading, whether no byte is left over and none is
// there that a writer leaves out.
func (c *bitCoder) complete() bool {
	return !c.overrun() && len(c.b) <= c.at && (len(c.b) == 0 || c.b[len(c.b)-1] != 0 || len(c.b) <= c.at-tailBytes)
}

// bit codes a bit with the model p, which learns it.
func (c *bitCoder) bit(p *bitModel, bit bool) bool {
	bit = c.split(c.span>>16*p.probabilityOfFalse(), bit)
	p.learn(bit)
	return bit
}

// split narrows the interval to the part that bit stands for: the part below bound
// for false.
func (c *bitCoder) split(bound uint32, bit bool) bool {
	if c.reading {
		bit = c.code >= bound
	}
	if !bit {
		c.span = bound
	} else {
		c.span -= bound
		if c.reading {
			c.code -= bound
		} else if c.low += bound; c.low < bound {
			c.carry()
		}
	}
	for c.span < 1<<24 {
		c.span <<= 8
		if c.reading {
			c.code = c.code<<8 | uint32(c.next())
		} else {
			c.b = append(c.b, byte(c.low>>24))
			c.low <<= 8
		}
	}
	return bit
}

// carry adds one to the bytes that are written.
func (c *bitCoder) carry() {
	for i := len(c.b) - 1; i >= c.start; i-- {
		if c.b[i]++; c.b[i] != 0 {
			return
		}
	}
}

// raw codes the lowest n bits of v, each with a probability of one half.
func (c *bitCoder) raw(v uint64, n int) uint64 {
	for i := n - 1; i >= 0; i-- {
		if c.split(c.span>>1, v>>i&1 != 0) {
			v |= 1 << i
		} else {
			v &^= 1 << i
		}
	}
	return v & (1<<n - 1)
}

// finish ends writing and returns all bytes. Of the numbers in the interval, the one
// with the most zeros at its end is the shortest.
func (c *bitCoder) finish() []byte {
	last := uint64(c.low) + uint64(c.span) - 1
	v := uint64(c.low)
	for n := 31; n >= 0; n-- {
		if up := (v + 1<<n - 1) >> n << n; up <= last {
			v = up
			break
		}
	}
	if v>>32 != 0 {
		c.carry()
	}
	for i := tailBytes - 1; i >= 0 && uint32(v)<<(8*(tailBytes-1-i)) != 0; i-- {
		c.b = append(c.b, byte(v>>(8*i)))
	}
	return c.b
}

// bitModel is the probability of a bit, learnt from the bits before it. The zero value
// has learnt nothing. A snapshot hands it on to those that are built on it.
type bitModel struct {
	bias int16 // 65536 x the probability of false, less 2^15
	seen uint8 // bits, at most maxSeen
}

// maxSeen is the number of bits that a bitModel averages over. minProbability is the
// smallest probability that it reaches, in 65536ths.
const (
	maxSeen        = 100
	minProbability = 48
)

func (p *bitModel) probabilityOfFalse() uint32 { return uint32(int32(p.bias) + 1<<15) }

func (p *bitModel) learn(bit bool) {
	aim := int32(1<<15 - minProbability)
	if bit {
		aim = -aim
	}
	p.bias += int16(2 * (aim - int32(p.bias)) / (2*int32(p.seen) + 3))
	if p.seen < maxSeen {
		p.seen++
	}
}

// levels is the number of levels.
const levels = 6

// level classifies the magnitude of a number: 0 for 0, then one level for each factor
// of 4.
func level(v int64) int {
	if v == 0 {
		return 0
	}
	return min(bits.Len64(uint64(size(v)))/2+1, levels-1)
}

// side classifies the sign of a number: 0, negative, positive.
func side(v int64) int {
	switch {
	case v < 0:
		return 1
	case v > 0:
		return 2
	}
	return 0
}

// numberModel is the probabilities of a signed number, which is mostly 0 and else
// rather small. The context of a number is a level and a side.
type numberModel struct {
	zero [levels]bitModel     // by level
	sign [3]bitModel          // by side
	size [levels][12]bitModel // by level: the magnitude has more than n bits; beyond, n shares the last
	top  [12]bitModel         // by bit length: the bit below the highest one
}

// signed codes a number whose context has the level busy and the side toward.
func (c *bitCoder) signed(m *numberModel, busy, toward int, v int64) int64 {
	if !c.bit(&m.zero[busy], v != 0) {
		return 0
	}
	negative := c.bit(&m.sign[toward], v < 0)
	u := uint64(v)
	if negative && !c.reading {
		u = -u
	}
	u = c.magnitude(&m.size[busy], &m.top, u)
	if negative {
		u = -u
	}
	return int64(u)
}

// magnitude codes a number above 0: its bit length, and the bits below the highest
// one. Only the first of these is worth a model.
func (c *bitCoder) magnitude(size, top *[12]bitModel, u uint64) uint64 {
	n := 1
	for n < 64 && c.bit(&size[min(n, len(size))-1], bits.Len64(u) > n) {
		n++
	}
	v := uint64(1)
	if n > 1 {
		v <<= 1
		if c.bit(&top[min(n, len(top))-1], u>>(n-2)&1 != 0) {
			v |= 1
		}
	}
	if n > 2 {
		v = v<<(n-2) | c.raw(u, n-2)
	}
	return v
}
