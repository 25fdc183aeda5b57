package physics

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
