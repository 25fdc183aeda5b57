package world

import (
	"fmt"
)

// Check returns an error if scripts of a schema do not allow the event: a SpawnEvent of a class or
// with fields that they do not declare, or a CallEvent of a function that they do not declare.
func (e *Event) Check(s *Schema) (err error) {
	switch e.Kind {
	case SpawnEvent:
		_, _, err = e.newRow(s)
	case CallEvent:
		err = s.Functions.check(e.Name, e.Values)
	}
	return err
}

// newRow returns the class of the object that a SpawnEvent spawns, and its fields.
func (e *Event) newRow(s *Schema) (class int, row Row, err error) {
	if class, err = spawnable(s, e.Class); err != nil {
		return 0, Row{}, err
	}
	if err := checkPlacement(s, class, &e.Place); err != nil {
		return 0, Row{}, err
	}
	row = freshRow(&s.Classes[class]).Clone()
	return class, row, setValues(&s.Classes[class], row, e.Values)
}

// ApplySpawn carries out a SpawnEvent and returns the slot of the new object, whose fields are
// set. The caller runs its OnSpawn hook. It returns an error if the room is full (ErrTooMany), or
// if a value does not fit the class.
func (w *World) ApplySpawn(e *Event) (slot int, err error) {
	ci, row, err := e.newRow(w.Schema())
	if err != nil {
		return 0, err
	}
	if err := w.checkRoom(); err != nil {
		return 0, err
	}
	id := e.Spawned()
	if _, taken := w.Find(id); taken {
		return 0, fmt.Errorf("%w: the id %s is taken", ErrTooMany, id)
	}
	slot = w.place(id, ci, w.Schema().Classes[ci].DefIndex(), e.Place, uint16(e.Number))
	w.Now.Rows.put(slot, w.Class(slot), row)
	return slot, nil
}

// ApplySet carries out a SetEvent: all of it, or nothing if it returns an error. If a client does
// not have the object, that is no error.
func (w *World) ApplySet(e *Event) error {
	slot, ok := w.Find(e.Object)
	switch {
	case !ok && w.sharesWorld():
		return nil
	case !ok:
		return fmt.Errorf("object %s: %w", e.Object, ErrRemoved)
	}
	row := w.Now.Row(slot).Clone()
	if err := setValues(w.Class(slot), row, e.Values); err != nil {
		return err
	}
	w.touch(slot)
	w.Now.Rows.put(slot, w.Class(slot), row)
	return nil
}

// sharesWorld reports whether the world may have only some of the host's objects.
func (w *World) sharesWorld() bool { return w.Client != 0 || w.SharedOnly }

// ApplyRemove carries out a RemoveEvent: the object is removed at the end of the tick, if it
// exists. The acting object is the game. It returns an error for an object that cannot be removed.
func (w *World) ApplyRemove(e *Event) error {
	if _, ok := w.Find(e.Object); !ok {
		return nil
	}
	return w.do(Op{Target: e.Object, Kind: Remove})
}

// HostFault records that a host event about the object in a slot failed.
func (w *World) HostFault(slot int, err error) {
	w.outcome.fault(Fault{Object: w.Now.Objects[slot].ID, Class: w.Class(slot).Name, Hook: HostEvent, Err: err})
}
