package timeline

import "github.com/hindcast/hindcast/world"

// migrate lets the objects whose scripts have a migrate hook make something of
// the fields they had before a bundle switch. Each sees itself alone.
func (r *runner) migrate(w *world.World, script world.Script, from *world.Schema, before *world.State) {
	r.slots = append(r.slots[:0], w.Now.Run...)
	w.BeginOrder()
	for _, slot := range r.slots {
		if !w.Class(int(slot)).Hooks.Has(world.OnMigrate) {
			continue
		}
		at, ok := before.Find(w.Now.Objects[slot].ID)
		if !ok {
			continue
		}
		r.args = world.Args{From: &from.Classes[before.Objects[at].Class], Old: before.Row(at)}
		r.callWith(w, script, world.OnMigrate, int(slot))
	}
	w.EndOrder()
}
