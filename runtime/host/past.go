package host

import (
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/world"
)

// At calls f with the room as it was between the ticks t-1 and t: at t-1 if fraction is 0, at t
// if it is 1. It counts in 64ths of a tick (world.ViewParts), as the view times of inputs do.
// f reads a copy, and the room does not change. The Reader is valid during f; its tick is t.
//
// From max_rewind ago on, a host keeps the state after each tick. There, bodies stand where
// self:asSeen shows them at that moment, so that a ray hits what a shot with that view time hits.
// Fields, owners, speeds and everything else are exactly those after tick t.
//
// Before that, a host keeps for max_seen the poses of all objects of classes with seen, and, for a
// second more, the state after every fourth tick. There:
//
//   - Objects of classes with seen stand exactly where self:asSeen shows them, for max_seen.
//   - Other bodies are interpolated, on a straight line, between the two kept states around the
//     moment. They are exact only at a tick whose state is kept, with a fraction of 1.
//   - Everything else is exactly as in the later one of these states, which is up to three ticks
//     after t. Objects that were removed by then are missing. Objects that were spawned after t
//     are left out.
//
// StateAt returns nil for a tick whose state is not kept. The error wraps timeline.ErrAhead or
// timeline.ErrTooOld, or is about the fraction.
func (h *Host) At(t world.Tick, fraction float64, f func(r world.Reader)) error {
	return side.ReadAt(h.match.Past(), t, fraction, f)
}
