package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// roster knows which bodies there are, and in which slots.
type roster struct {
	last    uint64    // the greatest key that a body got
	slots   []located // sorted by key
	free    []int32   // slots without a body, the last one is taken next
	removed []removed // since the last Step, which reports their ends
}

type located struct {
	key  uint64
	slot int32
}

// removed has the data of a removed body that events still need.
type removed struct {
	key    uint64
	sensor bool
}

// read takes the bodies of a State.
func (r *roster) read(bodies []physics.Body) {
	for slot := range bodies {
		if key := bodies[slot].Key; key != 0 {
			r.slots = append(r.slots, located{key, int32(slot)})
			r.last = max(r.last, key)
		}
	}
	for slot := len(bodies) - 1; slot >= 0; slot-- {
		if bodies[slot].Key == 0 {
			r.free = append(r.free, int32(slot))
		}
	}
	slices.SortFunc(r.slots, func(a, b located) int { return cmp.Compare(a.key, b.key) })
}

// next returns the key that the next body gets.
func (r *roster) next() (uint64, error) {
	if r.last == math.MaxUint64 {
		return 0, fmt.Errorf("%w: no key is left: the greatest one has been used", ErrID)
	}
	return r.last + 1, nil
}

// add assigns the next key to a slot: a free one, or n.
func (r *roster) add(n int) (slot int) {
	slot = n
	if k := len(r.free); k > 0 {
		slot = int(r.free[k-1])
		r.free = r.free[:k-1]
	}
	r.last++
	r.slots = append(r.slots, located{r.last, int32(slot)})
	return slot
}

// find returns the slot of a body.
func (r *roster) find(id BodyID) (slot int, err error) {
	i, ok := r.index(id)
	switch {
	case ok:
		return int(r.slots[i].slot), nil
	case id == 0:
		return 0, fmt.Errorf("%w: 0 is no body: use the id that AddBody returned", ErrID)
	case uint64(id) <= r.last:
		return 0, fmt.Errorf("%w: body %d was removed", ErrID, id)
	}
	return 0, fmt.Errorf(
		"%w: body %d was not added: the id is of another Space, or from after the state that was restored", ErrID,
		id)
}

func (r *roster) index(id BodyID) (i int, ok bool) {
	return slices.BinarySearchFunc(
		r.slots,
		uint64(id),
		func(e located, key uint64) int { return cmp.Compare(e.key, key) },
	)
}

// remove frees the slot of a body that is there.
func (r *roster) remove(id BodyID, sensor bool) {
	i, _ := r.index(id)
	r.free = append(r.free, r.slots[i].slot)
	r.slots = slices.Delete(r.slots, i, i+1)
	r.removed = append(r.removed, removed{uint64(id), sensor})
}

// wasSensor reports whether a body that was removed since the last Step was a sensor.
func (r *roster) wasSensor(key uint64) bool {
	return slices.Contains(r.removed, removed{key, true})
}

func (r *roster) forgetRemoved() { r.removed = r.removed[:0] }

// each iterates over the bodies by key. Bodies may be added and removed meanwhile.
func (r *roster) each(yield func(key uint64, slot int32) bool) {
	for i := 0; i < len(r.slots); {
		e := r.slots[i]
		if !yield(e.key, e.slot) {
			return
		}
		if i, _ = r.index(BodyID(e.key)); i < len(r.slots) && r.slots[i] == e {
			i++
		}
	}
}

// copyFrom makes r equal to src in the memory that r has.
func (r *roster) copyFrom(src *roster) {
	r.last = src.last
	r.slots = append(r.slots[:0], src.slots...)
	r.free = append(r.free[:0], src.free...)
	r.removed = append(r.removed[:0], src.removed...)
}
