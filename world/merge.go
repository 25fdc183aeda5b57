package world

import (
	"math"
	"math/bits"
)

// Merge is the rule by which the inputs of several frames become the one input of their
// tick.
type Merge uint8

// The rules.
const (
	MergeDefault  Merge = iota // a button: down at any time; an axis: the last value
	MergeLast                  // a button: the last state
	MergeSum                   // an axis: the sum over all frames, in its range
	MergeMean                  // an axis: its mean over the tick
	MergeFurthest              // an axis: the value furthest from 0
)

// MergeNames returns the rules for a button or for an axis as scripts write them. The first
// is the default.
func MergeNames(axis bool) []string {
	if axis {
		return []string{"last", "sum", "mean", "furthest"}
	}
	return []string{"any", "last"}
}

// MergeNamed returns the rule of a name, for a button or for an axis.
func MergeNamed(name string, axis bool) (m Merge, ok bool) {
	switch {
	case name == MergeNames(axis)[0]:
		return MergeDefault, true
	case name == "last":
		return MergeLast, true
	case !axis:
		return 0, false
	case name == "sum":
		return MergeSum, true
	case name == "mean":
		return MergeMean, true
	case name == "furthest":
		return MergeFurthest, true
	}
	return 0, false
}

// Merger makes the input of a tick from the inputs of its frames. The zero value has no
// frame yet.
type Merger struct {
	last  Input        // the newest frame
	edges ButtonCounts // how often each button has gone down and up
	held  uint32       // the buttons that are down by these counts
	time  float64
	down  [MaxButtons]float64 // for how long each button was down
	ever  uint32              // buttons that were down
	sum   [MaxAxes]float64
	area  [MaxAxes]float64 // the axes times the time
	apart [MaxAxes]float64 // the values furthest from 0
}

// Add adds the input of a frame and its length, in any unit that is the same for all frames.
// For an axis that is merged as a sum, in has the change in this frame; for all others it has
// the present value.
func (m *Merger) Add(in *Input, length float64) {
	for turned := in.Buttons ^ m.held; turned != 0; turned &= turned - 1 {
		m.edges.Turn(bits.TrailingZeros32(turned))
	}
	m.held = in.Buttons
	m.add(in, length)
}

func (m *Merger) add(in *Input, length float64) {
	if !(length > leastFrame) {
		length = leastFrame
	}
	m.time += length
	for i := range m.down {
		if part := in.HeldParts(i); part > 0 {
			m.down[i] += float64(length * (float64(part) / PressParts))
		}
	}
	m.ever |= in.Buttons
	for i, v := range in.Axes {
		m.sum[i] += v
		m.area[i] += float64(v * length)
		if math.Abs(v) > math.Abs(m.apart[i]) {
			m.apart[i] = v
		}
	}
	m.last = *in
}

// leastFrame is the least length with which a frame counts.
const leastFrame = 1e-9

// Take returns the input of the tick by the rules of a class, for Conform, and starts the next
// tick. In a tick without a frame, all buttons and axes keep their last state.
func (m *Merger) Take(fields []InputField) Input {
	if m.time == 0 {
		m.rest()
	}
	var in Input
	for i := range fields {
		f := &fields[i]
		if f.Axis {
			in.Axes[f.Index] = m.axis(f)
			continue
		}
		if f.Counted && m.edges.Of(f.Index) == notCounted {
			m.edges.Set(f.Index, firstCount)
		}
		bit := uint32(1) << f.Index
		if m.ever&bit != 0 && (f.Merge != MergeLast || m.last.Buttons&bit != 0) {
			in.Press(f.Index, m.down[f.Index]/m.time)
		}
	}
	in.ViewTime, in.Edges = m.last.ViewTime, m.edges
	*m = Merger{last: m.last, edges: m.edges, held: m.held}
	return in
}

// Count sets from where the presses of buttons are counted, before the first frame:
// EdgesOf has the counts on which an object acted last.
func (m *Merger) Count(from ButtonCounts) {
	m.edges, m.held = from, 0
	for i := range MaxButtons {
		m.held |= uint32(from.Of(i)&1) << i
	}
}

// Rebind starts again under another declaration of the class. The counts of buttons go on, by
// the names of the fields.
func (m *Merger) Rebind(from, to []InputField) {
	counts := RemapInput(from, to, Conform(from, Input{Edges: m.edges})).Edges
	*m = Merger{}
	m.Count(counts)
}

// rest adds a frame in which nothing changed. It adds 0 to sums.
func (m *Merger) rest() {
	same := m.last
	same.Held = [MaxButtons]uint8{}
	m.add(&same, 1)
	m.sum = [MaxAxes]float64{}
}

func (m *Merger) axis(f *InputField) float64 {
	switch f.Merge {
	case MergeSum:
		return m.sum[f.Index]
	case MergeMean:
		return m.area[f.Index] / m.time
	case MergeFurthest:
		return m.apart[f.Index]
	}
	return m.last.Axes[f.Index]
}
