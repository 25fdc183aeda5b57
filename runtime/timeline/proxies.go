package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// proxyUpdates holds the proxy updates of a client: the poses of proxies at the ends of
// ticks. A proxy without a further update continues at its velocity until the tick in which
// it freezes.
type proxyUpdates struct {
	list    []proxyUpdate       // by tick and object
	freezes []freeze            // by object
	batch   []world.ProxyUpdate // scratch
}

type proxyUpdate struct {
	tick     world.Tick
	at       world.ProxyUpdate
	replaced Replicated
}

// freeze is the tick at whose end a proxy stops if no further update comes.
type freeze struct {
	object world.ObjectID
	tick   world.Tick
}

func compareProxyUpdates(a, b proxyUpdate) int {
	return cmp.Or(cmp.Compare(a.tick, b.tick), cmp.Compare(a.at.Object, b.at.Object))
}

// start drops all updates.
func (p *proxyUpdates) start() { p.list, p.freezes = nil, nil }

// put adds an update of a proxy at the end of a tick.
func (p *proxyUpdates) put(t world.Tick, at world.ProxyUpdate, replaced Replicated) {
	u := proxyUpdate{t, at, replaced}
	i, ok := slices.BinarySearchFunc(p.list, u, compareProxyUpdates)
	if ok {
		p.list[i] = u
		return
	}
	p.list = slices.Insert(p.list, i, u)
}

// freeze moves the tick in which a proxy freezes to t, and returns the previous one; 0:
// none.
func (p *proxyUpdates) freeze(id world.ObjectID, t world.Tick) (before world.Tick) {
	i, ok := slices.BinarySearchFunc(
		p.freezes,
		id,
		func(f freeze, id world.ObjectID) int { return cmp.Compare(f.object, id) },
	)
	if !ok {
		p.freezes = slices.Insert(p.freezes, i, freeze{object: id})
	}
	before, p.freezes[i].tick = p.freezes[i].tick, t
	return before
}

// at calls f for each update at the end of a tick, freezes first.
func (p *proxyUpdates) at(t world.Tick, f func(*world.ProxyUpdate)) {
	for i := range p.freezes {
		if p.freezes[i].tick == t {
			f(&world.ProxyUpdate{Object: p.freezes[i].object, Freeze: true})
		}
	}
	i, _ := slices.BinarySearchFunc(p.list, proxyUpdate{tick: t}, compareProxyUpdates)
	for ; i < len(p.list) && p.list[i].tick == t; i++ {
		f(&p.list[i].at)
	}
}

// apply applies the updates of the tick that a world has ended.
func (p *proxyUpdates) apply(w *world.World) {
	p.at(w.Now.Tick, func(u *world.ProxyUpdate) { w.ApplyProxy(u) })
}

// applyPartly is apply for tick t, which was simulated again in part.
func (p *proxyUpdates) applyPartly(part *world.PartialRerun, t world.Tick) {
	p.batch = p.batch[:0]
	p.at(t, func(u *world.ProxyUpdate) { p.batch = append(p.batch, *u) })
	part.ApplyProxies(p.batch)
}

// drop removes the updates of culled proxies of an object, and calls f with the tick of each.
func (p *proxyUpdates) drop(id world.ObjectID, f func(t world.Tick)) {
	p.list = slices.DeleteFunc(p.list, func(u proxyUpdate) bool {
		if u.at.Object != id || !u.at.Culled {
			return false
		}
		f(u.tick)
		return true
	})
}

// prune removes the updates up to tick t.
func (p *proxyUpdates) prune(t world.Tick) {
	n, _ := slices.BinarySearchFunc(p.list, proxyUpdate{tick: t + 1}, compareProxyUpdates)
	p.list = slices.Delete(p.list, 0, n)
	p.freezes = slices.DeleteFunc(p.freezes, func(f freeze) bool { return f.tick <= t })
}

// ApplyProxy applies an update to a proxy at the end of a tick.
func (tl *Timeline) ApplyProxy(t world.Tick, at world.ProxyUpdate) {
	if t <= tl.Oldest() {
		return
	}
	r := tl.describe(t, &at)
	tl.proxies.put(t, at, r)
	tl.dirty.end(t, r)
}

// ExtendProxy notes that a snapshot of tick t has a proxy's object. The proxy continues
// at its velocity for the given number of ticks, and then freezes.
func (tl *Timeline) ExtendProxy(id world.ObjectID, t, ticks world.Tick) {
	r := tl.describe(t, &world.ProxyUpdate{Object: id, Freeze: true})
	if before := tl.proxies.freeze(id, t+ticks); before != 0 {
		tl.dirty.end(before, r)
	}
	tl.dirty.end(t+ticks, r)
}
