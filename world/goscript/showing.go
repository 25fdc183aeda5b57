package goscript

import "github.com/hindcast/hindcast/world"

// showing is a function that shows a field between two states.
type showing func(a, b world.Value, part float64) world.Value

// showings are the functions of a class, by Field.ShowWith, from 1.
type showings []showing

// add adds a function and returns its number.
func (s *showings) add(f showing) int {
	*s = append(*s, f)
	return len(*s)
}

// ShowWith declares a function that returns what viewers show of the number at a part, between 0 and 1,
// of the time between two states in which it is a and b. The function is called for each frame that is
// drawn, on clients, and never in a tick. It computes its result from its arguments alone.
func (n Number) ShowWith(f func(a, b, part float64) float64) Number {
	n.leaf.showWith(f == nil, func(a, b world.Value, part float64) world.Value {
		return world.NumberValue(f(a.Number(), b.Number(), part))
	})
	return n
}

// ShowWith declares a function that shows the truth value, as Number.ShowWith does.
func (b Bool) ShowWith(f func(a, b bool, part float64) bool) Bool {
	b.leaf.showWith(f == nil, func(x, y world.Value, part float64) world.Value {
		return world.BoolValue(f(x.Word != 0, y.Word != 0, part))
	})
	return b
}

// ShowWith declares a function that shows the text, as Number.ShowWith does.
func (t Text) ShowWith(f func(a, b string, part float64) string) Text {
	t.leaf.showWith(f == nil, func(a, b world.Value, part float64) world.Value {
		return world.TextValue(f(a.Text, b.Text, part))
	})
	return t
}

// showWith gives the field a function that shows it.
func (l *leaf) showWith(missing bool, f showing) {
	d := l.declared()
	if missing {
		d.problem(caller(), "%s.%s: ShowWith needs a function", d.name(), l.name())
		return
	}
	n := showingsOf(d).add(f)
	l.set(func(f *world.Field) { f.Show, f.ShowWith = world.ShowFunction, n })
}

// ShowField calls the function of a field. The error is a *world.ScriptError that names the field.
func (s *script) ShowField(c *world.Class, field int, a, b world.Value, part float64) (world.Value, error) {
	f := &c.Fields[field]
	class, _ := s.schema.ClassByName(c.Name)
	v, p := s.shows[class].show(&s.on, f, a, b, part)
	if p.failed() {
		err := p.scriptError()
		err.Class, err.Message = c.Name, c.Name+"."+f.Name+": "+err.Message
		return world.Value{}, err
	}
	return v, nil
}

// show calls the function of a field, on a stage without a world.
func (s *showings) show(st *stage, f *world.Field, a, b world.Value, part float64) (v world.Value, p problem) {
	st.enter(world.Actor{}, RelevantBudget, nil)
	defer st.leave(RelevantBudget)
	defer st.catch(&p)
	v = (*s)[f.ShowWith-1](a, b, part)
	if f.Kind == world.String && len(v.Text) > f.Cap {
		fail("the function of ShowWith returns %d bytes, and the field has at most %d", len(v.Text), f.Cap)
	}
	return v, p
}
