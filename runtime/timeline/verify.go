package timeline

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// ErrDesync: two runs of the same history differ.
var ErrDesync = errors.New("desync")

// Mismatch is a bit in which a rewind and running everything again differ. It
// is a fault of Hindcast, or of a Script that looks at more than the world
// lets it see.
type Mismatch struct {
	world.Difference
	Why string // what the rewind did, or did not do, with the object in that tick
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("%s: a rewind against running everything again; %s", m.Difference, m.Why)
}

// ranTick says what a rewind did with a tick: kept in check mode.
type ranTick struct {
	tick  world.Tick
	whole bool
	slots []int32 // of objects whose hooks were run again
}

func (tl *Timeline) noteRan(t world.Tick, slots []int32) {
	if tl.check {
		tl.ran = append(tl.ran, ranTick{t, slots == nil, slices.Clone(slots)})
	}
}

// Check runs what a Rewind has just rewound again as a whole, in a world of
// its own, and gives the first bit that differs: nil when there is none. It needs
// Options.Check.
func (tl *Timeline) Check(r Rewound) *Mismatch {
	d := tl.Verify(r.From - 1)
	if len(d) == 0 {
		return nil
	}
	return &Mismatch{d[0], tl.why(d[0])}
}

func (tl *Timeline) why(d world.Difference) string {
	i := slices.IndexFunc(tl.ran, func(r ranTick) bool { return r.tick == d.Tick })
	if i < 0 {
		return "the tick was not run again: after the one before it nothing differed"
	}
	slot, ok := tl.At(d.Tick).Find(d.Object)
	switch r := &tl.ran[i]; {
	case r.whole:
		return "the tick was run again as a whole"
	case !ok:
		return "the object was not there after the rewind"
	case slices.Contains(r.slots, int32(slot)):
		return "its hooks were run again"
	}
	return "its hooks were not run again: neither the object, nor its input, nor anything its hooks were seen to read had changed"
}

// Verify runs the history after tick from again as a whole, in a world of its
// own, and names the first fields in which it differs from what the rewinds
// made of it: nil when every bit agrees.
func (tl *Timeline) Verify(from world.Tick) []world.Difference {
	from = max(from, tl.oldest)
	shadow := world.New()
	start := tl.At(from)
	shadow.Load(start, tl.scripts[start.Bundle].Schema())
	shadow.Rerun, shadow.Client = true, tl.world.Client
	shadow.PosesAt = tl.pastOf(shadow) // the same: each tick is compared before the next one looks at it
	for shadow.Now.Tick < tl.now {
		tl.runner.run(shadow)
		kept := tl.At(shadow.Now.Tick)
		if shadow.Now.Hash() != kept.Hash() {
			return world.Diff(kept, shadow.Now, shadow.Schema(), 16)
		}
	}
	return nil
}
