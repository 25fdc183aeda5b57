package view

import (
	"cmp"
	"math"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// CueChange says how a cue has changed.
type CueChange uint8

// The changes of a cue.
const (
	CueFired     CueChange = iota // the cue is new
	CueMoved                      // its position, its arguments or its tick changed
	CueCancelled                  // the cue did not happen after all
)

// CueUpdate is a change of one cue.
type CueUpdate struct {
	Change CueChange
	Cue    world.Cue
	Was    world.Cue // of CueMoved: the cue before
}

// How many ticks a cue may move: a cue that disappears from one tick and appears in another that near, before the
// disappearance is reported, is the same one. It may move further if it has the same arguments, or while the client is
// behind, as when a press reaches the host with a later input, after the line was down.
const (
	cueNear = 15
	cueFar  = 128
)

// CueBook holds the reported cues of ticks that can still change. Ran takes the cues of
// every tick that ran, for the first time or again. Flush compares them with those
// reported before.
//
// A client's book also holds the cues that its player's replicated objects had here in ticks that cannot change any
// more, until the host has said which of them happened.
//
// Source: "Network Prediction Plugin Overview" (Epic Games).
type CueBook struct {
	all      bool // keep the cues for all players
	player   world.PlayerID
	after    world.Tick // only cues of ticks after this one are reported ...
	lasting  world.Tick // ... and, once the book is open, those after this one that still last then
	newest   world.Tick // the newest tick that ran
	reported []cuePage  // by tick
	ran      []cuePage  // by tick: the cues of the ticks that ran since the last Flush

	own     ownCues     // on a client
	guessed []world.Cue // on a host: those of the ticks committed by the last Flush that clients guess

	buf        []world.Cue
	gone, come []world.Cue // of Flush: those that disappeared, and are not reported yet, and those that appeared
	updates    []CueUpdate
}

// cuePage is the cues of one tick.
type cuePage struct {
	tick world.Tick
	cues []world.Cue
}

// NewCueBook returns a closed book of the cues for a player.
func NewCueBook(player world.PlayerID) *CueBook {
	return &CueBook{player: player, after: math.MaxUint32, lasting: math.MaxUint32}
}

// NewCueBookForAll returns a closed book of the cues for all players.
func NewCueBookForAll() *CueBook {
	return &CueBook{all: true, after: math.MaxUint32, lasting: math.MaxUint32}
}

// Open begins to report the cues of ticks after t that were not reported before. It reports those
// of earlier ticks, too, if their effects still last after t.
func (b *CueBook) Open(t world.Tick) {
	b.after = max(t, b.newest)
	b.own.began = b.after
}

// Close drops the ticks that can still change, because the history begins anew after a tick. The
// book reports nothing until it is opened again. Close returns the newest tick that ran.
func (b *CueBook) Close(keyframe world.Tick) (newest world.Tick) {
	for i := range b.reported {
		b.own.shows(b.player, b.reported[i].cues)
	}
	b.own.shows(b.player, b.gone)
	b.after, b.reported, b.ran, b.gone = math.MaxUint32, b.reported[:0], b.ran[:0], b.gone[:0]
	b.lasting = max(keyframe, b.newest)
	return b.newest
}

// open reports whether the book reports cues.
func (b *CueBook) open() bool { return b.after != math.MaxUint32 }

// concerns reports whether the book is about a cue of a tick that ran. A player's book is not about
// the cues of hooks that only the host and other clients run: the host sends them.
func (b *CueBook) concerns(c *world.Cue) bool {
	return b.all || c.For(b.player) && c.FoundBy(b.player)
}

// Ran takes the cues of a tick that ran.
func (b *CueBook) Ran(t world.Tick, trace *world.Trace) {
	if t <= b.after && t <= b.lasting {
		return
	}
	if b.open() {
		b.newest = max(b.newest, t)
	}
	b.buf = trace.Cues(b.buf[:0])
	mine := slices.DeleteFunc(b.buf, func(c world.Cue) bool { return !b.concerns(&c) })
	i, noted := findPage(b.ran, t)
	if _, was := findPage(b.reported, t); len(mine) == 0 && !noted && !was {
		return
	}
	if !noted {
		b.ran = slices.Insert(b.ran, i, cuePage{tick: t})
	}
	b.ran[i].cues = slices.Clone(mine)
}

// Complete replaces the cues of shared objects in a tick that cannot change any more by those of exact.
func (b *CueBook) Complete(t world.Tick, exact []world.Cue) {
	if t <= b.after && t <= b.lasting {
		return
	}
	i, noted := findPage(b.ran, t)
	at, was := findPage(b.reported, t)
	var page []world.Cue
	switch {
	case noted:
		page = b.ran[i].cues
	case was:
		page = b.reported[at].cues
	}
	page = slices.DeleteFunc(slices.Clone(page), func(c world.Cue) bool { return !c.Source.Replicated })
	for j := range exact {
		// in the tick of a switch, the run also has those of objects that it leaves out from then on
		if c := &exact[j]; b.concerns(c) && !c.Source.Replicated {
			page = append(page, *c)
		}
	}
	if len(page) == 0 && !noted && !was {
		return
	}
	slices.SortStableFunc(page, func(a, b world.Cue) int { return cmp.Compare(a.Object, b.Object) })
	if !noted {
		b.ran = slices.Insert(b.ran, i, cuePage{tick: t})
	}
	b.ran[i].cues = page
}

func findPage(pages []cuePage, t world.Tick) (int, bool) {
	return slices.BinarySearchFunc(pages, t, func(p cuePage, t world.Tick) int { return cmp.Compare(p.tick, t) })
}

// Flush returns the changes since the cues were reported. Ticks up to committed cannot
// change any more, so cues that waited for that fire. behind says that ticks are yet to be simulated that are due, to
// which a cue may move: until they are, a cue that has disappeared is not reported as cancelled. The slice is valid
// until the next call.
func (b *CueBook) Flush(committed world.Tick, behind bool) []CueUpdate {
	b.come, b.updates = b.come[:0], b.updates[:0] // gone has those that were not reported
	if !b.open() {
		return nil
	}
	for i := range b.ran {
		b.compare(&b.ran[i])
	}
	b.ran = b.ran[:0]
	b.pair(behind)
	b.commit(committed)
	if !b.all {
		b.updates = b.own.settle(committed, b.updates)
	}
	return b.updates
}

// Happened notes that a cue that the client may have guessed has happened at the host.
func (b *CueBook) Happened(c world.Cue) { b.own.host = append(b.own.host, c) }

// Settled notes that, as the host was at tick at, Happened has had all such cues up to tick t, and the host had the
// inputs of the client's player up to tick inputs.
func (b *CueBook) Settled(t, inputs, at world.Tick) { b.own.settled(t, inputs, at) }

// Guessed returns the cues of the ticks that the last Flush committed that clients guess. It is valid until the next
// Flush.
func (b *CueBook) Guessed() []world.Cue { return b.guessed }

// compare finds the changes in one tick, and replaces its page.
func (b *CueBook) compare(now *cuePage) {
	at, was := findPage(b.reported, now.tick)
	if !was {
		b.reported = slices.Insert(b.reported, at, cuePage{tick: now.tick})
	}
	old := &b.reported[at]
	if now.tick <= b.after {
		now.cues = slices.DeleteFunc(now.cues, func(c world.Cue) bool {
			over := b.over(&c) && sameCue(&c, old.cues) == nil
			if over {
				b.come = append(b.come, c) // a reported one may have moved there
			}
			return over
		})
	}
	for i := range old.cues {
		c := &old.cues[i]
		switch n := sameCue(c, now.cues); {
		case c.When == world.CueConfirmed: // not reported yet
		case n == nil || !b.all && !n.Same(c): // on a client, another one may have come in its place
			b.gone = append(b.gone, *c)
		case !n.Same(c):
			b.updates = append(b.updates, CueUpdate{CueMoved, *n, *c})
		}
	}
	for i := range now.cues {
		c := &now.cues[i]
		if o := sameCue(c, old.cues); c.When == world.CuePredicted && (o == nil || !b.all && !o.Same(c)) {
			b.come = append(b.come, *c)
		}
	}
	old.cues = now.cues
}

// over reports whether the effect of a cue had ended before the book was opened.
func (b *CueBook) over(c *world.Cue) bool {
	return c.Tick <= b.after && (c.Lasts == 0 || c.Over(b.after))
}

// sameCue returns the cue of the same key and time in a list, nil if there is none. The
// list is sorted by object; an object has few cues in a tick.
func sameCue(c *world.Cue, list []world.Cue) *world.Cue {
	i, _ := slices.BinarySearchFunc(
		list,
		c.Object,
		func(o world.Cue, id world.ObjectID) int { return cmp.Compare(o.Object, id) },
	)
	for ; i < len(list) && list[i].Object == c.Object; i++ {
		if o := &list[i]; o.CueKey == c.CueKey && o.When == c.When {
			return o
		}
	}
	return nil
}

// pair reports the cues that disappeared and those that appeared. The same cue in a
// nearby tick counts as moved. If the client is behind, others that disappeared wait.
func (b *CueBook) pair(behind bool) {
	slices.SortFunc(b.come, func(x, y world.Cue) int {
		return cmp.Or(compareEffects(&x, &y), cmp.Compare(x.Tick, y.Tick), cmp.Compare(x.Count, y.Count))
	})
	near := world.Tick(cueNear)
	if behind {
		near = cueFar
	}
	b.move(func(c, to *world.Cue) bool {
		return apart(c, to) <= cueFar && len(c.Fields) > 0 && slices.Equal(c.Fields, to.Fields)
	})
	b.move(func(c, to *world.Cue) bool { return c.CueKey == to.CueKey })
	b.move(func(c, to *world.Cue) bool { return apart(c, to) <= near })
	if !b.all {
		b.freeKeys()
	}
	if !behind {
		for i := range b.gone {
			b.updates = append(b.updates, CueUpdate{Change: CueCancelled, Cue: b.gone[i]})
		}
		b.gone = b.gone[:0]
	}
	b.come = slices.DeleteFunc(b.come, func(c world.Cue) bool { return c.Tick == 0 || b.over(&c) })
	slices.SortStableFunc(b.come, func(x, y world.Cue) int { return cmp.Compare(x.Tick, y.Tick) })
	for _, c := range b.come {
		b.updates = append(b.updates, CueUpdate{Change: CueFired, Cue: c})
	}
}

// move reports the cues that disappeared, each of which is the nearest one that appeared of those for which same
// returns true.
func (b *CueBook) move(same func(c, to *world.Cue) bool) {
	b.gone = slices.DeleteFunc(b.gone, func(c world.Cue) bool {
		var to *world.Cue
		i, _ := slices.BinarySearchFunc(b.come, &c,
			func(o world.Cue, c *world.Cue) int { return compareEffects(&o, c) })
		for ; i < len(b.come) && compareEffects(&b.come[i], &c) == 0; i++ {
			if o := &b.come[i]; o.Tick != 0 && same(&c, o) && (to == nil || apart(&c, o) < apart(&c, to)) {
				to = o
			}
		}
		if to == nil {
			return false
		}
		if c.CueKey != to.CueKey || !c.Same(to) { // or it is as it was, after all
			b.updates = append(b.updates, CueUpdate{CueMoved, *to, c})
		}
		if b.over(to) {
			at, _ := findPage(b.reported, to.Tick)
			page := &b.reported[at]
			i, _ := slices.BinarySearchFunc(page.cues, to.Object,
				func(o world.Cue, id world.ObjectID) int { return cmp.Compare(o.Object, id) })
			page.cues = slices.Insert(page.cues, i, *to)
		}
		to.Tick = 0 // reported
		return true
	})
}

// freeKeys orders moves so that a cue moves to a key after the cue that has it has moved away, unless they change
// places.
func (b *CueBook) freeKeys() {
	for i := range b.updates {
		for j := i; j < len(b.updates); j++ {
			key := b.updates[j].Cue.CueKey
			taken := slices.ContainsFunc(b.updates[i:], func(u CueUpdate) bool {
				return u.Change == CueMoved && u.Was.CueKey == key && u.Cue.CueKey != key
			})
			if !taken {
				u := b.updates[j]
				b.updates = slices.Insert(slices.Delete(b.updates, j, j+1), i, u)
				break
			}
		}
	}
}

// apart returns how many ticks two cues are apart.
func apart(a, b *world.Cue) world.Tick { return max(a.Tick, b.Tick) - min(a.Tick, b.Tick) }

func compareEffects(a, b *world.Cue) int {
	return cmp.Or(cmp.Compare(a.Object, b.Object), cmp.Compare(a.Name, b.Name))
}

// commit removes the pages up to a tick, and fires the cues that waited for that.
func (b *CueBook) commit(t world.Tick) {
	n := 0
	b.guessed = b.guessed[:0]
	for ; n < len(b.reported) && b.reported[n].tick <= t; n++ {
		if !b.all {
			b.own.shows(b.player, b.reported[n].cues)
		}
		for _, c := range b.reported[n].cues {
			if c.When == world.CueConfirmed {
				b.updates = append(b.updates, CueUpdate{Change: CueFired, Cue: c})
			} else if b.all && c.GuessedBy(c.Source.Runner) {
				b.guessed = append(b.guessed, c)
			}
		}
	}
	b.reported = slices.Delete(b.reported, 0, n)
	b.after, b.lasting = max(b.after, t), max(b.lasting, t)
}
