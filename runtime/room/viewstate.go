package room

import (
	"encoding/json"
	"math"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// ViewState is the state of the match or of a player as a View shows it: the fields that game.lua
// declares, such as scores and the phase. Before it is known it has no fields (FieldReader.Known).
//
// A predictor shows its prediction. A spectator shows the same moment as for bodies.
type ViewState struct {
	world.FieldReader
	of    world.ObjectID
	class *world.Class
	row   world.Row
}

func newViewState(of world.ObjectID, class *world.Class, row world.Row) ViewState {
	return ViewState{world.NewFieldReader(class, row), of, class, row}
}

// MarshalJSON returns an object with a key for each number, boolean, reference and string;
// null before the state is known. Infinities and NaN are null.
func (m ViewState) MarshalJSON() ([]byte, error) {
	if !m.Known() {
		return []byte("null"), nil
	}
	fields := map[string]any{}
	m.All(func(name string, v world.Value) bool {
		switch {
		case v.Kind == world.Bool:
			fields[name] = v.Word != 0
		case v.Kind == world.Ref:
			fields[name] = world.ObjectID(v.Word)
		case v.Kind == world.String:
			fields[name] = v.Text
		case math.IsNaN(v.Number()) || math.IsInf(v.Number(), 0):
			fields[name] = nil
		default:
			fields[name] = v.Number()
		}
		return true
	})
	return json.Marshal(fields)
}

// blend sets the fields to their shown values after a part of the present tick.
func (m *ViewState) blend(tl *timeline.Timeline, alpha float64, show world.FieldShower) {
	blendFields(tl, m.of, m.class, m.row, alpha, show)
}

// Blend sets the fields of all bodies and of the match to their shown values after a part of the
// present tick.
func (v *View) Blend(tl *timeline.Timeline, alpha float64) {
	for i := range v.Bodies {
		v.Bodies[i].blend(tl, alpha, v.shower)
	}
	v.Match.blend(tl, alpha, v.shower)
	for i := range v.Players {
		v.Players[i].State.blend(tl, alpha, v.shower)
	}
}

// blend sets the fields of a body to their shown values after a part of the present tick.
func (b *ViewBody) blend(tl *timeline.Timeline, alpha float64, show world.FieldShower) {
	blendFields(tl, b.ID, b.class, b.row, alpha, show)
}

// blendFields sets the fields of an object to their shown values after a part of the
// present tick.
func blendFields(tl *timeline.Timeline, id world.ObjectID, class *world.Class, row world.Row, alpha float64, show world.FieldShower) {
	before, now := tl.At(tl.Now()-1), tl.At(tl.Now())
	if before == nil || before.Bundle != now.Bundle || !row.Known() {
		return
	}
	from, ok := before.Find(id)
	to, still := now.Find(id)
	if ok && still {
		class.Between(row, before.Row(from), now.Row(to), alpha, show)
	}
}
