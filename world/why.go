package world

import (
	"math"
	"slices"

	"github.com/hindcast/hindcast/world/physics"
)

// WhyKind is how an object came to differ in a rewind.
type WhyKind uint8

// The ways in which a difference comes to an object. The first two are where
// one begins.
const (
	WhyUnknown WhyKind = iota // it is not known
	WhyInput                  // the object's own input was another
	WhyEvent                  // something else happened in the tick: a join, a switch, a correction
	WhyRead                   // a hook of the object looked at another, or for it
	WhyWrite                  // another did something to it, or did it in the history
	WhySpawn                  // another spawned it, or did
	WhyTouch                  // it was pushed by another
	WhyMiss                   // it would have been pushed by another, and was not
	WhyJoint                  // it is tied to another, or is what ties it
)

// String names the kind in a word.
func (k WhyKind) String() string {
	return [...]string{"unknown", "input", "event", "read", "write", "spawn", "touch", "miss", "joint"}[k]
}

// Why is one step of the way on which a difference came to an object: the other
// is that of the step before.
type Why struct {
	Kind   WhyKind
	Object ObjectID // that came to differ, or to do otherwise
	Tick   Tick     // in which it did
	Block  int      // of the hook: Schema.SteerBlock and the others; -1: no hook had to do with it

	slot    int32
	before  int32 // index of the step before; -1: it began here; pushed: somebody pushed it, it is not known yet who
	differs bool  // the object differed after it; else it was only run again
}

// pushed is in the place of the step before, of one that the physics step moved
// otherwise. By whom is found out when somebody asks.
const pushed = -2

// whys is how all objects that differ came to.
type whys struct {
	steps []Why
	of    []whyOf // by slot
	turn  uint32  // of the rewind
	doubt []int32 // slots whose input is another in the tick that is run whole
	were  slotSet // who differed before that tick
	news  []int32 // slots of which it is not known yet
	way   []int32 // scratch of Why: the steps on the way
}

// whyOf says which step is a slot's.
type whyOf struct {
	turn uint32
	step int32
}

// maxWhys bounds what is noted of one rewind: of what comes after, it is not
// known why.
const maxWhys = 1 << 16

// NoteWhys has the rewinds to come note how each object that differs came to.
func (p *Part) NoteWhys() {
	if p.whys == nil {
		p.whys = &whys{}
	}
}

// Why appends how the object in a slot came to differ in the rewind, from where
// it began to the object itself; nothing if it is not known. history gives the
// frames that were run again, and the one before them; nil for others.
func (p *Part) Why(slot int, history func(Tick) *Frame, out []Why) []Why {
	at, ok := p.whys.step(int32(slot))
	if !ok {
		return out
	}
	from := len(out)
	p.whys.way = p.whys.way[:0]
	for ; at >= 0 && !slices.Contains(p.whys.way, at); at = p.whys.steps[at].before { // two that missed each other can each name the other
		p.whys.way = append(p.whys.way, at)
		if p.whys.steps[at].before == pushed {
			p.findPusher(at, history)
		}
		out = append(out, p.whys.steps[at])
	}
	slices.Reverse(out[from:])
	return out
}

// Differs reports whether the object in a slot differs from the history after
// the last tick.
func (p *Part) Differs(slot int) bool { return p.dirty.has(int32(slot)) }

// Differing appends the slots of all that differ from the history after the last
// tick, in no order.
func (p *Part) Differing(out []int32) []int32 { return append(out, p.dirty.list...) }

func (y *whys) clear() {
	if y != nil {
		y.steps, y.turn, y.doubt = y.steps[:0], y.turn+1, y.doubt[:0]
	}
}

func (y *whys) step(slot int32) (int32, bool) {
	if y == nil || slot < 0 || int(slot) >= len(y.of) || y.of[slot].turn != y.turn || y.turn == 0 {
		return 0, false
	}
	return y.of[slot].step, true
}

// note says how a slot came to differ: from another, or from nobody (-1).
func (p *Part) noteWhy(slot int32, kind WhyKind, from int32) {
	y := p.whys
	if len(y.steps) == maxWhys {
		return
	}
	before := int32(-1)
	if at, ok := y.step(from); ok && from != slot {
		before = at
	}
	block := p.w.block
	if kind >= WhyTouch {
		block = -1
	}
	y.add(slot, Why{Kind: kind, Object: p.w.slots.ids[slot], Tick: p.tick.State.Tick, Block: block, slot: slot, before: before, differs: true})
}

func (y *whys) add(slot int32, step Why) {
	for len(y.of) <= int(slot) {
		y.of = append(y.of, whyOf{})
	}
	y.of[slot] = whyOf{y.turn, int32(len(y.steps))}
	y.steps = append(y.steps, step)
}

// want is Want for the sake of another.
func (p *Part) want(slot int, kind WhyKind, from int32) {
	if p.whys != nil && !p.again.has(int32(slot)) && !p.knows(int32(slot)) {
		p.noteWhy(int32(slot), kind, from)
		p.whys.steps[len(p.whys.steps)-1].differs = false
	}
	p.Want(slot)
}

// spoiled notes that a slot differs which was only run again until now.
func (y *whys) spoiled(slot int32) {
	if at, ok := y.step(slot); ok {
		y.steps[at].differs = true
	}
}

// WantInput is Want for an object that has another input.
func (p *Part) WantInput(slot int) { p.want(slot, WhyInput, -1) }

// DoubtInput notes that an object has another input in a tick that is about to
// be run again as a whole.
func (p *Part) DoubtInput(slot int) {
	if p.whys != nil {
		p.whys.doubt = append(p.whys.doubt, int32(slot))
	}
}

// knows reports whether a slot differs and it is known why.
func (p *Part) knows(slot int32) bool {
	_, known := p.whys.step(slot)
	return known && p.dirty.has(slot)
}

// whom finds one of those for the sake of whom a hook that read r is run again.
func (p *Part) whom(r *read) int32 {
	if p.whys == nil {
		return -1
	}
	if r.kind == readObject {
		if slot, ok := p.w.slots.of[r.id]; ok {
			return slot
		}
		return r.slot
	}
	list := p.dirty.list
	if r.kind == readClass {
		list = p.shape.list
	}
	for _, slot := range list {
		if p.dirty.has(slot) && (r.kind == readClass || p.reaches(&p.w.Now.Physics.Bodies[slot], r) || p.reaches(&p.was[slot], r)) {
			return slot
		}
	}
	return -1
}

// forget makes a slot one of news.
func (y *whys) forget(slot int32) {
	if int(slot) < len(y.of) {
		y.of[slot].turn = 0
	}
	y.news = append(y.news, slot)
}

// seenOther is one who differs of those that hooks can look at in the past; -1:
// none does any more.
func (p *Part) seenOther() int32 {
	if p.whys == nil {
		return -1
	}
	for _, slot := range p.dirty.list {
		if int(slot) < len(p.w.Now.Objects) && p.w.Now.Objects[slot].ID != 0 && p.w.Class(int(slot)).Seen {
			return slot
		}
	}
	return -1
}

// stirrer is with whom one began or ceased to touch: one who differs, if any.
func (p *Part) stirrer(slot int32) int32 {
	if p.whys == nil {
		return -1
	}
	id, best := p.w.slots.ids[slot], int32(-1)
	for i := range p.w.events {
		e := &p.w.events[i]
		if e.A != id && e.B != id {
			continue
		}
		other := e.A ^ e.B ^ id
		if at, ok := p.w.slots.of[other]; ok && (best < 0 || p.dirty.has(at)) {
			best = at
		}
	}
	return best
}

// ender is by whom a joint ended: one of those that it tied who differs.
func (p *Part) ender(e *Parting) int32 {
	for _, id := range [...]ObjectID{e.A, e.B} {
		if slot, ok := p.w.slots.of[id]; ok && p.dirty.has(slot) {
			return slot
		}
	}
	return -1
}

// whyPushed notes those whom the physics step moved otherwise, and who did not
// differ before it.
func (p *Part) whyPushed() {
	y := p.whys
	if y == nil {
		return
	}
	for _, slot := range p.dirty.list {
		if !p.before.has(slot) && len(y.steps) < maxWhys {
			y.add(slot, Why{Kind: WhyUnknown, Object: p.w.slots.ids[slot], Tick: p.tick.State.Tick, Block: -1, slot: slot, before: pushed, differs: true})
		}
	}
}

// pushes is the search for who pushed an object: it goes from body to body, along
// contacts and joints, through those who were pushed in the same tick.
type pushes struct {
	y           *whys
	tick        Tick
	first, last int32   // the steps of those who were pushed in that tick
	queue       []int32 // steps
	next        []int32 // by place in queue: the place it was reached from
	known       []int32 // by slot: the newest step before first after which it differed; -1: none
	pushed      []int32 // by slot: its step from first to last; -1: none, or it is in the queue
}

// mostPushes is how many bodies a search goes through: in a greater heap it is not
// said who pushed.
const mostPushes = 64

// findPusher finds the step before one of somebody who was pushed.
func (p *Part) findPusher(at int32, history func(Tick) *Frame) {
	y := p.whys
	f := pushes{y: y, tick: y.steps[at].Tick, first: at, last: at + 1, queue: []int32{at}, next: []int32{-1}}
	y.steps[at].before = -1
	now, before := history(f.tick), history(f.tick-1)
	if now == nil || before == nil {
		return
	}
	for f.first > 0 && f.isPush(f.first-1) {
		f.first--
	}
	for int(f.last) < len(y.steps) && f.isPush(f.last) {
		f.last++
	}
	f.index(at)
	for i := 0; i < len(f.queue) && i < mostPushes; i++ {
		slot := y.steps[f.queue[i]].slot
		for _, s := range [...]*physics.State{&now.State.Physics, &before.State.Physics} {
			if f.neighbours(s, slot, i) {
				return
			}
		}
	}
	if from := f.nearest(&now.State, y.steps[at].slot); from >= 0 {
		y.steps[at].before, y.steps[at].Kind = from, WhyMiss
	}
}

// index finds the steps of slots.
func (f *pushes) index(at int32) {
	f.known, f.pushed = make([]int32, len(f.y.of)), make([]int32, len(f.y.of))
	for slot := range f.known {
		f.known[slot], f.pushed[slot] = -1, -1
	}
	for i := range f.y.steps[:f.last] {
		switch s := &f.y.steps[i]; {
		case int32(i) >= f.first && int32(i) != at:
			f.pushed[s.slot] = int32(i)
		case int32(i) < f.first && s.differs:
			f.known[s.slot] = int32(i)
		}
	}
}

func (f *pushes) isPush(at int32) bool {
	s := &f.y.steps[at]
	return s.Tick == f.tick && s.Block < 0 && (s.before == pushed || s.Kind == WhyTouch || s.Kind == WhyMiss || s.Kind == WhyJoint)
}

// neighbours goes on to those beside a slot, and reports whether the search is over.
func (f *pushes) neighbours(s *physics.State, slot int32, from int) bool {
	for i := range s.Contacts {
		c := &s.Contacts[i]
		if (c.SlotA == slot || c.SlotB == slot) && c.Flags&physics.SensorContact == 0 && !c.Gone() && f.reach(c.SlotA^c.SlotB^slot, from, WhyTouch) {
			return true
		}
	}
	for i := range s.Joints {
		j := &s.Joints[i]
		if (j.SlotA == slot || j.SlotB == slot) && f.reach(j.SlotA^j.SlotB^slot, from, WhyJoint) {
			return true
		}
	}
	return false
}

// reach comes to a slot: one who differed before is who pushed. From there back
// to where the search began, the steps are tied together.
func (f *pushes) reach(slot int32, from int, kind WhyKind) bool {
	if slot < 0 || int(slot) >= len(f.known) {
		return false
	}
	steps, source := f.y.steps, f.known[slot]
	if at := f.pushed[slot]; source < 0 && at >= 0 {
		f.pushed[slot] = -1
		if steps[at].before < 0 {
			f.queue, f.next = append(f.queue, at), append(f.next, int32(from))
			steps[at].Kind = kind // by which it is reached; overwritten if it is on the way
			return false
		}
		if f.comesFrom(at) {
			return false // it would be its own cause
		}
		source = at // found out earlier
	}
	if source < 0 {
		return false
	}
	for place := int32(from); place >= 0; place = f.next[place] {
		at := f.queue[place]
		was := steps[at].Kind
		steps[at].before, steps[at].Kind = source, kind
		source, kind = at, was
	}
	return true
}

// comesFrom reports whether a step came from one of those whose cause is sought.
func (f *pushes) comesFrom(at int32) bool {
	for ; at >= 0; at = f.y.steps[at].before {
		if slices.Contains(f.queue, at) {
			return true
		}
	}
	return false
}

// nearest is the step of whoever is nearest to a slot of those who differed
// before: they met in the history, and did not now. -1: nobody.
func (f *pushes) nearest(s *State, slot int32) int32 {
	best, least := int32(-1), math.Inf(1)
	if int(slot) >= len(s.Objects) {
		return -1
	}
	b := s.Body(int(slot))
	for at := f.first - 1; at >= 0; at-- {
		step := &f.y.steps[at]
		if step.slot == slot || !step.differs || int(step.slot) >= len(s.Objects) {
			continue
		}
		o := s.Body(int(step.slot))
		if d := max(math.Abs(o.X-b.X), math.Abs(o.Y-b.Y)); o.Key != 0 && d < least {
			best, least = at, d
		}
	}
	return best
}

// spread carries what is known to those of news that touch, or are tied to, who
// knows: has says who of the others counts.
func (p *Part) spread(has func(slot int32) bool, states ...*physics.State) {
	y := p.whys
	pass := func(a, b int32, kind WhyKind) bool {
		return p.tellWhy(has, a, b, kind) || p.tellWhy(has, b, a, kind)
	}
	for more := len(y.news) > 0; more; {
		more = false
		for _, s := range states {
			for i := range s.Contacts {
				c := &s.Contacts[i]
				more = c.Flags&physics.SensorContact == 0 && !c.Gone() && pass(c.SlotA, c.SlotB, WhyTouch) || more
			}
			for i := range s.Joints {
				j := &s.Joints[i]
				more = pass(j.SlotA, j.SlotB, WhyJoint) || more
				if slot, ok := p.w.slots.find(j.Key); ok {
					more = pass(int32(slot), j.SlotA, WhyJoint) || more
					more = pass(int32(slot), j.SlotB, WhyJoint) || more
				}
			}
		}
	}
}

// tellWhy gives one who does not know it the reason of a neighbour who does.
func (p *Part) tellWhy(has func(slot int32) bool, from, to int32, kind WhyKind) bool {
	if _, known := p.whys.step(to); known || !p.dirty.has(to) || !has(from) && !p.dirty.has(from) {
		return false
	}
	if _, known := p.whys.step(from); !known {
		return false
	}
	p.noteWhy(to, kind, from)
	return true
}

// whyRest is for those of whom nothing is known yet at the end of a tick.
func (p *Part) whyRest() {
	y := p.whys
	if y == nil {
		return
	}
	y.news = y.news[:0]
	for _, slot := range p.dirty.list {
		if at, known := y.step(slot); !known || !p.before.has(slot) && y.steps[at].Tick != p.tick.State.Tick {
			y.forget(slot)
		}
	}
	if len(y.news) == 0 {
		return
	}
	p.spread(p.dirty.has, &p.tick.State.Physics)
}

// enter notes who differs before a tick that is to be run whole.
func (y *whys) enter(dirty []int32) {
	if y == nil {
		return
	}
	y.were.reset()
	for _, slot := range dirty {
		y.were.add(slot)
	}
}

// whyWhole finds how those came to differ who do after a tick that was run as a
// whole: through those who did before or have another input, and what the tick
// did; else by what happened in it.
func (p *Part) whyWhole() {
	y := p.whys
	if y == nil {
		return
	}
	y.news = y.news[:0]
	for _, slot := range p.dirty.list {
		if !y.were.has(slot) {
			y.forget(slot)
		}
	}
	for _, slot := range y.doubt {
		if y.were.add(slot) {
			p.noteWhy(slot, WhyInput, -1)
		}
	}
	y.doubt = y.doubt[:0]
	for known := -1; len(y.news) > 0 && known != len(y.steps); {
		known = len(y.steps)
		p.spreadDeeds(y.were.has)
		p.spread(y.were.has, &p.from.State.Physics, &p.tick.State.Physics)
	}
	for _, slot := range y.news {
		if _, known := y.step(slot); !known {
			p.noteWhy(slot, WhyEvent, -1)
		}
	}
}

// spreadDeeds carries what is known along what the hooks of the tick did and
// read.
func (p *Part) spreadDeeds(has func(slot int32) bool) {
	for i := range p.tick.Trace.blocks {
		b := &p.tick.Trace.blocks[i]
		p.w.block = i
		for j := range b.reads {
			r := &b.reads[j]
			if slot, ok := p.w.slots.of[r.id]; ok && r.kind == readObject {
				p.tellWhy(has, slot, r.unit, WhyRead)
			}
		}
		for j := range b.births {
			p.tellWhy(has, b.births[j].unit, b.births[j].slot, WhySpawn)
		}
		for j := range b.ops {
			if slot, ok := p.w.slots.of[b.ops[j].Target]; ok {
				p.tellWhy(has, b.ops[j].unit, slot, WhyWrite)
			}
		}
	}
	p.w.block = -1
}
