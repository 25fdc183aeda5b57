package client

import (
	"cmp"
	"fmt"
	"time"

	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// mostWork is how many allowances of a tick a frame may be: after that it begins no tick.
const mostWork = 2

// slicing is a rewind that takes several frames.
type slicing struct {
	on    bool          // frames before this one have left some of it
	since time.Duration // when it began
	came  int           // how many ticks it has come on since it goes first, less restTicks for each step
}

// After rewindFirst a rewind goes first: the present goes on by one tick for restTicks ticks that the rewind has come
// on, so that it is reached.
const (
	rewindFirst = 250 * time.Millisecond
	restTicks   = 4
)

// begin begins a rewind.
func (s *slicing) begin(now time.Duration) { *s = slicing{on: true, since: now} }

// first reports whether the rewind goes first.
func (s *slicing) first(now time.Duration) bool { return s.on && now-s.since > rewindFirst }

// rests reports whether the present may not go on.
func (s *slicing) rests(now time.Duration) bool { return s.first(now) && s.came < restTicks }

// rewound notes that the rewind has come on.
func (s *slicing) rewound(now time.Duration, ticks int) {
	if s.first(now) {
		s.came += ticks
	}
}

// stepped notes a step.
func (s *slicing) stepped() { s.came = max(s.came-restTicks, 0) }

// reconcile rewinds to the oldest dirty tick and simulates to the present again. Ticks that it has simulated with the
// whole log are complete, and it confirms them. What is more work than a frame has room for is left for the next ones.
// Until the rewind has come to the present, the old one is shown and goes on.
func (p *predictor) reconcile(c *endpoint, now time.Duration) error {
	defer p.confirmation.ask(now, &c.mail)
	if !p.slicing.on {
		p.slicing.begin(now)
		if p.relayed.extend(p.tl.Now(), p.relayed.holdAt(c.library.holdAt()), c.receiver.received(), now) {
			p.tl.Complete(p.relayed.takenTo(), p.relayed.from())
		}
		p.shared.cull(p.tl, &c.library, p.pace.atPresent())
		p.shared.start(p.tl, &p.relayed)
	}
	room := p.roomForRewind(&c.clock, now)
	spent, done, err := p.shared.complete(now, &c.clock, p.tl, &p.relayed, &p.confirmation, room)
	if p.spent += spent; err != nil || !done || spent > room {
		return err
	}
	done, err = p.rewind(c, now, room-spent)
	if err != nil || !done && p.tl.RewoundTo() < p.relayed.takenTo() {
		return err
	}
	p.slicing.on = !done
	if p.relayed.settle() {
		p.keepScripts(&c.library)
	}
	p.shared.giveCues(&p.cues)
	p.relayed.takeMarks(func(m *commitMark) { p.confirmation.compare(p.tl.At(m.tick), m) })
	p.confirmation.name(p.tl, p.relayed.completeTo())
	if done && (p.shared.anchored() || !p.confirmation.naming()) { // otherwise these states are still needed
		p.tl.Release(min(p.relayed.completeTo(), p.tl.Dirty()-1)) // 0 - 1 is no limit
	}
	return nil
}

// roomForRewind returns how much work a frame has room for besides the ticks that have become due. At least half of the
// frame is for the rewind.
func (p *predictor) roomForRewind(clock *clock, now time.Duration) time.Duration {
	most := mostWork * p.allowance(clock).Work
	steps := p.pace.passed(clock.due(now))
	if p.slicing.first(now) {
		steps = min(steps, p.slicing.came/restTicks)
	}
	return most - min(time.Duration(steps)*p.tickWork, most/2)
}

// leftOver returns the tick that was due in this frame, if ticks were left for the next ones because of their work; 0:
// none was.
func (p *predictor) leftOver(due world.Tick, clock *clock) world.Tick {
	if p.spent <= mostWork*p.allowance(clock).Work {
		return 0
	}
	return due
}

// rewind rewinds, if a tick is dirty, until that has been more work than room, and reports what was displaced. done
// reports whether it has come to the present. The error is what check mode found.
func (p *predictor) rewind(c *endpoint, now, room time.Duration) (done bool, err error) {
	if p.tl.Dirty() == 0 {
		at := p.displacementContext(c, now)
		p.displaced.reportRefused(&at, p.tl)
		return true, nil
	}
	p.frames.restore(p.tl, cmp.Or(p.tl.RewoundTo(), p.tl.Dirty()-1))
	p.displaced.note(p.tl)
	p.presentation.noteDrawn(p.tl, c.clock.frame(now, p.tl.Now()))
	watch := stopwatch(p.cfg.Stopwatch)
	r := p.tl.RewindPredicted(p.relayed.takenTo(), p.allowance(&c.clock), max(room, 1))
	p.spent += r.Work
	p.slicing.rewound(now, r.Ticks)
	p.rewinds.Add(r, watch())
	p.rewound.note(p.tl, r)
	if p.verifies() {
		if m := p.tl.Check(r); m != nil {
			return false, fmt.Errorf("%w: %w", timeline.ErrDesync, m)
		}
	}
	if r.Left {
		return false, nil
	}
	at := p.displacementContext(c, now)
	if refused := p.displaced.reportRefused(&at, p.tl); r.GivenUp {
		p.tooMuch.note(p.tl.Now()+1, c.receiver.hostAt())
		if p.pace.atPresent() {
			p.ahead.wait(now, &c.clock, p.tl.Now())
		}
		p.displaced.corrected = false // the present is an earlier tick: what moved until then is not displaced
	} else {
		p.displaced.rewound(&at, p.tl, &p.relayed, refused)
	}
	p.presentation.limit(p.shared.mayCull(p.tl))
	p.presentation.hideJumps(p.tl, c.clock.frame(now, p.tl.Now()))
	return true, nil
}

// verifies reports whether check mode does the last rewind again. Which ones it does follows no period, as rewinds
// may.
func (p *predictor) verifies() bool {
	number := uint64(p.rewinds.Count() - 1)
	return p.cfg.Verify && number*0x9e3779b97f4a7c15>>32%uint64(max(p.cfg.VerifyEvery, 1)) == 0
}

// displacementContext returns what the client knows when it looks for displacements.
func (p *predictor) displacementContext(c *endpoint, now time.Duration) displacementContext {
	return newDisplacementContext(now, &c.clock, c.library.bundle(p.tl.World().Now.Bundle), &c.receiver)
}
