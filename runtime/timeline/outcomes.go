package timeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// Effect is a line of a script, and its effect.
type Effect struct {
	File   string         // of the script
	Line   int            // from 1
	Text   string         // the effect in words
	Object world.ObjectID // the object that it changed
}

// String returns FILE:LINE: what it did.
func (e *Effect) String() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text) }

// Outcome is an Effect or an error of a script, in a form that can be compared with another run's.
type Outcome struct {
	Effect
	By   world.ObjectID // the object whose hook it was
	Kind string         // the part that it can have changed: "body", "owner", "object", or a field
}

// Touches reports whether the outcome changes a field, as world.Difference names it.
func (o *Outcome) Touches(field string) bool {
	return o.Kind == field || o.Kind == "body" && strings.HasPrefix(field, "body.")
}

// Outcomes lists the effects of scripts in a tick that ended in s, in order, and then their
// errors.
func Outcomes(changes []world.Change, faults []world.Fault, s *world.State, schema *world.Schema) (out []Outcome) {
	for i := range changes {
		ch := &changes[i]
		class := &world.Class{}
		if slot, ok := s.Find(ch.Op.Target); ok {
			class = &schema.Classes[s.Objects[slot].Class]
		}
		out = append(out, Outcome{Effect{ch.File, ch.Line, ch.Text(class), ch.Op.Target}, ch.By, kindOf(ch, class)})
	}
	for _, f := range faults {
		e := Effect{Text: f.Err.Error(), Object: f.Object}
		var se *world.ScriptError
		if errors.As(f.Err, &se) {
			e.File, e.Line, e.Text = se.File, se.Line, se.Message
		}
		out = append(out, Outcome{e, f.Object, "faults." + f.Function()})
	}
	return out
}

// kindOf returns the Outcome.Kind of a change.
func kindOf(ch *world.Change, c *world.Class) string {
	switch {
	case ch.Spawned != "" || ch.Op.Kind == world.Remove:
		return "object"
	case ch.Op.Kind == world.SetOwner:
		return "owner"
	case !ch.Op.OfField():
		return "body"
	case ch.Op.Field < len(c.Fields):
		return c.Fields[ch.Op.Field].Name
	}
	return ""
}

// FirstUnlike returns the first outcome of each side in which the two sides differ. It considers
// only outcomes for which near is true. A result is nil if the other side has the same outcome
// later: then only the other side has an additional outcome.
func FirstUnlike(a, b []Outcome, near func(*Outcome) bool) (before, after *Effect) {
	a, b = filter(a, near), filter(b, near)
	for len(a) > 0 && len(b) > 0 && a[0].like(&b[0]) {
		a, b = a[1:], b[1:]
	}
	if len(a) > 0 && !slices.ContainsFunc(b, func(d Outcome) bool { return d.like(&a[0]) }) {
		before = &a[0].Effect
	}
	if len(b) > 0 && !slices.ContainsFunc(a, func(d Outcome) bool { return d.like(&b[0]) }) {
		after = &b[0].Effect
	}
	if before == nil && after == nil && len(a) > 0 && len(b) > 0 { // they did the same in another order
		return &a[0].Effect, &b[0].Effect
	}
	return before, after
}

func filter(outcomes []Outcome, near func(*Outcome) bool) (out []Outcome) {
	for i := range outcomes {
		if near(&outcomes[i]) {
			out = append(out, outcomes[i])
		}
	}
	return out
}

// like reports whether two outcomes do the same.
func (o *Outcome) like(other *Outcome) bool {
	return o.Text == other.Text && o.Object == other.Object && o.By == other.By
}
