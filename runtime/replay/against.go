package replay

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

// EditDivergence is the first difference that edited scripts make to a match.
type EditDivergence struct {
	Tick   world.Tick
	Object world.ObjectID // 0: none
	Class  string         // of the object
	Field  string         // the name that world.Difference uses
	Was    string         // under the recorded scripts
	Is     string         // under the edited ones
	// Before and After are the first change of that tick in which the scripts differ:
	// one of that field if there is any, otherwise one of that object, otherwise one of
	// another object. One of them is nil if the change is made on one side only.
	Before, After *timeline.Effect
}

// editedShift is added to the bundle number of recorded inputs, which are read by the
// recorded declarations and not by those of the edited scripts.
const editedShift = 1 << 24

// Against simulates the match again from the tick in which its newest bundle took effect,
// up to tick last: once as recorded, and once with edited in the place of that bundle. It
// returns the first difference, nil if there is none, and the number of ticks that it
// compared. Inputs are matched by the names of their fields. Fields that only one side
// declares are not compared. The error wraps bundle.ErrInvalid if edited has a different
// tick rate, wraps ErrNoTick if the file begins too late, or is an error of Step.
func (p *Player) Against(edited world.Script, last world.Tick) (d *EditDivergence, ticks int, err error) {
	newest := &p.file.Bundles[len(p.file.Bundles)-1]
	played, err := p.file.Source(newest.Hash)
	if err != nil {
		return nil, 0, err
	}
	if was, is := played.Setup.TickRate, edited.Schema().Setup.TickRate; was != is {
		return nil, 0, fmt.Errorf(
			"%w: tick_rate = %d: the match was played with %d, and its inputs belong to those ticks",
			bundle.ErrInvalid, is, was)
	}
	if p.First() > 0 && newest.Tick <= p.First() {
		return nil, 0, fmt.Errorf(
			"%w: the replay begins at tick %d, after bundle %d took effect: there is nothing to run before the edit",
			ErrNoTick, p.First(), newest.Number)
	}
	if err := p.restart(p.file.KeyAt(newest.Tick - min(newest.Tick, 1))); err != nil {
		return nil, 0, err
	}
	other, err := p.edited(newest.Number, edited)
	if err != nil {
		return nil, 0, err
	}
	p.also = other
	defer func() { p.also = nil }()
	was, is := traceAll(p.run), traceAll(other)
	defer was.end()
	defer is.end()
	for ; p.Tick() < last; ticks++ {
		was.begin()
		is.begin()
		err := p.Step()
		if errors.Is(err, io.EOF) {
			return nil, ticks, nil
		}
		if err != nil {
			return nil, ticks, err
		}
		other.step()
		if d := firstDifference(p.run, other, was, is); d != nil {
			return d, ticks + 1, nil
		}
	}
	return nil, ticks, nil
}

// edited returns a run from the keyframe that p began with, with another script in the
// place of that of a bundle.
func (p *Player) edited(number uint32, script world.Script) (*rerun, error) {
	s := p.scripts()
	s.edited, s.shifted = &liveScript{number: number, script: script}, editedShift
	u, err := newRerun(s)
	if err != nil {
		return nil, err
	}
	u.shiftInputs(number, editedShift)
	return u, u.begin(p.tape.keyframe())
}

// firstDifference compares the present tick of two runs.
func firstDifference(was, is *rerun, tracedWas, tracedIs *trace) *EditDivergence {
	a, b := was.at(was.now()), is.at(is.now())
	if a.Hash() == b.Hash() {
		return nil
	}
	c := crossing{a: a, b: b, sa: was.schema(was.now()), sb: is.schema(is.now())}
	c.objects()
	var best *EditDivergence
	closest := 0
	for i := range c.found {
		o := &c.found[i]
		if d := c.blame(o, tracedWas, tracedIs); best == nil || d < closest {
			best, closest = o, d
		}
	}
	return best
}

// crossing compares states of two schemas by the names of classes and fields.
type crossing struct {
	a, b   *world.State
	sa, sb *world.Schema
	found  []EditDivergence // the first field of each object that differs
}

// maxCrossing is for how many differing objects a cause is searched.
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

// note adds a difference, if it is the first of its object.
func (c *crossing) note(id world.ObjectID, class, field, was, is string) {
	n := len(c.found)
	if was == is || n == maxCrossing || n > 0 && c.found[n-1].Object == id {
		return
	}
	c.found = append(c.found, EditDivergence{Tick: c.a.Tick, Object: id, Class: class, Field: field, Was: was, Is: is})
}

func (c *crossing) object(sa, sb int) {
	oa, ob := &c.a.Objects[sa], &c.b.Objects[sb]
	ca, cb := &c.sa.Classes[oa.Class], &c.sb.Classes[ob.Class]
	note := func(field, was, is string) { c.note(oa.ID, ca.Name, field, was, is) }
	note("class", ca.Name, cb.Name)
	for h := range world.HookCount {
		note("faults."+h.String(), fmt.Sprint(oa.Faults[h]), fmt.Sprint(ob.Faults[h]))
	}
	for i, name := range ca.Timers {
		if j := slices.Index(cb.Timers, name); j >= 0 {
			was, is := oa.Faults[world.TimerCount(i)], ob.Faults[world.TimerCount(j)]
			note("faults."+name, fmt.Sprint(was), fmt.Sprint(is))
		}
	}
	note("paused", fmt.Sprint(oa.Paused), fmt.Sprint(ob.Paused))
	for i := range ca.Fields {
		fa := &ca.Fields[i]
		if j := slices.IndexFunc(cb.Fields, func(f world.Field) bool { return f.Name == fa.Name }); j >= 0 {
			note(fa.Name, fa.Text(c.a.Row(sa)), cb.Fields[j].Text(c.b.Row(sb)))
		}
	}
	note("owner", fmt.Sprint(oa.Owner), fmt.Sprint(ob.Owner))
	note("order", fmt.Sprint(oa.Order), fmt.Sprint(ob.Order))
	rest := [2]string{}
	physics.DiffBody(c.a.Body(sa), c.b.Body(sb), func(name, was, is string) {
		switch name {
		case "def", "cos", "sin": // an index in a schema; what follows from the angle
		case "rest": // usually follows from the others
			rest = [2]string{was, is}
		default:
			note("body."+name, was, is)
		}
	})
	note("body.rest", rest[0], rest[1])
}

// Distances of a cause from a difference, the nearest first.
const (
	sameField = iota
	sameObject
	otherObject
	noCause
)

// blame finds the first changes of the tick in which the two runs differ. It returns how
// near they are to o.
func (c *crossing) blame(o *EditDivergence, was, is *trace) (distance int) {
	a, b := was.outcomes(c.a, c.sa), is.outcomes(c.b, c.sb)
	for _, near := range []func(*timeline.Outcome) bool{
		func(d *timeline.Outcome) bool { return d.Object == o.Object && d.Touches(o.Field) },
		func(d *timeline.Outcome) bool { return d.Object == o.Object },
		func(*timeline.Outcome) bool { return true },
	} {
		if o.Before, o.After = timeline.FirstUnlike(a, b, near); o.Before != nil || o.After != nil {
			return distance
		}
		distance++
	}
	return noCause
}
