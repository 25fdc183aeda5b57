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
	if i == w.Schema().ContactBlock() {
		w.endJoints()
	}
}

func (w *World) beginOrder(block int) {
	w.log.begin(w.Now.Rows.Stride, w.progress.isBeforeStep())
	w.rec.beginOrder(block)
	w.lookup.begin(w.log.number())
	w.ops.cut(0)
	if w.rec.present() < 0 && w.progress.inTick() {
		w.rec.onlyWhole()
	}
}

// EndOrder carries out the operations on other objects, sorted by (acting
// object, sequence).
func (w *World) EndOrder() {
	w.lookup.end()
	w.flush()
	w.ops.handIn(func(ops []Op) []Op { return w.rec.endOrder(ops, w.keep) })
}

// keep records the present values of the slots that changed in this order and, after
// the physics step, their values before.
func (w *World) keep(b *blockTrace) {
	b.After.reset(w.Now.Rows.Stride)
	w.log.after(&b.After, w.Now, w.acting.all())
	if w.rec.present() >= w.Schema().ContactBlock() {
		w.log.exchange(&b.Before)
	}
}

// touch keeps the values of a slot before it changes.
func (w *World) touch(slot int) { w.log.touch(w.Now, slot, w.acting.of(slot)) }

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
	if w.progress.isBeforeStep() {
		w.fetch(int32(slot))
	}
	if s, entry, changed := w.log.stateBefore(int32(slot)); changed {
		return s, entry, s.Objects[entry].ID != 0
	}
	return w.Now, slot, true
}

// bodies returns the bodies as they were when the order began, for queries, without
// contacts and joints.
func (w *World) bodies() *physics.State {
	if w.progress.isBeforeStep() {
		w.fetch(physics.AllBodies)
	}
	if w.log.unchanged() {
		return &w.Now.Physics
	}
	return w.lookup.bodies(w.log.number(), &w.Now.Physics, w.log.bodiesBefore)
}

// shownBodies is bodies. Between beginSeen and endSeen they are where the player's client
// showed them.
func (w *World) shownBodies() *physics.State {
	if seen, on := w.asSeen.state(); on {
		return seen
	}
	return w.bodies()
}

// finder returns what answers queries about shownBodies, with the limit that was set for the next query.
func (w *World) finder() *physics.Finder {
	base := w.bodies()
	f := w.lookup.find(base, w.Schema().Defs)
	f.Limit(w.lookup.most)
	if seen, on := w.asSeen.state(); on {
		f.Move(base, seen, w.asSeen.apart.Slots())
		w.lookup.work += apartWork * w.asSeen.apart.Len()
	} else {
		f.Move(base, base, nil)
	}
	return f
}

// apartWork is the work of each body that asSeen has moved, for each query.
const apartWork = 1

// fetch gives a slot the values that it should have by now in a partial rerun;
// physics.AllBodies stands for all slots.
func (w *World) fetch(slot int32) {
	if slot == physics.AllBodies {
		w.pending.takeAll(w.fetch)
		return
	}
	if !w.progress.isBeforeStep() {
		return
	}
	if block, entry, ok := w.pending.take(slot); ok {
		w.log.keep(w.Now, int(slot), *w.acting.of(int(slot)))
		w.rec.traced(block).After.put(entry, w.Now)
	}
}

// bodyFetcher is what the physics sees of a World in a partial rerun.
type bodyFetcher struct{ w *World }

// Fetch implements physics.Fetcher.
func (f bodyFetcher) Fetch(slot int32) { f.w.fetch(slot) }

// mine reports whether the acting object may change slot at once: it is itself,
// or the object was spawned by it in the present order.
func (w *World) mine(slot int) bool { return w.acting.mine(slot, w.log.number()) }

// lend makes an object one that the acting object may change at once until the order ends.
func (w *World) lend(slot int) { w.acting.of(slot).lend(w.acting.slot(), w.log.number()) }
