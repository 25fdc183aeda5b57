package runtime

import (
	"math"
	"time"

	"github.com/hindcast/hindcast/net/link"
	"github.com/hindcast/hindcast/net/wire"
	"github.com/hindcast/hindcast/world"
)

// sentInputs are this client's inputs of the last ticks, to be repeated until the host has them.
type sentInputs struct {
	ticks    [wire.MaxInputs]sentTick // those of tick t at t % MaxInputs
	acked    wire.InputAck
	seq      uint32        // the number of the last InputPacket
	last     time.Duration // when it was sent
	viewedAt int64         // the latest view time of an input, in world.ViewParts of a tick
	counts   InputCounts
	runBuf   []wire.InputRun
	buf      []byte
}

type sentTick struct {
	tick    world.Tick
	inputs  []ownInput
	revised bool // to be repeated, although the host has acknowledged the tick
}

type ownInput struct {
	Object   world.ObjectID
	Bundle   uint32
	Input    world.Input
	Unshared bool // not all clients simulate the object
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

// of returns the inputs of tick t; none if they are not kept.
func (s *sentInputs) of(t world.Tick) []ownInput {
	if at := s.at(t); at.tick == t {
		return at.inputs
	}
	return nil
}

// revise replaces an input of tick t, which is then sent again.
func (s *sentInputs) revise(t world.Tick, own *ownInput, in world.Input) {
	own.Input = in
	s.at(t).revised = true
}

// number returns the number of the last InputPacket.
func (s *sentInputs) number() uint32 { return s.seq }

// send sends the inputs of the newest ticks that the host has not acknowledged, acknowledgements of
// HostPackets, snapshots and rows and, from a predictor, a claim.
func (s *sentInputs) send(now time.Duration, out *outbox, received *logReceiver, replica *replica, cues wire.Ack, claim *wire.Claim, ticks int) {
	s.last = now
	s.seq++
	m := wire.InputPacket{Seq: s.seq, Ack: received.ack(), Cues: cues, Claim: claim}
	m.Snapshot, m.Row = replica.acked()
	out.Datagram(now, link.HostPeer, s.encode(&m, world.Tick(ticks)))
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

// counted returns the counts of inputs since the beginning.
func (s *sentInputs) counted() InputCounts { return s.counts }

// acknowledge handles the host's acknowledgement of inputs, and reports whether it includes a newer
// tick.
func (s *sentInputs) acknowledge(a wire.InputAck) (newer bool) {
	newer = a.Newest > s.acked.Newest
	s.acked = a
	return newer
}

// encode adds the unacknowledged inputs of the newest ticks to a packet and encodes it. The bytes are
// valid until the next call.
func (s *sentInputs) encode(m *wire.InputPacket, ticks world.Tick) []byte {
	m.Runs = s.runs(ticks)
	s.buf = wire.AppendInputPacket(s.buf[:0], m)
	if len(m.Runs) > wire.MaxRuns || len(s.buf) > wire.MaxDatagram { // very many objects: send only the newest tick
		m.Runs = s.runs(1)
		s.buf = wire.AppendInputPacket(s.buf[:0], m)
	}
	return s.buf
}

// runs gathers the unacknowledged inputs of the newest ticks, object by object.
func (s *sentInputs) runs(ticks world.Tick) []wire.InputRun {
	runs := s.runBuf[:0]
	newest := s.newest()
	for t := newest - min(newest, ticks-1); t <= newest; t++ {
		at := s.at(t)
		if at.tick != t || t == 0 || s.hasReached(t) && !at.revised {
			continue
		}
		for _, own := range at.inputs {
			runs = addToRun(runs, t, own)
		}
	}
	s.runBuf = runs
	return runs
}

// addToRun appends an input to the run that it continues, or begins one.
func addToRun(runs []wire.InputRun, t world.Tick, own ownInput) []wire.InputRun {
	for i := range runs {
		r := &runs[i]
		if r.Object == own.Object && r.Bundle == own.Bundle && r.First+world.Tick(len(r.Inputs)) == t {
			r.Inputs = append(r.Inputs, own.Input)
			return runs
		}
	}
	if len(runs) < cap(runs) { // reuse the Inputs of an earlier frame
		runs = runs[:len(runs)+1]
	} else {
		runs = append(runs, wire.InputRun{})
	}
	r := &runs[len(runs)-1]
	*r = wire.InputRun{Object: own.Object, Bundle: own.Bundle, First: t, Inputs: append(r.Inputs[:0], own.Input)}
	return runs
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
	seen := was.inputs[0].Input.ViewTime
	for i := range now.inputs {
		own := now.inputs[i]
		own.Input.ViewTime = seen
		if own != was.inputs[i] {
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
	all    bool  // all objects are shown at that moment
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
	if at <= 0 || back < world.MinViewBack || back > math.MaxUint16 {
		return
	}
	s.viewedAt = at
	for i := range inputs {
		inputs[i].Input.ViewTime = world.ViewTime{Back: uint16(back), All: shown.all}
	}
}

// seenSlack is by how much the view time of an input may be wrong if the rest of the
// input does not change, in world.ViewParts of a tick. Then the view time takes no
// bytes.
const seenSlack = world.ViewParts / 4
