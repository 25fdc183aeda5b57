package host

import (
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// backlog is the counted work by which ticks and rewinds took longer than the time they simulate, and who did the work
// since there is one. It says why a room runs slower than real time: the tick in which that is noticed may be a cheap
// one, because the hooks to blame have just been paused.
type backlog struct {
	length  time.Duration // of a tick
	bundle  uint32        // under which the work was done
	behind  time.Duration
	physics time.Duration
	classes []classWork
	done    time.Duration // work since the last tick
	share   float64       // the share of the last ticks that their work should have taken
}

// classWork is the work of the hooks of a class.
type classWork struct {
	class string
	work  time.Duration
}

// mostBehind bounds the backlog: a machine that is faster than the prices assume counts one that is none.
const mostBehind = slowFor

const (
	// muchShare is the share of its ticks from which on the work of a room is much, although a machine as fast as the
	// prices assume keeps up with it.
	muchShare  = 0.3
	shareTicks = 32 // over which it is measured, about
)

// Add adds the work of a tick, of an attempt at one or of a rewind, under a bundle. What was done under others is not
// to blame any more.
func (b *backlog) Add(w *timeline.Work, bundle uint32) {
	if bundle != b.bundle {
		b.catchUp(b.behind)
		b.bundle, b.done, b.share = bundle, 0, 0
	}
	b.done += w.Sum()
	b.behind = min(b.behind+w.Sum(), mostBehind)
	b.physics += w.Physics
	for _, s := range w.By {
		b.class(s.Class).work += s.Work
	}
}

// Ticked notes that the time of a tick has been simulated.
func (b *backlog) Ticked() {
	b.share += float64((float64(min(b.done, b.length))/float64(b.length) - b.share) / shareTicks)
	b.done = 0
	b.catchUp(b.length)
}

// Skipped notes time that the host gives up.
func (b *backlog) Skipped(t time.Duration) { b.catchUp(t) }

func (b *backlog) catchUp(t time.Duration) {
	if b.behind -= t; b.behind <= 0 {
		b.behind, b.physics, b.classes = 0, 0, b.classes[:0]
	}
}

func (b *backlog) class(name string) *classWork {
	i := slices.IndexFunc(b.classes, func(c classWork) bool { return c.class == name })
	if i < 0 {
		i, b.classes = len(b.classes), append(b.classes, classWork{class: name})
	}
	return &b.classes[i]
}

// Slowness says at a tick why the room cannot keep up. blamed reports whether that is the room's own work.
func (b *backlog) Slowness(t world.Tick) (f wire.Failure, blamed bool) {
	if b.behind < b.length && b.share >= muchShare {
		return side.SlownessOf(t, "",
			"its work is much, but should fit; the machine is slow, or busy with something else"), false
	}
	if b.behind < b.length {
		return side.SlownessOf(t, "",
			"its scripts are not to blame; the machine is slow, or busy with something else"), false
	}
	var most classWork
	for _, c := range b.classes {
		if c.work > most.work {
			most = c
		}
	}
	switch {
	case most.work <= b.physics:
		return side.SlownessOf(t, "", "most of the work is physics; many bodies touch each other"), true
	case most.class == world.GameClass:
		return side.SlownessOf(t, most.class, "most of the work is that of game.lua; host check says how much"), true
	}
	return side.SlownessOf(t, most.class,
		"most of the work is the hooks of "+most.class+"; host check says how much"), true
}
