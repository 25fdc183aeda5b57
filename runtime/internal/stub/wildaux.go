package stub

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// giveAux declares in aux nearly all that changes now and then, if the first file has the word aux. Ships and
// crates then have scars, which those that touch them leave.
func giveAux(classes []world.Class, files []world.Source) {
	for i := range classes {
		c := &classes[i]
		if len(files) == 0 || !strings.Contains(files[0].Text, " aux") {
			continue
		}
		for j := range c.Fields {
			f := &c.Fields[j]
			f.Aux = f.Name != "tow" && f.Name != "waves"
		}
		if isShip(c.Name) || c.Name == "Crate" {
			c.Fields = world.AppendList(c.Fields, "scars", 3, true, []world.Field{{
				Kind:    world.Ref,
				Default: []uint64{0},
			}})
		}
	}
}

// scar leaves a scar on another object, in the place of its oldest one. Each one that it has pushes the object in the
// slot.
func (s *wild) scar(w world.Actor, slot int, other world.ObjectID) error {
	st, at, ok := w.See(other)
	if !ok {
		return nil
	}
	fields := w.Schema().Classes[st.Objects[at].Class].Declared()
	field := slices.IndexFunc(fields, func(f world.Field) bool { return f.Name == "#scars" })
	if field < 0 {
		return nil
	}
	n := fields[field].Len(st.Row(at))
	if n == fields[field].Cap {
		if err := w.Do(world.Op{Target: other, Kind: world.RemoveItem, Field: field, Item: 1}); err != nil {
			return err
		}
	}
	me := w.State().Objects[slot].ID
	if err := w.Do(world.Op{Target: other, Kind: world.InsertItem, Field: field, Word: uint64(me)}); err != nil {
		return err
	}
	return w.Do(world.Op{Target: me, Kind: world.AddImpulse, A: float64(float64(n) * 0.1)})
}
