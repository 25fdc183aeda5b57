package wire

import "math/bits"

// bitCoder is an arithmetic coder of bits: a bit costs as little as it was
// likely, down to a few thousandths of one. It either writes or reads, and the
// same code drives both: what is handed in is written, or, when reading,
// ignored; what comes back is what was written or read. It uses integers only,
// so that all CPUs agree.
//
// It narrows an interval of 32 bits for each bit, and lets out the top bytes
// when they are certain. A carry runs through the bytes that are already out.
type bitCoder struct {
	b    []byte
	span uint32 // of the interval; above 2^24 between bits

	low   uint32 // writing: where the interval begins, below what is out in b
	start int    // writing: the first byte that is the coder's

	reading bool
	code    uint32 // reading: the number looked for, less where the interval begins
	at      int    // reading: bytes taken; may be beyond the end, where all are 0
}

// tailBytes is how many bytes at the end say where in the last interval the
// number is. Those that are 0 are left out.
const tailBytes = 4

// writeBits writes after what b holds.
func writeBits(b []byte) bitCoder {
	return bitCoder{b: b, start: len(b), span: 1<<32 - 1}
}

// readBits reads all of b.
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

// overrun reports, when reading, that more was read than there is.
func (c *bitCoder) overrun() bool { return c.at > len(c.b)+tailBytes }

// complete reports, when reading is over, that nothing is left and nothing that
// should be left out is there.
func (c *bitCoder) complete() bool {
	return !c.overrun() && len(c.b) <= c.at && (len(c.b) == 0 || c.b[len(c.b)-1] != 0 || len(c.b) <= c.at-tailBytes)
}

// bit codes a bit of which p learns.
func (c *bitCoder) bit(p *bitModel, bit bool) bool {
	bit = c.split(c.span>>16*p.probabilityOfFalse(), bit)
	p.learn(bit)
	return bit
}

// split goes on with the part of the interval that bit stands for: that below
// bound is false's.
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

// carry adds one to what is out.
func (c *bitCoder) carry() {
	for i := len(c.b) - 1; i >= c.start; i-- {
		if c.b[i]++; c.b[i] != 0 {
			return
		}
	}
}

// raw codes the lowest n bits of v, each as likely as not.
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

// finish ends writing: of the numbers in the interval that with most zeros at
// its end is the shortest.
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

// bitModel is how likely a bit is, learnt from those before it. The zero value
// knows nothing. It is kept from one snapshot to those that build on it.
type bitModel struct {
	bias int16 // 65536 times the likelihood of false, less a half
	seen uint8 // bits, at most maxSeen
}

// maxSeen is over how many bits a chance is learnt, and minProbability how close to
// certainty one comes, of 65536.
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

// levels is how many steps of how much stirs are told apart.
const levels = 6

// level is how much a number is off: 0 for not at all, then a step for each factor of 4.
func level(v int64) int {
	if v == 0 {
		return 0
	}
	return min(bits.Len64(uint64(size(v)))/2+1, levels-1)
}

// side is which way a number points: 0 for neither.
func side(v int64) int {
	switch {
	case v < 0:
		return 1
	case v > 0:
		return 2
	}
	return 0
}

// numberModel is what is known of the numbers that stand in one place: mostly 0,
// else rather small, of either sign.
type numberModel struct {
	zero [levels]bitModel     // by how much stirred before it
	sign [3]bitModel          // by the side on which it is
	size [levels][12]bitModel // bits of the magnitude: whether there are more; those beyond share the last
	top  [12]bitModel         // the bit below the highest one
}

// signed codes a number; busy is the level of what it goes with, toward the side on
// which it is.
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

// magnitude codes a number above 0: how many bits it has, and those below the
// highest, of which only the first has a likelihood worth learning.
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
