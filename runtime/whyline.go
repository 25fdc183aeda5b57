package runtime

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// rerunFrame is a frame of the history, nil if it is not kept.
func (tl *Timeline) rerunFrame(t world.Tick) *world.Frame {
	if tl.At(t) == nil {
		return nil
	}
	return tl.frame(t)
}

// trace fills in with what a move began, and on which way it came.
func (tl *Timeline) trace(m *Move, way []world.Why) {
	tl.told = stale{}
	if len(way) == 0 {
		return
	}
	m.Tick = way[len(way)-1].Tick
	tl.began(m, &way[0])
	for i := len(way) - 2; i >= 0; i-- {
		t := Through{Kind: way[i+1].Kind, Object: way[i].Object, Tick: way[i+1].Tick}
		if s := tl.At(t.Tick); s != nil {
			if slot, ok := s.Find(t.Object); ok {
				t.Class, t.Owner = tl.Schema(t.Tick).Classes[s.Objects[slot].Class].Name, s.Objects[slot].Owner
			}
		}
		m.Through = append(m.Through, t)
	}
}

// began finds what was stale where the way begins.
func (tl *Timeline) began(m *Move, first *world.Why) {
	object := first.Object
	switch first.Kind {
	case world.WhyInput:
	case world.WhyEvent:
		object = 0
	default:
		return
	}
	for i := range tl.reason {
		s := &tl.reason[i]
		if s.object != object || s.from > first.Tick || s.to < first.Tick || s.why.kind == CauseUnknown {
			continue
		}
		tl.told = *s
		m.Cause, m.Player, m.Event, m.InputTick = s.why.kind, s.player, s.event, s.why.tick
		m.KnownBy, m.Packet, m.LateBy = int(s.now)-int(s.why.tick)+1, s.record.frame, s.record.late
		return
	}
}

// findLines names the lines of scripts that made the difference: it runs the
// hooks in question once more, in a world of its own. trace comes before it.
func (tl *Timeline) findLines(m *Move, way []world.Why) {
	if len(way) == 0 {
		return
	}
	first := &way[0]
	if first.Kind == world.WhyInput && tl.told.object == first.Object && tl.told.event == 0 {
		before := tl.hookRun(first.Tick, first.Object, -1, &tl.told.why.was)
		after := tl.hookRun(first.Tick, first.Object, -1, nil)
		a, b := firstUnlike(before.steps(), after.steps(), func(*step) bool { return true })
		if b == nil {
			b = a
		}
		if b != nil {
			m.File, m.Line, m.Text = b.File, b.Line, b.Text
		}
	}
	for i := range m.Through {
		t, w := &m.Through[i], &way[len(way)-1-i]
		switch w.Kind {
		case world.WhyRead:
			t.File, t.Line = tl.hookRun(w.Tick, w.Object, w.Block, nil).sight(t.Object)
		case world.WhyWrite, world.WhySpawn:
			t.File, t.Line = tl.hookRun(w.Tick, t.Object, w.Block, nil).deed(w.Object)
		}
	}
}

// hookRun is what one object's hooks of one block did.
type hookRun struct {
	trace  trace
	state  *world.State
	schema *world.Schema
	sights []sighting
}

// sighting is a line that looked at an object, or where one may be.
type sighting struct {
	object world.ObjectID // 0: at a place, or at who is of a class
	file   string
	line   int
	deeds  int // changes before it
}

// hookRun runs the hooks that an object has in a block of tick t once more, with
// all that comes before them in the tick, and changes nothing. block -1 is that
// in which it is steered. instead is the input to use, nil: the one it has.
func (tl *Timeline) hookRun(t world.Tick, id world.ObjectID, block int, instead *entry) *hookRun {
	out := &hookRun{}
	b := blockRun{runner: runner{tl: tl}, object: id, block: block, out: out}
	if instead != nil {
		b.steers = func(script world.Script, slot int) { b.steerWith(script, slot, *instead) }
	}
	b.run(t)
	return out
}

// blockRun runs a tick up to one block, and of that one object's hooks.
type blockRun struct {
	runner
	w      *world.World
	object world.ObjectID
	block  int
	steers func(script world.Script, slot int) // steers the object; nil: as ever
	out    *hookRun
}

// run does so in a world of its own; nothing if the tick before is not kept.
func (b *blockRun) run(t world.Tick) {
	start := b.tl.At(t - 1)
	if start == nil {
		return
	}
	w := world.New()
	w.Load(start, b.tl.scripts[start.Bundle].Schema())
	w.Rerun, w.Client, w.Past = true, b.tl.world.Client, b.tl.pastOf(w)
	b.w = w
	w.Begin()
	if t == 1 {
		b.found(w)
	}
	script := unwrapped(b.happen(w, t))
	schema := w.Schema()
	slot, ok := w.Find(b.object)
	if !ok {
		return
	}
	b.out.state, b.out.schema = w.Now, schema
	if b.block < 0 {
		b.block = schema.SteerBlock(w.Now.Objects[slot].Order)
	}
	steer := func(slot int) {
		if b.steers != nil && w.Now.Objects[slot].ID == b.object {
			b.steers(script, slot)
			return
		}
		b.steer(w, script, slot, t)
	}
	if b.orders(schema.SteerBlock, script, steer) || b.orders(schema.TickBlock, script, func(slot int) { b.tick(w, script, slot) }) {
		return
	}
	w.Step()
	if b.block == schema.ContactBlock() {
		b.watched(script, func() { b.contacts(w, script) })
		return
	}
	b.contacts(w, script)
	b.watched(script, func() { b.depart(w, script) })
}

// orders runs the blocks of all orders up to the one in question, and reports
// whether that was among them.
func (b *blockRun) orders(block func(order int32) int, script world.Script, f func(slot int)) (done bool) {
	w := b.w
	b.slots = append(b.slots[:0], w.Now.Run...)
	for _, order := range w.Schema().Orders() {
		n := block(order)
		w.BeginBlock(n)
		for _, slot := range b.slots {
			if o := &w.Now.Objects[slot]; o.Order != order || n == b.block && o.ID != b.object {
				continue
			}
			if n != b.block {
				f(int(slot))
				continue
			}
			b.watched(script, func() { f(int(slot)) })
		}
		if n == b.block {
			return true
		}
		w.EndOrder()
	}
	return false
}

// steerWith gives the object another input than it has.
func (b *blockRun) steerWith(script world.Script, slot int, e entry) {
	if e.bundle != 0 && e.bundle != b.w.Now.Bundle {
		e.input = b.translate(e, b.w.Class(slot))
	}
	b.args = world.Args{Input: e.input}
	b.callWith(b.w, script, world.ApplyInput, slot)
}

// watched runs f and notes what the scripts do in it.
func (b *blockRun) watched(script world.Script, f func()) {
	tracer, _ := script.(world.ChangeTracer)
	lines, _ := script.(world.SourceLines)
	if tracer == nil || lines == nil {
		return
	}
	tracer.TraceChanges(func(c world.Change) { b.out.trace.changes = append(b.out.trace.changes, c) })
	b.w.Looked = func(id world.ObjectID) {
		file, line := lines.Line()
		b.out.sights = append(b.out.sights, sighting{id, file, line, len(b.out.trace.changes)})
	}
	f()
	tracer.TraceChanges(nil)
	b.w.Looked = nil
}

// steps are what the hooks did, ready to be compared.
func (r *hookRun) steps() []step {
	if r.state == nil {
		return nil
	}
	return (&crossing{}).steps(&r.trace, r.state, r.schema)
}

// sight is the line that looked at an object, or else at a place: of the first
// ones the last before something was done.
func (r *hookRun) sight(id world.ObjectID) (file string, line int) {
	for _, who := range [...]world.ObjectID{id, 0} {
		deeds := -1
		for i := range r.sights {
			if s := &r.sights[i]; s.object == who && (deeds < 0 || s.deeds == deeds) {
				file, line, deeds = s.file, s.line, s.deeds
			}
		}
		if line != 0 {
			return file, line
		}
	}
	return "", 0
}

// deed is the first line that did something to an object.
func (r *hookRun) deed(to world.ObjectID) (file string, line int) {
	i := slices.IndexFunc(r.trace.changes, func(c world.Change) bool { return c.Op.Target == to })
	if i < 0 {
		return "", 0
	}
	return r.trace.changes[i].File, r.trace.changes[i].Line
}

// unwrapped is a script without what counts its calls.
func unwrapped(s world.Script) world.Script {
	if p, ok := s.(*profiled); ok {
		return p.Script
	}
	return s
}
