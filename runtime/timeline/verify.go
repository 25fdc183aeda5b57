package timeline

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hindcast/hindcast/world"
)

// ErrDesync is the error of two runs of the same history that differ.
var ErrDesync = errors.New("desync")

// Mismatch is a bit in which a rewind and simulating everything again differ. The cause is a
// bug in Hindcast, or a Script that reads more than its Actor.
type Mismatch struct {
	world.Difference
	Why string // how the rewind treated the object in that tick
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("%s: a rewind against running everything again; %s", m.Difference, m.Why)
}

// rerun records how a rewind treated a tick.
type rerun struct {
	tick  world.Tick
	whole bool
	slots []int32 // the objects whose hooks ran again
}

// rerunLog is what the last Rewind did, for Check and Reran.
type rerunLog struct {
	list []rerun
	on   bool // it is noted without check mode, too
}

func (l *rerunLog) clear() { l.list = l.list[:0] }

// add adds a tick. Without slots, it was simulated as a whole.
func (l *rerunLog) add(t world.Tick, slots []int32) {
	l.list = append(l.list, rerun{t, slots == nil, slices.Clone(slots)})
}

// cut drops what was done from tick t on.
func (l *rerunLog) cut(t world.Tick) {
	l.list = slices.DeleteFunc(l.list, func(r rerun) bool { return r.tick >= t })
}

// why describes how a tick treated the object in a slot; here is not set if there was no object.
func (l *rerunLog) why(t world.Tick, slot int, here bool) string {
	i := slices.IndexFunc(l.list, func(r rerun) bool { return r.tick == t })
	if i < 0 {
		return "the tick was not run again: after the one before it nothing differed"
	}
	switch r := &l.list[i]; {
	case r.whole:
		return "the tick was run again as a whole"
	case !here:
		return "the object was not there after the rewind"
	case slices.Contains(r.slots, int32(slot)):
		return "its hooks were run again"
	}
	return "its hooks were not run again: neither the object, nor its input, nor anything its hooks " +
		"were seen to read had changed"
}

// noteRerun records how a rewind treated a tick, for Check. Without slots, the tick was
// simulated as a whole.
func (tl *Timeline) noteRerun(t world.Tick, slots []int32) {
	if tl.check || tl.reruns.on {
		tl.reruns.add(t, slots)
	}
}

// NoteReruns makes rewinds note what they run again, for Reran, or stops it.
func (tl *Timeline) NoteReruns(on bool) { tl.reruns.on = on }

// Reran calls f with each tick that the last Rewind ran again, if it noted them: with the slots of the objects whose
// hooks ran again, and whether the tick was run again as a whole.
func (tl *Timeline) Reran(f func(t world.Tick, whole bool, slots []int32)) {
	for i := range tl.reruns.list {
		r := &tl.reruns.list[i]
		f(r.tick, r.whole, r.slots)
	}
}

// Check simulates the ticks of the last Rewind again as a whole, in a separate world, and
// returns the first bit that differs; nil if there is none. It needs Options.Check.
func (tl *Timeline) Check(r Rewound) *Mismatch {
	d := tl.verify(r.From-1, r.From-1+world.Tick(r.Ticks))
	if len(d) == 0 {
		return nil
	}
	return &Mismatch{d[0], tl.whyMissed(d[0])}
}

// whyMissed describes how the last Rewind treated the object of a difference.
func (tl *Timeline) whyMissed(d world.Difference) string {
	slot, here := tl.At(d.Tick).Find(d.Object)
	return tl.reruns.why(d.Tick, slot, here)
}

// Verify simulates the ticks after from again as a whole, in a separate world, and returns
// the first fields that differ from the history; nil if every bit agrees. It starts at the
// oldest tick if from is older.
func (tl *Timeline) Verify(from world.Tick) []world.Difference { return tl.verify(from, tl.Now()) }

// verify is Verify up to a tick.
func (tl *Timeline) verify(from, to world.Tick) []world.Difference {
	shadow := tl.shadow
	if shadow == nil {
		shadow = world.New()
		shadow.Rerun, shadow.Client = true, tl.world.Client
		shadow.PosesAt = tl.poseHistory.forWorld(shadow,
			false) // each tick was compared before the next one asks for it
		tl.shadow = shadow
	}
	start := tl.At(max(from, tl.Oldest()))
	shadow.Load(start, tl.scripts.SchemaOf(start))
	for shadow.Now.Tick < to {
		tl.run(shadow)
		if kept := tl.At(shadow.Now.Tick); !shadow.Now.Same(kept) {
			return world.Diff(kept, shadow.Now, shadow.Schema(), 16)
		}
	}
	return nil
}
