package goscript

import (
	"slices"
	"strings"

	"github.com/hindcast/hindcast/world"
)

// Timer is a declared timer of a class, or of the match. Each object has its own. Its methods are for the object
// whose hook runs. Each timer of a class adds two numbers to the state of its objects; a class has at most
// world.MaxTimers.
type Timer struct{ in *timer }

type timer struct {
	of   *declaration
	name string
	run  func(a Actor, self Object)
}

// Timer declares a timer and what it does when it is due: before the Tick hook of the object, in the order in
// which timers are due. A bundle switch keeps it by its name.
func (f Fields) Timer(name string, run func(a Actor, self Object)) Timer {
	d, at := f.of, caller()
	d.mayDeclare()
	switch {
	case !identifier(name):
		d.problem(at, "a timer has a name of letters, digits and _, not %q", name)
	case slices.ContainsFunc(d.timers, func(t *timer) bool { return t.name == name }):
		d.problem(at, "%s: the timer %s is declared twice", d.name(), name)
	case run == nil:
		d.problem(at, "%s: the function of the timer %s is nil", d.name(), name)
	case d.name() == world.PlayerClass:
		d.problem(at, "what each player has cannot have timers: declare %s for the match, or for a class", name)
	}
	t := &timer{d, name, run}
	d.timers = append(d.timers, t)
	return Timer{t}
}

// After starts the timer, or starts it anew: it is due once, in so many seconds, rounded to ticks, and never in
// the tick that runs.
func (t Timer) After(a Actor, seconds float64) { t.start(a, seconds, false) }

// Every is After for a timer that is due again and again.
func (t Timer) Every(a Actor, seconds float64) { t.start(a, seconds, true) }

// Stop stops the timer.
func (t Timer) Stop(a Actor) {
	i := t.index(a)
	if err := t.own(a, a.of.stage().mayChange()).Stop(i); err != nil {
		fail("%v", err)
	}
}

// Left returns how many seconds are left until the timer is due; running is false if it does not run.
func (t Timer) Left(a Actor) (seconds float64, running bool) {
	i := t.index(a)
	return t.own(a, a.of.stage().world()).Left(i)
}

// own returns the timers of the acting object.
func (t Timer) own(a Actor, w world.Actor) world.Timers {
	return world.TimersOf(w, a.of.stage().acting.ID)
}

func (t Timer) start(a Actor, seconds float64, again bool) {
	i := t.index(a)
	if err := t.own(a, a.of.stage().mayChange()).Start(i, seconds, again); err != nil {
		fail("the timer %s: %v", t.in.name, err)
	}
}

// index returns the index of the timer in Class.Timers of the acting object.
func (t Timer) index(a Actor) int {
	if t.in == nil {
		fail("a Timer that was not declared")
	}
	on := a.of.stage().acted()
	if !on.is(t.in.of) {
		fail("the timer %s is one of %s: a hook of %s cannot use it", t.in.name, t.in.of.name(), on.name())
	}
	i, _ := slices.BinarySearch(on.timerNames(), t.in.name)
	return i
}

// named returns the name of the timer.
func (t *timer) named() string { return t.name }

// timerNames returns the names of the timers of the class, sorted.
func (d *declaration) timerNames() []string { return d.spec.Timers }

// call does what the timer is for.
func (t *timer) call(a Actor, self Object) { t.run(a, self) }

// timer returns a timer by its index in Class.Timers.
func (d *declaration) timer(i int) *timer { return d.timers[i] }

// layOutTimers puts the timers of a class in the order of their names.
func (d *declaration) layOutTimers() {
	slices.SortStableFunc(d.timers, func(a, b *timer) int { return strings.Compare(a.name, b.name) })
	d.spec.Timers = nil
	for _, t := range d.timers {
		d.spec.Timers = append(d.spec.Timers, t.name)
	}
	if len(d.timers) > 0 {
		d.spec.Hooks |= 1 << world.OnTimer
	}
	if len(d.timers) > world.MaxTimers {
		d.wrong("%s: %d timers: at most %d", d.name(), len(d.timers), world.MaxTimers)
	}
}
