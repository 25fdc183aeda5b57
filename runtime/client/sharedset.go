package client

import (
	"fmt"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// sharedSet simulates the shared set of complete ticks, if the Timeline does not simulate all of it as the host
// does: in a partially replicated room, or because objects are culled.
type sharedSet struct {
	run     *timeline.SharedRun
	culling culling
	shown   culledView
	anchor  world.Tick  // where the Timeline last continued from the run
	cues    []world.Cue // in the ticks that the run simulated since giveCues
	from    world.Tick  // the first of these ticks; 0: there is none
	due     bool        // complete has not come to the last of the ticks that will be complete
}

// anchorEvery is after how many complete ticks the Timeline continues from the run if only culled objects make them
// differ. What they touch is wrong a little longer; each time, it is run again in all ticks that are not complete.
const anchorEvery = 8

// newSharedSet returns a part without a Timeline. It reports errors of the prediction hook to failed. What it draws
// continues by way of decay.
func newSharedSet(failed func(t world.Tick, err error), decay *view.Decay) sharedSet {
	return sharedSet{culling: newCulling(failed), shown: culledView{decay: decay}}
}

// restart begins again with a new Timeline.
func (x *sharedSet) restart(tl *timeline.Timeline) {
	x.run = timeline.NewSharedRun(tl)
	x.cues, x.from, x.due = x.cues[:0], 0, false
	x.culling.pause()
	x.shown.clear()
}

// begin begins at the state s.
func (x *sharedSet) begin(s *world.State) { x.run.Begin(s) }

// anchored reports whether the Timeline continues from the shared run.
func (x *sharedSet) anchored() bool { return x.run.Anchored() }

// cull chooses the objects to be culled, under the bundle in force. At a client that is not at its present,
// nothing changes.
func (x *sharedSet) cull(tl *timeline.Timeline, l *library, atPresent bool) {
	n := tl.World().Now.Bundle
	switch {
	case !atPresent || x.run.Lost():
		x.culling.pause()
	case !x.culling.rest(tl.Now()):
		x.culling.choose(tl, l.script(n), &l.bundle(n).Rules)
	}
}

// start makes complete begin after the last complete tick.
func (x *sharedSet) start(tl *timeline.Timeline, relayed *relayedLog) {
	x.due = !x.run.Lost() && (x.run.Needed() || x.culling.wanted())
	if !x.due {
		x.run.Stop()
		x.shown.clear()
		return
	}
	x.from = relayed.completeTo() + 1
	if !x.run.Begun() {
		x.run.Begin(tl.At(relayed.completeTo())) // until then, everything was shared
	}
}

// complete simulates the shared set in the ticks that will be complete, until that has been more work than most, and
// compares it with the host's hashes. When it has come to the last of these ticks, the Timeline continues from there.
// It returns the work. done reports whether nothing is left to do.
func (x *sharedSet) complete(
	now time.Duration,
	clock *clock,
	tl *timeline.Timeline,
	relayed *relayedLog,
	a *confirmation,
	most time.Duration,
) (spent time.Duration, done bool, err error) {
	if !x.due {
		return 0, true, nil
	}
	to := relayed.takenTo()
	for t := x.run.State().Tick + 1; t <= to; t++ {
		if spent > most {
			return spent, false, nil
		}
		err := x.run.Complete(relayed.takePatch(t))
		spent += tl.Spent()
		if err != nil && a.broken() {
			x.run.Lose() // after a desync a patch may no longer fit
			break
		}
		if err != nil {
			return spent, false, fmt.Errorf("tick %d: %w: %w", t, wire.ErrMalformed, err)
		}
		x.cues = append(x.cues, x.run.Cues()...)
		if m := relayed.markOf(t); m != nil {
			a.compare(x.run.State(), m)
		}
		x.shown.add(x.run.State(), tl.Scripts().SchemaOf(x.run.State()),
			clock.age(now, time.Duration(t)*clock.tickLength()))
	}
	x.due = false
	fresh := to >= x.from
	restored := !x.run.Lost() && x.culling.apply(tl, x.run.State(), fresh)
	if due := tl.Scripts().AnyPartial() || to >= x.anchor+anchorEvery; restored || due && fresh {
		x.run.Anchor(to)
		x.anchor = to
	}
	return spent, true, nil
}

// giveCues gives the cues of the ticks that the run simulated to a reporter.
func (x *sharedSet) giveCues(to *cueReporter) {
	for t := x.from; x.from != 0 && t <= x.run.State().Tick; t++ {
		n := 0
		for n < len(x.cues) && x.cues[n].Tick == t {
			n++
		}
		to.completed(t, x.cues[:n])
		x.cues = slices.Delete(x.cues, 0, n)
	}
	x.cues, x.from = x.cues[:0], 0
}

// culls reports whether ticks of the Timeline are wrong, or may have been until lately, because objects are culled.
func (x *sharedSet) culls(tl *timeline.Timeline) bool {
	return tl.Culling().Count() > 0 || x.run.Begun() && !tl.Scripts().AnyPartial()
}

// mayCull reports whether culls is true, or may become true under the scripts in force.
func (x *sharedSet) mayCull(tl *timeline.Timeline) bool {
	return x.culls(tl) || !x.culling.filter.All()
}

// moment returns the moment between complete ticks that is shown.
func (x *sharedSet) moment() float64 { return x.shown.moment() }

// show draws the culled objects of a view of the present.
func (x *sharedSet) show(v *room.View, tl *timeline.Timeline, t frameTime) {
	x.shown.show(v, tl, t, x.mayCull(tl))
}

// past reports whether an object was drawn between complete ticks in the last frame.
func (x *sharedSet) past(id world.ObjectID) bool { return x.shown.past(id) }

// report fills in the counts of culled objects.
func (x *sharedSet) report(r *room.Report) { r.Culling = x.culling.counted() }
