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
	ci, err := spawnable(w.Schema(), class)
	if err != nil {
		return 0, err
	}
	if err := checkPlacement(w.Schema(), ci, &p); err != nil {
		return 0, err
	}
	return w.spawn(ci, w.Schema().Classes[ci].DefIndex(), p)
}

// spawn is Spawn for a class index and a body definition.
func (w *World) spawn(ci int, def uint32, p Placement) (slot int, err error) {
	if err := p.Check(); err != nil {
		return 0, err
	}
	actor := w.acting.slot()
	w.touch(actor)
	by, a := w.Now.Objects[actor], w.acting.of(actor)
	if a.spawned() >= MaxSpawns && by.ID != MatchID {
		return 0, fmt.Errorf("%w: an object may spawn %d a tick", ErrTooMany, MaxSpawns)
	}
	if err := w.checkRoom(); err != nil {
		return 0, err
	}
	id := deriveID(by.ID, w.Now.Tick, a.spawned())
	for a.spawn(); ; a.spawn() { // a collision of 64-bit ids: next in the sequence, the same everywhere
		if _, taken := w.Find(id); !taken {
			break
		}
		id = deriveID(by.ID, w.Now.Tick, a.spawned())
	}
	slot = w.place(id, ci, def, p, uint16(a.spawned()))
	w.lend(slot)
	w.rec.birth(w.acting.outermost(), slot)
	return slot, nil
}

// eachOwnSpawn calls f with the objects that the acting object has spawned since its order began. Each is work.
func (w *World) eachOwnSpawn(f func(slot int32)) {
	actor := w.acting.slot()
	by := w.Now.Objects[actor].ID
	for n := range w.acting.of(actor).spawned() {
		w.lookup.work++
		if slot, exists := w.Find(deriveID(by, w.Now.Tick, n)); exists && w.spawnedNow(int32(slot)) && w.mine(slot) {
			f(int32(slot))
		}
	}
}

// checkRoom returns an error if the room has no place for another object.
func (w *World) checkRoom() error {
	room := Room(w.Now, w.Schema())
	if w.progress.isPartial() {
		w.progress.needWhole(w.rec.spawned() >= room)
	}
	if room > 0 {
		return nil
	}
	w.rec.onlyWhole()
	return fmt.Errorf("%w: the room holds %d", ErrTooMany, w.Schema().Setup.MostObjects())
}

// Check returns an error if a number of the placement is not finite or too large.
func (p *Placement) Check() error {
	for _, v := range [...]float64{p.X, p.Y, p.Angle, p.VX, p.VY, p.W} {
		if !(v >= -physics.MaxPosition && v <= physics.MaxPosition) {
			return fmt.Errorf("spawn at x=%v y=%v angle=%v vx=%v vy=%v: every number must be within %v", p.X, p.Y,
				p.Angle, p.VX, p.VY, physics.MaxPosition)
		}
	}
	return nil
}

// place puts an object into the state, as the nth that its spawner made in the tick.
func (w *World) place(id ObjectID, ci int, def uint32, p Placement, nth uint16) int {
	c := &w.Schema().Classes[ci]
	slot := w.slots.take(id)
	w.Now.grow(slot + 1)
	w.growActing()
	w.touch(slot)
	w.Now.set(slot, Object{ID: id, Spawned: w.Now.Tick, Order: c.Order, Class: uint16(ci), Owner: p.Owner, Nth: nth})
	w.acting.of(slot).begin(w.Schema().phase(w.rec.present()))
	w.Now.Rows.putFresh(slot, c)
	b := w.Now.Body(slot)
	*b = physics.Body{}
	if w.Schema().Defs[def].Type != physics.None {
		*b = physics.Body{Key: uint64(id), Def: def, Pose: p.Pose, Velocity: p.Velocity}
		b.SetAngle(detmath.Wrap(p.Angle))
		w.setDef(slot)
	}
	return slot
}
