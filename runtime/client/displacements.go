package client

import (
	"cmp"
	"log/slog"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/bundle"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/stats"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
)

// displacements finds the objects of a client's player that were displaced, and reports why.
type displacements struct {
	report   func(room.Displacement) // Config.Displaced; may be nil
	log      *slog.Logger
	player   world.PlayerID
	reported []reportedAt    // displacements in the last round trip
	counts   [2]causeCounts  // by DisplacementKind
	jumps    [2]stats.Series // the distances in metres, by DisplacementKind
	before   world.State     // the present before the Rewind
	// corrected says that a correction has changed the guess since the last Rewind.
	corrected bool
	refused   []refusedPose // owner poses of which a snapshot says that the host refused them
}

// displacementContext is a time at which displacements are examined, with what the client knows then.
type displacementContext struct {
	now      time.Duration
	trip     time.Duration  // the smoothed round trip
	bundle   *bundle.Bundle // in force
	hostTick world.Tick     // the newest tick that the host is known to have reached
}

// newDisplacementContext returns the displacementContext now.
func newDisplacementContext(
	now time.Duration, clock *clock, b *bundle.Bundle, receiver *logReceiver,
) displacementContext {
	return displacementContext{now: now, trip: clock.smoothedRTT(), bundle: b, hostTick: receiver.hostAt()}
}

// restart begins with a keyframe, for the objects of a player.
func (d *displacements) restart(player world.PlayerID) { d.player = player }

// reportedAt is when a displacement of an object was reported.
type reportedAt struct {
	object world.ObjectID
	at     time.Duration
}

// causeCounts counts displacements by label.
type causeCounts map[string]int // sorted by top

func (c *causeCounts) add(m *room.Displacement) {
	if *c == nil {
		*c = causeCounts{}
	}
	(*c)[m.Label()]++
}

// mostCauses is how many labels a report has.
const mostCauses = 5

// top returns the most frequent labels.
func (c causeCounts) top() (out []room.CauseCount) {
	// order: sorted below
	for label, n := range c {
		out = append(out, room.CauseCount{Cause: label, Count: n})
	}
	slices.SortFunc(out, func(a, b room.CauseCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Cause, b.Cause))
	})
	return out[:min(len(out), mostCauses)]
}

// count returns how many displacements of a kind there were.
func (d *displacements) count(k room.DisplacementKind) int { return d.jumps[k].Count() }

// counted returns the displacements of a kind.
func (d *displacements) counted(k room.DisplacementKind) room.JumpCounts {
	return room.JumpCounts{Count: d.jumps[k].Count(), Distance: d.jumps[k].Spread(), Causes: d.counts[k].top()}
}

// note saves the present before a Rewind.
func (d *displacements) note(tl *timeline.Timeline) { d.before.CopyFrom(tl.At(tl.Now())) }

// rewound finds the objects that a Rewind has displaced. refused says that refused owner poses of
// this player displaced some of them.
func (d *displacements) rewound(o *displacementContext, tl *timeline.Timeline, relayed *relayedLog, refused bool) {
	if now := tl.At(tl.Now()); !d.corrected && !refused && d.simulatedDiffers(tl, now, &d.before) {
		d.jumps[room.Reprediction].Add(d.farthestApart(tl, &d.before, now, false))
		d.explain(o, tl, relayed)
	}
	d.corrected = d.corrected && tl.Dirty() != 0 // a correction that came during the Rewind waits for the next one
}

// explain reports why the Rewind displaced objects of this player.
func (d *displacements) explain(at *displacementContext, tl *timeline.Timeline, relayed *relayedLog) {
	now := tl.At(tl.Now())
	for _, slot := range now.Run {
		o := &now.Objects[slot]
		if o.Owner != d.player || !tl.Causes().Differs(int(slot)) {
			continue
		}
		was, ok := d.before.Find(o.ID)
		if !ok || now.Body(int(slot)).Key == 0 {
			continue
		}
		class := &tl.Schema(tl.Now()).Classes[o.Class]
		limits := at.bundle.Rules.CorrectOf(class)
		distance, in := limits.Exceeded(d.before.Body(was), now.Body(int(slot)))
		if in == 0 || !d.mayReport(at, o.ID) {
			continue
		}
		m := room.Displacement{Kind: room.Reprediction, Object: o.ID, Class: class.Name, Distance: distance,
			Provenance: tl.Causes().Explain(int(slot))}
		if m.Provenance.Cause == timeline.CauseInput && m.Provenance.Record != 0 {
			m.Provenance.LateBy = at.hostLateBy(relayed, &m)
		}
		d.counts[room.Reprediction].add(&m)
		if d.report != nil {
			tl.Causes().Locate(&m.Provenance)
			d.report(m)
		}
	}
}

// mayReport reports whether a displacement of an object may be examined and reported: at most one
// per round trip.
func (d *displacements) mayReport(at *displacementContext, id world.ObjectID) bool {
	d.reported = slices.DeleteFunc(d.reported, func(r reportedAt) bool { return at.now-r.at >= at.trip })
	if slices.ContainsFunc(d.reported, func(r reportedAt) bool { return r.object == id }) {
		return false
	}
	d.reported = append(d.reported, reportedAt{id, at.now})
	return true
}

// correct reports a correction, which replaces objects in the client's state of that tick by those
// of part. The message has its cause.
func (d *displacements) correct(tl *timeline.Timeline, m *wire.Correction, part *world.State) {
	at := tl.At(m.Tick)
	distance := d.farthestApart(tl, at, part, true)
	d.jumps[room.Correction].Add(distance)
	move := room.Displacement{
		Kind:     room.Correction,
		Object:   m.Object,
		Distance: distance,
		Wrong:    m.Mismatch.Words(),
		Provenance: timeline.Provenance{
			Tick:      m.Tick,
			Cause:     timeline.CauseComputed,
			Player:    m.Cause.Player,
			InputTick: m.Cause.Tick,
			LateBy:    int(m.Cause.Late),
		},
	}
	if tl.Scripts().Partial(at) {
		move.Provenance.Cause = timeline.CauseReplicated // the difference came from replicated objects
		tl.Causes().LocateReplicated(&move.Provenance, m.Object)
	}
	if slot, ok := at.Find(m.Object); ok {
		move.Class = tl.Schema(m.Tick).Classes[at.Objects[slot].Class].Name
	}
	d.reportCorrection(&move)
}

// adjustOwn reports that the snapshot of a tick moves an object of this player, in a slot of state s, beyond
// the threshold of its class.
func (d *displacements) adjustOwn(
	rules *bundle.Rules,
	snapshot world.Tick,
	s *world.State,
	slot int,
	schema *world.Schema,
	u *world.ProxyUpdate,
) {
	b, class := s.Body(slot), &schema.Classes[s.Objects[slot].Class]
	distance := math.Hypot(b.X-u.X, b.Y-u.Y)
	if limits := rules.CorrectOf(class); distance <= limits.Position {
		return
	}
	move := room.Displacement{Kind: room.Correction, Object: u.Object, Class: class.Name, Distance: distance,
		Provenance: timeline.Provenance{
			Tick:      s.Tick,
			Cause:     timeline.CauseReplicated,
			InputTick: snapshot,
			Replicated: timeline.Replicated{
				Object:   u.Object,
				Class:    class.Name,
				Field:    u.DifferingField(s, schema),
				Snapshot: snapshot,
			},
		}}
	d.jumps[room.Correction].Add(distance)
	d.reportCorrection(&move)
}

// reportCorrection counts the cause of a correction, logs it and passes it on.
func (d *displacements) reportCorrection(m *room.Displacement) {
	d.counts[room.Correction].add(m)
	d.log.Info("corrected", "tick", uint32(m.Provenance.Tick), "object", m.Object.String(), "distance", m.Distance,
		"why", m.Cause())
	if d.report != nil {
		d.report(*m)
	}
	d.corrected = true
}

// An owner pose (authority = "owner") can be refused. If the class is predicted, the host and every
// client come to the same verdict. No correction is needed: the log has the pose, and the owner's
// client refuses it in the same tick. It only has to report that. If the class is replicated, a snapshot
// says so, and has the object where the host has it.

// refusedPose is a refused owner pose, and how far it was from where the object is, in metres.
type refusedPose struct {
	timeline.RefusedPose
	off float64
}

// refuse notes that a snapshot says that the host refused a pose, and has the object elsewhere.
func (d *displacements) refuse(r timeline.RefusedPose, off float64) {
	d.refused, d.corrected = append(d.refused, refusedPose{r, off}), true
}

// reportRefused reports the owner poses of this player that the host refused. moved says whether a
// Rewind just run moved an object of which the log has such a pose.
func (d *displacements) reportRefused(at *displacementContext, tl *timeline.Timeline) (moved bool) {
	for _, r := range tl.Log().RefusedPoses(d.player) {
		d.reportRefusal(at, tl, &r, offBy(tl, &r))
		slot, there := tl.At(tl.Now()).Find(r.Object)
		moved = moved || there && tl.Causes().Differs(slot)
	}
	for i := range d.refused {
		d.reportRefusal(at, tl, &d.refused[i].RefusedPose, d.refused[i].off)
	}
	d.refused = d.refused[:0]
	return moved
}

func (d *displacements) reportRefusal(
	at *displacementContext,
	tl *timeline.Timeline,
	r *timeline.RefusedPose,
	off float64,
) {
	m := room.Displacement{
		Kind:     room.Correction,
		Object:   r.Object,
		Class:    r.Class,
		Distance: off,
		Verdict:  world.Verdict{Why: r.Why},
		Provenance: timeline.Provenance{
			Tick:      r.Tick,
			Cause:     timeline.CauseRefused,
			Player:    r.Player,
			Event:     world.OwnerPoseEvent,
			InputTick: r.Tick,
		},
	}
	d.jumps[room.Correction].Add(m.Distance)
	d.counts[room.Correction].add(&m)
	if !d.mayReport(at, r.Object) {
		return
	}
	if v := tl.Causes().LocateRefusal(&m.Provenance, r); v.Why == r.Why {
		m.Verdict = v // otherwise inputs of other players have become known since
	}
	d.log.Info("corrected", "tick", uint32(m.Provenance.Tick), "object", m.Object.String(), "distance", m.Distance,
		"why", m.Why())
	if d.report != nil {
		d.report(m)
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
func (at *displacementContext) hostLateBy(relayed *relayedLog, m *room.Displacement) int {
	if mark := relayed.markAfter(m.Provenance.Record); mark != nil {
		return max(int(mark.tick+at.bundle.Ticks(at.bundle.Rules.MaxRewind))-int(m.Provenance.InputTick), 0)
	}
	return max(int(at.hostTick)-int(m.Provenance.InputTick), 0)
}

// farthestApart returns the largest distance between the positions of an object in two
// states, in metres. own restricts it to objects of this player.
func (d *displacements) farthestApart(tl *timeline.Timeline, a, b *world.State, own bool) (most float64) {
	for _, slot := range b.Run {
		o := &b.Objects[slot]
		if own && o.Owner != d.player {
			continue
		}
		if at, ok := a.Find(o.ID); ok && d.simulates(tl, b, int(slot)) {
			p, q := a.Body(at), b.Body(int(slot))
			most = max(most, math.Hypot(p.X-q.X, p.Y-q.Y))
		}
	}
	return most
}

// simulates reports whether this client simulates an object. When other, replicated objects move,
// this is no reprediction or correction.
func (d *displacements) simulates(tl *timeline.Timeline, s *world.State, slot int) bool {
	o := &s.Objects[slot]
	return o.Owner == d.player || tl.Scripts().SchemaOf(s).Classes[o.Class].LOD == world.Predict
}

// simulatedDiffers reports whether the objects that this client simulates differ between
// two states of one tick.
func (d *displacements) simulatedDiffers(tl *timeline.Timeline, a, b *world.State) bool {
	if !tl.Scripts().Partial(a) || !tl.Scripts().Partial(b) {
		return a.Hash() != b.Hash()
	}
	return d.simulatedHash(tl, a) != d.simulatedHash(tl, b)
}

func (d *displacements) simulatedHash(tl *timeline.Timeline, s *world.State) (sum uint64) {
	for _, slot := range s.Run {
		if d.simulates(tl, s, int(slot)) {
			sum += s.HashObject(int(slot))
		}
	}
	return sum
}
