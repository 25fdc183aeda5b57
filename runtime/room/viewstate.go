package room

import (
	"encoding/json"
	"math"

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
