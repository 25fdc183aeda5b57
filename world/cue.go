package world

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Limits of cues.
const (
	MaxCues      = 16 // of one object in a tick
	MaxCueFields = 8
	MaxCueText   = 64 // bytes of a name or a text
)

// ErrCue is wrapped by the errors of Cue.
var ErrCue = errors.New("bad cue")

// CueTo says which players' clients get a cue.
type CueTo uint8

// The owner is that of the object whose hook emitted the cue.
const (
	CueAll    CueTo = iota
	CueOwner        // the player who owns the object
	CueOthers       // all but that player
)

// CueWhen says when clients get a cue.
type CueWhen uint8

// The times at which a cue may fire.
const (
	CuePredicted CueWhen = iota // at once; it may move or be cancelled
	CueConfirmed                // when its tick cannot change any more
)

// Cue is an effect for viewers that a hook requests, such as a sound or a flash. It is not
// part of the state: it follows from the tick, and nothing depends on it.
type Cue struct {
	CueKey
	To     CueTo
	When   CueWhen
	Owner  PlayerID   // of the object, when the hook ran
	Fields []CueField // by name; never changed

	unit int32 // slot of the object whose outermost hook asked for it
}

// CueKey identifies a cue. Count numbers the cues of that name and object in that tick, from
// 0.
type CueKey struct {
	Tick   Tick
	Object ObjectID
	Name   string // of the cue
	Count  int
}

// String returns tick.object.name.count.
func (k CueKey) String() string {
	return fmt.Sprintf("%d.%s.%s.%d", k.Tick, k.Object, k.Name, k.Count)
}

// CueField is a value that a cue carries. Kind is Number, Bool (Number is 0 or 1) or String.
type CueField struct {
	Name   string // as view.lua calls it
	Kind   FieldKind
	Number float64
	Text   string // of a String
}

// Same reports whether two cues of one key are equal.
func (c *Cue) Same(o *Cue) bool {
	return c.To == o.To && c.When == o.When && c.Owner == o.Owner && slices.Equal(c.Fields, o.Fields)
}

// by returns the slot of the object whose outermost hook emitted the cue.
func (c *Cue) by() int32 { return c.unit }

// For reports whether a player's client gets the cue.
func (c *Cue) For(p PlayerID) bool {
	switch c.To {
	case CueOwner:
		return c.Owner == p && p != 0
	case CueOthers:
		return c.Owner != p || p == 0
	}
	return true
}

// cue emits a cue of the acting object. It keeps fields, which must be sorted by name.
func (w *World) cue(name string, to CueTo, when CueWhen, fields []CueField) error {
	if err := checkCue(name, fields); err != nil {
		return err
	}
	w.touch(w.actor)
	a := &w.deeds[w.actor]
	if a.cues >= MaxCues {
		return fmt.Errorf("%w: an object may give %d a tick", ErrCue, MaxCues)
	}
	a.cues++
	if !w.KeepCues || !w.rec.on() {
		return nil
	}
	o := &w.Now.Objects[w.actor]
	c := Cue{CueKey: CueKey{Tick: w.Now.Tick, Object: o.ID, Name: name}, To: to, When: when, Owner: o.Owner, Fields: fields, unit: int32(w.unit)}
	cues := w.rec.cues()
	*cues = append(*cues, c)
	return nil
}

func checkCue(name string, fields []CueField) error {
	if name == "" || len(name) > MaxCueText {
		return fmt.Errorf("%w: a name has 1 to %d bytes", ErrCue, MaxCueText)
	}
	if len(fields) > MaxCueFields {
		return fmt.Errorf("%w: %s has %d fields: at most %d", ErrCue, name, len(fields), MaxCueFields)
	}
	for i := range fields {
		f := &fields[i]
		if len(f.Name) > MaxCueText || len(f.Text) > MaxCueText {
			return fmt.Errorf("%w: %s: names and texts have at most %d bytes", ErrCue, name, MaxCueText)
		}
		if !finite(f.Number) {
			return fmt.Errorf("%w: %s.%s is %v: numbers must be finite", ErrCue, name, f.Name, f.Number)
		}
	}
	return nil
}

// Cues appends the cues of the tick, sorted by object and, for one object, in the order in
// which it emitted them. A tick that was run again in part gives the same list as one that
// was run as a whole.
func (t *Trace) Cues(out []Cue) []Cue {
	from := len(out)
	out = t.allCues(out)
	list := out[from:]
	slices.SortStableFunc(list, func(a, b Cue) int { return cmp.Compare(a.Object, b.Object) })
	for i := range list {
		list[i].Count = 0
		for j := i - 1; j >= 0 && list[j].Object == list[i].Object; j-- {
			if list[j].Name == list[i].Name {
				list[i].Count = list[j].Count + 1
				break
			}
		}
	}
	return out
}

// dropCues empties a list and releases the memory that its cues hold.
func dropCues(list []Cue) []Cue {
	clear(list)
	return list[:0]
}

// cueBytes returns the memory of some cues, without their texts.
func cueBytes(list []Cue) (n int) {
	for i := range list {
		n += cueSize + len(list[i].Fields)*cueFieldSize
	}
	return n
}
