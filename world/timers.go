package world

import (
	"fmt"
	"math"
)

// MaxTimers is how many timers an object may have.
const MaxTimers = 8

// timer is the state of one timer of an object. The timers of a class are in Class.Timers. When a timer is due it
// stops, or starts again, and then the Script runs its function (OnTimer), before the object's OnTick.
type timer struct {
	Due   Tick // 0: it does not run
	Every Tick // ticks from one run to the next; 0: it runs once
}

// The aux fields in which the state keeps a timer.
const (
	timerDue = iota
	timerEvery
	timerWords
)

// timerFields returns the fields of a class that keep its timers. They are aux fields, because they change only when
// a timer starts, runs or stops. A bundle switch keeps them by their names.
func timerFields(names []string) (fields []Field) {
	for _, name := range names {
		for _, of := range [timerWords]string{"timer ", "period of "} {
			fields = append(fields, Field{Name: of + name, Kind: Number, Aux: true, Step: 1, Show: ShowStep})
		}
	}
	return fields
}

// timerField returns the index of the first of these fields in the Fields of a class.
func timerField(c *Class) int {
	at := len(c.Declared())
	if c.Body.carried() {
		at += heldWords
	}
	return at
}

// timers returns these fields of a row.
func timers(c *Class, row Row) []uint64 {
	first := c.Fields[timerField(c)].Offset
	return row.Aux[first : first+timerWords*len(c.Timers)]
}

func readTimer(words []uint64, i int) timer {
	of := func(word int) Tick { return Tick(wholeOf(words[timerWords*i+word], math.MaxUint32)) }
	return timer{Due: of(timerDue), Every: of(timerEvery)}
}

// words returns what the state keeps of a timer.
func (t timer) words() [timerWords]uint64 {
	return [timerWords]uint64{timerDue: NumberBits(float64(t.Due)), timerEvery: NumberBits(float64(t.Every))}
}

// timerOf returns timer i of the object in a slot, an index of Class.Timers.
func (w *World) timerOf(slot, i int) timer {
	return readTimer(timers(w.Class(slot), w.Now.Row(slot)), i)
}

// TimerDue returns the tick in which timer i of an object with a row is due, an index of c.Timers; 0 if it does not run.
func (c *Class) TimerDue(row Row, i int) Tick { return readTimer(timers(c, row), i).Due }

// setTimer sets timer i of the object in a slot.
func (w *World) setTimer(slot, i int, t timer) {
	if w.timerOf(slot, i) == t {
		return
	}
	w.touch(slot)
	c := w.Class(slot)
	row := w.editRow(slot)
	words := t.words()
	copy(timers(c, row)[timerWords*i:], words[:])
	w.Now.Rows.putAux(slot, c, row.Aux)
}

// TimersRun reports whether timers of the object in a slot may run in this tick: it has some, it is no interpolated
// proxy, and it is not suspended.
func (w *World) TimersRun(slot int) bool {
	return len(w.Class(slot).Timers) > 0 && w.Proxy(slot) != Interpolate && !w.Suspended(slot, OnTimer)
}

// DueTimer returns a timer of the object in a slot that is due and not paused, and stops it or starts it again; ok is
// false if there is none. Of several, the one that was due first comes first, then the first in Class.Timers. A timer
// that could not run for long runs once.
func (w *World) DueTimer(slot int) (i int, ok bool) {
	c, now := w.Class(slot), w.Now.Tick
	if len(c.Timers) == 0 {
		return 0, false
	}
	words := timers(c, w.Now.Row(slot))
	var due timer
	for n := range c.Timers {
		t := readTimer(words, n)
		if t.Due != 0 && t.Due <= now && (!ok || t.Due < due.Due) && w.unpaused(slot, TimerCount(n)) {
			i, due, ok = n, t, true
		}
	}
	if ok {
		next := timer{}
		if every := due.Every; every > 0 {
			if next = (timer{Due: due.Due + every, Every: every}); next.Due <= now {
				next.Due = now + every
			}
		}
		w.setTimer(slot, i, next)
	}
	return i, ok
}

// Timers are the timers of an object. They are a value.
type Timers struct {
	a  Actor
	of ObjectID
}

// TimersOf returns the timers of an object, as the acting object sees and changes them: its own at once, and those of
// another one when the order ends.
func TimersOf(a Actor, of ObjectID) Timers { return Timers{a, of} }

// maxTimer is the longest time of a timer, in seconds: a week.
const maxTimer = 7 * 24 * 3600

// Start starts timer i, an index of Class.Timers of the object, or starts it anew: it is due in so many seconds, rounded
// to ticks, and never in the tick that runs. If again, it is due each time as many seconds later. It returns an error
// that wraps ErrValue for a time below 0 or above a week, ErrReadOnly if the Actor is that of a Reader, and ErrRemoved
// for an object that does not exist.
func (t Timers) Start(i int, seconds float64, again bool) error {
	if !(seconds >= 0 && seconds <= maxTimer) {
		return fmt.Errorf("%w: a time of %v s; a timer takes 0 to %d s", ErrValue, seconds, maxTimer)
	}
	w := t.a.w
	every := max(Tick(float64(seconds*float64(w.Schema().Setup.TickRate))+0.5), 1)
	to := timer{Due: w.Now.Tick + every}
	if again {
		to.Every = every
	}
	return t.set(i, to)
}

// Stop stops timer i. It returns ErrReadOnly if the Actor is that of a Reader, and ErrRemoved for an object that does
// not exist.
func (t Timers) Stop(i int) error { return t.set(i, timer{}) }

func (t Timers) set(i int, to timer) error {
	if t.a.reads {
		return ErrReadOnly
	}
	w := t.a.w
	if slot, ok := w.atOnce(t.of); ok {
		w.setTimer(slot, i, to)
		return nil
	}
	s, slot, ok := w.see(t.of)
	if !ok {
		return ErrRemoved
	}
	c := &w.Schema().Classes[s.Objects[slot].Class]
	for word, ticks := range to.words() {
		op := Op{Target: t.of, Kind: SetWord, Field: timerField(c) + timerWords*i + word, Word: ticks}
		if err := w.do(op); err != nil {
			return err
		}
	}
	return nil
}

// Left returns how many seconds are left until timer i is due; running is false if it does not run, or if the object
// does not exist.
func (t Timers) Left(i int) (seconds float64, running bool) {
	w := t.a.w
	s, slot, ok := w.see(t.of)
	if !ok {
		return 0, false
	}
	row := s.Row(slot)
	if !row.Known() {
		return 0, false
	}
	due := readTimer(timers(&w.Schema().Classes[s.Objects[slot].Class], row), i).Due
	if due == 0 {
		return 0, false
	}
	return float64(max(due, w.Now.Tick)-w.Now.Tick) / float64(w.Schema().Setup.TickRate), true
}
