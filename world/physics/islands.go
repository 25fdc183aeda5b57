package physics

import (
	"cmp"
	"slices"
)

// Islands finds the dynamic bodies that are connected by touching contacts and by joints. Static and
// kinematic bodies connect nothing: bodies that rest on one floor, or hang from one ceiling, are not
// one island. An Islands keeps its memory from Build to Build.
type Islands struct {
	root   forest  // by slot
	next   []int32 // by slot, the next member of its ring
	bodies []Body
}

// Build finds the islands of s. It keeps a reference to s.Bodies until the next Build.
func (is *Islands) Build(s *State) {
	is.bodies = s.Bodies
	is.root.reset(len(s.Bodies))
	is.next = append(is.next[:0], is.root...)
	for i := range s.Contacts {
		if c := &s.Contacts[i]; c.joins() {
			is.join(c.SlotA, c.SlotB)
		}
	}
	for i := range s.Joints {
		if j := &s.Joints[i]; j.joins() {
			is.join(j.SlotA, j.SlotB)
		}
	}
}

// join makes one ring of two, by swapping one link of each.
func (is *Islands) join(a, b int32) {
	ra, rb := is.root.find(a), is.root.find(b)
	if ra == rb {
		return
	}
	is.root[rb] = ra
	is.next[ra], is.next[rb] = is.next[rb], is.next[ra]
}

// Same reports whether two slots are in one island.
func (is *Islands) Same(a, b int) bool { return is.root.find(int32(a)) == is.root.find(int32(b)) }

// Members appends the slots of the island of slot, itself included, in the
// order of their keys.
func (is *Islands) Members(slot int, out []int32) []int32 {
	from := len(out)
	for at := int32(slot); ; {
		out = append(out, at)
		if at = is.next[at]; at == int32(slot) {
			break
		}
	}
	slices.SortFunc(out[from:], func(a, b int32) int {
		return cmp.Compare(is.bodies[a].Key, is.bodies[b].Key)
	})
	return out
}

// Island appends the slots of the dynamic bodies that are joined to slot by
// touching contacts and joints through dynamic bodies, itself included, in the order of
// their keys. It allocates; for many islands of one state use Islands.
func (s *State) Island(slot int, out []int32) []int32 {
	var is Islands
	is.Build(s)
	return is.Members(slot, out)
}

// forest records which elements are connected: those of one tree, by the element on the
// way to its root.
type forest []int32

// reset makes n elements that are not connected.
func (f *forest) reset(n int) {
	*f = resize(*f, n)
	for i := range *f {
		(*f)[i] = int32(i)
	}
}

// find returns the root of an element and halves the way to it.
func (f forest) find(i int32) int32 {
	for f[i] != i {
		f[i] = f[f[i]]
		i = f[i]
	}
	return i
}
