package world

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// AppendCuePatch appends the patch that turns run into want, two lists of the cues of a tick as Trace.Cues
// returns them: of the shared run, and of the host's. Only cues of shared objects count: clients run their
// hooks, but without the objects that they do not simulate. A patch of equal lists is one byte.
//
//	uvarint   twice the number of cues of run that did not happen, plus 1 if others did
//	uvarint   for each: how many cues happened since the one before
//	uvarint   if others happened: how many, and each of them
//
// A cue that changed counts as both.
func AppendCuePatch(b []byte, run, want []Cue) []byte {
	var gone []int
	for i := range run {
		if c := &run[i]; !c.Source.Replicated && !hasCue(want, c) {
			gone = append(gone, i)
		}
	}
	come := slices.DeleteFunc(slices.Clone(want), func(c Cue) bool { return c.Source.Replicated || hasCue(run, &c) })
	b = binary.AppendUvarint(b, uint64(2*len(gone)+min(len(come), 1)))
	last := -1
	for _, i := range gone {
		b = binary.AppendUvarint(b, uint64(i-last-1))
		last = i
	}
	if len(come) == 0 {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(come)))
	for i := range come {
		b = come[i].append(b)
	}
	return b
}

// hasCue reports whether a list has an equal cue of a shared object.
func hasCue(list []Cue, c *Cue) bool {
	return slices.ContainsFunc(
		list,
		func(o Cue) bool { return o.CueKey == c.CueKey && o.Same(c) && !o.Source.Replicated },
	)
}

// ApplyCuePatch applies a patch of the cues of tick t to run, and returns the result, sorted by object, and
// the rest of b. Errors wrap ErrFormat.
func ApplyCuePatch(b []byte, t Tick, run []Cue) (cues []Cue, rest []byte, err error) {
	r := reader{b: b}
	head, next := r.small(), 0
	for range r.count(head/2, 1) {
		skip := r.small()
		if skip >= len(run)-next {
			r.fail(fmt.Errorf("cue %d of %d", next+skip, len(run)))
		}
		if !r.ok() {
			break
		}
		cues = append(cues, run[next:next+skip]...)
		next += skip + 1
	}
	cues = append(cues, run[min(next, len(run)):]...)
	others := 0
	if head%2 == 1 {
		others = r.count(r.small(), leastCue)
	}
	for range others {
		c := r.cue(t)
		if !r.ok() {
			break
		}
		cues = append(cues, c)
	}
	if !r.ok() {
		return nil, nil, fmt.Errorf("%w: patch of cues: %w", ErrFormat, r.failure())
	}
	slices.SortStableFunc(cues, func(a, b Cue) int { return cmp.Compare(a.Object, b.Object) })
	return cues, r.b, nil
}

// leastCue is how many bytes a cue takes at least.
const leastCue = 15

// append appends all of a cue but its tick.
func (c *Cue) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(c.Object))
	b = appendText(b, c.Name)
	b = append(b, byte(c.To), byte(c.When))
	b = binary.AppendUvarint(b, uint64(c.Count))
	b = binary.AppendUvarint(b, uint64(c.Owner))
	b = binary.AppendUvarint(b, uint64(c.Lasts))
	b = append(b, byte(len(c.Fields)))
	for i := range c.Fields {
		f := &c.Fields[i]
		b = appendText(b, f.Name)
		b = append(b, byte(f.Kind))
		if f.Kind == String {
			b = appendText(b, f.Text)
		} else {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(f.Number))
		}
	}
	return b
}

func appendText(b []byte, s string) []byte {
	return append(append(b, byte(len(s))), s...)
}

// cue reads what append appended, with the checks of a cue that a script emits.
func (r *reader) cue(t Tick) Cue {
	c := Cue{
		CueKey: CueKey{Tick: t, Object: ObjectID(r.u64()), Name: r.text()},
		To:     CueTo(r.u8()),
		When:   CueWhen(r.u8()),
	}
	c.Count, c.Owner, c.Lasts = r.small(), PlayerID(r.small()), Tick(r.small())
	n := int(r.u8())
	if r.ok() && (c.To > CueOthers || c.When > CueConfirmed || c.Count >= MaxCues || n > MaxCueFields) {
		r.fail(fmt.Errorf("cue %s to %d, when %d, with %d fields", c.CueKey, c.To, c.When, n))
	}
	for i := 0; i < n && r.ok(); i++ {
		f := CueField{Name: r.text(), Kind: FieldKind(r.u8())}
		switch f.Kind {
		case String:
			f.Text = r.text()
		case Number, Bool:
			f.Number = math.Float64frombits(r.u64())
		default:
			r.fail(fmt.Errorf("a cue's field of kind %d", f.Kind))
		}
		c.Fields = append(c.Fields, f)
	}
	if r.ok() {
		r.fail(checkCue(c.Name, 0, c.Fields))
	}
	return c
}

// text reads what appendText appended.
func (r *reader) text() string {
	n := int(r.u8())
	if n > MaxCueText {
		r.fail(fmt.Errorf("a text of %d bytes", n))
	}
	if !r.ok() {
		return ""
	}
	return string(r.take(n))
}

// small reads a number below 65,536.
func (r *reader) small() int {
	v := r.uvarint()
	if v > math.MaxUint16 {
		r.fail(fmt.Errorf("%d where a small number is expected", v))
		return 0
	}
	return int(v)
}
