package world

import "fmt"

// FaultLimit is how many errors in a row pause a hook of an object. After a second, all paused hooks of the
// object run again. If one of them fails then, the next pause lasts 2 s, the one after that 4 s, and so on, up
// to 60 s.
const FaultLimit = 8

const (
	// failedNow is the count of a hook that has failed in the tick Object.Paused. It does not run again in
	// that tick. A hook with the count FaultLimit has not run in that tick yet.
	failedNow = FaultLimit + 1
	maxPauses = 7  // the largest value of Object.Pauses, at which a pause would last 64 s
	longest   = 60 // seconds of a pause
)

// Runs reports whether hook h of the object runs in tick t: it is not paused. rate is how many ticks
// a second has.
func (o *Object) Runs(h Hook, t Tick, rate int) bool {
	h = h.counter()
	switch {
	case o.Faults[h] < FaultLimit:
		return true
	case t == o.Paused:
		return o.Faults[h] == FaultLimit
	}
	return t-o.Paused >= o.pause(rate)
}

// Failing reports whether hook h of the object is paused, or has not succeeded since its last pause.
func (o *Object) Failing(h Hook) bool { return o.Faults[h.counter()] >= FaultLimit }

// HasFailed reports whether hook h of the object has failed, and has not succeeded since.
func (o *Object) HasFailed(h Hook) bool { return o.Faults[h.counter()] > 0 }

// counter returns the hook with which the failures of h are counted.
func (h Hook) counter() Hook {
	if h == OnTimer {
		return OnTick
	}
	return h
}

// pause returns the length of the present pause.
func (o *Object) pause(rate int) Tick { return Tick(min(1<<(o.Pauses-1), longest) * rate) }

// fail counts an error of a hook in tick t. It reports whether the hook is paused now.
func (o *Object) fail(h Hook, t Tick) (paused bool) {
	h = h.counter()
	if o.Faults[h] < FaultLimit-1 {
		o.Faults[h]++
		return false
	}
	if o.Paused != t {
		for i, n := range o.Faults {
			o.Faults[i] = min(n, FaultLimit)
		}
		o.Paused, o.Pauses = t, min(o.Pauses+1, maxPauses)
	}
	o.Faults[h] = failedNow
	return true
}

// heal resets the count of a hook that has succeeded.
func (o *Object) heal(h Hook) {
	o.Faults[h.counter()] = 0
	for _, n := range o.Faults {
		if n >= FaultLimit {
			return
		}
	}
	o.Paused, o.Pauses = 0, 0
}

// faultWords returns the counters of errors and the pause as two words.
func (o *Object) faultWords() (counts, pause uint64) {
	if o.Faults == [HookCount]uint8{} {
		return 0, 0 // nearly always
	}
	for i, n := range o.Faults {
		counts |= uint64(n) << (4 * i)
	}
	return counts, uint64(o.Paused) | uint64(o.Pauses)<<32
}

// setFaultWords is the inverse of faultWords. The error says what no object has.
func (o *Object) setFaultWords(counts, pause uint64) error {
	o.Paused, o.Pauses = Tick(pause), uint8(pause>>32)
	paused := false
	for i := range o.Faults {
		o.Faults[i] = uint8(counts >> (4 * i) & 15)
		paused = paused || o.Faults[i] >= FaultLimit
		if o.Faults[i] > failedNow {
			return fmt.Errorf("object %s: fault counter %d", o.ID, o.Faults[i])
		}
	}
	if paused != (o.Paused > 0) || paused != (o.Pauses > 0) || pause>>32 > maxPauses {
		return fmt.Errorf("object %s: pause %d from tick %d", o.ID, o.Pauses, o.Paused)
	}
	return nil
}
