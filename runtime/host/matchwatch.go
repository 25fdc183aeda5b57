package host

import (
	"github.com/hindcast/hindcast/world"
)

// matchWatch finds changes of the state of the match.
type matchWatch struct {
	class *world.Class
	row   world.Row // the last state
}

// changed reports whether the state of the match differs from the last one.
func (w *matchWatch) changed(s *world.State, schema *world.Schema) bool {
	slot, ok := s.Find(world.GameID)
	if !ok {
		return false
	}
	class := &schema.Classes[s.Objects[slot].Class]
	row := s.Row(slot)
	if w.class == class && w.row.Equal(row) {
		return false
	}
	w.class, w.row = class, row.Clone()
	return true
}

// fields returns the last state of the match, in memory that does not change any more.
func (w *matchWatch) fields() world.FieldReader {
	return world.NewFieldReader(w.class, w.row)
}
