package view

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/world"
)

// FieldHold keeps the fields that are shown of objects from going back in time, and their numbers from jumping. An
// object that is no longer drawn at the present, but interpolated, is shown at an earlier moment: its fields stay until
// that moment reaches the one that was shown. Where a sample becomes known that lies between two others, while a frame
// has shown a moment between these, the way from the first to the last may lead elsewhere than the way by the new one.
// So the fields stay until the last one is reached. Where fields are taken from another source than in the last frame,
// or of a much later moment, numbers that are interpolated go from what was shown to what the source has, in
// fieldsEase.
//
// In each frame, Begin is called, then Show for each object, then End. The zero value is ready for use.
type FieldHold struct {
	last, next []heldFields  // of the last and of this frame; by id, once the frame has ended
	words      []uint64      // memory of the rows of last
	spare      []uint64      // memory of the next frame's
	before     time.Duration // of the last frame
	now        time.Duration
	tickRate   float64
	passed     float64 // ticks since the last frame
}

// FieldSource is where the shown fields of an object come from.
type FieldSource uint8

// The sources of fields.
const (
	FromPresent      FieldSource = iota // the client simulates the object
	FromSnapshots                       // the interpolation buffer
	FromCompleteTick                    // complete ticks
	FromProxy                           // a proxy, whose fields are of an unknown moment
)

// FieldMoment says of which moment fields are, in ticks: those that step, those that are interpolated, and those to
// which the latter are on their way.
type FieldMoment struct{ Step, Lerp, To float64 }

// MomentBetween returns the moment of fields at a part, 0 to 1, of the time between two ticks.
func MomentBetween(from, to world.Tick, part float64) FieldMoment {
	if part >= 1 {
		return FieldMoment{float64(to), float64(to), float64(to)}
	}
	return FieldMoment{float64(from), float64(from) + float64(float64(to-from)*part), float64(to)}
}

// or returns the later one of two moments.
func (m FieldMoment) or(other FieldMoment) FieldMoment {
	return FieldMoment{max(m.Step, other.Step), max(m.Lerp, other.Lerp), max(m.To, other.To)}
}

// heldFields is what a frame showed of an object.
type heldFields struct {
	id     world.ObjectID
	class  *world.Class
	row    world.Row
	at     FieldMoment // below 0: unknown
	source FieldSource
	shown  time.Duration // when
	held   bool          // the source is behind that moment
	until  float64       // the moment until which a late sample makes the fields stay, in ticks; 0: they do not
	easing []easedField
	begun  time.Duration // when they began to ease
}

// easedField is a number on its way: by how much what was shown differed from the source when that changed.
type easedField struct {
	field int
	off   float64
}

const (
	// fieldsEase is how long numbers take to where another source has them.
	fieldsEase = 250 * time.Millisecond
	// keptUnseen is for how long the fields of an object are remembered that no frame shows.
	keptUnseen = 5 * time.Second
	// leap is how many ticks further than the time that has passed a moment is that counts as much later.
	leap = 3
	// mostHeld is how many seconds fields wait at most. The moments of a room that began anew are further behind.
	mostHeld = 20
)

func findHeld(list []heldFields, id world.ObjectID) (int, bool) {
	return slices.BinarySearchFunc(list, id, func(f heldFields, id world.ObjectID) int { return cmp.Compare(f.id, id) })
}

// Begin begins a frame.
func (h *FieldHold) Begin(now time.Duration, tickRate int) {
	h.tickRate = float64(tickRate)
	h.passed = float64((now - h.now).Seconds() * h.tickRate)
	h.before, h.now = h.now, now
}

// Show notes an object whose source has the fields row at a moment. It changes row to what is shown. It returns
// row; or, if the source does not know the fields, those that were shown last, which are valid until the next frame
// ends.
func (h *FieldHold) Show(
	id world.ObjectID,
	class *world.Class,
	row world.Row,
	source FieldSource,
	at FieldMoment,
) world.Row {
	i, seen := findHeld(h.last, id)
	// The fields of a proxy that is seen first are of the moment that the caller knows, or of an earlier one.
	if seen && source == FromProxy {
		at = FieldMoment{-1, -1, -1}
	}
	next := heldFields{id: id, class: class, at: at, source: source, shown: h.now}
	if seen && h.last[i].class.Name == class.Name {
		was := &h.last[i]
		switched := was.follow(class)
		behind := max(was.at.Step-at.Step, was.at.Lerp-at.Lerp)
		if next.until = was.stays(source, at); next.until != 0 {
			behind = max(behind, next.until-at.Lerp)
		}
		switch next.easing, next.begun = was.easing, was.begun; {
		case !row.Known():
			row, next.held = was.row, true
		case source == FromProxy || behind > 0 && behind < mostHeld*h.tickRate:
			row.Set(was.row)
			next.held = true
		case was.shown < h.before: // nobody saw what was shown
			next.easing = nil
		case was.held || was.source != source || switched || at.Lerp-was.at.Lerp > h.passed+leap:
			next.ease(was, row, h.now)
		}
		if next.held {
			next.at, next.easing = was.at.or(at), nil
		}
	}
	if row.Known() {
		next.apply(row, h.now)
		next.row = row
		h.next = append(h.next, next)
	}
	return row
}

// stays returns until which moment the fields stay because of a sample that came late, if they are of a moment now; 0:
// they do not.
func (f *heldFields) stays(source FieldSource, at FieldMoment) (until float64) {
	if f.source != source {
		return 0
	}
	if until = f.until; at.To < f.at.To || at.Step > f.at.Step && at.Step < f.at.To {
		until = max(until, f.at.To)
	}
	if at.Lerp >= until {
		return 0
	}
	return until
}

// End ends the frame.
func (h *FieldHold) End() {
	slices.SortFunc(h.next, func(a, b heldFields) int { return cmp.Compare(a.id, b.id) })
	n := len(h.next)
	for i := range h.last {
		f := &h.last[i]
		if _, shown := findHeld(h.next[:n], f.id); !shown && h.now-f.shown < keptUnseen {
			h.next = append(h.next, *f)
		}
	}
	if len(h.next) > n {
		slices.SortFunc(h.next, func(a, b heldFields) int { return cmp.Compare(a.id, b.id) })
	}
	h.words, h.spare = h.spare[:0], h.words
	for i := range h.next {
		f := &h.next[i]
		n := len(h.words)
		h.words = f.row.AppendWords(h.words, f.class)
		f.row = world.NewRow(f.class, h.words[n:])
	}
	h.last, h.next = h.next, h.last[:0]
}

// follow makes the fields those of another version of the class, if it is one.
func (f *heldFields) follow(class *world.Class) (switched bool) {
	if switched = f.class != class; switched {
		f.row, f.class, f.easing = world.CarryRows(f.class, class)(f.row), class, nil
	}
	return switched
}

// ease begins to go from what was shown to row.
func (f *heldFields) ease(was *heldFields, row world.Row, now time.Duration) {
	f.easing, f.begun = nil, now
	for i := range f.class.Fields {
		field := &f.class.Fields[i]
		if field.Kind != world.Number || field.Show != world.ShowLerp && field.Show != world.ShowShortest ||
			!f.class.Has(row, i) || !f.class.Has(was.row, i) {
			continue
		}
		off := math.Float64frombits(was.row.Word(field)) - math.Float64frombits(row.Word(field))
		if field.Show == world.ShowShortest {
			off = arc(0, off)
		}
		if off != 0 && !math.IsNaN(off) && !math.IsInf(off, 0) {
			f.easing = append(f.easing, easedField{i, off})
		}
	}
}

// apply adds to the numbers of row what is left of their way.
func (f *heldFields) apply(row world.Row, now time.Duration) {
	left := 1 - float64((now-f.begun).Seconds()/fieldsEase.Seconds())
	if left <= 0 {
		f.easing = nil
	}
	for _, e := range f.easing {
		field := &f.class.Fields[e.field]
		if !f.class.Has(row, e.field) {
			continue
		}
		v := math.Float64frombits(row.Word(field)) + float64(e.off*left)
		if field.Show == world.ShowShortest {
			v = arc(0, v)
		}
		row.SetWord(field, world.NumberBits(v))
	}
}
