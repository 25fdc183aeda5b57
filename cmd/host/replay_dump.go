package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/hindcast/hindcast/luabind"
	"github.com/hindcast/hindcast/runtime/replay"
	"github.com/hindcast/hindcast/world"
)

// dumper prints the records of a replay as lines: the host's tick, then the record
// that arrived between that tick and the next one.
type dumper struct {
	out     io.Writer
	clock   world.Tick
	only    world.Tick                               // print the events of this tick only; 0: all records
	printed int                                      // lines
	classes map[world.ObjectID]string                // of objects since the last keyframe; looked up only
	inputs  map[uint32]map[string][]world.InputField // by bundle and class; looked up only
	load    func(number uint32) (*world.Schema, error)
}

// The most that a dumper keeps: objects of which the file says the class between two keyframes, and bundles.
const (
	maxClasses = 4 * world.MaxObjects
	maxInputs  = 64
)

// dumpEvents prints all records, in their order.
func (t *tape) dumpEvents() error {
	_, err := t.dump(0)
	return err
}

// dump prints the events of a tick, or all records for 0, and returns how many
// lines it printed.
func (t *tape) dump(only world.Tick) (printed int, err error) {
	d := dumper{
		out:     t.out,
		only:    only,
		classes: map[world.ObjectID]string{},
		inputs:  map[uint32]map[string][]world.InputField{},
	}
	d.load = t.schema
	err = t.records(d.record)
	return d.printed, err
}

// schema compiles a bundle of the match.
func (t *tape) schema(number uint32) (*world.Schema, error) {
	for _, m := range t.replay.Bundles() {
		if m.Number != number {
			continue
		}
		b, err := t.file.Source(m.Hash)
		if err != nil {
			return nil, err
		}
		script, err := luabind.Compile(b.Files, b.Setup)
		if err != nil {
			return nil, err
		}
		return script.Schema(), nil
	}
	return nil, fmt.Errorf("%w: bundle %d is not in it", replay.ErrCorrupt, number)
}

// inputText prints an input as its bundle declares it.
func (d *dumper) inputText(e *world.Event, class string) (string, error) {
	if d.inputs[e.Bundle] == nil {
		schema, err := d.load(e.Bundle)
		if err != nil {
			return "", err
		}
		if len(d.inputs) == maxInputs {
			clear(d.inputs)
		}
		fields := map[string][]world.InputField{}
		for _, c := range schema.Classes {
			fields[c.Name] = c.Inputs
		}
		d.inputs[e.Bundle] = fields
	}
	return inputText(d.inputs[e.Bundle][class], &e.Input), nil
}

func (d *dumper) line(format string, args ...any) {
	d.printed++
	fmt.Fprintf(d.out, "%d "+format+"\n", append([]any{d.clock}, args...)...)
}

func (d *dumper) record(r *replay.Record) error {
	switch r.Kind {
	case replay.Tick:
		d.clock = r.Tick
	case replay.Object:
		if len(d.classes) == maxClasses {
			return fmt.Errorf("%w: it names the classes of more than %d objects between two keyframes",
				replay.ErrCorrupt, maxClasses)
		}
		d.classes[r.Object] = r.Text
	case replay.Keyframe:
		clear(d.classes)
	case replay.Event:
		if d.only == 0 || r.Event.Tick == d.only {
			return d.event(&r.Event)
		}
	default:
		if d.only == 0 {
			d.other(r)
		}
	}
	return nil
}

// other prints a record that is no event of a tick.
func (d *dumper) other(r *replay.Record) {
	switch r.Kind {
	case replay.Bundle:
		d.line("bundle %d hash=%x from=%d", r.Number, r.Hash32[:8], r.Tick)
	case replay.Name:
		d.line("name player=%d %q", r.Player, r.Text)
	case replay.Chat:
		d.line("chat player=%d %q", r.Player, r.Text)
	case replay.Correction:
		d.line("correction tick=%d player=%d object=%s metres=%.3f", r.Tick, r.Player, r.Object, r.Distance)
	case replay.Notice:
		d.line("not-applied player=%d inputs=%d newest=%d %q", r.Player, r.Count, r.Tick, r.Text)
	case replay.State:
		d.line("state tick=%d", r.Tick)
	case replay.End:
		d.line("end")
	}
}

func (d *dumper) event(e *world.Event) (err error) {
	class, input := d.classes[e.Object], ""
	if e.Kind == world.InputEvent || e.Kind == world.FrameEvent {
		if input, err = d.inputText(e, class); err != nil {
			return err
		}
	}
	switch e.Kind {
	case world.BundleEvent:
		d.line("switch tick=%d bundle=%d", e.Tick, e.Bundle)
	case world.JoinEvent, world.LeaveEvent:
		d.line("%s tick=%d player=%d", e.Kind, e.Tick, e.Player)
	case world.OwnershipEvent:
		d.line("owner tick=%d object=%s player=%d", e.Tick, e.Object, e.Player)
	case world.SpawnEvent:
		d.line("spawn tick=%d class=%s object=%s x=%v y=%v owner=%d%s", e.Tick, e.Class, e.Spawned(), e.Place.X,
			e.Place.Y, e.Place.Owner, fieldsText(e))
	case world.SetEvent:
		d.line("set tick=%d object=%s%s", e.Tick, e.Object, fieldsText(e))
	case world.RemoveEvent:
		d.line("remove tick=%d object=%s", e.Tick, e.Object)
	case world.CallEvent:
		d.line("call tick=%d %s", e.Tick, callText(e))
	case world.SuspendEvent:
		d.line("suspend tick=%d class=%q player=%d %s", e.Tick, e.Class, e.Player, e.Hooks)
	case world.InputEvent:
		d.line("input tick=%d %s player=%d object=%s class=%s bundle=%d %s", e.Tick, lateness(d.clock, e.Tick),
			e.Player, e.Object, class, e.Bundle, input)
	case world.OwnerPoseEvent:
		when := lateness(d.clock, e.Tick)
		if e.Number != 0 { // taken when it came
			when = fmt.Sprintf("of=%d", e.Number)
		}
		d.line("move tick=%d %s player=%d object=%s class=%s x=%v y=%v angle=%v vx=%v vy=%v w=%v", e.Tick, when,
			e.Player, e.Object, class, e.Place.X, e.Place.Y, e.Place.Angle,
			e.Place.VX, e.Place.VY, e.Place.W)
	case world.FrameEvent:
		d.line("frame tick=%d player=%d object=%s class=%s bundle=%d number=%d seconds=%.4f %s", e.Tick, e.Player,
			e.Object, class, e.Bundle, e.Number, float64(e.DT)/world.FrameParts,
			input)
	}
	return nil
}

// fieldsText lists the values of an event for fields.
func fieldsText(e *world.Event) (text string) {
	for i := range e.Values {
		text += fmt.Sprintf(" %s=%s", e.Values[i].Name, e.Values[i].Value)
	}
	return text
}

// callText returns a call as a script would write it.
func callText(e *world.Event) string {
	args := make([]string, len(e.Values))
	for i := range e.Values {
		args[i] = e.Values[i].String()
	}
	return e.Name + "(" + strings.Join(args, ", ") + ")"
}

// lateness returns how many ticks the host simulated again for an input, or how many
// ticks the input waited.
func lateness(clock, t world.Tick) string {
	switch {
	case t <= clock:
		return fmt.Sprintf("late=%d", clock-t+1)
	case t > clock+1:
		return fmt.Sprintf("early=%d", t-clock-1)
	}
	return "late=0"
}

// inputText lists the buttons that are down and the axes that are not 0.
func inputText(fields []world.InputField, in *world.Input) string {
	var parts []string
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Axis && in.Axes[f.Index] != 0:
			parts = append(parts, f.Name+"="+number(in.Axes[f.Index]))
		case !f.Axis && in.Buttons&(1<<f.Index) != 0:
			parts = append(parts, f.Name)
		}
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, " ")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// dumpState prints the players and objects after a tick.
func (t *tape) dumpState(to world.Tick) error {
	if err := t.replay.Seek(to); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	s, schema := t.replay.State(), t.replay.Schema()
	fmt.Fprintf(t.out, "tick %d bundle %d hash %016x players %d objects %d\n", s.Tick, s.Bundle, s.Hash(),
		len(s.Players), s.Len())
	for _, p := range s.Players {
		left := ""
		if p.Left != 0 {
			left = fmt.Sprintf(" left %d", p.Left)
		}
		fmt.Fprintf(t.out, "player %d joined %d%s\n", p.ID, p.Joined, left)
	}
	for _, slot := range s.Run {
		t.dumpObject(s, schema, int(slot))
	}
	return nil
}

func (t *tape) dumpObject(s *world.State, schema *world.Schema, slot int) {
	o := &s.Objects[slot]
	class := &schema.Classes[o.Class]
	fmt.Fprintf(t.out, "object %s %s", o.ID, class.Name)
	if o.Owner != 0 {
		fmt.Fprintf(t.out, " owner %d", o.Owner)
	}
	fmt.Fprintf(t.out, " spawned %d\n", o.Spawned)
	for i, n := range o.Faults {
		if n > 0 {
			fmt.Fprintf(t.out, "  faults.%s = %d\n", class.Counted(i), n)
		}
	}
	for i := range class.Fields {
		f := &class.Fields[i]
		fmt.Fprintf(t.out, "  %s = %s\n", f.Name, f.Text(s.Row(slot)))
	}
	if b := s.Body(slot); b.Key != 0 {
		fmt.Fprintf(t.out, "  body x=%s y=%s angle=%s vx=%s vy=%s w=%s", number(b.X), number(b.Y), number(b.Angle),
			number(b.VX), number(b.VY), number(b.W))
		if b.FX != 0 || b.FY != 0 || b.Torque != 0 {
			fmt.Fprintf(t.out, " fx=%s fy=%s torque=%s", number(b.FX), number(b.FY), number(b.Torque))
		}
		fmt.Fprintln(t.out)
	}
}
