package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Differs reports whether the object in a slot of the present came out of the last Rewind
// otherwise than it was.
func (tl *Timeline) Differs(slot int) bool { return tl.part.Differs(slot) }

// Differing appends the slots of all objects of the present that came out of the last Rewind
// otherwise than they were.
func (tl *Timeline) Differing(slots []int32) []int32 { return tl.part.Differing(slots) }

// Explain tells why the object in a slot of the present came out of the last Rewind otherwise than
// it was. It needs Options.Provenance.
func (tl *Timeline) Explain(slot int) (p Provenance) {
	p.way = tl.part.Provenance(slot, tl.rerunFrame, nil)
	if len(p.way) == 0 {
		return p
	}
	p.Tick = p.way[len(p.way)-1].Tick
	tl.findBegin(&p)
	for i := len(p.way) - 2; i >= 0; i-- {
		t := Through{Kind: p.way[i+1].Kind, Object: p.way[i].Object, Tick: p.way[i+1].Tick}
		if s := tl.At(t.Tick); s != nil {
			if slot, ok := s.Find(t.Object); ok {
				t.Class, t.Owner = tl.SchemaOf(s).Classes[s.Objects[slot].Class].Name, s.Objects[slot].Owner
			}
		}
		p.Through = append(p.Through, t)
	}
	return p
}

// rerunFrame is a frame of the history, nil if it is not kept.
func (tl *Timeline) rerunFrame(t world.Tick) *world.HistoryEntry {
	if tl.At(t) == nil {
		return nil
	}
	return tl.frame(t)
}

// findBegin finds what was stale where the way begins.
func (tl *Timeline) findBegin(p *Provenance) {
	first := &p.way[0]
	object := first.Object
	switch first.Kind {
	case world.FromInput:
	case world.FromEvent:
		object = 0
	default:
		return
	}
	for i := range tl.reason {
		s := &tl.reason[i]
		if s.object != object || s.from > first.Tick || s.to < first.Tick || s.why.kind == CauseUnknown {
			continue
		}
		p.began = *s
		p.Cause, p.Player, p.Event, p.InputTick = s.why.kind, s.player, s.event, s.why.tick
		p.KnownBy, p.Packet, p.LateBy, p.Record = int(s.now)-int(s.why.tick)+1, s.origin.Packet, s.origin.LateBy, s.origin.Record
		return
	}
}

// Locate names the lines of scripts that made the difference: it runs the hooks in question
// once more, in a World of their own. Call it before the next Rewind.
func (tl *Timeline) Locate(p *Provenance) {
	if len(p.way) == 0 {
		return
	}
	first := &p.way[0]
	if first.Kind == world.FromInput && p.began.object == first.Object && p.began.event == 0 {
		before := tl.hookRun(first.Tick, first.Object, -1, &p.began.why.was)
		after := tl.hookRun(first.Tick, first.Object, -1, nil)
		a, b := FirstUnlike(before.deeds(), after.deeds(), func(*Deed) bool { return true })
		if b == nil {
			b = a
		}
		if b != nil {
			p.File, p.Line, p.Text = b.File, b.Line, b.Text
		}
	}
	for i := range p.Through {
		t, w := &p.Through[i], &p.way[len(p.way)-1-i]
		switch w.Kind {
		case world.FromRead:
			t.File, t.Line = tl.hookRun(w.Tick, w.Object, w.Block, nil).sight(t.Object)
		case world.FromWrite, world.FromSpawn:
			t.File, t.Line = tl.hookRun(w.Tick, t.Object, w.Block, nil).deed(w.Object)
		}
	}
}

// LocateRefusal gives the verdict on a pose that was refused, and names the line of the script that
// refused it: it judges the pose once more, in a World of its own.
func (tl *Timeline) LocateRefusal(p *Provenance, r *RefusedPose) (v world.Verdict) {
	b := blockRun{runner: runner{tl: tl}, object: r.Object, block: -1, out: &hookRun{}}
	b.steers = func(script world.Script, slot int) {
		v = b.judge(b.w, script, slot, &r.Pose)
		if lines, ok := script.(world.SourceLines); ok && v.Why == r.Why && v.Why == world.NotVerified {
			if p.File, p.Line = lines.ReturnLine(); p.Line != 0 {
				p.Text = "in verify"
			}
		}
	}
	b.run(r.Tick)
	return v
}

// hookRun is what one object's hooks of one block did.
type hookRun struct {
	changes []world.Change
	state   *world.State
	schema  *world.Schema
	sights  []sighting
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
	w.Rerun, w.Client, w.PosesAt = true, b.tl.world.Client, b.tl.pastOf(w)
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
		e.input = b.tl.TranslateInput(e.input, e.bundle, b.w.Class(slot))
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
	tracer.TraceChanges(func(c world.Change) { b.out.changes = append(b.out.changes, c) })
	b.w.OnRead = func(id world.ObjectID) {
		file, line := lines.Line()
		b.out.sights = append(b.out.sights, sighting{id, file, line, len(b.out.changes)})
	}
	f()
	tracer.TraceChanges(nil)
	b.w.OnRead = nil
}

// deeds are what the hooks did, ready to be compared.
func (r *hookRun) deeds() []Deed {
	if r.state == nil {
		return nil
	}
	return Deeds(r.changes, nil, r.state, r.schema)
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
	i := slices.IndexFunc(r.changes, func(c world.Change) bool { return c.Op.Target == to })
	if i < 0 {
		return "", 0
	}
	return r.changes[i].File, r.changes[i].Line
}

// unwrapped is a script without what counts its calls.
func unwrapped(s world.Script) world.Script {
	for {
		u, ok := s.(interface{ Unwrap() world.Script })
		if !ok {
			return s
		}
		s = u.Unwrap()
	}
}
