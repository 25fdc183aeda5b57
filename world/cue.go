package world

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Limits of cues.
const (
	MaxCues      = 16 // of one object in a tick
	MaxCueFields = 8
	MaxCueText   = 64 // bytes of a name or a text
	MaxCueLasts  = 60 // seconds that the effect of a cue may last
)

// ErrCue is wrapped by the errors of Cue.
var ErrCue = errors.New("bad cue")

// CueTo says which players' clients get a cue.
type CueTo uint32

// The owner is that of the object whose hook emitted the cue.
const (
	CueAll    CueTo = iota
	CueOwner        // the player who owns the object
	CueOthers       // all but that player
	cueFor          // and the number of a player
)

// CueFor returns the CueTo of one player, who need not own the object.
func CueFor(p PlayerID) CueTo { return cueFor + CueTo(p) }

// CueWhen says when clients get a cue.
type CueWhen uint8

// The times at which a cue may fire.
const (
	CuePredicted CueWhen = iota // at once; it may move or be cancelled
	CueConfirmed                // when its tick cannot change any more
)

// Cue is an effect for viewers that a hook requests, such as a sound or a flash. It is not
// part of the state: it follows from the tick, and nothing depends on it.
//
// Source: "Network Prediction Plugin Overview" (Epic Games), whose cues are events beside the state
// that survive rewinds.
type Cue struct {
	CueKey
	To     CueTo
	When   CueWhen
	Owner  PlayerID   // of the object, when the hook ran; the player of CueFor
	Lasts  Tick       // how many ticks the effect lasts, so that later viewers see the rest of it; 0: not declared
	Fields []CueField // by name; never changed
	Source CueSource

	unit int32 // slot of the object whose outermost hook asked for it
}

// CueSource says which clients find a cue by themselves, and where they draw its object.
type CueSource struct {
	Replicated   bool     // clients do not run the hook that emitted it, except that of the player Runner
	Interpolated bool     // clients draw its object with the interpolation delay, except that of its owner
	Runner       PlayerID // who owned the object whose hook it is
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
	return c.To == o.To && c.When == o.When && c.Owner == o.Owner && c.Lasts == o.Lasts &&
		slices.Equal(c.Fields, o.Fields)
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

// FoundBy reports whether the client of a player finds the cue by itself, if it simulates.
func (c *Cue) FoundBy(p PlayerID) bool { return !c.Source.Replicated || c.GuessedBy(p) }

// GuessedBy reports whether the client of a player runs the hook that emitted the cue although not all clients do: the
// hook is that of an own object of a replicated class. The client cannot know whether it happens at the host, which
// says so when the tick is committed. Cues that are shown only then come from the host.
func (c *Cue) GuessedBy(p PlayerID) bool {
	return c.Source.Replicated && c.Source.Runner == p && p != 0 && c.When != CueConfirmed
}

// Over reports whether the effect of the cue has ended before tick t. It never has if it is not
// declared how long it lasts.
func (c *Cue) Over(t Tick) bool { return c.Lasts > 0 && t >= c.Tick && t-c.Tick >= c.Lasts }

// cue emits a cue of the acting object, whose effect lasts some seconds, 0: not declared. It keeps
// fields, which must be sorted by name.
func (w *World) cue(name string, to CueTo, when CueWhen, lasts float64, fields []CueField) error {
	if err := checkCue(name, lasts, fields); err != nil {
		return err
	}
	actor := w.acting.slot()
	w.touch(actor)
	if !w.acting.of(actor).cue() {
		return fmt.Errorf("%w: an object may give %d a tick", ErrCue, MaxCues)
	}
	if !w.KeepCues {
		return nil
	}
	o := &w.Now.Objects[actor]
	owner := o.Owner
	if to >= cueFor {
		to, owner = CueOwner, PlayerID(to-cueFor)
	}
	c := Cue{
		CueKey: CueKey{Tick: w.Now.Tick, Object: o.ID, Name: name},
		To:     to,
		When:   when,
		Owner:  owner,
		Fields: fields,
		unit:   int32(w.acting.outermost()),
		Lasts:  Tick(math.Ceil(float64(lasts * float64(w.Schema().Setup.TickRate)))),
		Source: w.cueSource(),
	}
	cues := w.presentCues()
	*cues = append(*cues, c)
	return nil
}

// presentCues returns the list of the cues that are emitted now.
func (w *World) presentCues() *[]Cue {
	if w.rec.on() {
		return w.rec.cues()
	}
	return w.outcome.cueList()
}

// cueSource returns the source of a cue that the acting object emits now.
func (w *World) cueSource() CueSource {
	schema := w.Schema()
	if !schema.PartiallyReplicated() {
		return CueSource{}
	}
	actor, by := w.acting.slot(), w.acting.slot()
	if unit := w.acting.outermost(); unit >= 0 {
		by = unit
	}
	return CueSource{
		Replicated:   !w.Now.Shared(schema, by),
		Interpolated: schema.Classes[w.Now.Objects[actor].Class].LOD == Interpolate,
		Runner:       w.Now.Objects[by].Owner,
	}
}

func checkCue(name string, lasts float64, fields []CueField) error {
	if name == "" || len(name) > MaxCueText {
		return fmt.Errorf("%w: a name has 1 to %d bytes", ErrCue, MaxCueText)
	}
	if len(fields) > MaxCueFields {
		return fmt.Errorf("%w: %s has %d fields: at most %d", ErrCue, name, len(fields), MaxCueFields)
	}
	if !(lasts >= 0 && lasts <= MaxCueLasts) {
		return fmt.Errorf("%w: %s lasts %v seconds: must be 0 to %d", ErrCue, name, lasts, MaxCueLasts)
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
	sortCues(out[from:])
	return out
}

// TakeCues appends the cues of the tick that ended, if it had no trace, sorted as those of Trace.Cues. It forgets
// them.
func (w *World) TakeCues(out []Cue) []Cue { return w.outcome.takeCues(out) }

// sortCues sorts the cues of one tick, which are in the order in which each object emitted them, and counts those
// of one object and name.
func sortCues(list []Cue) {
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
