package world

import "slices"

// Rows are the fields of the objects of a State, by slot. The words of fields that are declared in state, and
// of those that the engine keeps, are flat. Aux fields seldom change. So the Rows refer to versions of them,
// which states and logs share.
type Rows struct {
	Stride   int // how many words a slot has, besides those of its aux fields
	words    []uint64
	versions []*auxVersion // slots without aux fields have nil, or are beyond the end
}

// auxVersion is a value that the aux fields of an object have, or had. It never changes.
type auxVersion struct {
	words []uint64
	hash  uint64 // of words
}

// newVersion returns a version with a copy of words; nil if there are none.
func newVersion(words []uint64) *auxVersion {
	if len(words) == 0 {
		return nil
	}
	v := &auxVersion{words: slices.Clone(words)}
	for _, word := range words {
		v.hash = mix(v.hash ^ word)
	}
	return v
}

// list returns the words, which must not be changed.
func (v *auxVersion) list() []uint64 {
	if v == nil {
		return nil
	}
	return v.words
}

// is reports whether the version has these words.
func (v *auxVersion) is(words []uint64) bool { return slices.Equal(v.list(), words) }

// same reports whether two versions have the same words.
func (v *auxVersion) same(o *auxVersion) bool {
	return v == o || v != nil && o != nil && v.hash == o.hash && v.is(o.words)
}

// row returns the fields of a slot.
func (r *Rows) row(slot int) Row { return Row{State: r.flat(slot), Aux: r.version(slot).list()} }

// flat returns the words of a slot besides those of its aux fields. They may be written to.
func (r *Rows) flat(slot int) []uint64 {
	return r.words[slot*r.Stride : (slot+1)*r.Stride : (slot+1)*r.Stride]
}

// version returns the version of a slot's aux fields, nil if it has none.
func (r *Rows) version(slot int) *auxVersion {
	if slot >= len(r.versions) {
		return nil
	}
	return r.versions[slot]
}

func (r *Rows) putVersion(slot int, v *auxVersion) {
	if v == nil && slot >= len(r.versions) {
		return
	}
	for len(r.versions) <= slot {
		r.versions = append(r.versions, nil)
	}
	r.versions[slot] = v
}

// fits reports whether there are so many slots.
func (r *Rows) fits(slots int) bool { return len(r.words) == slots*r.Stride }

// grow makes room for n slots.
func (r *Rows) grow(n int) {
	for len(r.words) < n*r.Stride {
		r.words = append(r.words, 0)
	}
}

// copyFrom makes r equal to from, reusing the memory of r.
func (r *Rows) copyFrom(from *Rows) {
	r.Stride = from.Stride
	r.words = append(r.words[:0], from.words...)
	r.versions = append(r.versions[:0], from.versions...)
}

// memory returns roughly how many bytes the rows take, without the aux fields, which states share.
func (r *Rows) memory() int { return 8*len(r.words) + 8*len(r.versions) }

// reset removes all slots, for slots of stride words.
func (r *Rows) reset(stride int) {
	r.Stride = stride
	r.cut(0)
}

// cut keeps the first n slots.
func (r *Rows) cut(n int) {
	r.words, r.versions = r.words[:n*r.Stride], r.versions[:min(n, len(r.versions))]
}

// add appends the fields that slot at has in other rows, as slot n.
func (r *Rows) add(n int, from *Rows, at int) {
	r.words = append(r.words, from.flat(at)...)
	r.putVersion(n, from.version(at))
}

// copy gives a slot the fields that slot at has in other rows.
func (r *Rows) copy(slot int, from *Rows, at int) {
	copy(r.flat(slot), from.flat(at))
	r.putVersion(slot, from.version(at))
}

// clear removes the fields of a slot that becomes free.
func (r *Rows) clear(slot int) {
	clear(r.flat(slot))
	r.putVersion(slot, nil)
}

// same reports whether the fields of a slot equal those of slot at in o.
func (r *Rows) same(slot int, o *Rows, at int) bool {
	return sameWords(r.flat(slot), o.flat(at)) && r.version(slot).same(o.version(at))
}

// hash mixes the fields of a slot into h.
func (r *Rows) hash(h uint64, slot int) uint64 {
	for _, word := range r.flat(slot) {
		h = mix(h ^ word)
	}
	if v := r.version(slot); v != nil {
		h = mix(h ^ v.hash)
	}
	return h
}

// put gives a slot the fields of an object of a class; zeros if they are not known.
func (r *Rows) put(slot int, c *Class, fields Row) {
	words := r.flat(slot)
	clear(words[copy(words, fields.State):])
	if !fields.Known() {
		fields.Aux = make([]uint64, auxWords(c))
	}
	r.putAux(slot, c, fields.Aux)
}

// putAux gives a slot, which has an object of a class, aux fields with these words: the version that it has,
// that of a new object, or another one.
func (r *Rows) putAux(slot int, c *Class, words []uint64) {
	switch {
	case r.version(slot).is(words):
	case freshAux(c).is(words):
		r.putVersion(slot, freshAux(c))
	default:
		r.putVersion(slot, newVersion(words))
	}
}

// putFresh gives a slot the fields of a new object of a class.
func (r *Rows) putFresh(slot int, c *Class) {
	words := r.flat(slot)
	clear(words[copy(words, freshRow(c).State):])
	r.putVersion(slot, freshAux(c))
}

// edit returns the fields of a slot, to write to them. putAux has to follow. scratch is memory for a copy of
// the aux fields.
func (r *Rows) edit(slot int, scratch *[]uint64) Row {
	fields := r.row(slot)
	*scratch = append((*scratch)[:0], fields.Aux...)
	fields.Aux = *scratch
	return fields
}

// rowEditor has the memory of edit.
type rowEditor struct{ aux []uint64 }

// edit returns the fields of a slot, to write to them until the next edit. putAux has to follow.
func (e *rowEditor) edit(r *Rows, slot int) Row { return r.edit(slot, &e.aux) }

// flip flips bits of word i of a slot. Those of aux fields are the last ones.
func (r *Rows) flip(slot, i int, bits uint64) {
	if i < r.Stride {
		r.flat(slot)[i] ^= bits
		return
	}
	words := slices.Clone(r.version(slot).words)
	words[i-r.Stride] ^= bits
	r.putVersion(slot, newVersion(words))
}

// measure counts the memory. Versions that were counted before are free.
func (r *Rows) measure(m *Memory) {
	m.add(8*len(r.words) + versionRefBytes*len(r.versions))
	for _, v := range r.versions {
		if v != nil && m.first(v) {
			m.add(versionBytes + 8*len(v.words))
		}
	}
}

// Sizes in memory, in bytes.
const (
	versionRefBytes = 8
	versionBytes    = 32 // besides the words
)
