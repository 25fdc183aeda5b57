package runtime

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// Otherwise is where a match goes another way under edited scripts.
type Otherwise struct {
	Tick   world.Tick
	Object world.ObjectID // 0: it belongs to no object
	Class  string
	Field  string // as Difference names it
	Was    string // under the recorded scripts
	Is     string // under the edited ones
	// Before and After are the first changes of that tick in which the scripts
	// differ: of that field if there is one, else of that object, else of
	// another one, which reached it. A nil one: there is none on that side.
	Before, After *timeline.Effect
}

// editedShift parts the numbers under which recorded inputs are read by the
// declarations they were made with from those of the edited scripts.
const editedShift = 1 << 24

// Against re-runs the match from the tick on in which its newest bundle came
// in force, up to tick last, once as it was and once with edited in that
// bundle's place, and tells where the two part: nil if they don't. An input keeps its meaning by
// the names of its fields; fields that only one side declares are not compared.
// ticks is how many were compared.
func (r *Replay) Against(edited world.Script, last world.Tick) (o *Otherwise, ticks int, err error) {
	newest := &r.bundles[len(r.bundles)-1]
	if was, is := newest.Setup.TickRate, edited.Schema().Setup.TickRate; was != is {
		return nil, 0, fmt.Errorf("%w: tick_rate = %d: the match was played with %d, and its inputs belong to those ticks", bundle.ErrInvalid, is, was)
	}
	if r.First() > 0 && newest.Tick <= r.First() {
		return nil, 0, fmt.Errorf("%w: the replay begins at tick %d, after bundle %d came in force: there is nothing to run before the edit",
			ErrNoTick, r.First(), newest.Number)
	}
	if err := r.restart(r.file.KeyAt(newest.Tick - min(newest.Tick, 1))); err != nil {
		return nil, 0, err
	}
	other, err := r.edited(newest.Number, edited)
	if err != nil {
		return nil, 0, err
	}
	r.also = other
	defer func() { r.also = nil }()
	was, is := traceAll(r.run), traceAll(other)
	defer was.end()
	defer is.end()
	for ; r.Tick() < last; ticks++ {
		was.begin()
		is.begin()
		err := r.Step()
		if errors.Is(err, io.EOF) {
			return nil, ticks, nil
		}
		if err != nil {
			return nil, ticks, err
		}
		other.tl.Step()
		if o := part(r.run.tl, other.tl, was, is); o != nil {
			return o, ticks + 1, nil
		}
	}
	return nil, ticks, nil
}

// edited is a run from where r stands, with another script in the place of a
// bundle's.
func (r *Replay) edited(number uint32, script world.Script) (*rerun, error) {
	scripts, err := r.scripts()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(scripts, func(s numbered) bool { return s.number == number })
	scripts = append(scripts, numbered{number + editedShift, scripts[i].Script})
	scripts[i].Script = script
	u := &rerun{scripts: scripts, states: r.states, seen: r.bundles[0].Ticks(r.bundles[0].Rules.MaxSeen), shifted: number, shift: editedShift}
	return u, u.begin(&r.read.rec) // the keyframe that r began with
}

// trace collects what the scripts of a run do in one tick.
type trace struct {
	run     *rerun
	changes []world.Change
	faults  []world.Fault
}

func traceAll(u *rerun) *trace {
	t := &trace{run: u}
	for _, s := range u.scripts {
		if tracer, ok := s.Script.(world.ChangeTracer); ok {
			tracer.TraceChanges(func(c world.Change) { t.changes = append(t.changes, c) })
		}
	}
	u.ran = func(w *world.World) { t.faults = append(t.faults, w.Faults()...) }
	return t
}

func (t *trace) begin() { t.changes, t.faults = t.changes[:0], t.faults[:0] }

func (t *trace) end() {
	for _, s := range t.run.scripts {
		if tracer, ok := s.Script.(world.ChangeTracer); ok {
			tracer.TraceChanges(nil)
		}
	}
	t.run.ran = nil
}

// part compares the present tick of two runs.
func part(was, is *timeline.Timeline, tracedWas, tracedIs *trace) *Otherwise {
	a, b := was.At(was.Now()), is.At(is.Now())
	if a.Hash() == b.Hash() {
		return nil
	}
	c := crossing{a: a, b: b, sa: was.Schema(was.Now()), sb: is.Schema(is.Now())}
	c.objects()
	var best *Otherwise
	closest := 0
	for i := range c.found {
		o := &c.found[i]
		if d := c.blame(o, tracedWas, tracedIs); best == nil || d < closest {
			best, closest = o, d
		}
	}
	return best
}

// crossing compares states under two schemas: by names, not by places.
type crossing struct {
	a, b   *world.State
	sa, sb *world.Schema
	found  []Otherwise // the first field of each object that differs
}

// maxCrossing is how many objects that differ are looked at for a cause.
const maxCrossing = 64

func (c *crossing) objects() {
	for _, slot := range c.a.Run {
		o := &c.a.Objects[slot]
		if other, ok := c.b.Find(o.ID); !ok {
			c.note(o.ID, c.sa.Classes[o.Class].Name, "object", "present", "absent")
		} else {
			c.object(int(slot), other)
		}
	}
	for _, slot := range c.b.Run {
		o := &c.b.Objects[slot]
		if _, ok := c.a.Find(o.ID); !ok {
			c.note(o.ID, c.sb.Classes[o.Class].Name, "object", "absent", "present")
		}
	}
}

// note keeps the first difference of an object.
func (c *crossing) note(id world.ObjectID, class, field, was, is string) {
	n := len(c.found)
	if was == is || n == maxCrossing || n > 0 && c.found[n-1].Object == id {
		return
	}
	c.found = append(c.found, Otherwise{Tick: c.a.Tick, Object: id, Class: class, Field: field, Was: was, Is: is})
}

func (c *crossing) object(sa, sb int) {
	oa, ob := &c.a.Objects[sa], &c.b.Objects[sb]
	ca, cb := &c.sa.Classes[oa.Class], &c.sb.Classes[ob.Class]
	note := func(field, was, is string) { c.note(oa.ID, ca.Name, field, was, is) }
	note("class", ca.Name, cb.Name)
	for h := range oa.Faults {
		note("faults."+world.Hook(h).String(), fmt.Sprint(oa.Faults[h]), fmt.Sprint(ob.Faults[h]))
	}
	for i := range ca.Fields {
		fa := &ca.Fields[i]
		if fb, ok := cb.Field(fa.Name); ok {
			note(fa.Name, fa.Text(c.a.Row(sa)), fb.Text(c.b.Row(sb)))
		}
	}
	note("owner", fmt.Sprint(oa.Owner), fmt.Sprint(ob.Owner))
	note("order", fmt.Sprint(oa.Order), fmt.Sprint(ob.Order))
	rest := [2]string{}
	physics.DiffBody(c.a.Body(sa), c.b.Body(sb), func(name, was, is string) {
		switch name {
		case "def", "cos", "sin": // a place in a schema; what follows from the angle
		case "rest": // follows from the others as a rule
			rest = [2]string{was, is}
		default:
			note("body."+name, was, is)
		}
	})
	note("body.rest", rest[0], rest[1])
}
