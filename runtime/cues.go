package runtime

import (
	"cmp"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// CueEvent tells a viewer of one cue. A cue fires once, however often its tick
// is run again. What fired while its tick could still change may turn out
// otherwise: then it has moved or is cancelled.
type CueEvent struct {
	Kind CueChange
	Cue  world.Cue
	Was  world.Cue // of CueMoved: what was told of it before; a client that watches has its key only
}

// CueChange is what has become of a cue.
type CueChange uint8

const (
	// CueFired: show it.
	CueFired CueChange = iota
	// CueMoved: it was shown, and is in another place, says something else, or
	// belongs to a tick nearby.
	CueMoved
	// CueCancelled: it was shown, and never happened.
	CueCancelled
)

// String is the kind in a word.
func (k CueChange) String() string { return [...]string{"fired", "moved", "cancelled"}[k] }

// cueNear is how many ticks a cue may move: what vanishes from one tick and
// turns up in another that near, in one rewind, is the same one.
const cueNear = 15

// cueBook knows what has been told of the cues of ticks that may still change.
// The Timeline tells it of every tick that it has run, the first time or again;
// flush compares, and tells what differs.
type cueBook struct {
	tell   func(CueEvent)
	player world.PlayerID
	// everybody has the book keep all cues, whoever they are for.
	everybody bool
	after     world.Tick // only cues of ticks after this one count
	newest    world.Tick // that was told of
	told      []cuePage  // by tick
	news      []cuePage  // by tick: as the ticks run since the last flush are now
	buf       []world.Cue

	gone, come []world.Cue // scratch of flush
	events     []CueEvent
}

// cuePage is the cues of one tick that this player gets.
type cuePage struct {
	tick world.Tick
	cues []world.Cue
}

// newCueBook makes a book that is closed: it opens once the client is at its
// present. What happened before it came is no news to it.
func newCueBook(player world.PlayerID, tell func(CueEvent)) *cueBook {
	return &cueBook{tell: tell, player: player, after: math.MaxUint32}
}

// open begins to tell, of the ticks after t that nothing was told of before.
func (b *cueBook) open(t world.Tick) {
	if b != nil {
		b.after = max(t, b.newest)
	}
}

// shut forgets what may still change: the history begins anew.
func (b *cueBook) shut() {
	if b != nil {
		b.after, b.told, b.news = math.MaxUint32, b.told[:0], b.news[:0]
	}
}

// ran notes how a tick has come out.
func (b *cueBook) ran(t world.Tick, trace *world.Trace) {
	if t <= b.after {
		return
	}
	b.newest = max(b.newest, t)
	b.buf = trace.Cues(b.buf[:0])
	mine := slices.DeleteFunc(b.buf, func(c world.Cue) bool { return !b.everybody && !c.For(b.player) })
	i, noted := findPage(b.news, t)
	if _, was := findPage(b.told, t); len(mine) == 0 && !noted && !was {
		return
	}
	if !noted {
		b.news = slices.Insert(b.news, i, cuePage{tick: t})
	}
	b.news[i].cues = slices.Clone(mine)
}

func findPage(pages []cuePage, t world.Tick) (int, bool) {
	return slices.BinarySearchFunc(pages, t, func(p cuePage, t world.Tick) int { return cmp.Compare(p.tick, t) })
}

// flush tells what is otherwise than was told. Ticks up to settled cannot
// change any more: the cues that waited for it fire.
func (b *cueBook) flush(settled world.Tick) {
	if b == nil {
		return
	}
	b.gone, b.come, b.events = b.gone[:0], b.come[:0], b.events[:0]
	for i := range b.news {
		b.compare(&b.news[i])
	}
	b.news = b.news[:0]
	b.pair()
	b.settle(settled)
	for _, e := range b.events {
		b.tell(e)
	}
}

// compare finds what differs in one tick, and puts the page in its place.
func (b *cueBook) compare(now *cuePage) {
	at, was := findPage(b.told, now.tick)
	if !was {
		b.told = slices.Insert(b.told, at, cuePage{tick: now.tick})
	}
	old := &b.told[at]
	for i := range old.cues {
		c := &old.cues[i]
		switch n := like(c, now.cues); {
		case c.When == world.CueConfirmed: // nothing was told
		case n == nil:
			b.gone = append(b.gone, *c)
		case !n.Same(c):
			b.events = append(b.events, CueEvent{CueMoved, *n, *c})
		}
	}
	for i := range now.cues {
		if c := &now.cues[i]; c.When == world.CuePredicted && like(c, old.cues) == nil {
			b.come = append(b.come, *c)
		}
	}
	old.cues = now.cues
}

// like is the cue of the same key and time in a list, nil if there is none. The
// cues of one tick are sorted by object, of which each gives a few.
func like(c *world.Cue, list []world.Cue) *world.Cue {
	i, _ := slices.BinarySearchFunc(list, c.Object, func(o world.Cue, id world.ObjectID) int { return cmp.Compare(o.Object, id) })
	for ; i < len(list) && list[i].Object == c.Object; i++ {
		if o := &list[i]; o.CueKey == c.CueKey && o.When == c.When {
			return o
		}
	}
	return nil
}

// pair tells of the cues that vanished and of those that came: the same effect
// in a tick nearby has moved.
func (b *cueBook) pair() {
	slices.SortFunc(b.come, func(x, y world.Cue) int {
		return cmp.Or(compareEffects(&x, &y), cmp.Compare(x.Tick, y.Tick), cmp.Compare(x.Count, y.Count))
	})
	for i := range b.gone {
		c := &b.gone[i]
		if to := b.movedTo(c); to >= 0 {
			b.events = append(b.events, CueEvent{CueMoved, b.come[to], *c})
			b.come[to].Tick = 0 // told
		} else {
			b.events = append(b.events, CueEvent{Kind: CueCancelled, Cue: *c})
		}
	}
	b.come = slices.DeleteFunc(b.come, func(c world.Cue) bool { return c.Tick == 0 })
	slices.SortStableFunc(b.come, func(x, y world.Cue) int { return cmp.Compare(x.Tick, y.Tick) })
	for _, c := range b.come {
		b.events = append(b.events, CueEvent{Kind: CueFired, Cue: c})
	}
}

// movedTo is which of the cues that came is one that vanished, -1: none.
func (b *cueBook) movedTo(c *world.Cue) int {
	i, _ := slices.BinarySearchFunc(b.come, c, func(o world.Cue, c *world.Cue) int { return compareEffects(&o, c) })
	for ; i < len(b.come) && compareEffects(&b.come[i], c) == 0; i++ {
		if t := b.come[i].Tick; t != 0 && max(t, c.Tick)-min(t, c.Tick) <= cueNear {
			return i
		}
	}
	return -1
}

func compareEffects(a, b *world.Cue) int {
	return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Name, b.Name))
}

// settle closes the pages up to a tick.
func (b *cueBook) settle(settled world.Tick) {
	n := 0
	for ; n < len(b.told) && b.told[n].tick <= settled; n++ {
		for _, c := range b.told[n].cues {
			if c.When == world.CueConfirmed {
				b.events = append(b.events, CueEvent{Kind: CueFired, Cue: c})
			}
		}
	}
	b.told = slices.Delete(b.told, 0, n)
	if b.after != math.MaxUint32 {
		b.after = max(b.after, settled)
	}
}
