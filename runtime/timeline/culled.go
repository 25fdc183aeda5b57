package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// anchor has the shared set after the last complete tick and after the one before, from
// which a client's Timeline continues. The states belong to the SharedRun and change with
// it.
type anchor struct {
	with   world.Committed
	tick   world.Tick // at whose end they were put in; the states may have gone on since
	culled culledSet  // these proxies stay
}

func (a *anchor) set(state, before *world.State) {
	a.with, a.tick = world.Committed{Shared: state, Before: before, Culled: a.culled.test()}, state.Tick
}

func (a *anchor) clear() { a.with = world.Committed{} }

// forget clears the anchor and the set of culled objects.
func (a *anchor) forget() {
	a.clear()
	a.culled.start()
}

// onlyCulled reports whether all inputs that may differ in the tick after a state are inputs of culled objects.
// Then the tick need not be simulated again: the proxies of culled objects affect no other object.
func (a *anchor) onlyCulled(d *dirtySpans, before *world.State) bool {
	if !a.culled.any() {
		return false
	}
	only := true
	d.inputs(before.Tick+1, func(id world.ObjectID) {
		slot, here := before.Find(id)
		only = only && here && before.Objects[slot].Culled
	})
	return only
}

// culledSet has the objects that a client simulates only in complete ticks. In ticks that are not complete,
// the Timeline has proxies of them.
type culledSet struct{ ids []world.ObjectID } // sorted

// start makes the set empty.
func (c *culledSet) start() { c.ids = c.ids[:0] }

// any reports whether there is an object.
func (c *culledSet) any() bool { return len(c.ids) > 0 }

// has reports whether an object is culled.
func (c *culledSet) has(id world.ObjectID) bool {
	_, ok := slices.BinarySearch(c.ids, id)
	return ok
}

// test returns a function that reports whether an object is culled; nil if none is.
func (c *culledSet) test() func(world.ObjectID) bool {
	if !c.any() {
		return nil
	}
	return c.has
}

func (c *culledSet) add(id world.ObjectID) {
	if i, ok := slices.BinarySearch(c.ids, id); !ok {
		c.ids = slices.Insert(c.ids, i, id)
	}
}

func (c *culledSet) remove(id world.ObjectID) {
	if i, ok := slices.BinarySearch(c.ids, id); ok {
		c.ids = slices.Delete(c.ids, i, i+1)
	}
}

// Culling has the objects that a client simulates only in complete ticks.
type Culling struct {
	anchor  *anchor
	history *history
	proxies *proxyUpdates
	dirty   *dirtySpans
}

// Cull makes the object of an update a proxy. At the end of the next tick, the proxy is put where the update says;
// it moves on from there at its velocity. If the object is culled already, Cull moves its proxy. From that tick on,
// only the SharedRun simulates the object. Its owner must not be the player of this client.
func (c *Culling) Cull(at world.ProxyUpdate) {
	at.Culled = true
	c.anchor.culled.add(at.Object)
	_, now := c.history.bounds()
	c.proxies.put(now+1, at, Replicated{})
}

// Restore makes a culled object predicted again, from the last complete tick on, with the next Anchor of the
// SharedRun, which must be for a tick after Timeline.Oldest. If the object has been removed there, it is removed.
func (c *Culling) Restore(id world.ObjectID) {
	c.anchor.culled.remove(id)
	c.proxies.drop(id, func(t world.Tick) { c.dirty.end(t, Replicated{Object: id, Field: "position", Culled: true}) })
}

// Has reports whether an object is culled.
func (c *Culling) Has(id world.ObjectID) bool { return c.anchor.culled.has(id) }

// Each calls f for each culled object, by id. f must not change the Timeline.
func (c *Culling) Each(f func(id world.ObjectID)) {
	for _, id := range c.anchor.culled.ids {
		f(id)
	}
}

// Count returns how many objects are culled.
func (c *Culling) Count() int { return len(c.anchor.culled.ids) }
