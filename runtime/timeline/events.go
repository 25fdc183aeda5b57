package timeline

import (
	"cmp"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// eventLog holds all events except inputs, owner poses and independent frames, in the order
// in which they happen.
type eventLog struct{ list []loggedEvent }

// loggedEvent is an event in the log. An unrelayed one is not in the log that the host relays,
// because clients do not simulate its object.
type loggedEvent struct {
	event     world.Event
	unrelayed bool
}

// in reports whether the event happens in a world. Unrelayed events do not happen in a world
// with only the shared set.
func (e *loggedEvent) in(w *world.World) bool { return !w.SharedOnly || !e.unrelayed }

// what returns the event.
func (e *loggedEvent) what() *world.Event { return &e.event }

// start drops all events.
func (l *eventLog) start() { l.list = nil }

func (l *eventLog) insert(e loggedEvent) {
	i, _ := slices.BinarySearchFunc(l.list, e, func(a, b loggedEvent) int { return compareEvents(&a.event, &b.event) })
	l.list = slices.Insert(l.list, i, e)
}

// find returns the index of the first event of tick t or later.
func (l *eventLog) find(t world.Tick) int {
	i, _ := slices.BinarySearchFunc(
		l.list,
		t,
		func(e loggedEvent, t world.Tick) int { return cmp.Compare(e.event.Tick, t) },
	)
	return i
}

// in returns the events of tick t, in order.
func (l *eventLog) in(t world.Tick) []loggedEvent {
	from := l.find(t)
	to := from
	for to < len(l.list) && l.list[to].event.Tick == t {
		to++
	}
	return l.list[from:to]
}

// prune removes the events up to tick oldest.
func (l *eventLog) prune(oldest world.Tick) { l.list = slices.Delete(l.list, 0, l.find(oldest+1)) }

// checkAfter asserts that there is no event up to tick oldest.
func (l *eventLog) checkAfter(oldest world.Tick) {
	assert(len(l.list) == 0 || l.list[0].event.Tick > oldest, "an event of a tick up to %d is in the log", oldest)
}

// check asserts that the events are in order.
func (l *eventLog) check() {
	for i := 1; i < len(l.list); i++ {
		if compareEvents(&l.list[i-1].event, &l.list[i].event) > 0 {
			violated("the event of tick %d is followed by one of tick %d", l.list[i-1].event.Tick, l.list[i].event.Tick)
		}
	}
}

// compareEvents returns the order in which the events of a tick happen: by kind, and host events in
// the order in which the host program acted. It compares all fields of events, so that the order in
// which they arrived does not matter.
func compareEvents(a, b *world.Event) int {
	return cmp.Or(cmp.Compare(a.Tick, b.Tick), cmp.Compare(turn(a), turn(b)), cmp.Compare(a.Number, b.Number),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Player, b.Player), cmp.Compare(a.Object, b.Object),
		cmp.Compare(a.Bundle, b.Bundle), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Hooks, b.Hooks),
		cmp.Compare(a.Name, b.Name),
		comparePlaces(&a.Place, &b.Place), slices.CompareFunc(a.Values, b.Values, compareValues))
}

// turn returns the kind of an event, and one for all host events: their numbers order them. Suspensions come first.
func turn(e *world.Event) world.EventKind {
	switch {
	case e.Kind == world.SuspendEvent:
		return 0
	case e.Kind.ByHost():
		return world.OwnershipEvent
	}
	return e.Kind
}

func comparePlaces(p, q *world.Placement) int {
	return cmp.Or(cmp.Compare(p.Owner, q.Owner), cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y),
		cmp.Compare(p.Angle, q.Angle), cmp.Compare(p.VX, q.VX), cmp.Compare(p.VY, q.VY), cmp.Compare(p.W, q.W))
}

func compareValues(a, b world.NamedValue) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Word, b.Word),
		cmp.Compare(a.Text, b.Text))
}
