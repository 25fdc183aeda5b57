package client

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/runtime/internal/side"
	"github.com/hindcast/hindcast/runtime/internal/view"
	"github.com/hindcast/hindcast/runtime/room"
	"github.com/hindcast/hindcast/runtime/timeline"
	"github.com/hindcast/hindcast/world"
	"github.com/hindcast/hindcast/world/physics"
)

// sentInputs are this client's inputs of the last ticks, to be repeated until the host has them.
type sentInputs struct {
	ticks    [wire.MaxInputs]sentTick // those of tick t at t % MaxInputs
	acked    wire.InputAck
	seq      uint32        // the number of the last InputPacket
	last     time.Duration // when it was sent
	viewedAt int64         // the latest view time of an input, in world.ViewParts of a tick
	counts   room.InputCounts
	event    world.Event // of each
	runBuf   []wire.InputRun
	sightBuf []wire.InputSight
	buf      []byte
}

type sentTick struct {
	tick    world.Tick
	inputs  []ownInput
	revised bool // to be repeated, although the host has acknowledged the tick
}

type ownInput struct {
	object   world.ObjectID
	bundle   uint32
	input    world.Input
	unshared bool // not all clients simulate the object
	sight    world.Sight
}

// sameBut reports whether two inputs are the same except for their view times and sights.
func sameBut(a, b ownInput) bool {
	a.input.ViewTime, b.input.ViewTime = world.ViewTime{}, world.ViewTime{}
	return a.input == b.input && a.object == b.object && a.bundle == b.bundle && a.unshared == b.unshared
}

// at returns the entry for the inputs of tick t. It has those of an older tick if there are
// none for t.
func (s *sentInputs) at(t world.Tick) *sentTick { return &s.ticks[t%wire.MaxInputs] }

// begin makes room for the inputs of tick t.
func (s *sentInputs) begin(t world.Tick) {
	at := s.at(t)
	at.tick, at.inputs, at.revised = t, at.inputs[:0], false
}

// add adds an input for a tick that was begun, if the player does not steer too many objects.
func (s *sentInputs) add(t world.Tick, own ownInput) {
	at := s.at(t)
	at.inputs = append(at.inputs, own)
	s.counts.Sent++
}

// each calls f for the inputs of tick t as events of a player, and keeps the sights that f gives them.
// unshared says that not all clients simulate the object. The event is valid during the call.
func (s *sentInputs) each(t world.Tick, player world.PlayerID, f func(e *world.Event, unshared bool)) {
	inputs := s.of(t)
	for i := range inputs {
		own := &inputs[i]
		s.event = world.Event{
			Kind:   world.InputEvent,
			Tick:   t,
			Object: own.object,
			Player: player,
			Bundle: own.bundle,
			Input:  own.input,
		}
		f(&s.event, own.unshared)
		own.sight = s.event.Sight
	}
}

// presses reports whether a button of an object goes down in tick t.
func (s *sentInputs) presses(t world.Tick, object world.ObjectID) bool {
	find := func(t world.Tick) (buttons uint32) {
		for _, own := range s.of(t) {
			if own.object == object {
				buttons = own.input.Buttons
			}
		}
		return buttons
	}
	return find(t)&^find(t-1) != 0
}

// of returns the inputs of tick t; none if they are not kept.
func (s *sentInputs) of(t world.Tick) []ownInput {
	if at := s.at(t); at.tick == t {
		return at.inputs
	}
	return nil
}

// revise replaces an input of tick t, which is then sent again.
func (s *sentInputs) revise(t world.Tick, own *ownInput, in world.Input) {
	own.input = in
	s.at(t).revised = true
}

// number returns the number of the last InputPacket.
func (s *sentInputs) number() uint32 { return s.seq }

// send sends the inputs of the newest ticks that the host has not acknowledged, acknowledgements of
// HostPackets, snapshots and rows and, from a predictor, a claim.
func (s *sentInputs) send(
	now time.Duration,
	out *side.Mailbox,
	received *logReceiver,
	replica *replica,
	cues wire.Ack,
	claim *wire.Claim,
	ticks int,
) {
	s.last = now
	s.seq++
	m := wire.InputPacket{Seq: s.seq, Ack: received.ack(), Cues: cues, Claim: claim}
	m.Snapshot, m.Row = replica.acked()
	out.Datagram(now, link.HostPeer, s.encode(&m, world.Tick(ticks), out.Cut()))
}

// resendAt returns when an InputPacket is to be sent without a new tick. It returns link.Never if
// the next tick, whose packet is sent at the time tick, comes before that or soon after.
func (s *sentInputs) resendAt(tickLength, tick time.Duration) time.Duration {
	at := s.last + tickLength
	if tick < at+tickLength/2 {
		return link.Never
	}
	return at
}

// refused counts inputs that the host did not apply.
func (s *sentInputs) refused(m *wire.Notice) {
	if m.Kind == wire.NoticeDropped {
		s.counts.DroppedOld += int(m.Count)
	} else {
		s.counts.Refused += int(m.Count)
	}
}

// unapplied returns how many the host did not apply.
func (s *sentInputs) unapplied() int { return s.counts.DroppedOld + s.counts.Refused }

// counted returns the counts of inputs since the beginning.
func (s *sentInputs) counted() room.InputCounts { return s.counts }

// acknowledge handles the host's acknowledgement of inputs, and reports whether it includes a newer
// tick.
func (s *sentInputs) acknowledge(a wire.InputAck) (newer bool) {
	newer = a.Newest > s.acked.Newest
	s.acked = a
	return newer
}

// encode adds the unacknowledged inputs of the newest ticks to a packet and encodes it. While it is too large, it
// leaves out the oldest tick, then, of the newest tick, the last sight, then the last object, and counts that. The
// bytes are valid until the next call.
func (s *sentInputs) encode(m *wire.InputPacket, ticks world.Tick, cut *room.CutCounts) []byte {
	inputs, sights := 0, 0
	fits := func() bool {
		s.buf = wire.AppendInputPacket(s.buf[:0], m)
		return len(s.buf) <= wire.MaxDatagram && len(m.Runs) <= wire.MaxRuns && len(m.Sights) <= wire.MaxSights
	}
	ok := false
	for t := ticks; !ok && t > 0; t-- {
		m.Runs, m.Sights = s.runs(t)
		if t == ticks {
			inputs, sights = countInputs(m.Runs), len(m.Sights)
		}
		ok = fits()
	}
	for ; !ok && len(m.Sights) > 0; ok = fits() {
		m.Sights = m.Sights[:len(m.Sights)-1]
	}
	for ; !ok && len(m.Runs) > 0; ok = fits() {
		m.Runs = m.Runs[:len(m.Runs)-1]
	}
	cut.Inputs += inputs - countInputs(m.Runs)
	cut.Sights += sights - len(m.Sights)
	return s.buf
}

func countInputs(runs []wire.InputRun) (n int) {
	for i := range runs {
		n += len(runs[i].Inputs)
	}
	return n
}

// runs gathers the unacknowledged inputs of the newest ticks, object by object, and the sights that go
// with them.
func (s *sentInputs) runs(ticks world.Tick) ([]wire.InputRun, []wire.InputSight) {
	runs, sights := s.runBuf[:0], s.sightBuf[:0]
	newest := s.newest()
	for t := newest - min(newest, ticks-1); t <= newest; t++ {
		at := s.at(t)
		if at.tick != t || t == 0 || s.hasReached(t) && !at.revised {
			continue
		}
		for i := range at.inputs {
			own := &at.inputs[i]
			var run int
			if runs, run = addToRun(runs, t, own); len(own.sight) > 0 {
				sights = append(sights, wire.InputSight{Run: run, Input: len(runs[run].Inputs) - 1, Sight: own.sight})
			}
		}
	}
	slices.SortStableFunc(sights, func(a, b wire.InputSight) int { return cmp.Compare(a.Run, b.Run) })
	s.runBuf, s.sightBuf = runs, sights
	return runs, sights
}

// addToRun appends an input to the run that it continues, or begins one. It returns the index of the
// run.
func addToRun(runs []wire.InputRun, t world.Tick, own *ownInput) (out []wire.InputRun, run int) {
	for i := range runs {
		r := &runs[i]
		if r.Object == own.object && r.Bundle == own.bundle && r.First+world.Tick(len(r.Inputs)) == t {
			r.Inputs = append(r.Inputs, own.input)
			return runs, i
		}
	}
	if len(runs) < cap(runs) { // reuse the Inputs of an earlier frame
		runs = runs[:len(runs)+1]
	} else {
		runs = append(runs, wire.InputRun{})
	}
	r := &runs[len(runs)-1]
	*r = wire.InputRun{Object: own.object, Bundle: own.bundle, First: t, Inputs: append(r.Inputs[:0], own.input)}
	return runs, len(runs) - 1
}

// newest returns the newest tick for which there are inputs.
func (s *sentInputs) newest() (t world.Tick) {
	for i := range s.ticks {
		t = max(t, s.ticks[i].tick)
	}
	return t
}

// hasReached reports whether the host has acknowledged the inputs of tick t.
func (s *sentInputs) hasReached(t world.Tick) bool {
	a := &s.acked
	return t == a.Newest || t < a.Newest && (a.Newest-t > 16 || a.Mask&(1<<(a.Newest-t-1)) != 0)
}

// sameInputs reports whether the inputs of tick t differ from those of the tick before
// in nothing but a view time, which those have. at is the moment that this earlier view
// time means in tick t.
func (s *sentInputs) sameInputs(t world.Tick) (at int64, same bool) {
	was, now := s.at(t-1), s.at(t)
	if was.tick != t-1 || len(was.inputs) != len(now.inputs) || len(now.inputs) == 0 {
		return 0, false
	}
	seen := was.inputs[0].input.ViewTime
	for i := range now.inputs {
		if !sameBut(now.inputs[i], was.inputs[i]) || was.inputs[i].input.ViewTime != seen {
			return 0, false
		}
	}
	return seen.Moment(t), seen.Back != 0
}

// shownMoment is the moment that the view shows, in world.ViewParts of a tick. It is 0 if no script
// asks for it.
type shownMoment struct {
	at     int64
	latest int64 // the latest moment that the host knows the view can show
	most   int64 // how long ago it may be: the host would refuse more, and no pose history goes further back
	all    bool  // all objects are shown at that moment
	buffer *view.Buffer
	frame  *lastFrame // where the objects were drawn; nil: there is no frame, or an old one
}

// drawIn notes the last frame. It counts unless it is old.
func (s *shownMoment) drawIn(frame *lastFrame, now time.Duration) {
	if frame.fresh(now) {
		s.frame = frame
	}
}

// sight returns where the objects nearest to one of a player's objects are drawn; nil if that is not drawn, or
// not all objects are shown at the moment. Without known, it has only objects that are drawn where they were not at
// that moment, as far as the client knows: the host knows where the others were.
func (s *shownMoment) sight(player world.PlayerID, id world.ObjectID, known bool) (out world.Sight) {
	if !s.all {
		return nil
	}
	own, drawn := world.PastPose{}, false
	s.buffer.Each(func(o *view.Object, at physics.Pose) {
		carried := false
		if s.frame != nil {
			if p, ok := s.frame.find(o.ID); ok { // a carried object is drawn at its holder
				carried, at = p != at, p
			}
		}
		c := &s.buffer.Schema().Classes[o.Class]
		if o.ID == id {
			own, drawn = world.SightPose(id, at), true
			// It is aimed from where it is drawn. It may have moved on since, also if it is drawn at rest: what its player
			// has just begun to do is not in a snapshot yet.
			if c.Body != nil && c.Body.Moves() || !o.Newest(at) {
				out = append(out, own)
			}
			return
		}
		if c.Seen != nil && c.Body != nil && o.Owner != player && (known || carried || !o.Exact(s.buffer)) {
			out = append(out, world.SightPose(o.ID, at))
		}
	})
	if !drawn {
		return nil
	}
	slices.SortStableFunc(
		out,
		func(a, b world.PastPose) int { return cmp.Compare(own.DistanceTo(a), own.DistanceTo(b)) },
	)
	out = out[:min(len(out), world.MaxSight)]
	slices.SortFunc(out, func(a, b world.PastPose) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// noteView writes into the inputs of tick t what the screen showed.
func (s *sentInputs) noteView(t world.Tick, shown shownMoment) {
	inputs := s.at(t).inputs
	at := max(shown.at, s.viewedAt)
	if next, same := s.sameInputs(t); same && next-at < seenSlack && at-next < seenSlack {
		at = max(next, s.viewedAt)
	}
	at = min(at, shown.latest) // the rest is extrapolated
	back := int64(t)*world.ViewParts - at
	if at <= 0 || back < world.MinViewBack || back > min(shown.most, math.MaxUint16) {
		return
	}
	s.viewedAt = at
	for i := range inputs {
		inputs[i].input.ViewTime = world.ViewTime{Back: uint16(back), All: shown.all}
	}
}

// seenSlack is by how much the view time of an input may be wrong if the rest of the
// input does not change, in world.ViewParts of a tick. Then the view time takes no
// bytes.
const seenSlack = world.ViewParts / 4

// claimer makes the claims of a predictor.
type claimer struct {
	newest world.Tick // the newest tick claimed
	made   wire.Claim // the newest claim
}

// claim returns where this client has its player's first predicted object at the newest tick for
// which this client's inputs are no longer guesses; nil if there is nothing new to claim. It is valid until the next
// call. Inputs of other players may still be missing: the claim says how much of the log the client has. complete is
// the last complete tick. While objects are culled, there is no claim: what touches them may be wrong until its tick
// is complete.
func (l *claimer) claim(
	tl *timeline.Timeline,
	player world.PlayerID,
	receiver *logReceiver,
	complete world.Tick,
	culls bool,
) *wire.Claim {
	t := max(tl.Log().CertainTo(min(receiver.hostAt(), tl.Now())), complete)
	s := tl.At(t)
	if s == nil || culls || t <= l.newest || tl.Dirty() != 0 && t >= tl.Dirty() {
		return nil
	}
	for _, slot := range s.Run {
		o := &s.Objects[slot]
		if o.Owner == player && s.Body(int(slot)).Key != 0 && tl.Schema(t).Classes[o.Class].LOD == world.Predict {
			l.newest = t
			l.made = claimFor(s, int(slot), receiver.received())
			return &l.made
		}
	}
	return nil
}

// claimFor returns the claim of a client that has the state s and the records of the log before
// received.
func claimFor(s *world.State, slot int, received uint32) wire.Claim {
	b := s.Body(slot)
	return wire.Claim{
		Object:          s.Objects[slot].ID,
		Tick:            s.Tick,
		KnownSeq:        received,
		X:               float32(b.X),
		Y:               float32(b.Y),
		Angle:           float32(b.Angle),
		VX:              float32(b.VX),
		VY:              float32(b.VY),
		AngularVelocity: float32(b.W),
	}
}
