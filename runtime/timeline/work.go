package timeline

import (
	"errors"
	"slices"
	"time"

	"github.com/hindcast/hindcast/world"
)

// Prices are what the parts of a tick take, on some machine. Work is counted and multiplied by them, never measured: so
// a machine that is busy with something else does not change how much work a tick is.
type Prices struct {
	Instruction time.Duration // of a script
	Call        time.Duration // of a hook, besides its instructions
	Body        time.Duration // in a physics step
	Pair        time.Duration // of shapes that are compared
	Solved      time.Duration // a contact or joint in a sub-step
}

// Allowance is how much work a tick may do before it is given up.
type Allowance struct {
	Work time.Duration // 0: any
	// Physics is what the physics step is expected to take. It counts from the start of the tick, before the step.
	Physics time.Duration
	// Mostly says that the tick is given up only if most of the work is that of hooks, but then also at its end.
	Mostly bool
}

// TypicalPrices are the Prices of an ordinary machine of 2020.
var TypicalPrices = Prices{
	Instruction: 50 * time.Nanosecond,
	Call:        500 * time.Nanosecond,
	Body:        100 * time.Nanosecond,
	Pair:        50 * time.Nanosecond,
	Solved:      100 * time.Nanosecond,
}

// allowedTicks and leastAllowed are of Allowed.
const (
	allowedTicks = 4
	leastAllowed = 50 * time.Millisecond
)

// Allowed returns how much work a tick of a length may be: four tick lengths, at least 50 ms.
func Allowed(tick time.Duration) time.Duration { return max(allowedTicks*tick, leastAllowed) }

// Work is the counted work of a tick.
type Work struct {
	Hooks   time.Duration
	Physics time.Duration // the physics step; 0: the tick was given up before it
	By      []Spent       // the hooks: by class, group and owner, in the order in which they first acted
}

// Sum returns the work of the whole tick.
func (w *Work) Sum() time.Duration { return w.Hooks + w.Physics }

// Spent is the work of hooks of a class that one player's objects did, or those of nobody. The onSpawn hooks that run
// within another hook are part of that one.
type Spent struct {
	Class string
	Hooks world.HookGroup
	Owner world.PlayerID // 0: nobody
	Work  time.Duration
}

// errTooMuch ends a tick that is more work than it may be.
var errTooMuch = errors.New("too much work")

// workMeter counts the work of a tick, and ends it when it is too much.
type workMeter struct {
	prices   Prices
	allow    Allowance
	on       bool // a tick is counted
	rewinds  bool // in a rewind: hooks are left out from then on, until the tick ends
	exceeded bool // it is too much work
	hooks    time.Duration
	physics  time.Duration
	list     []spender
	schema   *world.Schema // in force
	switched bool          // it was another one for some of list
	of       []lastSpender // by class of schema, and group
}

// spender is who has spent some of the work.
type spender struct {
	class *world.Class
	hooks world.HookGroup
	owner world.PlayerID
	next  int32 // the next of this class and group, -1: none
	work  time.Duration
}

// lastSpender is the list of the spenders of a class and group, and where it was looked at last: objects of one owner
// mostly follow each other, or those of all owners in turn.
type lastSpender struct{ first, last, at int32 }

// begin starts to count, if anything has a price.
func (m *workMeter) begin() bool {
	if m.prices == (Prices{}) {
		return false
	}
	m.on, m.rewinds, m.exceeded, m.hooks, m.physics = true, false, false, 0, 0
	m.list, m.of, m.switched = m.list[:0], m.of[:0], false
	return true
}

// forget forgets the work of the tick before.
func (m *workMeter) forget() { m.hooks, m.physics = 0, 0 }

// beginRewind starts to count what a rewind does, which may be so much work. It is begin again before each tick if each
// may be so much.
func (m *workMeter) beginRewind(allow Allowance) {
	if m.begin() {
		m.rewinds, m.allow = true, allow
	}
}

// end ends counting.
func (m *workMeter) end() { m.on = false }

// check ends the tick if it has done more than it may. In a rewind the tick goes on without hooks, because it changes
// states in place; it is good for nothing.
func (m *workMeter) check() {
	physics := max(m.physics, m.allow.Physics)
	if m.allow.Work == 0 || m.hooks+physics <= m.allow.Work || m.allow.Mostly && m.hooks <= physics {
		return
	}
	m.exceeded = true
	if !m.rewinds {
		panic(errTooMuch)
	}
}

// leavesOut reports whether hooks are left out, because the tick is given up.
func (m *workMeter) leavesOut() bool { return m.rewinds && m.exceeded && m.on }

// beforeStep is check before the physics step.
func (m *workMeter) beforeStep() {
	if m.on {
		m.check()
	}
}

// atEnd is check at the end of a first attempt: the last hook may have been too much. The work of a later attempt is
// done, and what it has suspended stays.
func (m *workMeter) atEnd() {
	if m.on && m.allow.Mostly {
		m.check()
	}
}

// hook counts a hook that has been called.
func (m *workMeter) hook(w *world.World, script world.Script, h world.Hook, slot int) {
	work := m.prices.Call
	if c, ok := script.(world.InstructionCounter); ok {
		work += m.prices.Instruction * time.Duration(c.Instructions())
	}
	m.hooks += work
	if schema := w.Schema(); m.schema != schema {
		m.schema, m.of, m.switched = schema, m.of[:0], m.switched || len(m.list) > 0
	}
	o := &w.Now.Objects[slot]
	m.spender(o.Class, world.GroupOf(h, o.Owner), o.Owner).work += work
}

// spender returns the entry of a class, group and owner.
func (m *workMeter) spender(class uint16, g world.HookGroup, owner world.PlayerID) *spender {
	k := 2*int(class) + int(g)
	for len(m.of) <= k {
		m.of = append(m.of, lastSpender{-1, -1, -1})
	}
	l := &m.of[k]
	start := l.at
	for i := start; i >= 0; {
		if m.list[i].owner == owner {
			l.at = i
			return &m.list[i]
		}
		if i = m.list[i].next; i < 0 {
			i = l.first
		}
		if i == start {
			break
		}
	}
	at := int32(len(m.list))
	m.list = append(m.list, spender{class: &m.schema.Classes[class], hooks: g, owner: owner, next: -1})
	if l.first < 0 {
		l.first = at
	} else {
		m.list[l.last].next = at
	}
	l.last, l.at = at, at
	return &m.list[at]
}

// solvedPerBody is how often a contact of a body is solved in a physics step, about.
const solvedPerBody = 4

// stepped counts a physics step that moved so many bodies again.
func (m *workMeter) stepped(bodies int) {
	if m.on {
		m.physics += (m.prices.Body + solvedPerBody*m.prices.Solved) * time.Duration(bodies)
	}
}

// step counts the physics step that has just been done.
func (m *workMeter) step(w *world.World) {
	if !m.on {
		return
	}
	n := w.StepWork()
	m.physics += m.prices.Body*time.Duration(n.Bodies) + m.prices.Pair*time.Duration(n.Pairs) +
		m.prices.Solved*time.Duration(n.Solved)
}

// result sets w to what was counted.
func (m *workMeter) result(w *Work) {
	w.Hooks, w.Physics, w.By = m.hooks, m.physics, w.By[:0]
	for i := range m.list {
		s := &m.list[i]
		if m.switched {
			same := func(o Spent) bool { return o.Class == s.class.Name && o.Hooks == s.hooks && o.Owner == s.owner }
			if j := slices.IndexFunc(w.By, same); j >= 0 {
				w.By[j].Work += s.work
				continue
			}
		}
		w.By = append(w.By, Spent{s.class.Name, s.hooks, s.owner, s.work})
	}
}

// prints passes on what scripts print. While a tick may still be given up, it holds the lines back.
type prints struct {
	to      func(t world.Tick, by world.ObjectID, line string) // nil: nobody wants them
	holding bool
	held    []printed
}

type printed struct {
	tick world.Tick
	by   world.ObjectID
	line string
}

// printer returns the function that scripts print with, nil if nobody wants the lines.
func (p *prints) printer() func(t world.Tick, by world.ObjectID, line string) {
	if p.to == nil {
		return nil
	}
	return func(t world.Tick, by world.ObjectID, line string) {
		if !p.holding {
			p.to(t, by, line)
			return
		}
		p.held = append(p.held, printed{t, by, line})
	}
}

// hold holds lines back until flush or drop.
func (p *prints) hold() { p.holding = true }

// flush passes on the lines that were held back.
func (p *prints) flush() {
	p.holding = false
	for _, l := range p.held {
		p.to(l.tick, l.by, l.line)
	}
	p.drop()
}

// drop forgets the lines that were held back.
func (p *prints) drop() {
	p.holding = false
	clear(p.held)
	p.held = p.held[:0]
}
