package goscript

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// search is the memory of the queries of a hook.
type search struct {
	on    *stage
	slots []int32  // scratch
	found []Object // all that the queries of this hook have returned
}

// begin drops the results of the previous hook.
func (se *search) begin() { se.found = se.found[:0] }

// query returns the queries of the world, and memory for their results.
func (se *search) query() (world.Queries, []int32) { return se.on.query(), se.slots[:0] }

// objects returns the results of a query, and pays for them.
func (se *search) objects(slots []int32) []Object {
	se.slots = slots
	se.on.pay(len(slots))
	s, from := se.on.world().State(), len(se.found)
	for _, slot := range slots {
		se.found = append(se.found, se.on.object(s.Objects[slot].ID))
	}
	return slices.Clip(se.found[from:])
}

// hit returns the hit of a ray.
func (se *search) hit(h world.RayHit, ok bool) (Hit, bool) {
	if !ok {
		return Hit{}, false
	}
	return Hit{se.on.object(h.Object), h.X, h.Y, h.NormalX, h.NormalY, h.Fraction}, true
}

// mask returns the set of some layers.
func (se *search) mask(layers []string) uint64 {
	mask, err := se.on.world().Schema().LayerMask(layers...)
	if err != nil {
		fail("%s", err)
	}
	return mask
}
