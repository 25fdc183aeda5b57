package world

import "github.com/hindcast/hindcast/world/physics"

// BeginOrder begins an order: until EndOrder, objects see each other as they are now.
// This order is not recorded in the trace, so a tick in which it matters is run again
// as a whole.
func (w *World) BeginOrder() { w.beginOrder(-1) }

// BeginBlock is BeginOrder for block i of the tick (see Schema.SteerBlock and
// its siblings).
func (w *World) BeginBlock(i int) {
	w.beginOrder(i)
	if i == w.schema.ContactBlock() {
		w.endJoints()
	}
}

func (w *World) beginOrder(block int) {
	w.log.begin(w.Now.Stride, w.beforeStep)
	w.rec.beginOrder(block)
	w.ops = w.ops[:0]
	if w.rec.present() < 0 && w.ticking {
		w.rec.onlyWhole()
	}
}

// EndOrder carries out the operations on other objects, sorted by (acting
// object, sequence).
func (w *World) EndOrder() {
	w.flush()
	w.ops = w.rec.endOrder(w.ops, w.keep)
}

// keep records the present values of the slots that changed in this order and, after
// the physics step, their values before.
func (w *World) keep(b *blockTrace) {
	b.After.reset(w.Now.Stride)
	w.log.after(&b.After, w.Now, w.deeds)
	if w.rec.present() >= w.schema.ContactBlock() {
		w.log.exchange(&b.Before)
	}
}

// touch keeps the values of a slot before it changes.
func (w *World) touch(slot int) { w.log.touch(w.Now, slot, &w.deeds[slot]) }

// see returns the state in which the acting object sees an object, and its slot there:
// itself as it is now, others as they were when the order began. ok is false for an
// object that does not exist (any more). The state may be read until the next write.
func (w *World) see(id ObjectID) (s *State, slot int, ok bool) {
	slot, ok = w.Find(id)
	if ok && w.mine(slot) {
		return w.Now, slot, true
	}
	w.readObject(id, slot, ok)
	if !ok || w.asSeen.hides(int32(slot)) {
		return w.Now, 0, false // no object is removed before the end of the tick
	}
	if w.beforeStep {
		w.fetch(int32(slot))
	}
	if s, entry, changed := w.log.stateBefore(int32(slot)); changed {
		return s, entry, s.Objects[entry].ID != 0
	}
	return w.Now, slot, true
}

// bodies returns the bodies as they were when the order began, for queries, without
// contacts and joints. Between beginSeen and endSeen they are where the player's client
// showed them.
func (w *World) bodies() *physics.State {
	if seen, on := w.asSeen.state(); on {
		return seen
	}
	if w.beforeStep {
		w.fetch(physics.AllBodies)
	}
	if w.log.unchanged() {
		return &w.Now.Physics
	}
	if w.lookup.othersOf != w.log.number() {
		w.lookup.othersOf = w.log.number()
		w.lookup.others.Bodies = append(w.lookup.others.Bodies[:0], w.Now.Physics.Bodies...)
		w.log.bodiesBefore(w.lookup.others.Bodies)
	}
	return &w.lookup.others
}

// fetch gives a slot the values that it should have by now in a partial rerun;
// physics.AllBodies stands for all slots.
func (w *World) fetch(slot int32) {
	if slot == physics.AllBodies {
		w.pending.takeAll(w.fetch)
		return
	}
	if !w.beforeStep {
		return
	}
	if block, entry, ok := w.pending.take(slot); ok {
		w.log.keep(w.Now, int(slot), w.deeds[slot])
		w.rec.traced(block).After.put(entry, w.Now)
	}
}

// bodyFetcher is what the physics sees of a World in a partial rerun.
type bodyFetcher struct{ w *World }

// Fetch implements physics.Fetcher.
func (f bodyFetcher) Fetch(slot int32) { f.w.fetch(slot) }

// mine reports whether the acting object may change slot at once: it is itself,
// or the object was spawned by it in the present order.
func (w *World) mine(slot int) bool {
	if slot == w.actor {
		return true
	}
	a := &w.deeds[slot]
	return w.actor >= 0 && a.bornIn == w.log.number() && a.bornTo == int32(w.actor)
}
