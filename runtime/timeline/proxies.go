package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// places are what a client was told of the objects that it does not simulate: where they
// are put at the end of ticks of its history. An object of which nothing is
// heard goes on by its speed for maxExtrapolation, then it is held.
type places struct {
	list  []placed
	holds []hold // by object
}

type placed struct {
	tick world.Tick
	at   world.ProxyUpdate
}

type hold struct {
	object world.ObjectID
	tick   world.Tick
}

func comparePlaced(a, b placed) int {
	return cmp.Or(cmp.Compare(a.tick, b.tick), cmp.Compare(a.at.Object, b.at.Object))
}

// put notes where an object is at the end of a tick.
func (p *places) put(t world.Tick, at world.ProxyUpdate) {
	i, ok := slices.BinarySearchFunc(p.list, placed{t, at}, comparePlaced)
	if ok {
		p.list[i].at = at
		return
	}
	p.list = slices.Insert(p.list, i, placed{t, at})
}

// hold moves the tick at which an object is held, and gives the one before; 0: none.
func (p *places) hold(id world.ObjectID, t world.Tick) (before world.Tick) {
	i, ok := slices.BinarySearchFunc(p.holds, id, func(h hold, id world.ObjectID) int { return cmp.Compare(h.object, id) })
	if !ok {
		p.holds = slices.Insert(p.holds, i, hold{object: id})
	}
	before, p.holds[i].tick = p.holds[i].tick, t
	return before
}

// at calls f for all that is put in at the end of a tick, holds first.
func (p *places) at(t world.Tick, f func(*world.ProxyUpdate)) {
	for i := range p.holds {
		if p.holds[i].tick == t {
			f(&world.ProxyUpdate{Object: p.holds[i].object, Freeze: true})
		}
	}
	i, _ := slices.BinarySearchFunc(p.list, placed{tick: t}, comparePlaced)
	for ; i < len(p.list) && p.list[i].tick == t; i++ {
		f(&p.list[i].at)
	}
}

// forget drops what is put in up to tick t.
func (p *places) forget(t world.Tick) {
	n, _ := slices.BinarySearchFunc(p.list, placed{tick: t + 1}, comparePlaced)
	p.list = slices.Delete(p.list, 0, n)
	p.holds = slices.DeleteFunc(p.holds, func(h hold) bool { return h.tick <= t })
}

// tell puts an object where a client was told it was at the end of a tick.
func (tl *Timeline) ApplyProxy(t world.Tick, at world.ProxyUpdate) {
	if t <= tl.oldest {
		return
	}
	tl.places.put(t, at)
	tl.touchEnd(t)
}

// hear notes that something was heard of a stand-in in tick t: it goes on by
// its speed for so many ticks.
func (tl *Timeline) ExtendProxy(id world.ObjectID, t, ticks world.Tick) {
	before := tl.places.hold(id, t+ticks)
	if before != 0 {
		tl.touchEnd(before)
	}
	tl.touchEnd(t + ticks)
}
