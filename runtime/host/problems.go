package host

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/world"
)

// problemBoard is what a host says to its clients of what is wrong with the scripts. A client cannot find that by
// itself: it does not simulate every class, it has not been there from the start, and the host refuses
// scripts before anybody else sees them.
type problemBoard struct {
	folder string // of the scripts, as the user names it; clients need not know it
	bundle uint32 // under which the functions have failed
	awaits uint32 // the bundle that Refused, which is Held then, is about until that is in force; 0: it is not
	now    room.Problems
	stale  bool          // the clients have another one
	next   time.Duration // when it may be sent again: scripts choose how often they fail
	warned time.Duration // when Warned was told
	slowAt time.Duration // when the room could not keep up last
	blamed time.Duration // when its own work was to blame for that last
}

// problemsEvery is the least time between two messages.
const problemsEvery = 250 * time.Millisecond

// warnedFor is how long clients are told of likely mistakes.
const warnedFor = 30 * time.Second

// Warn notes at a time the likely mistakes in scripts that are in force, in place of those before; none: there are
// none.
func (b *problemBoard) Warn(now time.Duration, texts []string) {
	told := b.told(texts)
	b.stale = b.stale || !slices.Equal(told, b.now.Warned)
	b.now.Warned, b.warned = told, now
}

// Warned drops the likely mistakes of which clients have been told for warnedFor.
func (b *problemBoard) Warned(now time.Duration) {
	if len(b.now.Warned) > 0 && now-b.warned >= warnedFor {
		b.now.Warned, b.stale = nil, true
	}
}

// told returns texts as clients are told of them.
func (b *problemBoard) told(texts []string) (told []string) {
	for i, text := range texts {
		if more := len(texts) - i; i == wire.MaxRefusals-1 && more > 1 {
			return append(told, fmt.Sprintf("and %d more mistakes; host check names all", more))
		}
		if b.folder != "" {
			text = strings.ReplaceAll(text, world.InFolder(b.folder, ""), "")
		}
		told = append(told, text)
	}
	return told
}

// Refuse notes why saved scripts are not in force; none: they are. held says that they are not refused: the host waits.
func (b *problemBoard) Refuse(texts []string, held bool) {
	told := b.told(texts)
	b.stale = b.stale || !slices.Equal(told, b.now.Refused) || held != b.now.Held
	b.now.Refused, b.now.Held, b.awaits = told, held, 0
}

// Await notes that what Refuse was told of is over when a bundle is in force.
func (b *problemBoard) Await(bundle uint32) { b.awaits = bundle }

// Failed notes a function that has failed, in place of the same failure before.
func (b *problemBoard) Failed(f wire.Failure) {
	same := func(old wire.Failure) bool { return side.SameFailure(&old, &f) }
	b.now.Failed = slices.DeleteFunc(slices.Clone(b.now.Failed), same)
	b.now.Failed = append(b.now.Failed, f)
	b.now.Failed = b.now.Failed[max(0, len(b.now.Failed)-wire.MaxFailures):]
	b.stale = true
}

// TakeBack drops a failure that has not happened after all.
func (b *problemBoard) TakeBack(f *wire.Failure) {
	b.now.Failed = slices.DeleteFunc(slices.Clone(b.now.Failed), func(old wire.Failure) bool {
		return side.SameFailure(&old, f)
	})
	b.stale = true
}

// Under notes the bundle that is in force from a tick on. What has failed under another one before is over.
func (b *problemBoard) Under(bundle uint32, from world.Tick) {
	if bundle == b.bundle {
		return
	}
	if b.bundle = bundle; b.awaits != 0 && bundle >= b.awaits {
		b.Refuse(nil, false)
	}
	before := len(b.now.Failed)
	b.now.Failed = slices.DeleteFunc(slices.Clone(b.now.Failed), func(f wire.Failure) bool {
		return f.Tick < from && !f.IsSlowness() // whether the room keeps up then is not known yet
	})
	b.stale = b.stale || len(b.now.Failed) < before
}

// Resumed notes that hooks are not paused any more, of those whose pauses should have ended by tick t, and calls
// resumed for each. paused reports whether a hook is paused for an object, or has not succeeded since its pause.
func (b *problemBoard) Resumed(t world.Tick, paused func(f *wire.Failure) bool, resumed func(f *wire.Failure)) {
	for i := range b.now.Failed {
		f := &b.now.Failed[i]
		if f.Until == 0 || f.Until > t || side.IsSuspension(f) || paused(f) {
			continue
		}
		b.now.Failed = slices.Clone(b.now.Failed)
		f = &b.now.Failed[i]
		f.Until, b.stale = 0, true
		resumed(f)
	}
}

// Count counts the objects of each hook that is paused, with count, before a message that has changed is sent, and
// every countEvery ticks: it takes time.
func (b *problemBoard) Count(t world.Tick, count func(f *wire.Failure) (object world.ObjectID, others uint32)) {
	if !b.stale && t%countEvery != 0 {
		return
	}
	for i := range b.now.Failed {
		f := &b.now.Failed[i]
		if f.Until == 0 || side.IsSuspension(f) {
			continue
		}
		if object, others := count(f); object != f.Object || others != f.Others {
			b.now.Failed = slices.Clone(b.now.Failed)
			f = &b.now.Failed[i]
			f.Object, f.Others, b.stale = object, others, true
		}
	}
}

// slowFor is how long a room counts as slow after it has skipped time.
const slowFor = 3 * time.Second

// Slow notes that the room cannot keep up at a time, in place of what was said about that. blamed reports whether its
// own work is to blame. Where that was so within slowFor, the machine is not blamed instead: what is left of a backlog
// says nothing. It reports whether what is said is new.
func (b *problemBoard) Slow(now time.Duration, f wire.Failure, blamed bool) (fresh bool) {
	b.slowAt = now
	i := slices.IndexFunc(b.now.Failed, func(f wire.Failure) bool { return f.IsSlowness() })
	if blamed {
		b.blamed = now
	}
	if i >= 0 && (b.now.Failed[i].Message == f.Message || !blamed && now-b.blamed < slowFor) {
		return false
	}
	b.now.Failed = slices.Clone(b.now.Failed)
	if i >= 0 {
		b.now.Failed[i] = f
	} else {
		b.now.Failed = append(b.now.Failed, f)
	}
	b.stale = true
	return true
}

// StillSlow notes that the room was late at a time, for a reason that says nothing about its work.
func (b *problemBoard) StillSlow(now time.Duration) { b.slowAt = now }

// KeepsUp notes that the room keeps up with real time, if it has for slowFor.
func (b *problemBoard) KeepsUp(now time.Duration) {
	is := func(f wire.Failure) bool { return f.IsSlowness() }
	if now-b.slowAt >= slowFor && slices.ContainsFunc(b.now.Failed, is) {
		b.now.Failed = slices.DeleteFunc(slices.Clone(b.now.Failed), is)
		b.stale = true
	}
}

// countEvery is after how many ticks the objects of paused hooks are counted again.
const countEvery = 16

// Over drops the suspensions that are over at tick t.
func (b *problemBoard) Over(t world.Tick) {
	over := func(f wire.Failure) bool { return side.IsSuspension(&f) && f.Until <= t }
	if slices.ContainsFunc(b.now.Failed, over) {
		b.now.Failed = slices.DeleteFunc(slices.Clone(b.now.Failed), over)
		b.stale = true
	}
}

// Due returns the message that is to be sent now, nil if there is none.
func (b *problemBoard) Due(now time.Duration) []byte {
	if !b.stale || now < b.next {
		return nil
	}
	b.stale, b.next = false, now+problemsEvery
	return b.Message()
}

// Message returns the message about what is wrong now.
func (b *problemBoard) Message() []byte { return wire.AppendProblems(nil, &b.now) }

// Any reports whether something is wrong.
func (b *problemBoard) Any() bool { return len(b.now.Refused)+len(b.now.Warned)+len(b.now.Failed) > 0 }

// AnyFailed reports whether hooks have failed or are paused. What is wrong with the saved files outlives the room.
func (b *problemBoard) AnyFailed() bool { return len(b.now.Failed) > 0 }

// sendProblems sends what is wrong with the scripts to all clients, if it has changed.
func (h *Host) sendProblems(now time.Duration) {
	if b := h.problems.Due(now); b != nil {
		h.roster.Playing(func(p *peer) { _ = h.mail.Control(now, p.id, b) })
	}
}

// judgeProblems notes which failures are over: other scripts are in force, or a paused hook runs again.
func (h *Host) judgeProblems() {
	s, schema, before := h.State(), h.Schema(), h.problems.now.Failed
	h.problems.Under(s.Bundle, h.inForce().tick)
	h.problems.Over(s.Tick)
	side.LogSuspensionsOver(h.log, before, h.problems.now.Failed, s.Tick)
	h.problems.Warned(h.clock.Now())
	h.problems.KeepsUp(h.clock.Now())
	side.LogSlowness(h.log, before, h.problems.now.Failed)
	h.problems.Resumed(s.Tick, func(f *wire.Failure) bool { return side.Failing(s, schema, f) },
		func(f *wire.Failure) { h.errors.Resumed(f, h.log) })
	h.problems.Count(s.Tick, func(f *wire.Failure) (world.ObjectID, uint32) { return side.CountFailing(s, schema, f) })
}

// failed notes a hook that has failed.
func (h *Host) failed(t world.Tick, f world.Fault) {
	said := side.FailureOf(t, f.Function(), f.Err)
	said.Object, said.Class, said.Until, said.Others = f.Object, f.Class, f.Until, uint32(f.Others)
	h.problems.Failed(said)
	h.notify.ScriptError(t, f)
}

// takeBack notes the failures that have not happened after all, by the state of a tick that is committed.
func (h *Host) takeBack(s *world.State) {
	for _, f := range h.errors.Committed(s, h.match.Scripts().SchemaOf(s), h.log) {
		h.problems.TakeBack(&f)
	}
}
