package client

import (
	"fmt"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// maxShown is how many fields the functions of scripts show in one frame. The others step. It bounds
// the time that they take.
const maxShown = 1000

// shower returns what calls the functions of scripts that show fields, for one frame at tick t. Each
// kind of failure is logged once for a bundle.
func (l *library) shower(t world.Tick) world.FieldShower {
	calls := 0
	return func(c *world.Class, field int, a, b world.Value, part float64) (v world.Value, ok bool) {
		k := l.knows(c)
		if k == nil {
			return v, false
		}
		if calls++; calls > maxShown {
			l.showFailed(k, t, fmt.Errorf("more than %d fields change at once that functions show: the others step",
				maxShown))
			return v, false
		}
		v, err := k.script.(world.ShowFunctions).ShowField(c, field, a, b, part)
		if err != nil {
			l.showFailed(k, t, err)
		}
		return v, err == nil
	}
}

// showFailed logs an error of a function that shows fields. The moment that is shown may be one of scripts of before,
// whose errors are over.
func (l *library) showFailed(k *knownBundle, t world.Tick, err error) {
	if k.Number >= l.errors.Bundle() {
		l.errors.Hook(t, "show", err, l.log)
	}
}

// showTries is when the functions that show fields were last tried. See library.tryShowers.
type showTries struct {
	schema *world.Schema
	// by class and by the number of the function, from 1: the tick from which on it is tried again. Empty: the class
	// has none.
	due [][]world.Tick
	any bool
}

// maxTried is how many functions that show fields are tried in one frame.
const maxTried = 16

// tryShowers calls functions that show fields, and makes nothing of what they return. Other clients show objects
// between two ticks that this one shows as they are in each tick, so that it never needs these functions: who writes
// one is told here, too, that it fails. Each function is called once a second, for an object in which its field has
// changed.
func (l *library) tryShowers(tl *timeline.Timeline) {
	schema := tl.World().Schema()
	before, now := tl.At(tl.Now()-1), tl.At(tl.Now())
	l.tries.under(schema)
	if !l.tries.any || before == nil || before.Bundle != now.Bundle {
		return
	}
	show, tried := l.shower(now.Tick), 0
	for slot := range now.Objects {
		o := &now.Objects[slot]
		if tried >= maxTried || !l.tries.isDue(o, now.Tick) {
			continue
		}
		from, ok := before.Find(o.ID)
		if !ok {
			continue
		}
		class := &schema.Classes[o.Class]
		class.EachShown(before.Row(from), now.Row(slot), func(field int, a, b world.Value) {
			due := &l.tries.due[o.Class][class.Fields[field].ShowWith]
			if *due > now.Tick || tried >= maxTried {
				return
			}
			tried++
			*due = now.Tick + world.Tick(schema.Setup.TickRate)
			show(class, field, a, b, 0.5)
		})
	}
}

// under notes the schema in force.
func (s *showTries) under(schema *world.Schema) {
	if s.schema == schema {
		return
	}
	*s = showTries{schema: schema, due: make([][]world.Tick, len(schema.Classes))}
	for i := range schema.Classes {
		most := 0
		for _, f := range schema.Classes[i].Fields {
			most = max(most, f.ShowWith)
		}
		if most > 0 {
			s.due[i], s.any = make([]world.Tick, most+1), true
		}
	}
}

// isDue reports whether a function of an object's class is to be tried at tick t.
func (s *showTries) isDue(o *world.Object, t world.Tick) bool {
	for n, due := range s.due[o.Class] {
		if n > 0 && due <= t {
			return o.ID != 0
		}
	}
	return false
}
