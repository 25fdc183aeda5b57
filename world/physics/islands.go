package physics

import (
	"cmp"
	"slices"
)

// Islands says which dynamic bodies are connected by touching contacts and by joints. Static and kinematic
// bodies connect nothing: bodies that rest on one floor, or hang from one ceiling, are not one island. An
// Islands keeps its memory from Build to Build.
type Islands struct {
	root   []int32 // by slot, on the way to the root
	next   []int32 // by slot, the next member of its ring
	bodies []Body
}

// Build finds the islands of s. It holds on to s.Bodies until the next Build.
func (is *Islands) Build(s *State) {
	is.bodies = s.Bodies
	is.root, is.next = resize(is.root, len(s.Bodies)), resize(is.next, len(s.Bodies))
	for i := range is.root {
		is.root[i], is.next[i] = int32(i), int32(i)
	}
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
	ra, rb := is.find(a), is.find(b)
	if ra == rb {
		return
	}
	is.root[rb] = ra
	is.next[ra], is.next[rb] = is.next[rb], is.next[ra]
}

// find gives the root and halves the way to it.
func (is *Islands) find(slot int32) int32 {
	for is.root[slot] != slot {
		is.root[slot] = is.root[is.root[slot]]
		slot = is.root[slot]
	}
	return slot
}

// Same reports whether two slots are in one island.
func (is *Islands) Same(a, b int) bool { return is.find(int32(a)) == is.find(int32(b)) }

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
