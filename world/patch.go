package world

import (
	"cmp"
	"encoding/binary"

	"github.com/hindcast/hindcast/world/physics"
)

// The shared set of a tick also depends on other objects, which clients do not have: an
// interpolated object may push a crate. A patch has the difference: the words in which
// the shared set of the host differs from the result of the shared run from the
// previous tick.
//
// A patch has three lists of changes, of objects, contacts and joints, each in its
// order. A change is the number of entries that are equal, times 4, plus a code for the
// next one: it is removed, it differs, one is inserted before it, or the list has
// ended. An entry that differs is written as its words that differ: the number of equal
// words before it, times 2, and the distance from the word of the shared run or, plus
// 1, from that of the previous tick. A new entry is written from zeros, or from an
// entry of the previous tick.
const (
	patchEnd = iota
	patchGone
	patchChanged
	patchAdded
)

// AppendPatch appends the patch that turns run into want, two shared sets of one tick; before is the shared
// set of the tick before. It appends nothing if they are equal.
func AppendPatch(b []byte, schema *Schema, before, run, want *State) []byte {
	c := patchWriter{b: b, schema: schema}
	for kind := range listKinds {
		c.list(listOf(kind, before), listOf(kind, run), listOf(kind, want))
	}
	if !c.changed {
		return b
	}
	return c.b
}

// list is one of the sorted lists of a state.
type list struct {
	kind listKind
	s    *State
}

type listKind uint8

const (
	objectList listKind = iota // by id
	contactList
	jointList
	listKinds
)

func listOf(kind listKind, s *State) list { return list{kind, s} }

func (l list) len() int {
	switch l.kind {
	case objectList:
		return len(l.s.ByID)
	case contactList:
		return len(l.s.Physics.Contacts)
	}
	return len(l.s.Physics.Joints)
}

// compare returns the order of entry i of l and entry j of m.
func (l list) compare(i int, m list, j int) int {
	switch l.kind {
	case objectList:
		return cmp.Compare(l.s.Objects[l.s.ByID[i]].ID, m.s.Objects[m.s.ByID[j]].ID)
	case contactList:
		return l.s.Physics.Contacts[i].Compare(&m.s.Physics.Contacts[j])
	}
	return l.s.Physics.Joints[i].Compare(&m.s.Physics.Joints[j])
}

// same reports whether two entries are the same, bit for bit.
func (l list) same(i int, m list, j int) bool {
	switch l.kind {
	case objectList:
		return sameObject(l.s, int(l.s.ByID[i]), m.s, int(m.s.ByID[j]))
	case contactList:
		return l.s.Physics.Contacts[i].SameBits(&m.s.Physics.Contacts[j])
	}
	return l.s.Physics.Joints[i].SameBits(&m.s.Physics.Joints[j])
}

// sameAll reports whether two lists have the same entries, bit for bit.
func (l list) sameAll(m list) bool {
	if l.len() != m.len() {
		return false
	}
	for i := range l.len() {
		if !l.same(i, m, i) {
			return false
		}
	}
	return true
}

// sameObject reports whether two slots hold the same object, without its contacts and joints.
func sameObject(s *State, a int, t *State, b int) bool {
	return s.Objects[a] == t.Objects[b] && s.Rows.same(a, &t.Rows, b) && s.Body(a).Same(t.Body(b))
}

// words appends the words of entry i.
func (l list) words(schema *Schema, i int, out []uint64) []uint64 {
	switch l.kind {
	case objectList:
		return objectWords(l.s, schema, int(l.s.ByID[i]), out)
	case contactList:
		return physics.AppendContactWords(out, &l.s.Physics.Contacts[i])
	}
	return physics.AppendJointWords(out, &l.s.Physics.Joints[i])
}

// find returns the entry of l that corresponds to entry j of m.
func (l list) find(m list, j int) (int, bool) {
	from, to := 0, l.len()
	for from < to {
		mid := (from + to) / 2
		switch c := l.compare(mid, m, j); {
		case c == 0:
			return mid, true
		case c < 0:
			from = mid + 1
		default:
			to = mid
		}
	}
	return 0, false
}

// patchWriter writes the changes of lists.
type patchWriter struct {
	b                []byte
	schema           *Schema
	kept             int
	changed          bool
	base, past, want []uint64
}

func (c *patchWriter) list(before, run, want list) {
	n, m := run.len(), want.len()
	for i, j := 0, 0; i < n || j < m; {
		order := -1
		if i == n {
			order = 1
		} else if j < m {
			order = run.compare(i, want, j)
		}
		switch {
		case order < 0:
			c.op(patchGone)
			i++
		case order > 0:
			c.put(before, want, j)
			j++
		default:
			if run.same(i, want, j) {
				c.kept++
			} else {
				c.other(before, run, i, want, j)
			}
			i, j = i+1, j+1
		}
	}
	c.kept = 0
	c.op(patchEnd)
}

func (c *patchWriter) op(kind int) {
	c.b = binary.AppendUvarint(c.b, uint64(c.kept<<2|kind))
	c.kept, c.changed = 0, c.changed || kind != patchEnd
}

// other writes entry j of want, which replaces entry i of run.
func (c *patchWriter) other(before, run list, i int, want list, j int) {
	c.op(patchChanged)
	c.want, c.base, c.past = want.words(c.schema, j, c.want[:0]), run.words(c.schema, i, c.base[:0]), c.past[:0]
	if k, ok := before.find(want, j); ok && before.s.Bundle == want.s.Bundle {
		c.past = before.words(c.schema, k, c.past)
	}
	c.b = appendWords(c.b, c.base, c.past, c.want)
}

// put writes entry j of want, which run does not have: first the entry of before on
// which it is based, from 1; 0: none.
func (c *patchWriter) put(before, want list, j int) {
	c.op(patchAdded)
	c.want, c.base = want.words(c.schema, j, c.want[:0]), c.base[:0]
	k, ok := before.find(want, j)
	if ok = ok && before.s.Bundle == want.s.Bundle; ok {
		c.base = before.words(c.schema, k, c.base)
		c.b = binary.AppendUvarint(c.b, uint64(k)+1)
	} else {
		c.b = append(c.b, 0)
	}
	c.b = appendWords(c.b, c.base, nil, c.want)
}

// appendWords appends the number of words of want, and those that differ from base.
func appendWords(b []byte, base, past, want []uint64) []byte {
	b = binary.AppendUvarint(b, uint64(len(want)))
	gap := 0
	for i, w := range want {
		d := zigzag(base, i, w)
		if d == 0 {
			gap++
			continue
		}
		by := 0
		if e := zigzag(past, i, w); i < len(past) && e < d {
			by, d = 1, e
		}
		b = binary.AppendUvarint(b, uint64(gap<<1|by))
		b = binary.AppendUvarint(b, d)
		gap = 0
	}
	if gap > 0 {
		b = binary.AppendUvarint(b, uint64(gap<<1))
	}
	return b
}

// zigzag returns the distance of a word from word i of base, as a small number for both signs.
func zigzag(base []uint64, i int, word uint64) uint64 {
	if i < len(base) {
		word -= base[i]
	}
	return word<<1 ^ -(word >> 63)
}

// headWords is how many words an object has besides its fields and its body.
const headWords = 5

// Flags in the class word of an object, besides class and owner.
const (
	wordRemoved = 1 << (32 + iota)
	wordBody
)

// wordNth is how far the number of the spawn is shifted in the class word.
const wordNth = 48

// objectWords appends all words of an object.
func objectWords(s *State, schema *Schema, slot int, out []uint64) []uint64 {
	o, b := &s.Objects[slot], s.Body(slot)
	kind := uint64(o.Class) | uint64(o.Owner)<<16 | uint64(o.Nth)<<wordNth
	if o.Removed {
		kind |= wordRemoved
	}
	if b.Key != 0 {
		kind |= wordBody
	}
	counts, pause := o.faultWords()
	out = append(out, uint64(o.ID), uint64(o.Spawned)|uint64(uint32(o.Order))<<32, kind, counts, pause)
	out = s.Row(slot).AppendWords(out, &schema.Classes[o.Class])
	if b.Key == 0 {
		return out
	}
	return physics.AppendBodyWords(out, b)
}
