package runtime

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// displacements finds the objects of a client's player that were displaced, and reports why.
type displacements struct {
	reported []reportedAt   // displacements in the last round trip
	counts   [2]causeCounts // by DisplacementKind
	before   world.State    // the present before the Rewind
	// corrected says that a correction has changed the guess since the last Rewind.
	corrected bool
}

// reportedAt is when a displacement of an object was reported.
type reportedAt struct {
	object world.ObjectID
	at     time.Duration
}

// causeCounts counts displacements by label.
type causeCounts map[string]int // sorted by top

func (c *causeCounts) add(m *Displacement) {
	if *c == nil {
		*c = causeCounts{}
	}
	(*c)[m.label()]++
}

// mostCauses is how many labels a report has.
const mostCauses = 5

// top returns the most frequent labels.
func (c causeCounts) top() (out []CauseCount) {
	// order: sorted below
	for label, n := range c {
		out = append(out, CauseCount{label, n})
	}
	slices.SortFunc(out, func(a, b CauseCount) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Cause, b.Cause)) })
	return out[:min(len(out), mostCauses)]
}

// causes returns the most frequent causes of a kind.
func (d *displacements) causes(k DisplacementKind) []CauseCount { return d.counts[k].top() }

// note saves the present before a Rewind.
func (d *displacements) note(tl *timeline.Timeline) { d.before.CopyFrom(tl.At(tl.Now())) }

// rewound finds the objects that a Rewind has displaced. refused says that refused owner poses of
// this player displaced some of them.
func (d *displacements) rewound(c *endpoint, tl *timeline.Timeline, log *clientLog, refused bool) {
	if now := tl.At(tl.Now()); !d.corrected && !refused && simulatedDiffers(c, tl, now, &d.before) {
		c.Stats.Repredictions.Add(farthestApart(c, tl, &d.before, now, false))
		d.explain(c, tl, log)
	}
	d.corrected = false
}

// explain reports why the Rewind displaced objects of this player.
func (d *displacements) explain(c *endpoint, tl *timeline.Timeline, log *clientLog) {
	now := tl.At(tl.Now())
	rules := rulesOf(c, tl)
	for _, slot := range now.Run {
		o := &now.Objects[slot]
		if o.Owner != c.Session.Player || !tl.Differs(int(slot)) {
			continue
		}
		was, ok := d.before.Find(o.ID)
		if !ok || now.Body(int(slot)).Key == 0 {
			continue
		}
		distance, in := rules.Correct.Exceeded(d.before.Body(was), now.Body(int(slot)))
		if in == 0 || !d.mayReport(c, o.ID) {
			continue
		}
		m := Displacement{Kind: Reprediction, Object: o.ID, Class: tl.Schema(tl.Now()).Classes[o.Class].Name, Distance: distance,
			Provenance: tl.Explain(int(slot))}
		if m.Provenance.Cause == timeline.CauseInput && m.Provenance.Record != 0 {
			m.Provenance.LateBy = hostLateBy(c, tl, log, &m)
		}
		d.counts[Reprediction].add(&m)
		if c.Cfg.Moved != nil {
			tl.Locate(&m.Provenance)
			c.Cfg.Moved(m)
		}
	}
}

// mayReport reports whether a displacement of an object may be examined and reported: at most one
// per round trip.
func (d *displacements) mayReport(c *endpoint, id world.ObjectID) bool {
	trip := c.Clock.RTT().Smoothed
	d.reported = slices.DeleteFunc(d.reported, func(r reportedAt) bool { return c.Now-r.at >= trip })
	if slices.ContainsFunc(d.reported, func(r reportedAt) bool { return r.object == id }) {
		return false
	}
	d.reported = append(d.reported, reportedAt{id, c.Now})
	return true
}

// correct reports a correction, which replaces objects in the client's state of that tick by those
// of part. The message has its cause.
func (d *displacements) correct(c *endpoint, tl *timeline.Timeline, m *wire.Correction, part *world.State) {
	at := tl.At(m.Tick)
	distance := farthestApart(c, tl, at, part, true)
	c.Stats.Corrections.Add(distance)
	move := Displacement{Kind: Correction, Object: m.Object, Distance: distance, Wrong: m.Mismatch.Words(),
		Provenance: timeline.Provenance{Tick: m.Tick, Cause: timeline.CauseComputed, Player: m.Cause.Player, InputTick: m.Cause.Tick, LateBy: int(m.Cause.Late)}}
	if tl.Partial(at) {
		move.Provenance.Cause = timeline.CauseReplicated // the difference came from replicated objects
	}
	if slot, ok := at.Find(m.Object); ok {
		move.Class = tl.Schema(m.Tick).Classes[at.Objects[slot].Class].Name
	}
	d.counts[Correction].add(&move)
	c.Log.Info("corrected", "tick", uint32(m.Tick), "object", m.Object.String(), "distance", distance, "why", move.cause())
	if c.Cfg.Moved != nil {
		c.Cfg.Moved(move)
	}
	d.corrected = true
}

// adjustOwn counts a snapshot that moves an object of this player beyond the threshold.
func (d *displacements) adjustOwn(c *endpoint, s *world.State, slot int, u *world.ProxyUpdate) {
	b := s.Body(slot)
	distance := math.Hypot(b.X-u.X, b.Y-u.Y)
	if rules := c.Library.bundle(s.Bundle); rules != nil && distance > rules.Rules.Correct.Position {
		c.Stats.Corrections.Add(distance)
		d.corrected = true
	}
}

// An owner pose (authority = "owner") can be refused. The host and every client that simulates the
// object come to the same verdict. No correction is needed: the log has the pose, and the owner's
// client refuses it in the same tick. It only has to report that.

// reportRefused reports the owner poses of this player that are in the log and were refused. moved says
// whether a Rewind just run moved such an object.
func (d *displacements) reportRefused(c *endpoint, tl *timeline.Timeline) (moved bool) {
	for _, r := range tl.RefusedPoses(c.Session.Player) {
		d.reportRefusal(c, tl, &r)
		slot, there := tl.At(tl.Now()).Find(r.Object)
		moved = moved || there && tl.Differs(slot)
	}
	return moved
}

func (d *displacements) reportRefusal(c *endpoint, tl *timeline.Timeline, r *timeline.RefusedPose) {
	m := Displacement{Kind: Correction, Object: r.Object, Class: r.Class, Distance: offBy(tl, r), Verdict: world.Verdict{Why: r.Why},
		Provenance: timeline.Provenance{Tick: r.Tick, Cause: timeline.CauseRefused, Player: r.Player, Event: world.OwnerPoseEvent, InputTick: r.Tick}}
	c.Stats.Corrections.Add(m.Distance)
	d.counts[Correction].add(&m)
	if !d.mayReport(c, r.Object) {
		return
	}
	if v := tl.LocateRefusal(&m.Provenance, r); v.Why == r.Why {
		m.Verdict = v // otherwise inputs of other players have become known since
	}
	c.Log.Info("corrected", "tick", uint32(m.Provenance.Tick), "object", m.Object.String(), "distance", m.Distance, "why", m.why())
	if c.Cfg.Moved != nil {
		c.Cfg.Moved(m)
	}
}

// offBy returns the distance between the owner pose and the object at the beginning of the
// tick, in metres.
func offBy(tl *timeline.Timeline, r *timeline.RefusedPose) float64 {
	before := tl.At(r.Tick - 1)
	if before == nil {
		return 0
	}
	slot, ok := before.Find(r.Object)
	if !ok {
		return 0
	}
	b := before.Body(slot)
	return math.Hypot(r.Pose.X-b.X, r.Pose.Y-b.Y)
}

// hostLateBy finds how late an input reached the host, in ticks. The commit mark that follows
// the input's record in the log dates its arrival, because there is one mark for each tick of
// the host.
func hostLateBy(c *endpoint, tl *timeline.Timeline, log *clientLog, m *Displacement) int {
	b := c.Library.bundle(tl.World().Now.Bundle)
	if mark := log.markAfter(m.Provenance.Record); mark != nil && b != nil {
		return max(int(mark.Tick+b.Ticks(b.Rules.MaxRewind))-int(m.Provenance.InputTick), 0)
	}
	return max(int(c.Session.HostTick)-int(m.Provenance.InputTick), 0)
}

// rulesOf returns the rules of the bundle in force.
func rulesOf(c *endpoint, tl *timeline.Timeline) *bundle.Rules {
	if b := c.Library.bundle(tl.World().Now.Bundle); b != nil {
		return &b.Rules
	}
	rules := bundle.DefaultRules()
	return &rules
}

// farthestApart returns the largest distance between the positions of an object in two
// states, in metres. own restricts it to objects of this player.
func farthestApart(c *endpoint, tl *timeline.Timeline, a, b *world.State, own bool) (most float64) {
	for _, slot := range b.Run {
		o := &b.Objects[slot]
		if own && o.Owner != c.Session.Player {
			continue
		}
		if at, ok := a.Find(o.ID); ok && simulates(c, tl, b, int(slot)) {
			p, q := a.Body(at), b.Body(int(slot))
			most = max(most, math.Hypot(p.X-q.X, p.Y-q.Y))
		}
	}
	return most
}

// simulates reports whether this client simulates an object. When other, replicated objects move,
// this is no reprediction or correction.
func simulates(c *endpoint, tl *timeline.Timeline, s *world.State, slot int) bool {
	o := &s.Objects[slot]
	return o.Owner == c.Session.Player || tl.SchemaOf(s).Classes[o.Class].LOD == world.Predict
}

// simulatedDiffers reports whether the objects that this client simulates differ between
// two states of one tick.
func simulatedDiffers(c *endpoint, tl *timeline.Timeline, a, b *world.State) bool {
	if !tl.Partial(a) || !tl.Partial(b) {
		return a.Hash() != b.Hash()
	}
	return simulatedHash(c, tl, a) != simulatedHash(c, tl, b)
}

func simulatedHash(c *endpoint, tl *timeline.Timeline, s *world.State) (sum uint64) {
	for _, slot := range s.Run {
		if simulates(c, tl, s, int(slot)) {
			sum += s.HashObject(int(slot))
		}
	}
	return sum
}
