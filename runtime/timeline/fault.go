package timeline

import "github.com/hindcast/hindcast/world"

// Fault flips one bit of an object after a tick. Tests and demonstrations use it to show that
// a desync is detected.
type Fault struct {
	Tick   world.Tick // 0: never
	Object int        // in the order in which hooks run, from 1
}

// fault is a Fault and its result.
type fault struct {
	Fault
	missed bool           // there was no such object
	id     world.ObjectID // of the object that was hit
}

// apply flips the bit after the tick of the fault.
func (f *fault) apply(w *world.World) {
	if f.Tick == w.Now.Tick && f.Tick != 0 {
		id, hit := w.FlipBit(f.Object)
		f.id, f.missed = id, !hit
	}
}

// applyShared flips the bit of the same object in the shared set. Otherwise clients would get
// it with the patch, and no desync would follow.
func (f *fault) applyShared(w *world.World) {
	if f.Tick == w.Now.Tick && f.Object != 0 {
		w.FlipBitOf(f.id)
	}
}

// takeMissed reports, once, that there was no such object. The fault is then over: a tick that
// is simulated again has none.
func (f *fault) takeMissed() bool {
	missed := f.missed
	if missed {
		*f = fault{}
	}
	return missed
}
