package runtime

import (
	"errors"
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// How near a cause is to a difference, the nearest first.
const (
	sameField = iota
	sameObject
	otherObject
	noCause
)

// blame finds the first changes of the tick in which the two runs differ, and
// tells how near they are to o.
func (c *crossing) blame(o *Otherwise, was, is *trace) (distance int) {
	a, b := c.steps(was, c.a, c.sa), c.steps(is, c.b, c.sb)
	for _, near := range []func(s *step) bool{
		func(s *step) bool { return s.cause.Object == o.Object && s.touches(o.Field) },
		func(s *step) bool { return s.cause.Object == o.Object },
		func(*step) bool { return true },
	} {
		if o.Before, o.After = firstUnlike(a, b, near); o.Before != nil || o.After != nil {
			return distance
		}
		distance++
	}
	return noCause
}

// step is a change or an error of a script, ready to be compared.
type step struct {
	cause Cause
	by    world.ObjectID
	kind  string // what it can have changed: "body", "owner", "object", or a field
}

// touches reports whether the step changes a field, as Otherwise names it.
func (s *step) touches(field string) bool {
	return s.kind == field || s.kind == "body" && strings.HasPrefix(field, "body.")
}

// steps are what the scripts of one run did in the tick, in their order.
func (c *crossing) steps(t *trace, s *world.State, schema *world.Schema) (out []step) {
	for i := range t.changes {
		ch := &t.changes[i]
		class := &world.Class{}
		if slot, ok := s.Find(ch.Op.Target); ok {
			class = &schema.Classes[s.Objects[slot].Class]
		}
		out = append(out, step{Cause{ch.File, ch.Line, ch.Text(class), ch.Op.Target}, ch.By, kindOf(ch, class)})
	}
	for _, f := range t.faults {
		cause := Cause{Text: f.Err.Error(), Object: f.Object}
		var se *world.ScriptError
		if errors.As(f.Err, &se) {
			cause.File, cause.Line, cause.Text = se.File, se.Line, se.Message
		}
		out = append(out, step{cause, f.Object, "faults." + f.Hook.String()})
	}
	return out
}

func kindOf(ch *world.Change, c *world.Class) string {
	switch {
	case ch.Spawned != "" || ch.Op.Kind == world.Remove:
		return "object"
	case ch.Op.Kind == world.SetOwner:
		return "owner"
	case ch.Op.Kind != world.SetWord && ch.Op.Kind != world.SetText:
		return "body"
	case ch.Op.Field < len(c.Fields):
		return c.Fields[ch.Op.Field].Name
	}
	return ""
}

// firstUnlike gives the first steps of the two sides, of those that are near,
// in which they differ, wherever these stand. Only one where the other side did
// the same later: it did one thing more before that.
func firstUnlike(a, b []step, near func(*step) bool) (before, after *Cause) {
	a, b = those(a, near), those(b, near)
	for len(a) > 0 && len(b) > 0 && a[0].like(&b[0]) {
		a, b = a[1:], b[1:]
	}
	if len(a) > 0 && !slices.ContainsFunc(b, func(s step) bool { return s.like(&a[0]) }) {
		before = &a[0].cause
	}
	if len(b) > 0 && !slices.ContainsFunc(a, func(s step) bool { return s.like(&b[0]) }) {
		after = &b[0].cause
	}
	if before == nil && after == nil && len(a) > 0 && len(b) > 0 { // the same in another order
		return &a[0].cause, &b[0].cause
	}
	return before, after
}

func those(steps []step, near func(*step) bool) (out []step) {
	for i := range steps {
		if near(&steps[i]) {
			out = append(out, steps[i])
		}
	}
	return out
}

// like reports whether two steps do the same.
func (s *step) like(other *step) bool {
	return s.cause.Text == other.cause.Text && s.cause.Object == other.cause.Object && s.by == other.by
}
