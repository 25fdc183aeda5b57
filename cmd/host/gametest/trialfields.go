package gametest

import (
	"strings"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// shownFields calls the functions of a game that show fields, as clients do.
type shownFields struct {
	script world.ShowFunctions
	schema *world.Schema
	faults *faults
	called map[shownBy]world.Tick // the last tick in which each was
	failed map[shownBy]bool       // it is not called again: one of its mistakes is known
}

// shownBy is a function of a class that shows fields.
type shownBy struct {
	class  string
	number int // from 1
}

// newShownFields returns nil if no field has such a function.
func newShownFields(script world.Script, f *faults) *shownFields {
	shows, ok := script.(world.ShowFunctions)
	if !ok {
		return nil
	}
	s := &shownFields{script: shows, schema: script.Schema(), faults: f, called: map[shownBy]world.Tick{},
		failed: map[shownBy]bool{}}
	any := false
	s.each(func(*world.Class, int) { any = true })
	if !any {
		return nil
	}
	return s
}

// each calls f for each field that a function shows.
func (s *shownFields) each(f func(c *world.Class, field int)) {
	for i := range s.schema.Classes {
		c := &s.schema.Classes[i]
		for field := range c.Fields {
			if c.Fields[field].Show == world.ShowFunction {
				f(c, field)
			}
		}
	}
}

// follow calls each function once, for a field that has changed in the newest tick.
func (s *shownFields) follow(tl *timeline.Timeline) {
	if s == nil {
		return
	}
	before, now := tl.At(tl.Now()-1), tl.At(tl.Now())
	if before == nil {
		return
	}
	for slot := range now.Objects {
		from, ok := before.Find(now.Objects[slot].ID)
		if !ok {
			continue
		}
		c := &s.schema.Classes[now.Objects[slot].Class]
		c.EachShown(before.Row(from), now.Row(slot), func(field int, a, b world.Value) {
			by := shownBy{c.Name, c.Fields[field].ShowWith}
			if s.called[by] < now.Tick && !s.failed[by] {
				s.called[by] = now.Tick
				s.note(by, s.call(c, field, a, b))
			}
		})
	}
}

// rest calls the functions of fields that have not changed, with the default, and with other values. What is about a
// nil with others only is no mistake that is known: the game may never give the field such a value.
func (s *shownFields) rest() {
	if s == nil {
		return
	}
	s.each(func(c *world.Class, field int) {
		f := &c.Fields[field]
		by := shownBy{c.Name, f.ShowWith}
		if s.called[by] > 0 || s.failed[by] {
			return
		}
		a := f.DefaultValue()
		err := s.call(c, field, a, a)
		for _, pair := range [][2]world.Value{{a, other(f)}, {other(f), a}} {
			if err == nil {
				if err = s.call(c, field, pair[0], pair[1]); err != nil && strings.Contains(err.Error(), "nil") {
					err = nil
				}
			}
		}
		s.note(by, err)
	})
}

// note notes an error of a function; nil: there is none.
func (s *shownFields) note(by shownBy, err error) {
	s.failed[by] = err != nil
	s.faults.note(err, by.class)
}

func (s *shownFields) call(c *world.Class, field int, a, b world.Value) error {
	_, err := s.script.ShowField(c, field, a, b, 0.5)
	return err
}

// other returns another value of a field than its default.
func other(f *world.Field) world.Value {
	v := f.DefaultValue()
	switch f.Kind {
	case world.Bool:
		return world.BoolValue(v.Word == 0)
	case world.String:
		if v.Text != "" {
			return world.TextValue("")
		}
		return world.TextValue("x")
	}
	n := f.Quantize(v.Number() + 1)
	if n == v.Number() { // it is the most
		n = f.Quantize(n - 1)
	}
	return world.NumberValue(n)
}
