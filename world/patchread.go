package world

import (
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// ApplyPatch turns run, the result of the shared run, into the state that AppendPatch got as want.
// After an error, run is invalid.
func ApplyPatch(b []byte, schema *Schema, before, run *State) error {
	if len(b) == 0 {
		return nil
	}
	c := patchReader{r: reader{b: b}, schema: schema, before: before, run: run, like: before.Bundle == run.Bundle}
	c.objects()
	c.contacts()
	c.joints()
	if c.r.ok() && c.r.left() != 0 {
		c.r.fail(fmt.Errorf("%d bytes too many", c.r.left()))
	}
	if !c.r.ok() {
		return fmt.Errorf("%w: patch: %w", ErrFormat, c.r.failure())
	}
	return nil
}

// patchReader reads the changes of lists.
type patchReader struct {
	r                reader
	schema           *Schema
	before, run      *State
	like             bool // both are of one schema
	base, past, word []uint64
}

// op reads the next change of a list with left remaining entries: how many of them are
// unchanged, and the code of the next one.
func (c *patchReader) op(left int) (kept, kind int) {
	v := c.r.uvarint()
	kind = int(v & 3)
	switch n := v >> 2; {
	case c.r.ok() && kind == patchEnd:
		return left, kind
	case n > uint64(left), n == uint64(left) && kind != patchAdded:
		c.r.fail(fmt.Errorf("%d entries are as they were, of %d", n, left))
	}
	if !c.r.ok() {
		return left, patchEnd
	}
	return int(v >> 2), kind
}

// other reads the entry that replaces entry i of a list.
func (c *patchReader) other(of list, i int) []uint64 {
	c.base, c.past = of.words(c.schema, i, c.base[:0]), c.past[:0]
	if was := listOf(of.kind, c.before); c.like {
		if k, ok := was.find(of, i); ok {
			c.past = was.words(c.schema, k, c.past)
		}
	}
	return c.words()
}

// fresh reads an entry that run does not have.
func (c *patchReader) fresh(of listKind) []uint64 {
	c.base, c.past = c.base[:0], c.past[:0]
	if k := c.r.uvarint(); k > 0 {
		was := listOf(of, c.before)
		if k > uint64(was.len()) || !c.like {
			c.r.fail(fmt.Errorf("entry %d of %d before", k, was.len()))
			return nil
		}
		c.base = was.words(c.schema, int(k)-1, c.base)
	}
	return c.words()
}

// words reads an entry, from base and past. It returns nil after an error.
func (c *patchReader) words() []uint64 {
	n := c.r.uvarint()
	if n == 0 || n > MaxRow+headWords+physics.BodyWords {
		c.r.fail(fmt.Errorf("an entry of %d words", n))
	}
	if !c.r.ok() {
		return nil
	}
	c.word = append(c.word[:0], c.base[:min(len(c.base), int(n))]...)
	for len(c.word) < int(n) {
		c.word = append(c.word, 0)
	}
	for at := uint64(0); at < n && c.r.ok(); at++ {
		gap := c.r.uvarint()
		if gap>>1 > n-at {
			c.r.fail(fmt.Errorf("word %d of %d", at+gap>>1, n))
			break
		}
		if at += gap >> 1; at == n {
			break
		}
		d := c.r.uvarint()
		if gap&1 != 0 {
			if at >= uint64(len(c.past)) {
				c.r.fail(fmt.Errorf("word %d was not there before", at))
				break
			}
			c.word[at] = c.past[at]
		}
		c.word[at] += d>>1 ^ -(d & 1)
	}
	if !c.r.ok() {
		return nil
	}
	return c.word
}

// objects changes the objects of run, in their slots.
func (c *patchReader) objects() {
	old := *c.run
	old.ByID = slices.Clone(c.run.ByID) // slots stay
	was := listOf(objectList, &old)
	for i := 0; ; {
		kept, kind := c.op(was.len() - i)
		i += kept
		switch kind {
		case patchEnd:
			return
		case patchGone:
			lose(c.run, int(old.ByID[i]))
			i++
		case patchChanged:
			c.object(int(old.ByID[i]), c.other(was, i))
			i++
		case patchAdded:
			c.object(freeSlot(c.run), c.fresh(objectList))
			old.Objects, old.Rows, old.Physics.Bodies = c.run.Objects, c.run.Rows, c.run.Physics.Bodies
		}
	}
}

// lose removes an object from the state without its contacts and joints.
func lose(s *State, slot int) {
	s.set(slot, Object{})
	s.Rows.clear(slot)
	s.Physics.Bodies[slot] = physics.Body{}
}

func freeSlot(s *State) int {
	if slot := slices.IndexFunc(s.Objects, func(o Object) bool { return o.ID == 0 }); slot >= 0 {
		return slot
	}
	return len(s.Objects)
}

// object puts an object, given as words, into a slot.
func (c *patchReader) object(slot int, words []uint64) {
	if !c.r.ok() || len(words) < headWords {
		c.r.fail(fmt.Errorf("an object of %d words", len(words)))
		return
	}
	kind := words[2]
	o := Object{
		ID:      ObjectID(words[0]),
		Spawned: Tick(words[1]),
		Order:   int32(words[1] >> 32),
		Class:   uint16(kind),
		Owner:   PlayerID(kind >> 16),
		Nth:     uint16(kind >> wordNth),
		Removed: kind&wordRemoved != 0,
	}
	if err := o.setFaultWords(words[3], words[4]); err != nil {
		c.r.fail(err)
	}
	at, there := c.run.Find(o.ID)
	if o.ID == 0 || there && at != slot || int(o.Class) >= len(c.schema.Classes) || slot >= MaxObjects {
		c.r.fail(fmt.Errorf("object %s: of class %d, in slot %d", o.ID, o.Class, slot))
		return
	}
	fields := words[headWords:]
	class := &c.schema.Classes[o.Class]
	n := class.Words()
	bodied := kind&wordBody != 0
	if want := n + physics.BodyWords; bodied && len(fields) != want || !bodied && len(fields) != n {
		c.r.fail(fmt.Errorf("object %s: %d words", o.ID, len(words)))
		return
	}
	var body physics.Body
	if bodied {
		var err error
		if body, err = physics.BodyOf(uint64(o.ID), fields[n:]); err != nil || int(body.Def) >= len(c.schema.Defs) {
			c.r.fail(fmt.Errorf("object %s: body of def %d: %w", o.ID, body.Def, err))
			return
		}
	}
	c.run.set(slot, o)
	c.run.Rows.put(slot, class, NewRow(class, fields[:n:n]))
	c.run.Physics.Bodies[slot] = body
}

func (c *patchReader) find(key uint64) (slot int, ok bool) {
	slot, ok = c.run.Find(ObjectID(key))
	return slot, ok && c.run.Physics.Bodies[slot].Key != 0
}

// contacts rebuilds the contacts of run, each between bodies that exist.
func (c *patchReader) contacts() {
	p := &c.run.Physics
	old := State{Physics: physics.State{Contacts: p.Contacts}}
	p.Contacts = make([]physics.Contact, 0, len(old.Physics.Contacts))
	c.each(listOf(contactList, &old), physics.ContactWords, func(words []uint64) error {
		return physics.AddContactOf(words, p, c.find)
	})
}

// joints rebuilds the joints of run in the same way.
func (c *patchReader) joints() {
	p := &c.run.Physics
	old := State{Physics: physics.State{Joints: p.Joints}}
	p.Joints = make([]physics.Joint, 0, len(old.Physics.Joints))
	c.each(listOf(jointList, &old), physics.JointWords, func(words []uint64) error {
		return physics.AddJointOf(words, p, c.find)
	})
}

// each reads the changes of a list of entries of n words, and calls add for each entry of the result.
func (c *patchReader) each(was list, n int, add func(words []uint64) error) {
	for i := 0; c.r.ok(); {
		kept, kind := c.op(was.len() - i)
		for ; kept > 0; kept-- {
			c.base = was.words(c.schema, i, c.base[:0])
			c.r.fail(add(c.base))
			i++
		}
		var words []uint64
		switch kind {
		case patchEnd:
			return
		case patchGone:
			i++
			continue
		case patchChanged:
			words = c.other(was, i)
			i++
		case patchAdded:
			words = c.fresh(was.kind)
		}
		if len(words) != n {
			c.r.fail(fmt.Errorf("%d words, not %d", len(words), n))
			return
		}
		c.r.fail(add(words))
	}
}
