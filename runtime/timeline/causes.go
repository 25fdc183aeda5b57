package timeline

import (
	"slices"

	"github.com/hindcast/hindcast/world"
)

// Causes has the objects that came out of the last Rewind differently, and finds out why.
type Causes struct {
	client  world.PlayerID
	part    *world.PartialRerun
	history *history
	poses   *poseHistory
	scripts *Scripts
	dirty   *dirtySpans
	proxies *proxyUpdates
	runner  *runner
}

// Differs reports whether the object in a slot of the present came out of the last Rewind
// differently.
func (c *Causes) Differs(slot int) bool { return c.part.Dirty().Has(int32(slot)) }

// Differing appends the slots of all objects of the present that came out of the last Rewind
// differently.
func (c *Causes) Differing(slots []int32) []int32 {
	return append(slots, c.part.Dirty().Slots()...)
}

// Explain returns why the object in a slot of the present came out of the last Rewind
// differently. It needs Options.Provenance.
func (c *Causes) Explain(slot int) (p Provenance) {
	p.path.Way = c.part.Provenance().Of(slot, c.history.entry, nil)
	if len(p.path.Way) == 0 {
		return p
	}
	if s, ok := c.dirty.cause(&p.path.Way[0]); ok {
		p = p.blame(s)
		c.nameReplicated(&p.Replicated, p.path.Way[0].Tick)
	}
	p.Tick = p.path.Way[len(p.path.Way)-1].Tick
	for i := len(p.path.Way) - 2; i >= 0; i-- {
		t := Through{Kind: p.path.Way[i+1].Kind, Object: p.path.Way[i].Object, Tick: p.path.Way[i+1].Tick}
		if s := c.history.at(t.Tick); s != nil {
			if slot, ok := s.Find(t.Object); ok {
				t.Class, t.Owner = c.scripts.classOf(s, slot).Name, s.Objects[slot].Owner
			}
		}
		p.Through = append(p.Through, t)
	}
	return p
}

// Locate fills in the lines of scripts that made the difference. It runs the relevant hooks
// once more, in a separate World. Call it before the next Rewind.
func (c *Causes) Locate(p *Provenance) {
	if len(p.path.Way) == 0 {
		return
	}
	first := &p.path.Way[0]
	if was, ok := p.inputBefore(); ok {
		before := c.runHooks(first.Tick, first.Object, steering, &was)
		after := c.runHooks(first.Tick, first.Object, steering, nil)
		a, b := FirstUnlike(before.outcomes(), after.outcomes(), func(*Outcome) bool { return true })
		if b == nil {
			b = a
		}
		*p = p.line(b)
	} else if first.Kind == world.FromEvent && p.Cause == CauseEvent {
		*p = p.line(c.runEvent(p.InputTick, &p.path.Began).effectOn(first.Object))
	}
	for i := range p.Through {
		t, w := &p.Through[i], &p.path.Way[len(p.path.Way)-1-i]
		switch w.Kind {
		case world.FromRead:
			t.File, t.Line = c.runHooks(w.Tick, w.Object, w.Block, nil).readOf(t.Object)
		case world.FromWrite, world.FromSpawn:
			t.File, t.Line = c.runHooks(w.Tick, t.Object, w.Block, nil).writeTo(w.Object)
		}
	}
}

// runEvent runs the hook or function that the event of a dirty span called in tick t once more,
// after the events before it. It changes nothing.
func (c *Causes) runEvent(t world.Tick, of *dirtySpan) *hookRun {
	b := c.newBlockRun(0, steering)
	start := c.history.at(t - 1)
	if start == nil {
		return b.out
	}
	b.begin(start, t)
	b.runner.applyEvents(b.w, t, func(w *world.World, script world.Script, e *world.Event) {
		script = unwrapped(script)
		if !of.isOf(e) {
			b.runner.applyEvent(w, script, e)
			return
		}
		b.traced(script, func() { b.runner.applyEvent(w, script, e) })
	})
	b.out.state, b.out.schema = b.w.Now, b.w.Schema()
	return b.out
}

// LocateRefusal returns the verdict on a refused pose, and fills in the line of the script that
// refused it. It judges the pose once more, in a separate World.
func (c *Causes) LocateRefusal(p *Provenance, r *RefusedPose) (v world.Verdict) {
	b := c.newBlockRun(r.Object, steering)
	b.steers = func(script world.Script, slot int) {
		v = b.runner.judge(b.w, script, slot, &r.Pose)
		if lines, ok := script.(world.SourceLines); ok && v.Why == r.Why && v.Why == world.NotVerified {
			if p.File, p.Line = lines.ReturnLine(); p.Line != 0 {
				p.Text = "in verify"
			}
		}
	}
	b.run(c.history.at(r.Tick-1), r.Tick)
	return v
}

// steering is the block of an object's order in which it is steered.
const steering = -1

// runHooks runs the hooks that an object has in a block of tick t once more, after all that
// comes before them in the tick. It changes nothing. instead is the input to use; nil: the
// object's own.
func (c *Causes) runHooks(t world.Tick, id world.ObjectID, block int, instead *boundInput) *hookRun {
	b := c.newBlockRun(id, block)
	if instead != nil {
		b.steers = func(script world.Script, slot int) { b.steerWith(script, slot, *instead) }
	}
	b.run(c.history.at(t-1), t)
	return b.out
}

func (c *Causes) newBlockRun(id world.ObjectID, block int) *blockRun {
	w := world.New()
	w.Rerun, w.Client, w.PosesAt = true, c.client, c.poses.forWorld(w, false)
	return &blockRun{runner: c.runner, scripts: c.scripts, w: w, object: id, block: block, out: &hookRun{}}
}

// blockRun runs a tick up to one block, in a separate world. In that block it runs only
// one object's hooks.
type blockRun struct {
	runner  *runner
	scripts *Scripts
	w       *world.World
	object  world.ObjectID
	block   int
	steers  func(script world.Script, slot int) // steers the object; nil: as always
	out     *hookRun
}

// run runs tick t from the state before; nothing if there is none.
func (b *blockRun) run(start *world.State, t world.Tick) {
	if start == nil {
		return
	}
	w := b.w
	b.begin(start, t)
	script := unwrapped(b.runner.applyEvents(w, t, b.runner.applyEvent))
	schema := w.Schema()
	slot, ok := w.Find(b.object)
	if !ok {
		return
	}
	b.out.state, b.out.schema = w.Now, schema
	if b.block == steering {
		b.block = schema.SteerBlock(w.Now.Objects[slot].Order)
	}
	steer := func(slot int) {
		if b.steers != nil && w.Now.Objects[slot].ID == b.object {
			b.steers(script, slot)
			return
		}
		b.runner.steer(w, script, slot, t)
	}
	tick := func(slot int) { b.runner.tick(w, script, slot) }
	if b.orders(schema.SteerBlock, script, steer) || b.orders(schema.TickBlock, script, tick) {
		return
	}
	w.Step()
	if b.block == schema.ContactBlock() {
		b.traced(script, func() { b.runner.contacts(w, script) })
		return
	}
	b.runner.contacts(w, script)
	b.traced(script, func() { b.runner.removals(w, script) })
}

// begin begins tick t from the state before.
func (b *blockRun) begin(start *world.State, t world.Tick) {
	b.w.Load(start, b.scripts.SchemaOf(start))
	b.w.Begin()
	if t == 1 {
		b.runner.spawnLevel(b.w)
	}
}

// orders runs the blocks of all orders up to the one to find, and reports whether that was
// among them.
func (b *blockRun) orders(block func(order int32) int, script world.Script, f func(slot int)) (done bool) {
	w := b.w
	slots := slices.Clone(w.Now.Run)
	for _, order := range w.Schema().Orders() {
		n := block(order)
		w.BeginBlock(n)
		for _, slot := range slots {
			if o := &w.Now.Objects[slot]; o.Order != order || n == b.block && o.ID != b.object {
				continue
			}
			if n != b.block {
				f(int(slot))
				continue
			}
			b.traced(script, func() { f(int(slot)) })
		}
		if n == b.block {
			return true
		}
		w.EndOrder()
	}
	return false
}

// steerWith steers the object with a different input.
func (b *blockRun) steerWith(script world.Script, slot int, in boundInput) {
	b.scripts.bind(&in, b.w, b.w.Class(slot))
	b.runner.applyInput(b.w, script, slot, &in.Input, nil)
}

// traced runs f, and records the reads and changes of scripts in it.
func (b *blockRun) traced(script world.Script, f func()) {
	tracer, _ := script.(world.ChangeTracer)
	lines, _ := script.(world.SourceLines)
	if tracer == nil || lines == nil {
		return
	}
	tracer.TraceChanges(b.out.wrote)
	b.w.OnRead = func(id world.ObjectID) { b.out.read(id, lines) }
	f()
	tracer.TraceChanges(nil)
	b.w.OnRead = nil
}

// hookRun has the reads and changes of the hooks of one object in one block.
type hookRun struct {
	changes []world.Change
	state   *world.State
	schema  *world.Schema
	reads   []read
}

// read is a line that read an object.
type read struct {
	object  world.ObjectID // 0: a query, or all objects of a class
	file    string
	line    int
	changes int // the number of changes before it
}

func (r *hookRun) wrote(c world.Change) { r.changes = append(r.changes, c) }

func (r *hookRun) read(id world.ObjectID, lines world.SourceLines) {
	file, line := lines.Line()
	r.reads = append(r.reads, read{id, file, line, len(r.changes)})
}

// outcomes returns the effects of the hooks, to be compared.
func (r *hookRun) outcomes() []Outcome {
	if r.state == nil {
		return nil
	}
	return Outcomes(r.changes, nil, r.state, r.schema)
}

// effectOn returns the first effect on an object, otherwise the first effect of all; nil if there is
// none.
func (r *hookRun) effectOn(id world.ObjectID) *Effect {
	outcomes := r.outcomes()
	if len(outcomes) == 0 {
		return nil
	}
	i := slices.IndexFunc(outcomes, func(d Outcome) bool { return d.Object == id })
	return &outcomes[max(i, 0)].Effect
}

// readOf returns the line that read an object, or otherwise one that made a query: among the
// first reads, the last one before a change.
func (r *hookRun) readOf(id world.ObjectID) (file string, line int) {
	for _, object := range [...]world.ObjectID{id, 0} {
		changes := -1
		for i := range r.reads {
			if s := &r.reads[i]; s.object == object && (changes < 0 || s.changes == changes) {
				file, line, changes = s.file, s.line, s.changes
			}
		}
		if line != 0 {
			return file, line
		}
	}
	return "", 0
}

// writeTo returns the first line that changed an object.
func (r *hookRun) writeTo(id world.ObjectID) (file string, line int) {
	i := slices.IndexFunc(r.changes, func(c world.Change) bool { return c.Op.Target == id })
	if i < 0 {
		return "", 0
	}
	return r.changes[i].File, r.changes[i].Line
}

// unwrapped returns a script without its decorators, such as one that counts its calls.
func unwrapped(s world.Script) world.Script {
	for {
		u, ok := s.(interface{ Unwrap() world.Script })
		if !ok {
			return s
		}
		s = u.Unwrap()
	}
}
