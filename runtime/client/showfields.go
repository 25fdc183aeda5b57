package client

import (
	"fmt"

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
			k.shows.Hook(t, "show", fmt.Errorf("more than %d fields change at once that functions show: the others step", maxShown), l.log)
			return v, false
		}
		v, err := k.script.(world.ShowFunctions).ShowField(c, field, a, b, part)
		if err != nil {
			k.shows.Hook(t, "show", err, l.log)
		}
		return v, err == nil
	}
}

// knows returns the bundle whose schema has a class, nil if the client does not have it any more.
func (l *library) knows(c *world.Class) *knownBundle {
	for i := len(l.known) - 1; i >= 0; i-- {
		k := &l.known[i]
		if k.script == nil {
			continue
		}
		schema := k.script.Schema()
		if n, ok := schema.ClassByName(c.Name); ok && &schema.Classes[n] == c {
			return k
		}
	}
	return nil
}
