package world

import (
	"fmt"

	"github.com/hindcast/hindcast/world/physics"
)

// Difference is one field in which two states of the same tick differ.
type Difference struct {
	Tick   Tick     `json:"tick"`
	Object ObjectID `json:"object"` // 0: the difference is not in an object
	Class  string   `json:"class"`  // of the object
	Field  string   `json:"field"`  // such as "bumps", or "body.x"
	A      string   `json:"a"`      // the two values, for people
	B      string   `json:"b"`      // of the second state
}

// String returns tick, object, field and values.
func (d Difference) String() string {
	if d.Object == 0 {
		return fmt.Sprintf("tick %d: %s: %s against %s", d.Tick, d.Field, d.A, d.B)
	}
	return fmt.Sprintf("tick %d: object %s (%s): %s: %s against %s", d.Tick, d.Object, d.Class, d.Field, d.A, d.B)
}

// Diff returns the fields in which a and b differ, at most limit of them, in the order in which the
// hooks of a run. States with equal hashes have none.
func Diff(a, b *State, schema *Schema, limit int) []Difference {
	d := differ{tick: a.Tick, schema: schema, limit: limit}
	d.field(nil, "tick", a.Tick, b.Tick)
	d.field(nil, "bundle", a.Bundle, b.Bundle)
	d.field(nil, "seed", a.Seed, b.Seed)
	d.field(nil, "players", fmt.Sprint(a.Players), fmt.Sprint(b.Players))
	d.field(nil, "suspended", fmt.Sprint(a.Suspended), fmt.Sprint(b.Suspended))
	for _, slot := range a.Run {
		o := &a.Objects[slot]
		if other, ok := b.Find(o.ID); ok {
			d.object(a, b, int(slot), other)
		} else {
			d.field(o, "object", "present", "absent")
		}
	}
	for _, slot := range b.Run {
		o := &b.Objects[slot]
		if _, ok := a.Find(o.ID); !ok {
			d.field(o, "object", "absent", "present")
		}
	}
	d.contacts(a, b)
	return d.out
}

type differ struct {
	tick   Tick
	schema *Schema
	limit  int
	out    []Difference
}

func (d *differ) field(o *Object, name string, a, b any) {
	if a == b || len(d.out) >= d.limit {
		return
	}
	diff := Difference{Tick: d.tick, Field: name, A: fmt.Sprint(a), B: fmt.Sprint(b)}
	if o != nil {
		diff.Object, diff.Class = o.ID, d.schema.Classes[o.Class].Name
	}
	d.out = append(d.out, diff)
}

func (d *differ) object(a, b *State, sa, sb int) {
	oa, ob := &a.Objects[sa], &b.Objects[sb]
	d.field(oa, "class", oa.Class, ob.Class)
	d.field(oa, "owner", oa.Owner, ob.Owner)
	d.field(oa, "spawned", oa.Spawned, ob.Spawned)
	d.field(oa, "nth", oa.Nth, ob.Nth)
	d.field(oa, "order", oa.Order, ob.Order)
	d.field(oa, "removed", oa.Removed, ob.Removed)
	d.field(oa, "culled", oa.Culled, ob.Culled)
	for i, n := range oa.Faults {
		d.field(oa, "faults."+d.schema.Classes[oa.Class].Counted(i), n, ob.Faults[i])
	}
	d.field(oa, "paused", oa.Paused, ob.Paused)
	d.field(oa, "pauses", oa.Pauses, ob.Pauses)
	if oa.Class == ob.Class {
		c := &d.schema.Classes[oa.Class]
		for i := range c.Fields {
			f := &c.Fields[i]
			d.field(oa, f.Name, fieldText(a.Row(sa), f), fieldText(b.Row(sb), f))
		}
	}
	physics.DiffBody(a.Body(sa), b.Body(sb), func(name, va, vb string) { d.field(oa, "body."+name, va, vb) })
}

func (d *differ) contacts(a, b *State) {
	physics.DiffContacts(&a.Physics, &b.Physics, func(key, other uint64, name, va, vb string) {
		if slot, ok := a.Find(ObjectID(key)); ok {
			d.field(&a.Objects[slot], fmt.Sprintf("contact with %s: %s", ObjectID(other), name), va, vb)
		}
	})
	physics.DiffJoints(&a.Physics, &b.Physics, func(key uint64, name, va, vb string) {
		if slot, ok := a.Find(ObjectID(key)); ok {
			d.field(&a.Objects[slot], "joint: "+name, va, vb)
			return
		}
		d.field(nil, fmt.Sprintf("joint %s: %s", ObjectID(key), name), va, vb)
	})
}
