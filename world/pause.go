package world

import (
	"fmt"
	"slices"
)

// FaultLimit is how many errors in a row pause a hook of an object, or the function of a timer. After a second, all that
// are paused run again. If one of them fails then, the next pause lasts 2 s, the one after that 4 s, and so on, up
// to 60 s.
const FaultLimit = 8

const (
	// failedNow is the count of what has failed in the tick Object.Paused. It does not run again in
	// that tick. What has the count FaultLimit has not run in that tick yet.
	failedNow = FaultLimit + 1
	maxPauses = 7  // the largest value of Object.Pauses, at which a pause would last 64 s
	longest   = 60 // seconds of a pause
)

// FaultCounts are the errors in a row of the hooks of an object, and from TimerCount(0) on of the functions of its
// timers. Each is counted by itself: the success of one says nothing about another.
type FaultCounts [HookCount + MaxTimers]uint8

// TimerCount returns the index in FaultCounts of the function of a timer, an index of Class.Timers.
func TimerCount(timer int) int { return int(HookCount) + timer }

// Counted returns the name of what is counted at an index of FaultCounts: that of a hook or a timer.
func (c *Class) Counted(i int) string {
	switch timer := i - TimerCount(0); {
	case timer < 0:
		return Hook(i).String()
	case timer < len(c.Timers):
		return c.Timers[timer]
	}
	return OnTimer.String()
}

// CountedAs returns the index in FaultCounts of a hook or timer of the class with a name; ok is false if it has none.
func (c *Class) CountedAs(name string) (i int, ok bool) {
	for h := range HookCount {
		if c.Hooks.Has(h) && h.String() == name {
			return int(h), true
		}
	}
	timer := slices.Index(c.Timers, name)
	return TimerCount(timer), timer >= 0
}

// runs reports whether what is counted at index i runs in tick t: it is not paused. rate is how many ticks
// a second has.
func (o *Object) runs(i int, t Tick, rate int) bool {
	switch {
	case o.Faults[i] < FaultLimit:
		return true
	case t == o.Paused:
		return o.Faults[i] == FaultLimit
	}
	return t-o.Paused >= o.pause(rate)
}

// pause returns the length of the present pause.
func (o *Object) pause(rate int) Tick { return Tick(min(1<<(o.Pauses-1), longest) * rate) }

// fail counts an error at index i in tick t. It reports whether what is counted there is paused now.
func (o *Object) fail(i int, t Tick) (paused bool) {
	if o.Faults[i] < FaultLimit-1 {
		o.Faults[i]++
		return false
	}
	if o.Paused != t {
		for j, n := range o.Faults {
			o.Faults[j] = min(n, FaultLimit)
		}
		o.Paused, o.Pauses = t, min(o.Pauses+1, maxPauses)
	}
	o.Faults[i] = failedNow
	return true
}

// heal resets the count at index i, because what is counted there has succeeded.
func (o *Object) heal(i int) {
	o.Faults[i] = 0
	for _, n := range o.Faults {
		if n >= FaultLimit {
			return
		}
	}
	o.Paused, o.Pauses = 0, 0
}

// How the second of the two words of counters and pause is made up: Paused, Pauses, then the counters of timers as
// digits to the base timerBase, the first timer's lowest.
const (
	pausesBit = 32
	timersBit = pausesBit + 3
	timerBase = failedNow + 1
)

// faultWords returns the counters of errors and the pause as two words.
func (o *Object) faultWords() (counts, pause uint64) {
	if o.Faults == (FaultCounts{}) {
		return 0, 0 // nearly always
	}
	for i, n := range o.Faults[:HookCount] {
		counts |= uint64(n) << (4 * i)
	}
	for i := MaxTimers - 1; i >= 0; i-- {
		pause = pause*timerBase + uint64(o.Faults[TimerCount(i)])
	}
	return counts, uint64(o.Paused) | uint64(o.Pauses)<<pausesBit | pause<<timersBit
}

// setFaultWords is the inverse of faultWords. The error says what no object has.
func (o *Object) setFaultWords(counts, pause uint64) error {
	o.Paused, o.Pauses = Tick(pause), uint8(pause>>pausesBit)&maxPauses
	timers, paused := pause>>timersBit, false
	for i := range o.Faults {
		if i < int(HookCount) {
			o.Faults[i] = uint8(counts >> (4 * i) & 15)
		} else {
			o.Faults[i], timers = uint8(timers%timerBase), timers/timerBase
		}
		paused = paused || o.Faults[i] >= FaultLimit
		if o.Faults[i] > failedNow {
			return fmt.Errorf("object %s: fault counter %d", o.ID, o.Faults[i])
		}
	}
	if paused != (o.Paused > 0) || paused != (o.Pauses > 0) || timers > 0 {
		return fmt.Errorf("object %s: pause %d from tick %d, and timers %d", o.ID, o.Pauses, o.Paused, timers)
	}
	return nil
}
