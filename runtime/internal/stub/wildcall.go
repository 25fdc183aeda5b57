package stub

import (
	"errors"
	"math"

	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// wildFunctions returns those that the host program may call: wave spawns crates, nudge pushes an
// object and fails if it is gone. rally is wave as a command. The other bundle does not have nudge.
func wildFunctions(other bool) []world.Function {
	wave := world.Function{Name: "wave", Params: []world.FieldKind{world.Number}}
	rally := world.Function{Name: "rally", Params: []world.FieldKind{world.Number, world.Number}, Command: true}
	if other {
		return []world.Function{rally, wave}
	}
	return []world.Function{{Name: "nudge", Params: []world.FieldKind{world.Ref, world.Number}}, rally, wave}
}

// called runs a function for the host program, and counts that in the state of the match.
func (s *wild) called(w world.Actor, slot int, e *world.Event) error {
	waves := math.Float64frombits(w.State().Row(slot).Word(&w.Class(slot).Fields[0]))
	if err := w.Do(world.Op{
		Target: world.MatchID,
		Kind:   world.SetWord,
		Field:  0,
		Word:   math.Float64bits(waves + 1),
	}); err != nil {
		return err
	}
	if e.Name == "nudge" {
		id := world.ObjectID(e.Values[0].Word)
		if st, at, ok := w.See(id); !ok || st.Body(at).Key == 0 {
			return errors.New("nudge: nothing is there")
		}
		return w.Do(world.Op{Target: id, Kind: world.AddImpulse, A: e.Values[1].Number()})
	}
	for range int(e.Values[len(e.Values)-1].Number()) {
		at := world.Placement{Pose: physics.Pose{X: (w.Random() - 0.5) * 10, Y: (w.Random() - 0.5) * 10}}
		if _, err := w.Spawn("Crate", at); err != nil {
			return err
		}
	}
	return nil
}
