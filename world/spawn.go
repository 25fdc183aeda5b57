package world

import (
	"fmt"

	"github.com/hindcast/hindcast/world/detmath"
	"github.com/hindcast/hindcast/world/physics"
)

// Placement is where a spawned object is, how it moves, and its owner.
type Placement struct {
	physics.Pose
	physics.Velocity
	Owner PlayerID
}

// Spawn makes an object of a class, with its default fields. The acting object can write to
// it at once. All others see it when the order ends. The error wraps ErrNoClass or
// ErrTooMany, or names a number out of range. It wraps ErrBody if p has a pose or a
// velocity and the class has no body.
func (w *World) Spawn(class string, p Placement) (slot int, err error) {
	ci, err := spawnable(w.schema, class)
	if err != nil {
		return 0, err
	}
	if err := checkPlacement(w.schema, ci, &p); err != nil {
		return 0, err
	}
	return w.spawn(ci, w.schema.Classes[ci].DefIndex(), p)
}

// spawn is Spawn for a class index and a body definition.
func (w *World) spawn(ci int, def uint32, p Placement) (slot int, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	w.touch(w.actor)
	by, a := w.Now.Objects[w.actor], &w.deeds[w.actor]
	if a.spawns >= MaxSpawns && by.ID != GameID {
		return 0, fmt.Errorf("%w: an object may spawn %d a tick", ErrTooMany, MaxSpawns)
	}
	if err := w.checkRoom(); err != nil {
		return 0, err
	}
	id := deriveID(by.ID, w.Now.Tick, a.spawns)
	for a.spawns++; ; a.spawns++ { // a collision of 64-bit ids: next in the sequence, the same everywhere
		if _, taken := w.Find(id); !taken {
			break
		}
		id = deriveID(by.ID, w.Now.Tick, a.spawns)
	}
	slot = w.place(id, ci, def, p, uint16(a.spawns))
	w.deeds[slot].bornTo, w.deeds[slot].bornIn = int32(w.actor), w.log.number()
	w.rec.birth(w.unit, slot)
	return slot, nil
}

// checkRoom returns an error if the room has no place for another object.
func (w *World) checkRoom() error {
	most := w.schema.Setup.MostObjects()
	if w.partial {
		w.overfull = w.overfull || w.Now.Len()+w.rec.spawned() >= most
	}
	if w.Now.Len() < most {
		return nil
	}
	w.rec.onlyWhole()
	return fmt.Errorf("%w: the room holds %d", ErrTooMany, most)
}

// Check returns an error if a number of the placement is not finite or too large.
func (p *Placement) Check() error {
	for _, v := range [...]float64{p.X, p.Y, p.Angle, p.VX, p.VY, p.W} {
		if !(v >= -physics.MaxPosition && v <= physics.MaxPosition) {
			return fmt.Errorf("spawn at x=%v y=%v angle=%v vx=%v vy=%v: every number must be within %v", p.X, p.Y, p.Angle, p.VX, p.VY, physics.MaxPosition)
		}
	}
	return nil
}

// place puts an object into the state, as the nth that its spawner made in the tick.
func (w *World) place(id ObjectID, ci int, def uint32, p Placement, nth uint16) int {
	c := &w.schema.Classes[ci]
	slot := w.slots.take(id)
	w.Now.grow(slot + 1)
	w.growActing()
	w.touch(slot)
	w.Now.set(slot, Object{ID: id, Spawned: w.Now.Tick, Order: c.Order, Class: uint16(ci), Owner: p.Owner, Nth: nth})
	w.deeds[slot] = deeds{born: w.schema.phase(w.rec.present())}
	fillDefaults(c, w.Now.Row(slot))
	b := w.Now.Body(slot)
	*b = physics.Body{}
	if w.schema.Defs[def].Type != physics.None {
		*b = physics.Body{Key: uint64(id), Def: def, Pose: p.Pose, Velocity: p.Velocity}
		b.SetAngle(detmath.Wrap(p.Angle))
		w.setDef(slot)
	}
	return slot
}
