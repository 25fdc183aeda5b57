package wire

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/hindcast/hindcast/world"
)

// An input is written as its change from another one, which both ends have:
//
//	head  uvarint: bit 0 set when axes changed, bit 1 when there is more, above
//	      them the buttons that changed
//	mask  1 byte, when axes changed: bit i for axis i
//	axes  those of the mask, lowest first, as appendAxis writes them
//	more  uvarint, when there is more: bit 0 when what the screen showed changed,
//	      above it bit i for button i if it was down for a part of the tick
//	seen  zigzag: the change of what the screen showed, if it did
//	parts 1 byte for each of these buttons, lowest first
//
// So an unchanged input is one byte, 0, and so is one in which any of the first
// five buttons changed. How long a button was down is never taken over.

// inputHead is the head of the change from prev to in, and the mask.
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
	if in.Held != ([world.MaxButtons]uint8{}) || in.ViewTime != prev.ViewTime {
		head |= inputMore
	}
	return head, mask
}

// The bits of an input's head.
const (
	inputAxes    = 1 << iota // axes changed
	inputMore                // the screen showed another moment, or some button was down for a part of the tick
	inputButtons = iota      // above: the buttons that changed
)

// appendInput writes the change from prev to in.
func appendInput(b []byte, prev, in *world.Input) []byte {
	head, mask := inputHead(prev, in)
	b = binary.AppendUvarint(b, head)
	return appendInputRest(b, head, mask, prev, in)
}

// appendInputRest writes what follows the head.
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
	b = binary.AppendUvarint(b, more)
	if more&moreSeen != 0 {
		b = binary.AppendVarint(b, seenNumber(in.ViewTime)-seenNumber(prev.ViewTime))
	}
	for down := more / moreButton; down != 0; down &= down - 1 {
		b = append(b, in.Held[bits.TrailingZeros64(down)])
	}
	return b
}

// The bits of what more there is of an input.
const (
	moreSeen   = 1 << iota // what the screen showed changed
	moreButton             // the first button was down for a part; above: the others
)

// seenNumber is what the screen showed as one number, and seenOf that again.
func seenNumber(v world.ViewTime) int64 {
	n := int64(v.Back) << 1
	if v.All {
		n |= 1
	}
	return n
}

func seenOf(n int64) world.ViewTime { return world.ViewTime{Back: uint16(n >> 1), All: n&1 != 0} }

// maxHead is the largest head: all 32 buttons, the axes, and parts.
const maxHead = 1<<(world.MaxButtons+inputButtons) - 1

// input turns in, which holds the input before, into the one after.
func readInput(r *reader, in *world.Input) {
	readInputRest(r, in, r.uvarint("input buttons", maxHead))
}

// inputRest is input when the head has been read.
func readInputRest(r *reader, in *world.Input, head uint64) {
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
		r.fail("input axes", "none changed, though the head says so")
	}
	for ; mask != 0; mask &= mask - 1 {
		in.Axes[bits.TrailingZeros8(mask)] = readAxis(r)
	}
}

// more reads what the screen showed, if that changed, and which buttons were
// down for a part of the tick, and for which. That these are down at all is for
// world.CheckInput to see.
func readMore(r *reader, in *world.Input) {
	const field = "input parts"
	more := r.uvarint(field, 1<<(world.MaxButtons+1)-1)
	if more == 0 {
		r.fail(field, "none, though the head says so")
	}
	if more&moreSeen != 0 {
		readSeen(r, in)
	}
	for down := more / moreButton; down != 0; down &= down - 1 {
		parts := r.byte(field)
		if parts == 0 || parts >= world.PressParts {
			r.fail(field, "%d of %d", parts, world.PressParts)
		}
		in.Held[bits.TrailingZeros64(down)] = parts
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

// How a number is written says its first varint's lowest three bits. An axis
// with a Step is a whole number of steps, and most steps are among these, so a
// few bytes hold its float64 exactly.
const (
	axisWhole      = 0 // times 1; the number of steps above the tag, as zigzag
	axisTenth      = 1 // times 0.1
	axisHundredth  = 2 // times 0.01
	axisBinary     = 3 // times 1/256
	axisThousandth = 4 // times 0.001
	axisFloat32    = 5 // 4 bytes of a float32 follow
	axisFloat64    = 6 // 8 bytes of a float64 follow
)

// maxSteps is the most steps that are written as such: beyond, a float32 or
// float64 is hardly longer.
const maxSteps = 1 << 26

// axisStep is the step of a tag. The product of a whole number and the step is
// one rounding, the same on every CPU, and what world.InputField.Value gives.
func axisStep(tag int) float64 {
	return [...]float64{1, 0.1, 0.01, 1.0 / 256, 0.001}[tag]
}

// appendAxis writes v, every bit of it, in the shortest way: the coarsest step
// that fits has the fewest steps.
func appendAxis(b []byte, v float64) []byte {
	for tag := axisWhole; tag <= axisThousandth; tag++ {
		step := axisStep(tag)
		n := math.Floor(v/step + 0.5)
		if math.Abs(n) <= maxSteps && math.Float64bits(n*step) == math.Float64bits(v) {
			return binary.AppendUvarint(b, zigzag(int64(n))<<3|uint64(tag))
		}
	}
	// A NaN is left out: on its way through a float32 it would lose bits.
	if short := float32(v); v == v && math.Float64bits(float64(short)) == math.Float64bits(v) {
		b = append(b, axisFloat32)
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(short))
	}
	b = append(b, axisFloat64)
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

// axis reads what appendAxis writes.
func readAxis(r *reader) float64 {
	const field = "input axis"
	u := r.uvarint(field, math.MaxUint64)
	switch tag := int(u & 7); {
	case tag <= axisThousandth && u>>3 <= 2*maxSteps:
		return float64(unzigzag(u>>3)) * axisStep(tag)
	case u == axisFloat32:
		v := float64(math.Float32frombits(r.fixed32(field)))
		if v != v {
			r.fail(field, "NaN as a float32, which CPUs widen differently")
		}
		return v
	case u == axisFloat64:
		return math.Float64frombits(r.fixed64(field))
	}
	r.fail(field, "form %d", u)
	return 0
}
