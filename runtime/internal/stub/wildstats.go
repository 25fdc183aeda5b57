package stub

import (
	"math"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// addStats declares what each player has, if the first file has the word stats: how often the player's
// ships were hit, and by what last.
func addStats(classes []world.Class, files []world.Source) []world.Class {
	if len(files) == 0 || !strings.Contains(files[0].Text, " stats") {
		return classes
	}
	return append(classes, world.Class{Name: world.PlayerClass, Fields: []world.Field{
		{
			Name:    "hits",
			Default: []uint64{0},
		}, {
			Name:    "by",
			Kind:    world.Ref,
			Default: []uint64{0},
			Aux:     strings.Contains(files[0].Text, " aux"),
		}}})
}

// score notes in the state of the owner of the object in a slot what it has touched. The more hits its
// owner has, the harder the object is pushed.
func (s *wild) score(w world.Actor, slot int, other world.ObjectID) error {
	state := w.State()
	p, here := state.PlayerByID(state.Objects[slot].Owner)
	if !here {
		return nil
	}
	st, at, ok := w.See(p.Object())
	if !ok {
		return nil
	}
	class := &w.Schema().Classes[st.Objects[at].Class]
	hits := math.Float64frombits(st.Row(at).Word(&class.Fields[0])) + 1
	if err := w.Do(world.Op{Target: p.Object(), Kind: world.AddWord, Word: math.Float64bits(1)}); err != nil {
		return err
	}
	if err := w.Do(world.Op{Target: p.Object(), Kind: world.SetWord, Field: 1, Word: uint64(other)}); err != nil {
		return err
	}
	return w.Do(world.Op{Target: state.Objects[slot].ID, Kind: world.AddImpulse, B: float64(math.Mod(hits, 4) * 0.1)})
}
