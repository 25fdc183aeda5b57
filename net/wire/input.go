package wire

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/hindcast/hindcast/world"
)

// An input is written as its difference from another one, its base, which both ends
// have. PROTOCOL.md names the parts:
//
//	head  uvarint: bit 0 set if axes differ, bit 1 if a detail follows, above
//	      them the buttons that differ
//	axis mask  1 byte, if axes differ: bit i for axis i
//	axes       those of the mask, lowest first, as appendAxis writes them
//	detail     uvarint, if one follows: bit 0 set if the view time differs, bit 1 if
//	           counts follow, above them bit i for button i if it was down for a part
//	           of the tick
//	view time  zigzag: the difference of the view time, if it differs
//	counts     uvarint, if they follow: bit i for button i if its count is not the
//	           expected one; then 4 bits for each of these, lowest first, padded to a byte
//	parts      1 byte for each button that was down for a part, lowest first
//
// So an unchanged input is one byte, 0, and one in which only the first five buttons
// differ is one byte, too. The parts are never taken from the base. The expected count of
// a button is that of the base, and the next one if the button differs and the count of
// the base is not 0: after 15 comes 2.

// inputHead returns the head of the difference of in from prev, and the axis mask.
func inputHead(prev, in *world.Input) (head uint64, mask byte) {
	for i := range in.Axes {
		if math.Float64bits(in.Axes[i]) != math.Float64bits(prev.Axes[i]) {
			mask |= 1 << i
		}
	}
	head = uint64(in.Buttons^prev.Buttons) << inputButtons
	if mask != 0 {
		head |= inputAxes
	}
	if in.Held != ([world.MaxButtons]uint8{}) || in.ViewTime != prev.ViewTime ||
		in.Edges != expectedEdges(prev, in.Buttons) {
		head |= inputMore
	}
	return head, mask
}

// expectedEdges returns the counts of an input with these buttons after prev, if nothing
// was missed between them.
func expectedEdges(prev *world.Input, buttons uint32) world.ButtonCounts {
	out := prev.Edges
	for turned := buttons ^ prev.Buttons; turned != 0; turned &= turned - 1 {
		if i := bits.TrailingZeros32(turned); out.Of(i) != 0 {
			out.Turn(i)
		}
	}
	return out
}

// The bits of the head of an input.
const (
	inputAxes    = 1 << iota // axes differ
	inputMore                // a detail follows
	inputButtons = iota      // above: the buttons that differ
)

// appendInput appends the difference of in from prev.
func appendInput(b []byte, prev, in *world.Input) []byte {
	head, mask := inputHead(prev, in)
	b = binary.AppendUvarint(b, head)
	return appendInputRest(b, head, mask, prev, in)
}

// appendInputRest appends what follows the head.
func appendInputRest(b []byte, head uint64, mask byte, prev, in *world.Input) []byte {
	if head&inputAxes != 0 {
		b = append(b, mask)
	}
	for ; mask != 0; mask &= mask - 1 {
		b = appendAxis(b, in.Axes[bits.TrailingZeros8(mask)])
	}
	if head&inputMore != 0 {
		b = appendMore(b, prev, in)
	}
	return b
}

func appendMore(b []byte, prev, in *world.Input) []byte {
	var more uint64
	for i, parts := range in.Held {
		if parts != 0 {
			more |= moreButton << i
		}
	}
	if in.ViewTime != prev.ViewTime {
		more |= moreSeen
	}
	expected := expectedEdges(prev, in.Buttons)
	if in.Edges != expected {
		more |= moreEdges
	}
	b = binary.AppendUvarint(b, more)
	if more&moreSeen != 0 {
		b = binary.AppendVarint(b, seenNumber(in.ViewTime)-seenNumber(prev.ViewTime))
	}
	if more&moreEdges != 0 {
		b = appendEdges(b, &expected, &in.Edges)
	}
	for down := more / moreButton; down != 0; down &= down - 1 {
		b = append(b, in.Held[bits.TrailingZeros64(down)])
	}
	return b
}

// The bits of the detail of an input.
const (
	moreSeen   = 1 << iota // the view time differs
	moreEdges              // counts follow
	moreButton             // the first button was down for a part of the tick; above: the others
)

// appendEdges appends the counts that are not the expected ones.
func appendEdges(b []byte, expected, counts *world.ButtonCounts) []byte {
	var mask uint32
	for i := range world.MaxButtons {
		if counts.Of(i) != expected.Of(i) {
			mask |= 1 << i
		}
	}
	b = binary.AppendUvarint(b, uint64(mask))
	for high := false; mask != 0; mask &= mask - 1 {
		count := byte(counts.Of(bits.TrailingZeros32(mask)))
		if high {
			b[len(b)-1] |= count << 4
		} else {
			b = append(b, count)
		}
		high = !high
	}
	return b
}

// seenNumber returns what the screen showed as one number, and seenOf that again.
func seenNumber(v world.ViewTime) int64 {
	n := int64(v.Back) << 1
	if v.All {
		n |= 1
	}
	return n
}

func seenOf(n int64) world.ViewTime { return world.ViewTime{Back: uint16(n >> 1), All: n&1 != 0} }

// maxHead is the largest head.
const maxHead = 1<<(world.MaxButtons+inputButtons) - 1

// readInput changes in from the base to the input.
func readInput(r *reader, in *world.Input) {
	readInputRest(r, in, r.uvarint("input buttons", maxHead))
}

// readInputRest is readInput after the head.
func readInputRest(r *reader, in *world.Input, head uint64) {
	in.Edges = expectedEdges(in, in.Buttons^uint32(head>>inputButtons))
	in.Buttons ^= uint32(head >> inputButtons)
	in.Held = [world.MaxButtons]uint8{}
	if head&inputAxes != 0 {
		readAxes(r, in)
	}
	if head&inputMore != 0 {
		readMore(r, in)
	}
}

func readAxes(r *reader, in *world.Input) {
	mask := r.byte("input axes")
	if mask == 0 {
		r.fail("input axes", "none differ, but the head says so")
	}
	for ; mask != 0; mask &= mask - 1 {
		in.Axes[bits.TrailingZeros8(mask)] = readAxis(r)
	}
}

// readMore reads the detail, the view time and the parts. world.CheckInput checks that
// a button with a part is down.
func readMore(r *reader, in *world.Input) {
	const field = "input parts"
	more := r.uvarint(field, moreButton<<world.MaxButtons-1)
	if more == 0 {
		r.fail(field, "none, but the head says so")
	}
	if more&moreSeen != 0 {
		readSeen(r, in)
	}
	if more&moreEdges != 0 {
		readEdges(r, &in.Edges)
	}
	for down := more / moreButton; down != 0; down &= down - 1 {
		parts := r.byte(field)
		if parts == 0 || parts >= world.PressParts {
			r.fail(field, "%d of %d", parts, world.PressParts)
		}
		in.Held[bits.TrailingZeros64(down)] = parts
	}
}

// readEdges changes counts from the expected ones to those of the input.
func readEdges(r *reader, counts *world.ButtonCounts) {
	const field = "input counts"
	mask := uint32(r.uvarint(field, 1<<world.MaxButtons-1))
	if mask == 0 {
		r.fail(field, "none differ, but the detail says so")
	}
	var pair byte
	for high := false; mask != 0; mask &= mask - 1 {
		if !high {
			pair = r.byte(field)
		}
		i, count := bits.TrailingZeros32(mask), int(pair&0xf)
		if counts.Of(i) == count {
			r.fail(field, "button %d: %d, as expected, but the detail says that it differs", i, count)
			return
		}
		counts.Set(i, count)
		pair >>= 4
		high = !high
	}
	if pair != 0 {
		r.fail(field, "the padding is not 0")
	}
}

func readSeen(r *reader, in *world.Input) {
	change := unzigzag(r.uvarint("input seen", 1<<18-1))
	n := seenNumber(in.ViewTime) + change
	seen := seenOf(n)
	if change == 0 || n < 0 || n >= 1<<17 || !seen.Check() {
		r.fail("input seen", "%d", n)
		return
	}
	in.ViewTime = seen
}

// The forms of an axis, in the low three bits of its first varint. An axis with a step is
// a whole number of steps, and most steps are among these, so a few bytes have the exact
// float64.
const (
	axisWhole      = 0 // times 1; above the form is the number of steps, as zigzag
	axisTenth      = 1 // times 0.1
	axisHundredth  = 2 // times 0.01
	axisBinary     = 3 // times 1/256
	axisThousandth = 4 // times 0.001
	axisFloat32    = 5 // 4 bytes of a float32 follow
	axisFloat64    = 6 // 8 bytes of a float64 follow
)

// maxSteps is the largest number of steps that is written. Beyond it, a float32 or
// float64 is hardly longer.
const maxSteps = 1 << 26

// axisStep returns the step of a form. The product of a whole number and the step is
// rounded once, the same on every CPU, and equals what world.InputField.Value returns.
func axisStep(tag int) float64 {
	return [...]float64{1, 0.1, 0.01, 1.0 / 256, 0.001}[tag]
}

// appendAxis appends every bit of v in the shortest form: the coarsest step that fits
// has the fewest steps.
func appendAxis(b []byte, v float64) []byte {
	for tag := axisWhole; tag <= axisThousandth; tag++ {
		step := axisStep(tag)
		n := math.Floor(v/step + 0.5)
		if math.Abs(n) <= maxSteps && math.Float64bits(n*step) == math.Float64bits(v) {
			return binary.AppendUvarint(b, zigzag(int64(n))<<3|uint64(tag))
		}
	}
	// Not a NaN: it would lose bits as a float32.
	if short := float32(v); v == v && math.Float64bits(float64(short)) == math.Float64bits(v) {
		b = append(b, axisFloat32)
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(short))
	}
	b = append(b, axisFloat64)
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

// readAxis reads what appendAxis appends.
func readAxis(r *reader) float64 {
	const field = "input axis"
	u := r.uvarint(field, math.MaxUint64)
	switch tag := int(u & 7); {
	case tag <= axisThousandth && u>>3 <= 2*maxSteps:
		return float64(unzigzag(u>>3)) * axisStep(tag)
	case u == axisFloat32:
		v := float64(math.Float32frombits(r.fixed32(field)))
		if v != v {
			r.fail(field, "NaN as a float32, which CPUs widen in different ways")
		}
		return v
	case u == axisFloat64:
		return math.Float64frombits(r.fixed64(field))
	}
	r.fail(field, "form %d", u)
	return 0
}
